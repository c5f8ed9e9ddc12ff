"""Loops of cells that fall into parts of the same sum, wherever the first part begins.

Invariant: a loop is read as a machine that is told how much of a part lies before its first cell,
by a variable of its own, and ends with as much.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import count

from ...model.board import MAX_SIZE, Board, Digits, Layer
from ...model.clue import Clue
from ...model.kinds import MACHINE
from ...model.kinds.patterns import Move, machine_text
from ..foreign import ForeignError
from . import names
from .items import Item

_NAME, _LOOP, _LAYER = "SumLine", "LOOP", "loop"


def with_loops(items: list[Item], board: Board) -> tuple[list[Item], Board]:
    """The constraints, each loop with a number, and the board with a variable for each."""
    sums = list(_sums(items))
    if not sums:
        return items, board
    layer = Layer(_LAYER, tuple(range(max(sums))), len(sums))
    return _numbered(items, count(1)), replace(board, layers=(*board.layers, layer))


def is_loop(item: Item) -> bool:
    """Whether a constraint is a loop, with a number or without."""
    return item.name == _NAME and item.args[-1:] != () and item.args[-1].startswith(_LOOP)


def _sums(items: Iterable[Item]) -> Iterator[int]:
    for item in items:
        yield from _sums(item.inside)
        if is_loop(item):
            known = item.args[0].isdecimal() and item.args[0].isascii()
            if not known or not 0 < int(item.args[0][:9]) <= MAX_SIZE:
                found = f".{item.name}: {item.args[0][:20]!a}: expected the sum of a loop"
                raise ForeignError(f"{found}, 1 to {MAX_SIZE}", column=item.column)
            yield int(item.args[0])


def _numbered(items: Iterable[Item], numbers: Iterator[int]) -> list[Item]:
    found = []
    for item in items:
        if is_loop(item):
            item = item._replace(args=(*item.args[:-1], f"{_LOOP}{next(numbers)}"))
        found.append(item._replace(inside=tuple(_numbered(item.inside, numbers))))
    return found


def loop_clue(item: Item, board: Board) -> Clue:
    total, *listed = item.args[:-1]
    cells = names.cells_named(listed, board)
    teller = board.first_of[_LAYER] + int(item.args[-1].removeprefix(_LOOP)) - 1
    digits = board.all_digits((teller, *cells))
    told = machine_text(list(_moves(int(total), board.digits)), (_END,), _START, digits)
    return Clue(MACHINE, ((teller, *cells, teller),), told)


_START, _END = -1, -2


def _moves(total: int, digits: Digits) -> Iterator[Move]:
    """A state tells how much of a part lay before the first cell, and how much is read of this one.
    Until another digit than 0 is read it is a state of its own, which no loop ends in."""
    for before in range(total):
        first = _state(total, before, before) + total**2 * (0 in digits)
        yield _START, before, first
        yield _state(total, before, before), before, _END
        for so_far in range(total):
            here = _state(total, before, so_far)
            for digit in digits:
                after = _state(total, before, (so_far + digit) % total)
                if so_far + digit <= total:
                    yield here, digit, after
                    if so_far == before and here != first:
                        yield first, digit, after if digit else first


def _state(total: int, before: int, so_far: int) -> int:
    return total * before + so_far
