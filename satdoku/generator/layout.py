"""Where a setter draws clues: cages that share edges, lines from cell to cell, marks between cells.

Invariant: of all clues of a layout no two share a spot. So cages do not overlap, lines neither meet
nor cross, and a mark, a number outside and a corner belong to one clue. `clue_warnings` has nothing
to say of any of them. What is laid out at once is one orbit of the symmetry that was asked for.

What a setter draws follows from the drawing of a kind, so no kind is known by its name. A spot is
what a drawing fills: a point of the grid (where a cell has its middle at even numbers, an edge or a
corner at odd ones), the area of a cell, its shade, one of its corners, or a place outside.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import chain, pairwise
from random import Random
from typing import NamedTuple

from ..model.board import Board, Cells, Place
from ..model.clue import PATH, SET, Clue, ClueError
from ..model.grid import Grid
from ..model.kinds import ALIASES, KINDS, Kind, canonical, kind_of
from ..model.kinds.drawing import clue_at
from ..model.kinds.kind import Digits
from ..render.shapes import tree
from ..witness.verify import is_true

TRIES = 60  # proposals for one clue
STRAIGHT, BENT = 0.5, 0.35  # of lines: how often a step goes on as before; lines with diagonals

Groups = tuple[Cells, ...]
Fits = Callable[[Groups], bool]
Range = tuple[int, int]
Spots = Iterator[Hashable]
ROOK = (0, 1), (1, 0), (0, -1), (-1, 0)
KING = (*ROOK, (1, 1), (1, -1), (-1, 1), (-1, -1))


class Sheet(NamedTuple):
    """What a proposal goes by: the board, the digits of a full grid, the spots that are taken, and
    random numbers."""

    board: Board
    digits: Sequence[int]
    taken: set[Hashable]
    rng: Random

    def beside(self, cell: int, ways: Sequence[Place] = ROOK) -> list[int]:
        """The cells that a step leads to."""
        row, column = self.board.places[cell]
        places = ((row + down, column + right) for down, right in ways)
        return [self.board.cell_at[place] for place in places if place in self.board.cell_at]

    def free(self, spot: Callable[[int], Hashable]) -> list[int]:
        """The cells whose spot is not taken."""
        return [cell for cell in range(self.board.grid_cells) if spot(cell) not in self.taken]

    def point(self, *cells: int) -> Place:
        """The middle of a cell, or what lies between two."""
        (top, left), (bottom, right) = (self.board.places[cell] for cell in (cells[0], cells[-1]))
        return top + bottom, left + right


Propose = Callable[[Sheet, Kind, Range, Fits], Groups]  # no groups: nothing was found
Fills = Callable[[Sheet, Clue], Spots]


class Shape(NamedTuple):
    """propose: the cells of one clue, which may be taken or not be true. fills: its spots. size:
    the least and most cells of a cage or a line; None if there is nothing to choose."""

    propose: Propose
    fills: Fills
    size: Range | None = None


def _area(sheet: Sheet, kind: Kind, size: Range, fits: Fits) -> Groups:
    """Cells that share edges; first where little room is left, as no room should stay unused."""
    return (grown,) if (grown := _grown(sheet, size, fits, [], _own_area(kind))) else ()


def _own_area(kind: Kind) -> Callable[[int], Hashable]:
    name = "shade" if kind.look.drawing in ("shaded", "cloned") else "area"
    return lambda cell: (name, cell)


def _grown(
    sheet: Sheet, size: Range, fits: Fits, near: list[int], spot: Callable[[int], Hashable]
) -> Cells:
    """An area that fits, of free cells; near: cells beside which it begins, anywhere if none."""
    free = {*sheet.free(spot)} - {*near}
    begin = [c for cell in near for c in sheet.beside(cell)] if near else sorted(free)
    begin = [cell for cell in begin if cell in free]
    if not begin:
        return ()
    some = [sheet.rng.choice(begin) for _ in range(3)]
    cells = [min(some, key=lambda cell: len(free.intersection(sheet.beside(cell))))]
    low, high = size
    most, best = sheet.rng.randint(low, high), cells[:] if low == 1 else []
    while len(cells) < most:
        ways = sorted({c for cell in cells for c in sheet.beside(cell)} & free - {*cells})
        if not ways:
            break
        cells.append(_first_fit(sheet, cells, ways, fits))
        if len(cells) >= low and fits((tuple(cells),)):
            best = cells[:]
    return tuple(best)


def _first_fit(sheet: Sheet, cells: list[int], ways: list[int], fits: Fits) -> int:
    """The first of the ways, in random order, with which the clue is true already; else any."""
    for cell in (tried := sheet.rng.sample(ways, len(ways))):
        if fits(((*cells, cell),)):
            return cell
    return tried[0]


def _line(sheet: Sheet, kind: Kind, size: Range, fits: Fits) -> Groups:
    free = sheet.free(sheet.point)
    line = _path(sheet, size, fits, [sheet.rng.choice(free)] if free else [])
    return (line,) if line else ()


def _path(sheet: Sheet, size: Range, fits: Fits, line: list[int]) -> Cells:
    """The longest line found that fits, from its first cell on. It goes on over points that are
    free, often straight, and never comes beside itself."""
    rng, low = sheet.rng, size[0]
    moves = KING if rng.random() < BENT else ROOK
    most = rng.randint(*size)
    best: Cells = ()
    while line and len(line) < most:
        ways = [cell for cell in sheet.beside(line[-1], moves) if _goes_on(sheet, line, cell)]
        if not ways:
            break
        ahead = [cell for cell in ways if _is_straight(sheet, line, cell)]
        if ahead and rng.random() < STRAIGHT and fits(((*line, *ahead),)):
            line = [*line, *ahead]
        else:
            line = [*line, _first_fit(sheet, line, ways, fits)]
        if len(line) >= low and fits((tuple(line),)):
            best = tuple(line)
    return best


def _goes_on(sheet: Sheet, line: list[int], cell: int) -> bool:
    last = line[-1]
    points = sheet.point(cell), sheet.point(last, cell)
    crossed = {sheet.point(*step) for step in pairwise(line)}
    is_free = sheet.taken.isdisjoint(points) and points[1] not in crossed
    return is_free and cell not in line and {*sheet.beside(cell)} & {*line} <= {last}


def _is_straight(sheet: Sheet, line: list[int], cell: int) -> bool:
    at = sheet.board.places
    return len(line) > 1 and _step(at, line[-2], line[-1]) == _step(at, line[-1], cell)


def _step(at: Sequence[Place], a: int, b: int) -> Place:
    return at[b][0] - at[a][0], at[b][1] - at[a][1]


def _arrow(sheet: Sheet, kind: Kind, size: Range, fits: Fits) -> Groups:
    """A circle, and a shaft that leaves it."""
    circle = sheet.rng.choice(sheet.free(sheet.point) or [-1])
    if circle < 0:
        return ()
    line = _path(sheet, size, lambda groups: fits(_parted(groups[0])), [circle])
    return _parted(line) if line else ()


def _parted(line: Cells) -> Groups:
    return line[:1], line[1:]


def _areas(sheet: Sheet, kind: Kind, size: Range, fits: Fits) -> Groups:
    """An area, and beside it a second one."""
    spot = _own_area(kind)
    one = _grown(sheet, (1, max(1, size[1] - 1)), lambda groups: True, [], spot)
    other = _grown(sheet, size, lambda groups: fits((one, *groups)), [*one], spot) if one else ()
    return (one, other) if other else ()


def _copies(sheet: Sheet, kind: Kind, size: Range, fits: Fits) -> Groups:
    """An area, and the same one elsewhere."""
    board, rng = sheet.board, sheet.rng
    free = sheet.free(_own_area(kind))
    if len(free) < 2:
        return ()
    down, right = _step(board.places, *rng.sample(free, 2))

    def there(cells: Cells) -> Cells:
        places = (board.places[cell] for cell in cells)
        return tuple(board.cell_at.get((row + down, column + right), -1) for row, column in places)

    def is_copied(groups: Groups) -> bool:
        copy = there(groups[0])
        return -1 not in copy and {*free} >= {*copy} and fits((groups[0], copy))

    one = _grown(sheet, size, is_copied, [], _own_area(kind))
    return (one, there(one)) if one and is_copied((one,)) else ()


def _one_cell(sheet: Sheet, kind: Kind, size: Range, fits: Fits) -> Groups:
    """A cell of its own; of those that count together, some digits as often as each says."""
    if not kind.relations:
        return _counted(sheet)
    free = sheet.free(sheet.point)
    return ((sheet.rng.choice(free),),) if free else ()


def _shaded(sheet: Sheet, kind: Kind, size: Range, fits: Fits) -> Groups:
    """A house, or cells each by itself."""
    whole = len(sheet.board.digits)
    return (_area if kind.houses else _one_cell)(sheet, kind, (whole, whole), fits)


def _counted(sheet: Sheet) -> Groups:
    cells: list[int] = []
    free = sheet.rng.sample(free := sheet.free(sheet.point), len(free))
    digits = sorted({*sheet.digits})
    for digit in sheet.rng.sample(digits, min(len(digits), sheet.rng.randint(3, 4))):
        cells += [cell for cell in free if sheet.digits[cell] == digit][:digit]
    return (tuple(cells),)


def _restricted(sheet: Sheet, kind: Kind, size: Range, fits: Fits) -> Groups:
    """Two or three cells if the digits are named, as those of one alone would be a given."""
    is_named = isinstance(kind.value, Digits)
    return (_area if is_named else _one_cell)(sheet, kind, (2, 3), fits)


def _edge(sheet: Sheet, kind: Kind, size: Range, fits: Fits) -> Groups:
    pair = sheet.rng.choice(sheet.board.adjacent_pairs)
    return (pair[:: sheet.rng.choice((1, -1))],)


def _window(sheet: Sheet, kind: Kind, size: Range, fits: Fits) -> Groups:
    return (sheet.rng.choice(sheet.board.windows),)


def _outside(sheet: Sheet, kind: Kind, size: Range, fits: Fits) -> Groups:
    """A row or a column from either end; what touches along its cells is a diagonal."""
    board, rng = sheet.board, sheet.rng
    if not kind.near:
        return (rng.choice((*board.rows, *board.columns))[:: rng.choice((1, -1))],)
    step = rng.choice(KING[4:])
    cell = rng.choice(range(board.grid_cells))
    while back := sheet.beside(cell, ((-step[0], -step[1]),)):
        cell = back[0]
    line = [cell]
    while ahead := sheet.beside(line[-1], (step,)):
        line += ahead
    return (tuple(line),) if len(line) > 2 else ()


def _fills_area(sheet: Sheet, clue: Clue) -> Spots:
    yield from (_own_area(KINDS[clue.kind])(cell) for cell in clue.cells)
    if clue.cells:
        yield "corner", min(clue.cells)


def _fills_line(sheet: Sheet, clue: Clue) -> Spots:
    """Its cells, and what lies between two; a line of any order is drawn as the shortest tree."""
    in_order = KINDS[clue.kind].order != SET
    for group in clue.groups:
        yield from map(sheet.point, group)
        steps = pairwise(group) if in_order else tree(group, sheet.board)
        yield from (sheet.point(*step) for step in steps)


def _fills_labelled(sheet: Sheet, clue: Clue) -> Spots:
    yield from _fills_line(sheet, clue)
    yield "corner", clue.cells[0]


def _fills_arrow(sheet: Sheet, clue: Clue) -> Spots:
    circle, *shafts = clue.groups
    yield from map(sheet.point, circle)
    for shaft in shafts:
        yield from _fills_line(sheet, clue._replace(groups=((circle[0], *shaft),)))


def _fills_cells(sheet: Sheet, clue: Clue) -> Spots:
    """Their middles; where cells count together, nobody could tell those of two clues apart."""
    yield from map(sheet.point, clue.cells)
    if not KINDS[clue.kind].relations:
        yield from _fills_whole(sheet, clue)


def _fills_corners(sheet: Sheet, clue: Clue) -> Spots:
    yield from (("right corner", cell) for cell in clue.cells)


def _fills_around(sheet: Sheet, clue: Clue) -> Spots:
    """Shaded cells, and all of their edges."""
    for cell in clue.cells:
        yield "shade", cell
        yield from (sheet.point(cell, other) for other in sheet.beside(cell))


def _fills_middle(sheet: Sheet, clue: Clue) -> Spots:
    yield sheet.point(clue.cells[0], clue.cells[-1])


def _fills_window(sheet: Sheet, clue: Clue) -> Spots:
    """A point, and what stands in the corners there."""
    yield from _fills_middle(sheet, clue)
    yield "corner", clue.cells[3]
    yield "right corner", clue.cells[2]


def _fills_outside(sheet: Sheet, clue: Clue) -> Spots:
    (row, column), (down, right) = sheet.board.places[clue.cells[0]], (0, 0)
    if len(clue.cells) > 1:
        down, right = _step(sheet.board.places, *clue.cells[:2])
    yield "outside", row - down, column - right


def _fills_parts(sheet: Sheet, clue: Clue) -> Spots:
    for part in clue.parts:
        yield from shape_of(KINDS[part.kind]).fills(sheet, part)


def _nowhere(sheet: Sheet, kind: Kind, size: Range, fits: Fits) -> Groups:
    return ()


def _fills_whole(sheet: Sheet, clue: Clue) -> Spots:
    yield "board", clue.kind


def _fills_shade(sheet: Sheet, clue: Clue) -> Spots:
    yield from (("shade", cell) for cell in clue.cells)


_NONE = Shape(_nowhere, _fills_whole)
_AREA = Shape(_area, _fills_area, (2, 5))
_EDGE = Shape(_edge, _fills_middle)
_CELL = Shape(_one_cell, _fills_cells)
_LINE = Shape(_line, _fills_line, (3, 6))
SHAPES: dict[str, Shape] = {  # by the drawings of `render.clues`
    "outlined": _AREA,
    "named": _AREA,
    "weights": Shape(_area, _fills_area, (2, 3)),
    "compared": Shape(_areas, _fills_area, (2, 3)),
    "cloned": Shape(_copies, _fills_area, (2, 5)),
    "shaded": Shape(_shaded, _fills_shade),
    "extreme": Shape(_one_cell, _fills_around),
    "disc": _CELL,
    "square": _CELL,
    "restricted": Shape(_restricted, _fills_corners),
    "thermometer": _LINE,
    "line": _LINE,
    "with-ends": _LINE,
    "begun": _LINE,
    "labelled": Shape(_line, _fills_labelled, (3, 6)),
    "shafts": Shape(_arrow, _fills_arrow, (3, 5)),
    "dot": _EDGE,
    "letter": _EDGE,
    "chevron": _EDGE,
    "corner": Shape(_window, _fills_window),
    "outside": Shape(_outside, _fills_outside),
    "towards": Shape(_outside, _fills_outside),
    "parts": Shape(_nowhere, _fills_parts),
}
SMALL = [  # that are joined
    kind
    for kind in KINDS.values()
    if kind.relations and kind.look.drawing in ("dot", "chevron", "disc", "square", "thermometer")
]


class Layout:
    """Clues that are true of a full grid, placed one orbit after the other.

    moves: for each move of the symmetry, the identity among them, where each cell goes. size: the
    least and most cells of cages and lines, where the kind has a choice; None for the usual ones.
    """

    def __init__(
        self, full: Grid, rng: Random, moves: Sequence[Cells], size: Range | None = None
    ) -> None:
        board = full.board
        digits = [board.digits[place - 1] for place in full.cells[: board.grid_cells]]
        self._full, self._moves, self._size = full, moves, size
        self._sheet = Sheet(board, digits, set(), rng)

    def place(self, name: str) -> tuple[Clue, ...]:
        """A clue of the kind, or of the kind and value that another name means, with its images;
        none if none was found soon."""
        kind = kind_of(name)
        value = ALIASES[name][1] if name in ALIASES else _usual_value(kind, self._sheet.board)
        for _ in range(TRIES):
            orbit = self._joined(kind) if kind.joins else self._alike(kind, value)
            if kind.sums and not kind.relations and not self._add_up(kind, orbit):
                continue  # such as a line in one box, which has nothing to be equal to
            if orbit and (spots := self._spots(orbit)) is not None:
                self._sheet.taken.update(spots)
                return orbit
        return ()

    def _add_up(self, kind: Kind, clues: Sequence[Clue]) -> bool:
        board = self._sheet.board
        return bool(kind.sums and all([*kind.sums(board, clue)] for clue in clues))

    def _alike(self, kind: Kind, value: str) -> tuple[Clue, ...]:
        shape = shape_of(kind)
        least, most = (shape.size and (self._size or shape.size)) or (1, 1)
        size = max(least, kind.cells[0]), max(min(most, kind.cells[1]), kind.cells[0])
        found: dict[Groups, tuple[Clue, ...]] = {}

        def fits(groups: Groups) -> bool:
            if groups not in found:
                found[groups] = self._orbit(kind, groups, value)
            return bool(found[groups])

        groups = shape.propose(self._sheet, kind, size, fits)
        return found[groups] if (groups or kind.whole_board) and fits(groups) else ()

    def _orbit(self, kind: Kind, groups: Groups, value: str) -> tuple[Clue, ...]:
        """The clue and its images, if all are true."""
        clues: dict[Clue, None] = {}
        turns = (1, -1) if kind.order == PATH and shape_of(kind) in (_LINE, _EDGE) else (1,)
        for move in self._moves:
            moved = tuple(tuple(move[cell] for cell in group) for group in groups)
            ways = (tuple(group[::turn] for group in moved) for turn in turns)
            clue = next(filter(None, (self._clue_at(kind, way, value) for way in ways)), None)
            if clue is None:
                return ()
            clues[clue] = None
        return tuple(clues)

    def _clue_at(self, kind: Kind, groups: Groups, value: str) -> Clue | None:
        board, digits, _, rng = self._sheet
        return clue_at(kind, groups, digits, board, rng, self._is_true, value)

    def _is_true(self, clue: Clue) -> bool:
        return is_true(clue, self._full)

    def _joined(self, kind: Kind) -> tuple[Clue, ...]:
        """Two small clues, true or not, as one that is."""
        board, digits, _, rng = self._sheet
        parts: list[Clue] = []
        for part in rng.sample(SMALL, 2):
            groups = shape_of(part).propose(self._sheet, part, (2, 3), lambda groups: True)
            clue = clue_at(part, groups, digits, board, rng, lambda clue: True)
            parts += [clue] if clue else []
        if len(parts) < 2 or self._spots(parts) is None:
            return ()
        joined = canonical(Clue(kind.name, (), "", tuple(parts)), board)
        orbit = dict.fromkeys(_moved(joined, move) for move in self._moves)
        return tuple(orbit) if all(map(self._is_true, orbit)) else ()

    def _spots(self, clues: Sequence[Clue]) -> set[Hashable] | None:
        """The spots of the clues; None if two share one, or if one is taken."""
        spots = [{*shape_of(KINDS[clue.kind]).fills(self._sheet, clue)} for clue in clues]
        every = {*chain.from_iterable(spots)}
        is_free = len(every) == sum(map(len, spots)) and self._sheet.taken.isdisjoint(every)
        return every if is_free else None


def _moved(clue: Clue, move: Cells) -> Clue:
    groups = tuple(tuple(move[cell] for cell in group) for group in clue.groups)
    return clue._replace(groups=groups, parts=tuple(_moved(part, move) for part in clue.parts))


def shape_of(kind: Kind) -> Shape:
    """How clues of a kind are laid out."""
    if kind.whole_board or (kind.groups == (0, 0) and not kind.joins):
        return _NONE
    if kind.groups[0] > 1 and kind.look.drawing == "named":
        return SHAPES["shafts"]
    return SHAPES[kind.look.drawing]


def _usual_value(kind: Kind, board: Board) -> str:
    """The value of a clue that states none; empty if it has to."""
    try:
        return kind.value.read("", board) if kind.value else ""
    except ClueError:
        return ""
