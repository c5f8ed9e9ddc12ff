"""Kinds in which a digit says where another digit stands, and distances on the whole board.

Invariant: every relation is between two cells, one of which may be the cell itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import combinations

from .. import phrases as p
from ..appearance import Foreign, Look, drawn, fpuzzles, iss
from ..board import Board, CellPair, Cells
from ..clue import Clue
from .kind import ANY, SET, Allowed, Check, Digits, Kind, Relation, needs_boxes


@cache
def tells(position: int, digit: int) -> Allowed:
    """The first cell holds `position` if and only if the second one holds `digit`."""
    return lambda x, y: (x == position) == (y == digit)


def _index(board: Board, clue: Clue, *, house: str) -> Iterator[Relation]:
    """A cell holds x if and only if cell x of its line or box holds the cell's own number there."""
    for cell in clue.cells:
        members = _house_of(cell, board, house)
        own = members.index(cell) + 1
        for position, other in enumerate(members, 1):
            yield Relation(cell, other, tells(position, own))


def _house_of(cell: int, board: Board, house: str) -> Cells:
    row, column = divmod(cell, board.size)
    if house == "box":
        return board.boxes[board.box_of(cell)]
    return board.rows[row] if house == "row" else board.columns[column]


@cache
def _not_both(digits: frozenset[int]) -> Allowed:
    """The two cells do not hold the same one of these digits."""
    return lambda x, y: x != y or x not in digits


def _taxicab(board: Board, clue: Clue) -> Iterator[Relation]:
    """Two cells do not both hold the digit that is their distance along rows and columns."""
    cells = clue.cells or range(board.cells)
    for a, b in combinations(cells, 2):
        (top, left), (bottom, right) = divmod(a, board.size), divmod(b, board.size)
        distance = abs(top - bottom) + abs(left - right)
        if distance <= board.size:
            yield Relation(a, b, _not_both(frozenset((distance,))))


def _moves(board: Board, clue: Clue, *, piece: str) -> Iterator[Relation]:
    digits = frozenset(map(int, clue.value.split(",")))
    return (Relation(a, b, _not_both(digits)) for a, b in _pairs_of(board, piece))


def _pairs_of(board: Board, piece: str) -> tuple[CellPair, ...]:
    """The pairs of cells that a chess piece joins; in rows and columns digits differ anyway."""
    if piece == "knight":
        return board.knight_pairs
    if piece == "king":
        return board.king_pairs
    return board.leaps([(step, sign * step) for step in range(1, board.size) for sign in (-1, 1)])


def _indexer(
    name: str,
    house: str,
    sentence: str,
    look: Look,
    check: Check | None = None,
    called: tuple[str, ...] = (),
    abroad: tuple[Foreign, ...] = (),
    said: Mapping[str, Sequence[str]] | None = None,
) -> Kind:
    return Kind(
        name,
        sentence,
        f"{name}:r1c1,r5c5",
        partial(_index, house=house),
        cells=(1, ANY),
        order=SET,
        by_place=True,
        check=check,
        look=look,
        called=called,
        abroad=abroad,
        said=said or {},
    )


def _mover(piece: str) -> Kind:
    return Kind(
        f"{piece}-digits",
        f"no two of the same digit, of {{value}}, are a {piece}'s move apart",
        f"{piece}-digits=1,9",
        partial(_moves, piece=piece),
        groups=(0, 0),
        value=Digits(),
        whole_board=True,
        by_place=True,
        look=drawn(name=f"{piece.capitalize()}'s moves"),
    )


KINDS = (
    _indexer(
        "col-index",
        "row",
        "a digit d in column c says that column d of the same row holds c",
        drawn("shaded", 1, "red cells", name="Column index", fills=("#f9dede",)),
        abroad=(iss("Indexing", "letter", letter="C"), fpuzzles("columnindexer", "some")),
        said={"": [p.heading("1-?5-?9")]},
    ),
    _indexer(
        "row-index",
        "col",
        "a digit d in row r says that row d of the same column holds r",
        drawn("shaded", 1, "blue cells", fills=("#dde8f8",)),
        called=("indexing=row-index or col-index",),
        abroad=(iss("Indexing", "letter", letter="R"), fpuzzles("rowindexer", "some")),
    ),
    _indexer(
        "box-index",
        "box",
        "a digit d in place p of a box says that place d of the box holds p",
        drawn("shaded", 1, "green cells", fills=("#dff0dd",)),
        needs_boxes,
        abroad=(fpuzzles("boxindexer", "some"),),
    ),
    Kind(
        "taxicab",
        "two equal digits are never as many steps along rows and columns apart as they say",
        "taxicab",
        _taxicab,
        cells=(2, ANY),
        order=SET,
        whole_board=True,
        by_place=True,
        look=drawn(level=16),
        abroad=(iss("AntiTaxicab", "flag"),),
    ),
    *map(_mover, ("knight", "king", "queen")),
)
