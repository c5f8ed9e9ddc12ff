"""The order encoding: a variable means "the cell holds at most this digit".

Source: J. M. Crawford and A. B. Baker, Experimental Results on the Application of Satisfiability
Algorithms to Scheduling Problems, AAAI 1994; N. Tamura, A. Taga, S. Kitagawa and M. Banbara,
Compiling Finite Linear CSP into SAT, Constraints 14, 2009. As in their solver Sugar, each house has
disequalities and two clauses that place its smallest and its greatest digit; these two digits are
single literals.

Counts for classic 9x9: 8 variables per cell, 648 in all; 7 clauses per cell for the order, 9 for
each of the 810 pairs of peers and 2 for each of the 27 houses, 7,911 in all.
"""

from __future__ import annotations

from ...model.constraints import Constraints
from .formula import Clause, CodedFormula
from .integers import integer_families


class OrderFormula(CodedFormula):
    """A CNF whose variable (size - 1)*cell + d means "the cell holds at most d", d = 1..size-1."""

    def legend(self) -> tuple[str, ...]:
        n = self.constraints.board.size
        return (
            f"variable {n * (n - 1)}*row + {n - 1}*column + digit (row, column from 0; digit from 1"
            f" to {n - 1}):",
            "  true where the cell holds at most that digit",
        )

    def in_words(self, literal: int) -> str:
        cell, bound = divmod(abs(literal) - 1, self.constraints.board.size - 1)
        sign = "≤" if literal > 0 else ">"
        return f"{self.constraints.board.name_of(cell)}{sign}{bound + 1}"


def encode(constraints: Constraints) -> OrderFormula:
    """Encodes the order of each cell's variables, and a clause per digit for two related cells."""
    size, cells = constraints.board.size, constraints.board.cells
    bounds = size - 1
    codes = [
        _is(digit, size, bounds * cell) for cell in range(cells) for digit in range(1, size + 1)
    ]
    ranges = (
        (-(bounds * cell + digit), bounds * cell + digit + 1)
        for cell in range(cells)
        for digit in range(1, bounds)
    )
    families = integer_families(constraints, codes, ranges)
    return OrderFormula(constraints, "order", families, bounds * cells, codes=codes)


def _is(digit: int, size: int, offset: int) -> Clause:
    """The literals of a candidate: at most the digit, and not at most the digit before it."""
    at_most = (offset + digit,) if digit < size else ()
    at_least = (-(offset + digit - 1),) if digit > 1 else ()
    return at_most + at_least
