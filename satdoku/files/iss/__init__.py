"""Puzzles as Interactive Sudoku Solver writes them: `.Cage~15~R1C1~R1C2.~R5C5_3`.

Invariant: a text is read as exactly the puzzle that it states, or refused with the name of what is
not supported; reading ignores nothing, and writing omits nothing.

A text is constraints, each a dot, a name and arguments behind `~`; blanks mean nothing. Cells are
R1C1 to RgCg, in base 17 (see github.com/sigh/Interactive-Sudoku-Solver, js/sudoku_parser.js).
Beside the constraints of `clues.KEYS` and `clues.FLAGS`, these are read and written:

    .~R1C1_3~R2C2_1_2        givens; a cell with several digits holds one of these
    .Shape~6x8~0-8           rows and columns, 9x9 unless stated, with the usual boxes, none if none
                             fit; the digits, 1 to the longer side unless stated, or only how many
    .Shape~6x6~~Raw          lines that hold a digit more than once, and no boxes
    .RegionSize~6            how many cells a box or a region has, if not the longer side
    .Jigsaw~MAP.NoBoxes      regions in place of the boxes; without NoBoxes, beside them
    .Var~A~NAME~3            variables VA1 to VA3, which are cells of a layer that stand free
    .Var~A~NAME~9x9          a layer with one in each cell, on a board of that shape
    .~VA1_1_2~VA2_1_2        variables that hold some digits, of a layer with fewer (see `values`)
    .XSum~R1~15~20           outside clues at both ends of row 1 (or column C1); either may be empty
    .Diagonal~1              the rising diagonal; ~-1 is the falling one
    .Or.X~R1C1~R1C2.And.~R2C1_3.~R2C2_4.End.End    one of several constraints; all of them
    .Replicate~H.X~R1C1~R1C2.End    the same from other cells on (read only, see `items`)

A table (`Pair`, `PairX`, and their old names) is read as a `regex` clue for each pair of cells.
What has no clue of its own is read as others that state it in full (see `instead`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from urllib.parse import unquote

from ...model.board import (
    MAX_SIZE,
    NO_REGION,
    Board,
    BoardError,
    Cells,
    Layer,
    regions_of,
    usual_box_of,
    written,
)
from ...model.clue import DEEPEST, Clue, ClueError, OutOfReachError, depth_of, read_clue
from ...model.constraints import Constraints, RulesLike, constraints_for, with_clues
from ...model.grid import Grid
from ...model.kinds import KINDS, ONE_OF, canonical, foreign, of_parts
from ...model.puzzle import Puzzle, on_board
from ...model.rules import NO_LINES, RuleError
from ...runtime.errors import counted
from ..foreign import ForeignError, checked, parser, reconciled
from . import clues, names
from .instead import instead, missing
from .items import Item, marked, read_items, replicated, spread
from .loops import is_loop, loop_clue, with_loops
from .values import narrowed, widened

_LINK = re.compile(r"\s*https?://[^?#]*\?(?:[^#]*&)?q=([^&#]*)", re.IGNORECASE)


@parser
def parse_iss(text: str, rules: RulesLike | None = None, board: Board | None = None) -> Puzzle:
    """Read a text of Interactive Sudoku Solver, or a link that holds one."""
    link = _LINK.match(text)
    with _on_line("" if link else text):
        items = read_items(unquote(link[1]) if link else text)
        here = checked(board_of(items), board)
        items, here = with_loops(spread(marked(replicated(items, here))), here)
        own = narrowed(constraints_of(items, here))
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
    wide = widened(_with_labels_named(constraints))
    return "".join(_text(name, args) for name, args in unmarked(stated(grid, wide)))


def _with_labels_named(constraints: Constraints) -> Constraints:
    """The same with the name that the labels of regions to find have there."""
    board = constraints.board
    cells = next((clue.cells for clue in constraints.clues if clue.kind in _LABELLING), ())
    label, known = board.layer_of(cells), [layer.name for layer in board.layers]
    if not label or names.REGIONS in known:
        return constraints
    layers = (x._replace(name=names.REGIONS) if x.name == label else x for x in board.layers)
    own = replace(board, layers=tuple(layers))
    texts = {clue.text(board): clue.text(own) for clue in constraints.clues}
    return constraints_for(";".join(texts.get(rule, rule) for rule in constraints.rules), own)


def _text(name: str, args: names.Args) -> str:
    return "".join((f".{name}", *(f"~{arg}" for arg in args)))


_LABELLING = {kind.name for kind, there in foreign("iss") if there.way == "labels"}
# Rows and columns; the digits, or only how many; and what the grid is.
_SHAPE = re.compile(r"(\d{1,2})x(\d{1,2})(?:~(?:(\d{1,2})-)?(\d{1,2}))?(?:~~?(Raw|Sudoku))?")
_VARIABLES = re.compile(r"(?:([1-9]\d*)x)?([1-9]\d*)")
_USUAL = Item("Shape", ("9x9",), 0)
_MOST_DIGITS = 16


def board_of(items: list[Item]) -> Board:
    """The board of the shape, with the variables as layers; if it has no boxes, whole regions take
    their place."""
    shape = _only("Shape", items) or _USUAL
    try:
        board = _with_regions(_shaped(shape, items), items)
    except BoardError as error:
        raise ForeignError(f".Shape~{'~'.join(shape.args)}: {error}", column=shape.column) from None
    for item in items:
        try:
            if make := _LAYERS.get(item.name):
                board = replace(board, layers=(*board.layers, *make(item, board, items)))
        except (BoardError, ClueError) as error:
            raise ForeignError(f".{item.name}: {error}", column=item.column) from None
    return names.known_board(board)


def _only(name: str, items: list[Item]) -> Item | None:
    """The constraint of a name that a puzzle has once at most."""
    found = [item for item in items if item.name == name]
    if len(found) > 1:
        raise ForeignError(f"found a second .{name}, expected one puzzle", column=found[1].column)
    return found[0] if found else None


def _shaped(shape: Item, items: list[Item]) -> Board:
    is_boxless = any(item.name == "NoBoxes" for item in items)
    size = 0 if is_boxless else _region_size(items, 0, 0)
    return _board_of_shape("~".join(shape.args), is_boxless, size)


@lru_cache(maxsize=64)
def _board_of_shape(text: str, is_boxless: bool, region_size: int) -> Board:
    """region_size: how many cells a box has, 0 for as many as the longer side has."""
    match = _SHAPE.fullmatch(text)
    if match is None:
        raise BoardError("expected rows x columns, such as 9x9")
    height, width = int(match[1]), int(match[2])
    if not 1 <= min(height, width) <= max(height, width) < len(names.PLACES):
        raise BoardError("expected 1 to 16 rows and columns")
    first, last = int(match[3] or 1), int(match[4] or max(height, width))
    if first > 1 or not first <= last < first + _MOST_DIGITS:
        raise BoardError("expected digits from 0 or 1 on, at most 16")
    digits = tuple(range(first, last + 1))
    if match[5] == "Raw":
        lines = tuple(NO_LINES.values())
        return Board(width, 1, width, height=height, digits=digits, without=lines)
    size = region_size or max(height, width)
    box = None if is_boxless else usual_box_of(size, height, width)
    return Board(width, *(box or (1, width)), height=height, digits=digits)


def _region_size(items: list[Item], height: int, width: int) -> int:
    """How many cells a box has, and a region."""
    stated = _only("RegionSize", items)
    if stated and not re.fullmatch(r"[1-9]\d{0,2}", "~".join(stated.args)):
        raise ForeignError(".RegionSize: expected a number of cells", column=stated.column)
    return int(stated.args[0]) if stated else max(height, width)


def _with_regions(board: Board, items: list[Item]) -> Board:
    """A board without boxes, with the regions of the only map if these are whole."""
    maps = [item.args[-1] for item in items if item.name == "Jigsaw" and item.args]
    if board.has_boxes or len(maps) != 1 or len(maps[0]) != board.grid_cells:
        return board
    size = _region_size(items, board.height, board.width)
    sizes = Counter(maps[0])
    whole = {label for label, count in sizes.items() if count == size}
    if not whole or len(sizes) == 1 or len(sizes) > len(whole) + 1:
        return board
    labels = (label if label in whole else NO_REGION for label in maps[0])
    return replace(board, regions=regions_of("".join(labels)))


def _layer(item: Item, board: Board, items: list[Item]) -> Layer:
    """The layer of some variables."""
    name, size = (*item.args, "")[0], (*item.args, "", "", "")[2]
    match = _VARIABLES.fullmatch(size)
    if not re.fullmatch(r"[A-Z]+", name) or name.lower() in names.LACKING:
        raise ClueError(f"{name[:20]!a}: expected capital letters")
    if size == board.shape:
        return Layer(name.lower(), board.digits)
    if match and match[1] and int(match[2]) != board.width and _needs_columns(name, items):
        raise ClueError(f"{name[:20]!a}: no rows but those of the grid can be kept")
    count = int(match[1] or 1) * int(match[2]) if match else 1
    if count > MAX_SIZE**2:
        raise ClueError(f"{name[:20]!a}: {count} variables, expected at most {MAX_SIZE**2}")
    return Layer(name.lower(), board.digits, count)


def _labels(board: Board, items: list[Item]) -> Layer:
    """The layer of the labels of regions to find."""
    size = _region_size(items, board.height, board.width)
    if board.grid_cells % size:
        raise ClueError(f"regions of {counted(size, 'cell')} do not fill the grid")
    return Layer(names.REGIONS, tuple(range(1, board.grid_cells // size + 1)))


# Constraints that bring variables, as layers.
_LAYERS: dict[str, Callable[[Item, Board, list[Item]], Iterable[Layer]]] = {
    "Var": lambda item, board, items: [_layer(item, board, items)],
    "Doppelganger": lambda item, board, items: missing(board),
    clues.CHAOS: lambda item, board, items: [_labels(board, items)],
}


Word = str | Clue  # a rule, or a clue: as text, or canonical


def constraints_of(items: list[Item], board: Board) -> Constraints:
    words: list[Word] = []
    for item in items:
        try:
            words += _words(item, board)
        except IndexError:
            raise ForeignError(f".{item.name}: arguments are missing", column=item.column) from None
        except (ClueError, ValueError) as error:
            raise ForeignError(f".{item.name}: {error}", column=item.column) from None
    diagonals = [*_diagonals(board).values()]
    if diagonals and all(each in words for each in diagonals):
        words = [*clues.BY_HOUSES, *(word for word in words if word not in diagonals)]
    rules = ";".join([word for word in words if isinstance(word, str)])
    try:
        return with_clues(rules, board, (word for word in words if isinstance(word, Clue)))
    except (RuleError, ClueError) as error:
        raise ForeignError(f"its board cannot have its rules ({error})") from None


def _words(item: Item, board: Board) -> Iterator[Word]:
    """The rules and the clues that a constraint states, or what stands in its place."""
    parts = instead(item, board)
    for part in parts or (item,):
        yield from _own_words(part, board) if part is item else _words(part, board)


def _own_words(item: Item, board: Board) -> Iterator[Word]:
    clues.check_board(item.name, board)
    if item.name in clues.FLAGS:
        yield from clues.FLAGS[item.name]
    elif item.name == "Diagonal":
        if item.args[0] not in _diagonals(board):
            raise ClueError(f"{item.args[0][:20]!a}: expected 1 or -1, on a square")
        yield _diagonals(board)[item.args[0]]
    elif item.name == "Jigsaw":
        for piece in _pieces(item.args[-1], board):
            yield from _words(Item("AllDifferent", names.cell_names(piece, board), 0), board)
    elif item.name in ("", "Given"):
        yield from _choices(item.args, board)
    elif item.name in clues.JOINED:
        yield from _joined(item, board)
    elif is_loop(item):
        clue = loop_clue(item, board)
        yield KINDS[clue.kind].canonical(clue, board)
        return
    for key in clues.OF_NAME.get(item.name, ()):
        for groups, value in key.read(item.args, board):
            yield KINDS[key.kind].canonical(Clue(key.kind, groups, value), board)


@lru_cache(maxsize=16)
def _diagonals(board: Board) -> dict[str, Clue]:
    """The clues on the main diagonals by their arguments: each is a region if it has a cell for
    each digit. A board that is no square has none."""
    found = board.diagonals if board.is_square else {}
    return {
        way: word
        for way, name in clues.DIAGONALS.items()
        if name in found
        for word in _own_words(Item("AllDifferent", names.cell_names(found[name], board), 0), board)
        if isinstance(word, Clue)
    }


def _joined(item: Item, board: Board) -> Iterator[Clue]:
    """Each constraint is one clue; one that states several is an `and`. An And of nothing holds,
    and so does an Or of which a part says nothing."""
    parts = []
    for part in item.inside:
        is_given = part.name in ("", "Given")
        try:
            words = [*(_choices(part.args, board, 0) if is_given else _words(part, board))]
        except OutOfReachError:
            if item.name != "Or":
                raise
            continue  # an alternative that never holds
        if not words and item.name == "Or" and part.name in clues.JOINED:
            return
        said = [_read(x, board) if isinstance(x, str) else x for x in words]
        parts += [_all_of(said, board)] if len(said) > 1 else said
    if not parts and item.name == "Or":
        raise OutOfReachError("none of its alternatives is in reach")
    if parts:
        clue = of_parts(Clue(clues.JOINED[item.name], (), "", tuple(parts)), board)
        if depth_of(clue) > DEEPEST:
            raise ClueError(f"expected at most {DEEPEST} clues within one another")
        yield clue


def _read(text: str, board: Board) -> Clue:
    return canonical(read_clue(text, board), board)


def _all_of(said: list[Clue], board: Board) -> Clue:
    """One clue that says what these say, which are canonical."""
    return of_parts(Clue(clues.JOINED["And"], (), "", tuple(said)), board)


def _needs_columns(name: str, items: Iterable[Item], *, copied: bool = False) -> bool:
    """Whether some constraints say which of the variables lie beside each other."""
    variable = re.compile(rf"V{name}\d*(?:_.*)?")
    return any(
        _needs_columns(name, item.inside, copied=copied or item.name == "Replicate")
        or ((copied or item.name in clues.BESIDE) and any(map(variable.fullmatch, item.args)))
        for item in items
    )


def _pieces(layout: str, board: Board) -> Iterator[Cells]:
    """The whole pieces of a region map, unless they are the board's own; one piece may be what the
    others leave."""
    if len(layout) != board.grid_cells:
        raise ClueError(f"{counted(len(layout), 'cell')}: expected {board.grid_cells}")
    pieces = [tuple(i for i, x in enumerate(layout) if x == label) for label in sorted({*layout})]
    if board.regions is not None or len(pieces) == 1:
        return
    size = len(board.boxes[0]) if board.has_boxes else max(board.height, board.width)
    whole = [piece for piece in pieces if len(piece) == size]
    if len(pieces) - len(whole) > 1:
        raise ClueError("more than one piece has another size")
    yield from whole


def _values(args: names.Args, board: Board) -> Iterator[tuple[int, list[int]]]:
    """Each cell that is given, and the digits that it may hold."""
    known = [*map(str, board.digits)]
    for arg in args:
        name, *digits = arg.split("_")
        if not digits or not {*digits} <= {*known}:
            raise ClueError(f"{arg[:20]!a}: expected a cell and digits, such as R1C1_3")
        yield names.cell_named(name, board), sorted({*map(int, digits)})


def _choices(args: names.Args, board: Board, least: int = 2) -> Iterator[Clue]:
    """The cells with so many digits or more, and variables, each as a clue."""
    for cell, digits in _values(args, board):
        if len(digits) >= least or cell >= board.grid_cells:
            yield _choice(cell, ",".join(map(str, digits)), board)


@lru_cache(maxsize=1024)  # some stand in many alternatives
def _choice(cell: int, digits: str, board: Board) -> Clue:
    return canonical(Clue(ONE_OF, ((cell,),), digits), board)


def givens_of(items: list[Item], board: Board) -> Grid:
    cells = [0] * board.cells
    for item in items:
        for cell, digits in _values(item.args, board) if item.name in ("", "Given") else ():
            if len(digits) > 1 or cell >= board.grid_cells:
                continue
            place = board.digits.index(digits[0]) + 1
            if cells[cell] not in (0, place):
                found = (
                    f"{names.cell_name(cell, board)} is given as {board.digits[cells[cell] - 1]}"
                )
                raise ForeignError(f"{found} and as {digits[0]}", column=item.column)
            cells[cell] = place
    return Grid(bytes(cells), board)


def unmarked(written: Iterable[tuple[str, names.Args]]) -> Iterator[tuple[str, names.Args]]:
    """What is written, with a constraint of its own in place of a mark that all of a name have."""
    marks: dict[str, str] = {}  # of each name, with its clues
    ways = {name: marking for marking, (name, _) in clues.MARKING.items()}
    for name, args in written:
        if name in ways and marks.setdefault(name, mark := "".join(args[3:])) != mark:
            raise ClueError(f"Interactive Sudoku Solver has one .{ways[name]} for all .{name}")
        yield name, args[:3] if name in ways else args
    yield from ((ways[name], (mark,)) for name, mark in marks.items() if mark)


def stated(grid: Grid, constraints: Constraints) -> Iterator[tuple[str, names.Args]]:
    """The names and arguments of what states the puzzle, in the order in which it is written."""
    board = constraints.board
    yield from _stated_board(board)
    yield from _written(constraints)
    given = tuple(
        f"{names.cell_name(cell, board)}_{digits[place - 1]}"
        for cell, (place, digits) in enumerate(zip(grid, board.domains(_all(board)), strict=True))
        if place
    )
    if given:
        yield "", given


def _all(board: Board) -> Cells:
    return tuple(range(board.cells))


def _stated_board(board: Board) -> Iterator[tuple[str, names.Args]]:
    is_raw = {*board.without} == {*NO_LINES.values()}
    ranges = [tuple(range(low, low + len(board.digits))) for low in (0, 1)]
    fits = max(board.height, board.width) < len(names.PLACES) and board.is_rectangle
    if not fits or board.digits not in ranges or len(board.digits) > _MOST_DIGITS:
        expected = "expected one grid of at most 16x16, with digits from 0 or 1 on, at most 16"
        raise RuleError(f"Interactive Sudoku Solver lacks {board.in_words}: {expected}")
    if (board.without or is_raw) and (not is_raw or board.has_boxes):
        raise RuleError("Interactive Sudoku Solver has no rows alone, columns alone, boxes alone")
    usual = board.digits == Board.of_shape(board.height, board.width).digits
    some = "" if usual else written(board.digits) if board.digits[0] == 0 else len(board.digits)
    shape = (board.shape, *[str(some)] * (not usual or is_raw), *["Raw"] * is_raw)
    if shape != ("9x9",):
        yield "Shape", shape
    yield from () if is_raw else _boxes(board)
    yield from _variables(board)


def _boxes(board: Board) -> Iterator[tuple[str, names.Args]]:
    """Boxes that their size tells, or a map of whole regions."""
    usual = max(board.height, board.width)
    size = len(board.boxes[0]) if board.has_boxes else usual
    if size != usual:
        yield "RegionSize", (str(size),)
    box = usual_box_of(size, board.height, board.width) or (1, board.width)
    told = replace(board, box_rows=box[0], box_columns=box[1], regions=None)
    if {*board.boxes} == {*told.boxes}:
        return
    yield "NoBoxes", ()
    if board.has_boxes:
        yield "Jigsaw", (_map(board, size),)


def _map(board: Board, size: int) -> str:
    """A map of regions that are whole, and of what they leave."""
    labels = [board.box_of(cell) for cell in range(board.grid_cells)]
    if size < max(board.height, board.width) or labels.count(-1) == size:
        raise RuleError(f"Interactive Sudoku Solver has no such regions of {size} cells")
    return "".join(names.PLACES[label] for label in labels)


def _variables(board: Board) -> Iterator[tuple[str, names.Args]]:
    for name, digits, count in board.layers:
        if name == names.REGIONS:  # which a constraint of its own brings
            continue
        known = re.fullmatch(r"[a-z]+", name) and name not in names.LACKING
        if digits != board.digits or not known:
            raise RuleError(f"Interactive Sudoku Solver has no variables of the name {name}")
        yield "Var", (name.upper(), "", str(count or board.shape))


def _written(constraints: Constraints) -> Iterator[tuple[str, names.Args]]:
    board = constraints.board
    left = [rule for rule in constraints.rules if rule not in clues.BY_HOUSES]
    singles = {clue.text(board): way for way, clue in _diagonals(board).items()}
    if {*clues.BY_HOUSES} & {*constraints.names}:
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
    (every,) = board.domains(clue.cells[:1])
    return "_".join(str(digit) for digit in every if relations[0].allowed(digit, digit))


def _clue(clue: Clue, board: Board) -> Iterator[tuple[str, names.Args]]:
    """The first way to state a clue; raises `ClueError` if there is none."""
    text = clue.text(board)[:80]
    if clue.parts:
        yield from _several(clue, board)
        return
    if digits := _digits(clue, board):
        yield "", tuple(f"{name}_{digits}" for name in names.cell_names(clue.cells, board))
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


def _several(clue: Clue, board: Board) -> Iterator[tuple[str, names.Args]]:
    """The parts between the name and `End`; one that takes several constraints is an And."""
    yield next(name for name, kind in clues.JOINED.items() if kind == clue.kind), ()
    for part in clue.parts:
        written = [*_clue(part, board)]
        wraps = len(written) > 1 and not part.parts
        yield from (("And", ()), *written, ("End", ())) if wraps else written
    yield "End", ()
