"""How the constraints of Interactive Sudoku Solver state clues, both ways.

Invariant: a clue is written only by a constraint that reads back as the same clue.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from ...model.board import Board, Cells
from ...model.clue import Clue, ClueError
from .cells import (
    CELL,
    cell_name,
    cell_named,
    cell_names,
    cells_named,
    diagonals,
    line_named,
    line_names,
    segment_names,
    segments_named,
    touching_pairs,
)
from .machines import read_machine, write_machine
from .tables import read_pairs, read_pattern, write_pattern

Args = tuple[str, ...]
Stated = Iterable[tuple[tuple[Cells, ...], str]]  # the groups and the value of clues
Read = Callable[[Args, Board], Stated]
Write = Callable[[Clue, Board], Sequence[Args]]  # no arguments where none can state the clue


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


def _plain(name: str, kind: str) -> Key:
    return Key(name, kind, _read_plain, _write_plain)


def _read_region_sum(args: Args, board: Board) -> Stated:
    if not board.has_boxes:
        raise ClueError("there are no boxes, and no regions of one size in their place")
    return _read_plain(args, board)


def _valued(name: str, kind: str, nothing: str = "", missing: str = "") -> Key:
    """Of a number and cells. `nothing` is the number that says none, `missing` the one that is
    meant where a cell stands in its place."""

    def read(args: Args, board: Board) -> Stated:
        if missing and CELL.fullmatch(args[0]):
            args = (missing, *args)
        return [((cells_named(args[1:], board),), "" if args[0] == nothing else args[0])]

    def write(clue: Clue, board: Board) -> Sequence[Args]:
        return [(clue.value or nothing, *cell_names(clue.cells, board))]

    return Key(name, kind, read, write)


def _read_sum(args: Args, board: Board) -> Stated:
    """One without coefficients."""
    return [] if "_=_" in args[0] else [((cells_named(args[1:], board),), args[0])]


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


def _stepwise(name: str, kind: str, window: int = 0, missing: str = "") -> Key:
    """As `_valued`, of a kind that says something of every `window` successive cells (0: as many as
    the number says), so that a line may cross itself or be closed: it falls into several."""
    plain = _valued(name, kind, missing=missing)

    def read(args: Args, board: Board) -> Stated:
        for (cells,), value in plain.read(args, board):
            yield from (((run,), value) for run in _runs(cells, window or int(value)))

    return plain._replace(read=read)


def _runs(cells: Cells, window: int) -> Iterator[Cells]:
    """Stretches of different cells that hold every `window` successive ones."""
    start = 0
    for stop, cell in enumerate(cells):
        if cell in cells[start:stop]:
            yield cells[start:stop]
            start = stop - window + 1
    yield cells[start:]


def _marks(name: str, kind: str, value: str) -> Key:
    """Between every two of the cells that share an edge."""

    def read(args: Args, board: Board) -> Stated:
        pairs = list(touching_pairs(cells_named(args, board), board))
        if not pairs:
            raise ClueError("no two of its cells share an edge")
        return [(pair, value) for pair in pairs]

    def write(clue: Clue, board: Board) -> Sequence[Args]:
        can = clue.value == value and list(touching_pairs(clue.cells, board)) == [clue.groups]
        return _write_plain(clue, board) if can else []

    return Key(name, kind, read, write)


def _ends(name: str, kind: str) -> Key:
    """Numbers at both ends of a line."""

    def read(args: Args, board: Board) -> Stated:
        cells = line_named(args[0], board)
        both = zip((cells, cells[::-1]), args[1:], strict=False)
        return [((line,), number) for line, number in both if number]

    def write(clue: Clue, board: Board) -> Sequence[Args]:
        lines = line_names(board)
        back = clue.cells[::-1]
        if back in lines:
            return [(lines[back], "", clue.value)]
        return [(lines[clue.cells], clue.value)] if clue.cells in lines else []

    return Key(name, kind, read, write)


def _read_sandwich(args: Args, board: Board) -> Stated:
    return [((line_named(args[1], board),), args[0])]


def _write_sandwich(clue: Clue, board: Board) -> Sequence[Args]:
    lines = line_names(board)
    return [(clue.value, lines[c]) for c in (clue.cells, clue.cells[::-1]) if c in lines][:1]


def _read_little_killer(args: Args, board: Board) -> Stated:
    cells = diagonals(board).get(cell_name(cell_named(args[1], board), board))
    if cells is None:
        raise ClueError(f"{args[1][:20]!a} begins no diagonal")
    return [((cells,), args[0])]


def _write_little_killer(clue: Clue, board: Board) -> Sequence[Args]:
    ways = (clue.cells, clue.cells[::-1])
    return [(clue.value, name) for name, cells in diagonals(board).items() if cells in ways]


def _different(size: Callable[[int, Board], bool], kind: str) -> Key:
    """Cells of different digits: as many as digits are a region."""

    def read(args: Args, board: Board) -> Stated:
        return _read_plain(args, board) if size(len(args), board) else []

    return Key("AllDifferent", kind, read, _write_plain)


def _read_arrow(args: Args, board: Board) -> Stated:
    cells = cells_named(args, board)
    return [((cells[:1], cells[1:]), "")]


def _read_pill(args: Args, board: Board) -> Stated:
    cells, width = cells_named(args[1:], board), int(args[0])
    return [((tuple(sorted(cells[:width])), cells[width:]), "")]


def _write_arrow(clue: Clue, board: Board) -> Sequence[Args]:
    """Each shaft by itself."""
    circle, *shafts = clue.groups
    return [cell_names((*circle, *shaft), board) for shaft in shafts] if len(circle) == 1 else []


def _write_pill(clue: Clue, board: Board) -> Sequence[Args]:
    circle, *shafts = clue.groups
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


def _read_contained(args: Args, board: Board) -> Stated:
    return [((cells_named(args[1:], board),), args[0].replace("_", ","))]


def _write_contained(clue: Clue, board: Board) -> Sequence[Args]:
    return [(clue.value.replace(",", "_"), *cell_names(clue.cells, board))]


def _read_equal_sum(args: Args, board: Board) -> Stated:
    return [(segments_named(args, board), "")]


def _write_equal_sum(clue: Clue, board: Board) -> Sequence[Args]:
    return [segment_names(clue.groups, board)]


def _read_same(args: Args, board: Board) -> Stated:
    """As many sets as the first argument says, of one cell: larger ones hold the same digits in any
    order, which no kind says."""
    cells = cells_named(args[1:], board)
    if int(args[0]) != len(cells):
        raise ClueError(
            f"{args[0]} sets of {len(cells)} cells: only sets of one cell are supported"
        )
    return [(tuple((cell,) for cell in cells), "")]


def _write_same(clue: Clue, board: Board) -> Sequence[Args]:
    """The cells of each place in the groups; those that a group shares with another are one."""
    places = [tuple(dict.fromkeys(cells)) for cells in zip(*clue.groups, strict=True)]
    return [(str(len(cells)), *cell_names(cells, board)) for cells in places if len(cells) > 1]


def _read_look_and_say(args: Args, board: Board) -> Stated:
    """Pairs of how often and which digit."""
    pairs = re.findall("..", args[0])
    if "".join(pairs) != args[0] or len({pair[1] for pair in pairs}) < len(pairs):
        raise ClueError(f"{args[0][:20]!a}: expected pairs of how often and another digit each")
    cells = cells_named(args[1:], board)
    return [((cells,), f"{digit}x{times}") for times, digit in pairs]


def _write_look_and_say(clue: Clue, board: Board) -> Sequence[Args]:
    digit, times = clue.value.split("x")
    is_short = len(digit + times) == 2
    return [(times + digit, *cell_names(clue.cells, board))] if is_short else []


def _read_exact(args: Args, board: Board) -> Stated:
    """Digits, each as often as it stands there."""
    cells, digits = cells_named(args[1:], board), [str(int(word)) for word in args[0].split("_")]
    return [((cells,), f"{digit}x{digits.count(digit)}") for digit in dict.fromkeys(digits)]


def _write_exact(clue: Clue, board: Board) -> Sequence[Args]:
    digit, times = clue.value.split("x")
    listed = "_".join([digit] * int(times))
    return [(listed, *cell_names(clue.cells, board))] if listed else []


def _table(name: str, *, every: bool = False, old: bool = False) -> Key:
    """A table of the pairs of digits that go together; what it states is written as a pattern."""
    return Key(name, "regex", partial(read_pairs, every=every, old=old), lambda clue, board: [])


def _index(letter: str, kind: str) -> Key:
    def read(args: Args, board: Board) -> Stated:
        return _read_plain(args[1:], board) if args[0] == letter else []

    return Key("Indexing", kind, read, lambda c, board: [(letter, *cell_names(c.cells, board))])


KEYS = (
    _plain("Thermo", "thermo"),
    _stepwise("Whisper", "whisper", window=2, missing="5"),
    _plain("Renban", "renban"),
    _plain("Palindrome", "palindrome"),
    _stepwise("Modular", "modular"),
    _plain("Entropic", "entropic"),
    Key("RegionSumLine", "region-sum", _read_region_sum, _write_plain),
    _plain("Between", "between"),
    _valued("Lockout", "lockout"),
    _plain("Zipper", "zipper"),
    _valued("SumLine", "ten-line"),
    _plain("DoubleArrow", "double-arrow"),
    Key("Arrow", "arrow", _read_arrow, _write_arrow),
    Key("PillArrow", "arrow", _read_pill, _write_pill),
    _valued("Cage", "cage", nothing="0"),
    _valued("Sum", "sum")._replace(read=_read_sum),
    Key("Sum", "weighted", _read_weighted, _write_weighted),
    _different(lambda number, board: number >= board.size, "region"),
    _different(lambda number, board: number < board.size, "distinct"),
    _plain("CountingCircles", "circles"),
    Key("Quad", "quadruple", _read_quad, _write_quad),
    Key("ContainAtLeast", "contains", _read_contained, _write_contained),
    Key("LookAndSay", "count", _read_look_and_say, _write_look_and_say),
    Key("ContainExact", "count", _read_exact, _write_exact),
    Key("EqualSum", "equal-sum", _read_equal_sum, _write_equal_sum),
    Key("SameValues", "clone", _read_same, _write_same),
    _marks("WhiteDot", "difference", "1"),
    _marks("BlackDot", "ratio", "2"),
    _marks("GreaterThan", "greater", ""),
    _marks("X", "sum", "10"),
    _marks("V", "sum", "5"),
    _index("C", "col-index"),
    _index("R", "row-index"),
    _ends("XSum", "x-sum"),
    _ends("Skyscraper", "skyscraper"),
    _ends("NumberedRoom", "numbered-room"),
    Key("Sandwich", "sandwich", _read_sandwich, _write_sandwich),
    Key("LittleKiller", "little-killer", _read_little_killer, _write_little_killer),
    Key("Regex", "regex", read_pattern, write_pattern),
    Key("NFA", "machine", read_machine, write_machine),
    _table("Pair"),
    _table("PairX", every=True),
    _table("Binary", old=True),
    _table("BinaryX", every=True, old=True),
)
FLAGS = {
    "AntiKnight": ("knight",),
    "AntiKing": ("king",),
    "AntiConsecutive": ("nonconsecutive",),
    "DisjointSets": ("disjoint",),
    "Windoku": ("windoku",),
    "AntiTaxicab": ("taxicab",),
    "GlobalEntropy": ("entropy",),
    "DutchFlatmates": ("flat-mates",),
    "StrictKropki": ("no-difference=1", "no-ratio=2"),
    "StrictXV": ("no-sum=10", "no-sum=5"),
}
BY_BOXES = ("DisjointSets", "Windoku")
DIAGONALS = {"1": "region:rising", "-1": "region:falling"}
NAMES = tuple(dict.fromkeys((*(key.name for key in KEYS), *FLAGS)))
JOINED = {"Or": "or", "And": "and"}
NESTED = (*JOINED, "Replicate")
OTHERS = ("", "Given", "Shape", "Jigsaw", "NoBoxes", "Diagonal", *NESTED, "End")
OUTSIDE = ("XSum", "Skyscraper", "NumberedRoom", "Sandwich", "LittleKiller")
OUTERMOST = ("Shape", "Jigsaw", "NoBoxes", "Diagonal", *FLAGS)  # not within Or and And
