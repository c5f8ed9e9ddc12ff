"""At most one by bits: a true literal writes its number, and only one number can be written.

Source: A. M. Frisch, T. J. Peugniez, A. J. Doggett and P. Nightingale, Solving Non-Boolean
Satisfiability Problems with Stochastic Local Search, J. Automated Reasoning 35, 2005; the clauses
are PySAT's. A group of n > 2 takes b = ceil(log2 n) auxiliary variables and n*b clauses beside its
at-least-one: classic 9x9 has 2,025 variables and 11,988 clauses.
"""

from __future__ import annotations

from ...model.constraints import Constraints
from .cardinality import at_most_one
from .formula import Formula
from .groups import encode_groups


def encode(constraints: Constraints) -> Formula:
    """Every group at least one and, by the number of the true one, at most one."""
    return encode_groups(constraints, "bitwise", at_most_one("bitwise"))
