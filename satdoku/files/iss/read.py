"""From a text of Interactive Sudoku Solver to what it states.

Invariant: every constraint is read, or refused by its name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress

from ...model.board import FROM_ZERO, MIN_SIZE, NOT_SQUARE, OTHER_DIGITS, Board, BoardError
from ...model.clue import Clue, ClueError, OutOfReachError
from ...model.constraints import Constraints, constraints_for
from ...model.grid import Grid
from ...model.kinds import HOUSE, KINDS, ONE_OF, clue_of
from ...model.rules import RuleError
from ..foreign import ForeignError
from .cells import PLACES, cell_name, cell_named
from .clues import BY_HOUSES, DIAGONALS, FLAGS, JOINED, KEYS, Args, check_board
from .items import Item

# Rows and columns; the digits, or only how many; and what the grid is.
_SHAPE = re.compile(r"(\d{1,2})x(\d{1,2})(?:~(?:(\d{1,2})-)?(\d{1,2}))?(?:~~?([A-Z][a-z]+))?")


def board_of(items: list[Item]) -> Board:
    """The board of the shape; if it has no boxes, whole regions take their place."""
    shapes = [item for item in items if item.name == "Shape"]
    if len(shapes) > 1:
        problem = "found a second .Shape, expected one puzzle"
        raise ForeignError(problem, column=shapes[1].column)
    size = _size(shapes[0]) if shapes else 9
    usual = Board.of_size(size)
    if usual.has_boxes and not any(item.name == "NoBoxes" for item in items):
        return usual
    maps = [item.args[-1] for item in items if item.name == "Jigsaw" and item.args]
    if len(maps) == 1 and len(maps[0]) == size * size:
        with suppress(BoardError):  # pieces of several sizes
            return Board.of_map(maps[0])
    return Board.latin(size)


def _size(item: Item) -> int:
    shape = "~".join(item.args)
    match = _SHAPE.fullmatch(shape)
    problem = _problem(match) if match else "expected a size, such as 9x9"
    if match is None or problem:
        raise ForeignError(f".Shape~{shape[:20]}: {problem}", column=item.column)
    return int(match[1])


def _problem(shape: re.Match[str]) -> str:
    """Why there is no board of that shape; empty if there is one."""
    rows, columns, first, last = (int(number or 1) for number in shape.groups()[:4])
    if rows != columns:
        return NOT_SQUARE
    if not MIN_SIZE <= rows < len(PLACES):
        return "expected sizes 2 to 16"
    if first == 0:
        return FROM_ZERO
    if shape[4] and (first, last) != (1, rows):
        return OTHER_DIGITS
    if shape[5] not in (None, "Sudoku"):
        return "rows and columns hold every digit once, unlike those of a raw grid"
    return ""


def constraints_of(items: list[Item], board: Board) -> Constraints:
    words: list[str] = []
    for item in items:
        try:
            words += _words(item, board)
        except IndexError:
            raise ForeignError(f".{item.name}: arguments are missing", column=item.column) from None
        except (ClueError, ValueError) as error:
            raise ForeignError(f".{item.name}: {error}", column=item.column) from None
    for rule, houses in BY_HOUSES.items():
        if {*houses} <= {*words}:
            words = [rule, *(word for word in words if word not in houses)]
    try:
        return constraints_for(";".join(words), board)
    except (RuleError, ClueError) as error:
        raise ForeignError(f"its board cannot have its rules ({error})") from None


def _words(item: Item, board: Board) -> Iterator[str]:
    """The rules and the clues, as text, that a constraint states."""
    check_board(item.name, board)
    if item.name in FLAGS:
        yield from FLAGS[item.name]
    elif item.name == "Diagonal":
        if item.args[0] not in DIAGONALS:
            raise ClueError(f"{item.args[0][:20]!a}: expected 1 or -1")
        yield DIAGONALS[item.args[0]]
    elif item.name == "Jigsaw":
        yield from _pieces(item.args[-1], board)
    elif item.name in ("", "Given"):
        yield from _choices(item.args, board)
    elif item.name in JOINED:
        yield from _joined(item, board)
    for key in KEYS:
        if key.name == item.name:
            for groups, value in key.read(item.args, board):
                clue = Clue(key.kind, groups, value)
                yield KINDS[key.kind].canonical(clue, board).text(board)


def _joined(item: Item, board: Board) -> Iterator[str]:
    """Each constraint is one clue; one that states several is an `and`. An And of nothing holds,
    and so does an Or of which a part says nothing."""
    parts = []
    for part in item.inside:
        is_given = part.name in ("", "Given")
        try:
            texts = [*(_choices(part.args, board, 0) if is_given else _words(part, board))]
        except OutOfReachError:
            if item.name != "Or":
                raise
            continue  # an alternative that never holds
        if not texts and item.name == "Or" and part.name in JOINED:
            return
        parts += [f"(and:{','.join(f'({text})' for text in texts)})"] if texts else []
    if not parts and item.name == "Or":
        raise OutOfReachError("none of its alternatives is in reach")
    if parts:
        yield clue_of(f"{JOINED[item.name]}:{','.join(parts)}", board).text(board)


def _pieces(layout: str, board: Board) -> Iterator[str]:
    """The whole pieces of a region map, unless they are the board's own; one piece may be what the
    others leave."""
    if len(layout) != board.cells:
        raise ClueError(f"{len(layout)} cells: expected {board.cells}")
    pieces = [tuple(i for i, x in enumerate(layout) if x == label) for label in sorted({*layout})]
    if board.regions is not None or len(pieces) == 1:
        return
    whole = [piece for piece in pieces if len(piece) == board.size]
    if len(pieces) - len(whole) > 1:
        raise ClueError("more than one piece has another size")
    yield from (Clue(HOUSE, (piece,)).text(board) for piece in whole)


def _values(args: Args, board: Board) -> Iterator[tuple[int, list[int]]]:
    """Each cell that is given, and the digits that it may hold."""
    for arg in args:
        name, *digits = arg.split("_")
        known = list(map(str, range(1, board.size + 1)))
        if not digits or not {*digits} <= {*known}:
            raise ClueError(f"{arg[:20]!a}: expected a cell and digits, such as R1C1_3")
        yield cell_named(name, board), sorted({*map(int, digits)})


def _choices(args: Args, board: Board, least: int = 2) -> Iterator[str]:
    """The cells with so many digits or more, each as a clue."""
    for cell, digits in _values(args, board):
        if len(digits) >= least:
            yield f"{ONE_OF}={','.join(map(str, digits))}:{board.name_of(cell)}"


def givens_of(items: list[Item], board: Board) -> Grid:
    cells = [0] * board.cells
    for item in items:
        for cell, digits in _values(item.args, board) if item.name in ("", "Given") else ():
            if len(digits) == 1:
                if cells[cell] not in (0, digits[0]):
                    problem = (
                        f"{cell_name(cell, board)} is given as {cells[cell]} and as {digits[0]}"
                    )
                    raise ForeignError(problem, column=item.column)
                cells[cell] = digits[0]
    return Grid(bytes(cells), board)
