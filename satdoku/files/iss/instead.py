"""Constraints of Interactive Sudoku Solver that others state in full.

Invariant: what stands in place of a constraint allows the same grids, whatever the board; cells
that are added for it stand free, in a layer of their own, and each grid has one way to fill them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations

from ...model.board import Board, Cells, Layer
from ...model.clue import ClueError
from . import clues, names
from .items import Item

Stated = Callable[[Item, Board], Iterator[Item]]


def missing(board: Board) -> tuple[Layer, ...]:
    """The layers of a Doppelganger: the digit that each row, each column and each box lacks."""
    if board.digits != tuple(range(board.height + 1)) or not board.is_square:
        raise ClueError("it needs a square, and the digits from 0 to its size")
    houses = zip(names.LACKING, (board.rows, board.columns, board.boxes), strict=True)
    return tuple(Layer(name, board.digits, len(some)) for name, some in houses if some)


def instead(item: Item, board: Board) -> list[Item]:
    """The constraints that stand in place of one; none if it stands for itself."""
    if item.name not in _STATED:
        return []
    clues.check_lines(item.name, board)
    return [part._replace(column=item.column) for part in _STATED[item.name](item, board)]


def _item(name: str, *args: str) -> Item:
    return Item(name, args, 0)


def _around(name: str, parts: list[Item]) -> Item:
    return Item(name, (), 0, tuple(parts))


def _different(cells: Cells, board: Board) -> Item:
    return _item("AllDifferent", *names.cell_names(cells, board))


def _lacking(item: Item, board: Board) -> Iterator[Item]:
    """With the digit that it lacks a house holds each once. No two rows lack the same digit, and
    where a 0 stands, its row, column and box lack different ones."""
    lacked: dict[int, list[int]] = {cell: [] for cell in range(board.grid_cells)}
    others = "".join(f"_{digit}" for digit in board.digits[1:])
    houses = zip(names.LACKING, (board.rows, board.columns, board.boxes), strict=True)
    for name, some in houses:
        lacks = [board.first_of[name] + i for i in range(len(some))] if some else []
        for house, lack in zip(some, lacks, strict=True):
            yield _different((*house, lack), board)
            for cell in house:
                lacked[cell].append(lack)
        if lacks:
            yield _different(tuple(lacks), board)
            yield _item("", *(name + others for name in names.cell_names(lacks, board)))
    for cell, three in lacked.items():
        is_other = _item("", names.cell_name(cell, board) + others)
        yield _around("Or", [is_other, _different(tuple(three), board)])


def _told(teller: int, line: Cells, value: str, board: Board) -> Item:
    """The digit of a cell says at which place of the line, from 1, the value stands."""
    name = names.cell_name(teller, board)
    places = enumerate(names.cell_names(line, board), 1)
    ways = [
        _around("And", [_item("", f"{name}_{number}", f"{place}_{value}")])
        for number, place in places
        if number in board.digits
    ]
    return _around("Or", ways)


def _rooms(item: Item, board: Board) -> Iterator[Item]:
    line = names.line_named(item.args[0], board)
    for cells, value in zip((line, line[::-1]), item.args[1:3], strict=False):
        if value:
            yield _told(cells[0], cells, value, board)


def _indexing(item: Item, board: Board) -> Iterator[Item]:
    for cell in names.cells_named(item.args[1:], board):
        layer, row, column = names.spot_of(cell, board)
        if layer:
            raise ClueError("a variable has no row and no column")
        line = board.columns[column] if item.args[0] == "R" else board.rows[row]
        yield _told(cell, line, str(line.index(cell) + 1), board)


def _beyond(stated: Stated) -> Stated:
    """What is stated where some digits tell no cell; else the constraint stands for itself."""
    return lambda item, board: iter(()) if clues.digits_are_places(board) else stated(item, board)


def _same_values(item: Item, board: Board) -> Iterator[Item]:
    """The largest rows, columns and regions hold the same digits."""
    most = max(map(len, board.houses))
    houses = [house for house in board.houses if len(house) == most]
    if most < len(board.digits) and len(houses) > 1:
        cells = (cell for house in houses for cell in house)
        yield _item("SameValues", str(len(houses)), *names.cell_names(cells, board))


def _ranks_differ(item: Item, board: Board) -> Iterator[Item]:
    """No two lines read the same, from either end; those that differ anyway are passed over."""
    lines = [way for line in board.rows + board.columns for way in (line, line[::-1])]
    for one, other in combinations(lines, 2):
        pairs = list(zip(one, other, strict=True))
        if item.args[0] == "none" and not any(b in board.peers[a] for a, b in pairs):
            ways = [_different(pair, board) for pair in pairs if pair[0] != pair[1]]
            yield _around("Or", ways)


_STATED: dict[str, Stated] = {
    "Doppelganger": _lacking,
    "NumberedRoom": _beyond(_rooms),
    "Indexing": _beyond(_indexing),
    "RegionSameValues": _same_values,
    "FullRankTies": _ranks_differ,
}
