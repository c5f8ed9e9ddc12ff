"""The command `solve`: solutions, statuses, formats and DIMACS output."""

import io
import json
import re

import pytest
from command_cases import CLASH, HARD, LETTER, NONE
from examples import CLASSIC, CLASSIC_SOLUTION

from satdoku.cnf.dimacs import parse_answer


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
