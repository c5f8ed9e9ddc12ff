"""Backtracking in plain Python, without a formula, a solver or an array: the slowest backend.

Invariant: what excludes what is taken from the witness alone.
"""

from __future__ import annotations

import platform
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import count, islice

from ...answers.query import Query
from ...model.board import Board
from ...model.grid import Grid
from ...model.puzzle import Puzzle
from ...runtime.errors import BudgetError
from ...witness.rules import stated
from ...witness.verify import violations
from . import UNLIMITED, Backend, Budget, struck_in

# For each cell and digit (0-based): the cells and the bits of their digits that it excludes.
Excluded = tuple[tuple[tuple[tuple[int, int], ...], ...], ...]


@dataclass(frozen=True)
class BacktrackingBackend(Backend):
    """Depth-first search that branches on the cell with the fewest digits left."""

    name: str = "plain"

    def load(self) -> str:
        return f"python {platform.python_version()}"

    def open(self, puzzle: Puzzle, encoding: str, budget: Budget = UNLIMITED) -> Query:
        return BacktrackingQuery(puzzle, budget)


class BacktrackingQuery(Query):
    """The tables of a rule set; each question is a new search."""

    def __init__(self, puzzle: Puzzle, budget: Budget) -> None:
        self._fixed, self._nodes = puzzle, budget.nodes
        excluded_by(puzzle.grid.board, puzzle.constraints.rules)

    def solutions(
        self, under: Puzzle | None = None, *, limit: int | None = None
    ) -> Iterator[bytes]:
        asked = under or self._fixed
        return islice(_each_once(search(asked, self._nodes), asked.grid.board.grid_cells), limit)


def _each_once(solutions: Iterator[bytes], grid_cells: int) -> Iterator[bytes]:
    """Those whose digits are new: layers may have several ways beside the same digits."""
    seen = set()
    for cells in solutions:
        if cells[:grid_cells] not in seen:
            seen.add(cells[:grid_cells])
            yield cells


def search(puzzle: Puzzle, nodes: int | None) -> Iterator[bytes]:
    """All solutions; raises `BudgetError` when `nodes` branches are not enough."""
    board, rules = puzzle.grid.board, puzzle.constraints.rules
    excluded = excluded_by(board, rules)
    wide = any(said.wide for said in stated(board, rules))  # tried only on full grids
    options = _options(puzzle)
    filled = [(cell, digit) for cell, digit in enumerate(puzzle.grid) if digit]
    if not all(options) or not all(_place(options, c, d - 1, excluded) for c, d in filled):
        return
    waiting = [(options, frozenset(cell for cell, _ in filled))]
    for node in count(1):
        if not waiting:
            return
        if nodes is not None and node > nodes:
            raise BudgetError(f"no answer within {nodes} nodes")
        options, done = waiting.pop()
        if len(done) == len(options):
            cells = bytes(map(int.bit_length, options))
            if not wide or not violations(Grid(cells, board), rules):
                yield cells
            continue
        cell = min(set(range(len(options))) - done, key=lambda c: options[c].bit_count())
        for digit in range(board.choices):
            branch = options.copy() if options[cell] >> digit & 1 else []
            if branch and _place(branch, cell, digit, excluded):
                waiting.append((branch, done | {cell}))


def _options(puzzle: Puzzle) -> list[int]:
    """The digits of each cell that are not struck, as bits."""
    board = puzzle.grid.board
    options = [(1 << board.choices) - 1] * board.cells
    for candidate in struck_in(puzzle):
        options[candidate // board.choices] &= ~(1 << candidate % board.choices)
    return options


def _place(options: list[int], cell: int, digit: int, excluded: Excluded) -> bool:
    """Put the digit in the cell and strike what it excludes; False where a cell is left empty."""
    options[cell] &= 1 << digit
    for other, bits in excluded[cell][digit]:
        options[other] &= ~bits
    return all(options)


@lru_cache(maxsize=16)
def excluded_by(board: Board, rules: tuple[str, ...]) -> Excluded:
    """For each cell and digit what they exclude elsewhere, by the witness's relations."""
    struck: list[list[dict[int, int]]] = [
        [{} for _ in range(board.choices)] for _ in range(board.cells)
    ]
    for said in stated(board, rules):
        for related in said.relations:
            for a, b in related.pairs:
                for x, y in related.forbidden(board.choices):
                    for cell, digit, other, excluded in ((a, x, b, y), (b, y, a, x)):
                        bits = struck[cell][digit - 1]
                        bits[other] = bits.get(other, 0) | 1 << (excluded - 1)
    return tuple(tuple(tuple(bits.items()) for bits in cell) for cell in struck)


def backends() -> Iterator[Backend]:
    """The one of this module."""
    yield BacktrackingBackend()
