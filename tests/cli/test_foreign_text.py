"""Text of an input on its way out: no parser and no option lets through what a terminal acts on."""

import csv
import io
import json
import os
import sys
import unicodedata

import pytest
from examples import CLASSIC
from hypothesis import given
from hypothesis import strategies as st
from stream_cases import Screen

from satdoku.bench.results import Row
from satdoku.cli import main
from satdoku.files.fpuzzles.links import save
from satdoku.files.tables import no_formula

FOUR = "1.....2....3.4.."
BAD = {
    "newline": "a\nverified unique b\nsatdoku: forged",
    "return": "a\rverified unique",
    "escape": "a\x1b[8m\x1b]0;b\x07",
    "c1": "a\x9b31m\x85",
    "override": "a\u202eb\u2066c\u2028d",
    "surrogate": "a\ud800b\udfff",
    "nul": "a\0b",
    "long": "a" * 30_000,
}
FORGED = ("verified unique b", "satdoku: forged", "forged")


def safe(code, out, err, codes=(0, 1, 2, 10, 20, 70)):
    """Nothing a terminal acts on, no line of the input's, nothing that floods the screen."""
    assert code in codes, err[-500:]
    assert "Traceback" not in err
    for text in (out, err):
        raw = {c for c in text if c != "\n" and unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl")}
        assert not raw, (raw, text[:500])
        assert not [line for line in text.split("\n") if line.startswith(FORGED)]
    assert len(err) < 20_000


def dump(value):
    return json.dumps(value).encode()


def raw(text):
    return text.encode("utf-8", errors="surrogatepass")


def link(**fields):
    grid = [[{} for _ in range(4)] for _ in range(4)]
    return {"size": 4, "grid": grid, **fields}


def in_links(bad):
    """f-puzzles objects with the text in every place that holds a text or a key."""
    cell = [[{"value": 1}] + [{} for _ in range(3)]] + [[{} for _ in range(4)] for _ in range(3)]
    yield link(title=bad, author=bad, ruleset=bad)
    yield link(ruleset=bad + " anti-knight")
    yield link(**{bad: [{"cells": ["R1C1"]}]})
    yield link(**{bad: True})
    yield link(thermometer=[{"lines": [[bad, "R1C2"]]}])
    yield link(cage=[{"cells": [bad], "value": bad}])
    yield {"size": 4, "grid": [[{bad: bad}], *cell[1:]]}
    yield {"size": 4, "grid": [[{"value": bad}, *cell[0][1:]], *cell[1:]]}
    yield {"size": bad, "grid": cell}
    yield {"size": 4, "grid": [[{"region": bad}, *cell[0][1:]], *cell[1:]]}


COLLECTIONS = {
    "id.csv": lambda bad: raw(f'id,puzzle\n"{bad}",{FOUR}\n'),
    "rules.csv": lambda bad: raw(f'puzzle,rules\n{FOUR},"{bad}"\n'),
    "answer.csv": lambda bad: raw(f'puzzle,solution\n{FOUR},"{bad}"\n'),
    "header.csv": lambda bad: raw(f'puzzle,"{bad}"\n{FOUR},1\n'),
    "puzzle.csv": lambda bad: raw(f'puzzle,id\n{FOUR},1\n"{bad}",2\n'),
    "before.txt": lambda bad: raw(f"{bad} {FOUR}\n{FOUR}\n"),
    "behind.txt": lambda bad: raw(f"{FOUR}\n{FOUR} # {bad}\n{FOUR}x{bad}\n"),
    "comment.txt": lambda bad: raw(f"# {bad}\n{FOUR}\n"),
    "inside.txt": lambda bad: raw(f"{FOUR}\n{FOUR[:8]}{bad}{FOUR[8:]}\n"),
    "id.jsonl": lambda bad: dump({"id": bad, "puzzle": FOUR}) + b"\n",
    "rules.jsonl": lambda bad: dump({"rules": bad, "puzzle": FOUR}) + b"\n",
    "puzzle.jsonl": lambda bad: b'{"puzzle": "%s"}\n' % FOUR.encode() + dump({"puzzle": bad}),
    "key.jsonl": lambda bad: dump({bad: FOUR}) + b"\n",
    "open.jsonl": lambda bad: b'{"puzzle": "' + raw(bad),
}
READERS = [
    ["check"], ["check", "--json"], ["solve"], ["batch"], ["batch", "--json"],
    ["batch", "-f", "csv", "--columns", "file,line,id,puzzle,rules,status,solution,reason"],
    ["audit"], ["audit", "--json"], ["rate"], ["certify"],
]  # fmt: skip


@pytest.mark.covering
@pytest.mark.parametrize("words", READERS, ids=" ".join)
@pytest.mark.parametrize("bad", BAD)
def test_collections(run, file, words, bad):
    for name, content in COLLECTIONS.items():
        code, out, err = run(words[0], file(content(BAD[bad]), name), *words[1:])
        safe(code, out if bad != "long" else out[:20_000], err)


@pytest.fixture
def screen(monkeypatch, capsys):
    """Run a command whose standard output is a terminal: (exit code, what it shows, stderr)."""
    monkeypatch.setenv("NO_COLOR", "1")

    def call(*arguments):
        shown = Screen()
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stdout", shown)
            code = main([str(argument) for argument in arguments])
            shown.flush()
        return code, shown.buffer.getvalue().decode(), capsys.readouterr().err

    return call


CARRIERS = [
    ["batch", "-f", "csv", "--keep", "all"], ["batch", "-f", "jsonl", "--keep", "all"],
    ["batch", "-f", "csv", "--columns", "file,id,rules,reason"], ["clean"],
    ["clean", "-f", "csv", "--allow", "malformed-row"], ["clean", "-f", "tsv"],
    ["export", "-f", "json"], ["export", "-f", "fpuzzles"], ["export"], ["render"], ["explain"],
    ["enumerate", "--limit", "1"], ["candidates"],
]  # fmt: skip


@pytest.mark.covering
@pytest.mark.parametrize("words", [*READERS, *CARRIERS], ids=" ".join)
@pytest.mark.parametrize("bad", sorted(BAD.keys() - {"long"}))
def test_a_terminal_gets_nothing_to_act_on(screen, file, words, bad):
    """Also of columns that are carried as they are, and of the names of files."""
    hostile = BAD[bad].replace("\0", "").replace("\ud800", "").replace("\udfff", "")
    for name, content in COLLECTIONS.items():
        path = file(content(BAD[bad]), hostile.replace("/", "") + name)
        code, out, err = screen(words[0], path, *words[1:])
        for text in (out, err):
            acts = {c for c in text if not c.isprintable()} - {"\n", "\t"}
            assert not acts, (words, name, acts)
        assert code in (0, 1, 2), err[-500:]


@pytest.mark.parametrize("bad", BAD)
def test_tables(run, tmp_path, bad):
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    if bad == "surrogate":
        pytest.skip("Arrow holds whole characters only")
    for column in ("id", "rules", "solution", BAD[bad]):
        table = arrow.table({"puzzle": [FOUR], column: [BAD[bad]]})
        parquet.write_table(table, tmp_path / "p.parquet")
        for words in (["check"], ["batch", "-f", "csv"], ["audit"]):
            code, out, err = run(words[0], tmp_path / "p.parquet", *words[1:])
            safe(code, out, err)


@pytest.mark.covering
@pytest.mark.parametrize("command", ["check", "batch", "export", "render", "explain"])
@pytest.mark.parametrize("bad", BAD)
def test_links(run, file, command, bad):
    for puzzle in in_links(BAD[bad]):
        safe(*run(command, file(dump(puzzle) + b"\n", "p.json")))
        safe(*run(command, save(puzzle)))


@pytest.mark.parametrize("bad", BAD)
def test_files_of_solvers(run, file, bad):
    cnf = "p cnf 64 1\n1 0\n"
    for content in (
        f"c {BAD[bad]}\n{cnf}",
        f"{BAD[bad]}\n{cnf}",
        f"p {BAD[bad]}\n",
        f"{cnf}{BAD[bad]} 0\n",
    ):
        name = file(raw(content), "p.cnf")
        for words in (["solve"], ["check"], ["decode", "--size", "4"]):
            safe(*run(words[0], name, *words[1:]))
    for content in (
        f"s {BAD[bad]}\n",
        f"s SATISFIABLE\nv {BAD[bad]} 0\n",
        f"c {BAD[bad]}\ns UNKNOWN\n",
        f"{BAD[bad]}\n",
        f"sat\n(model {BAD[bad]})\n",
        f"sat\n((x {BAD[bad]}))\n",
    ):
        safe(*run("decode", file(raw(content), "answer.txt"), "--size", 4))


OPTIONS = [
    ["check", FOUR, "--rules"], ["check", FOUR, "--regions"], ["check", FOUR, "--solver"],
    ["check", "FILE", "--column"], ["check", FOUR, "--size"], ["check", FOUR, "--input-format"],
    ["batch", "FILE", "--columns"], ["batch", "FILE", "--executor"], ["batch", "FILE", "--certify"],
    ["batch", "FILE", "--column"], ["batch", "FILE", "-f", "csv", "--columns"],
    ["generate", "--symmetry"], ["generate", "--givens"], ["generate", "--seed"],
    ["explain", FOUR, "--allow"], ["explain", FOUR, "--cell"], ["explain", FOUR],
    ["export", FOUR, "--encoding"], ["crosscheck", FOUR, "--witnesses"],
    ["encodings", "--encodings"],
    ["verify"], ["decode"], ["audit"], ["render", FOUR, "--highlight"], ["orbits", "--rules"],
    ["count", "--rules"], ["bench", "--columns"], ["fuzz", "--seed"], [],
]  # fmt: skip


@pytest.mark.covering
@pytest.mark.parametrize("words", OPTIONS, ids=" ".join)
@pytest.mark.parametrize("bad", [name for name in BAD if name not in ("nul", "long")])
def test_options(run, file, words, bad):
    name = file(f"{FOUR}\n")
    # As Python hands it over: a byte that is no UTF-8 is a surrogate of these.
    typed = BAD[bad].replace("\ud800", "\udc80").replace("\udfff", "\udcff")
    code, out, err = run(*(name if word == "FILE" else word for word in words), typed)
    safe(code, out, err, codes=(1, 2))


@pytest.mark.parametrize("bad", [name for name in BAD if name not in ("nul", "long", "surrogate")])
def test_names_of_files(run, file, bad, tmp_path):
    inner = BAD[bad].replace("/", "_")
    for name in (f"{inner}.txt", f"{inner}.csv", f"{inner}.cnf"):
        path = tmp_path / name
        path.write_bytes(b"1.....2....3.4..\nx2....1....3.4.x\n")
        for words in (
            ["check"],
            ["batch"],
            ["audit"],
            ["certify"],
            ["verify"],
            ["decode"],
            ["rate"],
        ):
            safe(*run(*words, path))
        safe(*run("batch", path, "-o", f"{path}.csv", "--columns", "file,status,reason"))


@pytest.fixture
def certificate(run, file, tmp_path):
    """Writes a certificate of two puzzles after a change of its lines."""
    assert run("certify", file(f"{FOUR}\n{FOUR}\n"), "-o", tmp_path / "good.cert", "-q")[0] == 0
    good = (tmp_path / "good.cert").read_text().splitlines()

    def write(change):
        lines = [json.loads(line) for line in good]
        change(lines)
        return file("".join(f"{json.dumps(line)}\n" for line in lines), "changed.cert")

    return write


CHANGES = {
    "rules": lambda lines, bad: lines[0].update(rules=[bad]),
    "made_by": lambda lines, bad: lines[0].update(made_by={bad: bad}),
    "cnf": lambda lines, bad: lines[0]["cnf"].update(text=bad),
    "format": lambda lines, bad: lines[0].update(format=bad),
    "board": lambda lines, bad: lines[0]["board"].update(regions=bad),
    "key": lambda lines, bad: lines[1].update({bad: 1}),
    "claim": lambda lines, bad: lines[1].update(claim=bad),
    "solver": lambda lines, bad: lines[1].update(solver=bad),
    "puzzle": lambda lines, bad: lines[1].update(puzzle=bad),
    "solution": lambda lines, bad: lines[1].update(solutions=[bad]),
    "proof": lambda lines, bad: lines[1]["proof"].update(text=bad),
    "proof format": lambda lines, bad: lines[1]["proof"].update(format=bad),
    "hash": lambda lines, bad: lines[1]["proof"].update(sha256=bad),
}


@pytest.mark.covering
@pytest.mark.parametrize("what", CHANGES)
@pytest.mark.parametrize("bad", BAD)
def test_certificates(run, certificate, what, bad):
    name = certificate(lambda lines: CHANGES[what](lines, BAD[bad]))
    for words in ([], ["--json"]):
        code, out, err = run("verify", name, *words)
        safe(code, out if bad != "long" else out[:0], err)
        assert code == 2 or bad != "surrogate"


@pytest.mark.parametrize("bad", [name for name in BAD if name not in ("surrogate", "long")])
def test_rows_of_measurements(run, tmp_path, bad):
    for name in Row._fields:
        row = dict.fromkeys(Row._fields, "")
        row |= {"mode": "oneshot", "kind": "boolean", "status": "wrong", name: BAD[bad]}
        with (tmp_path / "results.csv").open("w", newline="", encoding="utf-8") as stream:
            csv.writer(stream).writerows([row.keys(), row.values()])
        safe(*run("bench", "report", tmp_path), codes=(1, 2))


@pytest.mark.parametrize("bad", BAD)
def test_journals(run, file, tmp_path, bad):
    path, out = file(f"{FOUR}\n"), tmp_path / "out.csv"
    for content in (raw(BAD[bad]), b"satdoku journal " + raw(BAD[bad]) + b"\n"):
        (tmp_path / "out.csv.journal").write_bytes(content)
        safe(*run("batch", path, "-o", out, "--resume"))


# Item by item ------------------------------------------------------------------------------------


@pytest.mark.parametrize("what", ["solver", "proof", "claim", "puzzle"])
def test_a_faulty_certificate_costs_no_other(run, certificate, what):
    name = certificate(lambda lines: CHANGES[what](lines, "\ud800"))
    code, out, err = run("verify", name)
    assert (code, out) == (2, f"verified unique {FOUR}\n")
    first, last = err.splitlines()
    assert first.startswith(f"satdoku: {name}: line 2: ")
    assert r"\ud800" in first
    assert last == "satdoku: 1 verified, 0 rejected, 1 unreadable"


def test_a_faulty_preamble_costs_its_section_only(run, certificate):
    name = certificate(
        lambda lines: lines.extend([{**lines[0], "rules": [chr(0xD800)]}, *lines[1:], *lines])
    )
    code, out, err = run("verify", name)
    assert (code, out) == (2, f"verified unique {FOUR}\n" * 4)
    assert err.count("\n") == 2


@pytest.mark.parametrize("name", ["rules.csv", "rules.jsonl"])
@pytest.mark.parametrize("bad", ["\ud800", "\u202e", "knig\u200bht", "\x1b", "knight\x00king"])
def test_rules_that_no_name_can_be_are_never_left_out(run, file, name, bad):
    content = COLLECTIONS[name]("knight") + COLLECTIONS[name](bad).splitlines()[-1] + b"\n"
    path = file(content, name)
    for command in ("check", "batch"):
        code, out, err = run(command, path)
        assert code == 2, (command, out)
        assert "no rule '" in err


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ("=1+1", "'=1+1' names no rule: expected a name before '='"),
        ("=", "'=' names no rule: expected a name before '='"),
        ("knight=1", "rule 'knight' takes no value"),
        ("a" * 99, f"no rule '{'a' * 40}'"),
    ],
)
def test_rules_that_are_none(run, rules, message):
    code, out, err = run("check", FOUR, "--rules", rules)
    assert (code, out) == (2, "")
    assert message in err and len(err) < 300


def test_rules_with_spaces_and_repeated_ones_mean_what_they_say(run):
    grid = run("solve", FOUR)[1]
    assert run("solve", FOUR, "--rules", " classic , ,classic,")[1] == grid
    many = ",".join(["king"] * 50_000)
    assert run("check", FOUR, "--rules", many) == run("check", FOUR, "--rules", "king")


def test_csv_that_a_spreadsheet_takes_for_text(run, file):
    ids = ["=1+1", "+1", "-1", "@a", "a=1", "'a", "\uff1d1", "a,b"]
    rows = "".join(f'"{name}",{FOUR}\n' for name in ids)
    path = file(f"id,puzzle\n{rows}")
    plain = run("batch", path, "-f", "csv", "--columns", "id,line")[1]
    code, out, _ = run("batch", path, "-f", "csv", "--columns", "id,line", "--csv-safe")
    assert code == 0
    assert [row[0] for row in csv.reader(io.StringIO(plain))] == ["id", *ids]
    assert [row[0] for row in csv.reader(io.StringIO(out))] == [
        "id", "'=1+1", "'+1", "'-1", "'@a", "a=1", "'a", "'\uff1d1", "a,b",
    ]  # fmt: skip
    code, out, err = run("batch", path, "--csv-safe")
    assert (code, out, err) == (2, "", "satdoku: --csv-safe is for csv, not for line\n")


@given(st.text())
def test_no_cell_is_a_formula(text):
    cell = no_formula(text)
    assert cell[:1] not in set("=+-@\t\r\n＝＋－＠") - {""}
    assert cell in (text, "'" + text)


def test_the_pages_of_an_audit_show_text_by_escapes(run, file, tmp_path):
    path = file(
        COLLECTIONS["id.csv"]("<b>\u202e\x1b\x85") + raw(f"\u2066x,{FOUR[:-1]}5\n"), "p.csv"
    )
    page = tmp_path / "page.html"
    run("audit", path, "--report", page)
    text = page.read_text()
    raw_ones = {c for c in text if c != "\n" and unicodedata.category(c) in ("Cc", "Cf", "Cs")}
    assert not raw_ones
    assert os.path.getsize(page) > 1000 and CLASSIC not in text
