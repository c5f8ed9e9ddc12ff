"""An independent statement of every rule, made from the coordinates of the cells.

Invariant: nothing here reads `model.rules`, so a mistake there cannot repeat itself here. Of a
`Board` this module uses only the size, the shape of the boxes and the region map.

A statement says that a rule has houses, or that it relates two cells. Other modules of the witness
ask for the statement and never look at a rule's name. A rule without a statement is an error. To
restate a rule, add an entry to `STATEMENTS`:

    "diagonal": Houses(labels)          the labels of the houses that hold the cell at (row, column)
    "knight": Relation(related)         cells with related(rows, columns) apart are different
    "name": Relation(related, allowed)  such cells hold digits x and y only if allowed(x, y, size)
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from functools import lru_cache
from itertools import combinations, product
from typing import NamedTuple

from ..errors import SatdokuError
from ..model.board import Board, CellPair, Cells

DigitPair = tuple[int, int]
Labels = Callable[[Board, int, int], Iterable[Hashable]]


class StatementError(SatdokuError):
    """The witness has no statement of a rule."""


class Houses(NamedTuple):
    """Houses that hold every digit once; cells with the same label form a house.

    labels: takes a board, a row and a column (0-based) and returns the labels of that cell's
    houses. needs_boxes: whether the labels depend on rectangular boxes, so that the rule does not
    exist on a board with a region map.
    """

    labels: Labels
    needs_boxes: bool = False


Allowed = Callable[[int, int, int], bool]  # digits x, y and the size of the board


def differ(x: int, y: int, size: int) -> bool:
    """The most common relation: two related cells hold different digits."""
    return x != y


class Relation(NamedTuple):
    """What two related cells may hold.

    related: takes the distance of two cells in rows and in columns (0 or more each, not both 0) and
    returns whether the rule relates them. allowed: whether the upper (or left) cell may hold x
    while the other holds y, both 1..size.
    """

    related: Callable[[int, int], bool]
    allowed: Allowed = differ


def not_consecutive(x: int, y: int, size: int) -> bool:
    """Two related cells do not hold consecutive digits."""
    return abs(x - y) != 1


def not_both_highest(x: int, y: int, size: int) -> bool:
    """Two related cells do not both hold the highest digit."""
    return not x == y == size


def _box(board: Board, row: int, column: int) -> Iterable[Hashable]:
    if board.regions is not None:
        return (board.regions[row * board.size + column],)
    return ((row // board.box_rows, column // board.box_columns),)


def _diagonal(board: Board, row: int, column: int) -> Iterable[Hashable]:
    return ["falling"] * (row == column) + ["rising"] * (row + column == board.size - 1)


def _window(board: Board, row: int, column: int) -> Iterable[Hashable]:
    period = board.box_rows + 1
    on_border = row % period == 0 or column % period == 0
    return () if on_border else ((row // period, column // period),)


def _place(board: Board, row: int, column: int) -> Iterable[Hashable]:
    return ((row % board.box_rows, column % board.box_columns),)


CLASSIC = ("row", "column", "box")
STATEMENTS: dict[str, Houses | Relation] = {
    "row": Houses(lambda board, row, column: (row,)),
    "column": Houses(lambda board, row, column: (column,)),
    "box": Houses(_box),
    "diagonal": Houses(_diagonal),
    "windoku": Houses(_window, needs_boxes=True),
    "disjoint": Houses(_place, needs_boxes=True),
    "knight": Relation(lambda down, right: down * right == 2),
    "king": Relation(lambda down, right: down == right == 1),
    "nonconsecutive": Relation(lambda down, right: down + right == 1, not_consecutive),
    "antiqueen": Relation(lambda down, right: down == right, not_both_highest),
}


def require_statements(rules: Iterable[str]) -> None:
    """Raise `StatementError` if the witness has no statement of one of the rules.

    It is called when the solving part of satdoku is imported, because nothing would check a rule
    that only the encoder knows.
    """
    if missing := [name for name in rules if name not in STATEMENTS]:
        raise StatementError(f"satdoku.witness.rules has no statement of {', '.join(missing)}")


def statement(rule: str) -> Houses | Relation:
    """The statement of a rule; raises `StatementError` if it has none."""
    require_statements((rule,))
    return STATEMENTS[rule]


def checked_rules(rules: tuple[str, ...]) -> tuple[str, ...]:
    """All rules to check for a rule set: the classic houses first, then the extra rules."""
    return (*CLASSIC, *rules)


@lru_cache(maxsize=128)
def houses(board: Board, rule: str) -> tuple[Cells, ...]:
    """The houses of a rule on the board, cells ascending; empty if the rule is a relation."""
    said = statement(rule)
    members: dict[Hashable, list[int]] = {}
    if isinstance(said, Houses):
        for cell in range(board.cells):
            for label in said.labels(board, *divmod(cell, board.size)):
                members.setdefault(label, []).append(cell)
    return tuple(map(tuple, members.values()))


@lru_cache(maxsize=128)
def related_pairs(board: Board, rule: str) -> tuple[CellPair, ...]:
    """Pairs of cells (low, high) that a rule relates by a common house or by their distance."""
    said = statement(rule)
    if isinstance(said, Houses):
        return tuple(pair for house in houses(board, rule) for pair in combinations(house, 2))
    places = [(cell, *divmod(cell, board.size)) for cell in range(board.cells)]
    return tuple(
        (a, b)
        for (a, row, column), (b, lower_row, other_column) in combinations(places, 2)
        if said.related(lower_row - row, abs(other_column - column))
    )


def relation(rule: str) -> Allowed:
    """The function that says which digits two cells may hold if the rule relates them."""
    said = statement(rule)
    return differ if isinstance(said, Houses) else said.allowed


def allowed(rule: str, x: int, y: int, size: int) -> bool:
    """Whether two cells (low, high) that the rule relates may hold the digits x and y."""
    return relation(rule)(x, y, size)


@lru_cache(maxsize=128)
def forbidden_digits(rule: str, size: int) -> tuple[DigitPair, ...]:
    """The digits (x, y) that two cells (low, high) may not hold if the rule relates them."""
    digits = range(1, size + 1)
    return tuple((x, y) for x, y in product(digits, digits) if not allowed(rule, x, y, size))
