"""Kinds on cells that touch: connected ones, those that reach the edge, loops, no full squares.

Invariant: cells touch where they share an edge, those of a layer where the cells of the grid do
over which they lie. A kind here speaks of the cells that hold one of the digits of its value, among
all cells of the grids, or all of one layer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random

from ...runtime.errors import counted
from .. import phrases as p
from ..appearance import drawn, iss
from ..board import Board, Cells
from ..clue import PATH, SET, Clue, ClueError
from ..sentences import listed
from ..shapes import Alike, Connected, OneOf, Regions, Shape, automaton
from .kind import ANY, Digits, Kind, Number

_MOST_NEIGHBOURS = 4
_LESS = Number(0, lambda size: 1, lambda size: 0)
_GUESSES = 12  # of digits of the whole board


@dataclass(frozen=True)
class Many(Digits):
    """Digits whose cells are connected somehow."""

    def guesses(self, digits: Sequence[int], size: int, rng: Random) -> list[str]:
        """On the whole board half of all digits or more, as few are seldom connected."""
        if digits:
            return super().guesses(digits, size, rng)
        counts = (rng.randint(max(1, size // 2), max(1, size - 1)) for _ in range(_GUESSES))
        drawn = (sorted(rng.sample(range(1, size + 1), count)) for count in counts)
        return [",".join(map(str, some)) for some in drawn]


@dataclass(frozen=True)
class Area(Many):
    """A value of digits, and of how many cells hold them, if that is told: `1,3x12`."""

    def read(self, text: str, board: Board) -> str:
        digits, times, number = text.partition("x")
        if not times:
            return super().read(text, board)
        if not (number.strip().isascii() and number.strip().isdigit() and int(number[:9])):
            raise ClueError(f"value '{text[:20]}': expected {self.expected(board)}")
        return f"{super().read(digits, board)}x{int(number[:9])}"

    def expected(self, board: Board) -> str:
        return f"{super().expected(board)}, and if you know it x and the number of cells: 1x12"

    def guesses(self, digits: Sequence[int], size: int, rng: Random) -> list[str]:
        """Some digits with no number, and one of them with how often it stands there."""
        some, one = super().guesses(digits, size, rng), list(digits)[:1]
        return [*some, *(f"{d}x{digits.count(d)}" for d in one)]


def _area_cells(board: Board, clue: Clue) -> Cells:
    return clue.cells or tuple(range(board.grid_cells))


def _whole_area(board: Board, clue: Clue) -> None:
    """The check of every kind here: its cells are all those of the grids, or all of a layer."""
    cells, digits = _area_cells(board, clue), clue.value.partition("x")[0].split(",")
    if board.layer_of(cells) is None:
        raise ClueError("expected no cells, for the whole board, or all of one layer: ':shade'")
    held = {*map(str, board.domains(cells[:1])[0])}
    if unknown := next((digit for digit in digits if digit not in held), None):
        raise ClueError(f"value {clue.value[:20]}: none of these cells can hold {unknown}")
    if int(clue.value.partition("x")[2] or 1) > len(cells):
        raise ClueError(f"value {clue.value[:20]}: there are only {counted(len(cells), 'cell')}")


def _held(board: Board, clue: Clue) -> frozenset[int]:
    """The positions (from 1) of the digits of the value."""
    (domain,) = board.domains(_area_cells(board, clue)[:1])
    digits = map(int, clue.value.partition("x")[0].split(","))
    return frozenset(domain.index(digit) + 1 for digit in digits)


def _connected(board: Board, clue: Clue) -> Iterator[Shape]:
    cells, held = _area_cells(board, clue), _held(board, clue)
    number = clue.value.partition("x")[2]
    least, most = (int(number),) * 2 if number else (1, len(cells))
    yield Connected(cells, held, board.adjacent_pairs, least, most)
    if number:
        yield OneOf(tuple((cell, digit) for cell in cells for digit in sorted(held)))


def _connected_words(value: str) -> str:
    digits, _, number = value.partition("x")
    many = f"; there are {number} of them" if number else ""
    return f"all cells that hold {listed(digits.split(','), 'or')} are connected{many}"


def _reaches(board: Board, clue: Clue) -> Iterator[Shape]:
    """Outside is one more cell, which every cell at the edge touches."""
    cells = _area_cells(board, clue)
    outside = len(cells)
    ways = (
        (cell, outside) for cell in range(outside) if len(board.beside[cell]) < _MOST_NEIGHBOURS
    )
    yield Connected(cells, _held(board, clue), (*board.adjacent_pairs, *ways), 1, outside + 1)


def _loop(board: Board, clue: Clue) -> Iterator[Shape]:
    """Connected cells, each of which touches two others."""
    cells, held = _area_cells(board, clue), _held(board, clue)
    yield Connected(cells, held, board.adjacent_pairs, 1, len(cells))
    yield OneOf(tuple((cell, digit) for cell in cells for digit in sorted(held)))
    for cell, others in enumerate(board.beside):
        around = tuple(cells[at] for at in (cell, *others))

        def step(position: int, touched: int, digit: int) -> int | None:
            if position == 0:
                return 0 if digit in held else -1
            return min(touched + (digit in held), 3) if touched >= 0 else -1

        places = [range(1, len(domain) + 1) for domain in board.domains(around)]
        yield automaton(around, places, 0, step, (-1, 2).__contains__)


def _no_square(board: Board, clue: Clue) -> Iterator[Shape]:
    cells, held = _area_cells(board, clue), _held(board, clue)
    for window in board.windows:
        own = tuple(cells[cell] for cell in window)
        yield OneOf(
            tuple(
                (cell, digit)
                for cell, domain in zip(own, board.domains(own), strict=True)
                for digit in range(1, len(domain) + 1)
                if digit not in held
            )
        )


def _cuts(board: Board, clue: Clue) -> None:
    """The check of regions to find: a label for each row, which holds every digit."""
    layer = board.layer_of(clue.cells)
    if not layer:
        raise ClueError("expected the cells of one layer, which hold the labels: 'chaos:area'")
    labels, rows = board.domains(clue.cells[:1])[0], board.families[0][1]
    if len(rows) != len(labels) or {*map(len, rows)} != {len(board.digits)}:
        raise ClueError(
            f"layer {layer} has {len(labels)} labels: expected as many as there are rows, "
            "each of which holds every digit"
        )


def _regions(board: Board, clue: Clue) -> Iterator[Shape]:
    cells, digits = tuple(range(board.grid_cells)), board.digits
    first = digits.index(1) if 1 in digits else 0
    (_, rows), (_, columns), _ = board.families
    across = columns if {*map(len, columns)} == {len(digits)} else ()
    edges, size = board.adjacent_pairs, len(digits)
    for label in range(1, len(rows) + 1):
        yield Connected(clue.cells, frozenset((label,)), edges, size, size)
    yield Regions((*cells, *clue.cells), len(rows), first + 1, rows, across, edges)


def _alike(board: Board, clue: Clue, *, is_run: bool) -> Iterator[Shape]:
    (own,), *arms = clue.groups
    others = tuple(dict.fromkeys(cell for arm in arms for cell in arm))
    at = {cell: place for place, cell in enumerate(others, 1)}
    places = tuple(tuple(at[cell] for cell in arm) for arm in arms)
    (tells,), choices = board.domains((own,)), len(board.domains(others[:1])[0])
    yield Alike((own, *others), places, is_run, int(clue.value), tells, choices)


def _arms_fit(board: Board, clue: Clue) -> None:
    """One cell tells, and all arms begin in one cell and have the same digits."""
    first, *arms = clue.groups
    if len(first) != 1:
        raise ClueError(
            f"{counted(len(first), 'cell')} before the first '>': expected the one that tells"
        )
    cells = [cell for arm in arms for cell in arm]
    if {arm[0] for arm in arms} != {arms[0][0]}:
        raise ClueError("every arm begins in the same cell, with which its others are compared")
    if first[0] in cells or len({*cells}) + len(arms) - 1 != len(cells):
        raise ClueError("a cell stands twice: expected each once, but the first of every arm")
    if len({*board.domains(tuple(cells))}) > 1:
        raise ClueError("expected cells of one layer, or of the grid, behind the first '>'")


def _counted_alike(what: str, value: str = "N") -> str:
    """What a cell says that counts; nothing is said of a value of 0."""
    return f"the first cell holds {what}" + ", minus {value}" * (value != "0")


_of_area = partial(
    Kind,
    groups=(0, 1),
    order=SET,
    whole_board=True,
    whole_layer=True,
    by_place=True,
    check=_whole_area,
)

KINDS = (
    _of_area(
        "connected",
        "all cells that hold {or} are connected[|; a number after x says how many there are]",
        "connected=1,3,5,7,9",
        shapes=_connected,
        value=Area(),
        called=("Connected digits", "connectivity", "orthogonally connected", "connected values"),
        stated=_connected_words,
        abroad=(iss("ConnectedValues", "area"),),
    ),
    _of_area(
        "edge-connected",
        "every cell that holds {or} is connected to the edge of the grid by such cells",
        "edge-connected=2,4,6,8",
        shapes=_reaches,
        value=Many(),
        called=("Digits connected to the edge", "reaches the edge", "no island"),
    ),
    _of_area(
        "single-loop",
        "the cells that hold {or} form one closed loop, which nowhere touches itself",
        "single-loop=1,2",
        shapes=_loop,
        value=Digits(),
        called=("Single loop", "closed loop"),
    ),
    _of_area(
        "no-square",
        "every 2x2 square has a cell that does not hold {or}",
        "no-square=1,2,3,4",
        shapes=_no_square,
        value=Digits(),
        called=("No 2x2 square", "no 2x2", "no pool"),
        said={"": [p.heading("no ?2x2|no pools?")]},
    ),
    Kind(
        "chaos",
        "the labels divide the grid into connected regions with every digit once; the region whose "
        "1 is in row 1 has the first label, and so on",
        "chaos:area",
        shapes=_regions,
        order=SET,
        whole_layer=True,
        by_place=True,
        check=_cuts,
        called=("Chaos construction", "region construction", "deconstruction"),
        abroad=(iss("ChaosConstruction", "labels"),),
        said={"": [p.heading("chaos construction")]},
    ),
    Kind(
        "alike",
        "the first cell counts those behind it that hold the same as the first of them, minus "
        "{value}",
        "alike=0:r1c1>r1c2,r1c3,r1c4",
        shapes=partial(_alike, is_run=False),
        stated=partial(
            _counted_alike, "the number of cells behind it that hold the same as the first of these"
        ),
        groups=(2, 2),
        order=PATH,
        value=_LESS,
        check=_arms_fit,
        look=drawn(label="Chaos count"),
        called=("Chaos count",),
        abroad=(iss("ChaosCount", "arms", is_run=False),),
    ),
    Kind(
        "alike-run",
        _counted_alike("the number of cells like the start of the arms, seen along all arms"),
        "alike-run=0:r1c1>r1c2,r1c3,r1c4",
        shapes=partial(_alike, is_run=True),
        stated=partial(
            _counted_alike, "the number of cells like the start of the arms, seen along all arms"
        ),
        groups=(2, ANY),
        order=PATH,
        value=_LESS,
        check=_arms_fit,
        look=drawn(label="Chaos arrow"),
        called=("Chaos arrow",),
        abroad=(iss("ChaosArrow", "arms", is_run=True),),
    ),
)
