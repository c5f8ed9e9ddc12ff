"""Clues on cells one by one or beside their neighbours, groups that are equal, and extra regions.

Invariant: nothing here reads `model.kinds`.
"""

from __future__ import annotations

from itertools import pairwise

from ...model.board import Board
from ...model.clue import Clue
from .geometry import steps
from .parts import Holds, House, Part, Parts, Statement, each
from .predicates import at_least, at_most, is_any, is_even, is_odd, less, more, same


def _against_neighbours(holds: Holds) -> Statement:
    def parts(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
        for cell in clue.cells:
            for other in range(board.cells):
                if sum(steps(cell, other, board)) == 1 and other not in clue.cells:
                    yield Part((cell, other), holds)

    return parts


def _copies(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
    for place in range(len(clue.groups[0])):
        column = [group[place] for group in clue.groups]
        for above, below in pairwise(column):
            if above != below:
                yield Part((above, below), same)


def _whole(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
    yield House(tuple(sorted(clue.cells)))


STATEMENTS: dict[str, Statement] = {
    "odd": each(lambda board, value: is_odd),
    "even": each(lambda board, value: is_even),
    "low": each(lambda board, value: at_most(int(value))),
    "high": each(lambda board, value: at_least(int(value))),
    "digits": each(lambda board, value: is_any(tuple(map(int, value.split(","))))),
    "minimum": _against_neighbours(less),
    "maximum": _against_neighbours(more),
    "clone": _copies,
    "region": _whole,
}
