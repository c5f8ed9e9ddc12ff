"""Making puzzles: fill a grid, generate givens or clues, take away what is not needed.

Invariant: what is made has one solution, the generator has checked that; the same request with the
same seed makes the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np

from .. import engine
from ..answers.answer import Answer, answer, solution_of
from ..answers.listing import as_asked, check
from ..generator import Wish, random_seed
from ..generator import generate as generated
from ..generator import minimize as minimized
from ..generator.clues import puzzles_with_clues, thinned
from ..model.constraints import constraints_for
from ..model.grid import Grid, empty_grid
from ..model.puzzle import Puzzle, of_cells
from ..runtime import limits
from ..runtime.errors import Status
from .asked import HIGHEST_SEED, AskedError, asked_puzzle, flag_of, number_of, stated, text_of
from .questions import Object

SECONDS = 50.0
NODES = 2_000  # of the engine, before a session is asked


def fill(asked: Object) -> Iterator[Object]:
    """{"puzzle", "seed"}: the puzzle with a random solution of it as givens."""
    puzzle, seed = asked_puzzle(asked), _seed(asked)
    rng, board = Random(seed), puzzle.grid.board
    if puzzle.constraints.needs_session:
        yield {"puzzle": stated(puzzle, _drawn(puzzle, rng)), "seed": seed}
        return
    marks = _propagated(puzzle, as_asked(puzzle)[None])
    if marks is None or not _is_possible(puzzle, marks):
        raise AskedError("the puzzle has no solution")
    while (open_cells := np.flatnonzero(marks.sum(axis=1) > 1)).size:
        cell = int(rng.choice(open_cells.tolist()))
        digits = np.flatnonzero(marks[cell]).tolist()
        for digit in rng.sample(digits, len(digits)):
            tried = marks.copy()
            tried[cell] = np.arange(board.choices) == digit
            left = _propagated(puzzle, tried.reshape(1, -1))
            if left is not None and _is_possible(puzzle, left):
                marks = left
                break
    cells = (marks.argmax(axis=1) + 1).astype(np.uint8)
    check(cells[None], as_asked(puzzle), puzzle.constraints)
    yield {"puzzle": stated(puzzle, Grid(cells.tobytes(), board)), "seed": seed}


def _drawn(puzzle: Puzzle, rng: Random) -> Grid:
    """A random solution, without the values of layers: random cells take random digits with which
    there still is one, until there is only one."""
    board = puzzle.grid.board
    cells, found = bytearray(puzzle.grid.cells), _answered(puzzle)
    places = [cell for cell in range(board.grid_cells) if not cells[cell]]
    for cell in rng.sample(places, len(places)):
        if found.status is Status.UNIQUE:
            break
        for digit in rng.sample(range(1, 1 + len(board.digits)), len(board.digits)):
            cells[cell] = digit
            tried = _answered(replace(puzzle, grid=Grid(bytes(cells), board)))
            if tried.solution is not None:
                found = tried
                break
    if found.solution is None:
        raise AskedError("the puzzle has no solution")
    digits = found.solution.cells[: board.grid_cells]
    return Grid(digits.ljust(board.cells, b"\0"), board)


def _answered(puzzle: Puzzle) -> Answer:
    with limits.within(SECONDS):
        found = answer(puzzle)
    if found.status is Status.UNKNOWN:
        raise limits.late(SECONDS)
    return found


def _propagated(puzzle: Puzzle, row: Any) -> Any:
    """The candidates (cells, size) that unit propagation leaves; None if it finds a conflict."""
    marks, conflict = engine.propagate(row, puzzle.constraints)
    return None if conflict[0] else marks[0].reshape(puzzle.grid.board.cells, -1).copy()


def _is_possible(puzzle: Puzzle, marks: Any) -> bool:
    """Whether some solution keeps to the candidates."""
    kept = of_cells(marks.tobytes(), puzzle.constraints)
    return solution_of(kept, timeout=SECONDS) is not None


def generate(asked: Object) -> Iterator[Object]:
    """{"puzzle", "seed"}: givens for the rules and clues, so that one solution is left; with
    `kinds`, random clues of these kinds instead."""
    base, seed = _base(asked), _seed(asked)
    kinds = asked.get("kinds")
    if kinds:
        if not isinstance(kinds, list) or not all(isinstance(kind, str) for kind in kinds):
            raise AskedError("kinds: expected a list of names")
        found = next(puzzles_with_clues(1, base.constraints, clues=kinds, seed=seed))
        made = replace(base, constraints=found.constraints)
        yield {"puzzle": stated(made, found.grid), "seed": seed}
        return
    grids = generated(
        1,
        base.constraints,
        seed=seed,
        wish=Wish(
            givens=_range(asked, "givens", base.grid.board.grid_cells),
            minimal=flag_of(asked, "minimal"),
            symmetry=text_of(asked, "symmetry", "none"),
            er=_range(asked, "er", 12),
        ),
        timeout=SECONDS,
    )
    if not len(grids):
        raise AskedError(f"no such puzzle was found within {SECONDS:g} seconds: try another seed")
    yield {"puzzle": stated(base, Grid(grids[0].tobytes(), base.grid.board)), "seed": seed}


def _base(asked: Object) -> Puzzle:
    """The rules and clues of a request, on an empty board: of its puzzle, or stated alone."""
    if "puzzle" not in asked:
        size = number_of(asked, "size", 2, 16, 9)
        boxes = asked.get("boxes")
        if isinstance(boxes, str) and boxes.partition("x")[2].isdecimal():
            rows, _, columns = boxes.partition("x")
            size = int(rows[:2] if rows.isdecimal() else 0) * int(columns[:2])
        keys = {key: asked[key] for key in ("boxes", "rules", "clues") if key in asked}
        about = {"format": "satdoku-puzzle", "version": 1, "puzzle": "." * size * size}
        asked = {"puzzle": about | keys}
    puzzle = asked_puzzle(asked)
    empty = empty_grid(puzzle.grid.board)
    return replace(puzzle, grid=empty, marks=None)


def minimize(asked: Object) -> Iterator[Object]:
    """{"puzzle", "seed", "gone"}: the puzzle without givens, and with `clues` also without clues,
    that it does not need; `gone` is how many went."""
    puzzle, seed = asked_puzzle(asked, marks=False), _seed(asked)
    with_clues = flag_of(asked, "clues")
    before = puzzle.grid.givens + len(puzzle.constraints.clues)
    cells = minimized(puzzle, seed=seed)[0]
    constraints = puzzle.constraints
    if with_clues:
        constraints = constraints_for(
            thinned(cells, constraints, Random(seed)).name, puzzle.grid.board
        )
    made = replace(puzzle, constraints=constraints)
    grid = Grid(cells.tobytes(), puzzle.grid.board)
    gone = before - grid.givens - len(constraints.clues)
    yield {"puzzle": stated(made, grid), "seed": seed, "gone": gone}


def _seed(asked: Object) -> int:
    """The seed of a request, or a random one, which the answer tells."""
    return number_of(asked, "seed", 0, HIGHEST_SEED, random_seed() & HIGHEST_SEED)


def _range(asked: Object, key: str, high: int) -> Any:
    """Two numbers, the least and the most."""
    value = asked.get(key)
    if value is None:
        return None
    numbers = value if isinstance(value, list) else [value, value]
    good = len(numbers) == 2 and all(
        type(number) in (int, float) and 0 <= number <= high for number in numbers
    )
    if not good:
        raise AskedError(f"{key}: expected two numbers from 0 to {high}, the least and the most")
    return tuple(numbers)
