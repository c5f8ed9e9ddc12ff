"""At most one by commanders: pairwise in squads of three, and at most one squad's commander.

Source: W. Klieber and G. Kwon, Efficient CNF Encoding for Selecting 1 from N Objects, CFV 2007,
with squads of three, which they found best. They add a clause "a true commander has a true literal
under it" to get exactly one; here the group's own at-least-one clause does that.

A group of nine takes 3 auxiliary variables and 21 clauses in addition to its at-least-one clause; a
box and a row share the clauses of three cells. Classic 9x9 has 1,701 variables and 6,399 distinct
clauses. Below six literals, pairwise needs no variables and no more clauses, so the formula of a
4x4 board equals that of the extended encoding.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ...model.constraints import Constraints
from .formula import Clause, Formula
from .groups import Fresh, encode_groups, pairwise

UNDER_ONE = 3  # literals under a commander
FEW = 5  # up to this many literals, pairwise is as good


def encode(constraints: Constraints) -> Formula:
    """Encodes every group as at least one and, by commanders, at most one."""
    return encode_groups(constraints, "commander", at_most_one)


def at_most_one(literals: Sequence[int], fresh: Fresh) -> Iterator[Clause]:
    """Clauses on the literals, then on their commanders, then on the commanders of those."""
    if len(literals) <= FEW:
        yield from pairwise(literals, fresh)
        return
    commanders = []
    for start in range(0, len(literals), UNDER_ONE):
        squad = literals[start : start + UNDER_ONE]
        yield from pairwise(squad, fresh)
        # A squad of one literal needs no commander: the literal is its own.
        commanders.append(fresh() if len(squad) > 1 else squad[0])
        yield from _obey(squad, commanders[-1])
    yield from at_most_one(commanders, fresh)


def _obey(squad: Sequence[int], commander: int) -> Iterable[Clause]:
    return ((-literal, commander) for literal in squad if literal != commander)
