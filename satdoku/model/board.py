"""Geometry of a board: which cells share a row, a column, a box, or a chess move.

Invariant: everything here follows from the fields of a `Board`; no rule is known. Cells are 0-based
and row-major. Where a set of small
numbers (cells, candidates, states) is the bits of an integer, bit k stands for the number k.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import accumulate, chain, combinations, product
from math import isqrt
from typing import NamedTuple

from ..runtime.errors import SatdokuError, counted
from ..runtime.lazy import cached_property

Cells = tuple[int, ...]
CellPair = tuple[int, int]
Digits = tuple[int, ...]
Place = tuple[int, int]  # row, column

MIN_SIZE, MAX_SIZE = 2, 25
LARGEST = 256  # of boards that have houses alone, which only some parts take: `Board.is_large`
MOST_LINES = 99  # rows, and columns, in which corners of grids may lie: r99c99
ROWS, COLUMNS = "rows", "columns"
CORNER: tuple[Place, ...] = ((0, 0),)  # of the only grid
NO_REGION = "."  # in a region map
REGION_LABELS = "0123456789abcdefghijklmnopqrstuvwxyz"  # the labels of the region maps we write


class BoardError(SatdokuError):
    """A board that cannot exist: no boxes fit its size, or its region map is not a partition."""


class Layer(NamedTuple):
    """Further variables: one in each cell of the grids, or so many that stand free, if any do.
    Each holds one of the digits of the layer, which are numbers, ascending.

    name: of letters. Variables are called `name.r1c1`, those that stand free `name.1`, or `name`
    if it is only one.
    """

    name: str
    digits: Digits
    free: int = 0

    @property
    def text(self) -> str:
        """As a rule set writes it: `layer=shade:0-1`, `layer=a*3:1-9`."""
        return f"{self.name}{f'*{self.free}' if self.free else ''}:{written(self.digits)}"


@dataclass(frozen=True)
class Board:
    """Cells at places, digits, and the houses in which each digit stands at most once.

    The cells are a grid of height x width cells, cut into boxes of box_rows x box_columns cells or
    into regions; or several such grids that overlap, whose upper left cells are the `corners`; less
    the `holes`. They are numbered row by row, whatever lies between them. `digits` are numbers,
    ascending; code goes by their positions: candidate = len(digits)*cell + position. A house that
    has as many cells as there are digits holds each once, a smaller one no digit twice. `without`
    names the lines that are no houses: "rows", "columns" or both.

    The variables of `layers` are cells, too, which stand behind those of the grids, and which no
    house holds. A puzzle says nothing of them, and its solutions differ in the digits of the grids
    (`grid_cells`); all other code reads layers as cells.

    `regions` holds the index of the region of each cell, -1 for a cell in none; all regions have as
    many cells. If it is set (jigsaw), the regions replace the boxes, and box_rows and box_columns
    are ignored. Boxes of one row or column would repeat the rows or columns: such a board has no
    boxes, and its grids are Latin squares. All boards of a shape without boxes are equal.

    height: as the width if it is 0. digits: 1 to the longer side if there are none.
    """

    width: int = 9
    box_rows: int = 3
    box_columns: int = 3
    regions: Cells | None = None
    height: int = 0
    digits: Digits = ()
    corners: tuple[Place, ...] = CORNER
    holes: tuple[Place, ...] = ()
    without: tuple[str, ...] = ()
    layers: tuple[Layer, ...] = ()

    def __post_init__(self) -> None:
        put = partial(object.__setattr__, self)
        put("height", self.height or self.width)
        put("digits", self.digits or _first_digits(max(self.height, self.width)))
        self._check_shape()
        if self.regions is not None:
            put("box_rows", 3)
            put("box_columns", 3)
            self._check_regions(self.regions)
        elif self.box_columns == 1 or self.box_rows == 1:
            put("box_rows", 1)
            put("box_columns", self.width)
        if not self.is_usual:
            self._check_houses()
        put("_hash", hash(self._fields))

    @property
    def _fields(self) -> tuple[object, ...]:
        shape = self.width, self.box_rows, self.box_columns, self.regions, self.height
        return (*shape, self.digits, self.corners, self.holes, self.without, self.layers)

    def __eq__(self, other: object) -> bool:
        """By the fields; most boards that are compared are one object."""
        if self is other:
            return True
        return self._fields == other._fields if isinstance(other, Board) else NotImplemented

    def __hash__(self) -> int:
        """Made once: boards are keys of what is kept for them."""
        made: int = self.__dict__["_hash"]
        return made

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle only the fields, not the values computed from them."""
        return type(self), self._fields

    def _check_shape(self) -> None:
        sides = self.height, self.width
        most = LARGEST if self.is_square and self.regions is None else MAX_SIZE
        if not 1 <= min(sides) <= max(sides) <= most or max(sides) < MIN_SIZE:
            said = f"size {self.width}" if self.is_square else f"of {self.height}x{self.width}"
            raise BoardError(f"board {said}: expected {MIN_SIZE} to {most}")
        boxes = self.box_rows, self.box_columns
        if self.regions is None and (
            min(boxes) < 1 or self.height % self.box_rows or self.width % self.box_columns
        ):
            raise BoardError(f"boxes of {self.box_shape} cells do not fill {self.shape} cells")
        few = len(self.digits) <= MAX_SIZE or self.digits == _first_digits(self.width)
        if list(self.digits) != sorted({*self.digits}) or not few:
            raise BoardError(f"{len(self.digits)} digits: expected at most {MAX_SIZE}, ascending")
        if {*self.without} - {ROWS, COLUMNS}:
            raise BoardError(f"without {self.without}: expected {ROWS} and {COLUMNS}")
        if self.corners != CORNER:
            self._check_corners()
        if self.holes and not self._are_places(self.holes):
            raise BoardError("holes: expected places of the grids, ascending, each once")

    def _check_corners(self) -> None:
        rows, columns = zip(*self.corners, strict=True) if self.corners else ((), ())
        known = list(self.corners) == sorted({*self.corners}) and self.corners
        if not known or min(*rows, *columns) < 0 or max(*rows, *columns) >= MOST_LINES:
            raise BoardError(
                f"corners: expected places in {MOST_LINES} rows and columns, ascending, each once"
            )
        if min(rows) or min(columns):
            raise BoardError("corners: expected one in the first row, and one in the first column")

    def _are_places(self, places: tuple[Place, ...]) -> bool:
        """Whether these are places of the grids, ascending."""
        held = all(
            any(
                0 <= row - top < self.height and 0 <= column - left < self.width
                for top, left in self.corners
            )
            for row, column in places
        )
        return held and list(places) == sorted({*places})

    def _check_regions(self, regions: Cells) -> None:
        if len(regions) != self.grid_cells:
            raise BoardError(
                f"region map of {counted(len(regions), 'cell')}: expected {self.grid_cells}"
            )
        if min(regions) < -1:
            raise BoardError(f"region {min(regions)}: expected -1 or more")
        counts = Counter(region for region in regions if region >= 0)
        number, expected = len(counts), counts[0]
        if self.is_usual:
            number = expected = self.width
        for region in range(number):
            if counts[region] != expected or not expected:
                found = f"region {region + 1} has {counted(counts[region], 'cell')}"
                raise BoardError(f"{found}: expected {expected or 'some'}")

    def _check_houses(self) -> None:
        """No house may have more cells than there are digits."""
        if not self.grid_cells:
            raise BoardError("a board without cells")
        names = [layer.name for layer in self.layers]
        for name, digits, count in self.layers:
            if not name.isalpha() or names.count(name) > 1:
                raise BoardError(f"layer '{name[:20]}': expected a name of letters, each once")
            if list(digits) != sorted({*digits}) or not 0 < len(digits) <= MAX_SIZE:
                found = f"layer '{name[:20]}' of {counted(len(digits), 'digit')}"
                raise BoardError(f"{found}: expected 1 to {MAX_SIZE}, ascending")
            if not 0 <= count <= MAX_SIZE**2:
                raise BoardError(f"layer '{name[:20]}' of {count}: expected at most {MAX_SIZE**2}")
        for name, houses in self.families:
            for house in houses:
                if len(house) > len(self.digits):
                    here = f"{name} at {self.name_of(house[0])}"
                    found = f"{len(house)} cells, and there are {len(self.digits)} digits"
                    raise BoardError(f"{here} has {found}")

    @staticmethod
    def of_size(size: int) -> Board:
        """The usual board of a size: boxes as square as possible, never taller than wide.

        No boxes if none of two rows or more fit (5x5, 7x7). Raises `BoardError` for a size out of
        range.
        """
        return _usual_board(size)

    @staticmethod
    def of_shape(height: int, width: int, digits: Digits = ()) -> Board:
        """The usual board of height x width cells: with boxes of as many cells as its longer side,
        as square as possible, if such boxes fill it; raises `BoardError`."""
        if height == width:
            usual = Board.of_size(width)
            return replace(usual, digits=digits) if digits else usual
        box = usual_box_of(max(height, width), height, width) or (1, width)
        return Board(width, *box, height=height, digits=digits)

    @staticmethod
    def latin(size: int) -> Board:
        """The board of a size without boxes; raises `BoardError`."""
        return Board(size, 1, size)

    @staticmethod
    def of_map(region_map: str) -> Board:
        """The square board of a region map, which has one character per cell and one label per
        region.

        Regions are numbered in the order of their first cells. Raises `BoardError`.
        """
        size = round(len(region_map) ** 0.5)
        if size * size != len(region_map):
            found = f"region map of {counted(len(region_map), 'character')}"
            raise BoardError(f"{found}: expected one for each cell")
        regions = regions_of(region_map)
        if max(regions) + 1 != size:
            raise BoardError(f"region map with {max(regions) + 1} regions: expected {size}")
        return Board(size, regions=regions)

    @staticmethod
    def of_regions(regions: Cells, width: int, height: int = 0, digits: Digits = ()) -> Board:
        """The board with the regions of these indices, or with boxes if the regions are these;
        raises `BoardError`."""
        members: dict[int, list[int]] = {}
        for cell, region in enumerate(regions):
            members.setdefault(region, []).append(cell)
        parts = {tuple(cells) for cells in members.values()}
        size, height = len(next(iter(parts), ())), height or width
        for rows in range(2, size if -1 not in members else 0):
            columns = size // rows
            if rows * columns == size and height % rows == 0 and width % columns == 0:
                board = Board(width, rows, columns, height=height, digits=digits)
                if {*board.boxes} == parts:
                    return board
        return Board(width, regions=regions, height=height, digits=digits)

    @property
    def region_map(self) -> str:
        """The map that `of_map` reads back, one label per cell; empty if the board has boxes."""
        labels = REGION_LABELS + NO_REGION  # at -1
        return "".join(labels[region] for region in self.regions or ())

    @property
    def box_shape(self) -> str:
        """Rows x columns of a box: `3x3`."""
        return f"{self.box_rows}x{self.box_columns}"

    @property
    def shape(self) -> str:
        """Rows x columns of a grid: `9x9`."""
        return f"{self.height}x{self.width}"

    @property
    def in_words(self) -> str:
        """For messages: `a board of 9x9 with boxes of 3x3`."""
        boxes = f"with boxes of {self.box_shape}"
        rest = "with regions" if self.regions else boxes if self.has_boxes else "without boxes"
        usual = self.digits == _first_digits(max(self.height, self.width))
        more = "" if usual else f" and digits {written(self.digits)}"
        grids = f"{len(self.corners)} grids" if len(self.corners) > 1 else "a board"
        holes = f" and {len(self.holes)} holes" if self.holes else ""
        layers = "".join(f", layer {layer.name}" for layer in self.layers)
        return f"{grids} of {self.shape} {rest}{more}{holes}{layers}"

    @property
    def is_square(self) -> bool:
        """Whether a grid has as many rows as columns."""
        return self.height == self.width

    @cached_property
    def is_usual(self) -> bool:
        """Whether it is one square grid of digits 1 to its size, all of whose houses are full."""
        plain = self.is_rectangle and not self.without and not self.layers
        boxes = self.regions or not self.has_boxes or self.box_rows * self.box_columns == self.width
        full = self.is_square and self.digits == _first_digits(self.width) and bool(boxes)
        return plain and full and -1 not in (self.regions or ())

    @cached_property
    def size(self) -> int:
        """Rows, columns and digits of a usual board; any other raises `BoardError`, for what takes
        usual boards only."""
        if not self.is_usual:
            raise BoardError(f"{self.in_words}: only square boards with digits 1-n are taken here")
        return self.width

    @cached_property
    def symbols(self) -> Digits:
        """Every digit of any cell, ascending."""
        return self.all_digits(tuple(range(self.cells))) if self.layers else self.digits

    @cached_property
    def has_plain_digits(self) -> bool:
        """Whether the digits of all cells are 1 to their number, each its own position."""
        return not self.layers and self.digits == _first_digits(len(self.digits))

    @cached_property
    def row_form(self) -> tuple[object, ...]:
        """What rows of a collection have in common, whatever their regions: cells and digits."""
        return self.cells, self.grid_cells, self.digits, self.layers

    @property
    def is_large(self) -> bool:
        """Whether it is beyond 25x25: then digits and cells do not fit into the words of most
        parts, which refuse it (`too_large`)."""
        return self.width > MAX_SIZE

    @cached_property
    def extent(self) -> tuple[int, int]:
        """Rows and columns of the smallest rectangle that holds all cells."""
        rows, columns = zip(*self.corners, strict=True)
        return max(rows) + self.height, max(columns) + self.width

    @cached_property
    def is_rectangle(self) -> bool:
        """Whether there is one grid without holes: cell = width*row + column."""
        return self.corners == CORNER and not self.holes

    @cached_property
    def grid_cells(self) -> int:
        """Number of cells of the grids, which come first."""
        return self.height * self.width if self.is_rectangle else len(self.places)

    @cached_property
    def cells(self) -> int:
        """Number of cells, those of layers among them."""
        return self.grid_cells + sum(layer.free or self.grid_cells for layer in self.layers)

    @cached_property
    def choices(self) -> int:
        """Number of candidates of a cell: as many as there are digits, or values of a layer if
        these are more. Where a cell has fewer digits, the last ones are excluded."""
        return max(len(self.digits), *(len(layer.digits) for layer in self.layers), 0)

    @cached_property
    def first_of(self) -> dict[str, int]:
        """The first cell of each layer, by its name."""
        sizes = (layer.free or self.grid_cells for layer in self.layers)
        starts = accumulate(sizes, initial=self.grid_cells)
        return {layer.name: start for layer, start in zip(self.layers, starts, strict=False)}

    def size_of(self, name: str) -> int:
        """Number of cells of a layer."""
        free = next(layer.free for layer in self.layers if layer.name == name)
        return free or self.grid_cells

    @cached_property
    def _domains(self) -> tuple[Digits, ...]:
        counted = ((layer.digits, layer.free or self.grid_cells) for layer in self.layers)
        each = ((digits,) * count for digits, count in ((self.digits, self.grid_cells), *counted))
        return tuple(chain.from_iterable(each))

    def domains(self, cells: Cells) -> tuple[Digits, ...]:
        """The digits of each of the cells, ascending."""
        if not self.layers:
            return (self.digits,) * len(cells)
        return tuple(self._domains[cell] for cell in cells)

    def all_digits(self, cells: Cells) -> Digits:
        """Every digit of any of the cells, ascending."""
        if not self.layers:
            return self.digits
        return tuple(sorted({*chain.from_iterable(self.domains(cells))}))

    @cached_property
    def variables(self) -> int:
        """Number of candidates (cell, digit)."""
        return self.cells * self.choices

    @property
    def has_boxes(self) -> bool:
        """Whether there are boxes, or regions in their place."""
        return self.regions is not None or self.box_rows > 1

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """The row and the column (0-based) of each cell of the grids."""
        grid = list(product(range(self.height), range(self.width)))
        if self.is_rectangle:
            return tuple(grid)
        held = {(top + row, left + column) for top, left in self.corners for row, column in grid}
        return tuple(sorted(held - {*self.holes}))

    @cached_property
    def cell_at(self) -> dict[Place, int]:
        """The cell of each place that has one."""
        return {place: cell for cell, place in enumerate(self.places)}

    @cached_property
    def rows(self) -> tuple[Cells, ...]:
        """The cells of each row, whether it is a house or not."""
        return self._lines(0)

    @cached_property
    def columns(self) -> tuple[Cells, ...]:
        """The cells of each column, whether it is a house or not."""
        return self._lines(1)

    def _lines(self, axis: int) -> tuple[Cells, ...]:
        if self.is_rectangle:
            w, cells = self.width, self.grid_cells
            if axis == 0:
                return tuple(tuple(range(start, start + w)) for start in range(0, cells, w))
            return tuple(tuple(range(start, cells, w)) for start in range(w))
        lines: list[list[int]] = [[] for _ in range(self.extent[axis])]
        for cell, place in enumerate(self.places):
            lines[place[axis]].append(cell)
        return tuple(map(tuple, lines))

    @cached_property
    def line_numbers(self) -> tuple[dict[Cells, int], dict[Cells, int]]:
        """The number (from 1) of each row, and of each column, by its cells."""
        rows, columns = self.rows, self.columns
        return tuple({line: i for i, line in enumerate(lines, 1)} for lines in (rows, columns))  # type: ignore[return-value]

    @cached_property
    def line_names(self) -> dict[Cells, str]:
        """The name of each row and column of several cells: `row3`, and `-row3` backwards."""
        rows, columns = self.line_numbers
        named: dict[Cells, str] = {}
        for word, numbers in (("row", rows), ("col", columns)):
            for sign, step in (("", 1), ("-", -1)):
                for cells, number in numbers.items():
                    if len(cells) > 1:
                        named.setdefault(cells[::step], f"{sign}{word}{number}")
        return named

    @cached_property
    def diagonals(self) -> dict[str, Cells]:
        """The main diagonals of a square, `falling` and `rising`; another board has none."""
        rows, columns = self.extent
        if rows != columns or not self.is_rectangle:
            raise BoardError(f"{self.in_words} has no main diagonals")
        n, steps = rows, range(rows)
        return {
            "falling": tuple((n + 1) * i for i in steps),
            "rising": tuple((n - 1) * (n - i) for i in steps),
        }

    @cached_property
    def boxes(self) -> tuple[Cells, ...]:
        """The boxes, left to right and top to bottom; with a region map, the regions by index.

        Empty if there are none.
        """
        if self.regions is not None:
            members: list[list[int]] = [[] for _ in range(max(self.regions) + 1)]
            for cell, region in enumerate(self.regions):
                if region >= 0:
                    members[region].append(cell)
            return tuple(map(tuple, members))
        return self._parts(self.box_rows, self.box_columns) if self.has_boxes else ()

    def _parts(self, rows: int, columns: int) -> tuple[Cells, ...]:
        """All grids cut into parts of so many rows and columns, each part once."""
        starts = product(self.corners, range(0, self.height, rows), range(0, self.width, columns))
        known = None if self.is_rectangle else self.cell_at
        parts: dict[Cells, None] = {}
        for (top, left), down, across in starts:
            places = product(
                range(top + down, top + down + rows), range(left + across, left + across + columns)
            )
            if known is None:
                parts[tuple(self.width * row + column for row, column in places)] = None
            elif cells := tuple(known[place] for place in places if place in known):
                parts[cells] = None
        return tuple(parts)

    @cached_property
    def families(self) -> tuple[tuple[str, tuple[Cells, ...]], ...]:
        """The houses as rows, columns and boxes, each family with the name of a house."""
        rows = () if ROWS in self.without else self._parts(1, self.width)
        columns = () if COLUMNS in self.without else self._parts(self.height, 1)
        return ("row", rows), ("column", columns), ("box", self.boxes)

    @cached_property
    def houses(self) -> tuple[Cells, ...]:
        """Rows, columns and boxes, in this order (27 on the 9x9 board)."""
        return tuple(chain.from_iterable(houses for _, houses in self.families))

    @cached_property
    def peers(self) -> tuple[frozenset[int], ...]:
        """For each cell, the other cells that share a house with it (20 on the 9x9 board)."""
        peers: list[set[int]] = [set() for _ in range(self.cells)]
        for house in self.houses:
            for a, b in combinations(house, 2):
                peers[a].add(b)
                peers[b].add(a)
        return tuple(map(frozenset, peers))

    @cached_property
    def _boxes_of(self) -> Cells:
        held = {cell: number for number, box in enumerate(self.boxes) for cell in box}
        return tuple(held.get(cell, -1) for cell in range(self.grid_cells))

    def box_of(self, cell: int) -> int:
        """Index of the box (or region) that holds the cell, the last one of several; 0 for every
        cell if there are none, and -1 for a cell outside of all."""
        if self.regions is not None:
            return self.regions[cell]
        return self._boxes_of[cell] if self.has_boxes else 0

    def leaps(self, steps: Iterable[tuple[int, int]]) -> tuple[CellPair, ...]:
        """Pairs of cells (low, high) that are one of the (down, right) steps apart, each pair once.

        Give each step in one direction only: downwards, or rightwards within a row.
        """
        steps, at = tuple(steps), self.cell_at
        return tuple(
            (cell, at[row + down, column + right])
            for cell, (row, column) in enumerate(self.places)
            for down, right in steps
            if (row + down, column + right) in at
        )

    @cached_property
    def windows(self) -> tuple[Cells, ...]:
        """All squares of 2x2 cells, each as upper left, upper right, lower left, lower right."""
        at = self.cell_at
        squares = (((r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)) for r, c in self.places)
        return tuple(tuple(at[p] for p in four) for four in squares if all(p in at for p in four))

    @cached_property
    def knight_pairs(self) -> tuple[CellPair, ...]:
        """Pairs a chess knight's move apart (224 on the 9x9 board)."""
        return self.leaps(((1, -2), (1, 2), (2, -1), (2, 1)))

    @cached_property
    def king_pairs(self) -> tuple[CellPair, ...]:
        """Pairs that touch at a corner only (128 on the 9x9 board)."""
        return self.leaps(((1, -1), (1, 1)))

    @cached_property
    def adjacent_pairs(self) -> tuple[CellPair, ...]:
        """Pairs that share an edge (144 on the 9x9 board)."""
        return self.leaps(((0, 1), (1, 0)))

    @cached_property
    def beside(self) -> tuple[Cells, ...]:
        """For each cell of the grids, the cells that share an edge with it."""
        return neighbours(self.grid_cells, self.adjacent_pairs)

    def layer_of(self, cells: Cells) -> str | None:
        """The name of the layer whose cells these are, one in each cell of the grids, in their
        order; empty for the cells of the grids, None for other cells."""
        if cells == tuple(range(self.grid_cells)):
            return ""
        starts = {self.first_of[layer.name]: layer for layer in self.layers if not layer.free}
        layer = starts.get(cells[0]) if cells else None
        if layer and cells == tuple(range(cells[0], cells[0] + self.grid_cells)):
            return layer.name
        return None

    def layer_at(self, cell: int) -> Layer | None:
        """The layer of a cell, None for one of the grids."""
        own = (layer for layer in reversed(self.layers) if cell >= self.first_of[layer.name])
        return next(own, None)

    def name_of(self, cell: int) -> str:
        """The cell as a person reads it, 1-based: r5c3; of a layer shade.r5c3."""
        return self.names[cell]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Each cell's `name_of`."""
        if self.is_rectangle:
            names = _names(self.height, self.width)
        else:
            names = tuple(f"r{row + 1}c{column + 1}" for row, column in self.places)
        for name, _, count in self.layers:
            inner = map(str, range(1, count + 1)) if count else names[: self.grid_cells]
            names += (name,) if count == 1 else tuple(f"{name}.{each}" for each in inner)
        return names

    @cached_property
    def cell_named(self) -> dict[str, int]:
        """Each cell by its `name_of`."""
        if self.is_rectangle and not self.layers:
            return _cells_by_name(self.height, self.width)
        return {name: cell for cell, name in enumerate(self.names)}


@cache
def _names(height: int, width: int) -> tuple[str, ...]:
    rows, columns = range(1, height + 1), range(1, width + 1)
    return tuple(f"r{row}c{column}" for row, column in product(rows, columns))


@cache
def _cells_by_name(height: int, width: int) -> dict[str, int]:
    return {name: cell for cell, name in enumerate(_names(height, width))}


@cache
def _first_digits(count: int) -> Digits:
    return tuple(range(1, count + 1))


def neighbours(count: int, edges: Iterable[CellPair]) -> tuple[Cells, ...]:
    """For each of so many places, those that an edge joins with it, in the order of the edges."""
    others: list[list[int]] = [[] for _ in range(count)]
    for one, other in edges:
        others[one].append(other)
        others[other].append(one)
    return tuple(map(tuple, others))


def written(digits: Digits) -> str:
    """The digits as a rule set writes them: `0-8`, or `0,1,2,4,8`."""
    low, high = digits[0], digits[-1]
    if digits == tuple(range(low, high + 1)) and len(digits) > 1:
        return f"{low}-{high}"
    return ",".join(map(str, digits))


def regions_of(region_map: str) -> Cells:
    """The index of the region of each cell of a map, by first cells; -1 for a dot."""
    labels = dict.fromkeys(label for label in region_map if label != NO_REGION)
    index = {NO_REGION: -1} | {label: i for i, label in enumerate(labels)}
    return tuple(index[label] for label in region_map)


@cache
def _usual_board(size: int) -> Board:
    return Board(size, *usual_box(size))


def usual_box_of(cells: int, height: int, width: int) -> tuple[int, int] | None:
    """Rows and columns of a box of so many cells, as square as possible, if some fill the grid."""
    for side in range(isqrt(cells), 1, -1):
        if cells % side == 0:
            for box in ((side, cells // side), (cells // side, side)):
                if height % box[0] == 0 and width % box[1] == 0:
                    return box
    return None


def usual_box(size: int) -> tuple[int, int]:
    """Rows and columns of the box as square as possible, never taller than wide; one row if no
    other fits."""
    height = max((h for h in range(2, isqrt(max(size, 0)) + 1) if size % h == 0), default=1)
    return height, size // height


def board_for(cells: int) -> Board | None:
    """The usual board with that many cells, or None if there is none.

    A board without boxes has to be asked for: 25 or 49 characters are seldom meant as one.
    """
    size = round(cells**0.5)
    if size * size != cells or not 4 <= size <= MAX_SIZE:
        return None
    board = Board.of_size(size)
    return board if board.has_boxes else None


def too_large(board: Board) -> BoardError:
    """What is said of a large board where only others are taken."""
    found, most = f"a board of {board.size}x{board.size}", f"{MAX_SIZE}x{MAX_SIZE}"
    return BoardError(f"{found}: expected at most {most} here (docs/LARGE.md says what takes it)")


def mask_of(members: Iterable[int]) -> int:
    """The set of these numbers."""
    mask = 0
    for member in members:
        mask |= 1 << member
    return mask


def bits(mask: int) -> Iterator[int]:
    """The members of a set, ascending."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest
