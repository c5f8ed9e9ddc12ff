"""The common part of all encodings with one integer per cell.

Invariant: there are no candidate variables and no auxiliary variables. A forbidden pair is one
clause: the negation of both candidates' literals. If a constraint cannot be written with the
integers' literals, it is omitted only if it follows from the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, compress, islice
from operator import neg, not_

from ...model.constraints import Constraints, Family
from ...model.rules import CandidatePair
from .formula import Clause, ClauseFamily, EncodingError
from .groups import CELL, follow_from_cells, named


def integer_families(
    constraints: Constraints, codes: Sequence[Clause], ranges: Iterable[Clause]
) -> tuple[ClauseFamily, ...]:
    """All clauses: `ranges` keeps the integers in bounds; `codes` are the candidates' literals."""
    if constraints.is_wide:
        wide = next(family.name for family in constraints.families if family.shapes)
        raise EncodingError(f"integer encodings cannot express the clue {wide}")
    families = [ClauseFamily("cell: in range", tuple(ranges))]
    denials = [tuple(map(neg, code)) for code in codes]
    written: dict[CandidatePair, None] = {}
    for family in constraints.families:
        if family.name == CELL:  # an integer always is exactly one digit
            continue
        before = len(written)
        written.update(dict.fromkeys(_pairs(family, constraints.board.size)))
        new = islice(written, before, None)
        at_most = tuple(denials[a] + denials[b] if a != b else denials[a] for a, b in new)
        families += named(family.name, tuple(_at_least(constraints, family, codes)), at_most)
    return tuple(family for family in families if family.clauses)


def _pairs(family: Family, size: int) -> Iterator[CandidatePair]:
    """The pairs that the family forbids, without those that one integer excludes anyway."""
    return ((a, b) for a, b in family.exclusions if a // size != b // size or a == b)


def _at_least(
    constraints: Constraints, family: Family, codes: Sequence[Clause]
) -> Iterator[Clause]:
    """The "at least one" clause of each group whose candidates are single literals."""
    open_groups = compress(family.groups, map(not_, follow_from_cells(constraints, family)))
    if any(len(codes[candidate]) != 1 for candidate in chain.from_iterable(open_groups)):
        raise EncodingError(f"integer encodings cannot express the groups of '{family.name}'")
    for group in family.groups:
        literals = [codes[candidate] for candidate in group]
        if all(len(code) == 1 for code in literals):
            yield tuple(chain.from_iterable(literals))
