"""The efficient encoding: exactly one digit in every cell, no digit twice in a house.

Source: T. Weber, A SAT-based Sudoku Solver, LPAR 2005 (short paper); the name is that of G. Kwon
and H. Jain. Counts for classic 9x9: 81 at-least-one clauses and 11,664 pairs make 11,745 clauses as
written; 10,287 are distinct. Unit propagation finds naked singles, but not hidden singles.
"""

from __future__ import annotations

from ...model.constraints import Constraints
from .formula import Formula
from .groups import encode_groups


def encode(constraints: Constraints) -> Formula:
    """Encodes exactly one digit in each cell, and each digit at most once in a house."""
    return encode_groups(constraints, "efficient", at_least_in_houses=False)
