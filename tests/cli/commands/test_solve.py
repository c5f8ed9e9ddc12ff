"""The command `solve`: solutions, statuses, formats and DIMACS output."""

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
