"""Counts by listing all grids agree with published counts, a solver, and listed puzzles."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from examples import FOUR

from satdoku.answers.session import Session
from satdoku.answers.solver import LoadedSolver
from satdoku.counting.few_grids import FewGridsError, all_grids, count_givens, count_puzzles
from satdoku.model.constraints import constraints_for
from satdoku.symmetry import orbits

# The number of 4x4 puzzles with one solution and 4, 5, ... 16 givens: OEIS A109252.
A109252 = [25728, 284160, 1041408, 2141184, 2961024, 2958336, 2204928, 1239552, 522624, 161280]
A109252 += [34560, 4608, 288]


@pytest.fixture(scope="module")
def miracles():
    return all_grids(constraints_for("miracle"))


def test_two_givens_of_a_miracle_grid(miracles):
    assert miracles.shape == (72, 81)
    assert count_givens(miracles, 1) == {8: 729}
    assert count_givens(miracles, 2) == {1: 87_408, 2: 61_128, 4: 5_904}
    assert count_givens(miracles, 0) == {72: 1}


def test_puzzles_are_counted_until_some_have_one_solution():
    found = count_puzzles("miracle")
    assert found == (72, {1: {8: 729}, 2: {1: 87_408, 2: 61_128, 4: 5_904}})
    assert found.words.splitlines()[:3] == [
        "72 grids", "givens  solutions  puzzles", "     1          8      729"
    ]  # fmt: skip
    assert count_puzzles(size=4, givens=4).puzzles[4][1] == A109252[0]
    assert count_puzzles("odd:r1c1;even:r1c1", size=4) == (0, {1: {}})


def test_two_givens_of_a_miracle_grid_by_the_solver(miracles):
    """A CDCL solver solves a sample of the puzzles."""
    rng = np.random.default_rng(2)
    with Session("miracle") as session:
        for _ in range(60):
            cells = rng.choice(81, 2, replace=False)
            puzzle = np.zeros(81, np.uint8)
            puzzle[cells] = miracles[rng.integers(72), cells]
            same = (miracles[:, cells] == puzzle[cells]).all(1).sum()
            assert session.count(puzzle.tobytes()) == same


@pytest.mark.parametrize(
    "givens", [3, 4, 5, 14, 16, *(pytest.param(k, marks=pytest.mark.slow) for k in range(6, 14))]
)
def test_published_counts_of_4x4(givens):
    grids = all_grids(constraints_for("classic", FOUR))
    expected = A109252[givens - 4] if givens > 3 else 0
    assert count_givens(grids, givens).get(1, 0) == expected


def test_counts_by_listing_puzzles(miracles):
    """Lists every puzzle with three givens among ten cells."""
    some = miracles[:, :10]
    puzzles = Counter(
        (cells, tuple(grid[list(cells)])) for cells in combinations(range(10), 3) for grid in some
    )
    assert count_givens(some, 3) == dict(sorted(Counter(puzzles.values()).items()))


def test_what_cannot_be_listed():
    with pytest.raises(FewGridsError, match="more than 2000 grids under classic"):
        all_grids(constraints_for())
    with pytest.raises(FewGridsError, match="too many to go through"):
        count_givens(np.ones((72, 81), np.uint8), 12)
    with pytest.raises(FewGridsError, match="too many to number"):
        count_givens(np.full((1, 25), 25, np.uint8), 20)


@pytest.mark.parametrize("rules", ["knight;odd:r1c1", "miracle", "diagonal;thermo:r1c1,r2c2"])
def test_symmetry_finds_the_same_grids_with_fewer_questions(rules, monkeypatch):
    """The list is that of a solver asked for every grid; each orbit costs one question."""
    constraints = constraints_for(rules, None if rules == "miracle" else FOUR)
    with Session(constraints) as session:
        one_by_one = sorted(
            grid.cells for grid in session.solutions(bytes(constraints.board.cells))
        )
    find, asked = LoadedSolver.find, []
    monkeypatch.setattr(
        LoadedSolver, "find", lambda self, *words: asked.append(1) or find(self, *words)
    )
    told = []
    listed = all_grids(constraints, progress=lambda *done: told.append(done))
    assert [bytes(grid) for grid in listed] == one_by_one
    assert told == [(found + 1, None) for found in range(len(listed))]
    grids = np.array([[*grid] for grid in one_by_one], np.uint8)
    assert len(asked) == 1 + len(orbits(grids, constraints).sizes)
