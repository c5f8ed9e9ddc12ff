"""Large puzzles solved, and small ones as an ordinary session solves them."""

from __future__ import annotations

import numpy as np
import pytest

import satdoku
from satdoku.answers.large.solve import WITH_CARDINALITY, LargeQuery
from satdoku.answers.solver import SOLVERS
from satdoku.generator.holes import puzzles_with_holes
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import as_grid
from satdoku.model.puzzle import Puzzle
from satdoku.runtime.errors import BudgetError, Status
from satdoku.witness.verify import solves

MULTIPLE = as_grid(puzzles_with_holes(1, holes=52, seed=1)[0])  # 71 solutions


@pytest.mark.parametrize(
    ("rules", "size", "holes"),
    [("classic", 9, 55), ("diagonal", 9, 55), ("latin", 9, 30), ("classic", 12, 80),
     ("classic", 16, 130), ("classic", 20, 150),
     pytest.param("classic", 25, 200, marks=pytest.mark.slow)],
)  # fmt: skip
def test_answers_are_those_of_a_session(rules, size, holes):
    constraints = constraints_for(rules, satdoku.Board.of_size(size))
    for cells in puzzles_with_holes(2, rules, size=size, holes=holes, seed=3):
        puzzle = as_grid(cells, constraints.board)
        found = list(LargeQuery(Puzzle(puzzle, constraints)).solutions(limit=2))
        status = (Status.NONE, Status.UNIQUE, Status.MULTIPLE)[len(found)]
        assert status == satdoku.classify(puzzle, constraints)
        if status is Status.UNIQUE:
            assert found == [satdoku.solve(puzzle, constraints).cells]


def test_all_solutions_are_those_of_a_session():
    theirs = {grid.cells for grid in satdoku.solutions(MULTIPLE)}
    ours = list(LargeQuery(Puzzle(MULTIPLE, constraints_for())).solutions())
    assert len(ours) == len(theirs) == 71
    assert set(ours) == theirs
    query = LargeQuery(Puzzle(as_grid("." * 81), constraints_for()))
    assert query.count(Puzzle(MULTIPLE, constraints_for())) == 71


@pytest.mark.parametrize("solver", [*WITH_CARDINALITY, "glucose4", "cadical195"])
def test_every_solver_gives_the_same_set(solver):
    assert solver in SOLVERS
    assert LargeQuery(Puzzle(MULTIPLE, constraints_for()), solver=solver).count() == 71


@pytest.mark.parametrize(("size", "holes"), [(36, 0.42), (100, 0.3), (256, 0.2)])
def test_large_puzzles_are_puzzles(size, holes):
    puzzle = puzzles_with_holes(1, size=size, holes=holes, seed=1)[0]
    solution = satdoku.solve(puzzle)
    assert solution.board.size == size
    assert solves(solution, as_grid(puzzle), ())
    assert list(satdoku.solutions(str(as_grid(puzzle)), limit=1)) == [solution]
    assert satdoku.count(puzzle, limit=1) == 1


def test_no_solution_and_clashes():
    puzzle = puzzles_with_holes(1, size=36, holes=0.3, seed=1)[0]
    clashing = puzzle.copy()
    clashing[:2] = 7
    assert satdoku.classify(clashing) is Status.INVALID
    solution = satdoku.solve(puzzle)
    first, second = np.flatnonzero(puzzle == 0)[:2]
    wrong = puzzle.copy()
    wrong[first] = solution[int(second)]
    assert satdoku.classify(wrong) in (Status.NONE, Status.INVALID)
    assert satdoku.solve(wrong) is None


def test_a_budget_ends_the_search():
    puzzle = as_grid(puzzles_with_holes(1, size=64, holes=0.4, seed=1)[0])
    constraints = constraints_for("classic", puzzle.board)
    with pytest.raises(BudgetError):
        LargeQuery(Puzzle(puzzle, constraints), conflicts=10).solve()
    assert satdoku.classify(puzzle, timeout=0.01) is Status.UNKNOWN
    with pytest.raises(BudgetError):
        satdoku.count(puzzle, timeout=0.01)


def test_what_is_asked_of_the_engine_is_refused():
    with pytest.raises(satdoku.SatdokuError, match="a board of 36x36: expected at most 25x25"):
        satdoku.propagate(np.zeros(1296, int))
