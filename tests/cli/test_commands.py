"""The command line: what is printed where, and the exit code that says how it went."""

import gzip
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from random import Random

import pytest
import z3
from examples import CLASSIC, CLASSIC_SOLUTION

from satdoku import __version__
from satdoku.cnf.dimacs import parse_answer
from satdoku.cnf.encodings import ENCODINGS
from satdoku.engine import describe
from satdoku.model.rules import ALIASES, RULES

EMPTY = "." * 81
CLASH = "5.....5" + "." * 74
NONE = "12345678." + "........9" + "." * 63  # nothing left for r1c9, yet no two givens clash
HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
ROWS = "\n".join(CLASSIC[i : i + 9] for i in range(0, 81, 9))


@pytest.fixture
def file(tmp_path):
    """Write a file and return its name."""

    def write(content, name="puzzles.txt"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    return write


@pytest.fixture
def stdin(monkeypatch):
    def feed(text):
        stream = io.TextIOWrapper(io.BufferedReader(io.BytesIO(text.encode())))
        monkeypatch.setattr(sys, "stdin", stream)

    return feed


def python(*arguments, **options):
    """`python ARGUMENTS` as a process of its own."""
    command = [sys.executable, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, **options)


# Where puzzles come from -------------------------------------------------------------------------


def test_solve_prints_the_solution(run):
    assert run("solve", CLASSIC) == (0, CLASSIC_SOLUTION + "\n", "")


@pytest.mark.parametrize("text", [CLASSIC, ROWS, CLASSIC + "\r\n", "# title\n" + ROWS])
def test_a_puzzle_comes_from_an_argument_a_file_or_standard_input(run, file, stdin, text):
    expected = (0, CLASSIC_SOLUTION + "\n", "")
    assert run("solve", text) == expected
    assert run("solve", file(text)) == expected
    assert run("solve", file(gzip.compress(text.encode()), "puzzle.gz")) == expected
    stdin(text)
    assert run("solve", "-") == expected


def test_many_puzzles_are_answered_in_order(run, file):
    name = file(f"{CLASSIC}\n{'.' * 16}\n{NONE}\n")
    assert run("check", CLASH, name, CLASSIC)[:2] == (
        1,
        "invalid\nunique\nmultiple\nnone\nunique\n",
    )


def full_grid(size):
    side = round(size**0.5)
    symbols = "123456789ABCDEFGHIJKLMNOP"
    places = [divmod(cell, size) for cell in range(size * size)]
    return "".join(symbols[(side * (r % side) + r // side + c) % size] for r, c in places)


def test_large_grids_fit_in_an_argument(run):
    grid = full_grid(16)
    assert run("check", grid) == (0, "unique\n", "")
    assert run("solve", "." * 5 + grid[5:]) == (0, grid + "\n", "")
    code, out, _ = run("export", "-f", "smtlib2", full_grid(25))
    assert (code, out.count("(assert (= ")) == (0, 625)


# Answers and their exit codes --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("puzzle", "status", "code"),
    [(CLASSIC, "unique", 0), (EMPTY, "multiple", 1), (NONE, "none", 1), (CLASH, "invalid", 1)],
)
def test_check(run, puzzle, status, code):
    assert run("check", puzzle)[:2] == (code, f"{status}\n")


@pytest.mark.parametrize(("puzzle", "answer"), [(NONE, "none"), (CLASH, "invalid")])
def test_solve_says_why_there_is_no_solution(run, puzzle, answer):
    assert run("solve", puzzle)[:2] == (1, f"{answer}\n")


@pytest.mark.parametrize(
    ("puzzle", "rules", "reason"),
    [
        (CLASH, "classic", "r1c1=5 and r1c7=5 break the row rule"),
        ("5" + "." * 17 + "5" + "." * 62, "classic", "r1c1=5 and r3c1=5 break the column rule"),
        ("5" + "." * 9 + "5" + "." * 70, "classic", "r1c1=5 and r2c2=5 break the box rule"),
        ("..5" + "." * 10 + "5" + "." * 67, "knight", "r1c3=5 and r2c5=5 break the knight rule"),
        ("..5......" + "...5" + "." * 68, "king", "r1c3=5 and r2c4=5 break the king rule"),
        ("5" + "." * 79 + "5", "diagonal", "r1c1=5 and r9c9=5 break the diagonal rule"),
        ("56" + "." * 79, "miracle", "r1c1=5 and r1c2=6 break the nonconsecutive rule"),
    ],
)
def test_clashing_givens_are_named_with_their_rule(run, puzzle, rules, reason):
    expected = f"satdoku: invalid: {reason}\n"
    assert run("check", "--rules", rules, puzzle) == (1, "invalid\n", expected)
    assert run("solve", "--rules", rules, puzzle) == (1, "invalid\n", expected)
    assert run("count", "--rules", rules, puzzle) == (1, "0\n", expected)
    assert run("enumerate", "--rules", rules, puzzle) == (1, "", expected)


@pytest.mark.parametrize(
    ("arguments", "printed", "code"),
    [
        (["." * 16], "288", 0),
        (["." * 16, "--limit", "100"], ">=100", 0),
        (["." * 16, "--limit", "1000"], "288", 0),
        ([NONE], "0", 1),
        ([CLASSIC], "1", 0),
        (["--rules", "miracle", EMPTY], "72", 0),
    ],
)
def test_count(run, arguments, printed, code):
    assert run("count", *arguments) == (code, f"{printed}\n", "")


def test_enumerate_prints_each_solution_once(run, four_by_four):
    code, out, _ = run("enumerate", "." * 16)
    assert code == 0
    assert sorted(out.split()) == sorted("".join(map(str, grid)) for grid in four_by_four)
    code, out, _ = run("enumerate", "." * 16, "--limit", 5)
    assert (code, len(set(out.split()))) == (0, 5)
    assert run("enumerate", NONE) == (1, "", "")


def test_candidates_are_a_row_a_line(run):
    lines = ["1    2    34   34", "34   34   12   12", "234  134  1234 1234", "234  134  1234 1234"]
    assert run("candidates", "12" + "." * 14) == (0, "\n".join(lines) + "\n", "")
    assert run("candidates", NONE)[0] == 1


def test_propagate_fixes_what_follows_and_says_conflict(run):
    assert run("propagate", "123....." + "." * 8) == (0, "1234" + "." * 12 + "\n", "")
    assert run("propagate", NONE) == (1, "conflict\n", "")


def test_a_budget_that_runs_out_is_unknown(run):
    for command in ("solve", "check"):
        code, out, _ = run(command, "--conflicts", 1, HARD)
        assert (code, out) == (1, "unknown\n")


@pytest.mark.parametrize("form", ["line", "pretty", "json", "csv"])
def test_every_format_of_a_solution(run, form):
    code, out, _ = run("solve", "-f", form, CLASSIC)
    assert code == 0
    text = json.loads(out)["line"] if form == "json" else re.sub("[^1-9]", "", out)
    assert text == CLASSIC_SOLUTION
    assert out.count("\n") == (11 if form == "pretty" else 1)


def test_other_solvers_give_the_same(run):
    assert run("solve", "--solver", "glucose4", CLASSIC) == (0, CLASSIC_SOLUTION + "\n", "")


@pytest.mark.parametrize("separator", ["", "\n", " "])
def test_regions_come_as_text_or_file(run, file, separator):
    regions = separator.join(["aaaa", "bbbb", "cccc", "dddd"])
    for arguments in (
        ["--rules", "jigsaw", "--regions", regions],
        ["--regions", regions],
        ["--regions", file(regions, "map.txt")],
        ["--rules", "jigsaw=1111222233334444"],
    ):
        # Rows as regions leave the Latin squares of order 4.
        assert run("count", *arguments, "." * 16) == (0, "576\n", "")


# Bad input ---------------------------------------------------------------------------------------

LETTER = CLASSIC[:40] + "x" + CLASSIC[41:]


@pytest.mark.parametrize(
    ("puzzle", "column", "message"),
    [
        (LETTER, 41, "found 'x', expected a digit 1-9, or one of . 0 % * _ ? for an empty cell"),
        (CLASSIC[1:], 81, "found 80 cells, expected 81 cells (9x9)"),
        (CLASSIC + "1", 82, "found 82 cells, expected 81 cells (9x9)"),
        (CLASSIC[1:] + "x", 81, "found 'x', expected a digit 1-9"),
    ],
)
def test_a_bad_puzzle_is_shown_where_it_is_bad(run, file, puzzle, column, message):
    code, out, err = run("solve", puzzle)
    assert (code, out) == (2, "")
    assert err.startswith(f"satdoku: puzzle: line 1, column {column}: {message}")
    name = file(f"# title\n{puzzle}\n")
    for command in ("solve", "check", "count", "enumerate", "export"):
        code, out, err = run(command, name)
        assert (code, out) == (2, "")
        assert err.startswith(f"satdoku: {name}: line 2, column {column}: {message}")
    code, out, err = run("batch", name)
    assert (code, out.split()[0]) == (2, "invalid")
    assert f": {message}" in out and f": {message}" in err


@pytest.mark.parametrize("command", ["solve", "check", "count", "enumerate", "batch", "export"])
def test_files_that_hold_no_puzzle(run, file, tmp_path, command):
    missing = tmp_path / "missing.txt"
    for name, message in (
        (file("", "empty"), "empty: holds no puzzle"),
        (file("# only comments\n\n", "comments"), "comments: holds no puzzle"),
        (str(tmp_path), "is a directory, expected a file"),
        (str(missing), "missing.txt: No such file or directory"),
        (file(gzip.compress(b"1" * 999)[:-9], "cut.gz"), "cut.gz: broken file"),
    ):
        code, out, err = run(command, name)
        assert (code, out) == (2, "")
        assert err.startswith("satdoku: ") and message in err
        assert err.count("\n") == 1


@pytest.mark.parametrize("command", ["solve", "check", "batch", "export"])
def test_a_binary_file_is_bad_input_not_a_crash(run, file, command):
    name = file(Random(5).randbytes(3000), "binary")
    code, out, err = run(command, name)
    assert code == 2
    assert f"{name}: line " in err
    assert set(re.findall(r"^\w+", out, re.M)) <= {"invalid"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["solve", "--rules", "knigth", CLASSIC], "no rule 'knigth': did you mean 'knight'?"),
        (["batch", "--rules", "miracel", "-"], "no rule 'miracel': did you mean 'miracle'?"),
        (["export", "--rules", "king,xyz"], "no rule 'xyz': known are antiqueen, classic"),
        (["solve", "--rules", "jigsaw", CLASSIC], "jigsaw needs a region map"),
        (["solve", "--regions", "112", CLASSIC], "region map of 3 characters"),
        (["solve", "--rules", "windoku", "." * 36], "windoku needs square boxes"),
        (["solve", "--size", "7", CLASSIC], "no boxes of more than one row fit size 7"),
        (["solve", "--size", "16", CLASSIC], "found 81 cells, expected 256 cells (16x16)"),
        (["solve", "--solver", "nosuch", CLASSIC], "no solver 'nosuch': known are cadical153"),
        (["export", "--encoding", "nosuch"], "no encoding 'nosuch': known are extended"),
        (["decode", "--cnf", "nosuch.cnf", "-"], "nosuch.cnf: No such file or directory"),
        (["solve", "nosuch.cnf"], "nosuch.cnf: No such file or directory"),
        (["solve", ""], "empty name: No such file or directory"),
    ],
)
def test_bad_options_say_what_was_expected(run, stdin, arguments, message):
    stdin(CLASSIC)
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith("satdoku: ") and message in err


@pytest.mark.parametrize(
    "arguments",
    [[], ["nosuch"], ["solve"], ["solve", "--nosuch", CLASSIC], ["count", "--limit", "0", EMPTY],
     ["count", "--limit", "x", EMPTY], ["solve", "-f", "xml", CLASSIC]],
)  # fmt: skip
def test_bad_usage_exits_2_and_shows_the_usage(run, arguments):
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith("usage: satdoku")


@pytest.mark.parametrize("command", ["solve", "check", "count", "enumerate"])
def test_one_bad_puzzle_does_not_cost_the_others(run, file, command):
    name = file(f"{CLASSIC}\n{LETTER}\n{CLASSIC}\n")
    answer = {"solve": CLASSIC_SOLUTION, "check": "unique", "count": "1"}.get(
        command, CLASSIC_SOLUTION
    )
    code, out, err = run(command, name)
    assert (code, out) == (2, f"{answer}\n" * 2)
    assert err.startswith(f"satdoku: {name}: line 2, column 41: found 'x'")
    assert run(command, LETTER, CLASSIC)[:2] == (2, f"{answer}\n")


# DIMACS and SMT-LIB ------------------------------------------------------------------------------


def test_dimacs_output_has_the_exit_codes_of_sat_solvers(run):
    code, out, _ = run("solve", "--dimacs-output", CLASSIC)
    assert code == 10
    answer = parse_answer(out)
    assert [abs(literal) for literal in answer.literals] == list(range(1, 730))
    true = [literal for literal in answer.literals if literal > 0]
    assert true == [9 * cell + int(digit) for cell, digit in enumerate(CLASSIC_SOLUTION)]
    assert run("solve", "--dimacs-output", NONE) == (20, "s UNSATISFIABLE\n", "")
    assert run("solve", "--dimacs-output", "--conflicts", 1, HARD)[:2] == (0, "s UNKNOWN\n")
    assert run("solve", "--dimacs-output", LETTER)[0] == 2


@pytest.mark.parametrize("suffix", ["", ".gz", ".xz"])
def test_export_solve_and_decode(run, tmp_path, suffix):
    cnf, answer = tmp_path / f"p.cnf{suffix}", tmp_path / "answer"
    assert run("export", CLASSIC, "-o", cnf) == (0, "", "")
    assert run("solve", cnf) == (0, CLASSIC_SOLUTION + "\n", "")
    code, out, _ = run("solve", "--dimacs-output", cnf)
    assert code == 10
    answer.write_text(out)
    for question in (["--cnf", cnf], ["--puzzle", CLASSIC], []):
        assert run("decode", answer, *question) == (0, CLASSIC_SOLUTION + "\n", "")


@pytest.mark.parametrize("name", ENCODINGS)
def test_export_solve_and_decode_in_every_encoding(run, tmp_path, name):
    cnf, answer = tmp_path / "p.cnf", tmp_path / "answer"
    assert run("export", CLASSIC, "--encoding", name, "-o", cnf) == (0, "", "")
    assert f"c satdoku-encoding {name}\n" in cnf.read_text()
    assert run("solve", cnf) == (0, CLASSIC_SOLUTION + "\n", "")
    answer.write_text(run("solve", "--dimacs-output", cnf)[1])
    for question in (["--cnf", cnf], ["--puzzle", CLASSIC, "--encoding", name]):
        assert run("decode", answer, *question) == (0, CLASSIC_SOLUTION + "\n", "")


@pytest.mark.parametrize("name", ENCODINGS)
def test_questions_in_every_encoding(run, name):
    option = ["--encoding", name]
    assert run("solve", CLASSIC, *option) == (0, CLASSIC_SOLUTION + "\n", "")
    code, out, _ = run("enumerate", "." * 16, *option)
    assert (code, len(set(out.split()))) == (0, 288)
    row = "1    2    34   34\n34   34   12   12\n"
    assert run("candidates", "12" + "." * 14, *option)[1].startswith(row)
    code, out, _ = run("propagate", CLASSIC, *option)
    assert code == 0
    assert all(a in (".", b) for a, b in zip(out.strip(), CLASSIC_SOLUTION, strict=True))
    assert run("propagate", CLASH, *option)[:2] == (1, "conflict\n")
    literals = parse_answer(run("solve", "--dimacs-output", CLASSIC, *option)[1]).literals
    assert len([literal for literal in literals if literal > 0]) == 81


def test_propagate_shows_the_strength_of_an_encoding(run):
    fixed = [
        81 - run("propagate", CLASSIC, "--encoding", name)[1].count(".")
        for name in ("log", "minimal", "extended")
    ]
    assert fixed[0] == 24  # bits say nothing beyond the givens here
    assert fixed[0] < fixed[1] < fixed[2]


def test_encodings_are_listed_with_their_sizes(run):
    code, out, _ = run("encodings")
    assert code == 0
    lines = out.splitlines()
    assert lines[0].split() == ["4x4", "6x6", "9x9", "16x16"]
    assert lines[1].split() == ["encoding", "kind", *["variables", "clauses"] * 4]
    assert [line.split()[0] for line in lines[2:-1]] == list(ENCODINGS)
    assert lines[2].split() == [
        "extended", "boolean", "64", "384", "216", "1,980", "729", "10,530", "4,096", "111,616",
    ]  # fmt: skip
    assert lines[-2].split()[:6] == ["order", "integer", "48", "280", "180", "1,476"]


def test_encodings_of_a_board_of_rules_or_of_a_puzzle(run):
    # Pairs of diagonal cells on 4x4: 28, of which 8 share a box.
    code, out, _ = run("encodings", "--size", 4, "--encodings", "integer", "-r", "antiqueen")
    assert code == 0
    assert [line.split() for line in out.splitlines()[2:]] == [
        ["log", "integer", "32", str(224 + 20)],
        ["order", "integer", "48", str(280 + 20)],
    ]
    code, out, _ = run("encodings", CLASSIC, "--encodings", "reduced,triads")
    assert [line.split() for line in out.splitlines()[2:]] == [
        ["reduced", "boolean", "221", "1,516"],
        ["triads", "boolean", "1,215", "6,237"],
    ]
    # 6x6 boards have no windows.
    assert run("encodings", "-r", "windoku", "--encodings", "log")[1].split()[:3] == [
        "4x4", "9x9", "16x16",
    ]  # fmt: skip
    assert "windoku needs square boxes" in run("encodings", "-r", "windoku", "--size", 6)[2]
    assert "no rule 'xyz'" in run("encodings", "-r", "xyz")[2]
    assert "no encoding 'xyz': known are" in run("encodings", "--encodings", "xyz")[2]


def test_export_of_bare_rules_to_standard_output(run):
    code, out, _ = run("export", "--rules", "miracle")
    assert code == 0
    assert "\np cnf 729 14706\n" in out
    assert run("export", "--size", 4)[1].count(" 0\n") == 384


def test_an_unsatisfiable_cnf(run, tmp_path):
    cnf = tmp_path / "none.cnf"
    assert run("export", NONE, "-o", cnf)[0] == 0
    assert run("solve", cnf) == (1, "none\n", "")
    assert run("solve", "--dimacs-output", cnf) == (20, "s UNSATISFIABLE\n", "")


def test_a_foreign_cnf_is_solved_with_dimacs_output_only(run, file):
    name = file("c elsewhere\np cnf 4 2\n1 2 0\n-1 0\n", "foreign.cnf")
    code, out, _ = run("solve", "--dimacs-output", name)
    assert code == 10
    literals = parse_answer(out).literals
    assert literals[:2] == [-1, 2]
    assert list(map(abs, literals)) == [1, 2, 3, 4]  # variables without a clause, too
    code, out, err = run("solve", name)
    assert (code, out) == (2, "")
    assert "foreign.cnf: no satdoku comments in this CNF" in err
    assert "CNF files only, or puzzles only" in run("solve", CLASSIC, name)[2]


def test_a_changed_cnf_whose_answer_is_no_grid_is_bad_input(run, tmp_path):
    cnf = tmp_path / "p.cnf"
    run("export", "--size", 4, "-o", cnf)
    head = [line for line in cnf.read_text().splitlines() if line.startswith("c satdoku")]
    cnf.write_text("\n".join([*head, "p cnf 64 1", "-1 0\n"]))
    code, out, err = run("solve", cnf)
    assert (code, out) == (2, "")
    assert "clause family 'cell: at " in err


def test_decode_of_no_and_of_unknown(run, file):
    for text, printed in (("s UNSATISFIABLE", "none"), ("s UNKNOWN", "unknown"), ("unsat", "none")):
        assert run("decode", file(text)) == (1, f"{printed}\n", "")
    assert run("decode", file("unknown"))[0] == 2


def test_decode_names_the_violated_family(run, file, tmp_path):
    cnf = tmp_path / "p.cnf"
    run("export", CLASSIC, "-o", cnf)
    literals = [9 * cell + int(digit) for cell, digit in enumerate(CLASSIC_SOLUTION)]
    wrong = file("s SATISFIABLE\nv " + " ".join(map(str, [1, *literals[1:]])) + " 0\n")
    code, out, err = run("decode", wrong, "--cnf", cnf)
    assert (code, out) == (2, "")
    assert err.startswith("satdoku: clause family 'row: at least one' is violated in 1 of 81")
    other = file("s SATISFIABLE\nv " + " ".join(map(str, literals)) + " 0\n")
    _, _, err = run("decode", other, "--puzzle", "1" + CLASSIC[1:])
    assert "clause family 'givens' is violated in 1 of 25 clauses, first: r1c1=1" in err


def test_smtlib_goes_through_z3_and_back(run, tmp_path):
    script, answer = tmp_path / "p.smt2", tmp_path / "answer"
    assert run("export", "-f", "smtlib2", CLASSIC, "-o", script) == (0, "", "")
    solver = z3.Solver()
    solver.from_file(str(script))
    assert solver.check() == z3.sat
    model = solver.model()
    values = [f"({name} {model[name]})" for name in model.decls()]
    answer.write_text(f"sat\n({' '.join(values)})\n")
    assert run("decode", answer, "--puzzle", CLASSIC) == (0, CLASSIC_SOLUTION + "\n", "")
    code, out, err = run("decode", answer, "--puzzle", "1" + CLASSIC[1:])
    assert (code, out) == (2, "")
    assert "r1c1=7, but the puzzle has 1 there" in err


# Witnesses and rules -----------------------------------------------------------------------------


DIMACS = "c knights\nc\n\nc and days\np cnf 2 3\n1 2 0\n-1 0\n-2 0\n"


@pytest.mark.parametrize("text", [DIMACS, DIMACS.replace("\n", "\r\n"), "p cnf 1 2\n1 0\n-1 0\n"])
def test_a_cnf_is_known_by_its_beginning(run, tmp_path, monkeypatch, text):
    name = tmp_path / "knights.dimacs"
    name.write_text(text, newline="")
    assert run("solve", name, "--dimacs-output") == (20, "s UNSATISFIABLE\n", "")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(text.encode()))))
    assert run("solve", "-", "--dimacs-output") == (20, "s UNSATISFIABLE\n", "")
    for command in ("check", "batch", "audit"):
        code, out, err = run(command, name)
        assert (code, out) == (2, "")
        assert err == f"satdoku: {name}: a CNF, expected puzzles (`satdoku solve` reads CNF)\n"


def test_crosscheck_of_one_witness_or_none_agrees_with_nobody(run):
    empty = "." * 81
    few = ("--rules", "miracle", "--witnesses", "z3-int-distinct,z3-bitvec", "--timeout", "0.01")
    code, out, _ = run("crosscheck", empty, *few)
    assert (code, out.splitlines()[-1]) == (1, "no witness finished: nothing to compare")
    code, out, _ = run("crosscheck", "." * 16, "--witnesses", "glucose4")
    assert (code, out.splitlines()[-1]) == (1, "1 witness finished: nothing to compare")


def test_crosscheck_agrees(run):
    code, out, _ = run("crosscheck", "." * 16, "--limit", 3, "--witnesses", "cadical153,glucose4")
    lines = out.splitlines()
    assert code == 0
    assert [line.split()[:3] for line in lines[1:3]] == [
        ["cadical153", "multiple", ">=3"],
        ["glucose4", "multiple", ">=3"],
    ]
    assert lines[3] == "all 2 finished witnesses agree"


def test_crosscheck_takes_the_names_of_fuzz_and_asks_all_that_are_installed(run):
    names = ["plain", "engine-numpy", "glucose4/log", "triads"]
    code, out, _ = run("crosscheck", "1".ljust(16, "."), "--witnesses", ",".join(names))
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()[1:-1]] == names
    code, out, _ = run("crosscheck", "1234341221434321")
    assert code == 0
    asked = [line.split()[0] for line in out.splitlines()[1:-1]]
    assert {"plain", "engine-numpy", "lingeling", "z3-dimacs"} <= set(asked)


def test_crosscheck_refuses_what_is_not_installed_before_it_asks_anything(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "pycosat", None)
    code, out, err = run("crosscheck", CLASSIC, "--witnesses", "plain,pycosat")
    assert (code, out) == (2, "")
    assert err == "satdoku: pycosat is not installed (pip install pycosat)\n"


def test_rules_lists_every_rule_and_alias(run):
    code, out, _ = run("rules")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()] == [*RULES, "jigsaw", *ALIASES]


def test_version(run):
    assert run("--version") == (0, f"satdoku {__version__} (engine: {describe()})\n", "")


# Batch -------------------------------------------------------------------------------------------


@pytest.fixture
def collection(file):
    return file(f"# mixed\n{CLASSIC}\n{EMPTY}\n{NONE}\n{CLASH}\n{LETTER}\n{CLASSIC} 7\n")


def test_batch_answers_every_puzzle_in_order_and_exits_2_for_a_bad_one(run, collection):
    code, out, err = run("batch", collection)
    statuses = [line.split()[0] for line in out.splitlines()]
    assert code == 2
    assert statuses == ["unique", "multiple", "none", "invalid", "invalid", "unique"]
    assert out.splitlines()[0] == out.splitlines()[5] == f"unique {CLASSIC_SOLUTION}"
    assert f"satdoku: {collection}: line 6, column 41: found 'x'" in err
    assert "6 puzzles: 1 none, 2 unique, 1 multiple, 2 invalid\n" in err


def test_batch_without_bad_lines_exits_0_and_may_be_quiet(run, file):
    name = file(f"{CLASSIC}\n{NONE}\n")
    assert run("batch", "-q", name) == (0, f"unique {CLASSIC_SOLUTION}\nnone\n", "")
    assert run("batch", "-q", "--limit", 1, name)[1] == f"solved {CLASSIC_SOLUTION}\nnone\n"


def test_batch_reads_standard_input_and_writes_a_file(run, stdin, tmp_path):
    stdin(f"{CLASSIC}\n" * 3)
    out = tmp_path / "out.gz"
    assert run("batch", "-q", "-", "-o", out) == (0, "", "")
    assert gzip.decompress(out.read_bytes()).decode() == f"unique {CLASSIC_SOLUTION}\n" * 3
    assert os.listdir(tmp_path) == ["out.gz"]


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_batch_formats_keep_line_numbers_and_reasons(run, collection, form):
    _, out, _ = run("batch", "-q", "-f", form, collection)
    lines = out.splitlines()[1:] if form == "csv" else out.splitlines()
    rows = [json.loads(x) for x in lines] if form == "jsonl" else [x.split(",", 4) for x in lines]
    numbers = [int(row["line"] if form == "jsonl" else row[0]) for row in rows]
    assert numbers == [2, 3, 4, 5, 6, 7]
    assert "line 6, column 41: found 'x'" in (rows[4]["reason"] if form == "jsonl" else rows[4][4])


def test_batch_solves_other_boards_and_rules(run, file):
    name = file("12..............\n3...............\n")
    assert run("batch", "-q", name)[1].split()[::2] == ["multiple", "multiple"]
    miracle = file("." * 38 + "1" + "." * 12 + "2" + "." * 29 + "\n", "miracle.txt")
    code, out, _ = run("batch", "-q", "--rules", "miracle", miracle)
    assert (code, out.split()[0]) == (0, "unique")


def test_batch_refuses_a_folder_before_it_works(run, collection, tmp_path):
    code, out, err = run("batch", collection, "-o", tmp_path)
    assert (code, out) == (2, "")
    assert "is a directory, expected a file" in err


# As a process of its own -------------------------------------------------------------------------


def test_python_m_satdoku_is_the_command():
    done = python("-m", "satdoku", "solve", CLASSIC)
    assert (done.returncode, done.stdout, done.stderr) == (0, CLASSIC_SOLUTION + "\n", "")
    done = python("-m", "satdoku", "check", "-", input=CLASH)
    assert (done.returncode, done.stdout) == (1, "invalid\n")


@pytest.mark.parametrize(
    ("arguments", "unwanted"),
    [
        (["--help"], {"numpy", "pysat", "z3", "tqdm"}),
        (["solve", "--help"], {"numpy", "pysat", "z3", "tqdm"}),
        (["solve", CLASSIC], {"numpy", "z3", "tqdm"}),
        (["check", CLASSIC], {"numpy", "z3", "tqdm"}),
        (["export", "--size", "4"], {"numpy", "z3", "tqdm"}),
        (["render", CLASSIC], {"numpy", "pysat", "z3", "tqdm", "resvg_py"}),
        (["encodings", "--size", "4"], {"numpy", "z3", "tqdm", "pysat.solvers"}),
        (["export", "--size", "4", "--encoding", "bitwise"], {"numpy", "z3", "tqdm"}),
    ],
)
def test_a_command_imports_only_what_it_needs(arguments, unwanted):
    code = (
        "import atexit, sys; from satdoku.cli import main; tell = sys.stderr.write;"
        f"atexit.register(lambda: tell(str(sorted(sys.modules.keys() & {unwanted}))));"
        f"sys.exit(main({arguments}))"
    )
    done = python("-c", code)
    assert (done.returncode, done.stderr) == (0, "[]")
    assert done.stdout


def test_a_slow_reader_gets_everything_even_unbuffered(file):
    name = file(f"{CLASSIC}\n" * 5000)
    done = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m satdoku batch -q {name} | (sleep 1; wc -lc)"],
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        capture_output=True,
        text=True,
    )
    assert done.stdout.split() == ["5000", str(5000 * 89)]


@pytest.mark.parametrize("command", ["enumerate --limit 3000 " + "." * 81, "batch -q FILE"])
def test_a_reader_that_goes_away_ends_it_quietly(file, command):
    name = file(f"{CLASSIC}\n" * 5000)
    line = f"{sys.executable} -m satdoku {command.replace('FILE', name)} -w 1 | head -n 1"
    line = line.replace(" -w 1", "") if "enumerate" in line else line
    done = subprocess.run(
        ["bash", "-c", line + "; echo ${PIPESTATUS[0]}"], capture_output=True, text=True, timeout=60
    )
    first, code = done.stdout.splitlines()
    assert len(first.split()[-1]) == 81
    assert (code, done.stderr) == ("141", "")


def interrupted_batch(collection, out, workers):
    """Start a batch, wait for its first results, and press Ctrl-C: (exit code, stderr)."""
    command = [sys.executable, "-m", "satdoku", "batch", collection, "-o", out, "-w", str(workers)]
    process = subprocess.Popen(
        command,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    part = f"{out}.part"
    while process.poll() is None and not (os.path.exists(part) and os.path.getsize(part)):
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGINT)
    _, messages = process.communicate(timeout=60)
    return process.returncode, messages


@pytest.mark.parametrize("workers", [1, 2])
def test_ctrl_c_in_a_batch_keeps_the_finished_results(file, tmp_path, workers):
    out = tmp_path / "out.txt"
    name = file(f"{CLASSIC}\n" * 100_000)
    code, messages = interrupted_batch(name, str(out), workers)
    assert code == 130
    assert not out.exists()
    kept = (tmp_path / "out.txt.part").read_text().splitlines()
    assert set(kept) == {f"unique {CLASSIC_SOLUTION}"}
    assert 512 <= len(kept) < 100_000
    assert f"satdoku: finished results are kept in {out}.part\n" in messages
    assert messages.endswith("satdoku: interrupted\n")
    assert "Traceback" not in messages
