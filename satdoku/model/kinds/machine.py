"""The kind that leads the digits of one group of cells or more through a state machine.

Invariant: a state of the automaton is the set of states that the machine may be in, as bits, so a
machine may have several ways on a digit.
Source: M. O. Rabin, D. Scott, Finite automata and their decision problems, IBM Journal of Research
and Development 3(2), 1959.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from operator import or_

from ..appearance import drawn, iss
from ..board import Board
from ..clue import Clue, ClueError
from ..masks import bits, mask_of
from ..shapes import Shape
from .kind import ANY, PATH, Kind
from .regex import by_sets
from .transitions import Transitions, machine


def _led(board: Board, clue: Clue) -> Iterator[Shape]:
    read = machine(clue.value, board.size)
    named = (state for move in read.transitions for state in (move.state, move.after))
    number = {state: n for n, state in enumerate(dict.fromkeys((read.start, *named, *read.ends)))}
    ways: dict[tuple[int, int], int] = {}
    for state, digits, after in read.transitions:
        for digit in digits:
            way = number[state], digit
            ways[way] = ways.get(way, 0) | 1 << number[after]

    def after_digit(states: int, digit: int) -> int:
        return reduce(or_, (ways.get((state, digit), 0) for state in bits(states)), 0)

    ends = mask_of(number[state] for state in read.ends)
    yield by_sets(clue.groups, board.size, 1, after_digit, ends)


def _goes_on(board: Board, clue: Clue) -> None:
    if len(clue.groups) > 1 and not machine(clue.value, board.size).breaks:
        raise ClueError("several groups of cells: expected a transition between them, as a-/>b")


KINDS = (
    Kind(
        "machine",
        "the digits from the first cell to the last lead through the states of the machine {value}",
        "machine=a-[2468]>a,a-[13579]>b,b-[13579]>a,a*:r1c1-r1c9",
        shapes=_led,
        groups=(1, ANY),
        order=PATH,
        value=Transitions(),
        check=_goes_on,
        look=drawn("stroked", 5, "red-brown line", colour="#d9a8a0", is_captioned=True),
        called=("nfa", "state-machine"),
        abroad=(iss("NFA", "states"),),
    ),
)
