"""How the constraints of Interactive Sudoku Solver state clues, both ways.

Invariant: a clue is written only by a constraint that reads back as the same clue. Which constraint
a kind is, the kind says; here are the ways in which its arguments state clues, by name (`WAYS`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import pairwise
from typing import NamedTuple

from ...model.board import Board, Cells
from ...model.clue import Clue, ClueError
from ...model.kinds import HOUSE, foreign
from ...model.rules import flags_of, foreign_rules
from .coded import (
    CELL,
    cell_name,
    cell_named,
    cell_names,
    cells_named,
    diagonals,
    line_named,
    line_names,
    read_machine,
    read_pairs,
    read_pattern,
    segment_names,
    segments_named,
    touching_pairs,
    write_machine,
    write_pattern,
)

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


def _number(*, nothing: str = "", missing: str = "", most: int = 0) -> Way:
    """A number and cells. `nothing` is the number that says none, `missing` the one that is meant
    where a cell stands in its place; beyond `most` it has none, if there is such a bound."""

    def read(args: Args, board: Board) -> Stated:
        if missing and CELL.fullmatch(args[0]):
            args = (missing, *args)
        return [((cells_named(args[1:], board),), "" if args[0] == nothing else args[0])]

    def write(clue: Clue, board: Board) -> Sequence[Args]:
        can = not most or int(clue.value) <= most
        return [(clue.value or nothing, *cell_names(clue.cells, board))] if can else []

    return Way(read, write)


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


def _ends() -> Way:
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


def _table(*, every: bool = False, old: bool = False) -> Way:
    """A table of the pairs of digits that go together; what it states is written as a pattern."""
    return Way(partial(read_pairs, every=every, old=old), lambda clue, board: [])


def _letter(*, letter: str) -> Way:
    def read(args: Args, board: Board) -> Stated:
        return _read_plain(args[1:], board) if args[0] == letter else []

    return Way(read, lambda c, board: [(letter, *cell_names(c.cells, board))])


def _always(read: Read, write: Write) -> Callable[..., Way]:
    """A way without options."""
    return lambda: Way(read, write)


WAYS: dict[str, Callable[..., Way]] = {
    "cells": _always(_read_plain, _write_plain),
    "boxed": _always(_read_boxed, _write_plain),
    "number": _number,
    "total": lambda: _number()._replace(read=_read_sum),
    "coefficients": _always(_read_weighted, _write_weighted),
    "marks": _marks,
    "ends": _ends,
    "line": _always(_read_line, _write_line),
    "diagonal": _always(_read_diagonal, _write_diagonal),
    "different": _different,
    "circle": _always(_read_arrow, _write_arrow),
    "pill": _always(_read_pill, _write_pill),
    "square": _always(_read_quad, _write_quad),
    "digits": _always(_read_contained, _write_contained),
    "look-and-say": _always(_read_look_and_say, _write_look_and_say),
    "exact": _always(_read_exact, _write_exact),
    "segments": _always(_read_equal_sum, _write_equal_sum),
    "places": _always(_read_same, _write_same),
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
OTHERS = ("", "Given", "Shape", "Jigsaw", "NoBoxes", "Diagonal", *NESTED, "End")
OUTERMOST = ("Shape", "Jigsaw", "NoBoxes", "Diagonal", *FLAGS)  # not within Or and And


def check_board(name: str, board: Board) -> None:
    """Raise `ClueError` if the constraint is not defined on the board."""
    if name in BY_BOXES and board != Board.of_size(board.size):
        raise ClueError("it goes by the usual boxes, which are not those of this board")
    if SIZES.get(name, board.size) != board.size:
        raise ClueError(f"Interactive Sudoku Solver has it on boards of size {SIZES[name]} only")
