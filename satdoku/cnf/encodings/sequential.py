"""At most one by the sequential counter: s[i] means "one of the first i literals is true".

Source: C. Sinz, Towards an Optimal CNF Encoding of Boolean Cardinality Constraints, CP 2005; the
clauses are PySAT's. A group of n > 2 takes n - 1 auxiliary variables and 3n - 4 clauses in addition
to its at-least-one clause; classic 9x9 has 3,321 variables and 7,776 clauses.
"""

from __future__ import annotations

from ...model.constraints import Constraints
from .cardinality import at_most_one
from .formula import Formula
from .groups import encode_groups


def encode(constraints: Constraints) -> Formula:
    """Encodes every group as at least one and, by a counter, at most one."""
    return encode_groups(constraints, "sequential", at_most_one("seqcounter"))
