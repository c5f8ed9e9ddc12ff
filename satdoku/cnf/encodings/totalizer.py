"""At most one by the totalizer: a tree of unary sums whose root forbids a sum of two or more.

Source: O. Bailleux and Y. Boufkhad, Efficient CNF Encoding of Boolean Cardinality Constraints, CP
2003; the clauses are PySAT's, which count in full and then forbid the sum of two. A group of nine
takes 29 auxiliary variables and 66 clauses in addition to its at-least-one clause; classic 9x9 has
10,125 variables and 21,708 clauses.
"""

from __future__ import annotations

from ...model.constraints import Constraints
from .cardinality import at_most_one
from .formula import Formula
from .groups import encode_groups


def encode(constraints: Constraints) -> Formula:
    """Encodes every group as at least one and, by unary sums, at most one."""
    return encode_groups(constraints, "totalizer", at_most_one("totalizer"))
