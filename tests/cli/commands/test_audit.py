"""`satdoku audit`: exit codes, files that appear whole, and the same facts everywhere."""

from __future__ import annotations

import csv
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from examples import CLASSIC, CLASSIC_SOLUTION, PUZZLES
from temporaries import parts

import satdoku
from satdoku.audit.tally import KINDS, LEAK

EMPTY = "." * 81
CLASH = "5.....5" + "." * 74
NONE = "12345678." + "........9" + "." * 63
SWAPPED = CLASSIC[27:] + CLASSIC[:27]  # bands
OTHER = (PUZZLES / "generated-1000.txt").read_text().split("\n")[5]
ROWS = {  # what is wrong with a row of puzzle, solution
    "malformed-row": f"{CLASSIC[1:]},",
    "clashing-givens": f"{CLASH},",
    "no-solution": f"{NONE},",
    "several-solutions": f"{EMPTY},",
    "wrong-answer": f"{CLASSIC},{CLASSIC_SOLUTION[1::-1]}{CLASSIC_SOLUTION[2:]}",
    "givens-changed": f"{CLASSIC},{CLASSIC_SOLUTION.translate(str.maketrans('12', '21'))}",
    "unreadable-answer": f"{CLASSIC},{CLASSIC_SOLUTION[1:]}",
    "exact-duplicate": f"{OTHER},",
    "symmetric-duplicate": f"{SWAPPED},",
}
GOOD = f"{CLASSIC},{CLASSIC_SOLUTION}"


@pytest.fixture
def run(run):
    """Audit in this process: (exit code, stdout, stderr)."""
    return lambda *arguments: run("audit", *arguments, "-w", "1")


@pytest.fixture
def file(file):
    return lambda text, name="a.csv": file(text, name)


def table(*rows):
    return "\n".join(["puzzle,solution", *rows, ""])


def data_of(path):
    with open(path) as stream:
        data = json.load(stream)
    return {key: value for key, value in data.items() if key != "seconds"}


def test_a_sound_collection(run, file):
    code, out, err = run(file(table(GOOD)))
    assert (code, err) == (0, "")
    assert out.startswith(
        "Sound\n  Every row holds a well-formed puzzle with exactly one solution.\n"
    )


def test_everything_found_in_all_ways_of_telling_it(run, file, tmp_path):
    path = file(table(GOOD, f"{OTHER},", *ROWS.values()))
    page, data = tmp_path / "r.html", tmp_path / "r.json"
    code, out, err = run(path, "--report", page, "--report", data)
    assert (code, err) == (1, "")
    report = satdoku.audit_files([path])
    assert data_of(data) == {k: v for k, v in report.items() if k != "seconds"}
    assert {f["kind"].replace(" ", "-") for f in report["files"][0]["findings"]} == set(ROWS)
    assert "11 rows in 1 file" in out
    html = page.read_text()
    assert html.endswith("</html>\n")
    for finding in report["files"][0]["findings"]:
        assert finding["kind"].capitalize() in html
        assert all(str(example["detail"]) in html for example in finding["examples"])
    assert sorted(os.listdir(tmp_path)) == ["a.csv", "r.html", "r.json"]


@pytest.mark.parametrize("kind", ROWS)
def test_a_kind_that_is_allowed_and_no_other(run, file, kind):
    base = f"{OTHER}," if kind == "exact-duplicate" else GOOD
    found = {kind}
    if kind in ("wrong-answer", "givens-changed", "unreadable-answer"):
        found.add("exact-duplicate")
    path = file(table(base, ROWS[kind]))
    assert run(path, "-q") == (1, "", "")
    assert run(path, "-q", "--allow", ",".join(found))[0] == 0
    assert run(path, "-q", "--allow", ",".join(found).replace("-", " "))[0] == 0
    others = {kind.replace(" ", "-") for kind in KINDS} - {kind} | {"leak"}
    assert run(path, "-q", "--allow", ",".join(others))[0] == 1


def test_every_row_with_its_faults(run, file, tmp_path):
    """One line a row; what is planted stands in the line of its row, with the row it repeats."""
    out = tmp_path / "rows.csv"
    path = file(table(GOOD, f"{OTHER},", *ROWS.values()))
    assert run(path, "-q", "--rows", out) == (1, "", "")
    with out.open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["line"] for row in rows] == [str(line) for line in range(2, 13)]
    repeats = ("wrong-answer", "givens-changed", "unreadable-answer")
    expected = ["", "", *(f"{k} exact-duplicate" if k in repeats else k for k in ROWS)]
    assert [row["kinds"] for row in rows] == expected
    told = {row["line"]: (row["duplicate"], row["duplicate_line"]) for row in rows}
    assert {line: value for line, value in told.items() if value[0]} == {
        "8": ("exact", "2"), "9": ("exact", "2"), "10": ("exact", "2"),
        "11": ("exact", "3"), "12": ("symmetric", "2"),
    }  # fmt: skip
    code, told, _ = run(path, "--rows", "-")
    assert (code, told) == (1, out.read_text())
    code, told, err = run(path, "--rows", tmp_path / "r.xls")
    assert (code, told) == (2, "")
    assert "r.xls: ending .xls: expected .csv" in err
    assert run(path, "--rows", path)[0] == 2


def test_help_names_every_kind(run):
    code, out, _ = run("--help")
    assert code == 0
    told = "".join(out.split())
    assert all(kind.replace(" ", "-") in told for kind in (*KINDS, LEAK))


def test_a_leak_is_wrong_unless_allowed(run, file, tmp_path):
    train, test = file(table(GOOD)), file(table(f"{SWAPPED},"), "b.csv")
    code, out, _ = run(train, test)
    assert code == 1
    assert "In another file too: 1 of 1 rows in b.csv, shared with a.csv" in out
    assert run(train, test, "--allow", "leak")[0] == 0
    assert run(train, test, "--no-symmetry")[0] == 0
    assert run(train, train, "--no-symmetry")[0] == 1


def test_the_symmetries_are_those_of_the_rules(run, file):
    path = file(table(GOOD, f"{SWAPPED},"))
    findings = "no-solution,clashing-givens,wrong-answer"
    assert run(path, "--allow", findings)[0] == 1
    assert run(path, "--allow", findings, "--rules", "knight")[0] == 0


def test_a_kind_that_is_unknown(run, file):
    code, out, err = run(file(table(GOOD)), "--allow", "leak,leek")
    assert (code, out) == (2, "")
    assert err.startswith(
        "satdoku: no finding 'leek': did you mean 'leak'? choose from malformed-row, "
        "unstated-rules,"
    )
    assert run(file(table(GOOD)), "--allow", "")[0] == 0


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["nowhere.csv"], "nowhere.csv: No such file"),
        (["*.nothing"], "*.nothing: no such file"),
        (["FILE", "--rules", "kinght"], "did you mean 'knight'"),
        (["FILE", "--column", "puzzle"], "expected ROLE=NAME"),
        (["FILE", "--column", "puzzle=board"], "no columns puzzle=board"),
        (["FILE", "--executor", "fork"], "no executor 'fork'"),
        (["FILE", "--report", "no/where.html"], "no/where.html: No such file"),
        (["FILE", "--report", "no/where.json"], "no/where.json: No such file"),
        (["FILE", "--report", "."], ".: is a directory"),
        (["FILE", "--regions", "abc"], "region map of 3 characters"),
        ([], "required"),
    ],
)
def test_bad_usage(run, file, arguments, message):
    path = file(table(ROWS["wrong-answer"]))
    code, out, err = run(*(path if word == "FILE" else word for word in arguments))
    assert (code, out) == (2, "")
    assert message in err
    assert "Traceback" not in err


def test_a_file_without_puzzles(run, file):
    code, _, err = run(file("", "empty.txt"))
    assert code == 2
    assert err.endswith("empty.txt: holds no puzzle\n")
    assert run(file(table(GOOD)), file("", "empty.txt"))[0] == 0


def test_outputs_that_cannot_be_written_are_noticed_before_the_work(run, file, monkeypatch):
    monkeypatch.setattr("satdoku.audit.files.audit_files", lambda *_, **__: pytest.fail("too late"))
    assert run(file(table(GOOD)), "--report", "no/where.json")[0] == 2
    assert run(file(table(GOOD)), "--report", "no/where.html")[0] == 2


def test_without_matplotlib_the_extra_is_named_before_the_work(run, file, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setattr("satdoku.audit.files.audit_files", lambda *_, **__: pytest.fail("too late"))
    code, out, err = run(file(table(GOOD)), "--report", "r.html")
    assert (code, out) == (2, "")
    assert "pip install 'satdoku[report]'" in err


def test_what_was_there_stays_if_the_audit_fails(run, file, tmp_path):
    page, data = file("old page", "r.html"), file("old data", "r.json")
    path = file("not a puzzle")
    assert run(path, path + "x", "--report", page, "--report", data)[0] == 2
    assert run(path, "--allow", "leek", "--report", page, "--report", data)[0] == 2
    assert Path(page).read_text() + Path(data).read_text() == "old pageold data"
    assert sorted(os.listdir(tmp_path)) == ["a.csv", "r.html", "r.json"]


def test_json_on_standard_output_is_alone_there(run, file):
    path = file(table(GOOD, ROWS["exact-duplicate"]))
    code, out, _ = run("--json", path)
    assert code == 0
    assert json.loads(out)["sound"]
    assert run(path, "--report", "-")[1].startswith("<!doctype html>")


def test_quiet_says_nothing(run, file):
    assert run(file(table(ROWS["no-solution"])), "--quiet") == (1, "", "")


def test_hostile_texts_reach_neither_page_nor_terminal(run, file, tmp_path):
    evil = "<script>alert(1)</script>\x1b[31m"
    path = file(f"id,puzzle\n{evil},{CLASSIC[1:]}\nb,{CLASSIC}\n", f"<b>{os.urandom(2).hex()}.csv")
    code, out, _ = run(path, "--report", tmp_path / "r.html", "--report", tmp_path / "r.json")
    html = (tmp_path / "r.html").read_text()
    assert code == 1
    assert "\x1b" not in out + html
    assert "<script>" not in html and "<b>" not in html.replace("<b>1</b>", "")
    assert "&lt;script&gt;alert(1)" in html  # and the escape, of the id, is a blank by now
    (finding,) = data_of(tmp_path / "r.json")["files"][0]["findings"]
    assert finding["examples"][0]["id"] == evil.replace("\x1b", " ")


def test_columns_by_name_and_number(run, file):
    text = f"level,board,sol\n3,{CLASSIC},{CLASSIC_SOLUTION}\n"
    named = ["--column", "puzzle=board", "--column", "answer=sol"]
    code, out, _ = run(file(text), *named)
    assert code == 0
    assert "All 1 stated answers are right." in out
    numbers = ["--column", "puzzle=2", "--column", "answer=3"]
    again = run(file(text.partition("\n")[2]), *numbers)[1]
    assert re.sub(r"[\d.]+ s;", "", again) == re.sub(r"[\d.]+ s;", "", out)
    assert run(file(text), "--column", "puzzle=board", "--column", "answer=level")[0] == 1


def test_a_column_of_rules(run, file, tmp_path):
    miracle = (PUZZLES / "miracle.txt").read_text().split("\n")
    puzzle = next(line for line in miracle if len(line) == 81)
    rows = [f"{puzzle},miracle", f"{CLASSIC},", f"{puzzle},", f"{CLASSIC},kinght"]
    data = tmp_path / "r.json"
    assert run(file("\n".join(["puzzle,rules", *rows, ""])), "--report", data)[0] == 1
    (told,) = data_of(data)["files"]
    assert told["statuses"] == {"unique": 2, "multiple": 1, "invalid": 1}
    found = {f["kind"]: f["examples"][0] for f in told["findings"]}
    assert found.keys() == {"malformed row", "several solutions"}
    assert found["malformed row"]["line"] == 5
    assert "no rule 'kinght'" in found["malformed row"]["detail"]


REGIONS = "".join("abcde"[(c + 2 * r) % 5] for r in range(5) for c in range(5))
LATIN = "".join(str((c + r) % 5 + 1) for r in range(5) for c in range(5))


def test_regions_and_sizes(run, file, tmp_path):
    path = file(f"puzzle,solution\n.{LATIN[1:]},{LATIN}\n")
    code, out, err = run(path, "--regions", REGIONS)
    assert (code, err) == (0, "")
    assert "rules: jigsaw=0123423401" in out
    assert run(path, "--rules", f"jigsaw={REGIONS}")[:1] == (0,)
    assert run(path, "--regions", file(REGIONS, "map.txt"))[0] == 0
    wrong = file(f"puzzle\n{LATIN}\n{LATIN[:5][::-1]}{LATIN[5:]}\n", "b.csv")
    assert run(wrong, "--regions", REGIONS, "-q", "--allow", "clashing-givens")[0] == 0
    four = file("1234341221434321\n", "4.txt")
    assert run(four, "--size", "4")[0] == 0
    assert run(four, "--size", "9")[0] == 1  # malformed rows


def test_pencil_marks(run, file):
    marks = "".join(d if given in (".", d) else "." for given in CLASSIC for d in "123456789")
    code, out, _ = run(file(f"{marks}\n", "marks.txt"))
    assert code == 0
    assert "up to symmetry: not looked for" in out


def test_standard_input():
    command = [sys.executable, "-m", "satdoku", "audit", "--json", "-", "-w", "1"]
    done = subprocess.run(command, input=f"{CLASSIC}\n{CLASSIC}\n", capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (1, "")
    (told,) = json.loads(done.stdout)["files"]
    assert (told["path"], told["duplicates"]) == ("-", {"exact": 1, "symmetric": 0})


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_an_interrupted_audit_leaves_no_report(tmp_path):
    read, write = os.pipe()
    command = [sys.executable, "-m", "satdoku", "audit", "-", "--report", "r.json", "-w", "2"]
    process = subprocess.Popen(command, stdin=read, cwd=tmp_path, stderr=subprocess.PIPE)
    while not parts(tmp_path / "r.json"):
        assert process.poll() is None
        time.sleep(0.02)
    time.sleep(0.5)  # by now it waits for the first puzzle
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=600)
    os.close(read), os.close(write)
    assert process.returncode == 130
    assert b"interrupted" in err and b"Traceback" not in err
    assert not (tmp_path / "r.json").exists()


def test_outputs_that_are_one_file_are_refused(run, file, tmp_path):
    name = file(f"{CLASSIC}\n")
    both = tmp_path / "x.json"
    for words in (["--report", name], ["--report", both, "--report", both]):
        code, _, err = run(name, *words)
        assert code == 2
        assert "and output at once" in err
    assert [path.name for path in tmp_path.iterdir()] == ["a.csv"]
