"""Kinds along a line of cells that relate cells two by two.

Invariant: a line is a list of cells, each next to the one before in the list, wherever they lie.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations, pairwise

from ..board import Board
from ..clue import Clue, ClueError, OutOfReachError
from .counts import has_thirds
from .kind import ANY, DRAWN, PATH, SET, SPREAD, Allowed, Kind, Number, Relation
from .relations import apart, eq, is_less_by, ne, other_class, other_rest, within

Related = Callable[[Board, Clue], Iterator[Relation]]


def _grows(board: Board, clue: Clue, *, step: int) -> Iterator[Relation]:
    """Every digit is greater than each before it by as many steps as lie between."""
    for (i, a), (j, b) in combinations(enumerate(clue.cells), 2):
        yield Relation(a, b, is_less_by(step * (j - i)))


def _fits_thermometer(board: Board, clue: Clue) -> None:
    if len(clue.cells) > board.size:
        raise OutOfReachError(f"{len(clue.cells)} cells: {board.size} digits cannot grow as often")


def _near(relation: Callable[[int], Allowed], reach: Callable[[int], int]) -> Related:
    """Cells less than `reach` steps apart are in the relation; both depend on the value."""

    def relations(board: Board, clue: Clue) -> Iterator[Relation]:
        value = int(clue.value or 0)
        for (i, a), (j, b) in combinations(enumerate(clue.cells), 2):
            if j - i < reach(value):
                yield Relation(a, b, relation(value))

    return relations


def _mirrored(board: Board, clue: Clue) -> Iterator[Relation]:
    cells = clue.cells
    for i in range(len(cells) // 2):
        yield Relation(cells[i], cells[-1 - i], eq)


def _copied(board: Board, clue: Clue) -> Iterator[Relation]:
    for one, other in pairwise(clue.groups):
        yield from (Relation(a, b, eq) for a, b in zip(one, other, strict=True) if a != b)


def _same_shape(board: Board, clue: Clue) -> None:
    if len(set(map(len, clue.groups))) > 1:
        raise ClueError("the groups of a clone have the same number of cells")


def _each_two(relation: Callable[[Clue], Allowed]) -> Related:
    """Every two cells are in the relation, wherever they stand on the line."""
    return lambda board, clue: (
        Relation(a, b, relation(clue)) for a, b in combinations(clue.cells, 2)
    )


def _at_most_digits(board: Board, clue: Clue) -> None:
    if len(clue.cells) > board.size:
        raise OutOfReachError(f"{len(clue.cells)} cells: there are only {board.size} digits")


def _entropic(board: Board, clue: Clue) -> Iterator[Relation]:
    width = board.size // 3
    for (i, a), (j, b) in combinations(enumerate(clue.cells), 2):
        if j - i < 3:
            yield Relation(a, b, other_class(width))


def _fills(board: Board, clue: Clue) -> None:
    if len(clue.cells) != board.size:
        raise ClueError(f"{len(clue.cells)} cells: a region has as many as digits, {board.size}")


KINDS = (
    Kind(
        "thermo",
        "the digits grow from the bulb, the first cell, to the tip",
        "thermo:r1c1,r2c1,r3c2",
        partial(_grows, step=1),
        cells=(2, ANY),
        order=PATH,
        check=_fits_thermometer,
        near=DRAWN,
    ),
    Kind(
        "slow-thermo",
        "from the bulb, the first cell, to the tip no digit is less than the one before",
        "slow-thermo:r1c1,r2c1,r3c2",
        partial(_grows, step=0),
        cells=(2, ANY),
        order=PATH,
        near=DRAWN,
    ),
    Kind(
        "whisper",
        "neighbours on the line differ by {value} or more",
        "whisper=5:r1c1-r1c4",
        _near(apart, lambda value: 2),
        cells=(2, ANY),
        value=Number(1, lambda size: size - 1, lambda size: (size + 1) // 2),
        near=DRAWN,
    ),
    Kind(
        "palindrome",
        "the line reads the same from both ends",
        "palindrome:r1c1,r1c2,r2c3",
        _mirrored,
        cells=(2, ANY),
        near=DRAWN,
    ),
    Kind(
        "clone",
        "the groups hold the same digits in the same order",
        "clone:r1c1,r1c2>r5c5,r5c6",
        _copied,
        groups=(2, ANY),
        order=PATH,
        check=_same_shape,
    ),
    Kind(
        "renban",
        "the line holds successive digits in any order, each once",
        "renban:r1c1,r1c2,r1c3",
        _each_two(lambda clue: within(len(clue.cells) - 1)),  # so the digits are successive
        cells=(2, ANY),
        order=SET,
        check=_at_most_digits,
        near=SPREAD,
    ),
    Kind(
        "nabner",
        "no two digits of the line are equal or consecutive",
        "nabner:r1c1,r1c2,r1c3",
        _each_two(lambda clue: apart(2)),
        cells=(2, ANY),
        order=SET,
        near=SPREAD,
    ),
    Kind(
        "entropic",
        "of any three successive cells one holds a low, one a middle and one a high digit",
        "entropic:r1c1-r1c6",
        _entropic,
        cells=(2, ANY),
        check=has_thirds,
        near=DRAWN,
    ),
    Kind(
        "modular",
        "of any {value} successive cells no two leave the same rest when divided by {value}",
        "modular=3:r1c1-r1c6",
        _near(other_rest, lambda value: value),
        cells=(2, ANY),
        value=Number(2, lambda size: size, lambda size: 3),
        near=DRAWN,
    ),
    Kind(
        "parity",
        "odd and even digits alternate along the line",
        "parity:r1c1-r1c5",
        _near(lambda value: other_rest(2), lambda value: 2),
        cells=(2, ANY),
        near=DRAWN,
    ),
    Kind(
        "distinct",
        "all digits are different",
        "distinct:r1c1,r5c5,r9c9",
        _each_two(lambda clue: ne),
        cells=(2, ANY),
        order=SET,
        check=_at_most_digits,
    ),
    Kind(
        "region",
        "these cells hold every digit once",
        "region:r1c1,r2c2,r3c3,r4c4,r5c5,r6c6,r7c7,r8c8,r9c9",
        houses=lambda board, clue: clue.groups,
        order=SET,
        check=_fills,
    ),
)
