"""The errors that satdoku raises and the answers that it gives.

Invariant: wrong input raises a `SatdokuError` that says what was found and what was expected. An
answer is a `Status` and never an exception, even if it is "no" or "unknown". A fault of satdoku
itself or of a solver is not a `SatdokuError`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from enum import IntEnum
from functools import partial

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


def no_such(what: str, name: str, known: Iterable[str], where: str = "") -> str:
    """The message for an unknown name: the nearest one, if any is near, and all that are known."""
    names, cut = list(known), name[:LONGEST_NAME]
    hint = nearest(cut, names)
    return f"no {what} '{cut}'{where}: {hint and hint + ' '}choose from {', '.join(names)}"


def counted(number: int, noun: str) -> str:
    """`1 puzzle`, `1,000 puzzles`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


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


_LONGEST_FOUND = 200  # an error repeats at most this many characters of what was found


class GridError(SatdokuError):
    """A text that is not a grid: where (line and column from 1), what was found and expected."""

    def __init__(
        self,
        found: str,
        expected: str,
        *,
        line: int = 1,
        column: int = 1,
        source: str | None = None,
    ) -> None:
        # What was found may be as long as the input.
        self.found = found if len(found) <= _LONGEST_FOUND else f"{found[:_LONGEST_FOUND]}..."
        self.expected = expected
        self.line, self.column, self.source = line, column, source
        where = f"{source or 'puzzle'}: line {line}, column {column}"
        super().__init__(f"{where}: found {self.found}, expected {expected}")

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle all fields: by default an exception is pickled as its message alone."""
        made = partial(type(self), line=self.line, column=self.column, source=self.source)
        return made, (self.found, self.expected)
