"""Puzzles of f-puzzles.com and SudokuPad: links, payloads and JSON, read and written.

Invariant: a link is read as exactly the puzzle that it states, or refused with the name of what is
not supported; what is written reads back as the same puzzle. `Puzzle.warning` names rules that a
link states in words or drawings alone. Nothing in it is run, and nothing is fetched.

The format has no specification. It is what f-puzzles writes and other programs read (SudokuPad,
dclamage's SudokuSolver). Of the JSON object, these keys are read:

    size               how many rows there are
    grid               rows of cells, all as long, each an object: value (a digit), given (bool),
                       region (a number; absent or null: the usual box),
                       givenPencilMarks (the digits that the cell may hold; absent, null or empty:
                       all), centerPencilMarks (a player's digits)
    antiknight, antiking, nonconsecutive, disjointgroups, diagonal+, diagonal-   bool
    negative           a list of "ratio" and "xv": what is denied of neighbours (see `clues`)
    odd, thermometer, killercage, ...    lists of clues (`clues.KEYS` has all keys, and their kinds)
    title, author      text
    solution           the digits of the cells, in a text or a list
    ruleset            text, compared with the constraints (see `words`); what `model.words` makes
                       of them is no text of the setter
    line, circle, rectangle, cage, text   drawings, which may stand for rules (see `words`)

Digits are 1 to the longer side, unless the rules that are asked for tell others: then a 0 that is
given may be one of them. f-puzzles itself has squares only; SudokuPad's own JSON has rectangles.
Regions are all of one size, and some cells may be in none.

SudokuPad reads `"region": null` as "in no box", other programs as "not stated", and libraries write
it for keys that are absent; here it is the usual box. Colours, fog and a player's marks are passed
over. Any other constraint is refused by its name. A link holds the object as JSON, packed by
`links`. SudokuPad's own JSON is read as the object of f-puzzles that says the same
(`sudokupad`), also in its short form.

Where Interactive Sudoku Solver means something else by the same name: its modular line takes any
number (here 3), its entropic line the classes of 9x9 only, its whispers say 5 where they have no
number (here half the size, rounded up), and its denial of dots is one of both colours. An extra
region with fewer cells than digits is, as there, of different digits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from ...model.board import MAX_SIZE, MIN_SIZE, Board, BoardError, Digits, written
from ...model.clue import ClueError, read_clue
from ...model.constraints import Constraints, RulesLike, constraints_for
from ...model.grid import Grid, GridLike
from ...model.kinds import HOUSE, apart, clue_of
from ...model.looks import Looks, first_of
from ...model.puzzle import Puzzle, whole
from ...model.rules import JIGSAW, RuleError
from ...runtime.errors import counted
from ..foreign import ForeignError, checked, houses_of, json_type, parser, reconciled
from . import clues
from .drawings import as_sudokupad
from .links import LINK, NATIVE, SUDOKUPAD, load, save
from .looks import drawn_in, write_looks
from .sudokupad import as_fpuzzles, is_native, looks_of
from .words import COLOURS, DRAWINGS, unstated_rules, words_of


@parser
def parse_fpuzzles(text: str, rules: RulesLike | None = None, board: Board | None = None) -> Puzzle:
    """Read a link (f-puzzles, SudokuPad), its payload alone, or the JSON of either."""
    value = load(text)
    return (
        read_native(value, rules, board) if is_native(value) else read_object(value, rules, board)
    )


def format_fpuzzles(
    puzzle: GridLike | Puzzle,
    rules: RulesLike | None = None,
    *,
    candidates: Sequence[Iterable[int]] | None = None,
    title: str = "",
    author: str = "",
) -> str:
    """A link that opens the puzzle in f-puzzles, its digits as givens.

    candidates: the digits of each cell, written as centre marks. A `Puzzle` states its title, its
    author and its words too, and its drawings in the nearest way that f-puzzles has; what has none
    is left out. Raises `RuleError` for a rule that the format cannot express (antiqueen),
    `ClueError` for such a clue (taxicab).
    """
    full = _titled(puzzle, rules, title, author)
    if not (board := full.constraints.board).is_square:
        raise RuleError(f"f-puzzles has squares only, not {board.in_words}; SudokuPad has it")
    return save(_drawn_over(write_object(full, candidates), full.looks))


def format_sudokupad(
    puzzle: GridLike | Puzzle,
    rules: RulesLike | None = None,
    *,
    candidates: Sequence[Iterable[int]] | None = None,
    title: str = "",
    author: str = "",
) -> str:
    """A link that opens the same in SudokuPad; see `format_fpuzzles`. Rectangles, which f-puzzles
    has not, are written as SudokuPad's own JSON (`drawings`), and so are drawings that f-puzzles
    has not, where that JSON states all clues as well. A drawing that would be read as a clue there
    is left out."""
    full = _titled(puzzle, rules, title, author)
    stated = write_object(full, candidates)
    if not full.constraints.board.is_square:
        return NATIVE + save(_native(full, stated)).removeprefix(LINK)
    drawn = _drawn_over(write_object(full, candidates), full.looks)
    if Counter(drawn_in(drawn)) != Counter(full.looks):
        with suppress(ClueError):
            native = as_sudokupad(stated, full.looks)
            if _reads_as(native, full) and looks_of(native) == full.looks:
                return NATIVE + save(native).removeprefix(LINK)
    return SUDOKUPAD + save(drawn).removeprefix(LINK)


def _titled(puzzle: GridLike | Puzzle, rules: RulesLike | None, title: str, author: str) -> Puzzle:
    full = whole(puzzle, rules)
    return replace(full, title=title or full.title, author=author or full.author)


def _drawn_over(value: Object, looks: Looks) -> Object:
    """An object with drawings."""
    write_looks(looks, value)
    return value


def _native(full: Puzzle, stated: Object) -> Object:
    """The object of SudokuPad of a puzzle, with the drawings that are no clues there."""
    native = as_sudokupad(stated)
    if not _reads_as(native, full):
        read = read_native(native, None, None).constraints
        lost = [rule for rule in full.constraints.rules if rule not in read.rules]
        some = ", ".join(lost)[:80] or full.constraints.board.in_words
        raise ClueError(
            f"SudokuPad's drawings would be read as another puzzle: they do not tell {some}"
        )
    drawn = as_sudokupad(stated, full.looks)
    if _reads_as(drawn, full):
        return drawn
    plain = [look for look in full.looks if _reads_as(as_sudokupad(stated, [look]), full)]
    drawn = as_sudokupad(stated, plain)
    return drawn if _reads_as(drawn, full) else native


def _reads_as(native: Object, full: Puzzle) -> bool:
    """Whether an object of SudokuPad is read as a puzzle, whatever is drawn beside it."""
    read = read_native(native, None, None)
    return (read.grid, read.constraints) == (full.grid, full.constraints)


def read_native(value: Object, rules: RulesLike | None, board: Board | None) -> Puzzle:
    """The puzzle that an object of SudokuPad states; see `parse_fpuzzles`."""
    return replace(read_object(as_fpuzzles(value), rules, board), looks=looks_of(value))


Object = dict[str, Any]

# In lower case: keys that are no constraints. What a drawing or a text may mean, `words` decides.
NO_CONSTRAINT = frozenset((
    "size", "grid", "title", "author", "ruleset", "solution", "highlightconflicts",
    "successmessage", "disabledlogic", "truecandidatesoptions", "metadata", "fogofwar", "foglight",
    *DRAWINGS,
))  # fmt: skip
_CELL = ("value", "given", "region", "givenPencilMarks", "centerPencilMarks")
DECORATES_CELL = (*COLOURS, "highlight", "highlightArray", "cornerPencilMarks")


def read_object(value: Object, rules: RulesLike | None, board: Board | None) -> Puzzle:
    """The puzzle that an object states; see `parse_fpuzzles`."""
    cells, width = _cells(value)
    here = checked(_board(cells, width, board), board)
    constraints = reconciled(_constraints(value, here), rules)
    digits = [_value(cell, here, i) for i, cell in enumerate(cells)]
    givens = [digit if cell.get("given") else 0 for digit, cell in zip(digits, cells, strict=True)]
    grid, entered = (Grid(bytes(some), constraints.board) for some in (givens, digits))
    title, author, ruleset = (str(value.get(key) or "") for key in ("title", "author", "ruleset"))
    return Puzzle(
        grid,
        constraints,
        _marks(cells, here),
        _solution(value.get("solution"), constraints.board),
        title=title,
        author=author,
        words="" if ruleset.strip() == words_of(constraints) else ruleset,
        warning=unstated_rules(value, constraints),
        entered=entered,
        looks=first_of(drawn_in(value)),
        noted=tuple(_digits(cell, "centerPencilMarks", here, i) for i, cell in enumerate(cells)),
    )


def _solution(stated: object, board: Board) -> Grid | None:
    """The grid of a text or a list of digits, None if it is none or not whole."""
    digits = stated.split(",") if isinstance(stated, str) and "," in stated else stated
    if not isinstance(digits, str | list) or len(digits) != board.cells:
        return None
    known = {str(digit): place for digit, place in _places(board).items()}
    cells = [known.get(str(digit), 0) for digit in digits]
    return Grid(bytes(cells), board) if all(cells) else None


# Cells --------------------------------------------------------------------------------------------


def _cells(value: Object) -> tuple[list[Object], int]:
    """The objects of the cells, row-major, and how many a row has."""
    rows = value.get("grid")
    if not isinstance(rows, list) or not MIN_SIZE <= len(rows) <= MAX_SIZE:
        raise ForeignError(f"no grid: expected {MIN_SIZE} to {MAX_SIZE} rows of cells")
    if value.get("size", len(rows)) != len(rows):
        raise ForeignError(
            f"grid has {counted(len(rows), 'row')}, but size is {str(value['size'])[:20]}"
        )
    widths = Counter(len(row) if isinstance(row, list) else 0 for row in rows)
    width = max(widths, key=lambda size: (size > 0, widths[size], size == len(rows)))
    for number, row in enumerate(rows, 1):
        if not isinstance(row, list) or len(row) != width or not width:
            found = (
                f"has {counted(len(row), 'cell')}"
                if isinstance(row, list)
                else f"is {json_type(row)}"
            )
            raise ForeignError(f"row {number} of grid {found}, expected {width or len(rows)} cells")
    cells = [cell for row in rows for cell in row]
    for i, cell in enumerate(cells):
        place = _place(i, width)
        if not isinstance(cell, dict):
            raise ForeignError(f"{place} is {json_type(cell)}, expected an object for each cell")
        if unknown := _stated(cell, frozenset((*_CELL, *DECORATES_CELL))):
            raise ForeignError(
                f"{place}: {', '.join(unknown)} clues are not supported; "
                f"supported in a cell: {', '.join(_CELL)}"
            )
    return cells, width


def _stated(value: Object, known: frozenset[str]) -> list[str]:
    """Keys that are not known and say something, shortened."""
    return sorted({key[:30] for key, what in value.items() if what and key not in known})


def _place(cell: int, width: int) -> str:
    return f"r{cell // width + 1}c{cell % width + 1}"


def _places(board: Board) -> dict[int, int]:
    """The position of each digit, from 1."""
    return {digit: place for place, digit in enumerate(board.digits, 1)}


def _value(cell: Object, board: Board, number: int) -> int:
    """The position of a cell's digit, 0 where there is none; a 0 is a digit only if it is given."""
    value = cell.get("value")
    none = (None, "") if cell.get("given") else (None, "", 0)
    if value is not False and value in none:
        return 0
    return _digit(value, board, number, "value")


def _digit(value: object, board: Board, cell: int, key: str) -> int:
    """The position of a digit."""
    place = _places(board).get(value) if type(value) is int else None
    if place is None:
        found = f"{board.name_of(cell)}: {key} {str(value)[:20]!a}"
        told = " (--rules digits=... tells others)" if type(value) is int else ""
        raise ForeignError(f"{found}, expected a digit {written(board.digits)}{told}")
    return place


def _digits(cell: Object, key: str, board: Board, number: int) -> frozenset[int]:
    """The positions of the digits that a cell lists under a key, none where it has no such key."""
    digits = cell.get(key) or []
    if not isinstance(digits, list):
        place = board.name_of(number)
        raise ForeignError(f"{place}: {key} is {json_type(digits)}, expected a list of digits")
    none = (None, "") if 0 in board.digits else (None, "", 0)
    return frozenset(_digit(digit, board, number, key) for digit in digits if digit not in none)


def _marks(cells: list[Object], board: Board) -> tuple[frozenset[int], ...] | None:
    """The digits that each cell may hold, None if no cell is restricted."""
    listed = [_digits(cell, "givenPencilMarks", board, i) for i, cell in enumerate(cells)]
    every = frozenset(range(1, len(board.digits) + 1))
    return tuple(digits or every for digits in listed) if any(listed) else None


# Board --------------------------------------------------------------------------------------------


def _board(cells: list[Object], width: int, asked: Board | None) -> Board:
    """The usual board if no cell states a region, boxes if the regions are boxes, else a region
    map, in which some cells may have none. The digits are those that are asked for, if any are."""
    height = len(cells) // width
    alike = asked is not None and (asked.height, asked.width) == (height, width)
    digits = asked.digits if asked and alike else ()
    try:
        return _board_of(cells, height, width, digits)
    except BoardError as error:
        raise ForeignError(f"its regions make no board ({error})") from None


def _board_of(cells: list[Object], height: int, width: int, digits: Digits) -> Board:
    if not any(map(_states_region, cells)):
        return Board.of_shape(height, width, digits)
    labels = _regions(cells, height, width)
    index = {label: i for i, label in enumerate(dict.fromkeys(x for x in labels if x is not None))}
    if not index:
        return Board(width, 1, width, height=height, digits=digits)
    sizes = Counter(label for label in labels if label is not None)
    few, many = min(sizes, key=sizes.__getitem__), max(sizes, key=sizes.__getitem__)
    if sizes[few] < sizes[many]:
        found = f"region {few} has {counted(sizes[few], 'cell')}, region {many} {sizes[many]}"
        raise ForeignError(f"regions of unequal size: {found}")
    regions = tuple(-1 if label is None else index[label] for label in labels)
    return Board.of_regions(regions, width, height, digits)


def _regions(cells: list[Object], height: int, width: int) -> list[int | None]:
    """The region of each cell, None where it is in none. A cell that states nothing has that of the
    usual boxes, or of its row where none fit."""
    usual = Board.of_shape(height, width)
    regions = []
    for i, cell in enumerate(cells):
        usually = usual.box_of(i) if usual.has_boxes else i // width
        label = cell["region"] if _states_region(cell) else usually
        if label is not None and type(label) is not int:
            found = f"region {str(label)[:20]!a}"
            raise ForeignError(f"{_place(i, width)}: {found}, expected a number or null")
        regions.append(label)
    return regions


def _states_region(cell: Object) -> bool:
    """Whether a cell states its region; null says that it is in none, as in Rangsk's SudokuSolver.

    Some libraries write null for each key that is absent: then it states nothing.
    """
    others = (what for key, what in cell.items() if key != "region")
    return "region" in cell and (cell["region"] is not None or None not in others)


# Rules --------------------------------------------------------------------------------------------


def _constraints(value: Object, board: Board) -> Constraints:
    """The puzzle's own rules; raises `ForeignError` for keys that are not supported."""
    known = (*clues.FLAGS, clues.NONCONSECUTIVE, *clues.HOUSES, clues.NEGATIVE, *clues.NAMES)
    if unknown := _stated(
        {k: v for k, v in value.items() if k.lower() not in NO_CONSTRAINT}, frozenset(known)
    ):
        raise ForeignError(
            f"{', '.join(unknown)} constraints are not supported; supported: {', '.join(known)}"
        )
    return _own_constraints(value, board)


def _own_constraints(value: Object, board: Board) -> Constraints:
    """The rules and clues that the object states."""
    listed = clues.read_clues(value, board)
    names = [name for flag, name in clues.FLAGS.items() if value.get(flag)]
    names += clues.read_denials(value, listed, board)
    keys = house_keys(board)
    if lacking := [key for key in clues.HOUSES if value.get(key) and key not in keys.values()]:
        raise ForeignError(f"{lacking[0]}: {board.in_words} has no such houses")
    texts = [text for text, key in keys.items() if value.get(key)]
    texts += [clue.text(board) for clue in listed]
    for rule in clues.BY_HOUSES:
        houses = houses_of(rule, board)
        if houses and {*houses} <= {*texts}:
            names.append(rule)
            texts = [text for text in texts if text not in houses]
    try:
        return constraints_for(";".join([*names, *texts]), board)
    except (RuleError, ClueError) as error:
        problem = f"its board cannot have the rules {', '.join(names)} ({error})"
        raise ForeignError(problem) from None


def house_keys(board: Board) -> dict[str, str]:
    """The houses that have keys, as clues, each with its key; only a square of as many digits has
    them."""
    whole = board.is_square and len(board.digits) == board.width
    keys = clues.HOUSES.items() if whole else ()
    return {clue_of(f"{HOUSE}:{cells}", board).text(board): key for key, cells in keys}


_KEYS = {name: flag for flag, name in clues.FLAGS.items()}


def write_object(full: Puzzle, candidates: Sequence[Iterable[int]] | None) -> dict[str, Any]:
    """The object for a puzzle without its drawings; see `format_fpuzzles`."""
    grid, constraints = full.grid, full.constraints
    board = constraints.board
    _check_board(board)
    cells = [_cell(grid, cell, candidates) for cell in range(board.cells)]
    words = {"title": full.title, "author": full.author, "ruleset": full.words}
    return {
        "size": board.height,
        **{key: text for key, text in words.items() if text},
        "grid": [cells[i : i + board.width] for i in range(0, len(cells), board.width)],
        **_written(constraints),
    }


def _check_board(board: Board) -> None:
    """Raise `RuleError` for a board that no object states."""
    told = Board.of_shape(board.height, board.width).digits
    for problem, is_so in (
        (f"layer {board.layers[0].name}" if board.layers else "", bool(board.layers)),
        ("several grids, and no holes", not board.is_rectangle),
        (f"rows or columns that repeat digits ({', '.join(board.without)})", bool(board.without)),
        (f"digits {written(board.digits)} on {board.shape}", board.digits != told),
    ):
        if is_so:
            raise RuleError(f"f-puzzles and SudokuPad have no {problem}: {board.in_words}")


def _cell(grid: Grid, cell: int, candidates: Sequence[Iterable[int]] | None) -> dict[str, Any]:
    """What differs from an empty cell of the usual board; a region of null is none."""
    board = grid.board
    stated: dict[str, Any] = {}
    if grid[cell]:
        stated |= {"value": grid[cell], "given": True}
    if board != Board.of_shape(board.height, board.width):
        region = board.box_of(cell) if board.has_boxes else -1
        stated["region"] = None if region < 0 else region
    if candidates is not None and not grid[cell] and (digits := sorted(candidates[cell])):
        stated["centerPencilMarks"] = digits
    return stated


def _written(constraints: Constraints) -> dict[str, Any]:
    """The keys of rules and clues; a region map stands in the cells."""
    board = constraints.board
    keys = house_keys(board)
    names = constraints.names
    houses = [text for name in clues.BY_HOUSES if name in names for text in houses_of(name, board)]
    stated: dict[str, Any] = dict(_flags(names))
    stated |= {key: True for text, key in keys.items() if text in (*constraints.rules, *houses)}
    own = [
        clue
        for clue in apart(constraints.clues)
        if clue.kind not in clues.DENIALS and clue.text(board) not in keys
    ]
    own += [read_clue(text, board) for text in houses if text not in keys]
    return stated | clues.write_denials(constraints) | clues.write_clues(own, board)


def _flags(names: Iterable[str]) -> Iterator[tuple[str, bool]]:
    for name in names:
        if name in _KEYS:
            yield _KEYS[name], True
        elif name not in (clues.RULE, *clues.BY_HOUSES):
            known = ", ".join([*_KEYS, clues.RULE, *clues.BY_HOUSES, JIGSAW])
            raise RuleError(f"f-puzzles has no rule '{name}'; it has {known}")
