"""Relations of two digits, and kinds that state one, deny one, or tell where a digit stands.

Invariant: equal arguments give the same relation, so that what follows from one is cached by it;
every relation is between two cells, one of which may be the cell itself. A denial speaks of every
two cells that share an edge and that no clue of the denied kind joins, of whatever value. A dot of
either colour frees its cells of both denials of dots: 1 and 2 may stand at any dot.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import combinations
from typing import Any

from .. import phrases as p
from ..appearance import Foreign, Look, drawn, fpuzzles, iss, pencilmark
from ..board import Board, CellPair, Cells
from ..clue import PATH, SET, Clue, ClueError
from ..shapes import Shape, automaton
from .kind import (
    ANY,
    BESIDE,
    DRAWN,
    Allowed,
    Check,
    Digits,
    Kind,
    Number,
    Relation,
    Spoken,
    in_grid,
    needs_boxes,
)
from .sums import SUM


@cache
def one_of(digits: frozenset[int]) -> Allowed:
    """The digit is one of these; for a cell and itself."""
    return lambda x, y: x in digits


@cache
def is_less_by(gap: int) -> Allowed:
    """The second digit is greater by `gap` or more; 0 allows equal digits."""
    return lambda x, y: x + gap <= y


@cache
def apart(gap: int) -> Allowed:
    """The digits differ by `gap` or more."""
    return lambda x, y: abs(x - y) >= gap


@cache
def within(gap: int) -> Allowed:
    """The digits are different and differ by `gap` at most."""
    return lambda x, y: 0 < abs(x - y) <= gap


@cache
def differ_by(gap: int) -> Allowed:
    """The digits differ by `gap` exactly."""
    return lambda x, y: abs(x - y) == gap


@cache
def ratio(times: int) -> Allowed:
    """One digit is `times` the other."""
    return lambda x, y: x == times * y or y == times * x


@cache
def other_class(width: int, lowest: int) -> Allowed:
    """The digits are not in the same class of `width` successive digits: 1-3, 4-6, 7-9."""
    return lambda x, y: (x - lowest) // width != (y - lowest) // width


@cache
def other_rest(modulus: int) -> Allowed:
    """The digits leave different rests when divided by `modulus`."""
    return lambda x, y: x % modulus != y % modulus


def _related(relation: Callable[[int], Allowed]) -> Callable[[Board, Clue], list[Relation]]:
    """The two cells, by the relation of the value."""
    return lambda board, clue: [Relation(*_two(clue), relation(int(clue.value)))]


def _two(clue: Clue) -> tuple[int, int]:
    first, second = clue.cells
    return first, second


_TWICE = {"2": "twice"}


def _not_different(value: str) -> str:
    what = "are not consecutive" if value == "1" else "do not differ by {value}"
    return f"adjacent digits that no dot joins {what}"


def _not_times(value: str) -> str:
    times = _TWICE.get(value, "{value} times")
    return f"of adjacent digits that no dot joins, neither is {times} the other"


def _not_together(value: str) -> str:
    mark = {"5": "V", "10": "X"}.get(value, "sum")
    return f"adjacent digits that no {mark} joins do not add up to {{value}}"


def _denial(
    kind: Kind,
    frees: tuple[str, ...],
    stated: Callable[[str], str],
    called: tuple[str, ...],
    spoken: Spoken,
    *abroad: Foreign,
) -> Kind:
    return Kind(
        f"no-{kind.name}",
        stated("N"),
        f"no-{kind.name}{'=10' if kind.name == 'sum' else ''}",
        groups=(0, 0),
        value=kind.value,
        whole_board=True,
        stated=stated,
        denies=kind.name,
        frees=frees,
        called=called,
        abroad=abroad,
        spoken=spoken,
    )


_DIFFERENCE = Kind(
    "difference",
    "[digits joined by {the} {it} with a number differ by that number|the two digits differ by "
    "{value}]",
    "difference=1:r1c1,r1c2",
    _related(differ_by),
    cells=(2, 2),
    value=Number(1, lambda size: size - 1, lambda size: 1, floor=0),
    near=BESIDE,
    look=drawn("dot", 10, "white dot"),
    apart={"1": "digits joined by {the} white dot are consecutive"},
    called=(
        "Difference",
        "White Kropki dot=white",
        "Kropki=white",
        "white dot=white",
        "white circle=white",
        "consecutive pair=white",
        "consecutive dot=white",
        "consecutive bar=white",
    ),
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
    spoken=Spoken(nouns={"1": "white dot"}),
)
_RATIO = Kind(
    "ratio",
    "[where {the} {it} with a number joins two digits, one is that many times the other|one of the "
    "two digits is {value} times the other]",
    "ratio=2:r1c1,r1c2",
    _related(ratio),
    cells=(2, 2),
    value=Number(2, lambda size: size, lambda size: 2),
    near=BESIDE,
    look=drawn("dot", 10, "black dot", black=True),
    apart={"2": "where {the} black dot joins two digits, one is twice the other"},
    called=(
        "Ratio",
        "Black Kropki dot=black",
        "Kropki=black",
        "black dot=black",
        "black circle=black",
    ),
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
    spoken=Spoken(nouns={"2": "black dot"}),
)
_DOTS = (_DIFFERENCE.name, _RATIO.name)
KINDS = (
    _DIFFERENCE,
    _RATIO,
    _denial(
        _DIFFERENCE,
        _DOTS,
        _not_different,
        (
            "No other differences",
            "All white dots given=no-white",
            "all dots given=no-white",
            "strict Kropki=no-white",
            "negative constraint=no-white",
        ),
        Spoken("all differences of {value} given", {"1": "all white dots given"}),
        iss("StrictKropki", "flag", value="1"),
        fpuzzles("nonconsecutive", "denied-flag", value="1"),
        pencilmark("kropki", "negative", value="1", word="white"),
    ),
    _denial(
        _RATIO,
        _DOTS,
        _not_times,
        (
            "No other ratios",
            "All black dots given=no-black",
            "all dots given=no-black",
            "strict Kropki=no-black",
            "negative constraint=no-black",
        ),
        Spoken("all ratios of {value} given", {"2": "all black dots given"}),
        iss("StrictKropki", "flag", value="2"),
        fpuzzles("ratio", "denied", values=("2",), or_marked=True),
        pencilmark("kropki", "negative", value="2", word="black"),
    ),
    _denial(
        SUM,
        (SUM.name,),
        _not_together,
        (
            "No other sums",
            "All X given=no-x",
            "All V given=no-v",
            "strict XV=no-x",
            "strict XV=no-v",
            "negative XV=no-x",
            "anti-XV=no-x",
            "negative XV=no-v",
            "anti-XV=no-v",
            "negative constraint=no-x",
            "negative constraint=no-v",
        ),
        Spoken("all sums of {value} given", {"10": "all Xs given", "5": "all Vs given"}),
        iss("StrictXV", "flag", value="10"),
        iss("StrictXV", "flag", value="5"),
        fpuzzles("xv", "denied", values=("5", "10")),
        pencilmark("xv", "negative", value="10", word="X"),
        pencilmark("xv", "negative", value="5", word="V"),
    ),
    Kind(
        "greater",
        "[{the} sign between two cells points at the lower digit|the first digit is greater than "
        "the second]",
        "greater:r1c1,r1c2",
        lambda board, clue: [Relation(*_two(clue)[::-1], is_less_by(1))],
        cells=(2, 2),
        order=PATH,
        near=BESIDE,
        look=drawn(
            "chevron",
            11,
            "chevron",
        ),
        called=("Inequality", "greater than", "less than", "comparison", "futoshiki"),
        abroad=(
            iss("GreaterThan", "marks"),
            pencilmark("edge less", "reversed"),
            pencilmark("less", "op-reversed"),
        ),
        spoken=Spoken(
            alone={"": "{first} must be greater than {last}"},
            other="{first} must be greater than {last}, and {others}",
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


@cache
def tells(position: int, digit: int) -> Allowed:
    """The first cell holds `position` if and only if the second one holds `digit`."""
    return lambda x, y: (x == position) == (y == digit)


@cache
def leads(position: int, digit: int) -> Allowed:
    """If the first cell holds `position`, the second one holds `digit`."""
    return lambda x, y: x != position or y == digit


def first_place(cells: Cells, board: Board) -> int:
    """The digit that tells the first of the cells: 1, or the lowest one if there are as many cells
    as digits and these follow each other."""
    digits = board.digits
    is_run = digits[-1] - digits[0] == len(digits) - 1 == len(cells) - 1
    return digits[0] if is_run else 1


def _index(board: Board, clue: Clue, *, house: str) -> Iterator[Relation]:
    """A cell holds x if and only if cell x of its line or box holds the cell's own number there."""
    for cell in clue.cells:
        members = _house_of(cell, board, house)
        first = first_place(members, board)
        own = members.index(cell) + first
        for position, other in enumerate(members, first):
            yield Relation(cell, other, tells(position, own))


def _house_of(cell: int, board: Board, house: str) -> Cells:
    row, column = board.places[cell]
    if house == "box":
        return board.boxes[board.box_of(cell)]
    return board.rows[row] if house == "row" else board.columns[column]


@cache
def _not_both(digits: frozenset[int]) -> Allowed:
    """The two cells do not hold the same one of these digits."""
    return lambda x, y: x != y or x not in digits


def _taxicab(board: Board, clue: Clue) -> Iterator[Relation]:
    """Two cells do not both hold the digit that is their distance along rows and columns."""
    cells = clue.cells or range(board.grid_cells)
    for a, b in combinations(cells, 2):
        (top, left), (bottom, right) = board.places[a], board.places[b]
        distance = abs(top - bottom) + abs(left - right)
        if distance in board.digits:
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
    return board.leaps(
        [(step, sign * step) for step in range(1, board.extent[0]) for sign in (-1, 1)]
    )


def _in_boxes(board: Board, clue: Clue) -> None:
    needs_boxes(board, clue)
    for cell in clue.cells:
        if board.box_of(cell) < 0:
            raise ClueError(f"{board.name_of(cell)} lies in no box")


def _indexer(
    name: str,
    house: str,
    sentence: str,
    look: Look,
    check: Check = in_grid,
    **more: Any,
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
        **more,
    )


def _mover(piece: str) -> Kind:
    return Kind(
        f"{piece}-digits",
        f"cells a {piece}'s move apart do not hold the same digit if it is {{or}}",
        f"{piece}-digits=1,9",
        partial(_moves, piece=piece),
        groups=(0, 0),
        value=Digits(),
        whole_board=True,
        by_place=True,
        called=(f"Anti-{piece} digits", f"{piece}'s moves of some digits"),
        spoken=Spoken(f"{piece}'s moves of {{value}}"),
    )


_FOUND = (0, 0)


def _points_along(board: Board, clue: Clue) -> Iterator[Shape]:
    def step(position: int, state: CellPair, digit: int) -> CellPair | None:
        """The state: the first digit, and how many cells on it stands again, or `_FOUND`."""
        wanted, left = state
        if position == 0:
            return digit, 0
        if position == 1:
            return (wanted, digit) if 0 < digit < len(clue.cells) - 1 else None
        if left == 1:
            return _FOUND if digit == wanted else None
        return state if state == _FOUND else (wanted, left - 1)

    yield automaton(clue.cells, board.domains(clue.cells), _FOUND, step, _FOUND.__eq__)


POINTERS = (
    Kind(
        "value-index",
        "[along {the} {it}, from its dot on, |]the second digit says how many cells after it the "
        "first digit appears again",
        "value-index:r1c1-r1c6",
        shapes=_points_along,
        cells=(3, ANY),
        order=PATH,
        near=DRAWN,
        look=drawn("begun", 4, "thin dashed purple line", colour="#8f5ba6", width=3, dashes="6 3"),
        called=("Value indexing line", "indexing"),
        abroad=(iss("ValueIndexing"),),
    ),
    _indexer(
        "col-index",
        "row",
        "a digit d [in a red cell of|in] column c says that column d of the same row holds c",
        drawn("shaded", 1, "red cell", fills=("#f9dede",)),
        called=("Column indexer", "indexing", "159"),
        abroad=(
            iss("Indexing", "letter", letter="C", from_one=True),
            fpuzzles("columnindexer", "some"),
        ),
        said={"": [p.heading("1-?5-?9")]},
    ),
    _indexer(
        "row-index",
        "col",
        "a digit d [in a blue cell of|in] row r says that row d of the same column holds r",
        drawn("shaded", 1, "blue cell", fills=("#dde8f8",)),
        called=("Row indexer", "indexing"),
        abroad=(
            iss("Indexing", "letter", letter="R", from_one=True),
            fpuzzles("rowindexer", "some"),
        ),
    ),
    _indexer(
        "box-index",
        "box",
        "a digit d [in a green cell |]in place p of a box says that place d of the box holds p",
        drawn("shaded", 1, "green cell", fills=("#dff0dd",)),
        _in_boxes,
        called=("Box indexer", "indexing"),
        abroad=(fpuzzles("boxindexer", "some"),),
    ),
    Kind(
        "taxicab",
        "two equal digits are never as many steps apart, along rows and columns, as the digit says",
        "taxicab",
        _taxicab,
        cells=(2, ANY),
        order=SET,
        whole_board=True,
        by_place=True,
        check=in_grid,
        look=drawn(level=16),
        called=("Anti-taxicab",),
        abroad=(iss("AntiTaxicab", "flag", first=(1,)),),
    ),
    *map(_mover, ("knight", "king", "queen")),
)
