"""What a symmetry of the rules may not change, and that what is none does change something.

The symmetries are stated here by hand, from what a Sudoku is; `satdoku.symmetry`, which computes
them, is only asked where it says so.
"""

import random
from functools import cache

import numpy as np
import pytest

from satdoku import engine
from satdoku.answers.session import shared_session
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import Grid
from satdoku.runtime.errors import Status
from satdoku.symmetry import group
from satdoku.witness.verify import violations

SQUARE = ["classic", "knight", "king", "nonconsecutive", "diagonal", "antiqueen", "windoku"]
CHESS = ["knight", "king", "nonconsecutive", "miracle"]


# Symmetries, as functions of an (n, n) array


def turn(cells, rng):
    """One of the eight symmetries of the square."""
    cells = np.rot90(cells, rng.randrange(4))
    return cells.T if rng.random() < 0.5 else cells


def relabel(cells, rng):
    size = len(cells)
    return np.array([0, *rng.sample(range(1, size + 1), size)], np.uint8)[cells]


def reverse_digits(cells, rng):
    return np.where(cells, len(cells) + 1 - cells, 0).astype(np.uint8)


def swap_rows_of_a_band(cells, rng):
    height = box_height(len(cells))
    start = rng.randrange(len(cells) // height) * height
    a, b = rng.sample(range(start, start + height), 2)
    return exchanged(cells, [a], [b])


def swap_bands(cells, rng):
    height = box_height(len(cells))
    a, b = rng.sample(range(len(cells) // height), 2)
    return exchanged(cells, *([height * i + k for k in range(height)] for i in (a, b)))


def exchanged(cells, some, others):
    order = np.arange(len(cells))
    order[some], order[others] = others, some
    return cells[order]


def box_height(size):
    return Board.of_size(size).box_rows


def on_columns(swap):
    return lambda cells, rng: swap(cells.T, rng).T


CLASSIC = [turn, relabel, swap_rows_of_a_band, swap_bands, on_columns(swap_rows_of_a_band),
           on_columns(swap_bands)]  # fmt: skip
BY_ROWS = (relabel, swap_rows_of_a_band, swap_bands)
FIXES = {
    "classic": CLASSIC,
    "knight": [turn, relabel],
    "king": [turn, relabel],
    "nonconsecutive": [turn, reverse_digits],
    "miracle": [turn, reverse_digits],
    "diagonal": [turn, relabel],
    "windoku": [turn, relabel],
    "disjoint": [turn, relabel],
    "antiqueen": [turn],
}


@cache
def puzzles(rules, size, number, seed):
    """Puzzles with a solution, with several, and with none, as (n, n) arrays."""
    rng, constraints = random.Random(seed), constraints_for(rules, Board.of_size(size))
    session, made = shared_session(constraints), []
    while len(made) < number:
        start = bytearray(size * size)
        for _ in range(3 if rules == "classic" else 1):
            start[rng.randrange(len(start))] = rng.randint(1, size)
        solution = session.solve(Grid(bytes(start), constraints.board))
        if solution is None:
            continue
        share = rng.choice((0.2, 0.35, 0.5))
        cells = [digit * (rng.random() < share) for digit in solution]
        if rng.random() < 0.25:
            cells[rng.randrange(len(cells))] = rng.randint(1, size)
        made.append(np.array(cells, np.uint8).reshape(size, size))
    return constraints, made


def answers(constraints, cells, limit=6):
    """Everything that no symmetry may change."""
    puzzle = Grid(np.ascontiguousarray(cells).tobytes(), constraints.board)
    session = shared_session(constraints)
    flat = np.ascontiguousarray(cells.reshape(1, -1))
    by_engine = int(engine.solve(flat, constraints).status[0])
    alternatives = sorted(map(len, session.candidates(puzzle)))
    fixed = session.propagate(puzzle)
    count = session.count(puzzle, limit=limit)
    return session.classify(puzzle), count, by_engine, alternatives, fixed and fixed.givens


@pytest.mark.parametrize(
    ("rules", "size"), [*((r, 9) for r in FIXES), *((r, 6) for r in ("classic", "king"))]
)
def test_answers_do_not_change_under_the_symmetries_of_the_rules(rules, size):
    constraints, made = puzzles(rules, size, 4, seed=1)
    rng = random.Random(2)
    # Boxes of 2x3 cells do not turn, and their stacks are not as wide as their bands are high.
    moves = FIXES[rules] if size == 9 else [m for m in FIXES[rules] if m in BY_ROWS]
    statuses = set()
    for cells in made:
        before, image = answers(constraints, cells), cells
        for move in rng.sample(moves, len(moves)):
            image = move(image, rng)
        assert answers(constraints, image) == before
        statuses.add(before[0])
    assert Status.UNIQUE in statuses or Status.MULTIPLE in statuses


def test_a_half_turn_keeps_boxes_that_are_no_squares():
    constraints, made = puzzles("classic", 6, 5, seed=3)
    for cells in made:
        assert answers(constraints, np.rot90(cells, 2)) == answers(constraints, cells)
        wide = constraints_for("classic", Board(6, 3, 2))
        assert answers(wide, cells.T) == answers(constraints, cells)


@pytest.mark.parametrize("rules", ["classic", "king", "nonconsecutive", "diagonal", "windoku"])
def test_answers_do_not_change_under_the_group_that_was_computed(rules):
    constraints, made = puzzles(rules, 9, 4, seed=1)
    symmetries, rng = group(constraints), np.random.default_rng(5)
    flat = np.array([cells.reshape(-1) for cells in made])
    images = [symmetries.apply(symmetries.random(rng), flat) for _ in range(2)]
    for row, cells in enumerate(made):
        before = answers(constraints, cells)
        assert all(answers(constraints, image[row].reshape(9, 9)) == before for image in images)


@cache
def grids(rules, number, seed):
    """Full grids under the rules."""
    rng, constraints = random.Random(seed), constraints_for(rules)
    session, made = shared_session(constraints), []
    while len(made) < number:
        start = bytearray(81)
        start[rng.randrange(81)] = rng.randint(1, 9)
        solution = session.solve(Grid(bytes(start)))
        assert solution is not None
        made.append(np.frombuffer(solution.cells, np.uint8).reshape(9, 9))
    return constraints, made


BROKEN_BY = {
    **{rules: [swap_rows_of_a_band, swap_bands] for rules in CHESS},
    "nonconsecutive": [swap_rows_of_a_band, swap_bands, relabel],
    "miracle": [swap_rows_of_a_band, swap_bands, relabel],
    "diagonal": [swap_rows_of_a_band, swap_bands],
    "windoku": [swap_rows_of_a_band, swap_bands],
    "antiqueen": [swap_rows_of_a_band, swap_bands, relabel],
}


@pytest.mark.parametrize(("rules", "move"), [(r, m) for r, ms in BROKEN_BY.items() for m in ms])
def test_what_is_no_symmetry_breaks_the_rules(rules, move):
    """A swapped grid is still a Sudoku, but the witness, the solver and the engine refuse it."""
    constraints, made = grids(rules, 6, seed=6)
    classic, rng = constraints_for("classic"), random.Random(7)
    broken = 0
    for cells in made:
        image = np.ascontiguousarray(move(cells, rng))
        grid = Grid(image.tobytes())
        assert not violations(grid, classic.rules)
        clash = bool(violations(grid, constraints.rules))
        assert shared_session(constraints).classify(grid) is (
            Status.INVALID if clash else Status.UNIQUE
        )
        status = engine.solve(image.reshape(1, -1), constraints).status[0]
        assert status == (Status.NONE if clash else Status.UNIQUE)
        broken += clash
    assert broken >= 3


@pytest.mark.parametrize("rules", ["knight", "king"])
def test_band_swaps_change_the_count_of_a_puzzle(rules):
    """Seen from a puzzle: its one solution is lost, or others come."""
    constraints, made = grids(rules, 3, seed=8)
    rng, changed = random.Random(9), 0
    for cells in made:
        kept = cells * np.array([rng.random() < 0.45 for _ in range(81)]).reshape(9, 9)
        before = answers(constraints, kept.astype(np.uint8), limit=50)[:2]
        changed += (
            answers(constraints, swap_bands(kept.astype(np.uint8), rng), limit=50)[:2] != before
        )
    assert changed == 3
