"""The formula of a board and its rules, stated a second time to check certificates.

Invariant: it is restated from `witness.rules`; neither the encoder nor `Constraints` is read. So a
certificate with the encoder's formula also checks the encoder, clause by clause.

Variable size*size*row + size*column + digit is true if the digit is in the cell.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations, product
from typing import TYPE_CHECKING

from ...model.board import Board
from ...witness.rules import CLASSIC, STATEMENTS, Houses, forbidden_digits, houses, related_pairs
from . import ProofError
from .rup import split

if TYPE_CHECKING:
    from . import Ints

Clause = tuple[int, ...]


@lru_cache(maxsize=16)
def restated(board: Board, rules: tuple[str, ...]) -> frozenset[Clause]:
    """All clauses, literals ascending: each cell has exactly one digit, each house has each digit
    exactly once, and related cells hold no two digits that the rule forbids.

    Raises `ProofError` for an unknown rule or one that does not fit the board.
    """
    for rule in rules:
        _check_known(rule)
    for rule in (*CLASSIC, *rules):
        _check_fits(board, rule)
    groups = list(_groups(board, (*CLASSIC, *rules)))
    clauses = {tuple(sorted(group)) for group in groups}
    clauses |= {(-b, -a) for group in groups for a, b in combinations(sorted(group), 2)}
    for rule in rules:
        if not isinstance(STATEMENTS[rule], Houses):
            banned = forbidden_digits(rule, board.size)
            for a, b in related_pairs(board, rule):
                clauses |= {(-board.size * b - y, -board.size * a - x) for x, y in banned}
    return frozenset(clauses)


def _check_known(rule: str) -> None:
    known = STATEMENTS.keys() - {*CLASSIC}
    if rule not in known:
        raise ProofError(f"rule {rule[:40]!a}: the checker knows {', '.join(sorted(known))}")


def _check_fits(board: Board, rule: str) -> None:
    """Also for rows, columns and boxes: no certificate may bring a board that nothing fits."""
    said = STATEMENTS[rule]
    if not isinstance(said, Houses):
        return
    sizes = {len(house) for house in houses(board, rule)}
    if sizes != {board.size} or (said.needs_boxes and board.regions is not None):
        raise ProofError(f"rule '{rule}' does not fit the board")


def _groups(board: Board, rules: Iterable[str]) -> Iterator[list[int]]:
    """Sets of variables of which exactly one is true: of a cell, and of a house and a digit."""
    digits = range(1, board.size + 1)
    for cell in range(board.cells):
        yield [board.size * cell + digit for digit in digits]
    for rule in rules:
        for house, digit in product(houses(board, rule), digits):
            yield [board.size * cell + digit for cell in house]


def difference(variables: int, clauses: Ints, board: Board, rules: tuple[str, ...]) -> str | None:
    """How clauses differ from those of the board and the rules; None if they are the same set.

    A single clause more could make any puzzle unsatisfiable.
    """
    if variables != board.variables:
        return f"the CNF has {variables} variables: expected {board.variables}"
    stated = {tuple(sorted(clause)) for clause in split(clauses) if clause is not None}
    expected = restated(board, rules)
    if extra := stated - expected:
        return f"the CNF has {len(extra)} clauses that the rules do not state, such as {min(extra)}"
    if missing := expected - stated:
        return f"the CNF lacks {len(missing)} clauses of the rules, such as {min(missing)}"
    return None


def givens(cells: bytes, board: Board) -> Ints:
    """The unit clauses of a puzzle's givens."""
    return array("i", (n for literal in _true(cells, board) for n in (literal, 0)))


def blocking(solutions: Iterable[bytes], board: Board) -> Ints:
    """For each solution the clause that excludes it."""
    clauses = array("i")
    for cells in solutions:
        clauses.extend(-literal for literal in _true(cells, board))
        clauses.append(0)
    return clauses


def _true(cells: bytes, board: Board) -> Iterator[int]:
    return (board.size * cell + digit for cell, digit in enumerate(cells) if digit)


def format_formula(variables: int, clauses: Ints) -> str:
    """DIMACS text; `steps.parse_formula` reads it back."""
    lines = " ".join(map(str, clauses)).replace(" 0 ", " 0\n")
    return f"p cnf {variables} {clauses.count(0)}\n{lines}\n"
