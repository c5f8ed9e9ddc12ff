"""The slowest backend: backtracking in plain Python, without a formula, a solver or an array.

Invariant: which digits exclude each other is taken from `verify` alone.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import permutations

from ...model.board import Board
from ...model.grid import Grid
from ...witness.rules import checked_rules, forbidden_digits, related_pairs

# For each cell and digit (0-based): the cells and the bits of their digits that it excludes.
Excluded = tuple[tuple[tuple[tuple[int, int], ...], ...], ...]


def search(
    puzzle: Grid, rules: tuple[str, ...], limit: int, nodes: int
) -> tuple[frozenset[bytes], bool]:
    """Solutions, at most `limit`, and whether the search ended before `nodes` digits were tried."""
    excluded = _excluded(puzzle.board, rules)
    options = [(1 << puzzle.board.size) - 1] * len(puzzle)
    for cell, digit in enumerate(puzzle):
        if digit and not _place(options, cell, digit - 1, excluded):
            return frozenset(), True
    found: set[bytes] = set()
    waiting = [(options, frozenset(cell for cell, digit in enumerate(puzzle) if digit))]
    while waiting and len(found) < limit:
        nodes -= 1
        if nodes < 0:
            return frozenset(found), False
        options, done = waiting.pop()
        if len(done) == len(options):
            found.add(bytes(map(int.bit_length, options)))
            continue
        cell = min(set(range(len(options))) - done, key=lambda c: options[c].bit_count())
        for digit in range(puzzle.board.size):
            branch = options.copy() if options[cell] >> digit & 1 else []
            if branch and _place(branch, cell, digit, excluded):
                waiting.append((branch, done | {cell}))
    return frozenset(found), True


def _place(options: list[int], cell: int, digit: int, excluded: Excluded) -> bool:
    """Put the digit in the cell and strike what it excludes; False where a cell is left empty."""
    options[cell] &= 1 << digit
    for other, bits in excluded[cell][digit]:
        options[other] &= ~bits
    return all(options)


@lru_cache(maxsize=16)
def _excluded(board: Board, rules: tuple[str, ...]) -> Excluded:
    struck: list[list[dict[int, int]]] = [
        [{} for _ in range(board.size)] for _ in range(board.cells)
    ]
    for rule in checked_rules(rules):
        for pair in related_pairs(board, rule):
            for digits in forbidden_digits(rule, board.size):
                for (cell, x), (other, y) in permutations(zip(pair, digits, strict=True)):
                    bits = struck[cell][x - 1]
                    bits[other] = bits.get(other, 0) | 1 << y - 1
    return tuple(tuple(tuple(bits.items()) for bits in cell) for cell in struck)
