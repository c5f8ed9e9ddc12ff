"""Fewest givens, compared with every set of cells; every proof is checked."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from examples import CLASSIC, CLASSIC_SOLUTION, FOUR
from process_groups import processor_seconds
from symmetry_cases import six_by_six_grids

from satdoku.answers.session import Session
from satdoku.counting.few_grids import all_grids
from satdoku.fewest import Fewest, FewestError, fewest_givens
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import Grid, as_grid
from satdoku.runtime.errors import Status
from satdoku.symmetry import group, orbits

SIX = Board.of_size(6)


@pytest.mark.parametrize(("grid", "fewest"), [
    ("123231312", 2), ("1234234134124123", 4), ("1234214334124321", 5),
    ("1234523451345124512351234", 6),
])  # fmt: skip
def test_latin_squares_need_as_many_givens_as_their_critical_sets(grid, fewest):
    """Of cyclic squares n * n / 4, rounded down (J. Nelder, Critical sets in Latin squares, CSIRO
    DMS Newsletter 38, 1977); 5 of the other square of order 4."""
    size = round(len(grid) ** 0.5)
    found = fewest_givens(as_grid(grid, Board.latin(size)), "latin")
    assert (found.low, found.high) == (fewest, fewest)


def can_be_hit(sets, size):
    """Whether some `size` cells hit all sets; tries every cell of the first set not yet hit."""
    if not sets:
        return True
    if size == 0:
        return False
    smallest = min(sets, key=len)
    return any(can_be_hit([s for s in sets if cell not in s], size - 1) for cell in smallest)


def assert_proven(found, grid, constraints):
    """The grid is the only solution; every set is unavoidable; fewer cells miss a set."""
    with Session(constraints) as session:
        assert session.decide(found.puzzle) == (Status.UNIQUE, grid)
        for cells in found.sets:
            rest = bytes(0 if c in cells else d for c, d in enumerate(grid))
            assert session.classify(Grid(rest, grid.board)) is Status.MULTIPLE
    assert found.puzzle.givens == found.high
    assert all(given in (0, digit) for given, digit in zip(found.puzzle, grid, strict=True))
    assert found.low == 0 or not can_be_hit(list(found.sets), found.low - 1)


@pytest.mark.parametrize("step", [12, pytest.param(1, marks=pytest.mark.slow)])
def test_4x4_grids_by_brute_force(step, four_by_four):
    """All 1,820 sets of four cells and all 560 of three, in all 288 grids."""
    fewest = dict.fromkeys(four_by_four, 16)
    for size in (4, 3):
        for cells in combinations(range(16), size):
            seen = Counter(tuple(grid[c] for c in cells) for grid in four_by_four)
            for grid in four_by_four:
                if seen[tuple(grid[c] for c in cells)] == 1:
                    fewest[grid] = size
    assert set(fewest.values()) == {4}
    for cells, givens in list(fewest.items())[::step]:
        found = fewest_givens(Grid(cells, FOUR))
        assert (found.low, found.high) == (givens, givens)


def representatives_6x6():
    grids = six_by_six_grids()
    return grids[orbits(grids).representatives]


def test_some_6x6_grids_and_their_proofs():
    constraints = constraints_for("classic", SIX)
    for cells in representatives_6x6()[::16]:
        grid = Grid(cells.tobytes(), SIX)
        found = fewest_givens(grid)
        assert found.proven
        assert_proven(found, grid, constraints)


@pytest.mark.slow
def test_every_6x6_grid_up_to_symmetry():
    """There are 49 classes of grids; every 6x6 puzzle needs 8 givens, and some have only 8."""
    constraints = constraints_for("classic", SIX)
    numbers = Counter()
    for cells in representatives_6x6():
        found = fewest_givens(Grid(cells.tobytes(), SIX))
        assert_proven(found, Grid(cells.tobytes(), SIX), constraints)
        assert found.proven
        numbers[found.low] += 1
    assert sum(numbers.values()) == 49
    assert min(numbers) == 8


@pytest.mark.parametrize("rules", ["diagonal", "knight"])
def test_other_rules_and_their_proofs(rules):
    constraints = constraints_for(rules, SIX)
    with Session(constraints) as session:
        grid = session.solve(bytes(36))
    found = fewest_givens(grid, rules)
    assert found.proven
    assert_proven(found, grid, constraints)


def test_a_miracle_grid_needs_two_givens():
    grid = all_grids(constraints_for("miracle"))[7]
    found = fewest_givens(Grid(grid.tobytes()), "miracle")
    assert (found.low, found.high) == (2, 2)


def test_the_number_is_that_of_every_equivalent_grid():
    constraints = constraints_for("classic", SIX)
    rng = np.random.default_rng(3)
    cells = representatives_6x6()[5:6]
    numbers = {fewest_givens(Grid(cells.tobytes(), SIX)).low}
    for _ in range(2):
        image = group(constraints).apply(group(constraints).random(rng), cells)
        numbers.add(fewest_givens(Grid(image.tobytes(), SIX)).low)
    assert len(numbers) == 1


def test_givens_of_a_puzzle():
    """A minimal puzzle needs all its givens, but not an additional one."""
    minimal = fewest_givens(CLASSIC)
    assert (minimal.low, minimal.high, str(minimal.puzzle)) == (24, 24, CLASSIC)
    assert can_be_hit(list(minimal.sets), 24) and not can_be_hit(list(minimal.sets), 23)
    more = "7" + CLASSIC[1:]
    assert fewest_givens(more).high <= 24


def test_puzzles_without_a_unique_solution_are_rejected():
    with pytest.raises(FewestError, match="no unique solution"):
        fewest_givens("." * 16)
    with pytest.raises(FewestError, match="no unique solution"):
        fewest_givens("11" + "." * 14)


def test_a_classic_grid_gets_bounds_in_time():
    for timeout in (2, 20):  # under sanitizers two seconds say little
        heard = []
        start = processor_seconds()
        found = fewest_givens(
            CLASSIC_SOLUTION, timeout=timeout, on_bounds=lambda *b, heard=heard: heard.append(b)
        )
        assert processor_seconds() - start < 10 * timeout
        if found.low >= 10:
            break
    assert 10 <= found.low <= 17 <= found.high <= 24
    lows, highs = zip(*heard, strict=True)
    assert list(lows) == sorted(lows) and list(highs) == sorted(highs, reverse=True)
    with Session() as session:
        assert session.decide(found.puzzle) == (Status.UNIQUE, as_grid(CLASSIC_SOLUTION))
    assert not can_be_hit(list(found.sets), 5)


def test_enough_stops_as_soon_as_that_is_known():
    found = fewest_givens(CLASSIC_SOLUTION, enough=8, timeout=60)
    assert found.low > 8 and not found.proven
    found = fewest_givens(CLASSIC_SOLUTION, enough=30, timeout=60)
    assert found.high <= 30 and not found.proven


@pytest.mark.parametrize("enough, told", [(None, False), (3, True), (4, False), (6, True)])
def test_bounds_tell_what_is_enough(enough, told):
    empty = as_grid("." * 16)
    found = Fewest(4, 6, empty, (frozenset({2, 1}),))
    assert found.tells(enough) is told
    assert found.words == f"4..6 {empty}"
    assert found.as_data()["unavoidable_sets"] == [[1, 2]]
    assert found._replace(low=6).tells(None)
