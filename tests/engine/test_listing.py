"""All solutions in ascending order: against backtracking, sessions and other implementations."""

from __future__ import annotations

from functools import cache
from itertools import islice

import engine_cases as cases
import numpy as np
import pytest

from satdoku import Session, engine
from satdoku.engine import kernel, listing
from satdoku.engine.plan import plan_for
from satdoku.engine.targets import TARGETS
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import Grid, empty_grid
from satdoku.runtime.errors import Status
from satdoku.witness.verify import violations

CLASSIC = constraints_for("classic")
FOUR, SIX = Board.of_size(4), Board.of_size(6)
FIRST = "123456789456789123789123456214365897365897214897214365531642978642978531978531642"


@pytest.fixture(params=engine.implementations())
def name(request):
    return request.param


def rows_of(constraints, puzzle, **options):
    """All solutions as bytes."""
    blocks = list(engine.enumerate_grids(puzzle, constraints, **options))
    assert all(len(block) for block in blocks)
    return [row.tobytes() for block in blocks for row in block]


@cache
def backtracked(constraints, cells):
    """All solutions, by filling cell after cell and asking the witness, which knows no engine."""
    board = constraints.board
    grids = [bytes(cells)]
    for cell in range(board.cells):
        digits = [cells[cell]] if cells[cell] else range(1, board.size + 1)
        grids = [
            filled
            for grid in grids
            for digit in digits
            if not violations(
                Grid(filled := grid[:cell] + bytes([digit]) + grid[cell + 1 :], board),
                constraints.rules,
            )
        ]
    return grids


def with_holes(constraints, holes, seed):
    """A grid under the rules with random cells emptied."""
    generator = np.random.default_rng(seed)
    board = constraints.board
    with Session(constraints) as session:
        cells = np.frombuffer(session.solve(empty_grid(board)).cells, np.uint8).copy()
    cells[generator.choice(board.cells, holes, replace=False)] = 0
    return cells


FOURS = ("classic", "diagonal", "thermo:r1c1,r1c2,r2c2", "cage=5:r1c1,r2c1;cage=6:r3c3,r3c4,r4c4")


@pytest.mark.parametrize("rules", FOURS)
def test_every_grid_of_4x4_once_and_in_order(rules, name):
    constraints = constraints_for(rules, FOUR)
    expected = backtracked(constraints, bytes(16))
    assert rows_of(constraints, np.zeros(16, np.uint8), implementation=name) == expected
    if rules == "classic":
        assert len(expected) == 288


@pytest.mark.parametrize(
    ("rules", "holes"),
    [
        ("classic", 50), ("diagonal", 60), ("miracle", 80), ("nonconsecutive", 71), ("knight", 68),
        ("thermo:r1c1,r2c1,r3c1;odd:r5c5", 52), ("cage=12:r4c4,r4c5,r5c4", 54),
        ("sandwich=5:r1c1-r1c9", 54), ("little-killer=20:r1c4,r2c3,r3c2,r4c1", 48),
    ],
)  # fmt: skip
def test_the_set_is_that_of_a_session(rules, holes):
    constraints = constraints_for(rules)
    puzzle = with_holes(constraints, holes, seed=holes)
    with Session(constraints) as session:
        known = sorted(grid.cells for grid in session.solutions(puzzle, limit=600))
    assert 1 < len(known) < 600
    assert rows_of(constraints, puzzle) == known


def test_6x6_from_some_givens(name):
    constraints = constraints_for("classic", SIX)
    puzzle = with_holes(constraints, 26, seed=1)
    found = rows_of(constraints, puzzle, implementation=name)
    assert found == backtracked(constraints, puzzle.tobytes())
    assert len(found) > 10


@pytest.mark.parametrize("target", TARGETS)
def test_the_first_grids_of_an_empty_board(target):
    found = []
    for block in engine.enumerate_grids(np.zeros(81, np.uint8), CLASSIC, implementation=target):
        found += [row.tobytes() for row in block]
        if len(found) >= 2000:
            break
    assert "".join(map(str, found[0])) == FIRST
    assert found == sorted(set(found))
    many = Session().solutions(bytes(found[0][:54]) + bytes(27))
    known = sorted(grid.cells for grid in many)
    assert found[: len(known)] == known


def test_numpy_begins_with_the_same_grids():
    puzzle = np.frombuffer(bytes(map(int, FIRST[:45])) + bytes(36), np.uint8)
    blocks = engine.enumerate_grids(puzzle, CLASSIC, implementation="numpy")
    best = engine.enumerate_grids(puzzle, CLASSIC)
    first = next(blocks)[:200]
    assert (np.concatenate(list(islice(best, 3)))[: len(first)] == first).all()


@pytest.mark.parametrize("marked", [False, True])
def test_a_listing_goes_on_behind_any_grid(marked, name):
    """Behind each of its grids, and behind full grids that are none of its."""
    constraints = constraints_for("classic", FOUR)
    puzzle = np.zeros(16, np.uint8)
    puzzle[[3, 9]] = 2, 4
    every = rows_of(constraints, puzzle)
    asked = puzzle
    if marked:
        asked = (puzzle[:, None] == np.arange(1, 5)) | (puzzle == 0)[:, None]
        asked = asked.ravel()
        assert rows_of(constraints, asked, implementation=name) == every
    wrong = [np.full(16, digit, np.uint8).tobytes() for digit in range(1, 5)]
    for last in [*every[::5], every[-1], *wrong]:
        behind = np.frombuffer(last, np.uint8)
        found = rows_of(constraints, asked, after=behind, implementation=name)
        assert found == [grid for grid in every if grid > last]


def test_pencil_marks_are_kept(name):
    constraints = constraints_for("classic", FOUR)
    for marks in cases.random_marks(constraints, 12, seed=5):
        kept = marks.reshape(16, 4)
        expected = [
            grid
            for grid in backtracked(constraints, bytes(16))
            if all(kept[cell, digit - 1] for cell, digit in enumerate(grid))
        ]
        assert rows_of(constraints, marks, implementation=name) == expected


@pytest.mark.parametrize("largest", [0, 7, 81])
def test_the_order_does_not_depend_on_the_size_of_cubes(largest, monkeypatch):
    """Nor on the room for the solutions of a cube, nor on its nodes."""
    puzzle = with_holes(CLASSIC, 50, seed=50)
    every = rows_of(CLASSIC, puzzle)
    assert len(every) == 78
    monkeypatch.setattr(
        listing._Listing, "_adapt", lambda self, *_: setattr(self, "largest", largest)
    )
    monkeypatch.setattr(listing, "ROOM", 5)
    monkeypatch.setattr(listing, "NODES", 10)
    assert rows_of(CLASSIC, puzzle) == every


def test_cubes_that_take_too_many_nodes_are_handed_over(monkeypatch):
    puzzle = with_holes(CLASSIC, 50, seed=50)
    every = rows_of(CLASSIC, puzzle)
    monkeypatch.setattr(listing, "NODES", 1)
    monkeypatch.setattr(listing, "FEW_NODES", 1)
    rows, asked = np.frombuffer(b"".join(every), np.uint8).reshape(-1, 81), []

    def hard(cube):
        asked.append(cube)
        found = rows[((cube == 0) | (rows == cube)).all(1)]
        return None if len(found) > 20 else found

    assert rows_of(CLASSIC, puzzle, hard=hard) == every
    assert asked


def test_a_puzzle_without_a_solution_and_one_that_is_full():
    none = np.zeros(81, np.uint8)
    none[:2] = 5
    assert rows_of(CLASSIC, none) == []
    full = np.frombuffer(bytes(map(int, FIRST)), np.uint8)
    assert rows_of(CLASSIC, full) == [full.tobytes()]


def test_wrong_arguments_are_refused():
    for puzzle in (np.zeros(80, np.uint8), np.zeros(81, np.int64)):
        with pytest.raises(engine.EngineError, match="puzzles are"):
            engine.enumerate_grids(puzzle, CLASSIC)
    with pytest.raises(engine.EngineError, match="a digit is too large"):
        engine.enumerate_grids(np.full(81, 10, np.uint8), CLASSIC)
    with pytest.raises(engine.EngineError, match="after: expected 81 digits from 1 to 9"):
        engine.enumerate_grids(np.zeros(81, np.uint8), CLASSIC, after=np.zeros(81, np.uint8))


def test_a_list_is_whole_or_says_that_it_is_not(name):
    """Four puzzles at a time: with room, without, without nodes, and with a wrong digit."""
    constraints = constraints_for("classic", FOUR)
    search = kernel.listed if name in TARGETS else None
    if search is None:
        from satdoku.engine import reference

        def search(plan, puzzles, room, budget, _):
            return reference.listed(plan, puzzles, room, budget)

    plan = plan_for(constraints, True)
    puzzles = np.zeros((3, 16), np.uint8)
    puzzles[1, :4] = 1, 2, 3, 4
    puzzles[2, 0] = 7
    status, counts, solutions = search(plan, puzzles, 20, 1000, name)
    assert status.tolist() == [Status.MULTIPLE, Status.NONE, Status.INVALID]
    assert counts.tolist() == [20, 12, 0]
    assert [row.tobytes() for row in solutions[1, :12]] == backtracked(
        constraints, puzzles[1].tobytes()
    )
    status, counts, _ = search(plan, puzzles[:1], 300, 3, name)
    assert (status[0], counts[0] < 288) == (Status.UNKNOWN, True)
