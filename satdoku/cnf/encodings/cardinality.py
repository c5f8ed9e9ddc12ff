"""PySAT's at-most-one encodings, as functions of literals and fresh variables.

Invariant: PySAT is called once for each encoding and number of literals. Its clauses are a pattern;
every group of that length fills it in with its own literals and fresh variables.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from .formula import Clause
from .groups import AtMostOne, Fresh


def at_most_one(kind: str) -> AtMostOne:
    """The encoding that PySAT's `EncType` calls `kind`."""

    def encode(literals: Sequence[int], fresh: Fresh) -> Iterable[Clause]:
        clauses, auxiliary = _pattern(kind, len(literals))
        own = [*literals, *(fresh() for _ in range(auxiliary))]
        of = [0, *own, *(-literal for literal in reversed(own))]  # of[-k] is the negation of of[k]
        return (tuple(of[literal] for literal in clause) for clause in clauses)

    return encode


@lru_cache(maxsize=64)
def _pattern(kind: str, length: int) -> tuple[list[list[int]], int]:
    """Clauses for literals 1 to length, and how many variables from length + 1 on they use."""
    from pysat.card import CardEnc, EncType

    literals = list(range(1, length + 1))
    cnf = CardEnc.atmost(lits=literals, bound=1, top_id=length, encoding=getattr(EncType, kind))
    return cnf.clauses, max(cnf.nv - length, 0)
