"""Kinds that relate two cells, and those that deny it of all neighbours.

Invariant: a denial speaks of every two cells that share an edge and that no clue of the denied kind
joins, of whatever value. A dot of either colour frees its cells of both denials of dots: 1 and 2
may stand at any dot.
"""

from __future__ import annotations

from collections.abc import Callable

from .. import phrases as p
from ..appearance import Foreign, drawn, fpuzzles, iss, pencilmark
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


def _denial(kind: Kind, frees: tuple[str, ...], sentence: str, *abroad: Foreign) -> Kind:
    return Kind(
        f"no-{kind.name}",
        sentence,
        f"no-{kind.name}{'=10' if kind.name == 'sum' else ''}",
        groups=(0, 0),
        value=kind.value,
        whole_board=True,
        denies=kind.name,
        frees=frees,
        abroad=abroad,
        look=drawn(name=f"No other {kind.name}s"),
    )


_DIFFERENCE = Kind(
    "difference",
    "the two digits differ by {value}",
    "difference=1:r1c1,r1c2",
    _related(differ_by),
    cells=(2, 2),
    value=Number(1, lambda size: size - 1, lambda size: 1),
    near=BESIDE,
    look=drawn("dot", 10, "white dot"),
    called=("kropki=white or black", "white-dot=white"),
    abroad=(
        iss("WhiteDot", "marks", value="1"),
        fpuzzles("difference", "cells", "number"),
        pencilmark("edge kropki", when=("color", "white"), value="1"),
        pencilmark("edge difference", "number", key="value"),
        pencilmark("corner mathrax", "crossing", when=("op", "-")),
        pencilmark("difference", "op-number"),
    ),
    said={
        "=1": [*p.KROPKI, *p.dot("white (?:kropki )?dots?", p.CONSECUTIVE)],
    },
)
_RATIO = Kind(
    "ratio",
    "one of the two digits is {value} times the other",
    "ratio=2:r1c1,r1c2",
    _related(ratio),
    cells=(2, 2),
    value=Number(2, lambda size: size, lambda size: 2),
    near=BESIDE,
    look=drawn("dot", 10, "black dot", black=True),
    called=("black-dot=black",),
    abroad=(
        iss("BlackDot", "marks", value="2"),
        fpuzzles("ratio", "cells", "number"),
        pencilmark("edge kropki", when=("color", "black"), value="2"),
        pencilmark("edge ratio", "number", key="value"),
        pencilmark("corner mathrax", "crossing", when=("op", "/")),
        pencilmark("ratio", "op-number"),
    ),
    said={
        "=2": [*p.KROPKI, *p.dot("black (?:kropki )?dots?", p.HALF)],
    },
)
_DOTS = (_DIFFERENCE.name, _RATIO.name)
KINDS = (
    _DIFFERENCE,
    _RATIO,
    _denial(
        _DIFFERENCE,
        _DOTS,
        "neighbours differ by {value} only at a dot of either colour",
        iss("StrictKropki", "flag", value="1"),
        fpuzzles("nonconsecutive", "denied-flag", value="1"),
        pencilmark("kropki", "negative", value="1", word="white"),
    ),
    _denial(
        _RATIO,
        _DOTS,
        "a neighbour is {value} times the other only at a dot of either colour",
        iss("StrictKropki", "flag", value="2"),
        fpuzzles("ratio", "denied", values=("2",), or_marked=True),
        pencilmark("kropki", "negative", value="2", word="black"),
    ),
    _denial(
        SUM,
        (SUM.name,),
        "neighbours add up to {value} only where a clue says so",
        iss("StrictXV", "flag", value="10"),
        iss("StrictXV", "flag", value="5"),
        fpuzzles("xv", "denied", values=("5", "10")),
        pencilmark("xv", "negative", value="10", word="X"),
        pencilmark("xv", "negative", value="5", word="V"),
    ),
    Kind(
        "greater",
        "the first digit is greater than the second",
        "greater:r1c1,r1c2",
        lambda board, clue: [Relation(*_two(clue)[::-1], is_less_by(1))],
        cells=(2, 2),
        order=PATH,
        near=BESIDE,
        look=drawn(
            "chevron",
            11,
            "<",
            sentence="the sign points at the lesser of the two digits",
            name="Inequality",
        ),
        called=("inequality",),
        abroad=(
            iss("GreaterThan", "marks"),
            pencilmark("edge less", "reversed"),
            pencilmark("less", "op-reversed"),
        ),
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
# Kinds of denials, and what may be said where all of them are in force, and where none is.
DENIED: tuple[tuple[frozenset[str], str, str], ...] = (
    (frozenset(("no-difference", "no-ratio")), p.all_marks(p.DOTS), p.not_all_marks(p.DOTS)),
    (frozenset(("no-ratio",)), p.all_marks(f"black {p.DOTS}"), p.not_all_marks(f"black {p.DOTS}")),
    (
        frozenset(("no-difference",)),
        p.all_marks(f"white {p.DOTS}"),
        p.not_all_marks(f"white {p.DOTS}"),
    ),
    (frozenset(("no-sum",)), p.all_marks(p.XVS), p.not_all_marks(p.XVS)),
    (
        frozenset(("no-difference", "no-ratio", "no-sum")),
        "(?:the )?negative constraints? appl(?:y|ies)",
        r"\(?(?:no|without) negative constraints?\)?",
    ),
)
