"""The minimal encoding: a digit in every cell, no digit twice in a house, no redundant clauses.

Source: I. Lynce and J. Ouaknine, Sudoku as a SAT Problem, AIMATH 2006 ("minimal encoding").
Counts for classic 9x9: 81 at-least-one clauses and 8,748 pairs make 8,829 clauses as written; 7,371
are distinct. It follows by counting that a cell holds only one digit and a house every digit, but
unit propagation does not find this, so it misses hidden singles.
"""

from __future__ import annotations

from ...model.constraints import Constraints
from .formula import Formula
from .groups import encode_groups


def encode(constraints: Constraints) -> Formula:
    """Encodes at least one digit in each cell, and each digit at most once in a house."""
    return encode_groups(constraints, "minimal", at_least_in_houses=False, at_most_in_cells=False)
