"""The formula of a board and its rules as trees refute it: positive clauses and pairs.

Invariant: the form has the models of the restated formula, restricted to its variables, and unit
propagation finds in it what it finds there. A literal -x of a clause that is neither positive nor a
pair is a variable of its own, "not x": one of both is true, and they are a pair.

Variables count from 0 here: n*cell + digit - 1 is the candidate of a cell, n the digits of the
board. Clause c says that cell c holds a digit. The others follow by their literals in ascending
order, those with a variable "not x" too; these are numbered after all others, by x. A pair of a
variable with itself says that it is false.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from typing import NamedTuple

from ...model.board import Board
from ..proof import ProofError
from ..proof.formula import Clause, connections, restated
from ..proof.sums import Derived

MAX_CLAUSE = 256  # literals: a longer one would cost every state a row
MAX_CLAUSES = 1 << 17
MAX_CELLS, MAX_DIGITS = 4096, 255


class Positive(NamedTuple):
    """Clauses of variables of which one is true, and pairs of which one is false."""

    variables: int
    cells: int
    digits: int
    clauses: tuple[Clause, ...]
    pairs: tuple[tuple[int, int], ...]

    @property
    def literals(self) -> int:
        """How many its clauses have: the time of a split grows with it."""
        return sum(map(len, self.clauses))

    @property
    def flat(self) -> tuple[array[int], array[int]]:
        """The clauses, each behind its length, and the pairs."""
        clauses = array("i", (x for clause in self.clauses for x in (len(clause), *clause)))
        return clauses, array("i", (x for pair in self.pairs for x in pair))


def positive(board: Board, rules: tuple[str, ...], sums: tuple[Derived, ...] = ()) -> Positive:
    """The form of a board and rules, with sums in place of the equations that they name.

    Raises `ProofError` if no tree can refute it: under layers, where cells are connected, where
    clues need more or longer clauses than a state holds, and if a sum does not follow.
    """
    if board.cells > MAX_CELLS or board.choices > MAX_DIGITS:
        raise ProofError(f"trees take at most {MAX_CELLS} cells, and {MAX_DIGITS} digits")
    if board.layers or connections(board, rules, sums):
        raise ProofError("trees know neither layers nor cells that are connected")
    return positive_form(restated(board, rules, sums), board.cells, board.choices)


def positive_form(clauses: Iterable[Clause], cells: int, digits: int) -> Positive:
    """The form of clauses of signed literals from 1, of which the candidates are the first."""
    pairs: set[tuple[int, int]] = set()
    plain: set[Clause] = set()
    mixed: list[Clause] = []
    for clause in clauses:
        if min(clause, default=1) > 0:
            plain.add(tuple(sorted([x - 1 for x in clause])))
        elif len(clause) <= 2 and max(clause) < 0:
            low, high = -clause[0] - 1, -clause[-1] - 1
            pairs.add((low, high) if low < high else (high, low))
        else:
            mixed.append(clause)
    named = (max(map(abs, clause), default=0) for clause in mixed)
    known = (clause[-1] + 1 for clause in plain if clause)
    variables = max(cells * digits, *named, *known)
    denied = sorted({-x - 1 for clause in mixed for x in clause if x < 0})
    negation = {x: variables + place for place, x in enumerate(denied)}
    plain |= {tuple(sorted(x - 1 if x > 0 else negation[-x - 1] for x in c)) for c in mixed}
    plain |= {(x, negation[x]) for x in denied}
    pairs |= negation.items()
    if len(plain) > MAX_CLAUSES or max(map(len, plain)) > MAX_CLAUSE:
        raise ProofError("clues that need more or longer clauses than trees take")
    first = [tuple(range(digits * cell, digits * (cell + 1))) for cell in range(cells)]
    every = (*first, *sorted(plain.difference(first)))
    return Positive(variables + len(denied), cells, digits, every, tuple(sorted(pairs)))
