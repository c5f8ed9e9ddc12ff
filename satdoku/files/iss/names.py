"""The cells, the rows and the columns of Interactive Sudoku Solver by their names.

Invariant: each cell of a board has one name there, of the grid or of a layer, and each name that is
read is that of one cell.

Rows and columns are in base 17: R1C1 to RgCg. Variables are VA1, VA2 and so on, VA if there is one
only. Groups of cells stand between empty arguments; an argument that begins with `_` is a name, for
people. Hyphens part cells into segments.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from ...model.board import Board, Cells
from ...model.clue import ClueError

Args = tuple[str, ...]
PLACES = "0123456789abcdefg"  # of rows and columns, in base 17
CELL = re.compile(r"R([1-9a-g])C([1-9a-g])", re.IGNORECASE)
# Layers that a Doppelganger has: the digit that is lacking in each row, each column and each box.
LACKING = "dgc", "dgr", "dgb"
REGIONS = "cc"  # the layer of labels of a ChaosConstruction
_BOARDS = 256  # for which names of cells are kept


class Spot(NamedTuple):
    """Where a cell lies: in the grid, which has no name, or in a layer; 0-based."""

    layer: str
    row: int
    column: int

    def moved(self, down: int, right: int) -> Spot:
        return Spot(self.layer, self.row + down, self.column + right)


def cell_name(cell: int, board: Board) -> str:
    if cell >= board.grid_cells:
        return _variable_names(board)[cell]
    row, column = board.places[cell]
    return f"R{PLACES[row + 1]}C{PLACES[column + 1]}"


@lru_cache(_BOARDS)
def known_board(board: Board) -> Board:
    """The first board that was equal: what is kept for it is found at once."""
    return board


@lru_cache(_BOARDS)
def variables(board: Board) -> dict[str, int]:
    """The cells of layers by their names: VA1 and VA2, or VA if it is the only one."""
    found: dict[str, int] = {}
    for layer in board.layers:
        first = board.first_of[layer.name]
        own = (*LACKING, REGIONS)
        name = f"{'' if layer.name in own else 'V'}{layer.name.upper()}"
        count = layer.free or board.grid_cells
        found |= {f"{name}{i + 1}": first + i for i in range(count)} if count > 1 else {name: first}
    return found


@lru_cache(_BOARDS)
def _cells(board: Board) -> dict[str, int]:
    """All cells by the names that are written for them."""
    own = {cell_name(cell, board): cell for cell in range(board.grid_cells)}
    return {**variables(board), **own}


@lru_cache(_BOARDS)
def _variable_names(board: Board) -> dict[int, str]:
    return {cell: name for name, cell in variables(board).items()}


@lru_cache(_BOARDS)
def cell_of_spot(board: Board) -> dict[Spot, int]:
    """The cells of the grid and of the layers; variables stand in rows as long as those of the
    grid, those of boxes as these."""
    found = {Spot("", *place): cell for cell, place in enumerate(board.places)}
    for name, _, free in board.layers:
        columns = board.box_columns if name == LACKING[-1] else board.width
        for i in range(free or board.grid_cells):
            found[Spot(name, *divmod(i, columns))] = board.first_of[name] + i
    return found


@lru_cache(_BOARDS)
def _spots(board: Board) -> dict[int, Spot]:
    return {cell: spot for spot, cell in cell_of_spot(board).items()}


def spot_of(cell: int, board: Board) -> Spot:
    return _spots(board)[cell]


def cell_names(cells: Iterable[int], board: Board) -> tuple[str, ...]:
    return tuple(cell_name(cell, board) for cell in cells)


def cells_named(names: Iterable[str], board: Board) -> Cells:
    names, known = list(names), _cells(board)
    try:
        return tuple([known[name] for name in names])
    except KeyError:  # a cell by another name, or none
        return tuple([cell_named(name, board) for name in names])


def segment_names(segments: Iterable[Cells], board: Board) -> tuple[str, ...]:
    """The cells of segments, with hyphens between these."""
    return tuple(" - ".join(" ".join(cell_names(cells, board)) for cells in segments).split())


def segments_named(names: Iterable[str], board: Board) -> tuple[Cells, ...]:
    """The cells between hyphens; there may be none."""
    return tuple(cells_named(some.split(), board) for some in " ".join(names).split("-"))


def find_cell(name: str, board: Board) -> int | None:
    """The cell of a name, None if there is none."""
    cell = _cells(board).get(name)
    if cell is None and (match := CELL.fullmatch(name)):
        row, column = (PLACES.index(place.lower()) for place in match.groups())
        return board.cell_at.get((row - 1, column - 1))
    return cell


def cell_named(name: str, board: Board) -> int:
    cell = find_cell(name, board)
    if cell is None:
        raise ClueError(f"{name[:20]!a} is no cell of a board of {board.shape}")
    return cell


def line_named(name: str, board: Board) -> Cells:
    """The cells of R1 or C1; beyond 9 it is R10, though cells have letters."""
    lines = {"R": board.rows, "C": board.columns}.get(name[:1].upper(), ())
    place = int(name[1:]) if re.fullmatch(r"[1-9]\d?", name[1:], re.ASCII) else 0
    if not 1 <= place <= len(lines):
        raise ClueError(f"{name[:20]!a}: expected a row or a column, such as R1")
    return lines[place - 1]


def line_names(board: Board) -> dict[Cells, str]:
    rows, columns = board.line_numbers
    return {cells: f"C{n}" for cells, n in columns.items()} | {
        cells: f"R{n}" for cells, n in rows.items()
    }


def diagonals(board: Board) -> dict[str, Cells]:
    """The diagonals by their first cells: from the left edge down, from the right edge up, from the
    top to the left, from the bottom to the right; of two ways along one the first."""
    bottom, right = board.height - 1, board.width - 1
    starts = [
        *((row, 0, 1, 1) for row in range(bottom)),
        *((row, right, -1, -1) for row in range(1, bottom)),
        *((0, column, 1, -1) for column in range(1, right + 1)),
        *((bottom, column, -1, 1) for column in range(1, right)),
    ]
    found: dict[frozenset[int], Cells] = {}
    for row, column, down, across in starts:
        steps = ((row + down * i, column + across * i) for i in range(board.height))
        cells = tuple(board.cell_at[place] for place in steps if place in board.cell_at)
        found.setdefault(frozenset(cells), cells)
    return {cell_name(cells[0], board): cells for cells in found.values() if len(cells) > 1}


def touching_pairs(cells: Cells, board: Board) -> Iterator[tuple[Cells, ...]]:
    """Every two of the cells that share an edge, in the order in which they are listed."""
    for (a, here), (b, there) in combinations([(cell, spot_of(cell, board)) for cell in cells], 2):
        if there in (here.moved(down, right) for down, right in _BESIDE):
            yield ((a, b),)


_BESIDE = ((0, 1), (1, 0), (0, -1), (-1, 0))  # down and right


def groups(args: Iterable[str], board: Board) -> Iterator[Cells]:
    """The groups of cells, without their names."""
    return (cells_named(names, board) for names in cell_groups(args))


def cell_groups(args: Iterable[str]) -> Iterator[list[str]]:
    """The names of cells, group by group, without the names of these."""
    names: list[str] = []
    for arg in (*args, ""):
        if arg and not arg.startswith("_"):
            names.append(arg)
        elif names:
            yield names
            names = []
