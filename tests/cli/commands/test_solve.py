"""The command `solve`: solutions, statuses, formats and DIMACS output."""

import io
import json
import re

import pytest
from command_cases import CLASH, HARD, LETTER, NONE
from examples import CLASSIC, CLASSIC_SOLUTION
from large_puzzles import SEVERAL, UNIQUE, file_of_both

import satdoku
from satdoku.cli import main
from satdoku.cnf.dimacs import parse_answer
from satdoku.witness.verify import solves


def test_solve_prints_the_solution(run):
    assert run("solve", CLASSIC) == (0, CLASSIC_SOLUTION + "\n", "")


@pytest.mark.parametrize(("puzzle", "answer"), [(NONE, "none"), (CLASH, "invalid")])
def test_solve_says_why_there_is_no_solution(run, puzzle, answer):
    assert run("solve", puzzle)[:2] == (1, f"{answer}\n")


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


# CNF files in place of puzzles


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


def test_large_puzzles_have_verified_solutions(tmp_path, capsys):
    both = file_of_both(tmp_path)
    assert main(["solve", both, "-f", "line"]) == 0
    for line, puzzle in zip(capsys.readouterr().out.splitlines(), (UNIQUE, SEVERAL), strict=True):
        assert solves(satdoku.parse_grid(line), puzzle, ())
    assert main(["solve", "--json", both, "--solver", "gluecard4"]) == 0
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert (first["line"], second["line"]) == (1, 2)
    assert second["status"] == "solved"
    assert solves(satdoku.parse_grid(second["solution"]), SEVERAL, ())


@pytest.mark.parametrize("form", ["pretty", "csv", "line"])
def test_a_large_solution_that_is_printed_is_read_again(tmp_path, form, capsys):
    assert main(["solve", file_of_both(tmp_path), "-f", form]) == 0
    path = tmp_path / "grids.txt"
    path.write_text(capsys.readouterr().out)
    assert main(["check", str(path)]) == 0
    assert capsys.readouterr().out == "unique\nunique\n"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--clue cage=5:r1c1,r1c2", "boards beyond 25x25 take only rules that are houses"),
        ("--rules knight", "'knight': boards beyond 25x25 take only rules that are houses"),
        ("--encoding log", "--encoding log: boards beyond 25x25 have the extended one"),
        ("--size 49", "found a puzzle of 36x36, expected one of 49x49"),
        ("--dimacs-output", "a board of 36x36: expected at most 25x25 here"),
    ],
)
def test_what_large_boards_do_not_have_is_refused(tmp_path, options, message, capsys):
    path = tmp_path / "large.txt"
    path.write_text(f"{UNIQUE}\n")
    assert main(["solve", *options.split(), str(path)]) == 2
    err = capsys.readouterr().err
    assert message in err
    assert err.count("\n") == 1


def test_a_bad_large_puzzle_costs_no_other(tmp_path, capsys):
    path = tmp_path / "large.txt"
    clashing = satdoku.Grid(b"\3\3" + UNIQUE.cells[2:], UNIQUE.board)
    path.write_text(f"{UNIQUE}\n{UNIQUE} 7\n{clashing}\n")
    assert main(["solve", str(path), "--json"]) == 2
    out, err = capsys.readouterr()
    statuses = [json.loads(line)["status"] for line in out.splitlines()]
    assert statuses == ["solved", "invalid", "invalid"]
    assert f"{path}: line 2, column 1: found 1297 numbers" in err
    assert "invalid: r1c1=3 and r1c2=3 break the row rule" in err
