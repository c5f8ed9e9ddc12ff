"""Triads: one variable per digit for the cells that a box and a line share.

Invariant: a triad is true if and only if its digit is in one of its cells. The triads of a line are
its parts, and those of a box are its parts in two directions. The clause "exactly one part holds
the digit" replaces the group's own clauses. The same is done wherever two groups share two or more
candidates: windows, diagonals, regions. Unit propagation then finds all singles and all box-line
interactions: its fixpoint is that of `satdoku.engine.propagate(..., box_line=True)`.

Source: triads are folklore of Sudoku players ("pointing" and "claiming"). T. Dillon's tdoku, 2019,
uses them as the variables of a solver (https://t-dillon.github.io/tdoku/).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, combinations, count, islice, product

from ...model.constraints import Constraints
from ...model.rules import CandidatePair
from .formula import Clause, ClauseFamily, Formula
from .groups import Fresh, excluded, loose_pairs, named, pairwise, shaped, supported

Part = frozenset[int]  # the candidates that two groups share, or a single candidate


class _Triads:
    """The literal of each part: the candidate's own, or a variable that is created on first use."""

    def __init__(self, fresh: Fresh) -> None:
        self.fresh = fresh
        self.of: dict[Part, int] = {}

    def literal(self, part: Part) -> int:
        if len(part) == 1:
            return min(part) + 1
        if part not in self.of:
            self.of[part] = self.fresh()
        return self.of[part]


def encode(constraints: Constraints) -> Formula:
    """Encodes "exactly one part is true" for each partition of every group into parts.

    Counts for classic 9x9: 486 triads, so 1,215 variables; 2,997 clauses for the cells, 4 for each
    triad, 4 for each of the 162 pairs of line and digit, and 8 for each of the 81 pairs of box and
    digit, 6,237 in all. Two cells of a triad cannot both hold the digit: the box's partition in the
    other direction already says so. A separate clause is written only if no partition says so.
    """
    fresh = count(constraints.variables + 1)
    triads = _Triads(fresh.__next__)
    loose = loose_pairs(constraints)
    written: dict[Clause, None] = {}
    families: list[ClauseFamily] = []
    partitions_of_groups = list(_partitions(constraints))
    remaining = iter(partitions_of_groups)
    for family in constraints.families:
        own_partitions = chain.from_iterable(islice(remaining, len(family.groups)))
        literals = [tuple(map(triads.literal, parts)) for parts in own_partitions]
        pairs = (excluded(pair) for pair in family.pairs if pair in loose)
        before = len(written)
        written.update(dict.fromkeys(chain(chain.from_iterable(map(pairwise, literals)), pairs)))
        at_least = tuple(dict.fromkeys(literals))
        families += named(family.name, at_least, tuple(islice(written, before, None)))
        families += supported(family)
    families += shaped(constraints.board.choices, constraints.families, fresh.__next__)
    families += _definitions(triads, _apart(chain.from_iterable(partitions_of_groups)))
    return Formula(constraints, "triads", tuple(families), next(fresh) - 1)


def _definitions(triads: _Triads, apart: set[CandidatePair]) -> list[ClauseFamily]:
    """Clauses that make a triad true if and only if exactly one of its candidates is true."""
    parts = [(variable, sorted(part)) for part, variable in triads.of.items()]
    within = dict.fromkeys(chain.from_iterable(combinations(own, 2) for _, own in parts))
    families = (
        ("one of its own", ((-t, *(c + 1 for c in own)) for t, own in parts)),
        ("true with its own", ((-c - 1, t) for t, own in parts for c in own)),
        ("at most one", ((-a - 1, -b - 1) for a, b in within if (a, b) not in apart)),
    )
    stated = (ClauseFamily(f"triad: {name}", tuple(clauses)) for name, clauses in families)
    return [family for family in stated if family.clauses]


def _apart(partitions: Iterable[list[Part]]) -> set[CandidatePair]:
    """The pairs (low, high) in different parts of some partition; they exclude each other."""
    crossing = (product(*parts) for partition in partitions for parts in combinations(partition, 2))
    return {(min(pair), max(pair)) for pair in chain.from_iterable(crossing)}


def _partitions(constraints: Constraints) -> Iterator[list[list[Part]]]:
    """For each group, its partitions (at least one); single candidates if no group overlaps it."""
    groups = [frozenset(group) for group in constraints.groups]
    family_of = [i for i, family in enumerate(constraints.families) for _ in family.groups]
    met: list[list[int]] = [[] for _ in groups]
    for one, other in sorted(constraints.overlaps):
        met[one].append(other)
        met[other].append(one)
    for group, others in zip(groups, met, strict=True):
        layers: dict[int, list[list[Part]]] = {}
        for other in sorted(others):
            _place(group & groups[other], layers.setdefault(family_of[other], []))
        partitions = list(chain.from_iterable(layers.values())) or [[]]
        yield [_with_rest(parts, group) for parts in partitions]


def _place(part: Part, layers: list[list[Part]]) -> None:
    """Add the part to the first layer whose parts are disjoint from it, unless a layer has it."""
    if any(part in layer for layer in layers):
        return
    for layer in layers:
        if all(part.isdisjoint(other) for other in layer):
            layer.append(part)
            return
    layers.append([part])


def _with_rest(parts: Iterable[Part], group: Part) -> list[Part]:
    """The parts, and each remaining candidate as its own part, in the candidates' order."""
    rest = group.difference(*parts)
    return sorted([*parts, *(frozenset((c,)) for c in rest)], key=min)
