"""What can go wrong and what can be answered.

Invariant: a wrong input raises a `SatdokuError` that says what was found and what was expected;
an answer, even "no" or "I do not know", is a `Status`, never an exception. What is wrong with
satdoku or its solvers themselves is no `SatdokuError`.
"""

from __future__ import annotations

from enum import IntEnum


def shown(text: object) -> str:
    """Text of an input as a message may repeat it: what a terminal would act on is escaped.

    Control, format, private and surrogate characters and unusual spaces become `\\x1b`, `\\u202e`.
    """
    words = str(text)
    if words.isprintable():
        return words
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in words)


class SatdokuError(ValueError):
    """Base of every error that a user's input can cause; the command line turns it into exit 2.

    The message is one line that is safe to print, whatever part of an input it repeats.
    """

    def __init__(self, *args: object) -> None:
        super().__init__(*(shown(text) if isinstance(text, str) else text for text in args))


class WitnessError(RuntimeError):
    """A solver's answer that a witness refutes: a fault of the program, never of the input."""


class Status(IntEnum):
    """The answer to one puzzle; the value is its code in the `statuses` arrays of a batch."""

    NONE = 0  # no solution
    UNIQUE = 1  # exactly one solution
    MULTIPLE = 2  # two solutions or more
    SOLVED = 3  # a solution was found and no second one was asked for
    INVALID = 4  # not a grid, or two givens clash
    UNKNOWN = 5  # the budget ran out first

    def __str__(self) -> str:
        return self.name.lower()
