"""How the constraints of Interactive Sudoku Solver state clues, both ways.

Invariant: a clue is written only by a constraint that reads back as the same clue, and a constraint
is read as exactly what it states. A kind names its constraint; `WAYS` has the ways in which the
arguments of a constraint state clues, by name.

Cells, rows and columns are in base 17. A table has a bit for each digit of the first cell and each
of the second, row by row, six bits a character in base 64, the lowest first
(js/solver/lookup_tables.js). Each pair of cells that it relates is a `regex` clue of its own, whose
pattern lists the pairs of digits. Groups of cells stand between empty arguments; an argument that
begins with `_` is a name, for people.

Of a machine, after a header come the states: those that may be first, those that may be last, then
others; their names are not kept. Each has its ways: their number, and for each a digit and a state
("plain"); or a bit for each digit, and a state for each bit that is set ("packed"). Source:
js/nfa_builder.js, `NFASerializer`. Hyphens may part the cells into segments, which are groups of
the clue. On a hyphen the machine reads a break, which is coded as one digit more than there are.
Empty segments before the first cell, or behind the last one, become part of the machine; others are
refused.
"""

from __future__ import annotations

import re
from base64 import b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import combinations, pairwise, product, takewhile
from operator import not_
from typing import Any, NamedTuple
from urllib.parse import unquote

from ...model.appearance import Foreign
from ...model.board import Board, Cells, usual_box_of
from ...model.clue import Clue, ClueError
from ...model.kinds import foreign
from ...model.kinds.patterns import BREAK, Machine, Move, machine, machine_text, one_of
from ...model.rules import flags_of, foreign_rules

PLACES = "0123456789abcdefg"  # of rows and columns, in base 17
CELL = re.compile(r"R([1-9a-g])C([1-9a-g])", re.IGNORECASE)
# Layers that a Doppelganger has: the digit that is lacking in each row, each column and each box.
LACKING = "dgc", "dgr", "dgb"
REGIONS = "cc"  # the layer of labels of a ChaosConstruction
_BOARDS = 256  # for which names of cells are kept


class Spot(NamedTuple):
    """Where a cell lies: in the grid, which has no name, or in a layer; 0-based."""

    layer: str
    row: int
    column: int

    def moved(self, down: int, right: int) -> Spot:
        return Spot(self.layer, self.row + down, self.column + right)


def cell_name(cell: int, board: Board) -> str:
    if cell >= board.grid_cells:
        return _variable_names(board)[cell]
    row, column = board.places[cell]
    return f"R{PLACES[row + 1]}C{PLACES[column + 1]}"


@lru_cache(_BOARDS)
def _variables(board: Board) -> dict[str, int]:
    """The cells of layers by their names: VA1 and VA2, or VA if it is the only one."""
    found: dict[str, int] = {}
    for layer in board.layers:
        first = board.first_of[layer.name]
        own = (*LACKING, REGIONS)
        name = f"{'' if layer.name in own else 'V'}{layer.name.upper()}"
        count = layer.free or board.grid_cells
        found |= {f"{name}{i + 1}": first + i for i in range(count)} if count > 1 else {name: first}
    return found


@lru_cache(_BOARDS)
def _variable_names(board: Board) -> dict[int, str]:
    return {cell: name for name, cell in _variables(board).items()}


@lru_cache(_BOARDS)
def cell_of_spot(board: Board) -> dict[Spot, int]:
    """The cells of the grid and of the layers; variables stand in rows as long as those of the
    grid, those of boxes as these."""
    found = {Spot("", *place): cell for cell, place in enumerate(board.places)}
    for name, _, free in board.layers:
        columns = board.box_columns if name == LACKING[-1] else board.width
        for i in range(free or board.grid_cells):
            found[Spot(name, *divmod(i, columns))] = board.first_of[name] + i
    return found


@lru_cache(_BOARDS)
def _spots(board: Board) -> dict[int, Spot]:
    return {cell: spot for spot, cell in cell_of_spot(board).items()}


def spot_of(cell: int, board: Board) -> Spot:
    return _spots(board)[cell]


def cell_names(cells: Iterable[int], board: Board) -> tuple[str, ...]:
    return tuple(cell_name(cell, board) for cell in cells)


def cells_named(names: Iterable[str], board: Board) -> Cells:
    return tuple(cell_named(name, board) for name in names)


def segment_names(segments: Iterable[Cells], board: Board) -> tuple[str, ...]:
    """The cells of segments, with hyphens between these."""
    return tuple(" - ".join(" ".join(cell_names(cells, board)) for cells in segments).split())


def segments_named(names: Iterable[str], board: Board) -> tuple[Cells, ...]:
    """The cells between hyphens; there may be none."""
    return tuple(cells_named(some.split(), board) for some in " ".join(names).split("-"))


def find_cell(name: str, board: Board) -> int | None:
    """The cell of a name, None if there is none."""
    match = CELL.fullmatch(name)
    if match is None:
        return _variables(board).get(name)
    row, column = (PLACES.index(place.lower()) for place in match.groups())
    return board.cell_at.get((row - 1, column - 1))


def cell_named(name: str, board: Board) -> int:
    cell = find_cell(name, board)
    if cell is None:
        raise ClueError(f"{name[:20]!a} is no cell of a board of {board.shape}")
    return cell


def line_named(name: str, board: Board) -> Cells:
    """The cells of R1 or C1; beyond 9 it is R10, though cells have letters."""
    lines = {"R": board.rows, "C": board.columns}.get(name[:1].upper(), ())
    place = int(name[1:]) if re.fullmatch(r"[1-9]\d?", name[1:], re.ASCII) else 0
    if not 1 <= place <= len(lines):
        raise ClueError(f"{name[:20]!a}: expected a row or a column, such as R1")
    return lines[place - 1]


def line_names(board: Board) -> dict[Cells, str]:
    rows, columns = board.line_numbers
    return {cells: f"C{n}" for cells, n in columns.items()} | {
        cells: f"R{n}" for cells, n in rows.items()
    }


def diagonals(board: Board) -> dict[str, Cells]:
    """The diagonals by their first cells: from the left edge down, from the right edge up, from the
    top to the left, from the bottom to the right; of two ways along one the first."""
    bottom, right = board.height - 1, board.width - 1
    starts = [
        *((row, 0, 1, 1) for row in range(bottom)),
        *((row, right, -1, -1) for row in range(1, bottom)),
        *((0, column, 1, -1) for column in range(1, right + 1)),
        *((bottom, column, -1, 1) for column in range(1, right)),
    ]
    found: dict[frozenset[int], Cells] = {}
    for row, column, down, across in starts:
        steps = ((row + down * i, column + across * i) for i in range(board.height))
        cells = tuple(board.cell_at[place] for place in steps if place in board.cell_at)
        found.setdefault(frozenset(cells), cells)
    return {cell_name(cells[0], board): cells for cells in found.values() if len(cells) > 1}


def touching_pairs(cells: Cells, board: Board) -> Iterator[tuple[Cells, ...]]:
    """Every two of the cells that share an edge, in the order in which they are listed."""
    for (a, here), (b, there) in combinations([(cell, spot_of(cell, board)) for cell in cells], 2):
        if there in (here.moved(down, right) for down, right in _BESIDE):
            yield ((a, b),)


_BESIDE = ((0, 1), (1, 0), (0, -1), (-1, 0))  # down and right
_CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
_SWAPPED = str.maketrans("-_", "_-")  # as Binary and BinaryX have it

Digits = frozenset[int]


def read_pairs(
    args: tuple[str, ...], board: Board, *, every: bool, old: bool
) -> Iterator[tuple[tuple[Cells, ...], str]]:
    """The pairs of cells, and the pattern of what they may hold.

    every: whether any two cells of a group are related, or successive ones only; old: whether the
    table has its last two characters swapped.
    """
    allowed = _allowed(args[0].translate(_SWAPPED) if old else args[0], board.digits)
    both = {(second, first) for first, second in allowed}
    if every and allowed != both:
        raise ClueError("its table tells first from second, which any two cells have not")
    value = pattern_of(allowed, board.digits)
    for cells in groups(args[1:], board):
        for pair in combinations(cells, 2) if every else pairwise(cells):
            yield ((pair,), value)


def groups(args: Iterable[str], board: Board) -> Iterator[Cells]:
    """The groups of cells, without their names."""
    return (cells_named(names, board) for names in cell_groups(args))


def cell_groups(args: Iterable[str]) -> Iterator[list[str]]:
    """The names of cells, group by group, without the names of these."""
    names: list[str] = []
    for arg in (*args, ""):
        if arg and not arg.startswith("_"):
            names.append(arg)
        elif names:
            yield names
            names = []


def _bytes_of(text: str, what: str, most: int = 0xFF) -> bytes:
    """The bytes that a text in base 64 stands for, none of them beyond `most`."""
    try:
        data = b64decode(text + "=" * (-len(text) % 4), b"-_", validate=True)
    except ValueError:
        data = None
    if data is None or max(data, default=0) > most:
        raise ClueError(f"{text[:20]!a}: expected {what} in base 64")
    return data


def _text_of(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


def read_pattern(args: tuple[str, ...], board: Board) -> Iterator[tuple[tuple[Cells, ...], str]]:
    text = args[0] if "%" in args[0] else _bytes_of(args[0], "a pattern", 0x7F).decode()
    yield from (((cells,), unquote(text)) for cells in groups(args[1:], board))


def write_pattern(clue: Clue, board: Board) -> list[tuple[str, ...]]:
    return [(_text_of(clue.value.encode()), *cell_names(clue.cells, board))]


def _allowed(key: str, digits: Sequence[int]) -> set[tuple[int, int]]:
    """The pairs of digits whose bits are set."""
    bits, size = bits_of(key), len(digits)
    if any(bits[size * size :]):
        raise ClueError(f"its table is longer than {size} times {size} bits")
    pairs = ((first, second) for first in digits for second in digits)
    return {pair for pair, bit in zip(pairs, bits, strict=False) if bit}


def bits_of(key: str) -> list[int]:
    """Bits in base 64, six a character, the lowest first."""
    if strange := [character for character in key if character not in _CHARACTERS]:
        raise ClueError(f"{strange[0]!a} in its table: expected base 64")
    return [_CHARACTERS.index(character) >> i & 1 for character in key for i in range(6)]


def pattern_of(allowed: set[tuple[int, int]], digits: Sequence[int]) -> str:
    """A pattern of the pairs; first digits with the same second ones stand together."""
    seconds = {a: frozenset(b for x, b in allowed if x == a) for a, _ in sorted(allowed)}
    if not seconds:
        raise ClueError("its table allows no pair of digits")
    return "|".join(
        one_of(frozenset(_firsts(seconds, some)), digits) + one_of(some, digits)
        for some in dict.fromkeys(seconds.values())
    )


def _firsts(seconds: Mapping[int, Digits], some: Digits) -> Iterator[int]:
    return (first for first, these in seconds.items() if these == some)


PLAIN, PACKED = 0, 1
_MOST_STATES = 1 << 12


class _Coded(NamedTuple):
    """A machine: its ways, and the states that may be first, and last."""

    ways: list[Move]
    starts: set[int]
    ends: set[int]

    def after_break(self) -> _Coded:
        """What is left of it once a break is read."""
        return self._replace(
            starts={b for a, on, b in self.ways if on == BREAK and a in self.starts}
        )

    def before_break(self) -> _Coded:
        """What is to be read before a break that is the last."""
        return self._replace(ends={a for a, on, b in self.ways if on == BREAK and b in self.ends})


class _Bits:
    """Numbers read from bits, the highest one first."""

    def __init__(self, text: str) -> None:
        data = _bytes_of(text, "a machine")
        self._number, self.left = int.from_bytes(data, "big"), 8 * len(data)

    def take(self, count: int) -> int:
        if count > self.left:
            raise ClueError("its machine ends too soon")
        self.left -= count
        return self._number >> self.left & ((1 << count) - 1)


def read_machine(args: tuple[str, ...], board: Board) -> Iterator[tuple[tuple[Cells, ...], str]]:
    coded = _decoded(_Bits(args[0]), board.digits)
    for names in cell_groups(args[1:]):
        segments = segments_named(names, board)
        lead, trail = _empty(segments), _empty(segments[::-1])
        yield segments[lead : len(segments) - trail], _text(coded, lead, trail, board.digits)


def _empty(segments: Sequence[Cells]) -> int:
    """How many of the first ones have no cells."""
    return len(list(takewhile(not_, segments)))


def _decoded(bits: _Bits, digits: Sequence[int]) -> _Coded:
    packed = bits.take(2)
    width, count = bits.take(4) + 1, bits.take(4) + 1
    starts, ends = bits.take(width), bits.take(width)
    first_ends = bits.take(starts)  # a bit for each start, the lowest for the first
    if packed not in (PLAIN, PACKED) or not starts:
        raise ClueError("its machine has an unknown form")
    ways = list(_packed(bits, width, count) if packed else _plain(bits, width, count))
    read = (*digits, BREAK)
    if any(place >= len(read) for _, place, _ in ways):
        raise ClueError("it reads more digits than there are")
    ways = [(state, read[place], after) for state, place, after in ways]
    ending = {n for n in range(starts) if first_ends >> n & 1} | {*range(starts, starts + ends)}
    return _Coded(ways, {*range(starts)}, ending)


def _text(coded: _Coded, lead: int, trail: int, digits: Sequence[int]) -> str:
    """The value of a clue whose cells have so many breaks before them, and behind them."""
    for _ in range(lead):
        coded = coded.after_break()
    for _ in range(trail):
        coded = coded.before_break()
    ways, starts, ends = coded
    if len(starts) != 1:  # a state of its own that has the ways of all of them
        ways = [(-1, digit, after) for state, digit, after in ways if state in starts] + ways
        ends = ends | {-1} if starts & ends else ends
        starts = {-1}
    return machine_text(ways, ends, min(starts), digits)


def _plain(bits: _Bits, width: int, digits: int) -> Iterator[Move]:
    """The ways, with the places of digits in place of these."""
    count_width, digit_width = bits.take(4), (digits - 1).bit_length()
    state = 0
    while count_width and bits.left >= count_width and state < _MOST_STATES:
        for _ in range(bits.take(count_width)):
            yield state, bits.take(digit_width), bits.take(width)
        state += 1


def _packed(bits: _Bits, width: int, digits: int) -> Iterator[Move]:
    state = 0
    while bits.left >= digits and state < _MOST_STATES:
        some = bits.take(digits)
        for place in range(digits):
            if some >> place & 1:
                yield state, place, bits.take(width)
        state += 1


def write_machine(clue: Clue, board: Board) -> list[tuple[str, ...]]:
    read = machine(clue.value, board.digits)
    encoded = _encoded(read, board.digits)
    return [(encoded, *segment_names(clue.groups, board))] if encoded else []


def _encoded(read: Machine, digits: Sequence[int]) -> str:
    """The machine in its plain form; empty if it has too many states or ways."""
    named = (state for move in read.transitions for state in (move.state, move.after))
    others = [state for state in dict.fromkeys((*named, *sorted(read.ends))) if state != read.start]
    order = (read.start, *sorted(others, key=lambda state: state not in read.ends))
    number = {state: n for n, state in enumerate(order)}
    ways: dict[str, set[tuple[int, int]]] = {state: set() for state in order}
    place = {digit: place for place, digit in enumerate((*digits, BREAK))}
    for state, some, after in read.transitions:
        ways[state] |= {(place[digit], number[after]) for digit in some}
    symbols = len(digits) + read.breaks
    width = max(1, (len(order) - 1).bit_length())
    count_width = max(map(len, ways.values())).bit_length()
    if len(order) > _MOST_STATES or count_width > 15 or symbols > 16:
        return ""
    fields = [
        (PLAIN, 2), (width - 1, 4), (symbols - 1, 4), (1, width),
        (len(read.ends - {read.start}), width), (read.start in read.ends, 1), (count_width, 4),
    ]  # fmt: skip
    for own in ways.values():
        fields.append((len(own), count_width))
        for digit, target in sorted(own):
            fields += [(digit, (symbols - 1).bit_length()), (target, width)]
    written = "".join(f"{field:0{bits}b}" for field, bits in fields if bits)
    written += "0" * (-len(written) % 8)
    data = int(written, 2).to_bytes(len(written) // 8, "big")
    return _text_of(data)


# Constraints --------------------------------------------------------------------------------------


_MOST_PILLED = 9  # of the digits of a board with pills: beyond, no second one may be 10 or more

Args = tuple[str, ...]
Stated = Iterable[tuple[tuple[Cells, ...], str]]  # the groups and the value of clues
Read = Callable[[Args, Board], Stated]
Write = Callable[[Clue, Board], Sequence[Args]]  # no arguments where none can state the clue


class Way(NamedTuple):
    """How the arguments of a constraint state clues."""

    read: Read
    write: Write


class Key(NamedTuple):
    """The name of a constraint, the kind of clue that it is, and how its arguments state it."""

    name: str
    kind: str
    read: Read
    write: Write


def _read_plain(args: Args, board: Board) -> Stated:
    return [((cells_named(args, board),), "")]


def _write_plain(clue: Clue, board: Board) -> Sequence[Args]:
    return [cell_names(clue.cells, board)]


def _read_boxed(args: Args, board: Board) -> Stated:
    if not board.has_boxes:
        raise ClueError("there are no boxes, and no regions of one size in their place")
    return _read_plain(args, board)


def _valued(read: Callable[[str], Iterable[str]], write: Callable[[str], str | None]) -> Way:
    """An argument that states the values of clues, and their cells; `write` gives None for a value
    that it cannot state."""

    def read_all(args: Args, board: Board) -> Stated:
        return [((cells_named(args[1:], board),), value) for value in read(args[0])]

    def write_one(clue: Clue, board: Board) -> Sequence[Args]:
        value = write(clue.value)
        return [] if value is None else [(value, *cell_names(clue.cells, board))]

    return Way(read_all, write_one)


def _number(*, nothing: str = "", missing: str = "", most: int = 0) -> Way:
    """A number and cells. `nothing` is the number that says none, `missing` the one that is meant
    where a cell stands in its place; beyond `most` it has none, if there is such a bound."""
    way = _valued(
        lambda number: ["" if number == nothing else number],
        lambda value: None if most and int(value) > most else value or nothing,
    )

    def read(args: Args, board: Board) -> Stated:
        is_missing = missing and find_cell(args[0], board) is not None
        return way.read((missing, *args) if is_missing else args, board)

    return way._replace(read=read)


def _caged(*, says: str) -> Way:
    """The parts of a cage: a cell that stands there again counts again in the sum, so the sum and
    the cells that differ are clues of their own."""
    way = _number(nothing="0")

    def read(args: Args, board: Board) -> Stated:
        stated = [*way.read(args, board)]
        (((cells,), value),) = stated
        once = tuple(dict.fromkeys(cells))
        if once == cells or says == "all":
            return stated * (once == cells) * (says == "all")
        return [((once,), "")] if says == "cells" else stated * bool(value)

    return Way(read, way.write if says == "all" else lambda clue, board: [])


def _read_weighted(args: Args, board: Board) -> Stated:
    """The sum, `=` and the coefficients; those of a cell that stands there several times add up."""
    total, written, factors = args[0].partition("_=_")
    if not written:
        return []
    cells, weights = cells_named(args[1:], board), [*map(int, factors.split("_"))]
    if len(weights) != len(cells):
        raise ClueError(f"{len(weights)} coefficients for {len(cells)} cells")
    at = dict.fromkeys(cells, 0)
    for cell, weight in zip(cells, weights, strict=True):
        at[cell] += weight
    kept = {cell: str(weight) for cell, weight in at.items() if weight}
    return [((tuple(kept),), f"{','.join(kept.values())}={total}")]


def _write_weighted(clue: Clue, board: Board) -> Sequence[Args]:
    weights, _, total = clue.value.partition("=")
    return [(f"{total}_=_{weights.replace(',', '_')}", *cell_names(clue.cells, board))]


def _marks(*, value: str = "") -> Way:
    """Between every two of the cells that share an edge."""

    def read(args: Args, board: Board) -> Stated:
        pairs = list(touching_pairs(cells_named(args, board), board))
        if not pairs:
            raise ClueError("no two of its cells share an edge")
        return [(pair, value) for pair in pairs]

    def write(clue: Clue, board: Board) -> Sequence[Args]:
        can = clue.value == value and list(touching_pairs(clue.cells, board)) == [clue.groups]
        return _write_plain(clue, board) if can else []

    return Way(read, write)


def _ends(*, marked: str = "") -> Way:
    """Numbers at both ends of a line; and a mark, if what is meant has one (`MARKING`)."""

    def read(args: Args, board: Board) -> Stated:
        cells = line_named(args[0], board)
        both = zip((cells, cells[::-1]), args[1:3], strict=False)
        is_meant = "".join(args[3:]) == marked
        return [((line,), number) for line, number in both if number and is_meant]

    def write(clue: Clue, board: Board) -> Sequence[Args]:
        lines, back = line_names(board), clue.cells[::-1]
        if clue.cells in lines:
            return [
                (lines[clue.cells], clue.value, "", marked)
                if marked
                else (lines[clue.cells], clue.value)
            ]
        return [(lines[back], "", clue.value, *[marked] * bool(marked))] if back in lines else []

    return Way(read, write)


def _line(*, full: bool) -> Way:
    """A number at a line, which has a cell for each digit, or fewer cells."""

    def read(args: Args, board: Board) -> Stated:
        line = line_named(args[1], board)
        return [((line,), args[0])] if (len(line) == len(board.digits)) == full else []

    def write(clue: Clue, board: Board) -> Sequence[Args]:
        lines, ways = line_names(board), (clue.cells, clue.cells[::-1])
        can = (len(clue.cells) == len(board.digits)) == full
        return [(clue.value, lines[cells]) for cells in ways if cells in lines and can][:1]

    return Way(read, write)


def _read_diagonal(args: Args, board: Board) -> Stated:
    cells = diagonals(board).get(cell_name(cell_named(args[1], board), board))
    if cells is None:
        raise ClueError(f"{args[1][:20]!a} begins no diagonal")
    return [((cells,), args[0])]


def _write_diagonal(clue: Clue, board: Board) -> Sequence[Args]:
    ways = (clue.cells, clue.cells[::-1])
    return [(clue.value, name) for name, cells in diagonals(board).items() if cells in ways]


def _different(*, whole: bool) -> Way:
    """Cells of different digits, as many as digits or fewer."""

    def read(args: Args, board: Board) -> Stated:
        return _read_plain(args, board) if (len(args) >= len(board.digits)) == whole else []

    return Way(read, _write_plain)


def _read_arrow(args: Args, board: Board) -> Stated:
    cells = cells_named(args, board)
    return [((cells[:1], cells[1:]), "")]


def _read_pill(args: Args, board: Board) -> Stated:
    cells, width = cells_named(args[1:], board), int(args[0])
    if board.digits[-1] > _MOST_PILLED:
        raise ClueError(f"supported with digits up to {_MOST_PILLED}")
    return [((tuple(sorted(cells[:width])), cells[width:]), "")]


def _write_arrow(clue: Clue, board: Board) -> Sequence[Args]:
    """Each shaft by itself."""
    circle, *shafts = clue.groups
    return [cell_names((*circle, *shaft), board) for shaft in shafts] if len(circle) == 1 else []


def _write_pill(clue: Clue, board: Board) -> Sequence[Args]:
    """A pill of successive cells, each right of the one before, below it, or both."""
    circle, *shafts = clue.groups
    if len(circle) == 1 or board.digits[-1] > _MOST_PILLED:
        return []
    spots = [spot_of(cell, board) for cell in circle]
    if any(b not in (a.moved(0, 1), a.moved(1, 0), a.moved(1, 1)) for a, b in pairwise(spots)):
        return []
    width = str(len(circle))
    return [(width, *cell_names((*circle, *shaft), board)) for shaft in shafts]


def _square(cell: int, board: Board) -> Cells:
    """The square that a cell begins; fewer cells if it does not fit."""
    spot, known = spot_of(cell, board), cell_of_spot(board)
    spots = (spot.moved(down, right) for down, right in product((0, 1), repeat=2))
    return tuple(known[spot] for spot in spots if spot in known)


def _read_quad(args: Args, board: Board) -> Stated:
    square = _square(cell_named(args[0], board), board)
    if len(square) < 4:
        raise ClueError(f"{args[0][:20]!a} begins no square of 2x2 cells")
    return [((square,), ",".join(args[1:]))]


def _write_quad(clue: Clue, board: Board) -> Sequence[Args]:
    cells = tuple(sorted(clue.cells))
    is_square = cells == _square(cells[0], board)
    return [(cell_name(cells[0], board), *clue.value.split(","))] if is_square else []


def _sets(args: Args, board: Board) -> list[Cells]:
    """The cells in as many sets as the first argument says."""
    cells, count = cells_named(args[1:], board), int(args[0])
    if count < 1 or len(cells) % count:
        raise ClueError(f"{len(cells)} cells do not fall into {args[0]} sets")
    width = len(cells) // count
    return [cells[first : first + width] for first in range(0, len(cells), width)]


def _read_same(args: Args, board: Board) -> Stated:
    """Sets of one cell; larger ones hold the same digits in any order."""
    sets = _sets(args, board)
    return [(tuple(sets), "")] if all(len(cells) == 1 for cells in sets) else []


def _read_sets(args: Args, board: Board) -> Stated:
    sets = _sets(args, board)
    return [(tuple(sets), "")] if any(len(cells) > 1 for cells in sets) else []


def _write_sets(clue: Clue, board: Board) -> Sequence[Args]:
    """Sets of one cell read back as another kind."""
    cells = tuple(cell for group in clue.groups for cell in group)
    count = len(clue.groups)
    return [(str(count), *cell_names(cells, board))] if len(cells) > count else []


def _write_same(clue: Clue, board: Board) -> Sequence[Args]:
    """The cells of each place in the groups; those that a group shares with another are one."""
    places = [tuple(dict.fromkeys(cells)) for cells in zip(*clue.groups, strict=True)]
    return [(str(len(cells)), *cell_names(cells, board)) for cells in places if len(cells) > 1]


def _read_look_and_say(text: str) -> list[str]:
    """Pairs of how often and which digit."""
    pairs = re.findall("..", text)
    if "".join(pairs) != text or len({pair[1] for pair in pairs}) < len(pairs):
        raise ClueError(f"{text[:20]!a}: expected pairs of how often and another digit each")
    return [f"{digit}x{times}" for times, digit in pairs]


def _write_look_and_say(value: str) -> str | None:
    digit, times = value.split("x")
    return times + digit if len(digit + times) == 2 else None


def _read_exact(text: str) -> list[str]:
    """Digits, each as often as it stands there."""
    digits = [str(int(word)) for word in text.split("_")]
    return [f"{digit}x{digits.count(digit)}" for digit in dict.fromkeys(digits)]


def _write_exact(value: str) -> str | None:
    digit, times = value.split("x")
    return "_".join([digit] * int(times)) or None


def _group_prefix(cells: Cells, board: Board) -> str | None:
    """The name of a whole layer, or of the grid, in front of the numbers of its cells."""
    layer = board.layer_of(cells) if cells else ""
    return cell_name(cells[0], board).rstrip("0123456789") if layer else layer


def _read_area(args: Args, board: Board) -> Stated:
    prefix, values, *size = args
    cells: Cells = ()
    if prefix:
        cells = tuple(
            cell for name, cell in _variables(board).items() if name.rstrip("0123456789") == prefix
        )
        if board.layer_of(cells) is None:
            raise ClueError(f"{prefix[:20]!a}: expected variables, one in each cell of the grid")
    number = f"x{size[0]}" if size and size[0] else ""
    return [((cells,) if cells else (), values.replace("_", ",") + number)]


def _write_area(clue: Clue, board: Board) -> Sequence[Args]:
    digits, _, number = clue.value.partition("x")
    prefix = _group_prefix(clue.cells, board)
    return [] if prefix is None else [(prefix, digits.replace(",", "_"), *[number] * bool(number))]


def _arms(*, is_run: bool) -> Way:
    """A cell that tells, how many it does not count, and arms of labels; without any all cells in
    four directions, or those of the square around it."""

    def read(args: Args, board: Board) -> Stated:
        own, less, *names = (*args, "") if len(args) < 2 else args
        cell, first = cell_named(own, board), board.first_of.get(REGIONS)
        if first is None:
            raise ClueError("expected .ChaosConstruction beside it")
        named = segments_named(names, board) if names else _arms_of(cell, board, is_run)
        arms = [tuple(c + first if c < board.grid_cells else c for c in arm) for arm in named]
        return [(((cell,), *arms), less or "0")]

    def write(clue: Clue, board: Board) -> Sequence[Args]:
        (cell,), *arms = clue.groups
        if not all(cell_name(c, board).startswith(REGIONS.upper()) for arm in arms for c in arm):
            return []
        return [(cell_name(cell, board), clue.value, *segment_names(arms, board))]

    return Way(read, write)


def _read_labels(args: Args, board: Board) -> Stated:
    first = board.first_of[REGIONS]
    return [((tuple(range(first, first + board.grid_cells)),), "")]


def _write_labels(clue: Clue, board: Board) -> Sequence[Args]:
    return [()] if board.layer_of(clue.cells) == REGIONS else []


def _arms_of(cell: int, board: Board, is_run: bool) -> list[Cells]:
    known, spot = cell_of_spot(board), spot_of(cell, board)
    if not is_run:
        around = (spot.moved(down, right) for down, right in product((0, -1, 1), repeat=2))
        return [tuple(known[other] for other in around if other in known)]
    arms = []
    for down, right in ((0, -1), (0, 1), (-1, 0), (1, 0)):
        arm, here = [], spot
        while here in known:
            arm.append(known[here])
            here = here.moved(down, right)
        arms.append(tuple(arm))
    return arms


def _table(*, every: bool = False, old: bool = False) -> Way:
    """A table of the pairs of digits that go together; what it states is written as a pattern."""
    return Way(partial(read_pairs, every=every, old=old), lambda clue, board: [])


def _letter(*, letter: str) -> Way:
    return _valued(lambda text: [""] if text == letter else [], lambda value: letter)


def _always(read: Read, write: Write) -> Callable[..., Way]:
    """A way without options."""
    return lambda: Way(read, write)


WAYS: dict[str, Callable[..., Way]] = {
    "cells": _always(_read_plain, _write_plain),
    "boxed": _always(_read_boxed, _write_plain),
    "number": _number,
    "total": lambda: _valued(lambda text: [] if "_=_" in text else [text], str),
    "coefficients": _always(_read_weighted, _write_weighted),
    "marks": _marks,
    "ends": _ends,
    "line": _line,
    "diagonal": _always(_read_diagonal, _write_diagonal),
    "different": _different,
    "circle": _always(_read_arrow, _write_arrow),
    "pill": _always(_read_pill, _write_pill),
    "square": _always(_read_quad, _write_quad),
    "digits": lambda: _valued(lambda t: [t.replace("_", ",")], lambda v: v.replace(",", "_")),
    "look-and-say": lambda: _valued(_read_look_and_say, _write_look_and_say),
    "exact": lambda: _valued(_read_exact, _write_exact),
    "segments": _always(
        lambda args, board: [(segments_named(args, board), "")],
        lambda clue, board: [segment_names(clue.groups, board)],
    ),
    "places": _always(_read_same, _write_same),
    "sets": _always(_read_sets, _write_sets),
    "caged": _caged,
    "letter": _letter,
    "pattern": _always(read_pattern, write_pattern),
    "states": _always(read_machine, write_machine),
    "table": _table,
    "area": _always(_read_area, _write_area),
    "arms": _arms,
    "labels": _always(_read_labels, _write_labels),
}


def _own_options(there: Foreign) -> dict[str, Any]:
    """The options of the way, without what boards must be like."""
    return {name: some for name, some in there.options.items() if name not in _OF_BOARDS}


_OF_BOARDS = "first", "from_one"
KEYS = tuple(
    Key(there.name, kind.name, *WAYS[there.way](**_own_options(there)))
    for kind, there in foreign("iss")
    if there.way not in ("flag", "joined")
)
JOINED = {there.name: kind.name for kind, there in foreign("iss") if there.way == "joined"}
# Constraints that say more of all of another name: that name, and the mark of each argument.
MARKING = {"FullRankTies": ("FullRank", {"any": "any", "only-unclued": "", "none": ""})}
# What goes by cells that share an edge.
BESIDE = {t.name for _, t in foreign("iss") if t.way in ("marks", "pill", "square")}
OUTSIDE = tuple(t.name for _, t in foreign("iss") if t.way in ("ends", "line", "diagonal"))
BY_BOXES = {
    there.name: there.options["full_boxes"]
    for _, there in foreign_rules("iss")
    if "full_boxes" in there.options
}
FROM_ONE = {t.name for _, t in foreign("iss") if t.options.get("from_one")}
# Constraints that some digits need: how many, and which may be the first.
DIGITS = {
    there.name: (there.size, there.options.get("first", (1,)))
    for _, there in foreign("iss")
    if there.size or "first" in there.options
}
# The main diagonals by the arguments that state them; and the rules that have them as houses.
DIAGONALS = {
    there.options["argument"]: there.options["cells"]
    for _, there in foreign_rules("iss")
    if there.way == "house"
}
BY_HOUSES = tuple({rule.name: 0 for rule, t in foreign_rules("iss") if t.way == "house"})


def _flags() -> dict[str, tuple[str, ...]]:
    """The rules, and the clues on the whole board, that a constraint without arguments states; what
    states several of them comes last."""
    flags: dict[str, tuple[str, ...]] = {name: (rule,) for name, rule in flags_of("iss").items()}
    for kind, there in foreign("iss"):
        if there.way == "flag":
            value = there.options.get("value")
            clue = f"{kind.name}={value}" if value else kind.name
            flags[there.name] = (*flags.get(there.name, ()), clue)
    return dict(sorted(flags.items(), key=lambda flag: len(flag[1])))


FLAGS = _flags()
NAMES = tuple(dict.fromkeys((*(key.name for key in KEYS), *FLAGS)))
NESTED = (*JOINED, "Replicate")
HINT = "SearchPriority"  # tells that program where to search, and says nothing of the puzzle
INSTEAD = ("Doppelganger", "RegionSameValues")  # what only others state, see `instead`
CHAOS = "ChaosConstruction"
OF_BOARD = ("Shape", "RegionSize", "Var", "Jigsaw", "NoBoxes", CHAOS)
OTHERS = ("", "Given", *OF_BOARD, "Diagonal", *INSTEAD, *MARKING, *NESTED, "End", HINT)
OUTERMOST = (*OF_BOARD, "Diagonal", *INSTEAD, *MARKING, *FLAGS)  # not within Or and And
# Constraints that grids have only if a digit stands once in each row and column.
OF_LINES = {
    "AntiKing", "AntiKnight", "Diagonal", "DisjointSets", "Indexing", "Jigsaw", "NoBoxes",
    "RegionSize", "Windoku", *INSTEAD, *MARKING, *OUTSIDE,
}  # fmt: skip


def check_board(name: str, board: Board) -> None:
    """Raise `ClueError` if the constraint is not defined on the board."""
    check_lines(name, board)
    if name in BY_BOXES and not _is_as_usual(board, full=BY_BOXES[name]):
        raise ClueError("it goes by the usual boxes, which are not those of this board")
    if name in FROM_ONE and not digits_are_places(board):
        raise ClueError("in Interactive Sudoku Solver each digit has to tell a cell, from 1")
    size, firsts = DIGITS.get(name, (0, board.digits))
    if size not in (0, len(board.digits)) or board.digits[0] not in firsts:
        some = f"{size} digits" if size else "digits"
        raise ClueError(f"Interactive Sudoku Solver has it for {some} from {firsts[0]} on only")


def check_lines(name: str, board: Board) -> None:
    """Raise `ClueError` for a constraint on lines, if these may hold a digit more than once."""
    if name in OF_LINES and board.without:
        raise ClueError("Interactive Sudoku Solver does not have it on Raw grids")


def digits_are_places(board: Board) -> bool:
    """Whether each digit tells a cell of each row and of each column, counted from 1."""
    return board.is_square and board.digits == tuple(range(1, board.width + 1))


def _is_as_usual(board: Board, *, full: bool) -> bool:
    """Whether it is a square with the boxes that their size tells; full: with as many digits."""
    cells = board.box_rows * board.box_columns
    usual = usual_box_of(cells, board.height, board.width) == (board.box_rows, board.box_columns)
    as_many = len(board.digits) == cells or not full
    return board.regions is None and board.is_square and usual and as_many
