"""The ways in which the arguments of a constraint of Interactive Sudoku Solver state clues.

Invariant: what a way writes, it reads back as the same clue; it writes nothing where it cannot. A
kind names its way, and the options of it, by `WAYS`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import pairwise, product
from typing import NamedTuple

from ...model.board import Board, Cells
from ...model.clue import Clue, ClueError
from ...runtime.errors import counted
from .machines import read_machine, write_machine
from .names import (
    REGIONS,
    Args,
    cell_name,
    cell_named,
    cell_names,
    cell_of_spot,
    cells_named,
    diagonals,
    find_cell,
    line_named,
    line_names,
    segment_names,
    segments_named,
    spot_of,
    touching_pairs,
    variables,
)
from .tables import read_pairs, read_pattern, write_pattern

_MOST_PILLED = 9  # of the digits of a board with pills: beyond, no second one may be 10 or more

Stated = Iterable[tuple[tuple[Cells, ...], str]]  # the groups and the value of clues
Read = Callable[[Args, Board], Stated]
Write = Callable[[Clue, Board], Sequence[Args]]  # no arguments where none can state the clue


class Way(NamedTuple):
    """How the arguments of a constraint state clues."""

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
        raise ClueError(f"{len(weights)} coefficients for {counted(len(cells), 'cell')}")
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
        raise ClueError(f"{counted(len(cells), 'cell')} do not fall into {args[0]} sets")
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
            cell for name, cell in variables(board).items() if name.rstrip("0123456789") == prefix
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
