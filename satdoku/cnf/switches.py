"""A formula whose clues can be switched on one by one.

Invariant: with the switches of some clues as assumptions, the clauses say what board and rules and
these clues say. A denial heeds every clue, whether it is switched on or not.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, count
from typing import NamedTuple

from ..model.constraints import Constraints, Family
from .encodings import encode
from .encodings.formula import Clause, Formula
from .encodings.groups import Fresh, excluded, pairwise, shaped, supported


class Switched(NamedTuple):
    """base: the formula of board and rules alone. clauses: its clauses, and those of the clues,
    each of which has its clue's switch. switches: for the text of each clue, its literal."""

    base: Formula
    clauses: tuple[Clause, ...]
    switches: dict[str, int]


def switched(constraints: Constraints) -> Switched:
    """The clauses of the constraints, with a switch for each clue."""
    base = encode(constraints.without_clues)
    clauses: list[Clause] = list(base.clauses)
    fresh = count(base.variables + 1).__next__
    switches = {text: fresh() for text in constraints.clue_texts}
    for family in constraints.families[len(base.constraints.families) :]:
        off = -switches[family.name]
        clauses += ((off, *clause) for clause in _said(family, constraints, fresh))
    return Switched(base, tuple(clauses), switches)


def _said(family: Family, constraints: Constraints, fresh: Fresh) -> Iterator[Clause]:
    """What a clue says, whether the rules or other clues say it too or not."""
    for group in family.groups:
        literals = tuple(candidate + 1 for candidate in group)
        yield literals
        yield from pairwise(literals)
    yield from map(excluded, family.pairs)
    more = chain(supported(family), shaped(constraints.board.size, (family,), fresh))
    yield from chain.from_iterable(part.clauses for part in more)
