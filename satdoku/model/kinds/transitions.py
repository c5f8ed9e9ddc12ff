"""State machines on digits: how they are written, read into their transitions.

Invariant: a state is a name and means nothing else; the machine starts in the one named first.

    a-[13]>b     from state a to state b on a digit of these; digits as a pattern writes one
    a-.>a        on any digit; a state may have several ways on a digit
    a-/>b        between two groups of cells
    b*           the last group may end in state b

Items stand between commas.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from ..board import Board
from ..clue import ClueError
from ..grid import LETTERS
from .patterns import Choice, Letter, Sequel, parse

LONGEST = 20_000  # characters
BREAK = 0  # what is read between two groups, among the digits

_DIGITS = "123456789" + LETTERS
_STATE = r"[a-z][a-z0-9_]*"
_ITEM = re.compile(rf"({_STATE})(?:(\*)|-([^>]*)>({_STATE}))", re.IGNORECASE)


class Transition(NamedTuple):
    """From one state to another on any of the digits, or between two groups of cells."""

    state: str
    digits: frozenset[int]
    after: str


class Machine(NamedTuple):
    """The first state, the transitions, and the states in which the last group may end."""

    start: str
    transitions: tuple[Transition, ...]
    ends: frozenset[str]

    @property
    def breaks(self) -> bool:
        """Whether it may read several groups."""
        return any(BREAK in move.digits for move in self.transitions)


@dataclass(frozen=True)
class Transitions:
    """A value that is a state machine."""

    def read(self, text: str, board: Board) -> str:
        text = "".join(text.split())
        machine(text, board.size)
        return ",".join(map(_canonical, text.split(",")))

    def expected(self, size: int) -> str:
        """What is read on a board of that size, in words."""
        return f"transitions such as a-[12]>b on 1-{_DIGITS[size - 1]} between commas, ends as b*"

    def guesses(self, digits: Sequence[int], size: int, rng: Random) -> list[str]:
        """Machines that look for two neighbours, or for digits of two sorts in turn."""
        return [_guess(digits, size, rng) for _ in range(6)]


def _guess(digits: Sequence[int], size: int, rng: Random) -> str:
    at = rng.randrange(max(1, len(digits) - 1))
    first, second = _DIGITS[digits[at] - 1], _DIGITS[digits[at + 1 - len(digits)] - 1]
    if rng.random() < 0.5:
        return f"a-.>a,a-/>a,a-{first}>b,b-{second}>c,c-.>c,c-/>c,c*"
    some = "".join(sorted(_DIGITS[d - 1] for d in rng.sample(range(1, size + 1), size // 2)))
    return f"a-[{some}]>b,a-[^{some}]>a,b-[^{some}]>a,a-/>a,b-/>a,a*,b*"


def _canonical(item: str) -> str:
    """States in small letters, digits in capitals."""
    state, dash, rest = item.partition("-")
    digits, arrow, after = rest.partition(">")
    return f"{state.lower()}{dash}{digits.upper()}{arrow}{after.lower()}"


def machine(text: str, size: int) -> Machine:
    """The machine of a text; raises `ClueError`, which names the column."""
    if len(text) > LONGEST:
        raise ClueError(f"a machine of {len(text):,} characters: expected at most {LONGEST:,}")
    items = list(_items(text, size))
    ends = frozenset(item for item in items if isinstance(item, str))
    transitions = tuple(item for item in items if isinstance(item, Transition))
    if not ends or not transitions:
        what = "end, such as b*" if transitions else "transition, such as a-[12]>b"
        raise ClueError(f"it has no {what}")
    first = items[0]
    return Machine(first if isinstance(first, str) else first.state, transitions, ends)


def _items(text: str, size: int) -> Iterator[Transition | str]:
    """The transitions, and the states in which the last group may end."""
    column = 1
    for item in text.split(","):
        match = _ITEM.fullmatch(item)
        digits = _digits("." if match[2] else match[3].upper(), size) if match else None
        if match is None or digits is None:
            expected = f"a-[12]>b, with digits from 1 to {_DIGITS[size - 1]}, a-/>b or b*"
            raise ClueError(f"machine column {column}: '{item[:20]}': expected {expected}")
        state = match[1].lower()
        yield state if match[2] else Transition(state, digits, match[4].lower())
        column += len(item) + 1


def _digits(text: str, size: int) -> frozenset[int] | None:
    """The digits that a pattern of one digit matches; None if it is no such pattern."""
    if text == "/":
        return frozenset({BREAK})
    try:
        tree = parse(text, size)
    except ClueError:
        return None
    match tree:
        case Choice((Sequel((Letter(digits),)),)):
            return digits
    return None
