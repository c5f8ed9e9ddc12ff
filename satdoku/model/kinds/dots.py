"""Kinds that relate two cells, and those that deny it of all neighbours.

Invariant: a denial speaks of every two cells that share an edge and that no clue of the denied kind
joins, of whatever value. A dot of either colour frees its cells of both denials of dots: 1 and 2
may stand at any dot.
"""

from __future__ import annotations

from collections.abc import Callable

from ..board import Board
from ..clue import Clue
from .kind import BESIDE, PATH, Allowed, Kind, Number, Relation
from .relations import differ_by, is_less_by, ratio
from .sums import SUM


def _related(relation: Callable[[int], Allowed]) -> Callable[[Board, Clue], list[Relation]]:
    """The two cells, by the relation of the value."""
    return lambda board, clue: [Relation(*_two(clue), relation(int(clue.value)))]


def _two(clue: Clue) -> tuple[int, int]:
    first, second = clue.cells
    return first, second


def _denial(kind: Kind, frees: tuple[str, ...], sentence: str) -> Kind:
    return Kind(
        f"no-{kind.name}",
        sentence,
        f"no-{kind.name}{'=10' if kind.name == 'sum' else ''}",
        groups=(0, 0),
        value=kind.value,
        whole_board=True,
        denies=kind.name,
        frees=frees,
    )


_DIFFERENCE = Kind(
    "difference",
    "the two digits differ by {value}",
    "difference=1:r1c1,r1c2",
    _related(differ_by),
    cells=(2, 2),
    value=Number(1, lambda size: size - 1, lambda size: 1),
    near=BESIDE,
)
_RATIO = Kind(
    "ratio",
    "one of the two digits is {value} times the other",
    "ratio=2:r1c1,r1c2",
    _related(ratio),
    cells=(2, 2),
    value=Number(2, lambda size: size, lambda size: 2),
    near=BESIDE,
)
_DOTS = (_DIFFERENCE.name, _RATIO.name)
KINDS = (
    _DIFFERENCE,
    _RATIO,
    _denial(_DIFFERENCE, _DOTS, "neighbours differ by {value} only at a dot of either colour"),
    _denial(_RATIO, _DOTS, "a neighbour is {value} times the other only at a dot of either colour"),
    _denial(SUM, (SUM.name,), "neighbours add up to {value} only where a clue says so"),
    Kind(
        "greater",
        "the first digit is greater than the second",
        "greater:r1c1,r1c2",
        lambda board, clue: [Relation(*_two(clue)[::-1], is_less_by(1))],
        cells=(2, 2),
        order=PATH,
        near=BESIDE,
    ),
)
ALIASES = {
    "white": ("difference", "1"),
    "black": ("ratio", "2"),
    "x": ("sum", "10"),
    "v": ("sum", "5"),
    "no-white": ("no-difference", "1"),
    "no-black": ("no-ratio", "2"),
    "no-x": ("no-sum", "10"),
    "no-v": ("no-sum", "5"),
}
