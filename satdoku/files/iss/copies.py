"""`.Replicate~TARGETS~R1C1 ... .End`: constraints that hold again and again, each time elsewhere.

Invariant: what is returned states with each copy in full what the text states in short.

What is inside is moved so that the origin (R1C1 unless stated) comes to lie on each target. Targets
are bits in base 64, six a character, the lowest first: the cells from the origin on, row by row.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ...model.board import Board
from ...model.clue import ClueError
from ..foreign import ForeignError
from .cells import CELL, cell_name, cell_named
from .clues import OUTSIDE
from .items import Item
from .tables import bits_of

_MOST = 10_000  # constraints that a text may come to
_MOVED = re.compile(rf"({CELL.pattern})((?:_\d+)*)", re.IGNORECASE)


def replicated(items: Sequence[Item], board: Board) -> list[Item]:
    """The constraints, with copies in the place of what makes them."""
    found: list[Item] = []
    for item in items:
        if item.name == "Or":  # copies are one alternative together
            inside = [_together(replicated([part], board), part) for part in item.inside]
        else:
            inside = replicated(item.inside, board)
        if item.name == "Replicate":
            found += _copies(item, inside, board)
        else:
            found.append(item._replace(inside=tuple(inside)))
    return found


def _together(copies: list[Item], part: Item) -> Item:
    """An alternative as one constraint."""
    return copies[0] if len(copies) == 1 else Item("And", (), part.column, tuple(copies))


def _copies(item: Item, within: list[Item], board: Board) -> Iterator[Item]:
    try:
        origin = cell_named(item.args[1], board) if len(item.args) > 1 else 0
        targets = [origin + i for i, bit in enumerate(bits_of(item.args[0])) if bit]
        if len(targets) * len(within) > _MOST:
            raise ClueError(f"more than {_MOST:,} constraints")
        for target in targets:
            if target >= board.cells:
                raise ClueError("a target lies outside the board")
            for part in within:
                yield _moved(part, origin, target, board)
    except IndexError:
        raise ForeignError(".Replicate: arguments are missing", column=item.column) from None
    except ClueError as error:
        raise ForeignError(f".Replicate: {error}", column=item.column) from None


def _moved(item: Item, origin: int, target: int, board: Board) -> Item:
    if item.name in OUTSIDE:
        raise ClueError(f".{item.name} cannot be moved")
    inside = tuple(_moved(part, origin, target, board) for part in item.inside)
    args = tuple(_moved_arg(arg, origin, target, board) for arg in item.args)
    return item._replace(args=args, inside=inside)


def _moved_arg(arg: str, origin: int, target: int, board: Board) -> str:
    """A cell, with the digits behind it, as many rows and columns further; anything else as it
    is."""
    match = _MOVED.fullmatch(arg)
    if match is None:
        return arg
    places = (divmod(cell, board.size) for cell in (cell_named(match[1], board), origin, target))
    (row, column), (from_row, from_column), (to_row, to_column) = places
    row, column = row + to_row - from_row, column + to_column - from_column
    if not (0 <= row < board.size and 0 <= column < board.size):
        raise ClueError(f"{arg[:20]} would lie outside the board")
    return cell_name(board.size * row + column, board) + match[4]
