"""Sums that clues and houses imply, for puzzles on which a solver would otherwise work for long.

Invariant: what is added follows from the clues (`model.implied`), so the solutions are the same
with and without it. Certificates, exported formulas and explanations do without it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from ..model.automata import weighted
from ..model.constraints import Constraints
from ..model.implied import differ, houses_of, is_sums_alone, left_by_houses, peers_of, reduced
from ..model.shapes import DigitSets, Stretch, Sum, Total, sets_of
from .encodings.formula import Clause, Formula
from .encodings.shapes import Adder, Fresh, shape_clauses, stretch_clauses

# Clauses of automata from which the strengthened formula is quicker to make, load and solve, for
# X-sums and sandwiches 2 to 30 times. Below, many a puzzle takes less time than its making.
HEAVY = 15_000
FEW_CELLS = 3  # of a sum by the 45 rule; with 4 or 5 the hard killers we measured take longer


def strengthened(formula: Formula, fresh: Fresh) -> Iterator[Clause]:
    """The clauses of a formula, with sums by segments and stretches in place of automata, and those
    of implied sums. The formula has a variable for each candidate; `fresh()` gives new ones."""
    constraints = formula.constraints
    n, peers, houses = constraints.board.size, peers_of(constraints), houses_of(constraints)
    replaced = [family for family in constraints.families if is_sums_alone(family)]
    automata = _automata(constraints)
    yield from chain(*(part.clauses for part in formula.families if part.name not in automata))
    for house in houses:
        yield from (tuple(n * cell + digit for cell in house) for digit in range(1, n + 1))
    adder = Adder(peers, n, fresh)
    stated = chain.from_iterable(family.sums for family in replaced)
    yield from total_clauses(stated, houses, adder, fresh)
    for said in left_by_houses(constraints, FEW_CELLS):
        yield from _sum_clauses(said, adder, fresh)


def total_clauses(
    stated: Iterable[Total], houses: Sequence[Sequence[int]], adder: Adder, fresh: Fresh
) -> Iterator[Clause]:
    """The clauses of totals, by sets of digits and by segments."""
    for said in stated:
        if isinstance(said, Stretch):
            yield from stretch_clauses(said, adder.size, fresh)
        else:
            yield from _sum_clauses(reduced(said, houses, adder.size), adder, fresh)


def is_heavy(formula: Formula) -> bool:
    """Whether the strengthened formula is better from the start."""
    automata = _automata(formula.constraints)
    clauses = (len(part.clauses) for part in formula.families if part.name in automata)
    return sum(clauses) > HEAVY


def _automata(constraints: Constraints) -> set[str]:
    """The names of the clauses of automata that say what sums say."""
    return {f"{family.name}: shapes" for family in constraints.families if is_sums_alone(family)}


def _sum_clauses(said: Sum, adder: Adder, fresh: Fresh) -> Iterator[Clause]:
    """The clauses of a sum: by sets of digits if they determine it, by segments if it is long."""
    size, cells, weights = adder.size, said.cells, set(said.weights)
    if len(weights) == 1 and differ(cells, adder.peers):
        total, rest = divmod(said.total, weights.pop())
        sets = () if rest else sets_of(len(cells), total, size)
        if sets:
            return shape_clauses(DigitSets(cells, sets), size, fresh)
    if 0 < len(cells) <= FEW_CELLS:
        return shape_clauses(weighted(*said, size), size, fresh)
    return adder.clauses(said)
