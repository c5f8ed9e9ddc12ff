"""At most one by bits: a true literal sets the bits to its number, so only one can be true.

Source: A. M. Frisch, T. J. Peugniez, A. J. Doggett and P. Nightingale, Solving Non-Boolean
Satisfiability Problems with Stochastic Local Search, J. Automated Reasoning 35, 2005; the clauses
are PySAT's. A group of n > 2 takes b = ceil(log2 n) auxiliary variables and n*b clauses in addition
to its at-least-one clause; classic 9x9 has 2,025 variables and 11,988 clauses.
"""

from __future__ import annotations

from ...model.constraints import Constraints
from .cardinality import at_most_one
from .formula import Formula
from .groups import encode_groups


def encode(constraints: Constraints) -> Formula:
    """Encodes every group as at least one and, by the number of the true literal, at most one."""
    return encode_groups(constraints, "bitwise", at_most_one("bitwise"))
