"""The minimal encoding: a digit in every cell, no digit twice in a house, and nothing that follows.

Source: I. Lynce and J. Ouaknine, Sudoku as a SAT Problem, AIMATH 2006 ("minimal encoding").
Counts for classic 9x9: 81 at-least-one clauses and 8,748 pairs as written, 8,829; 7,371 are
distinct. That a cell holds one digit only, and a house every digit, follows by counting, but not
by unit propagation: hidden singles stay hidden.
"""

from __future__ import annotations

from ...model.constraints import Constraints
from .formula import Formula
from .groups import encode_groups


def encode(constraints: Constraints) -> Formula:
    """At least one in cells, at most one in houses."""
    return encode_groups(constraints, "minimal", at_least_in_houses=False, at_most_in_cells=False)
