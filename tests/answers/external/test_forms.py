"""Input languages: what is written is what other readers understand, answers are cells."""

from dataclasses import replace

import pytest
from examples import CLASSIC, CLASSIC_SOLUTION

from satdoku.answers.external.forms import CnfForm, SmtForm
from satdoku.answers.external.program import ProgramError
from satdoku.answers.solver import solve_clauses
from satdoku.cnf.dimacs import parse_cnf
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import parse_grid
from satdoku.model.puzzle import Puzzle, digits_of
from satdoku.runtime.errors import Unanswered, WitnessError
from satdoku.witness.smtlib import SmtError

PUZZLE = Puzzle(parse_grid(CLASSIC), constraints_for())


def test_the_file_holds_givens_strikes_and_excluded_solutions():
    form = CnfForm("extended", PUZZLE)
    cnf = parse_cnf("".join(form.text()))
    assert (form.variables, form.clauses) == (cnf.variables, len(cnf.clauses))
    solution = parse_grid(CLASSIC_SOLUTION).cells
    assert form.cells(_answer(solve_clauses(cnf.clauses))) == solution
    excluded = parse_cnf("".join(form.text([solution])))
    assert solve_clauses(excluded.clauses) is None
    first = solution[1]  # r1c2 is no given
    marks = bytes(i != 9 + first - 1 for i in range(729))
    struck = CnfForm("log", replace(PUZZLE, marks=digits_of(marks, 9)))
    assert solve_clauses(parse_cnf("".join(struck.text())).clauses) is None


def _answer(model):
    return f"s SATISFIABLE\nv {' '.join(map(str, model))} 0\n"


def test_answers_of_every_kind():
    form = CnfForm("extended", PUZZLE)
    assert form.cells("s UNSATISFIABLE\n") is None
    with pytest.raises(Unanswered):
        form.cells("s UNKNOWN\n")
    with pytest.raises(ProgramError, match="without values"):
        form.cells("s SATISFIABLE\n")
    with pytest.raises(WitnessError, match="but clause family 'cell: at least one' is violated"):
        form.cells("s SATISFIABLE\nv 1 0\n")


def test_an_answer_that_says_yes_and_no_is_none():
    form = SmtForm("int", PUZZLE)
    assert form.cells("warning\nunsat\n(error: no model)\nunsat\n") is None
    with pytest.raises(SmtError, match="found 'sat' after 'unsat', expected one of them"):
        form.cells("unsat\nsat\n")
    with pytest.raises(SmtError, match="found 'sat' and 0 values"):
        form.cells(f"sat\n((r{'1' * 5000}c1 1) (r1c1 (_ bv{'1' * 5000} 9)))\n")
