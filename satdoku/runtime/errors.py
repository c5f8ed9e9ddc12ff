"""The errors that satdoku raises and the answers that it gives.

Invariant: wrong input raises a `SatdokuError` that says what was found and what was expected. An
answer is a `Status` and never an exception, even if it is "no" or "unknown". A fault of satdoku
itself or of a solver is not a `SatdokuError`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from enum import IntEnum

LONGEST_NAME = 40  # an error repeats at most this many characters of a name


def shown(text: object) -> str:
    """Input text made safe to print: characters that a terminal would act on are escaped.

    Control, format, private-use and surrogate characters and unusual spaces are written as `\\x1b`
    or `\\u202e`.
    """
    words = str(text)
    if words.isprintable():
        return words
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in words)


def no_such(what: str, name: str, known: Iterable[str]) -> str:
    """The message for an unknown name: the nearest one, if any is near, and all that are known."""
    names, cut = sorted(known), name[:LONGEST_NAME]
    hint = nearest(cut, names)
    return f"no {what} '{cut}': {hint and hint + ' '}choose from {', '.join(names)}"


def nearest(word: str, known: Collection[str]) -> str:
    """A suggestion for a mistyped name, as a question; empty if nothing is near."""
    import difflib  # here, so that only a mistyped word costs this import

    guess = difflib.get_close_matches(word, known, n=1)
    return f"did you mean '{guess[0]}'?" if guess else ""


class SatdokuError(ValueError):
    """Base of every error that a user's input can cause; the command line turns it into exit 2.

    The message is one line. It is safe to print even if it repeats part of the input.
    """

    def __init__(self, *args: object) -> None:
        super().__init__(*(shown(text) if isinstance(text, str) else text for text in args))


class BudgetError(SatdokuError):
    """The budget of conflicts or seconds was used up before the answer was found."""

    status = "unknown"  # why, in a word


class OutOfTime(BudgetError):
    """The time limit ended before the answer was found; the message states the limit."""

    status = "timeout"


class Unanswered(BudgetError):
    """The query gave up or was stopped; status is `unknown`, `timeout`, `memory` or `error`."""

    def __init__(self, status: str, reason: str) -> None:
        super().__init__(reason)
        self.status = status

    def __reduce__(self) -> tuple[type[Unanswered], tuple[str, str]]:
        return Unanswered, (self.status, str(self))  # an exception pickles its message alone


class WorkerError(SatdokuError):
    """Workers that cannot be reached or started, or that keep dying."""


class WitnessError(RuntimeError):
    """A witness refuted a solver's answer: a fault of the program, never of the input."""


class Status(IntEnum):
    """The answer for one puzzle; its value is the code in the `statuses` arrays of a batch."""

    NONE = 0  # no solution
    UNIQUE = 1  # exactly one solution
    MULTIPLE = 2  # two solutions or more
    SOLVED = 3  # a solution was found and no second one was asked for
    INVALID = 4  # not a grid, or two givens clash
    UNKNOWN = 5  # the budget ran out first

    def __str__(self) -> str:
        return self.name.lower()
