"""Kinds that say which digits single cells may hold, or how they compare with their neighbours.

Invariant: a cell's own restriction is a relation of the cell with itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from .. import phrases as p
from ..appearance import drawn, fpuzzles, pencilmark
from ..board import Board
from ..clue import Clue
from .kind import SET, Digits, Kind, Number, Relation
from .relations import is_less_by, one_of


def _hold(digits: Callable[[int, str], frozenset[int]]) -> Callable[[Board, Clue], list[Relation]]:
    """Every cell holds one of the digits, which depend on the size and the value."""

    def relations(board: Board, clue: Clue) -> list[Relation]:
        allowed = one_of(digits(board.size, clue.value))
        return [Relation(cell, cell, allowed) for cell in clue.cells]

    return relations


def _every_other(size: int, value: str, *, first: int) -> frozenset[int]:
    return frozenset(range(first, size + 1, 2))


def _listed(size: int, value: str) -> frozenset[int]:
    return frozenset(map(int, value.split(",")))


def _compared(board: Board, clue: Clue, *, low: bool) -> Iterator[Relation]:
    """Every cell with its neighbours outside the clue; an edge between two of its cells says
    nothing, because both cannot be less than the other."""
    inside = frozenset(clue.cells)
    for pair in board.adjacent_pairs:
        for cell, other in (pair, pair[::-1]):
            if cell in inside and other not in inside:
                yield Relation(*((cell, other) if low else (other, cell)), is_less_by(1))


DIGITS = Kind(
    "digits",
    "these cells hold one of the digits {value}",
    "digits=1,5,9:r1c1,r1c2",
    _hold(_listed),
    order=SET,
    value=Digits(),
    look=drawn(
        "restricted",
        12,
        "digits in the corner",
        sentence="the cell holds one of the digits in its corner",
        name="Restricted cell",
    ),
    abroad=(
        pencilmark("cell set", "digits", key="values"),
        pencilmark("cell exclude", "others"),
        pencilmark("corner exclude", "other"),
    ),
)
KINDS = (
    Kind(
        "odd",
        "these cells hold odd digits",
        "odd:r1c1,r5c5",
        _hold(partial(_every_other, first=1)),
        order=SET,
        look=drawn("disc", 3, "grey disc"),
        abroad=(
            fpuzzles("odd", "one"),
            pencilmark("cell odd"),
            pencilmark("corner mathrax", when=("op", "odd")),
        ),
        said={
            "": [
                p.heading("odd|odd ?[/-] ?even"),
                f"(?:{p.DIGITS} )?(?:with|in) {p.A}circles? {p.MUST}(?:be|are|contain|hold) "
                f"(?:an )?odd"
                f"(?: {p.DIGITS})?",
            ],
        },
    ),
    Kind(
        "even",
        "these cells hold even digits",
        "even:r1c1,r5c5",
        _hold(partial(_every_other, first=2)),
        order=SET,
        look=drawn("square", 3, "grey square"),
        abroad=(
            fpuzzles("even", "one"),
            pencilmark("cell even"),
            pencilmark("corner mathrax", when=("op", "even")),
        ),
        said={
            "": [
                p.heading("even|odd ?[/-] ?even"),
                f"(?:{p.DIGITS} )?(?:with|in) {p.A}squares? {p.MUST}(?:be|are|contain|hold) "
                f"(?:an )?even"
                f"(?: {p.DIGITS})?",
            ],
        },
    ),
    Kind(
        "low",
        "these cells hold digits up to {value}",
        "low=4:r1c1,r1c2",
        _hold(lambda size, value: frozenset(range(1, int(value) + 1))),
        order=SET,
        value=Number(1, lambda size: size, lambda size: size // 2),
        look=drawn("restricted", 12, "≤ in the corner", sign="≤"),
        abroad=(pencilmark("cell low", "number", key="split"),),
    ),
    Kind(
        "high",
        "these cells hold digits from {value} on",
        "high=6:r1c1,r1c2",
        _hold(lambda size, value: frozenset(range(int(value), size + 1))),
        order=SET,
        value=Number(1, lambda size: size, lambda size: size - size // 2 + 1),
        look=drawn("restricted", 12, "≥ in the corner", sign="≥"),
        abroad=(pencilmark("cell high", "above", key="split"),),
    ),
    DIGITS,
    Kind(
        "minimum",
        "these cells hold less than each neighbour beyond an edge; of two neighbours among them, "
        "neither has to be less",
        "minimum:r1c1,r5c5",
        partial(_compared, low=True),
        order=SET,
        by_place=True,
        look=drawn("extreme", 2, "shaded, chevrons inwards", low=True),
        abroad=(fpuzzles("minimum", "one"),),
        said={
            "": [
                p.heading("min(?:imum)?|min(?:imum)? ?/ ?max(?:imum)?"),
                f"{p.A}(?:cells?|squares?) (?:with arrows (?:facing|pointing) inwards?)?,? "
                f"?{p.MUST}"
                f"(?:be|contain|hold)? ?(?:{p.DIGITS} )?{p.LESS} {p.AROUND}",
            ],
        },
    ),
    Kind(
        "maximum",
        "these cells hold more than each neighbour beyond an edge; of two neighbours among them, "
        "neither has to be more",
        "maximum:r1c1,r5c5",
        partial(_compared, low=False),
        order=SET,
        by_place=True,
        look=drawn("extreme", 2, "shaded, chevrons outwards", low=False),
        abroad=(fpuzzles("maximum", "one"),),
        said={
            "": [
                p.heading("max(?:imum)?|min(?:imum)? ?/ ?max(?:imum)?"),
                f"{p.A}(?:cells?|squares?) (?:with arrows (?:facing|pointing) outwards?)?,? "
                f"?{p.MUST}"
                f"(?:be|contain|hold)? ?(?:{p.DIGITS} )?{p.LARGER} {p.AROUND}",
            ],
        },
    ),
)
