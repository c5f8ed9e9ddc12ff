"""The witness has its own statement of every rule; a rule without one is an error."""

import subprocess
import sys
from itertools import pairwise

import numpy as np
import pytest
from examples import FOUR

from satdoku import Session, Status, solve_batch
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import Grid
from satdoku.model.rules import RULES, Rule
from satdoku.witness import rules as module
from satdoku.witness.rules import (
    CLASSIC,
    STATEMENTS,
    Relation,
    StatementError,
    require_statements,
    stated,
)
from satdoku.witness.smtlib import format_smtlib
from satdoku.witness.verify import clash_many, solves_many, violations
from satdoku.witness.z3.models import DIMACS_MODEL, Z3_MODELS
from satdoku.witness.z3.query import Z3Query


def not_four(x, y, size):
    """A relation that the shipped rules do not have: neighbours do not sum to 4."""
    return x + y != 4


def sums_of_four(board):
    n = board.size
    for a, b in board.adjacent_pairs:
        for x in (1, 2, 3):
            yield n * a + x - 1, n * b + 3 - x


def forget_statements():
    for cached in (module.stated, module._rule):
        cached.cache_clear()


@pytest.fixture
def four_rule(monkeypatch):
    """Add the rule as CONTRIBUTING says: one entry in `RULES` and one in `STATEMENTS`."""
    rule = Rule("four", "neighbours do not sum to 4", excludes=sums_of_four)
    monkeypatch.setitem(RULES, "four", rule)
    neighbours = Relation(lambda down, right: down + right == 1, not_four)
    monkeypatch.setitem(STATEMENTS, "four", neighbours)
    yield "four"
    forget_statements()


def test_every_rule_is_stated_and_nothing_else():
    assert STATEMENTS.keys() == {*RULES, *CLASSIC}


def test_a_rule_without_a_statement_is_an_error_where_it_is_asked_for():
    with pytest.raises(StatementError, match="no statement of four"):
        stated(FOUR, ("four",))
    with pytest.raises(StatementError, match="four"):
        violations(Grid(bytes(16), FOUR), ("four",))


def test_a_rule_without_a_statement_fails_at_import():
    code = (
        "from satdoku.model.rules import RULES, Rule\n"
        "RULES['four'] = Rule('four', 'neighbours do not sum to 4')\n"
        "import satdoku.answers.api\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.returncode == 1
    assert "StatementError: satdoku.witness.rules has no statement of four" in run.stderr
    require_statements(RULES)


@pytest.mark.parametrize("size", [4, 9])
def test_forbidden_digits_are_those_that_are_not_allowed(size):
    digits, board = range(1, size + 1), Board.of_size(size)
    forbidden = {}
    for said in stated(board, tuple(RULES)):
        for related in said.relations:
            pairs = forbidden[said.rule] = related.forbidden(size)
            bad = {(x, y) for x in digits for y in digits if not related.holds(x, y)}
            assert set(pairs) == bad
    assert forbidden["antiqueen"] == ((size, size),)
    assert len(forbidden["nonconsecutive"]) == 2 * (size - 1)
    assert forbidden["row"] == tuple((x, x) for x in digits)


def keeps_apart(cells, size=4):
    rows = [cells[size * r : size * r + size] for r in range(size)]
    lines = [*rows, *zip(*rows, strict=True)]
    return all(not_four(x, y, size) for line in lines for x, y in pairwise(line))


def test_a_made_up_relation_holds_everywhere(four_rule, four_by_four):
    """The witness once checked `!=` for such a rule, and no test failed."""
    expected = {cells for cells in four_by_four if keeps_apart(cells)}
    assert 0 < len(expected) < len(four_by_four)
    constraints = constraints_for(four_rule, FOUR)
    with Session(constraints) as session:
        assert {grid.cells for grid in session.solutions("." * 16)} == expected
    grids = np.array([list(cells) for cells in four_by_four], np.uint8)
    by_witness = solves_many(grids, np.zeros_like(grids), constraints.rules, FOUR)
    assert [cells in expected for cells in four_by_four] == by_witness.tolist()
    assert (clash_many(grids, constraints.rules, FOUR) == ~by_witness).all()
    for cells in four_by_four:
        assert bool(violations(Grid(cells, FOUR), constraints.rules)) == (cells not in expected)
    statuses = solve_batch(grids, constraints).statuses
    assert {Status(s) for s in statuses.tolist()} == {Status.UNIQUE, Status.INVALID}
    assert ((statuses == Status.UNIQUE) == by_witness).all()


@pytest.mark.parametrize("name", [name for name in Z3_MODELS if name != DIMACS_MODEL])
def test_every_z3_model_says_a_made_up_relation(name, four_rule, four_by_four):
    query, found = Z3Query(name, constraints_for(four_rule, FOUR)), set()
    while (solution := query.find()) is not None:
        found.add(solution)
        query.forbid(solution)
    assert found == {cells for cells in four_by_four if keeps_apart(cells)}


def test_smtlib_says_a_made_up_relation(four_rule, four_by_four):
    z3 = pytest.importorskip("z3")
    text = format_smtlib(constraints_for(four_rule, FOUR))
    solver = z3.Solver()
    solver.from_string(text.replace("(check-sat)", "").split("(get-value")[0])
    cells = [z3.Int(FOUR.name_of(cell)) for cell in range(16)]
    for grid in four_by_four:
        held = [x == digit for x, digit in zip(cells, grid, strict=True)]
        assert (solver.check(*held) == z3.sat) == keeps_apart(grid)


def test_a_relation_may_tell_the_upper_or_left_cell_from_the_other(monkeypatch, four_by_four):
    """`allowed(x, y, size)` gets the digit of the upper or left cell first."""
    ascending = Relation(lambda down, right: (down, right) == (0, 3), lambda x, y, size: x < y)
    monkeypatch.setitem(STATEMENTS, "ascending", ascending)
    forget_statements()
    board = Board.of_size(4)
    for cells in four_by_four:
        kept = all(cells[4 * row] < cells[4 * row + 3] for row in range(4))
        assert kept != bool(violations(Grid(cells, board), ("ascending",)))
