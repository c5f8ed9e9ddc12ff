"""Texts that draw the board on which they stand: regions behind the givens, grids that overlap.

Invariant: a drawing is read as the only board that it can be, cell by cell where it draws them; a
text that can be another puzzle is no drawing.

    ..1..2...3...  AAABBCCCC...   the givens and a map of regions, which has a character a cell and
                                  a label a region: on one line, on a line each, or a row a line
    AAABBCCCCAADB...              the map alone, with labels that are no digits of the board
    ..1..2...   4....3..6         rows of overlapping grids, with blanks where there are no cells;
                                  all grids that fit into it, box upon box, are meant
    369 cells, or 21 rows         a samurai, whose blanks may be lost

A map has as many labels as the board has rows, each as often. Labels that are digits stand on
connected cells: that is no grid, in which digits that touch differ. Rulings (`|`, `---+---`) and
blanks between all cells may be there, as `solve -f pretty` prints them. js/sudoku_parser.js of
github.com/sigh/Interactive-Sudoku-Solver was read for the maps that it takes; there a full grid is
one, too.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice, product
from math import isqrt
from typing import NamedTuple

from ..model.board import (
    MAX_SIZE,
    MIN_SIZE,
    Board,
    BoardError,
    Place,
    board_for,
    regions_of,
    usual_box,
)
from ..model.constraints import RulesLike, constraints_for
from ..model.grid import GridError, GridLike, notation_of, parse_grid, parse_plain
from ..model.puzzle import Puzzle, on_board
from ..model.rules import RuleError
from ..runtime.errors import counted
from .foreign import ForeignError, checked, parser, reconciled
from .notation import is_ruling

_MOST = 1 << 13  # characters of a drawing
_MOST_GRIDS = 99
SAMURAI = constraints_for("samurai").board
_SAMURAI_ROWS = [len(row) for row in SAMURAI.rows]


class _Cell(NamedTuple):
    """A character of a text, and where it stands in it."""

    character: str
    at: int


class _Drawing(NamedTuple):
    """The board that a text draws, and the characters of its cells, row by row."""

    board: Board
    cells: Sequence[_Cell]


Rows = list[list[_Cell]]  # lines with their blanks


@parser
def parse_drawn(text: str, rules: RulesLike | None = None, board: Board | None = None) -> Puzzle:
    """Read a text that draws its board."""
    found = _drawing(text)
    if found is None:
        raise ForeignError(f"no drawing: {_why(text)}")
    is_line = found.board == SAMURAI and len(_rows(text)) == 1
    as_asked = is_line and board is not None and board.grid_cells == len(found.cells)
    here = checked(board if as_asked and board else found.board, board)
    constraints = reconciled(constraints_for("classic", here), rules)
    try:
        grid = parse_grid("".join(cell.character for cell in found.cells), constraints.board)
    except GridError as error:
        at = min(error.column, len(found.cells)) - 1
        before = re.split(r"\r\n|\r|\n", text[: found.cells[at].at])
        problem, column = f"found {error.found}, expected {error.expected}", len(before[-1]) + 1
        raise ForeignError(problem, line=len(before), column=column) from None
    return Puzzle(grid, constraints)


def draws_board(text: str) -> bool:
    """Whether a text is meant to draw a board."""
    if len(text) > _MOST or parse_plain(text, None) is not None:
        return False
    return _drawing(text) is not None or _is_nearly(text)


def _drawing(text: str) -> _Drawing | None:
    rows = _rows(text)
    cells = [cell for row in rows for cell in row if not cell.character.isspace()]
    return _mapped(cells) or _overlapping(rows) or _samurai(rows, cells)


def _rows(text: str) -> Rows:
    """The lines but for rulings. Where all cells have blanks between them, without these."""
    lines = [
        [_Cell(character, found.start() + i) for i, character in enumerate(found[0])]
        for found in re.finditer(r"[^\r\n]+", text)
        if found[0].strip() and not _is_rule(found[0])
    ]
    tight = [_without_bars(line, 0) for line in lines]
    loose = [_without_bars(line, 1) for line in lines]
    between = (cell.character for line in loose for cell in line[1::2])
    return [line[::2] for line in loose] if all(map(str.isspace, between)) else tight


def _is_rule(line: str) -> bool:
    """Whether a line rules; one of dashes alone may be a row of empty cells."""
    return is_ruling(line) and not {*line} <= {"-", " "}


def _without_bars(line: Sequence[_Cell], more: int) -> list[_Cell]:
    """A line without `|`, and so many characters behind each."""
    bars = [i for i, cell in enumerate(line) if cell.character == "|"]
    left_out = {bar + i for bar in bars for i in range(more + 1)}
    return [cell for i, cell in enumerate(line) if i not in left_out]


# Regions ------------------------------------------------------------------------------------------


def _mapped(cells: Sequence[_Cell]) -> _Drawing | None:
    """A map with the givens before it, or alone."""
    text = "".join(cell.character for cell in cells)
    for count, is_alone in ((len(text) // 2, False), (len(text), True)):
        size = isqrt(count)
        if size * size != count or len(text) not in (count, 2 * count) or size < MIN_SIZE:
            continue
        labels = text[-count:]
        if size > MAX_SIZE or (is_alone and parse_plain(text, Board.latin(size)) is not None):
            continue
        if not _wrong_label(labels, size):
            board = Board.of_regions(regions_of(labels), size)
            blank = [_Cell(".", cell.at) for cell in cells]
            return _Drawing(board, blank if is_alone else cells[:count])
    return None


def _wrong_label(labels: str, size: int) -> str:
    """What is wrong with a map, empty if nothing."""
    counts = Counter(labels)
    if len(counts) != size or "." in counts:
        return f"a map of {len(counts)} labels, expected {size}, none of them a dot"
    may_be_grid = parse_plain(labels, Board.latin(size)) is not None
    for label, count in counts.items():
        if count != size:
            return f"label {label!a} has {counted(count, 'cell')}, expected {size}"
        if may_be_grid and len(_reached(labels, size, labels.index(label))) < size:
            return f"the cells of label {label!a} are not connected (jigsaw=MAP takes such maps)"
    return ""


def _reached(labels: str, size: int, first: int) -> set[int]:
    """The cells of one label that are connected with one of them."""
    found, left = {first}, [first]
    while left:
        cell = left.pop()
        for step, last in ((1, size - 1), (-1, 0), (size, None), (-size, None)):
            other = cell + step
            crosses = last is not None and cell % size == last
            inside = 0 <= other < len(labels) and not crosses and other not in found
            if inside and labels[other] == labels[cell]:
                found.add(other)
                left.append(other)
    return found


def _is_nearly(text: str) -> bool:
    """Whether a text without blanks can only be givens and a map, if a wrong one."""
    size = isqrt(len(text) // 2)
    labels = text[size * size :]
    given = parse_plain(text[: size * size], Board.latin(size)) if 4 <= size <= MAX_SIZE else None
    if given is None or len(text) != 2 * size * size or not text.isprintable() or " " in text:
        return False
    return parse_plain(labels, given.board) is None


def _why(text: str) -> str:
    size = isqrt(len(text) // 2)
    return _wrong_label(text[size * size :], size)


# Overlapping grids --------------------------------------------------------------------------------


def _overlapping(rows: Rows) -> _Drawing | None:
    """Grids with blanks beside them; None if no size of grids makes them, or several do."""
    places = {
        (row, column): cell
        for row, line in enumerate(rows)
        for column, cell in enumerate(line)
        if not cell.character.isspace()
    }
    first = min((column for _, column in places), default=0)
    at = {(row, column - first): cell for (row, column), cell in places.items()}
    last = max((column for _, column in at), default=0)
    if len(rows) < 2 or len(at) == len(rows) * (last + 1):
        return None
    boards = [board for size in range(4, MAX_SIZE + 1) if (board := _grids(at.keys(), size))]
    return _Drawing(boards[0], [at[place] for place in sorted(at)]) if len(boards) == 1 else None


def _grids(places: Iterable[Place], size: int) -> Board | None:
    """The board of all grids of a size that fit into the places, box upon box, if each holds a cell
    of its own, and all are connected by cells that they share."""
    held, (down, across) = {*places}, usual_box(size)
    steps = [*product(range(size), repeat=2)]
    if board_for(size * size) is None:
        return None
    fitting = (
        (top, left)
        for top, left in sorted(held)
        if top % down == left % across == 0
        and all((top + row, left + column) in held for row, column in steps)
    )
    corners = list(islice(fitting, _MOST_GRIDS + 1))
    if len(corners) > _MOST_GRIDS:
        return None
    grids = [{(top + row, left + column) for row, column in steps} for top, left in corners]
    counts = Counter(place for grid in grids for place in grid)
    has_own = all(any(counts[place] == 1 for place in grid) for grid in grids)
    if len(grids) < 2 or counts.keys() != held or not has_own or not _are_joined(grids):
        return None
    try:
        return Board(size, down, across, corners=tuple(corners))
    except BoardError:
        return None


def _are_joined(grids: Sequence[set[Place]]) -> bool:
    left = list(grids[1:])
    reached = set(grids[0])
    while near := [grid for grid in left if not reached.isdisjoint(grid)]:
        reached.update(*near)
        left = [grid for grid in left if grid not in near]
    return not left


def _samurai(rows: Rows, cells: Sequence[_Cell]) -> _Drawing | None:
    """A samurai on one line, or row by row without the blanks in which it lies."""
    widths = [sum(not cell.character.isspace() for cell in row) for row in rows]
    is_one = widths in (_SAMURAI_ROWS, [len(SAMURAI.places)])
    blanks = any(cell.character.isspace() for row in rows for cell in row)
    return _Drawing(SAMURAI, cells) if is_one and not blanks else None


# Writing ------------------------------------------------------------------------------------------


def format_drawn(puzzle: GridLike, rules: RulesLike = "classic") -> str:
    """The givens and the map of a jigsaw, on one line; the rows of overlapping grids.

    Raises `RuleError`, which names the rule or the board that no drawing states.
    """
    grid, constraints = on_board(puzzle, rules)
    board = constraints.board
    if constraints.rules:
        raise RuleError(f"a drawing states regions and grids, not {constraints.rules[0][:80]}")
    line = notation_of(board.digits).line
    digits = bytes(grid).translate(line).decode("ascii") if line and not board.layers else ""
    if board.regions is not None and board.is_usual:
        text = digits + board.region_map
    else:
        text = "\n".join(_drawn_rows(board, digits))
    found = _drawing(text)
    if found is None or found.board != board:
        expected = "expected a jigsaw of connected regions, or grids that overlap box upon box"
        raise RuleError(f"no drawing states {board.in_words}: {expected}")
    return text


def _drawn_rows(board: Board, digits: str) -> Iterable[str]:
    rows, columns = board.extent if digits else (0, 0)
    at = {place: digits[cell] for place, cell in board.cell_at.items()} if digits else {}
    for row in range(rows):
        yield "".join(at.get((row, column), " ") for column in range(columns)).rstrip()
