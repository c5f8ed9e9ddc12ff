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
from functools import partial
from itertools import combinations, pairwise, takewhile
from operator import not_
from typing import NamedTuple
from urllib.parse import unquote

from ...model.board import Board, Cells
from ...model.clue import Clue, ClueError
from ...model.kinds import HOUSE, foreign
from ...model.kinds.patterns import BREAK, Machine, Move, machine, machine_text, one_of
from ...model.rules import flags_of, foreign_rules

PLACES = "0123456789abcdefg"  # of rows and columns, in base 17
CELL = re.compile(r"R([1-9a-g])C([1-9a-g])", re.IGNORECASE)


def cell_name(cell: int, board: Board) -> str:
    row, column = divmod(cell, board.size)
    return f"R{PLACES[row + 1]}C{PLACES[column + 1]}"


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


def cell_named(name: str, board: Board) -> int:
    match = CELL.fullmatch(name)
    row, column = (PLACES.index(place.lower()) for place in match.groups()) if match else (0, 0)
    if not (1 <= row <= board.size and 1 <= column <= board.size):
        raise ClueError(f"{name[:20]!a} is no cell of a board of size {board.size}")
    return board.size * (row - 1) + column - 1


def line_named(name: str, board: Board) -> Cells:
    """The cells of R1 or C1."""
    lines = {"R": board.rows, "C": board.columns}.get(name[:1].upper(), ())
    place = PLACES.find(name[1:].lower()) if len(name) == 2 else 0
    if not 1 <= place <= len(lines):
        raise ClueError(f"{name[:20]!a}: expected a row or a column, such as R1")
    return lines[place - 1]


def line_names(board: Board) -> dict[Cells, str]:
    places = PLACES[1 : board.size + 1]
    return {
        line_named(f"{kind}{place}", board): f"{kind}{place}" for kind in "RC" for place in places
    }


def diagonals(board: Board) -> dict[str, Cells]:
    """The diagonals by their first cells: from the left edge down, from the right edge up, from the
    top to the left, from the bottom to the right."""
    n = board.size
    starts = [
        *((n * i, n + 1, n - i) for i in range(n - 1)),
        *((n * i + n - 1, -n - 1, i + 1) for i in range(1, n - 1)),
        *((i, n - 1, i + 1) for i in range(1, n)),
        *((n * (n - 1) + i, 1 - n, n - i) for i in range(1, n - 1)),
    ]
    return {
        cell_name(first, board): tuple(first + step * i for i in range(length))
        for first, step, length in starts
    }


def touching_pairs(cells: Cells, board: Board) -> Iterator[tuple[Cells, ...]]:
    """Every two of the cells that share an edge, in the order in which they are listed."""
    neighbours = {frozenset(pair) for pair in board.adjacent_pairs}
    for i, a in enumerate(cells):
        yield from (((a, b),) for b in cells[i + 1 :] if frozenset((a, b)) in neighbours)


_CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
_SWAPPED = str.maketrans("-_", "_-")  # as Binary and BinaryX have it
_MOST_DIGITS = 9  # of a board with patterns: beyond, both programs write digits in other ways

Digits = frozenset[int]


def read_pairs(
    args: tuple[str, ...], board: Board, *, every: bool, old: bool
) -> Iterator[tuple[tuple[Cells, ...], str]]:
    """The pairs of cells, and the pattern of what they may hold.

    every: whether any two cells of a group are related, or successive ones only; old: whether the
    table has its last two characters swapped.
    """
    check_size(board)
    allowed = _allowed(args[0].translate(_SWAPPED) if old else args[0], board.size)
    both = {(second, first) for first, second in allowed}
    if every and allowed != both:
        raise ClueError("its table tells first from second, which any two cells have not")
    value = pattern_of(allowed, board.size)
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
    check_size(board)
    text = args[0] if "%" in args[0] else _bytes_of(args[0], "a pattern", 0x7F).decode()
    yield from (((cells,), unquote(text)) for cells in groups(args[1:], board))


def write_pattern(clue: Clue, board: Board) -> list[tuple[str, ...]]:
    if board.size > _MOST_DIGITS:
        return []
    return [(_text_of(clue.value.encode()), *cell_names(clue.cells, board))]


def check_size(board: Board) -> None:
    if board.size > _MOST_DIGITS:
        raise ClueError(f"supported on boards up to {_MOST_DIGITS}x{_MOST_DIGITS}")


def _allowed(key: str, size: int) -> set[tuple[int, int]]:
    """The pairs of digits whose bits are set."""
    bits = bits_of(key)
    if any(bits[size * size :]):
        raise ClueError(f"its table is longer than {size} times {size} bits")
    return {(place // size + 1, place % size + 1) for place, bit in enumerate(bits) if bit}


def bits_of(key: str) -> list[int]:
    """Bits in base 64, six a character, the lowest first."""
    if strange := [character for character in key if character not in _CHARACTERS]:
        raise ClueError(f"{strange[0]!a} in its table: expected base 64")
    return [_CHARACTERS.index(character) >> i & 1 for character in key for i in range(6)]


def pattern_of(allowed: set[tuple[int, int]], size: int) -> str:
    """A pattern of the pairs; first digits with the same second ones stand together."""
    seconds = {a: frozenset(b for x, b in allowed if x == a) for a, _ in sorted(allowed)}
    if not seconds:
        raise ClueError("its table allows no pair of digits")
    digits = range(1, size + 1)
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
    check_size(board)
    coded = _decoded(_Bits(args[0]), board.size)
    for names in cell_groups(args[1:]):
        segments = segments_named(names, board)
        lead, trail = _empty(segments), _empty(segments[::-1])
        yield segments[lead : len(segments) - trail], _text(coded, lead, trail, board.size)


def _empty(segments: Sequence[Cells]) -> int:
    """How many of the first ones have no cells."""
    return len(list(takewhile(not_, segments)))


def _decoded(bits: _Bits, size: int) -> _Coded:
    packed = bits.take(2)
    width, digits = bits.take(4) + 1, bits.take(4) + 1
    starts, ends = bits.take(width), bits.take(width)
    first_ends = bits.take(starts)  # a bit for each start, the lowest for the first
    if packed not in (PLAIN, PACKED) or not starts:
        raise ClueError("its machine has an unknown form")
    ways = list(_packed(bits, width, digits) if packed else _plain(bits, width, digits))
    if any(digit > size + 1 for _, digit, _ in ways):
        raise ClueError("it reads more digits than there are")
    ways = [(state, BREAK if digit > size else digit, after) for state, digit, after in ways]
    ending = {n for n in range(starts) if first_ends >> n & 1} | {*range(starts, starts + ends)}
    return _Coded(ways, {*range(starts)}, ending)


def _text(coded: _Coded, lead: int, trail: int, size: int) -> str:
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
    return machine_text(ways, ends, min(starts), range(1, size + 1))


def _plain(bits: _Bits, width: int, digits: int) -> Iterator[Move]:
    count_width, digit_width = bits.take(4), (digits - 1).bit_length()
    state = 0
    while count_width and bits.left >= count_width and state < _MOST_STATES:
        for _ in range(bits.take(count_width)):
            yield state, bits.take(digit_width) + 1, bits.take(width)
        state += 1


def _packed(bits: _Bits, width: int, digits: int) -> Iterator[Move]:
    state = 0
    while bits.left >= digits and state < _MOST_STATES:
        some = bits.take(digits)
        for digit in range(digits):
            if some >> digit & 1:
                yield state, digit + 1, bits.take(width)
        state += 1


def write_machine(clue: Clue, board: Board) -> list[tuple[str, ...]]:
    read = machine(clue.value, board.digits)
    encoded = _encoded(read, board.size)
    return [(encoded, *segment_names(clue.groups, board))] if board.size <= 9 and encoded else []


def _encoded(read: Machine, size: int) -> str:
    """The machine in its plain form; empty if it has too many states or ways."""
    named = (state for move in read.transitions for state in (move.state, move.after))
    others = [state for state in dict.fromkeys((*named, *sorted(read.ends))) if state != read.start]
    order = (read.start, *sorted(others, key=lambda state: state not in read.ends))
    number = {state: n for n, state in enumerate(order)}
    ways: dict[str, set[tuple[int, int]]] = {state: set() for state in order}
    for state, digits, after in read.transitions:
        ways[state] |= {(size if digit == BREAK else digit - 1, number[after]) for digit in digits}
    symbols = size + read.breaks
    width = max(1, (len(order) - 1).bit_length())
    count_width = max(map(len, ways.values())).bit_length()
    if len(order) > _MOST_STATES or count_width > 15:
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


_MOST_PILLED = 9  # digits of a board with pills: beyond, it lets no second digit be 10 or more

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
        is_missing = missing and CELL.fullmatch(args[0])
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


def _read_line(args: Args, board: Board) -> Stated:
    return [((line_named(args[1], board),), args[0])]


def _write_line(clue: Clue, board: Board) -> Sequence[Args]:
    lines = line_names(board)
    return [(clue.value, lines[c]) for c in (clue.cells, clue.cells[::-1]) if c in lines][:1]


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
        return _read_plain(args, board) if (len(args) >= board.size) == whole else []

    return Way(read, _write_plain)


def _read_arrow(args: Args, board: Board) -> Stated:
    cells = cells_named(args, board)
    return [((cells[:1], cells[1:]), "")]


def _read_pill(args: Args, board: Board) -> Stated:
    cells, width = cells_named(args[1:], board), int(args[0])
    if board.size > _MOST_PILLED:
        raise ClueError(f"supported on boards up to {_MOST_PILLED}x{_MOST_PILLED}")
    return [((tuple(sorted(cells[:width])), cells[width:]), "")]


def _write_arrow(clue: Clue, board: Board) -> Sequence[Args]:
    """Each shaft by itself."""
    circle, *shafts = clue.groups
    return [cell_names((*circle, *shaft), board) for shaft in shafts] if len(circle) == 1 else []


def _write_pill(clue: Clue, board: Board) -> Sequence[Args]:
    """A pill of successive cells, each right of the one before, below it, or both."""
    circle, *shafts = clue.groups
    steps = {1, board.size, board.size + 1}
    is_pill = all(b - a in steps and b % board.size >= a % board.size for a, b in pairwise(circle))
    if len(circle) == 1 or not is_pill or board.size > _MOST_PILLED:
        return []
    width = str(len(circle))
    return [(width, *cell_names((*circle, *shaft), board)) for shaft in shafts]


def _square(cell: int, board: Board) -> Cells:
    return cell, cell + 1, cell + board.size, cell + board.size + 1


def _read_quad(args: Args, board: Board) -> Stated:
    return [((_square(cell_named(args[0], board), board),), ",".join(args[1:]))]


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
    "line": _always(_read_line, _write_line),
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
}
KEYS = tuple(
    Key(there.name, kind.name, *WAYS[there.way](**there.options))
    for kind, there in foreign("iss")
    if there.way not in ("flag", "joined")
)
JOINED = {there.name: kind.name for kind, there in foreign("iss") if there.way == "joined"}
# Constraints that say more of all of another name: that name, and the mark of each argument.
MARKING = {"FullRankTies": ("FullRank", {"any": "any", "only-unclued": ""})}
OUTSIDE = tuple(t.name for _, t in foreign("iss") if t.way in ("ends", "line", "diagonal"))
BY_BOXES = [t.name for _, t in foreign_rules("iss") if t.options.get("usual_boxes")]
SIZES = {there.name: there.size for _, there in foreign("iss") if there.size}
# A house of a rule, as a clue, by the argument that is one; and such rules with all their houses.
DIAGONALS = {
    there.options["argument"]: f"{HOUSE}:{there.options['cells']}"
    for _, there in foreign_rules("iss")
    if there.way == "house"
}
BY_HOUSES = {
    rule.name: [*DIAGONALS.values()] for rule, there in foreign_rules("iss") if there.way == "house"
}


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
OTHERS = ("", "Given", "Shape", "Jigsaw", "NoBoxes", "Diagonal", *MARKING, *NESTED, "End", HINT)
OUTERMOST = ("Shape", "Jigsaw", "NoBoxes", "Diagonal", *MARKING, *FLAGS)  # not within Or and And


def check_board(name: str, board: Board) -> None:
    """Raise `ClueError` if the constraint is not defined on the board."""
    if name in BY_BOXES and board != Board.of_size(board.size):
        raise ClueError("it goes by the usual boxes, which are not those of this board")
    if SIZES.get(name, board.size) != board.size:
        raise ClueError(f"Interactive Sudoku Solver has it on boards of size {SIZES[name]} only")
