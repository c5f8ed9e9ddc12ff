"""The common part of all encodings with one variable per candidate.

Invariant: an at-most-one encoding is a function that takes literals and a source of fresh variables
and returns clauses. It knows neither cells nor solvers. These encodings differ only in this
function and in the implied clauses that they omit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, combinations, count, islice
from operator import neg

from ... import limits
from ...model.constraints import Constraints, Family
from ...model.rules import CandidatePair
from .formula import Clause, ClauseFamily, Formula

Fresh = Callable[[], int]
CELL = "cell"  # the family of `Constraints` that gives each cell one digit
AtMostOne = Callable[[Sequence[int], Fresh], Iterable[Clause]]


def pairwise(literals: Sequence[int], fresh: Fresh | None = None) -> Iterable[Clause]:
    """At most one, as n(n-1)/2 binary clauses without fresh variables; standard iterators in C."""
    return combinations(map(neg, literals), 2)


def encode_groups(
    constraints: Constraints,
    encoding: str,
    at_most_one: AtMostOne = pairwise,
    *,
    at_least_in_houses: bool = True,
    at_most_in_cells: bool = True,
) -> Formula:
    """At least one and at most one for every group, and a binary clause for every other pair.

    If several families state a clause, the first of them gets it. You may switch off either option
    or both: the clauses that are then omitted follow from the rest.
    """
    fresh = count(constraints.variables + 1)
    # Pairwise states every pair of a group, so `written` already has a rule's pair inside a group.
    loose = None if at_most_one is pairwise else loose_pairs(constraints)
    written: dict[Clause, None] = {}  # in insertion order, so the first family keeps its clause
    families: list[ClauseFamily] = []
    for family in constraints.families:
        limits.check()
        groups = [tuple(candidate + 1 for candidate in group) for group in family.groups]
        if at_least_in_houses or family.name == CELL:
            at_least = tuple(groups)
        else:
            implied = follow_from_cells(constraints, family)
            at_least = tuple(g for g, follows in zip(groups, implied, strict=True) if not follows)
        before = len(written)
        if at_most_in_cells or family.name != CELL:
            stated = chain.from_iterable(at_most_one(group, fresh.__next__) for group in groups)
            written.update(dict.fromkeys(stated))
        pairs = (pair for pair in family.pairs if loose is None or pair in loose)
        written.update(dict.fromkeys(map(excluded, pairs)))
        families += named(family.name, at_least, tuple(islice(written, before, None)))
        families += supported(family)
    families += shaped(constraints.board.size, constraints.families, fresh.__next__)
    return Formula(constraints, encoding, tuple(families), next(fresh) - 1)


def with_clues(base: Formula, constraints: Constraints) -> Formula | None:
    """The formula of the constraints, made from that of their board and rules alone.

    None if a clue has groups, which may overlap others, or if families were made by hand.
    """
    known = len(base.constraints.families)
    clues = constraints.families[known:]
    if constraints.families[:known] != base.constraints.families or any(f.groups for f in clues):
        return None
    fresh = count(base.variables + 1)
    stated = base.constraints.excluded
    added: set[CandidatePair] = set()
    families = list(base.families)
    for family in clues:
        limits.check()
        new = [pair for pair in family.pairs if pair not in stated and pair not in added]
        added.update(new)
        families += named(family.name, (), tuple(map(excluded, new)))
        families += supported(family)
    families += shaped(constraints.board.size, clues, fresh.__next__)
    return Formula(constraints, base.encoding, tuple(families), next(fresh) - 1)


def loose_pairs(constraints: Constraints) -> frozenset[CandidatePair]:
    """The forbidden pairs that are not inside a group; classic rules have none, so this is fast."""
    return frozenset(
        constraints.pairs if any(family.pairs for family in constraints.families) else ()
    )


def excluded(pair: CandidatePair) -> Clause:
    """The clause of a forbidden pair; a candidate paired with itself is false."""
    a, b = pair
    return (-a - 1, -b - 1) if a != b else (-a - 1,)


def supported(family: Family) -> Iterator[ClauseFamily]:
    """The clauses that give a candidate its supports."""
    if family.supports:
        clauses = ((-a - 1, *(b + 1 for b in partners)) for a, partners in family.supports)
        yield ClauseFamily(f"{family.name}: supports", tuple(dict.fromkeys(clauses)))


def shaped(size: int, families: Iterable[Family], fresh: Fresh) -> Iterator[ClauseFamily]:
    """The clauses of the shapes, with their auxiliary variables."""
    from .shapes import shape_clauses  # few puzzles have any

    for family in families:
        if family.shapes:
            clauses = (shape_clauses(shape, size, fresh) for shape in family.shapes)
            every = limits.watched(chain.from_iterable(clauses))
            yield ClauseFamily(f"{family.name}: shapes", tuple(every))


def named(
    name: str, at_least: tuple[Clause, ...], at_most: tuple[Clause, ...]
) -> list[ClauseFamily]:
    """The clauses of one family, split into at-least-one and at-most-one; empty parts omitted."""
    parts = ((f"{name}: at least one", at_least), (f"{name}: at most one", at_most))
    return [ClauseFamily(title, clauses) for title, clauses in parts if clauses]


def follow_from_cells(constraints: Constraints, family: Family) -> Iterator[bool]:
    """For each group, whether its "at least one" follows because every cell holds a digit.

    It follows in a house: a house has as many cells as there are digits, and it holds each digit at
    most once, so it holds each digit once.
    """
    n = constraints.board.size
    cells = [frozenset(candidate // n for candidate in group) for group in family.groups]
    digits = [{candidate % n for candidate in group} for group in family.groups]
    alike = [len(c) == n and len(d) == 1 for c, d in zip(cells, digits, strict=True)]
    stated = {(c, *d) for c, d, good in zip(cells, digits, alike, strict=True) if good}
    digits_of = Counter(house for house, _ in stated)
    return (good and digits_of[house] == n for house, good in zip(cells, alike, strict=True))
