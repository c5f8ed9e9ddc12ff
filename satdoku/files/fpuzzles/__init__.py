"""Puzzles of f-puzzles.com and SudokuPad: links, payloads and JSON, read and written.

Invariant: a link is read as exactly the puzzle that it states, or refused with the name of what is
not supported; what is written reads back as the same puzzle. `Puzzle.warning` names rules that a
link states in words or drawings alone. Nothing in it is run, and nothing is fetched.

The format has no specification. It is what f-puzzles writes and other programs read (SudokuPad,
dclamage's SudokuSolver). Of the JSON object, these keys are read:

    size               cells of a row
    grid               rows of cells, each an object: value (1..size), given (bool),
                       region (0..size-1; absent or null: the usual box),
                       givenPencilMarks (the digits that the cell may hold; absent, null or empty:
                       all), centerPencilMarks (a player's digits)
    antiknight, antiking, nonconsecutive, disjointgroups, diagonal+, diagonal-   bool
    negative           a list of "ratio" and "xv": what is denied of neighbours (see `clues`)
    odd, thermometer, killercage, ...    lists of clues (`clues.KEYS` has all keys, and their kinds)
    title, author      text
    solution           the digits of the cells, in a text or a list
    ruleset            text, compared with the constraints (see `words`)
    line, circle, rectangle, cage, text   drawings, which may stand for rules (see `words`)

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

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ...model.board import FROM_ZERO, MAX_SIZE, MIN_SIZE, NOT_SQUARE, Board, BoardError
from ...model.clue import Clue, ClueError, read_clue
from ...model.constraints import Constraints, RulesLike, constraints_for
from ...model.grid import Grid, GridLike
from ...model.kinds import HOUSE, apart, clue_of
from ...model.puzzle import Puzzle, on_board
from ...model.rules import JIGSAW, RuleError
from ..foreign import ForeignError, checked, houses_of, json_type, parser, reconciled
from . import clues
from .links import LINK, SUDOKUPAD, load, save
from .sudokupad import as_fpuzzles, is_native
from .words import COLOURS, DRAWINGS, unstated_rules


@parser
def parse_fpuzzles(text: str, rules: RulesLike | None = None, board: Board | None = None) -> Puzzle:
    """Read a link (f-puzzles, SudokuPad), its payload alone, or the JSON of either."""
    value = load(text)
    return read_object(as_fpuzzles(value) if is_native(value) else value, rules, board)


def format_fpuzzles(
    puzzle: GridLike,
    rules: RulesLike = "classic",
    *,
    candidates: Sequence[Iterable[int]] | None = None,
    title: str = "",
    author: str = "",
) -> str:
    """A link that opens the puzzle in f-puzzles, its digits as givens.

    candidates: the digits of each cell, written as centre marks. Raises `RuleError` for a rule that
    the format cannot express (antiqueen), `ClueError` for such a clue (taxicab).
    """
    grid, constraints = on_board(puzzle, rules)
    return save(write_object(grid, constraints, candidates, title, author))


def format_sudokupad(
    puzzle: GridLike,
    rules: RulesLike = "classic",
    *,
    candidates: Sequence[Iterable[int]] | None = None,
    title: str = "",
    author: str = "",
) -> str:
    """A link that opens the same in SudokuPad; see `format_fpuzzles`."""
    link = format_fpuzzles(puzzle, rules, candidates=candidates, title=title, author=author)
    return SUDOKUPAD + link.removeprefix(LINK)


Object = dict[str, Any]

# In lower case: keys that are no constraints. What a drawing or a text may mean, `words` decides.
_NO_CONSTRAINT = frozenset((
    "size", "grid", "title", "author", "ruleset", "solution", "highlightconflicts",
    "successmessage", "disabledlogic", "truecandidatesoptions", "metadata", "fogofwar", "foglight",
    *DRAWINGS,
))  # fmt: skip
_CELL = ("value", "given", "region", "givenPencilMarks", "centerPencilMarks")
_DECORATES_CELL = (*COLOURS, "highlight", "highlightArray", "cornerPencilMarks")


def read_object(value: Object, rules: RulesLike | None, board: Board | None) -> Puzzle:
    """The puzzle that an object states; see `parse_fpuzzles`."""
    cells = _cells(value)
    here = _board(cells)
    constraints = reconciled(_constraints(value, cells, checked(here, board)), rules)
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
        words=ruleset,
        warning=unstated_rules(value, constraints),
        entered=entered,
        noted=tuple(_digits(cell, "centerPencilMarks", here, i) for i, cell in enumerate(cells)),
    )


def _solution(stated: object, board: Board) -> Grid | None:
    """The grid of a text or a list of digits, None if it is none or not whole."""
    digits = stated.split(",") if isinstance(stated, str) and "," in stated else stated
    if not isinstance(digits, str | list) or len(digits) != board.cells:
        return None
    known = {str(digit): digit for digit in range(1, board.size + 1)}
    cells = [known.get(str(digit), 0) for digit in digits]
    return Grid(bytes(cells), board) if all(cells) else None


# Cells --------------------------------------------------------------------------------------------


def _cells(value: Object) -> list[Object]:
    """The objects of the cells, row-major, a square of them."""
    rows = value.get("grid")
    if not isinstance(rows, list) or not MIN_SIZE <= len(rows) <= MAX_SIZE:
        raise ForeignError(f"no grid: expected {MIN_SIZE} to {MAX_SIZE} rows of cells")
    if value.get("size", len(rows)) != len(rows):
        raise ForeignError(f"grid has {len(rows)} rows, but size is {str(value['size'])[:20]}")
    widths = {len(row) if isinstance(row, list) else 0 for row in rows}
    if len(widths) == 1 and 0 not in widths and {len(rows)} != widths:
        raise ForeignError(f"grid has {len(rows)} rows of {max(widths)} cells: {NOT_SQUARE}")
    for number, row in enumerate(rows, 1):
        if not isinstance(row, list) or len(row) != len(rows):
            found = f"has {len(row)} cells" if isinstance(row, list) else f"is {json_type(row)}"
            raise ForeignError(f"row {number} of grid {found}, expected {len(rows)} cells")
    cells = [cell for row in rows for cell in row]
    for i, cell in enumerate(cells):
        place = _place(i, len(rows))
        if not isinstance(cell, dict):
            raise ForeignError(f"{place} is {json_type(cell)}, expected an object for each cell")
        if unknown := _stated(cell, frozenset((*_CELL, *_DECORATES_CELL))):
            raise ForeignError(
                f"{place}: {', '.join(unknown)} clues are not supported; "
                f"supported in a cell: {', '.join(_CELL)}"
            )
    return cells


def _stated(value: Object, known: frozenset[str]) -> list[str]:
    """Keys that are not known and say something, shortened."""
    return sorted({key[:30] for key, what in value.items() if what and key not in known})


def _place(cell: int, size: int) -> str:
    return f"r{cell // size + 1}c{cell % size + 1}"


def _value(cell: Object, board: Board, number: int) -> int:
    """The digit of a cell; a given 0 is a digit that no board has."""
    value = cell.get("value")
    if value == 0 and value is not False and cell.get("given"):
        raise ForeignError(f"{_place(number, board.size)}: a given 0: {FROM_ZERO}")
    return _digit(value, board, number, "value")


def _digit(value: object, board: Board, cell: int, key: str) -> int:
    """A digit, 0 where there is none."""
    if value in (None, 0, ""):
        return 0
    if type(value) is not int or not 1 <= value <= board.size:
        found = f"{key} {str(value)[:20]!a}"
        raise ForeignError(f"{_place(cell, board.size)}: {found}, expected a digit 1-{board.size}")
    return value


def _digits(cell: Object, key: str, board: Board, number: int) -> frozenset[int]:
    """The digits that a cell lists under a key, none where it has no such key."""
    digits = cell.get(key) or []
    if not isinstance(digits, list):
        place = _place(number, board.size)
        raise ForeignError(f"{place}: {key} is {json_type(digits)}, expected a list of digits")
    return frozenset(_digit(digit, board, number, key) for digit in digits) - {0}


def _marks(cells: list[Object], board: Board) -> tuple[frozenset[int], ...] | None:
    """The digits that each cell may hold, None if no cell is restricted."""
    listed = [_digits(cell, "givenPencilMarks", board, i) for i, cell in enumerate(cells)]
    every = frozenset(range(1, board.size + 1))
    return tuple(digits or every for digits in listed) if any(listed) else None


# Board --------------------------------------------------------------------------------------------


def _board(cells: list[Object]) -> Board:
    """The usual board if no cell states a region, boxes if the regions are boxes, none if some
    cells are in no region, else a region map."""
    size = round(len(cells) ** 0.5)
    if not any(map(_states_region, cells)):
        return Board.of_size(size)
    labels = _regions(cells)
    index = {label: i for i, label in enumerate(dict.fromkeys(labels))}
    if None in index:
        return Board.latin(size)
    if len(index) != size:
        raise ForeignError(f"the cells name {len(index)} regions, expected {size}")
    try:
        return Board(size, regions=tuple(index[label] for label in labels)).with_boxes
    except BoardError as error:
        raise ForeignError(f"regions of unequal size ({error})") from None


def _regions(cells: list[Object]) -> list[int | None]:
    """The region of each cell, None where it is in none. A cell that states nothing has that of the
    usual boxes, or of its row where none fit."""
    usual = Board.of_size(round(len(cells) ** 0.5))
    regions = []
    for i, cell in enumerate(cells):
        usually = usual.box_of(i) if usual.has_boxes else i // usual.size
        label = cell["region"] if _states_region(cell) else usually
        if label is not None and type(label) is not int:
            found = f"region {str(label)[:20]!a}"
            raise ForeignError(f"{_place(i, usual.size)}: {found}, expected a number or null")
        regions.append(label)
    return regions


def _states_region(cell: Object) -> bool:
    """Whether a cell states its region; null says that it is in none, as in Rangsk's SudokuSolver.

    Some libraries write null for each key that is absent: then it states nothing.
    """
    others = (what for key, what in cell.items() if key != "region")
    return "region" in cell and (cell["region"] is not None or None not in others)


def _loose_regions(cells: list[Object]) -> Iterator[str]:
    """The regions as clues, where some cells are in none."""
    labels = _regions(cells)
    if None not in labels:
        return
    board = Board.latin(round(len(cells) ** 0.5))
    for label in dict.fromkeys(label for label in labels if label is not None):
        region = tuple(i for i, other in enumerate(labels) if other == label)
        if len(region) != board.size:
            found = f"region {label} has {len(region)} cells"
            raise ForeignError(f"{found}, expected {board.size}")
        yield Clue(HOUSE, (region,)).text(board)


# Rules --------------------------------------------------------------------------------------------


def _constraints(value: Object, cells: list[Object], board: Board) -> Constraints:
    """The puzzle's own rules; raises `ForeignError` for keys that are not supported."""
    known = (*clues.FLAGS, clues.NONCONSECUTIVE, *clues.HOUSES, clues.NEGATIVE, *clues.NAMES)
    if unknown := _stated(
        {k: v for k, v in value.items() if k.lower() not in _NO_CONSTRAINT}, frozenset(known)
    ):
        raise ForeignError(
            f"{', '.join(unknown)} constraints are not supported; supported: {', '.join(known)}"
        )
    return _own_constraints(value, cells, board)


def _own_constraints(value: Object, cells: list[Object], board: Board) -> Constraints:
    """The rules and clues that the object states."""
    listed = clues.read_clues(value, board)
    names = [name for flag, name in clues.FLAGS.items() if value.get(flag)]
    names += clues.read_denials(value, listed, board)
    texts = [text for text, key in house_keys(board).items() if value.get(key)]
    texts += [*_loose_regions(cells), *(clue.text(board) for clue in listed)]
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
    """The houses that have keys, as clues, each with its key."""
    keys = clues.HOUSES.items()
    return {clue_of(f"{HOUSE}:{cells}", board).text(board): key for key, cells in keys}


_KEYS = {name: flag for flag, name in clues.FLAGS.items()}


def write_object(
    grid: Grid,
    constraints: Constraints,
    candidates: Sequence[Iterable[int]] | None,
    title: str,
    author: str,
) -> dict[str, Any]:
    """The object for a grid, on the board of its constraints; see `format_fpuzzles`."""
    size = constraints.board.size
    cells = [_cell(grid, cell, candidates) for cell in range(constraints.board.cells)]
    words = {"title": title, "author": author}
    return {
        "size": size,
        **{key: text for key, text in words.items() if text},
        "grid": [cells[i : i + size] for i in range(0, len(cells), size)],
        **_written(constraints),
    }


def _cell(grid: Grid, cell: int, candidates: Sequence[Iterable[int]] | None) -> dict[str, Any]:
    """What differs from an empty cell of the usual board; a region of null is none."""
    board = grid.board
    stated: dict[str, Any] = {}
    if grid[cell]:
        stated |= {"value": grid[cell], "given": True}
    if board != Board.of_size(board.size):
        stated["region"] = board.box_of(cell) if board.has_boxes else None
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
