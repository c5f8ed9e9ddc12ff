"""What is known of a puzzle while it is being made: solutions, true candidates, what clashes.

Invariant: what takes least time is told first, and each object holds by itself: the page may stop
listening after any of them.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ..answers.answer import answer
from ..answers.listing import at_most
from ..answers.session import shared_session
from ..answers.tallies import Tally, Tallying
from ..model.grid import Grid
from ..model.kinds import clue_of
from ..model.nearness import clue_warnings
from ..model.puzzle import Puzzle
from ..runtime import limits
from ..runtime.errors import BudgetError, Status
from ..witness.verify import first_violation
from .asked import asked_puzzle, clue_texts, flag_of, number_of, rules_of
from .clash import clashes
from .known import Grids, Known, Table, known_of
from .questions import Object

MOST_NOTED = 500  # of the solutions that were counted
STATUS_SECONDS, CANDIDATES_SECONDS, COUNT_SECONDS, TALLY_SECONDS = 8, 8, 6, 6


class _Bounds(NamedTuple):
    """How many solutions are counted, and of each candidate; whether the latter are."""

    solutions: int
    each: int
    counts: bool


def live(asked: Object) -> Iterator[Object]:
    """The stream of docs/PAGE.md: status, candidates, number of solutions, counts, clash."""
    start = time.perf_counter()
    puzzle = asked_puzzle(asked)
    bounds = _Bounds(
        number_of(asked, "limit", 1, 100_000, 1000),
        number_of(asked, "candidate_limit", 1, 1000, 100),
        flag_of(asked, "counts", default=True),
    )
    warnings = clue_warnings(rules_of(asked), puzzle.grid.board)
    if warnings:
        yield {"warnings": list(warnings)}
    known = known_of(puzzle.grid.board)
    solutions = known.solutions(puzzle)
    status, solution = _status(puzzle, known, solutions)
    yield {"status": str(status)}
    if status in (Status.NONE, Status.INVALID):
        yield from _clashes(puzzle, asked)
    elif status is Status.UNIQUE:
        assert solution is not None
        found, more = _layers(puzzle, solution, known)
        yield {"candidates": found}
        if more:
            yield {"warnings": [*warnings, *more]}
        yield {"solutions": 1, "more": False, "solution": str(solution)}
    else:
        yield from _several(asked, puzzle, known, solutions, bounds)
    yield {"done": True, "ms": round(1000 * (time.perf_counter() - start), 1)}


def _status(puzzle: Puzzle, known: Known, solutions: Grids) -> tuple[Status, Grid | None]:
    """The status, and the solution if there is one alone, verified."""
    if first_violation(puzzle.grid, puzzle.constraints.rules):
        return Status.INVALID, None
    status = known.status(puzzle, solutions)
    if status is not None:
        alone = status is Status.UNIQUE
        return status, Grid(solutions[0].tobytes(), puzzle.grid.board) if alone else None
    with limits.within(STATUS_SECONDS):
        found = answer(puzzle)
    if found.solution is not None:
        known.note(np.array([list(found.solution)], np.uint8))
    return found.status, found.solution


def _layers(puzzle: Puzzle, solution: Grid, known: Known) -> tuple[list[list[int]], list[str]]:
    """The digits of the only solution, those that layers may hold with it, and warnings of layers
    that may be filled in several ways."""
    board, alone = puzzle.grid.board, [[digit] for digit in solution]
    if not board.layers:
        known.settle(puzzle, _table(alone, board.choices))
        return alone, []
    try:
        table = _candidates(puzzle, known, known.solutions(puzzle))
    except BudgetError:
        rest = board.domains(tuple(range(board.grid_cells, board.cells)))
        every = [list(range(1, 1 + len(values))) for values in rest]
        return [*alone[: board.grid_cells], *every], ["there was no time to look at the layers"]
    true = _listed(table)
    open_cells = {cell for cell, values in enumerate(true) if len(values) > 1}
    starts = ((layer.name, board.first_of[layer.name]) for layer in board.layers)
    return true, [
        f"layer {name} has several ways"
        for name, first in starts
        if not open_cells.isdisjoint(range(first, first + board.size_of(name)))
    ]


def _clashes(puzzle: Puzzle, asked: Object) -> Iterator[Object]:
    """What clashes, smaller and smaller, with its clues as the page states them."""
    board = puzzle.grid.board
    stated = {clue_of(text, board).text(board): text for text in reversed(clue_texts(asked))}
    for found in clashes(puzzle):
        yield {"clash": found | {"stated": [stated.get(clue, clue) for clue in found["clues"]]}}


def _several(
    asked: Object, puzzle: Puzzle, known: Known, solutions: Grids, bounds: _Bounds
) -> Iterator[Object]:
    """What there is to say of a puzzle with several solutions, as far as the time goes."""
    session = shared_session(puzzle.constraints)
    try:
        true = _candidates(puzzle, known, solutions)
    except BudgetError:
        yield {"late": "candidates"}
    else:
        if not true.any():  # which was unknown until now
            yield {"status": str(Status.NONE)}
            yield from _clashes(puzzle, asked)
            return
        yield {"candidates": _listed(true)}
    grids, more = at_most(bounds.solutions, puzzle, session, COUNT_SECONDS)
    known.note(grids[:MOST_NOTED])
    yield {"solutions": len(grids), "more": more}
    if bounds.counts:
        yield _counts(bounds.each, puzzle, None if more or puzzle.grid.board.layers else grids)


def _candidates(puzzle: Puzzle, known: Known, solutions: Grids) -> Table:
    """The true candidates (cells, choices), with what is known; raises `BudgetError`."""
    tallying = Tallying(puzzle, shared_session(puzzle.constraints), CANDIDATES_SECONDS)
    tallying.note(solutions)
    tallying.strike(known.impossible(puzzle))
    try:
        true = tallying.candidates()
    finally:
        new = tallying.found[1:] if len(solutions) else tallying.found
        known.note(np.concatenate([*new, solutions[:0]]))
    known.settle(puzzle, true)
    return true


def _counts(most: int, puzzle: Puzzle, grids: Grids | None) -> Object:
    """The number of solutions of each candidate, at most so many; grids: all solutions, if these
    are known and the layers have no others."""
    if grids is None:
        tally = Tallying(puzzle, shared_session(puzzle.constraints), TALLY_SECONDS).counts(most)
    else:
        tally = _tally_of(grids, puzzle.grid.board.choices, most)
    return {
        "counts": [
            {str(digit + 1): int(row[digit]) for digit in np.flatnonzero(row)}
            for row in tally.counts
        ],
        "more_at": most,
        "at_least": [[int(c), int(d) + 1] for c, d in np.argwhere(~tally.exact)],
    }


def _table(lists: list[list[int]], choices: int) -> Table:
    """Digits of cells as a table."""
    table = np.zeros((len(lists), choices), np.bool_)
    for row, digits in zip(table, lists, strict=True):
        row[[digit - 1 for digit in digits]] = True
    return table


def _listed(true: Any) -> list[list[int]]:
    return [(np.flatnonzero(row) + 1).tolist() for row in true]


def _tally_of(grids: Any, size: int, most: int) -> Tally:
    """The counts of all candidates, where all solutions are known."""
    cells = grids.shape[1]
    numbers = (np.arange(cells) * size + grids - 1).ravel()
    counts = np.bincount(numbers, minlength=cells * size).reshape(cells, size)
    return Tally(np.minimum(counts, most), np.ones_like(counts, np.bool_))
