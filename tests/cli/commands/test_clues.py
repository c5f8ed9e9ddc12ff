"""The command `clues`, and the option --clue of the other commands."""

import json
from functools import lru_cache

import pytest
from examples import CLASSIC, CLASSIC_SOLUTION, FOUR
from pysat.formula import CNF
from pysat.solvers import Solver
from usual_names import TERMS

import satdoku.engine.api as engine_api
from satdoku.answers import session as sessions
from satdoku.answers import sides
from satdoku.answers.session import close_sessions
from satdoku.cli.commands import SUMMARIES, load
from satdoku.cli.parsers import command_parser
from satdoku.engine import plan
from satdoku.model import constraints
from satdoku.model.constraints import constraints_for
from satdoku.model.kinds import KINDS

EMPTY = "." * 16


def test_clues_lists_every_kind_with_a_sentence_and_an_example_that_works(run):
    code, out, _ = run("clues", "--json")
    assert code == 0
    records = [json.loads(line) for line in out.splitlines()]
    assert [record["name"] for record in records] == list(KINDS)
    for record in records:
        assert "{" not in record["sentence"]
        assert (
            constraints_for(f"layer=area:1-9;{record['example']}").clues[0].kind == record["name"]
        )


def test_clues_explains_one_kind_or_another_name_of_it(run):
    whisper = (
        "whisper           Whisper line: neighbouring digits along the line differ by at least N\n"
        "                  2 or more cells: whisper=5:r1c1-r1c4\n"
        "                  N: a number from 0 to 8 on 9x9 (default 5)\n"
        "                  whisper=5: German whisper\n"
        "                  whisper=4: Dutch whisper\n"
    )
    assert run("clues", "whisper") == (0, whisper, "")
    white = run("clues", "white")[1].splitlines()
    assert white[0].startswith("difference ")
    assert white[-1].strip().startswith("white stands for difference=1: White Kropki dot, Kropki,")
    assert "no kind 'whispr': did you mean 'whisper'?" in run("clues", "whispr")[2]
    kropki = "did you mean white (White Kropki dot) or black (Black Kropki dot)?"
    assert kropki in run("clues", "kropki")[2]
    assert "2 or more cells, or none for the whole board: taxicab" in run("clues", "taxicab")[1]
    assert "2 or more groups of 1 or more cells: clone" in run("clues", "clone")[1]


def found(run, *words):
    """The exit code, and the names of what is found."""
    code, out, _ = run("clues", "--find", *words)
    return code, [line.split()[0] for line in out.splitlines() if line[0] != " "]


def test_a_search_finds_kinds_rules_and_boards_by_usual_names(run):
    for term, name in TERMS.items():
        code, names = found(run, term)
        assert code == 0 and name in names[:5], (term, names)
    assert found(run, "x-sudoku") == (0, ["diagonal"])
    assert "a rule: --rules diagonal\n" in run("clues", "--find", "x-sudoku")[1]
    assert "a word for the board: --rules jigsaw\n" in run("clues", "--find", "irregular")[1]
    assert found(run, "green line") == (0, ["whisper"])  # as it is drawn


def test_a_search_among_the_kinds_that_are_named(run):
    assert found(run, "killer", "little-killer", "x-sum") == (0, ["little-killer"])
    (line,) = run("clues", "--find", "killer", "--json", "cage")[1].splitlines()
    assert json.loads(line)["called"][0] == {"text": "Killer cage", "means": "cage"}


def test_a_search_that_finds_nothing_says_so(run):
    nothing = "satdoku: no clue and no rule is called 'zzz'\n"
    assert run("clues", "--find", "zzz") == (1, "", nothing)


@pytest.mark.parametrize("command", [name for name in SUMMARIES if name != "clues"])
def test_clues_go_wherever_rules_go(command):
    options = command_parser(command, load(command))._option_string_actions
    assert ("--clue" in options) == ("--rules" in options)


def test_clues_of_an_option_join_the_rules(run):
    rising = ["--clue", "thermo:row1", "--clue", "thermo:-row2;even:r2c1"]
    assert run("count", EMPTY, "--json", *rising)[1].count('"count": 4') == 1
    code, out, _ = run("enumerate", EMPTY, *rising, "-r", "diagonal")
    assert (code, out) == (0, "1234432121433412\n")
    rules = json.loads(run("solve", EMPTY, "--json", "-r", "diagonal", *rising)[1])["rules"]
    assert rules == "diagonal;even:r2c1;thermo:-row2;thermo:row1"


def test_clues_join_the_rules_that_a_puzzle_states(run, file):
    name = file(f"puzzle,rules\n{EMPTY},diagonal\n{EMPTY},\n", "rows.csv")
    rising = ["--clue", "thermo:row1", "--clue", "thermo:-row2", "--clue", "even:r2c1"]
    assert run("count", name, *rising)[1] == "1\n4\n"


def test_clues_of_a_file(run, file):
    name = file(
        "# two of them\nthermo:row1  # grows\n\nwhisper=2:r1c1,r2c1;odd:r2c1\n", "clues.txt"
    )
    typed = ["--clue", "thermo:row1;whisper=2:r1c1,r2c1;odd:r2c1"]
    of_file, of_words = (run("enumerate", EMPTY, *some)[1] for some in (["--clue", name], typed))
    assert sorted(of_file.split()) == sorted(of_words.split()) != []
    bad = file("odd:r1c1\nthermo:r1c1,r9c9\n", "bad.txt")
    problem = "clue thermo:r1c1,r9c9: r9c9 is outside the board of 4x4"
    assert run("solve", EMPTY, "--clue", bad) == (2, "", f"satdoku: {bad}: line 2: {problem}\n")


@pytest.mark.parametrize("clue, message", [
    ("termo:r1c1,r1c2", "clue termo:r1c1,r1c2: no kind 'termo': did you mean 'thermo'?"),
    ("thermo", "clue thermo: it names no cells: expected them after ':'"),
    ("odd:r1c1x", "clue odd:r1c1x: 'r1c1x' names no cell: expected r1c1, row1, col1 or box1"),
    ("knight", "clue knight: no kind 'knight'"),
])  # fmt: skip
def test_a_wrong_clue_of_an_option_is_told(run, clue, message):
    code, out, err = run("solve", CLASSIC, "--clue", clue)
    assert (code, out) == (2, "")
    assert err.startswith(f"satdoku: {message}")


def test_a_solution_that_keeps_the_clues_is_the_solution(run):
    clue = f"digits={CLASSIC_SOLUTION[40]}:r5c5"
    assert run("solve", CLASSIC, "--clue", clue) == (0, CLASSIC_SOLUTION + "\n", "")
    assert run("check", CLASSIC, "--clue", "thermo:row1")[:2] == (1, "invalid\n")


@pytest.mark.parametrize("asked", [("--clue", "thermo:row1"), ("-r", "thermo:row1")])
def test_clues_that_are_asked_for_join_the_rules_of_every_row(run, file, asked):
    ends = "3.......1......."  # the first row must begin with 1 or 2 to grow
    name = file(f"puzzle,rules\n{EMPTY},classic\n{ends},diagonal\n{ends},\n", "rows.csv")
    expected = ["multiple", "none", "none"]
    assert [row.split()[0] for row in run("batch", name, *asked)[1].splitlines()] == expected
    assert run("check", name, *asked, "-q")[1].split() == expected
    assert "No solution: 2 of 3 rows" in run("audit", name, *asked)[1]


# A column of clues --------------------------------------------------------------------------------

CLUES = ["thermo:row1;thermo:-row2", "white:r1c1,r1c2", "", "even:r1c1;digits=1,2:r4c4"]
COUNTS = ["4", "144", "288", "72"]


def rows_of_clues(form, file, tmp_path):
    """A file with a row for each of CLUES, and one whose clue is wrong."""
    clues = [*CLUES, "thermo:r1c1,r9c9"]
    if form == "csv":
        lines = [f'{EMPTY},"{text}"' for text in clues]
        return file("\n".join(["puzzle,clues", *lines]) + "\n", "rows.csv")
    if form == "tsv":
        return file("\n".join(["puzzle\tclues", *(f"{EMPTY}\t{c}" for c in clues)]) + "\n")
    if form == "jsonl":
        rows = [json.dumps({"puzzle": EMPTY, "clues": c.split(";")}) for c in clues]
        return file("\n".join(rows) + "\n", "rows.jsonl")
    name = str(tmp_path / "rows.parquet")
    arrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    parquet.write_table(arrow.table({"puzzle": [EMPTY] * len(clues), "clues": clues}), name)
    return name


@pytest.mark.parametrize("form", ["csv", "tsv", "jsonl", "parquet"])
def test_a_column_of_clues_joins_the_rules_row_by_row(run, file, tmp_path, form):
    name = rows_of_clues(form, file, tmp_path)
    code, out, err = run("count", name)
    assert (code, out.split()) == (2, COUNTS)
    assert "clue thermo:r1c1,r9c9: r9c9 is outside the board of 4x4" in err
    code, out, err = run("batch", name, "--json", "-q")
    rows = [json.loads(line) for line in out.splitlines()]
    assert (code, [row["status"] for row in rows]) == (2, ["multiple"] * 4 + ["invalid"])
    assert rows[0]["rules"] == f"classic;{CLUES[0]}"
    assert "r9c9 is outside the board" in rows[4]["reason"]
    assert "rows with rules of their own" in run("audit", name)[1]


def test_clues_of_a_row_join_the_rules_that_were_asked_for(run, file):
    name = file(f"puzzle;rules;clues\n{EMPTY};;thermo:row1\n{EMPTY};classic;thermo:row1\n")
    asked = ["-r", "diagonal", "--clue", "thermo:-row2"]
    expected = [
        run("count", EMPTY, *rules)[1].strip()
        for rules in (
            ["-r", "diagonal;thermo:row1;thermo:-row2"],
            ["-r", "thermo:row1;thermo:-row2"],
        )
    ]
    assert run("count", name, *asked)[1].split() == expected == ["1", "4"]
    rows = map(json.loads, run("batch", name, *asked, "--json", "-q")[1].splitlines())
    assert [row["status"] for row in rows] == ["unique", "multiple"]


@pytest.mark.parametrize("number", ["4", "4.0", '"4"'])
def test_a_number_of_clues_is_no_clue(run, file, number):
    name = file(f"id,puzzle,solution,clues,difficulty\n7,{EMPTY},,{number},0.0\n", "rows.csv")
    assert run("check", name)[:2] == (1, "multiple\n")
    assert "rules" not in json.loads(run("batch", name, "--json", "-q")[1])


def layouts(count):
    """Different clues of 4x4 boards, each three times in turn."""
    digits = [f"digits={a},{b}:r{row}c{column}" for a, b, row, column in CORNERS]
    return [";".join({digits[k % 24], digits[k // 24 + 1]}) for k in range(count)] * 3


CORNERS = [
    (a, b, row, column)
    for row, column in ((3, 1), (3, 2), (3, 3), (3, 4))
    for a, b in ((1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4))
]


@pytest.mark.parametrize("command, backend", [
    ("solve", []), ("check", []), ("check", ["--backend", "session"]), ("batch", []),
])  # fmt: skip
def test_what_follows_from_a_layout_is_made_once(run, file, monkeypatch, command, backend):
    """100 layouts in turn: as many rule sets, plans and sessions, not one for each row."""
    texts = layouts(100)
    made = {"rule sets": 0, "plans": 0, "sessions": 0}
    counted(monkeypatch, made, "rule sets", constraints, "_build")
    counted(monkeypatch, made, "plans", plan, "plan_for", engine_api, sides)
    close_sessions()
    opened = sessions.Session

    def open_session(*arguments, **options):
        made["sessions"] += 1
        return opened(*arguments, **options)

    monkeypatch.setattr(sessions, "Session", open_session)
    name = file("".join(json.dumps({"puzzle": EMPTY, "clues": c}) + "\n" for c in texts), "r.jsonl")
    run(command, name, "-q", *backend)
    close_sessions()
    different = len({constraints_for(text, FOUR) for text in texts})
    assert different > 90
    assert made["rule sets"] <= different + 2  # and those without clues
    assert max(made["plans"], made["sessions"]) == different


def counted(monkeypatch, made, what, module, name, *users):
    """Count what a cached function makes, with a cache of its own of the same size."""
    cached = getattr(module, name)

    def count(*arguments):
        made[what] += 1
        return cached.__wrapped__(*arguments)

    fresh = lru_cache(cached.cache_parameters()["maxsize"])(count)
    for user in (module, *users):
        monkeypatch.setattr(user, name, fresh)


def test_puzzles_of_several_layouts_are_answered_in_order(run, file):
    kept = [
        CLASSIC_SOLUTION[:72] + "." * 9,
        CLASSIC,
        CLASSIC_SOLUTION[:72] + "." * 9,
        "x",
        CLASSIC,
    ]
    clues = ["", "odd:r1c1", "", "", "odd:r1c1"]
    rows = [json.dumps({"puzzle": p, "clues": c}) for p, c in zip(kept, clues, strict=True)]
    name = file("\n".join(rows) + "\n", "rows.jsonl")
    alone = [run("check", p, "--clue", c)[1] for p, c in zip(kept, clues, strict=True) if p != "x"]
    code, out, _ = run("check", name)
    assert (code, out.splitlines(keepends=True)) == (2, alone)
    records = list(map(json.loads, run("minimize", name, "--json")[1].splitlines()))
    assert [record["line"] for record in records] == [1, 2, 3, 4, 5]
    unique = [record for record in records if record["status"] == "unique"]
    assert len(unique) == alone.count("unique\n") > 0
    for record in unique:
        assert run("check", record["minimal"], "-r", record["rules"])[1] == "unique\n"


@pytest.mark.parametrize("clues", ["thermo:row1;odd:r3c2;white:r3c1,r4c1", "cage=5:r3c1,r4c1"])
def test_a_formula_with_clues_is_solved_elsewhere_and_its_answer_verified(run, tmp_path, clues):
    cnf, answer = tmp_path / "puzzle.cnf", tmp_path / "answer.txt"
    assert run("export", EMPTY, "--clue", clues, "-o", cnf)[0] == 0
    with Solver("cadical153", bootstrap_with=CNF(from_file=str(cnf))) as other:
        assert other.solve()
        model = other.get_model()
    answer.write_text(f"s SATISFIABLE\nv {' '.join(map(str, model))} 0\n")
    code, out, _ = run("decode", answer, "--cnf", cnf)
    assert (code, run("check", out.strip(), "--clue", clues)[1]) == (0, "unique\n")
    changed = [-literal if abs(literal) <= 4 else literal for literal in model]
    answer.write_text(f"s SATISFIABLE\nv {' '.join(map(str, changed))} 0\n")
    assert run("decode", answer, "--cnf", cnf)[0] == 2


def test_rows_of_clues_go_through_processes_and_a_journal(run, file, tmp_path):
    name = rows_of_clues("jsonl", file, tmp_path)
    out = tmp_path / "out.csv"
    asked = ["batch", name, "-o", out, "--resume", "-q"]
    assert run(*asked, "--executor", "process", "-w", "2")[0] == 2
    first = out.read_bytes()
    assert run(*asked)[0] == 2
    assert out.read_bytes() == first and first.count(b"multiple") == 4
