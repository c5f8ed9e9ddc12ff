"""Every puzzle with K givens of a grid, compared with known counts and with trying all."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from examples import CLASSIC_SOLUTION, FOUR
from symmetry_cases import six_by_six_grids

from satdoku.answers.session import Session
from satdoku.counting.few_grids import all_grids
from satdoku.fewest import puzzles_with_givens
from satdoku.fewest.others import COMPILED
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import Grid
from satdoku.runtime.errors import SatdokuError, Status
from satdoku.symmetry import orbits

needs_c = pytest.mark.skipif(not COMPILED, reason="no C: too slow")
# A grid of a published 17-clue puzzle (G. Royle's list), and the puzzle.
SEVENTEEN = "000000010400000000020000000000050407008000300001090000300400200050100000000806000"


def of_4x4(cells, size, grids):
    """The sets of cells that tell a 4x4 grid from all others, by trying all."""
    found = set()
    for chosen in combinations(range(16), size):
        if sum(all(grid[c] == cells[c] for c in chosen) for grid in grids) == 1:
            found.add(chosen)
    return found


def chosen(puzzle):
    return tuple(cell for cell, digit in enumerate(puzzle) if digit)


@pytest.mark.parametrize("size", [3, 4, pytest.param(5, marks=pytest.mark.slow)])
def test_4x4_grids_by_trial(size, four_by_four):
    for cells in four_by_four[::150]:
        found = puzzles_with_givens(size, Grid(cells, FOUR))
        assert found.complete
        assert set(map(chosen, found.puzzles)) == of_4x4(cells, size, four_by_four)


@pytest.mark.slow
@pytest.mark.parametrize(("size", "count"), [(4, 25728), (5, 284160), (6, 1041408)])
def test_4x4_puzzles_of_all_grids(size, count, four_by_four):
    """OEIS A109252."""
    found = [puzzles_with_givens(size, Grid(cells, FOUR)).puzzles for cells in four_by_four]
    assert sum(map(len, found)) == count


@needs_c
def test_6x6_grids_have_no_puzzle_with_7_givens():
    grids = six_by_six_grids()
    numbers_of_8 = Counter()
    for cells in grids[orbits(grids).representatives][::12]:
        grid = Grid(cells.tobytes(), Board.of_size(6))
        assert puzzles_with_givens(7, grid).puzzles == ()
        found = puzzles_with_givens(8, grid)
        numbers_of_8[len(found.puzzles)] += 1
        with Session(found.constraints) as session:
            for puzzle in found.puzzles[:5]:
                assert session.decide(puzzle) == (Status.UNIQUE, grid)
    assert set(numbers_of_8) - {0}


@needs_c
def test_14_givens_are_too_few_for_a_9x9_grid_and_the_sets_prove_it():
    found = puzzles_with_givens(14, CLASSIC_SOLUTION)
    assert found.complete and found.puzzles == () and len(found.sets) > 200
    certificate = found.certificate()
    assert (certificate.givens, certificate.puzzles) == (14, ())
    assert len(certificate.others) == len(found.sets) == len(set(found.sets))
    assert "0 with 14 givens" in repr(found) and "no puzzle with 14 givens" in repr(certificate)


@pytest.mark.slow
@needs_c
def test_16_and_17_givens():
    with Session() as session:
        grid = session.solve(SEVENTEEN)
    assert puzzles_with_givens(16, grid).puzzles == ()
    assert SEVENTEEN.replace("0", ".") in map(str, puzzles_with_givens(17, grid).puzzles)


def test_a_miracle_grid_has_no_puzzle_with_one_given():
    grid = Grid(all_grids(constraints_for("miracle"))[7].tobytes())
    found = puzzles_with_givens(1, grid, "miracle")
    assert found.complete and found.puzzles == ()
    assert found.certificate().rules == ("knight", "king", "nonconsecutive")


@pytest.mark.slow
@needs_c
def test_puzzles_of_a_miracle_grid_with_two_givens():
    """All 72 grids have 87,408 (`count_givens`, by another method), and this one a 72nd of them."""
    grid = Grid(all_grids(constraints_for("miracle"))[7].tobytes())
    assert len(puzzles_with_givens(2, grid, "miracle").puzzles) == 87408 // 72


def test_clues_are_kept_by_a_session():
    grid = Grid(bytes.fromhex("01020304030401020201040304030201"), FOUR)
    rules = "classic;cage=3:r1c1,r1c2"
    plain = set(map(str, puzzles_with_givens(4, grid).puzzles))
    under_clue = puzzles_with_givens(4, grid, rules)
    assert plain < set(map(str, under_clue.puzzles))
    with Session(under_clue.constraints) as session:
        assert all(session.classify(p) is Status.UNIQUE for p in under_clue.puzzles)


@needs_c
def test_a_search_goes_on_where_it_was_interrupted(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    journal, seen = str(tmp_path / "journal"), []

    def interrupt(done, total):
        seen.append(done)
        if done == 40:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        puzzles_with_givens(13, CLASSIC_SOLUTION, resume=journal, progress=interrupt)
    seen.clear()
    again = puzzles_with_givens(
        13, CLASSIC_SOLUTION, resume=journal, progress=lambda *now: seen.append(now)
    )
    assert again.complete and again.puzzles == ()
    assert [done for done, _ in seen] == list(range(1, again.tasks + 1))
    assert again.certificate().givens == 13
    with pytest.raises(SatdokuError, match="not a journal of the same task"):
        puzzles_with_givens(12, CLASSIC_SOLUTION, resume=journal)


def test_time_that_runs_out_is_told():
    found = puzzles_with_givens(18, CLASSIC_SOLUTION, timeout=0.0)
    assert not found.complete
    with pytest.raises(ValueError, match="complete search"):
        found.certificate()


@pytest.mark.parametrize(("grid", "givens", "message"), [
    ("123434122143432.", 4, "full grid, found 15"),
    ("1134341221434321", 4, "breaks the rules"),
    ("1234341221434321", 17, "expected 0 to 16"),
])  # fmt: skip
def test_grids_that_cannot_be_taken(grid, givens, message):
    with pytest.raises(SatdokuError, match=message):
        puzzles_with_givens(givens, grid)
