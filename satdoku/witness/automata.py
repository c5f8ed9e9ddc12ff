"""Automata of the witness's statements: what a clue says, one digit after another.

Invariant: an automaton follows from the sentence alone. Going forward, its states are what is left
of the statement; going back, those that go on alike become one. So it is the smallest one, and with
its states numbered as they are reached it is unique.
"""

from __future__ import annotations

from collections.abc import Iterator

from .clues import WidePart
from .regex import Matches
from .rules import StatementError
from .terms import Truth, derivative, truth_of, unknown_digits

Edge = tuple[int, int, int]  # state before, digit, state after
_MOST_WORK = 1_000_000  # a certificate must not keep its reader busy for ever
_USUAL = 5  # work of a state; one of several clues takes as much as it has parts


def layers_of(part: WidePart, size: int) -> list[list[Edge]] | None:
    """The edges of the smallest automaton of a statement, cell by cell; None if it accepts nothing.

    Raises `StatementError` if it would have too many states.
    """
    start = _start(part, size)
    levels: list[dict[Truth, list[tuple[int, Truth]]]] = []
    states, work = {start}, 0
    for index in range(len(part.cells)):
        work += len(states) * max(_USUAL, getattr(part.holds, "parts", 0))
        if work > _MOST_WORK:
            raise StatementError(f"a clue on {len(part.cells)} cells has too many states")
        level = {state: list(_onward(part, state, index, size)) for state in states}
        levels.append(level)
        states = {after for moves in level.values() for _, after in moves}
    meaning: dict[Truth, object] = dict.fromkeys(states, True)
    meanings = [meaning]
    for level in reversed(levels):
        meaning = {
            state: tuple((digit, meaning[after]) for digit, after in moves if after in meaning)
            for state, moves in level.items()
        }
        known: dict[object, int] = {}
        meaning = {s: known.setdefault(m, len(known)) for s, m in meaning.items() if m}
        meanings.append(meaning)
    if start not in meaning:
        return None
    return list(_edges(start, levels, meanings[::-1]))


def _start(part: WidePart, size: int) -> Truth:
    """The statement, of which no digit is known."""
    if isinstance(part.holds, Matches):
        return part.holds.start
    return truth_of(part.holds(*unknown_digits(len(part.cells), size)))


def _onward(part: WidePart, state: Truth, index: int, size: int) -> Iterator[tuple[int, Truth]]:
    for digit in range(1, size + 1):
        left = _left(part, state, index, digit, size)
        if left is not False:
            yield digit, left


def _left(part: WidePart, state: Truth, index: int, digit: int, size: int) -> Truth:
    """What is left of the statement if one more digit is known; False if it is broken. A regular
    expression knows by itself what is left of it."""
    if not isinstance(part.holds, Matches):
        return derivative(state, index, digit, size)
    left = part.holds.left(state, digit, index)
    return part.holds.accepts(left) if index == len(part.cells) - 1 else left or False


def _edges(
    start: Truth,
    levels: list[dict[Truth, list[tuple[int, Truth]]]],
    meanings: list[dict[Truth, object]],
) -> Iterator[list[Edge]]:
    """Level by level, one representative for each meaning, numbered as they are reached."""
    here = {meanings[0][start]: (0, start)}
    for level, meaning in zip(levels, meanings[1:], strict=True):
        edges: list[Edge] = []
        there: dict[object, tuple[int, Truth]] = {}
        for number, state in here.values():
            for digit, after in level[state]:
                if after in meaning:
                    same = meaning[after]
                    edges.append((number, digit, there.setdefault(same, (len(there), after))[0]))
        yield edges
        here = there
