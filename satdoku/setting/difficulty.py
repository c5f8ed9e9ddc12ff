"""Puzzles near one with a unique solution that are easier or harder, by their ratings.

Invariant: each suggestion has the one solution of the puzzle, and the rating that is told is its
own, of the same scale.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from ..answers.answer import answer
from ..explain.rated import rating_of
from ..model.grid import Grid
from ..model.puzzle import Puzzle
from ..runtime import limits
from ..runtime.errors import Status
from .entries import Entry, Suggestion, entries_of, given_at, with_entries, without

SWAPS = 60  # givens that are added in turn so that others can go


def easier(puzzle: Puzzle, seed: int) -> Iterator[Suggestion]:
    """One given more: for each rating below that of the puzzle the first given that leads to it."""
    grid = puzzle.grid
    before, solution = _er(puzzle), _solution(puzzle)
    empty = [cell for cell in range(grid.board.grid_cells) if not grid[cell]]
    told = set()
    for cell in Random(seed).sample(empty, len(empty)):
        limits.check()
        entry = given_at(puzzle, cell, solution[cell])
        made = with_entries(puzzle, [entry])
        rating = _er(made)
        if rating < before and rating not in told:
            told.add(rating)
            words = f"with {entry.name}: rating {rating}, {before} before"
            yield Suggestion(words, made, added=(entry.name,), rating=rating)


def harder(puzzle: Puzzle, seed: int) -> Iterator[Suggestion]:
    """What can go; then a given more, with which others can go: each harder than all before."""
    rng, before = Random(seed), _er(puzzle)
    best = before
    for added, gone in _fewer(puzzle, rng):
        made = without(with_entries(puzzle, added), gone)
        rating = _er(made)
        if rating > best:
            best = rating
            plus, minus = (tuple(entry.name for entry in some) for some in (added, gone))
            but = f"with {', '.join(plus)} and " if plus else ""
            words = f"{but}without {', '.join(minus)}: rating {rating}, {before} before"
            yield Suggestion(words, made, minus, plus, rating=rating)


def _fewer(puzzle: Puzzle, rng: Random) -> Iterator[tuple[list[Entry], list[Entry]]]:
    """What to add and to take away, so that the solution stays the only one."""
    own = entries_of(puzzle)
    spare = [entry for entry in own if _is_unique(without(puzzle, [entry]))]
    yield from (([], [entry]) for entry in spare)
    yield [], _all_that_can_go(puzzle, rng.sample(spare, len(spare)))
    grid, solution = puzzle.grid, _solution(puzzle)
    empty = [cell for cell in range(grid.board.grid_cells) if not grid[cell]]
    for cell in rng.sample(empty, min(SWAPS, len(empty))):
        added = [given_at(puzzle, cell, solution[cell])]
        gone = _all_that_can_go(with_entries(puzzle, added), rng.sample(own, len(own)))
        if gone:
            yield added, gone


def _all_that_can_go(puzzle: Puzzle, entries: list[Entry]) -> list[Entry]:
    """The entries that can go one after the other."""
    gone: list[Entry] = []
    for entry in entries:
        limits.check()
        if _is_unique(without(puzzle, [*gone, entry])):
            gone.append(entry)
    return gone


def _is_unique(puzzle: Puzzle) -> bool:
    status = answer(puzzle).status
    if status is Status.UNKNOWN:
        raise limits.late()
    return status is Status.UNIQUE


def _solution(puzzle: Puzzle) -> Grid:
    solution = answer(puzzle).solution
    if solution is None:
        raise limits.late()
    return solution


def _er(puzzle: Puzzle) -> float:
    return float(rating_of(puzzle.grid, puzzle.constraints).er)
