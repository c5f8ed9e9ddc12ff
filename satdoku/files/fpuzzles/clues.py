"""The keys of f-puzzles that state clues and rules, each with the kind or the rule that states it.

Invariant: one entry of `KEYS` says how a key is read and how it is written, so that a written clue
reads back as the same clue. A kind or a rule states its key itself, a kind also its entries of
`SHAPES` and `VALUES`.

Denials about neighbours stand under `negative` and `nonconsecutive`. A dot of either colour, with
any number, exempts its two cells from the denials of dots; f-puzzles, SudokuSolver and Interactive
Sudoku Solver agree on it. An X or a V exempts its cells from the denials of both sums.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import pairwise, product
from typing import Any, NamedTuple

from ...model.board import Board, Cells
from ...model.clue import Clue, ClueError
from ...model.constraints import Constraints
from ...model.kinds import KINDS, foreign
from ...model.kinds.kind import Number
from ...model.rules import flags_of, foreign_rules
from ...runtime.errors import counted
from ..foreign import ForeignError, json_type

Item = dict[str, Any]
Groups = tuple[Cells, ...]
_NAME = re.compile(r"R(\d{1,2})C(\d{1,2})", re.IGNORECASE)
_STEPS = {"UR": (-1, 1), "UL": (-1, -1), "DR": (1, 1), "DL": (1, -1)}


class Shape(NamedTuple):
    """How an item names its cells: the groups of each clue that it states, and the way back.

    example: such an item. `write` gives no items for cells that none can name. gathers: whether all
    items of the key together are one clue.
    """

    example: str
    read: Callable[[Item, Board], Iterable[Groups]]
    write: Callable[[Groups, Board], list[Item]]
    gathers: bool = False


class Value(NamedTuple):
    """How an item states the value of its clue.

    `read` gives None for an item that leaves its clue open, so that it says nothing; `write` gives
    None for a value that no item can state. An empty value is the one that the kind takes for it.
    """

    read: Callable[[Item], str | None]
    write: Callable[[str], Item | None]


class Key(NamedTuple):
    """A key of f-puzzles and the kind of clue that its items are."""

    name: str
    kind: str
    shape: Shape
    value: Value


# Cells --------------------------------------------------------------------------------------------


def _names(cells: Cells, board: Board) -> list[str]:
    return [board.name_of(cell).upper() for cell in cells]


def _cells(names: list[str], board: Board) -> Cells:
    return tuple(_inside(*_place(name), board) for name in names)


def _pair(names: list[str], board: Board) -> Cells:
    if len(names) != 2:
        raise ClueError(f"{counted(len(names), 'cell')}: expected 2")
    return _cells(names, board)


def _place(name: str) -> tuple[int, int]:
    """Row and column as they are written; 0 and one more than the last lie outside the grid."""
    match = _NAME.fullmatch(name)
    if match is None:
        raise ClueError(f"cell {name[:20]!a}: expected R1C1")
    return int(match[1]), int(match[2])


def _inside(row: int, column: int, board: Board) -> int:
    cell = board.cell_at.get((row - 1, column - 1))
    if cell is None:
        raise ClueError(f"cell R{row}C{column} is outside the board of {board.shape}")
    return cell


def _ray(row: int, column: int, down: int, right: int, board: Board) -> Cells:
    """The cells that are seen in a direction from a cell outside the grid."""
    cells = []
    place = row + down - 1, column + right - 1
    while place in board.cell_at:
        cells.append(board.cell_at[place])
        place = place[0] + down, place[1] + right
    return tuple(cells)


def _line_from(name: str, board: Board) -> Cells:
    """The row or column beside which a cell lies."""
    row, column = _place(name)
    downs, rights = {0: 1, board.height + 1: -1}, {0: 1, board.width + 1: -1}
    if (row in downs) == (column in rights):
        raise ClueError(f"cell {name[:20]!a}: expected one beside a row or column, such as R0C1")
    return _ray(row, column, downs.get(row, 0), rights.get(column, 0), board)


def _diagonal_from(item: Item, board: Board) -> Cells:
    """The diagonal that begins at a cell outside the grid."""
    direction = str(item["direction"])
    if direction not in _STEPS:
        raise ClueError(f"direction {direction[:20]!a}: expected {', '.join(_STEPS)}")
    return _ray(*_place(item["cell"]), *_STEPS[direction], board)


@cache
def _beside(board: Board) -> dict[Cells, list[Item]]:
    """Rows and columns from both ends, and the cells beside which they begin."""
    rows, columns = range(1, board.height + 1), range(1, board.width + 1)
    places = [*product(rows, (0, board.width + 1)), *product((0, board.height + 1), columns)]
    names = [f"R{row}C{column}" for row, column in places]
    return {_line_from(name, board): [{"cell": name}] for name in names}


@cache
def _diagonals(board: Board) -> dict[Cells, list[Item]]:
    """Diagonals from both ends, and the cells and directions that name them."""
    last, right = board.height + 1, board.width + 1
    items = [
        {"cell": f"R{row}C{column}", "direction": direction}
        for row, column in product(range(last + 1), range(right + 1))
        if row in (0, last) or column in (0, right)
        for direction in _STEPS
    ]
    return {_diagonal_from(item, board): [item] for item in items}


def _copied(groups: Groups, board: Board) -> list[Item]:
    """Each group as a copy of the one before it."""
    names = [_names(group, board) for group in groups]
    return [{"cells": one, "cloneCells": other} for one, other in pairwise(names)]


def _arrow(item: Item, board: Board) -> Iterator[Groups]:
    """The circle, and each line without its first cell, which lies in the circle."""
    shafts = [_cells(line[1:], board) for line in item["lines"] if len(line) > 1]
    if shafts:
        yield (_cells(item["cells"], board), *shafts)


def _drawn_arrow(groups: Groups, board: Board) -> list[Item]:
    """Each line begins in the last cell of the circle."""
    circle, *shafts = groups
    lines = [_names((circle[-1], *shaft), board) for shaft in shafts]
    return [{"cells": _names(circle, board), "lines": lines}]


def _of_size(is_meant: Callable[[int, int], bool]) -> Shape:
    """Cells, if the number of them and that of the digits are as meant."""

    def read(item: Item, board: Board) -> Iterator[Groups]:
        cells = _cells(item["cells"], board)
        if is_meant(len(cells), len(board.digits)):
            yield (cells,)

    return CELLS._replace(read=read)


SOME = Shape(
    '{"cells": ["R1C1", ...]}',
    lambda item, board: [(_cells(item["cells"], board),)],
    lambda groups, board: [{"cells": _names(groups[0], board)}],
    gathers=True,
)
CELLS = SOME._replace(gathers=False)
SHAPES = {
    "one": Shape(
        '{"cell": "R1C1"}',
        lambda item, board: [(_cells([item["cell"]], board),)],
        lambda groups, board: [{"cell": name} for name in _names(groups[0], board)],
        gathers=True,
    ),
    "some": SOME,
    "cells": CELLS,
    "pair": Shape(
        '{"cells": ["R1C1", "R1C2"], "value": "X"}',
        lambda item, board: [(_pair(item["cells"], board),)],
        lambda groups, board: CELLS.write(groups, board) if len(groups[0]) == 2 else [],
    ),
    "region": _of_size(lambda number, size: number >= size),
    "part": _of_size(lambda number, size: number < size),
    "lines": Shape(
        '{"lines": [["R1C1", ...]]}',
        lambda item, board: [(_cells(line, board),) for line in item["lines"]],
        lambda groups, board: [{"lines": [_names(groups[0], board)]}],
    ),
    "copy": Shape(
        '{"cells": ["R1C1", ...], "cloneCells": ["R5C5", ...]}',
        lambda item, board: [(_cells(item["cells"], board), _cells(item["cloneCells"], board))],
        _copied,
    ),
    "circle": Shape(
        '{"cells": ["R1C1"], "lines": [["R1C1", "R1C2", ...]]}',
        _arrow,
        _drawn_arrow,
    ),
    "beside": Shape(
        '{"cell": "R0C1", "value": "12"}',
        lambda item, board: [(_line_from(item["cell"], board),)],
        lambda groups, board: _beside(board).get(groups[0], []),
    ),
    "diagonal": Shape(
        '{"cell": "R0C1", "direction": "DR", "value": "20"}',
        lambda item, board: [(_diagonal_from(item, board),)],
        lambda groups, board: _diagonals(board).get(groups[0], []),
    ),
}


# Values -------------------------------------------------------------------------------------------


def _stated(item: Item) -> str:
    """What stands under `value`: a text or a number; empty if nothing does."""
    value = item.get("value")
    return "" if value is None else str(value).strip()


_LETTERS = {"X": "10", "V": "5"}
_SUMS = {total: letter for letter, total in _LETTERS.items()}

NUMBER = Value(_stated, lambda value: {"value": value} if value else {})
VALUES = {
    "none": Value(lambda item: "", lambda value: None if value else {}),
    "number": NUMBER,
    "clued": NUMBER._replace(read=lambda item: _stated(item) or None),
    "letter": Value(
        lambda item: _LETTERS.get(letter := _stated(item).upper(), letter) or None,
        lambda value: {"value": _SUMS[value]} if value in _SUMS else None,
    ),
    "digits": Value(
        lambda item: ",".join(map(str, item["values"])) or None,
        lambda value: {"values": list(map(int, value.split(",")))},
    ),
}

# Keys ---------------------------------------------------------------------------------------------

KEYS = tuple(
    Key(there.name, kind.name, SHAPES[there.way], VALUES[there.options["value"]])
    for kind, there in foreign("fpuzzles")
    if there.way not in ("denied", "denied-flag")
)
NAMES = tuple(dict.fromkeys(key.name for key in KEYS))
BY_KIND = {key.kind: key for key in KEYS}


def read_clues(value: Item, board: Board) -> list[Clue]:
    """The clues that an object lists; raises `ForeignError`, which names the key."""
    return [clue for key in KEYS for clue in _read_key(value.get(key.name) or [], key, board)]


def _read_key(items: list[Item], key: Key, board: Board) -> list[Clue]:
    try:
        clues = [clue for item in items for clue in _read_item(item, key, board)]
        if key.shape.gathers and clues:
            clues = [_gathered(key, clues)]
        return [KINDS[key.kind].canonical(clue, board) for clue in clues]
    except ClueError as error:
        raise ForeignError(f"{key.name}: {error}") from None
    except (TypeError, KeyError, AttributeError):
        problem = f"{key.name}: expected a list of objects such as {key.shape.example}"
        raise ForeignError(problem) from None


def _gathered(key: Key, clues: Iterable[Clue]) -> Clue:
    """One clue of all their cells."""
    return Clue(key.kind, (tuple(dict.fromkeys(cell for clue in clues for cell in clue.cells)),))


def _read_item(item: Item, key: Key, board: Board) -> Iterator[Clue]:
    """The clues of an item; a line of one cell, drawn by a slip, says nothing."""
    if (value := key.value.read(item)) is None:
        return
    for groups in key.shape.read(item, board):
        if KINDS[key.kind].cells[0] == 1 or any(len(group) > 1 for group in groups):
            yield Clue(key.kind, groups, value)


def write_clues(clues: Iterable[Clue], board: Board) -> dict[str, list[Item]]:
    """The clues as lists under their keys; raises `ClueError` for one that no key can state."""
    by_key: dict[Key, list[Clue]] = {}
    for clue in clues:
        by_key.setdefault(_key_of(clue), []).append(clue)
    stated: dict[str, list[Item]] = {}
    for key, some in by_key.items():
        if key.shape.gathers:
            _check_together(key, some, board)
        stated.setdefault(key.name, []).extend(i for clue in some for i in _items(clue, board))
    return stated


def _check_together(key: Key, clues: list[Clue], board: Board) -> None:
    """Raise `ClueError` if the clues, read back as one, do not say the same: two minima side by
    side are less than each other, but one clue of both cells does not compare them."""
    said = KINDS[key.kind].relations
    assert said is not None
    one = said(board, _gathered(key, clues))
    if {*one} != {relation for clue in clues for relation in said(board, clue)}:
        raise ClueError(f"f-puzzles takes all cells of {key.name} for one clue: join the clues")


def _key_of(clue: Clue) -> Key:
    if clue.kind not in BY_KIND:
        raise ClueError(f"f-puzzles has no clue '{clue.kind}'; it has {', '.join(BY_KIND)}")
    return BY_KIND[clue.kind]


def _items(clue: Clue, board: Board) -> list[Item]:
    key = _key_of(clue)
    value = key.value.write("" if clue.value == _default(key, board) else clue.value)
    items = key.shape.write(clue.groups, board)
    if value is None or not items:
        raise ClueError(f"f-puzzles cannot state the clue {clue.text(board)[:80]}")
    return [item | value for item in items]


def _default(key: Key, board: Board) -> str | None:
    """The value that the kind takes where none is written."""
    value = KINDS[key.kind].value
    default = value.default if isinstance(value, Number) else None
    return str(default(len(board.digits))) if default else None


NEGATIVE = "negative"
FLAGS = flags_of("fpuzzles")
# Keys that are one house of a rule, and the rules that are stated by their houses, with keys or as
# regions.
HOUSES = {t.name: t.options["cells"] for _, t in foreign_rules("fpuzzles") if t.way == "house"}
BY_HOUSES = tuple(
    dict.fromkeys(r.name for r, t in foreign_rules("fpuzzles") if t.way in ("house", "houses"))
)
DENIALS = frozenset(kind.name for kind in KINDS.values() if kind.denies)
# What `negative` lists, the kind that it is, and how.
_DENIED = {
    there.name: (kind, there.options)
    for kind, there in foreign("fpuzzles")
    if there.way == "denied"
}
# A rule that is denied too, and its key.
((RULE, NONCONSECUTIVE),) = (
    (rule.name, there.name)
    for rule, there in foreign_rules("fpuzzles")
    if there.way == "denied-flag"
)
# The denial that this key is beside a clue that frees cells of it, and its number.
((FREED, _NONCONSECUTIVE),) = (
    (kind.frees, (kind.name, there.options["value"]))
    for kind, there in foreign("fpuzzles")
    if (there.name, there.way) == (NONCONSECUTIVE, "denied-flag")
)


def read_denials(value: dict[str, Any], clues: list[Clue], board: Board) -> Iterator[str]:
    """The rules and clues that state what an object denies; `clues` are those that it lists."""
    if value.get(NONCONSECUTIVE):
        yield "=".join(_NONCONSECUTIVE) if _has_dots(clues) else RULE
    listed = value.get(NEGATIVE) or []
    if not isinstance(listed, list):
        raise ForeignError(f"{NEGATIVE} is {json_type(listed)}, expected a list of names")
    if unknown := [str(name)[:30] for name in listed if str(name) not in _DENIED]:
        found = f"{NEGATIVE} {', '.join(unknown)} is not supported"
        raise ForeignError(f"{found}; supported: {', '.join(_DENIED)}")
    for name in dict.fromkeys(listed):
        kind, options = _DENIED[name]
        marks = sum(clue.kind == kind.denies for clue in clues)
        if "or_marked" not in options and len(value.get(name) or []) > marks:
            raise ForeignError(
                f"{name}: a mark without X or V cannot be heeded beside a negative xv"
            )
        yield from (f"{kind.name}={number}" for number in _numbers(name, clues, board))


def write_denials(constraints: Constraints) -> dict[str, Any]:
    """The keys that state what is denied; raises `ClueError` for what they cannot state."""
    clues, board = list(constraints.clues), constraints.board
    left = {(clue.kind, clue.value) for clue in clues if clue.kind in DENIALS}
    stated: dict[str, Any] = {}
    if RULE in constraints.names or _NONCONSECUTIVE in left:
        stated[NONCONSECUTIVE] = True
        left.discard(_NONCONSECUTIVE)
    for name, (kind, _) in _DENIED.items():
        whole = {(kind.name, number) for number in _numbers(name, clues, board)}
        if whole and whole <= left:
            stated.setdefault(NEGATIVE, []).append(name)
            left -= whole
    if left or (RULE in constraints.names and _has_dots(clues)):
        rules = ", ".join(f"{kind}={number}" for kind, number in sorted(left)) or RULE
        raise ClueError(
            f"f-puzzles cannot state {rules}: it denies differences of 1 where no dot is, the "
            "ratios of the dots (2 without any), and 5 and 10 together"
        )
    return stated


def _has_dots(clues: list[Clue]) -> bool:
    return any(clue.kind in FREED for clue in clues)


def _numbers(name: str, clues: list[Clue], board: Board) -> list[str]:
    """The numbers that a name denies, as far as digits reach; some deny those that stand on marks,
    if there are any."""
    kind, options = _DENIED[name]
    marked = {clue.value for clue in clues if clue.kind == kind.denies and "or_marked" in options}
    if marked:
        return sorted(marked, key=int)
    return [number for number in options["values"] if int(number) <= 2 * len(board.digits)]
