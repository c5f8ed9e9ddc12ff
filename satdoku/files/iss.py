"""Puzzles as Interactive Sudoku Solver writes them: `.Cage~15~R1C1~R1C2.~R5C5_3`.

Invariant: a text is read as exactly the puzzle that it states, or refused with the name of what is
not supported; nothing is passed over.

A text is constraints, each a dot, a name and arguments behind `~`; blanks mean nothing. Cells are
R1C1 to RgCg, in base 17 (see github.com/sigh/Interactive-Sudoku-Solver, js/sudoku_parser.js).
Beside the constraints of `_KEYS` and `_FLAGS`, these are read and written:

    .~R1C1_3~R2C2_1_2        givens; a cell with several digits holds one of these
    .Shape~6x6               the size, 9 unless stated, with the usual boxes; none if none fit
    .Jigsaw~MAP.NoBoxes      regions in place of the boxes; without NoBoxes, beside them
    .XSum~R1~15~20           outside clues at both ends of row 1 (or column C1); either may be empty
    .Diagonal~1              the rising diagonal; ~-1 is the falling one

Digits other than 1 to the size, extra cells, loops, state machines and alternatives are refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple
from urllib.parse import unquote

from ..errors import shown
from ..model.board import Board, BoardError, Cells
from ..model.clue import Clue, ClueError
from ..model.constraints import Constraints, constraints_for
from ..model.grid import Grid
from ..model.kinds import KINDS, clue_of
from ..model.puzzle import as_puzzle
from ..model.rules import RuleError
from .fpuzzles.links import FPuzzlesError
from .fpuzzles.read import checked, default_board, reconciled

Args = tuple[str, ...]
Stated = Iterable[tuple[tuple[Cells, ...], str]]  # the groups and the value of clues
Read = Callable[[Args, Board], Stated]
Write = Callable[[Clue, Board], Sequence[Args]]  # no arguments where none can state the clue
_PLACES = "0123456789abcdefg"  # of rows and columns, in base 17
_ITEM = re.compile(r"\.\s*(\w*)\s*((?:~[^.~]*)*)")
_CELL = re.compile(r"R([1-9a-g])C([1-9a-g])", re.IGNORECASE)
_LINK = re.compile(r"\s*https?://[^?#]*\?(?:[^#]*&)?q=([^&#]*)", re.IGNORECASE)


class IssError(FPuzzlesError):
    """A text of Interactive Sudoku Solver that cannot be read, or states what is not supported."""


class IssPuzzle(NamedTuple):
    """The givens, and a rule set that `constraints_for(rules, grid.board)` reads."""

    grid: Grid
    rules: str


class Item(NamedTuple):
    """A constraint as it is written; column: where it begins in the text, from 1."""

    name: str
    args: Args
    column: int


class Key(NamedTuple):
    """The name of a constraint, the kind of clue that it is, and how its arguments state it."""

    name: str
    kind: str
    read: Read
    write: Write


def parse_iss(
    text: str,
    rules: str | None = None,
    board: Board | None = None,
    *,
    source: str | None = None,
    line: int = 1,
) -> IssPuzzle:
    """Read a text of Interactive Sudoku Solver, or a link that holds one.

    rules: a rule set to use in place of the puzzle's own; it must contain all of the puzzle's.
    board: the board that the puzzle must have. source, line: where the text begins, for errors.
    Raises `IssError`, which names the constraints that are not supported.
    """
    try:
        link = _LINK.match(text)
        items = _items(unquote(link[1]) if link else text)
        own = _constraints(items, checked(_board(items), board))
        constraints = reconciled(own, rules)
        return IssPuzzle(_givens(items, constraints.board), constraints.name)
    except FPuzzlesError as error:
        raise IssError(error.found, line=line, column=error.column, source=source) from None


def format_iss(puzzle: str | Grid | Sequence[int], rules: str | Constraints = "classic") -> str:
    """The text that Interactive Sudoku Solver reads.

    Raises `RuleError` or `ClueError` for what it cannot express, among others boards of more than
    16x16.
    """
    grid, constraints = as_puzzle(puzzle, rules)
    return "".join(_text(name, args) for name, args in _stated(grid, constraints))


def _text(name: str, args: Args) -> str:
    return "".join((f".{name}", *(f"~{arg}" for arg in args)))


# Cells --------------------------------------------------------------------------------------------


def _name(cell: int, board: Board) -> str:
    row, column = divmod(cell, board.size)
    return f"R{_PLACES[row + 1]}C{_PLACES[column + 1]}"


def _names(cells: Iterable[int], board: Board) -> Args:
    return tuple(_name(cell, board) for cell in cells)


def _cells(names: Iterable[str], board: Board) -> Cells:
    return tuple(_cell(name, board) for name in names)


def _cell(name: str, board: Board) -> int:
    match = _CELL.fullmatch(name)
    row, column = (_PLACES.index(place.lower()) for place in match.groups()) if match else (0, 0)
    if not (1 <= row <= board.size and 1 <= column <= board.size):
        raise ClueError(f"{name[:20]!a} is no cell of a board of size {board.size}")
    return board.size * (row - 1) + column - 1


def _line(name: str, board: Board) -> Cells:
    """The cells of R1 or C1."""
    lines = {"R": board.rows, "C": board.columns}.get(name[:1].upper(), ())
    place = _PLACES.find(name[1:].lower()) if len(name) == 2 else 0
    if not 1 <= place <= len(lines):
        raise ClueError(f"{name[:20]!a}: expected a row or a column, such as R1")
    return lines[place - 1]


def _lines(board: Board) -> dict[Cells, str]:
    places = _PLACES[1 : board.size + 1]
    return {_line(f"{kind}{place}", board): f"{kind}{place}" for kind in "RC" for place in places}


def _diagonals(board: Board) -> dict[str, Cells]:
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
        _name(first, board): tuple(first + step * i for i in range(length))
        for first, step, length in starts
    }


def _pairs(cells: Cells, board: Board) -> Iterator[tuple[Cells, ...]]:
    """Every two of the cells that share an edge, in the order in which they are listed."""
    neighbours = {frozenset(pair) for pair in board.adjacent_pairs}
    for i, a in enumerate(cells):
        yield from (((a, b),) for b in cells[i + 1 :] if frozenset((a, b)) in neighbours)


# How arguments state clues ------------------------------------------------------------------------


def _read_plain(args: Args, board: Board) -> Stated:
    return [((_cells(args, board),), "")]


def _write_plain(clue: Clue, board: Board) -> Sequence[Args]:
    return [_names(clue.cells, board)]


def _plain(name: str, kind: str) -> Key:
    return Key(name, kind, _read_plain, _write_plain)


def _read_region_sum(args: Args, board: Board) -> Stated:
    if board.regions is None and board.box_rows == 1:
        raise ClueError("there are no boxes, and no regions of one size in their place")
    return _read_plain(args, board)


def _valued(name: str, kind: str, nothing: str = "", missing: str = "") -> Key:
    """Of a number and cells. `nothing` is the number that says none, `missing` the one that is
    meant where a cell stands in its place."""

    def read(args: Args, board: Board) -> Stated:
        if missing and _CELL.fullmatch(args[0]):
            args = (missing, *args)
        return [((_cells(args[1:], board),), "" if args[0] == nothing else args[0])]

    def write(clue: Clue, board: Board) -> Sequence[Args]:
        return [(clue.value or nothing, *_names(clue.cells, board))]

    return Key(name, kind, read, write)


def _marks(name: str, kind: str, value: str) -> Key:
    """Between every two of the cells that share an edge."""

    def read(args: Args, board: Board) -> Stated:
        pairs = list(_pairs(_cells(args, board), board))
        if not pairs:
            raise ClueError("no two of its cells share an edge")
        return [(pair, value) for pair in pairs]

    def write(clue: Clue, board: Board) -> Sequence[Args]:
        can = clue.value == value and list(_pairs(clue.cells, board)) == [clue.groups]
        return _write_plain(clue, board) if can else []

    return Key(name, kind, read, write)


def _ends(name: str, kind: str) -> Key:
    """Numbers at both ends of a line."""

    def read(args: Args, board: Board) -> Stated:
        cells = _line(args[0], board)
        both = zip((cells, cells[::-1]), args[1:], strict=False)
        return [((line,), number) for line, number in both if number]

    def write(clue: Clue, board: Board) -> Sequence[Args]:
        lines = _lines(board)
        back = clue.cells[::-1]
        if back in lines:
            return [(lines[back], "", clue.value)]
        return [(lines[clue.cells], clue.value)] if clue.cells in lines else []

    return Key(name, kind, read, write)


def _read_sandwich(args: Args, board: Board) -> Stated:
    return [((_line(args[1], board),), args[0])]


def _write_sandwich(clue: Clue, board: Board) -> Sequence[Args]:
    lines = _lines(board)
    return [(clue.value, lines[c]) for c in (clue.cells, clue.cells[::-1]) if c in lines][:1]


def _read_little_killer(args: Args, board: Board) -> Stated:
    cells = _diagonals(board).get(_name(_cell(args[1], board), board))
    if cells is None:
        raise ClueError(f"{args[1][:20]!a} begins no diagonal")
    return [((cells,), args[0])]


def _write_little_killer(clue: Clue, board: Board) -> Sequence[Args]:
    ways = (clue.cells, clue.cells[::-1])
    return [(clue.value, name) for name, cells in _diagonals(board).items() if cells in ways]


def _different(size: Callable[[int, Board], bool], kind: str) -> Key:
    """Cells of different digits: as many as digits are a region."""

    def read(args: Args, board: Board) -> Stated:
        return _read_plain(args, board) if size(len(args), board) else []

    return Key("AllDifferent", kind, read, _write_plain)


def _read_arrow(args: Args, board: Board) -> Stated:
    cells = _cells(args, board)
    return [((cells[:1], cells[1:]), "")]


def _read_pill(args: Args, board: Board) -> Stated:
    cells, width = _cells(args[1:], board), int(args[0])
    return [((tuple(sorted(cells[:width])), cells[width:]), "")]


def _write_arrow(clue: Clue, board: Board) -> Sequence[Args]:
    """Each shaft by itself."""
    circle, *shafts = clue.groups
    return [_names((*circle, *shaft), board) for shaft in shafts] if len(circle) == 1 else []


def _write_pill(clue: Clue, board: Board) -> Sequence[Args]:
    circle, *shafts = clue.groups
    width = str(len(circle))
    return [(width, *_names((*circle, *shaft), board)) for shaft in shafts]


def _square(cell: int, board: Board) -> Cells:
    return cell, cell + 1, cell + board.size, cell + board.size + 1


def _read_quad(args: Args, board: Board) -> Stated:
    return [((_square(_cell(args[0], board), board),), ",".join(args[1:]))]


def _write_quad(clue: Clue, board: Board) -> Sequence[Args]:
    cells = tuple(sorted(clue.cells))
    is_square = cells == _square(cells[0], board)
    return [(_name(cells[0], board), *clue.value.split(","))] if is_square else []


def _read_contained(args: Args, board: Board) -> Stated:
    return [((_cells(args[1:], board),), args[0].replace("_", ","))]


def _write_contained(clue: Clue, board: Board) -> Sequence[Args]:
    return [(clue.value.replace(",", "_"), *_names(clue.cells, board))]


def _read_equal_sum(args: Args, board: Board) -> Stated:
    """Groups between hyphens."""
    groups = " ".join(args).split("-")
    return [(tuple(_cells(group.split(), board) for group in groups), "")]


def _write_equal_sum(clue: Clue, board: Board) -> Sequence[Args]:
    first, *others = (_names(group, board) for group in clue.groups)
    return [(*first, *(arg for group in others for arg in ("-", *group)))]


def _read_same(args: Args, board: Board) -> Stated:
    """As many sets as the first argument says, of one cell: larger ones hold the same digits in any
    order, which no kind says."""
    cells = _cells(args[1:], board)
    if int(args[0]) != len(cells):
        raise ClueError(
            f"{args[0]} sets of {len(cells)} cells: only sets of one cell are supported"
        )
    return [(tuple((cell,) for cell in cells), "")]


def _write_same(clue: Clue, board: Board) -> Sequence[Args]:
    """The cells of each place in the groups; those that a group shares with another are one."""
    places = [tuple(dict.fromkeys(cells)) for cells in zip(*clue.groups, strict=True)]
    return [(str(len(cells)), *_names(cells, board)) for cells in places if len(cells) > 1]


def _read_look_and_say(args: Args, board: Board) -> Stated:
    """Pairs of how often and which digit."""
    pairs = re.findall("..", args[0])
    if "".join(pairs) != args[0] or len({pair[1] for pair in pairs}) < len(pairs):
        raise ClueError(f"{args[0][:20]!a}: expected pairs of how often and another digit each")
    cells = _cells(args[1:], board)
    return [((cells,), f"{digit}x{times}") for times, digit in pairs]


def _write_look_and_say(clue: Clue, board: Board) -> Sequence[Args]:
    digit, times = clue.value.split("x")
    is_short = len(digit + times) == 2
    return [(times + digit, *_names(clue.cells, board))] if is_short else []


def _read_exact(args: Args, board: Board) -> Stated:
    """Digits, each as often as it stands there."""
    cells, digits = _cells(args[1:], board), [str(int(word)) for word in args[0].split("_")]
    return [((cells,), f"{digit}x{digits.count(digit)}") for digit in dict.fromkeys(digits)]


def _write_exact(clue: Clue, board: Board) -> Sequence[Args]:
    digit, times = clue.value.split("x")
    listed = "_".join([digit] * int(times))
    return [(listed, *_names(clue.cells, board))] if listed else []


def _index(letter: str, kind: str) -> Key:
    def read(args: Args, board: Board) -> Stated:
        return _read_plain(args[1:], board) if args[0] == letter else []

    return Key("Indexing", kind, read, lambda c, board: [(letter, *_names(c.cells, board))])


_KEYS = (
    _plain("Thermo", "thermo"),
    _valued("Whisper", "whisper", missing="5"),
    _plain("Renban", "renban"),
    _plain("Palindrome", "palindrome"),
    _valued("Modular", "modular"),
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
    _valued("Sum", "sum"),
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
)
_FLAGS = {
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
_BY_BOXES = ("DisjointSets", "Windoku")
_DIAGONALS = {"1": "region:rising", "-1": "region:falling"}
_NAMES = tuple(dict.fromkeys((*(key.name for key in _KEYS), *_FLAGS)))
_OTHERS = ("", "Given", "Shape", "Jigsaw", "NoBoxes", "Diagonal")


# Reading ------------------------------------------------------------------------------------------


def _items(text: str) -> list[Item]:
    """The constraints of a text, all of known names."""
    items, end = [], len(text) - len(text.lstrip())
    while end < len(text):
        match = _ITEM.match(text, end)
        if match is None:
            found = shown(text[end : end + 20])
            raise IssError(f"found '{found}', expected a dot and a constraint", column=end + 1)
        name, args = match[1], tuple("".join(arg.split()) for arg in match[2].split("~")[1:])
        if name not in (*_NAMES, *_OTHERS):
            supported = ", ".join((*_NAMES, *_OTHERS[1:]))
            problem = f".{name[:30]} is not supported; supported: {supported}"
            raise IssError(problem, column=end + 1)
        items.append(Item(name, args, end + 1))
        end = match.end()
    return items


def _board(items: list[Item]) -> Board:
    """The board of the shape; if it has no boxes, whole regions take their place."""
    size = next((_size(item) for item in items if item.name == "Shape"), 9)
    usual = default_board(size)
    if usual.box_rows > 1 and not any(item.name == "NoBoxes" for item in items):
        return usual
    maps = [item.args[-1] for item in items if item.name == "Jigsaw" and item.args]
    if len(maps) == 1 and len(maps[0]) == size * size:
        with suppress(BoardError):  # pieces of several sizes
            return Board.of_map(maps[0])
    return Board(size, 1, size)


def _size(item: Item) -> int:
    shape = "~".join(item.args)
    match = re.fullmatch(r"(\d{1,2})x(\d{1,2})(?:~(?:1-)?(\d{1,2}))?", shape)
    if match is None or len({*map(int, filter(None, match.groups()))}) > 1:
        problem = f".Shape~{shape[:20]} is not supported; supported are squares such as 9x9"
        raise IssError(problem, column=item.column)
    if not 1 <= int(match[1]) < len(_PLACES):
        raise IssError(f".Shape~{shape[:20]}: expected sizes to 16", column=item.column)
    return int(match[1])


def _constraints(items: list[Item], board: Board) -> Constraints:
    words: list[str] = []
    for item in items:
        try:
            words += _words(item, board)
        except IndexError:
            raise IssError(f".{item.name}: arguments are missing", column=item.column) from None
        except (ClueError, ValueError) as error:
            raise IssError(f".{item.name}: {error}", column=item.column) from None
    if {*_DIAGONALS.values()} <= {*words}:
        words = ["diagonal", *(word for word in words if word not in _DIAGONALS.values())]
    try:
        return constraints_for(";".join(words), board)
    except (RuleError, ClueError) as error:
        raise IssError(f"its board cannot have its rules ({error})") from None


def _words(item: Item, board: Board) -> Iterator[str]:
    """The rules and the clues, as text, that a constraint states."""
    if item.name in _FLAGS:
        if item.name in _BY_BOXES and board != default_board(board.size):
            raise ClueError("it goes by the usual boxes, which are not those of this board")
        yield from _FLAGS[item.name]
    elif item.name == "Diagonal":
        if item.args[0] not in _DIAGONALS:
            raise ClueError(f"{item.args[0][:20]!a}: expected 1 or -1")
        yield _DIAGONALS[item.args[0]]
    elif item.name == "Jigsaw":
        yield from _pieces(item.args[-1], board)
    elif item.name in ("", "Given"):
        yield from _choices(item.args, board)
    for key in _KEYS:
        if key.name == item.name:
            for groups, value in key.read(item.args, board):
                clue = Clue(key.kind, groups, value)
                yield KINDS[key.kind].canonical(clue, board).text(board)


def _pieces(layout: str, board: Board) -> Iterator[str]:
    """The whole pieces of a region map, unless they are the board's own; one piece may be what the
    others leave."""
    if len(layout) != board.cells:
        raise ClueError(f"{len(layout)} cells: expected {board.cells}")
    pieces = [tuple(i for i, x in enumerate(layout) if x == label) for label in sorted({*layout})]
    if board.regions is not None or len(pieces) == 1:
        return
    whole = [piece for piece in pieces if len(piece) == board.size]
    if len(pieces) - len(whole) > 1:
        raise ClueError("more than one piece has another size")
    yield from (Clue("region", (piece,)).text(board) for piece in whole)


def _values(args: Args, board: Board) -> Iterator[tuple[int, list[int]]]:
    """Each cell that is given, and the digits that it may hold."""
    for arg in args:
        name, *digits = arg.split("_")
        known = list(map(str, range(1, board.size + 1)))
        if not digits or not {*digits} <= {*known}:
            raise ClueError(f"{arg[:20]!a}: expected a cell and digits, such as R1C1_3")
        yield _cell(name, board), sorted({*map(int, digits)})


def _choices(args: Args, board: Board) -> Iterator[str]:
    for cell, digits in _values(args, board):
        if len(digits) > 1:
            yield f"digits={','.join(map(str, digits))}:{board.name_of(cell)}"


def _givens(items: list[Item], board: Board) -> Grid:
    cells = [0] * board.cells
    for item in items:
        for cell, digits in _values(item.args, board) if item.name in ("", "Given") else ():
            if len(digits) == 1:
                if cells[cell] not in (0, digits[0]):
                    problem = f"{_name(cell, board)} is given as {cells[cell]} and as {digits[0]}"
                    raise IssError(problem, column=item.column)
                cells[cell] = digits[0]
    return Grid(bytes(cells), board)


# Writing ------------------------------------------------------------------------------------------


def _stated(grid: Grid, constraints: Constraints) -> Iterator[tuple[str, Args]]:
    """The names and arguments of what states the puzzle, in the order in which it is written."""
    board = constraints.board
    if board.size >= len(_PLACES):
        raise RuleError(f"Interactive Sudoku Solver has no board of size {board.size}, at most 16")
    if board.size != 9:
        yield "Shape", (f"{board.size}x{board.size}",)
    yield from _boxes(board)
    yield from _written(constraints)
    given = tuple(f"{_name(i, board)}_{digit}" for i, digit in enumerate(grid) if digit)
    if given:
        yield "", given


def _boxes(board: Board) -> Iterator[tuple[str, Args]]:
    usual = default_board(board.size)
    if {*board.boxes} == {*usual.boxes}:
        return
    yield "NoBoxes", ()
    if {*board.boxes} != {*board.rows}:
        yield "Jigsaw", ("".join(_PLACES[board.box_of(cell)] for cell in range(board.cells)),)


def _written(constraints: Constraints) -> Iterator[tuple[str, Args]]:
    board = constraints.board
    left = [rule for rule in constraints.rules if rule != "diagonal"]
    singles = {clue_of(house, board).text(board): way for way, house in _DIAGONALS.items()}
    if "diagonal" in constraints.names:
        left += singles
    for name, words in _FLAGS.items():
        if {*words} <= {*left}:
            yield name, ()
            left = [rule for rule in left if rule not in words]
    for rule in dict.fromkeys(left):
        if rule in singles:
            yield "Diagonal", (singles[rule],)
        elif rule in constraints.names:
            raise RuleError(f"Interactive Sudoku Solver has no rule '{rule}'")
    texts = {*left} - {*singles}
    for clue in constraints.clues:
        if clue.text(board) in texts:
            yield from _clue(clue, board)


def _digits(clue: Clue, board: Board) -> str:
    """The digits that each cell of a clue may hold, if that is all that it says."""
    kind = KINDS[clue.kind]
    relations = list(kind.relations(board, clue)) if kind.relations else []
    more = kind.shapes is not None and any(True for _ in kind.shapes(board, clue))
    if more or not relations or any(r.first != r.second for r in relations):
        return ""
    every = range(1, board.size + 1)
    return "_".join(str(digit) for digit in every if relations[0].allowed(digit, digit))


def _clue(clue: Clue, board: Board) -> Iterator[tuple[str, Args]]:
    """The first way to state a clue; raises `ClueError` if there is none."""
    if digits := _digits(clue, board):
        yield "", tuple(f"{name}_{digits}" for name in _names(clue.cells, board))
        return
    for key in _KEYS:
        if key.kind == clue.kind and (written := key.write(clue, board)):
            yield from ((key.name, args) for args in written)
            return
    kinds = ", ".join(dict.fromkeys(key.kind for key in _KEYS))
    text = clue.text(board)[:80]
    raise ClueError(f"Interactive Sudoku Solver cannot state the clue {text}; it has {kinds}")
