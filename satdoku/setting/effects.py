"""What each given and clue excludes: how many solutions there are without it.

Invariant: an entry is said not to be needed only if the puzzle has the same solutions without it.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..answers.listing import at_most
from ..answers.session import shared_session
from ..model.puzzle import Puzzle
from ..runtime import limits
from ..runtime.errors import BudgetError, counted
from .entries import Suggestion, entries_of, without

MOST = 100  # solutions counted
SECONDS = 6.0  # for the solutions without one entry


def effects_of(puzzle: Puzzle) -> Iterator[Suggestion]:
    """A suggestion for each given and clue to go, those that are not needed in other words."""
    known, more = _count(puzzle)
    for entry in entries_of(puzzle):
        limits.check()
        fewer = without(puzzle, [entry])
        try:
            number, has_more = _count(fewer)
        except BudgetError:
            limits.check()
            continue
        if not (more or has_more) and number == known:
            words = f"{entry.name} is not needed"
        elif more:
            words = f"without {entry.name}: at least {counted(number, 'solution')}, as with it"
        else:
            bound = "at least " if has_more else ""
            words = f"without {entry.name}: {bound}{counted(number, 'solution')}, {known} with it"
        yield Suggestion(words, fewer, gone=(entry.name,), solutions=number, more=has_more)


def _count(puzzle: Puzzle) -> tuple[int, bool]:
    """The number of solutions, and whether there are more."""
    left = limits.left(SECONDS)
    grids, more = at_most(MOST, puzzle, shared_session(puzzle.constraints), left or SECONDS)
    return len(grids), more
