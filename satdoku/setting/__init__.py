"""Suggestions for a puzzle that is being set: what it does not need, what makes it unique, easier
or harder.

Invariant: each suggestion is a whole puzzle, and what is said of it has been checked. The same seed
makes the same suggestions, as far as the time goes.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

from ..answers.answer import answer
from ..files.one import PuzzleLike, Rules, without_marks
from ..generator import random_seed
from ..model.kinds import kind_of
from ..model.puzzle import Puzzle
from ..runtime import limits
from ..runtime.errors import BudgetError, SatdokuError, Status, no_such
from .difficulty import easier, harder
from .effects import effects_of
from .entries import GIVENS, Suggestion
from .unique import completions

__all__ = ["WANTS", "Suggestion", "SuggestionError", "suggest"]

WANTS = {
    "needs": "each given and clue that is not needed, and what every other one excludes",
    "unique": "the fewest givens or clues that leave one solution",
    "easier": "givens that make it easier",
    "harder": "what makes it harder: fewer givens and clues, or others",
}


class SuggestionError(SatdokuError):
    """There is nothing to suggest for a puzzle with this `status`."""

    def __init__(self, message: str, status: Status) -> None:
        super().__init__(message, status)
        self.status = status

    def __str__(self) -> str:
        return str(self.args[0])


def suggest(
    puzzle: PuzzleLike,
    rules: Rules = None,
    *,
    want: str = "needs",
    kinds: Sequence[str] = (GIVENS,),
    seed: int | None = None,
    timeout: float | None = None,
) -> Iterator[Suggestion]:
    """Suggestions as they are found: those of `unique` never add more than the one before, those
    of `harder` rate higher each time; after `timeout` seconds there are no more.

    want: a name of WANTS. kinds: what `unique` may add: kinds of clues, and `givens`. seed: of what
    is tried at random; None draws one. Raises `SuggestionError` for a puzzle that `want` does not
    fit: `unique` takes one with several solutions, `easier` and `harder` one with a unique
    solution, `needs` one with any.
    """
    if want not in WANTS:
        raise SatdokuError(no_such("want", want, tuple(WANTS)))
    for kind in kinds:
        if kind != GIVENS:
            kind_of(kind)
    with limits.within(timeout):
        grid, constraints = without_marks(puzzle, rules)
    drawn = random_seed() if seed is None else seed
    return _in_time(_asked(Puzzle(grid, constraints), want, tuple(kinds), drawn), timeout)


def _asked(puzzle: Puzzle, want: str, kinds: tuple[str, ...], seed: int) -> Iterator[Suggestion]:
    status = answer(puzzle).status
    if status is Status.UNKNOWN:
        raise limits.late()
    fits = {
        "needs": (Status.UNIQUE, Status.MULTIPLE),
        "unique": (Status.MULTIPLE,),
    }.get(want, (Status.UNIQUE,))
    if status not in fits:
        expected = " or ".join(map(str, fits))
        message = f"nothing to suggest: the puzzle is {status}, expected {expected}"
        raise SuggestionError(message, status)
    if want == "needs":
        yield from effects_of(puzzle)
    elif want == "unique":
        yield from completions(puzzle, kinds, seed)
    else:
        yield from (easier if want == "easier" else harder)(puzzle, seed)


def _in_time(found: Iterator[Suggestion], timeout: float | None) -> Iterator[Suggestion]:
    """The suggestions until the time is over; the time between them, which others use, counts."""
    end = limits.until(timeout)
    known = False
    while True:
        try:
            with limits.within(None if timeout is None else end - time.monotonic(), timeout):
                one = next(found, None)
        except BudgetError:
            if known:
                return
            raise
        if one is None:
            return
        known = True
        yield one
