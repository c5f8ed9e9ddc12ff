"""At most one by the ladder: its rungs are true up to one place, that of the true literal.

Source: I. P. Gent and P. Nightingale, A New Encoding of AllDifferent into SAT, ModRef 2004; the
"regular" encoding of C. Ansótegui and F. Manyà, SAT 2004, is the same; the clauses are PySAT's. A
group of n > 2 takes n + 1 auxiliary variables and 4n clauses in addition to its at-least-one
clause; classic 9x9 has 3,969 variables and 11,988 clauses.
"""

from __future__ import annotations

from ...model.constraints import Constraints
from .cardinality import at_most_one
from .formula import Formula
from .groups import encode_groups


def encode(constraints: Constraints) -> Formula:
    """Encodes every group as at least one and, by a ladder, at most one."""
    return encode_groups(constraints, "ladder", at_most_one("ladder"))
