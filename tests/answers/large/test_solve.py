"""Large puzzles solved, and small ones as an ordinary session solves them."""

from __future__ import annotations

import numpy as np
import pytest

import satdoku
from satdoku.answers.large import LargeSudoku
from satdoku.answers.large.check import solves
from satdoku.answers.large.solve import WITH_CARDINALITY
from satdoku.answers.solver import SOLVERS
from satdoku.generator.holes import puzzles_with_holes
from satdoku.model.grid import GridError
from satdoku.runtime.errors import BudgetError, Status

MULTIPLE = puzzles_with_holes(1, holes=52, seed=1)[0]  # 71 solutions


@pytest.mark.parametrize(
    ("rules", "size", "holes"),
    [("classic", 9, 55), ("diagonal", 9, 55), ("latin", 9, 30), ("classic", 12, 80),
     ("classic", 16, 130), ("classic", 20, 150),
     pytest.param("classic", 25, 200, marks=pytest.mark.slow)],
)  # fmt: skip
def test_answers_are_those_of_a_session(rules, size, holes):
    board = satdoku.Board.of_size(size)
    for puzzle in puzzles_with_holes(2, rules, size=size, holes=holes, seed=3):
        ours = LargeSudoku(puzzle, rules)
        constraints = satdoku.constraints_for(rules, board)
        assert ours.status() == satdoku.classify(puzzle, constraints)
        if ours.status() is Status.UNIQUE:
            assert (ours.solution() == list(satdoku.solve(puzzle, constraints))).all()


def test_all_solutions_are_those_of_a_session():
    theirs = {grid.cells for grid in satdoku.solutions(MULTIPLE)}
    ours = [bytes(cells.astype(np.uint8)) for cells in LargeSudoku(MULTIPLE).solutions()]
    assert len(ours) == len(theirs) == 71
    assert set(ours) == theirs
    assert sum(1 for _ in LargeSudoku(MULTIPLE).solutions(limit=2)) == 2


@pytest.mark.parametrize("solver", [*WITH_CARDINALITY, "glucose4", "cadical195"])
def test_every_solver_gives_the_same_set(solver):
    assert solver in SOLVERS
    ours = sum(1 for _ in LargeSudoku(MULTIPLE, solver=solver).solutions())
    assert ours == satdoku.count(MULTIPLE)


@pytest.mark.parametrize(("size", "holes"), [(36, 0.42), (100, 0.3), (256, 0.2)])
def test_large_puzzles(size, holes):
    puzzle = puzzles_with_holes(1, size=size, holes=holes, seed=1)[0]
    sudoku = LargeSudoku(puzzle)
    solution = sudoku.solution()
    assert solves(solution, puzzle, sudoku.rules)


def test_no_solution_and_clashes():
    puzzle = puzzles_with_holes(1, size=36, holes=0.3, seed=1)[0]
    clashing = puzzle.copy()
    clashing[:2] = 7
    assert LargeSudoku(clashing).status() is Status.INVALID
    assert LargeSudoku(clashing).clash == "r1c1=7 and r1c2=7 break the row rule"
    solution = LargeSudoku(puzzle).solution()
    first, second = np.flatnonzero(puzzle == 0)[:2]
    wrong = puzzle.copy()
    wrong[first] = solution[second]
    status = LargeSudoku(wrong).status()
    assert status in (Status.NONE, Status.INVALID)
    assert LargeSudoku(wrong).solution() is None


def test_a_budget_ends_the_search():
    puzzle = puzzles_with_holes(1, size=64, holes=0.4, seed=1)[0]
    with pytest.raises(BudgetError):
        LargeSudoku(puzzle).solution(conflicts=10)
    assert LargeSudoku(puzzle).status(timeout=0.01) is Status.UNKNOWN


def test_what_is_no_puzzle():
    with pytest.raises(GridError, match=r"found 677 cells of 0..0, expected 676 cells of 0..26"):
        LargeSudoku(np.zeros(677, int))
    with pytest.raises(GridError, match=r"27..27"):
        LargeSudoku(np.full(676, 27))
    for cells in (np.full(676, 1.5), np.full(676, "1"), []):
        with pytest.raises(GridError, match="expected whole numbers"):
            LargeSudoku(cells)
