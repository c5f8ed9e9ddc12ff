"""A formula whose clues can be switched on one by one.

Invariant: with the switches of some clues as assumptions, the clauses say what board and rules and
these clues say. A denial heeds every clue, whether it is switched on or not.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, count
from typing import NamedTuple

from ..model.constraints import Constraints
from ..model.implied import houses_of, is_sums_alone, peers_of
from ..model.lowering import Family
from .encodings import encode
from .encodings.formula import Clause, Formula
from .encodings.groups import Fresh, excluded, pairwise, supported
from .encodings.shapes import Adder, shape_clauses
from .implied import total_clauses


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
    peers, houses = peers_of(base.constraints), houses_of(base.constraints)
    size = constraints.board.size

    def totals(family: Family) -> Iterator[Clause]:
        """With segments of its own: those of another clue are switched off with that clue."""
        return total_clauses(family.sums, houses, Adder(peers, size, fresh), fresh)

    for family in constraints.families[len(base.constraints.families) :]:
        off = -switches[family.name]
        wide = totals(family) if is_sums_alone(family) else _wide(family, size, fresh)
        clauses += ((off, *clause) for clause in chain(_narrow(family), wide))
    return Switched(base, tuple(clauses), switches)


def _narrow(family: Family) -> Iterator[Clause]:
    """What a clue says of one and two cells, whether the rules or other clues say it too or not."""
    for group in family.groups:
        literals = tuple(candidate + 1 for candidate in group)
        yield literals
        yield from pairwise(literals)
    yield from map(excluded, family.pairs)
    yield from chain.from_iterable(part.clauses for part in supported(family))


def _wide(family: Family, size: int, fresh: Fresh) -> Iterator[Clause]:
    return chain.from_iterable(shape_clauses(shape, size, fresh) for shape in family.shapes)
