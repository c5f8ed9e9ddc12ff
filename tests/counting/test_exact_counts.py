"""Numbers that others have computed, found again by the batch engine and by counting clauses."""

from itertools import combinations

import numpy as np
import pytest
from examples import FOUR

from satdoku.answers.session import Session
from satdoku.batch.solve import solve_batch
from satdoku.cnf.encodings import encode
from satdoku.model.constraints import constraints_for
from satdoku.runtime.errors import Status
from satdoku.symmetry import orbits

# 4x4 puzzles with one solution, by their number of givens from 4 on: OEIS A109252.
A109252 = (25728, 284160, 1041408, 2141184, 2961024, 2958336, 2204928, 1239552, 522624, 161280,
           34560, 4608, 288)  # fmt: skip


def unique_by_givens(grids, weights):
    """Unique puzzles of each number of givens 0..16 among all that leave out cells of the grids."""
    subsets = (np.arange(1 << 16)[:, None] >> np.arange(16) & 1).astype(np.uint8)
    givens, total = subsets.sum(axis=1), np.zeros(17, np.int64)
    for grid, weight in zip(grids, weights, strict=True):
        result = solve_batch(
            subsets * np.frombuffer(grid, np.uint8), constraints_for("classic", FOUR)
        )
        assert set(result.statuses.tolist()) == {Status.UNIQUE, Status.MULTIPLE}
        unique = result.statuses == Status.UNIQUE
        total += weight * np.bincount(givens[unique], minlength=17)
    return tuple(total.tolist())


def test_unique_4x4_puzzles_by_number_of_givens(four_by_four):
    """A puzzle with one solution is that grid's alone, so grids of a class count alike."""
    cells = np.array([list(grid) for grid in four_by_four], np.uint8)
    classes = orbits(cells, constraints_for("classic", FOUR))
    assert sorted(classes.sizes.tolist()) == [96, 192]
    grids = [four_by_four[i] for i in classes.representatives]
    counts = unique_by_givens(grids, classes.sizes.tolist())
    assert counts == (0, 0, 0, 0, *A109252)
    assert sum(A109252) == 13_579_680


@pytest.mark.slow
def test_unique_4x4_puzzles_of_every_grid_without_symmetry(four_by_four):
    assert unique_by_givens(four_by_four, [1] * 288) == (0, 0, 0, 0, *A109252)


@pytest.fixture(scope="module")
def miracles():
    grids = np.array([list(g) for g in Session("miracle").solutions("." * 81)], np.uint8)
    assert grids.shape == (72, 81)
    return grids


@pytest.mark.compiled
def test_miracle_puzzles_with_one_given_have_eight_solutions(miracles):
    puzzles = np.zeros((81, 9, 81), np.uint8)
    for cell in range(81):
        puzzles[cell, :, cell] = range(1, 10)
        assert np.bincount(miracles[:, cell], minlength=10).tolist() == [0, *[8] * 9]
    puzzles = puzzles.reshape(-1, 81)
    few = np.random.default_rng(9).choice(len(puzzles), 100, replace=False)
    for part, backend in ((puzzles, "engine"), (puzzles[few], "session")):
        statuses = solve_batch(part, "miracle", backend=backend).statuses
        assert set(statuses.tolist()) == {Status.MULTIPLE}


@pytest.fixture(scope="module")
def two_givens(miracles):
    """All 262,440 puzzles with two givens, and how many of the 72 grids each leaves."""
    pairs = np.array(list(combinations(range(81), 2)))
    digits = np.array([(a, b) for a in range(1, 10) for b in range(1, 10)], np.uint8)
    puzzles = np.zeros((len(pairs), 81, 81), np.uint8)
    for place in (0, 1):
        at = np.arange(len(pairs))[:, None], np.arange(81), pairs[:, place, None]
        puzzles[at] = digits[:, place]
    left = np.zeros((len(pairs), 81), np.int64)
    for grid in miracles.astype(np.int64):
        both = 9 * (grid[pairs[:, 0]] - 1) + grid[pairs[:, 1]] - 1
        left[np.arange(len(pairs)), both] += 1
    return puzzles.reshape(-1, 81), left.reshape(-1)


def agree(puzzles, left, backend):
    statuses = solve_batch(puzzles, "miracle", backend=backend).statuses
    return ((statuses == Status.UNIQUE) == (left == 1)).all() and (
        (statuses == Status.MULTIPLE) == (left > 1)
    ).all()


@pytest.mark.compiled
def test_miracle_puzzles_with_two_givens(two_givens):
    """87,408 have one solution, 61,128 two, 5,904 four; of a sample the solvers say so too."""
    puzzles, left = two_givens
    numbers, counts = np.unique(left, return_counts=True)
    assert dict(zip(numbers.tolist(), counts.tolist(), strict=True)) == {
        0: 262_440 - 87_408 - 61_128 - 5_904, 1: 87_408, 2: 61_128, 4: 5_904
    }  # fmt: skip
    sample = np.random.default_rng(72).choice(len(puzzles), 400, replace=False)
    for part, backend in ((sample[:100], "engine"), (sample[100:], "session")):
        assert agree(puzzles[part], left[part], backend)


@pytest.mark.slow
def test_every_miracle_puzzle_with_two_givens_is_solved(two_givens):
    assert agree(*two_givens, "session")


@pytest.mark.parametrize(
    ("encoding", "written", "distinct"),
    [("minimal", 8_829, 7_371), ("efficient", 11_745, 10_287), ("extended", 11_988, 10_530)],
)
def test_clauses_as_written_and_distinct(encoding, written, distinct):
    """1,458 pairs stand in a box and in a line: written twice, distinct once."""
    formula, constraints = encode(constraints_for(), encoding), constraints_for()
    at_least = [clause for clause in formula.clauses if min(clause) > 0]
    groups = (
        constraints.groups if encoding != "minimal" else constraints.groups[81:]
    )  # cells at least only
    assert len(at_least) + sum(len(list(combinations(group, 2))) for group in groups) == written
    assert len(formula.clauses) == len(set(formula.clauses)) == distinct == written - 1_458
