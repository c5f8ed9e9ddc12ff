"""Puzzles as Interactive Sudoku Solver writes them: `.Cage~15~R1C1~R1C2.~R5C5_3`.

Invariant: a text is read as exactly the puzzle that it states, or refused with the name of what is
not supported; reading ignores nothing, and writing omits nothing.

A text is constraints, each a dot, a name and arguments behind `~`; blanks mean nothing. Cells are
R1C1 to RgCg, in base 17 (see github.com/sigh/Interactive-Sudoku-Solver, js/sudoku_parser.js).
Beside the constraints of `clues.KEYS` and `clues.FLAGS`, these are read and written:

    .~R1C1_3~R2C2_1_2        givens; a cell with several digits holds one of these
    .Shape~6x6               the size, 9 unless stated, with the usual boxes; none if none fit
    .Jigsaw~MAP.NoBoxes      regions in place of the boxes; without NoBoxes, beside them
    .XSum~R1~15~20           outside clues at both ends of row 1 (or column C1); either may be empty
    .Diagonal~1              the rising diagonal; ~-1 is the falling one
    .Or.X~R1C1~R1C2.And.~R2C1_3.~R2C2_4.End.End    one of several constraints; all of them
    .Replicate~H.X~R1C1~R1C2.End    the same from other cells on (read only, see `items`)

A table (`Pair`, `PairX`, and their old names) is read as a `regex` clue for each pair of cells.
Digits other than 1 to the size, and extra cells are refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from urllib.parse import unquote

from ...model.board import FROM_ZERO, MIN_SIZE, NOT_SQUARE, OTHER_DIGITS, Board, BoardError
from ...model.clue import Clue, ClueError, OutOfReachError
from ...model.constraints import Constraints, RulesLike, constraints_for
from ...model.grid import Grid
from ...model.kinds import HOUSE, KINDS, ONE_OF, clue_of
from ...model.puzzle import Puzzle, on_board
from ...model.rules import RuleError
from ..foreign import ForeignError, checked, parser, reconciled
from . import clues
from .items import Item, marked, read_items, replicated

_LINK = re.compile(r"\s*https?://[^?#]*\?(?:[^#]*&)?q=([^&#]*)", re.IGNORECASE)


@parser
def parse_iss(text: str, rules: RulesLike | None = None, board: Board | None = None) -> Puzzle:
    """Read a text of Interactive Sudoku Solver, or a link that holds one."""
    link = _LINK.match(text)
    with _on_line("" if link else text):
        items = read_items(unquote(link[1]) if link else text)
        here = checked(board_of(items), board)
        items = marked(replicated(items, here))
        own = constraints_of(items, here)
        constraints = reconciled(own, rules)
        return Puzzle(givens_of(items, constraints.board), constraints)


@contextmanager
def _on_line(text: str) -> Iterator[None]:
    """Errors of a text of several lines name the line, and the column within it."""
    try:
        yield
    except ForeignError as error:
        before = re.split(r"\r\n|\r|\n", text[: max(error.column - 1, 0)])
        column = min(error.column, len(before[-1]) + 1)
        raise ForeignError(error.found, line=len(before), column=column) from None


def format_iss(puzzle: str | Grid | Sequence[int], rules: RulesLike = "classic") -> str:
    """The text that Interactive Sudoku Solver reads.

    Raises `RuleError` or `ClueError` for what it cannot express, among others boards of more than
    16x16.
    """
    grid, constraints = on_board(puzzle, rules)
    return "".join(_text(name, args) for name, args in unmarked(stated(grid, constraints)))


def _text(name: str, args: clues.Args) -> str:
    return "".join((f".{name}", *(f"~{arg}" for arg in args)))


# Rows and columns; the digits, or only how many; and what the grid is.
_SHAPE = re.compile(r"(\d{1,2})x(\d{1,2})(?:~(?:(\d{1,2})-)?(\d{1,2}))?(?:~~?([A-Z][a-z]+))?")


def board_of(items: list[Item]) -> Board:
    """The board of the shape; if it has no boxes, whole regions take their place."""
    shapes = [item for item in items if item.name == "Shape"]
    if len(shapes) > 1:
        problem = "found a second .Shape, expected one puzzle"
        raise ForeignError(problem, column=shapes[1].column)
    size = _size(shapes[0]) if shapes else 9
    usual = Board.of_size(size)
    if usual.has_boxes and not any(item.name == "NoBoxes" for item in items):
        return usual
    maps = [item.args[-1] for item in items if item.name == "Jigsaw" and item.args]
    if len(maps) == 1 and len(maps[0]) == size * size:
        with suppress(BoardError):  # pieces of several sizes
            return Board.of_map(maps[0])
    return Board.latin(size)


def _size(item: Item) -> int:
    shape = "~".join(item.args)
    match = _SHAPE.fullmatch(shape)
    problem = _problem(match) if match else "expected a size, such as 9x9"
    if match is None or problem:
        raise ForeignError(f".Shape~{shape[:20]}: {problem}", column=item.column)
    return int(match[1])


def _problem(shape: re.Match[str]) -> str:
    """Why there is no board of that shape; empty if there is one."""
    rows, columns, first, last = (int(number or 1) for number in shape.groups()[:4])
    if rows != columns:
        return NOT_SQUARE
    if not MIN_SIZE <= rows < len(clues.PLACES):
        return "expected sizes 2 to 16"
    if first == 0:
        return FROM_ZERO
    if shape[4] and (first, last) != (1, rows):
        return OTHER_DIGITS
    if shape[5] not in (None, "Sudoku"):
        return "rows and columns hold every digit once, unlike those of a raw grid"
    return ""


def constraints_of(items: list[Item], board: Board) -> Constraints:
    words: list[str] = []
    for item in items:
        try:
            words += _words(item, board)
        except IndexError:
            raise ForeignError(f".{item.name}: arguments are missing", column=item.column) from None
        except (ClueError, ValueError) as error:
            raise ForeignError(f".{item.name}: {error}", column=item.column) from None
    for rule, houses in clues.BY_HOUSES.items():
        if {*houses} <= {*words}:
            words = [rule, *(word for word in words if word not in houses)]
    try:
        return constraints_for(";".join(words), board)
    except (RuleError, ClueError) as error:
        raise ForeignError(f"its board cannot have its rules ({error})") from None


def _words(item: Item, board: Board) -> Iterator[str]:
    """The rules and the clues, as text, that a constraint states."""
    clues.check_board(item.name, board)
    if item.name in clues.FLAGS:
        yield from clues.FLAGS[item.name]
    elif item.name == "Diagonal":
        if item.args[0] not in clues.DIAGONALS:
            raise ClueError(f"{item.args[0][:20]!a}: expected 1 or -1")
        yield clues.DIAGONALS[item.args[0]]
    elif item.name == "Jigsaw":
        yield from _pieces(item.args[-1], board)
    elif item.name in ("", "Given"):
        yield from _choices(item.args, board)
    elif item.name in clues.JOINED:
        yield from _joined(item, board)
    for key in clues.KEYS:
        if key.name == item.name:
            for groups, value in key.read(item.args, board):
                clue = Clue(key.kind, groups, value)
                yield KINDS[key.kind].canonical(clue, board).text(board)


def _joined(item: Item, board: Board) -> Iterator[str]:
    """Each constraint is one clue; one that states several is an `and`. An And of nothing holds,
    and so does an Or of which a part says nothing."""
    parts = []
    for part in item.inside:
        is_given = part.name in ("", "Given")
        try:
            texts = [*(_choices(part.args, board, 0) if is_given else _words(part, board))]
        except OutOfReachError:
            if item.name != "Or":
                raise
            continue  # an alternative that never holds
        if not texts and item.name == "Or" and part.name in clues.JOINED:
            return
        parts += [f"(and:{','.join(f'({text})' for text in texts)})"] if texts else []
    if not parts and item.name == "Or":
        raise OutOfReachError("none of its alternatives is in reach")
    if parts:
        yield clue_of(f"{clues.JOINED[item.name]}:{','.join(parts)}", board).text(board)


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
    yield from (Clue(HOUSE, (piece,)).text(board) for piece in whole)


def _values(args: clues.Args, board: Board) -> Iterator[tuple[int, list[int]]]:
    """Each cell that is given, and the digits that it may hold."""
    for arg in args:
        name, *digits = arg.split("_")
        known = list(map(str, range(1, board.size + 1)))
        if not digits or not {*digits} <= {*known}:
            raise ClueError(f"{arg[:20]!a}: expected a cell and digits, such as R1C1_3")
        yield clues.cell_named(name, board), sorted({*map(int, digits)})


def _choices(args: clues.Args, board: Board, least: int = 2) -> Iterator[str]:
    """The cells with so many digits or more, each as a clue."""
    for cell, digits in _values(args, board):
        if len(digits) >= least:
            yield f"{ONE_OF}={','.join(map(str, digits))}:{board.name_of(cell)}"


def givens_of(items: list[Item], board: Board) -> Grid:
    cells = [0] * board.cells
    for item in items:
        for cell, digits in _values(item.args, board) if item.name in ("", "Given") else ():
            if len(digits) > 1:
                continue
            if cells[cell] not in (0, *digits):
                found = f"{clues.cell_name(cell, board)} is given as {cells[cell]}"
                raise ForeignError(f"{found} and as {digits[0]}", column=item.column)
            cells[cell] = digits[0]
    return Grid(bytes(cells), board)


def unmarked(written: Iterable[tuple[str, clues.Args]]) -> Iterator[tuple[str, clues.Args]]:
    """What is written, with a constraint of its own in place of a mark that all of a name have."""
    marks: dict[str, str] = {}  # of each name, with its clues
    ways = {name: marking for marking, (name, _) in clues.MARKING.items()}
    for name, args in written:
        if name in ways and marks.setdefault(name, mark := "".join(args[3:])) != mark:
            raise ClueError(f"Interactive Sudoku Solver has one .{ways[name]} for all .{name}")
        yield name, args[:3] if name in ways else args
    yield from ((ways[name], (mark,)) for name, mark in marks.items() if mark)


def stated(grid: Grid, constraints: Constraints) -> Iterator[tuple[str, clues.Args]]:
    """The names and arguments of what states the puzzle, in the order in which it is written."""
    board = constraints.board
    if board.size >= len(clues.PLACES):
        raise RuleError(f"Interactive Sudoku Solver has no board of size {board.size}, at most 16")
    if board.size != 9:
        yield "Shape", (f"{board.size}x{board.size}",)
    yield from _boxes(board)
    yield from _written(constraints)
    given = tuple(f"{clues.cell_name(i, board)}_{digit}" for i, digit in enumerate(grid) if digit)
    if given:
        yield "", given


def _boxes(board: Board) -> Iterator[tuple[str, clues.Args]]:
    usual = Board.of_size(board.size)
    if {*board.boxes} == {*usual.boxes}:
        return
    yield "NoBoxes", ()
    if board.has_boxes:
        yield "Jigsaw", ("".join(clues.PLACES[board.box_of(cell)] for cell in range(board.cells)),)


def _written(constraints: Constraints) -> Iterator[tuple[str, clues.Args]]:
    board = constraints.board
    left = [rule for rule in constraints.rules if rule not in clues.BY_HOUSES]
    singles = {clue_of(house, board).text(board): way for way, house in clues.DIAGONALS.items()}
    if not clues.BY_HOUSES.keys().isdisjoint(constraints.names):
        left += singles
    for name, words in clues.FLAGS.items():
        if {*words} <= {*left}:
            _check(name, ", ".join(words), board)
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


def _clue(clue: Clue, board: Board) -> Iterator[tuple[str, clues.Args]]:
    """The first way to state a clue; raises `ClueError` if there is none."""
    text = clue.text(board)[:80]
    if clue.parts:
        yield from _several(clue, board)
        return
    if digits := _digits(clue, board):
        yield "", tuple(f"{name}_{digits}" for name in clues.cell_names(clue.cells, board))
        return
    for key in clues.KEYS:
        if key.kind == clue.kind and (written := key.write(clue, board)):
            _check(key.name, text, board)
            yield from ((key.name, args) for args in written)
            return
    kinds = ", ".join(dict.fromkeys(key.kind for key in clues.KEYS))
    raise ClueError(f"Interactive Sudoku Solver cannot state the clue {text}; it has {kinds}")


def _check(name: str, text: str, board: Board) -> None:
    try:
        clues.check_board(name, board)
    except ClueError as error:
        raise ClueError(f"{text}: {error}") from None


def _several(clue: Clue, board: Board) -> Iterator[tuple[str, clues.Args]]:
    """The parts between the name and `End`; one that takes several constraints is an And."""
    yield next(name for name, kind in clues.JOINED.items() if kind == clue.kind), ()
    for part in clue.parts:
        written = [*_clue(part, board)]
        wraps = len(written) > 1 and not part.parts
        yield from (("And", ()), *written, ("End", ())) if wraps else written
    yield "End", ()
