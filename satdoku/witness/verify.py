"""The witness that needs no solver: does a grid obey its rules?

Invariant: the rules are restated here by coordinates, in other words than `rules` and without
reading it, so that a mistake there cannot hide here. Of `board` only the size, the box shape and
the region map are taken. Houses are told by labelling each cell, chess moves by the distance of
two.

Because every house has as many cells as there are digits, "all cells hold a digit and no two cells
of a house hold the same one" is the whole of Sudoku; so pairs of cells are all that is checked.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import lru_cache
from itertools import combinations
from operator import eq, itemgetter
from typing import TYPE_CHECKING, NamedTuple

from ..model.board import Board, CellPair, Cells
from ..model.grid import Grid

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Labels = Callable[[Board, int, int], Iterable[Hashable]]
Distance = Callable[[int, int], bool]


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


# Houses: the labels of those that hold the cell at (row, column).
HOUSES: dict[str, Labels] = {
    "row": lambda board, row, column: (row,),
    "column": lambda board, row, column: (column,),
    "box": _box,
    "diagonal": _diagonal,
    "windoku": _window,
    "disjoint": lambda board, row, column: ((row % board.box_rows, column % board.box_columns),),
}
# Moves: whether cells so many rows and columns apart (not both 0) are related ...
MOVES: dict[str, Distance] = {
    "knight": lambda down, right: down * right == 2,
    "king": lambda down, right: down == right == 1,
    "nonconsecutive": lambda down, right: down + right == 1,
    "antiqueen": lambda down, right: down == right,
}
CLASSIC = ("row", "column", "box")
BLOCK = 4096  # grids that `solves_many` takes at once: their bits stay in the cache


NOT_INEQUALITIES = frozenset({"nonconsecutive", "antiqueen"})
Getter = Callable[[bytes], tuple[int, ...]]


def allowed(rule: str, x: int, y: int, size: int) -> bool:
    """... and whether two related cells may hold the digits x and y."""
    if rule == "nonconsecutive":
        return abs(x - y) != 1
    if rule == "antiqueen":
        return x != size or y != size
    return x != y


class Violation(NamedTuple):
    """Two cells (0-based) whose digits break a rule, or a house kind row, column or box."""

    rule: str
    first: int
    second: int

    def describe(self, grid: Grid) -> str:
        """In words: `r1c1=5 and r1c7=5 break the row rule`."""
        first, second = (f"{grid.board.name_of(c)}={grid[c]}" for c in (self.first, self.second))
        return f"{first} and {second} break the {self.rule} rule"


def checked_rules(rules: tuple[str, ...]) -> tuple[str, ...]:
    """What is to be checked for a rule set: the houses, then every rule that is no region map."""
    return (*CLASSIC, *(rule for rule in rules if not rule.startswith("jigsaw")))


@lru_cache(maxsize=128)
def houses(board: Board, rule: str) -> tuple[Cells, ...]:
    """The houses that a rule has on the board (none for a chess move), cells ascending."""
    members: dict[Hashable, list[int]] = {}
    if rule in HOUSES:
        for cell in range(board.cells):
            for label in HOUSES[rule](board, *divmod(cell, board.size)):
                members.setdefault(label, []).append(cell)
    return tuple(map(tuple, members.values()))


@lru_cache(maxsize=128)
def related_pairs(board: Board, rule: str) -> tuple[CellPair, ...]:
    """Pairs of cells (low, high) that the rule relates, by a house or by a move."""
    if rule in HOUSES:
        return tuple(pair for house in houses(board, rule) for pair in combinations(house, 2))
    related = MOVES[rule]
    places = [(cell, *divmod(cell, board.size)) for cell in range(board.cells)]
    return tuple(
        (a, b)
        for (a, row, column), (b, lower_row, other_column) in combinations(places, 2)
        if related(lower_row - row, abs(other_column - column))
    )


def violations(grid: Grid, rules: tuple[str, ...]) -> list[Violation]:
    """Every pair of filled cells that breaks a rule; empty cells break none."""
    return list(_violations(grid, rules))


def first_violation(grid: Grid, rules: tuple[str, ...]) -> Violation | None:
    """The first of `violations`, without a look at the others; None where there is none."""
    return next(_violations(grid, rules), None)


def _violations(grid: Grid, rules: tuple[str, ...]) -> Iterator[Violation]:
    cells, size = grid.cells, grid.board.size
    return (
        Violation(rule, a, b)
        for rule in checked_rules(rules)
        if not _keeps_inequality(rule, grid)
        for a, b in related_pairs(grid.board, rule)
        if cells[a] and cells[b] and not allowed(rule, cells[a], cells[b], size)
    )


def _keeps_inequality(rule: str, grid: Grid) -> bool:
    """Whether the rule is "related cells differ" and all do: most grids, by C iterators alone."""
    if rule in NOT_INEQUALITIES:
        return False
    firsts, seconds = _pair_getters(grid.board, rule)
    return not any(map(eq, firsts(grid.cells), seconds(grid.cells)))


@lru_cache(maxsize=128)
def _pair_getters(board: Board, rule: str) -> tuple[Getter, Getter]:
    """Functions that pick the first and the second cell of every related pair."""
    firsts, seconds = zip(*related_pairs(board, rule), strict=True)
    return itemgetter(*firsts), itemgetter(*seconds)


def solves(solution: Grid, puzzle: Grid, rules: tuple[str, ...]) -> bool:
    """Whether `solution` is complete, keeps the puzzle's givens and breaks no rule."""
    keeps = all(given in (0, digit) for given, digit in zip(puzzle, solution, strict=True))
    return keeps and solution.is_complete and not violations(solution, rules)


def solves_many(
    solutions: NDArray[np.uint8],
    puzzles: NDArray[np.uint8],
    rules: tuple[str, ...],
    board: Board,
) -> NDArray[np.bool_]:
    """`solves` for arrays: (N, cells) uint8 solutions and puzzles to (N,) bool."""
    import numpy as np

    good = np.ones(len(solutions), dtype=np.bool_)
    for start in range(0, len(solutions), BLOCK):
        part = slice(start, start + BLOCK)
        good[part] = _obey(solutions[part], rules, board)
        lost = (puzzles[part] != solutions[part]) & (puzzles[part] != 0)
        if lost.any():  # rare, and reducing by rows is slow
            good[part] &= ~lost.any(axis=1)
    return good


def _obey(solutions: NDArray[np.uint8], rules: tuple[str, ...], board: Board) -> NDArray[np.bool_]:
    """Whether each grid of a block is complete and breaks no rule, (N,) bool.

    A cell a row, so that each step is one long operation on all grids: a house is good if the union
    of its digits, as bits, is everything.
    """
    import numpy as np

    digits = solutions.T.copy()  # a single row's transpose would be contiguous as it is
    digits[digits > board.size] = 0  # bit 0 belongs to no digit
    bits = np.left_shift(1, digits, dtype=np.uint32 if board.size > 15 else np.uint16)
    everything = (1 << (board.size + 1)) - 2
    good = np.ones(len(solutions), dtype=np.bool_)
    for rule in checked_rules(rules):
        for house in houses(board, rule):
            union = bits[house[0]].copy()
            for cell in house[1:]:
                union |= bits[cell]
            good &= union == everything
        if rule in MOVES:
            for a, b in related_pairs(board, rule):
                good &= _allowed_many(rule, digits[a], digits[b], board.size)
    return good


def clash_many(
    puzzles: NDArray[np.uint8], rules: tuple[str, ...], board: Board
) -> NDArray[np.bool_]:
    """Whether two givens of each puzzle break a rule: (N, cells) uint8 to (N,) bool."""
    import numpy as np

    digits = np.ascontiguousarray(puzzles.T)
    bits = np.left_shift(1, digits, dtype=np.uint32) & ~np.uint32(1)  # none for an empty cell
    clash = np.zeros(len(puzzles), dtype=np.bool_)
    for rule in checked_rules(rules):
        for house in houses(board, rule):
            seen = bits[house[0]].copy()
            for cell in house[1:]:
                clash |= (seen & bits[cell]) > 0
                seen |= bits[cell]
        if rule in MOVES:
            for a, b in related_pairs(board, rule):
                x, y = digits[a], digits[b]
                clash |= (x > 0) & (y > 0) & ~_allowed_many(rule, x, y, board.size)
    return clash


def _allowed_many(
    rule: str, x: NDArray[np.uint8], y: NDArray[np.uint8], size: int
) -> NDArray[np.bool_]:
    """`allowed` for arrays (N,) of digits."""
    allowed: NDArray[np.bool_] = x != y
    if rule == "nonconsecutive":
        allowed = (x != y + 1) & (y != x + 1)
    elif rule == "antiqueen":
        allowed = (x != size) | (y != size)
    return allowed
