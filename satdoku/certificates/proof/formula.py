"""The formula of a board and its rules, stated a second time to check certificates.

Invariant: it is restated from `witness.rules`; neither the encoder nor `Constraints` is read. So a
certificate with the encoder's formula also checks the encoder, clause by clause.

Variable size*size*row + size*column + digit is true if the digit is in the cell.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations, count, product
from typing import TYPE_CHECKING

from ...errors import SatdokuError
from ...model.board import Board
from ...witness.clues import STATEMENTS as CLUES
from ...witness.rules import CLASSIC, STATEMENTS, Houses, Related, Stated, stated
from . import ProofError
from .rup import split
from .wide import clauses_of

if TYPE_CHECKING:
    from . import Ints

Clause = tuple[int, ...]


@lru_cache(maxsize=16)
def restated(board: Board, rules: tuple[str, ...]) -> frozenset[Clause]:
    """All clauses, literals ascending: each cell has exactly one digit, each house has each digit
    exactly once, related cells hold no two digits that the rule forbids, and a clue's two cells
    hold compatible digits.

    Raises `ProofError` for an unknown rule or one that does not fit the board.
    """
    everything = _stated(board, rules)
    for said in everything:
        _check_fits(board, said)
    groups = list(_groups(board, everything))
    clauses = {tuple(sorted(group)) for group in groups}
    clauses |= {(-b, -a) for group in groups for a, b in combinations(sorted(group), 2)}
    auxiliary = count(board.variables + 1)
    for said in everything:
        for related in said.told:
            clauses |= _forbidding(related, board.size)
            if related.relation is None:
                clauses |= _supporting(related, board.size)
        for part in said.wide:
            wide = clauses_of(part, board.size, auxiliary.__next__)
            clauses |= {tuple(sorted(clause)) for clause in wide}
    return frozenset(clauses)


def variables_of(clauses: Iterable[Clause], board: Board) -> int:
    """The candidates and the auxiliary variables of clauses."""
    return max(board.variables, max((abs(x) for clause in clauses for x in clause), default=0))


def _stated(board: Board, rules: tuple[str, ...]) -> tuple[Stated, ...]:
    named = STATEMENTS.keys() - {*CLASSIC}
    for rule in rules:
        kind = re.split("[=:]", rule, maxsplit=1)[0]
        if rule not in named and kind not in CLUES:
            known = ", ".join([*sorted(named), *sorted(CLUES)])
            raise ProofError(f"rule {rule[:40]!a}: the checker knows {known}")
    try:
        return stated(board, rules)
    except (SatdokuError, ValueError, IndexError) as error:  # a value that its kind does not take
        raise ProofError(f"clue that cannot be read: {error}") from None


def _check_fits(board: Board, said: Stated) -> None:
    """Also for rows, columns and boxes: no certificate may bring a board that nothing fits."""
    rule = STATEMENTS.get(said.rule)
    sizes = {len(house) for house in said.houses}
    has_boxes = board.regions is None and board.has_boxes
    lacks_boxes = isinstance(rule, Houses) and rule.needs_boxes and not has_boxes
    if sizes - {board.size} or lacks_boxes or (isinstance(rule, Houses) and not sizes):
        raise ProofError(f"rule '{said.rule}' does not fit the board")


def _groups(board: Board, everything: Iterable[Stated]) -> Iterator[list[int]]:
    """Sets of variables of which exactly one is true: of a cell, and of a house and a digit."""
    digits = range(1, board.size + 1)
    for cell in range(board.cells):
        yield [board.size * cell + digit for digit in digits]
    for said in everything:
        for house, digit in product(said.houses, digits):
            yield [board.size * cell + digit for cell in house]


def _forbidding(related: Related, size: int) -> set[Clause]:
    """For each two digits that two cells may not hold, the clause that says so."""
    return {
        tuple(sorted({-size * a - x, -size * b - y}))
        for a, b in related.pairs
        for x, y in related.forbidden(size)
        if a != b or x == y
    }


def _supporting(related: Related, size: int) -> set[Clause]:
    """For each digit of one cell the clause that the other cell holds one that goes with it; left
    out where that follows from one forbidden pair."""
    digits = range(1, size + 1)
    clauses = set()
    for first, second in related.pairs:
        for a, b, holds in (
            (first, second, related.holds),
            (second, first, lambda x, y: related.holds(y, x)),
        ):
            for x in digits:
                partners = [size * b + y for y in digits if holds(x, y)]
                if a != b and len(partners) < size - 1:
                    clauses.add((-size * a - x, *partners))
    return clauses


def difference(variables: int, clauses: Ints, board: Board, rules: tuple[str, ...]) -> str | None:
    """How clauses differ from those of the board and the rules; None if they are the same set.

    A single clause more could make any puzzle unsatisfiable.
    """
    stated = {tuple(sorted(clause)) for clause in split(clauses) if clause is not None}
    expected = restated(board, rules)
    if variables != variables_of(expected, board):
        return f"the CNF has {variables} variables: expected {variables_of(expected, board)}"
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
