"""Machines of Interactive Sudoku Solver, which are bits, and machines of clues, which are texts.

Invariant: a machine accepts the same words on both sides, or is refused.

After a header come the states: those that may be first, those that may be last, then others; their
names are not kept. Each has its ways: their number, and for each a digit and a state ("plain"); or
a bit for each digit, and a state for each bit that is set ("packed"). Source: js/nfa_builder.js,
`NFASerializer`. Hyphens may part the cells into segments, which are groups of the clue. On a hyphen
the machine reads a break, which is coded as one digit more than there are. Empty segments before
the first cell, or behind the last one, become part of the machine; others are refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile
from operator import not_
from typing import NamedTuple

from ...model.board import Board, Cells
from ...model.clue import Clue, ClueError
from ...model.kinds.patterns import BREAK, Machine, Move, machine, machine_text
from .names import cell_groups, segment_names, segments_named
from .tables import bytes_of, text_of

PLAIN, PACKED = 0, 1
_MOST_STATES = 1 << 12


class _Coded(NamedTuple):
    """A machine: its ways, and the states that may be first, and last."""

    ways: list[Move]
    starts: set[int]
    ends: set[int]

    def after_break(self) -> _Coded:
        """What is left of it once a break is read."""
        return self._replace(
            starts={b for a, on, b in self.ways if on == BREAK and a in self.starts}
        )

    def before_break(self) -> _Coded:
        """What is to be read before a break that is the last."""
        return self._replace(ends={a for a, on, b in self.ways if on == BREAK and b in self.ends})


class _Bits:
    """Numbers read from bits, the highest one first."""

    def __init__(self, text: str) -> None:
        data = bytes_of(text, "a machine")
        self._number, self.left = int.from_bytes(data, "big"), 8 * len(data)

    def take(self, count: int) -> int:
        if count > self.left:
            raise ClueError("its machine ends too soon")
        self.left -= count
        return self._number >> self.left & ((1 << count) - 1)


def read_machine(args: tuple[str, ...], board: Board) -> Iterator[tuple[tuple[Cells, ...], str]]:
    coded = _decoded(_Bits(args[0]), board.digits)
    texts: dict[tuple[int, int], str] = {}
    for names in cell_groups(args[1:]):
        segments = segments_named(names, board)
        lead, trail = outer = _empty(segments), _empty(segments[::-1])
        if outer not in texts:
            texts[outer] = _text(coded, lead, trail, board.digits)
        yield segments[lead : len(segments) - trail], texts[outer]


def _empty(segments: Sequence[Cells]) -> int:
    """How many of the first ones have no cells."""
    return len(list(takewhile(not_, segments)))


def _decoded(bits: _Bits, digits: Sequence[int]) -> _Coded:
    packed = bits.take(2)
    width, count = bits.take(4) + 1, bits.take(4) + 1
    starts, ends = bits.take(width), bits.take(width)
    first_ends = bits.take(starts)  # a bit for each start, the lowest for the first
    if packed not in (PLAIN, PACKED) or not starts:
        raise ClueError("its machine has an unknown form")
    ways = list(_packed(bits, width, count) if packed else _plain(bits, width, count))
    read = (*digits, BREAK)
    if any(place >= len(read) for _, place, _ in ways):
        raise ClueError("it reads more digits than there are")
    ways = [(state, read[place], after) for state, place, after in ways]
    ending = {n for n in range(starts) if first_ends >> n & 1} | {*range(starts, starts + ends)}
    return _Coded(ways, {*range(starts)}, ending)


def _text(coded: _Coded, lead: int, trail: int, digits: Sequence[int]) -> str:
    """The value of a clue whose cells have so many breaks before them, and behind them."""
    for _ in range(lead):
        coded = coded.after_break()
    for _ in range(trail):
        coded = coded.before_break()
    ways, starts, ends = coded
    if len(starts) != 1:  # a state of its own that has the ways of all of them
        ways = [(-1, digit, after) for state, digit, after in ways if state in starts] + ways
        ends = ends | {-1} if starts & ends else ends
        starts = {-1}
    return machine_text(ways, ends, min(starts), digits)


def _plain(bits: _Bits, width: int, digits: int) -> Iterator[Move]:
    """The ways, with the places of digits in place of these."""
    count_width, digit_width = bits.take(4), (digits - 1).bit_length()
    state = 0
    while count_width and bits.left >= count_width and state < _MOST_STATES:
        for _ in range(bits.take(count_width)):
            yield state, bits.take(digit_width), bits.take(width)
        state += 1


def _packed(bits: _Bits, width: int, digits: int) -> Iterator[Move]:
    state = 0
    while bits.left >= digits and state < _MOST_STATES:
        some = bits.take(digits)
        for place in range(digits):
            if some >> place & 1:
                yield state, place, bits.take(width)
        state += 1


def write_machine(clue: Clue, board: Board) -> list[tuple[str, ...]]:
    read = machine(clue.value, board.digits)
    encoded = _encoded(read, board.digits)
    return [(encoded, *segment_names(clue.groups, board))] if encoded else []


def _encoded(read: Machine, digits: Sequence[int]) -> str:
    """The machine in its plain form; empty if it has too many states or ways."""
    named = (state for move in read.transitions for state in (move.state, move.after))
    others = [state for state in dict.fromkeys((*named, *sorted(read.ends))) if state != read.start]
    order = (read.start, *sorted(others, key=lambda state: state not in read.ends))
    number = {state: n for n, state in enumerate(order)}
    ways: dict[str, set[tuple[int, int]]] = {state: set() for state in order}
    place = {digit: place for place, digit in enumerate((*digits, BREAK))}
    for state, some, after in read.transitions:
        ways[state] |= {(place[digit], number[after]) for digit in some}
    symbols = len(digits) + read.breaks
    width = max(1, (len(order) - 1).bit_length())
    count_width = max(map(len, ways.values())).bit_length()
    if len(order) > _MOST_STATES or count_width > 15 or symbols > 16:
        return ""
    fields = [
        (PLAIN, 2), (width - 1, 4), (symbols - 1, 4), (1, width),
        (len(read.ends - {read.start}), width), (read.start in read.ends, 1), (count_width, 4),
    ]  # fmt: skip
    for own in ways.values():
        fields.append((len(own), count_width))
        for digit, target in sorted(own):
            fields += [(digit, (symbols - 1).bit_length()), (target, width)]
    written = "".join(f"{field:0{bits}b}" for field, bits in fields if bits)
    written += "0" * (-len(written) % 8)
    data = int(written, 2).to_bytes(len(written) // 8, "big")
    return text_of(data)
