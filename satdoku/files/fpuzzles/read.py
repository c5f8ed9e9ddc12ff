"""From the JSON object of f-puzzles to a grid and its rules.

Invariant: every key is a rule or a clue of satdoku, or decorates, or is refused by its name.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...model.board import FROM_ZERO, MAX_SIZE, MIN_SIZE, NOT_SQUARE, Board, BoardError
from ...model.clue import Clue, ClueError
from ...model.constraints import Constraints, constraints_for
from ...model.grid import Grid
from ...model.kinds import HOUSE, clue_of
from ...model.puzzle import Puzzle
from ...model.rules import RuleError
from ..foreign import ForeignError, checked, houses_of, json_type, reconciled
from .clues import NAMES, read_clues
from .denials import BY_HOUSES, FLAGS, HOUSES, NEGATIVE, NONCONSECUTIVE, read_denials
from .words import COLOURS, DRAWINGS, unstated_rules

Object = dict[str, Any]

# In lower case: keys that are no constraints. What a drawing or a text may mean, `words` decides.
_NO_CONSTRAINT = frozenset((
    "size", "grid", "title", "author", "ruleset", "solution", "highlightconflicts",
    "successmessage", "disabledlogic", "truecandidatesoptions", "metadata", "fogofwar", "foglight",
    *DRAWINGS,
))  # fmt: skip
_CELL = ("value", "given", "region", "givenPencilMarks", "centerPencilMarks")
_DECORATES_CELL = (*COLOURS, "highlight", "highlightArray", "cornerPencilMarks")


def read_object(value: Object, rules: str | None, board: Board | None) -> Puzzle:
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
        board = Board(size, regions=tuple(index[label] for label in labels))
    except BoardError as error:
        raise ForeignError(f"regions of unequal size ({error})") from None
    return next((box for box in _box_shapes(size) if _partition(box) == _partition(board)), board)


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


def _box_shapes(size: int) -> Iterator[Board]:
    """The boards of that size with boxes, after the usual board."""
    yield Board.of_size(size)
    yield from (Board(size, h, size // h) for h in range(2, size) if size % h == 0)


def _partition(board: Board) -> frozenset[tuple[int, ...]]:
    return frozenset(board.boxes)


# Rules --------------------------------------------------------------------------------------------


def _constraints(value: Object, cells: list[Object], board: Board) -> Constraints:
    """The puzzle's own rules; raises `ForeignError` for keys that are not supported."""
    known = (*FLAGS, NONCONSECUTIVE, *HOUSES, NEGATIVE, *NAMES)
    if unknown := _stated(
        {k: v for k, v in value.items() if k.lower() not in _NO_CONSTRAINT}, frozenset(known)
    ):
        raise ForeignError(
            f"{', '.join(unknown)} constraints are not supported; supported: {', '.join(known)}"
        )
    return _own_constraints(value, cells, board)


def _own_constraints(value: Object, cells: list[Object], board: Board) -> Constraints:
    """The rules and clues that the object states."""
    clues = read_clues(value, board)
    names = [name for flag, name in FLAGS.items() if value.get(flag)]
    names += read_denials(value, clues, board)
    texts = [text for text, key in house_keys(board).items() if value.get(key)]
    texts += [*_loose_regions(cells), *(clue.text(board) for clue in clues)]
    for rule in BY_HOUSES:
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
    keys = HOUSES.items()
    return {clue_of(f"{HOUSE}:{cells}", board).text(board): key for key, cells in keys}
