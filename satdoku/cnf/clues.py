"""Clues said otherwise than `encode` says them: by the sums that they imply, or each with a switch.

Invariant: what sums add follows from the clues (`model.implied`), so the solutions are the same
with and without it. With the switches of some clues as assumptions, the clauses say what board and
rules and these clues say; a denial heeds every clue, whether it is switched on or not.

Sums are for puzzles on which a solver would otherwise work for long. Certificates, exported
formulas and explanations do without both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, count
from typing import NamedTuple

from ..model.automata import weighted
from ..model.constraints import Constraints
from ..model.implied import differ, houses_of, left_by_houses, peers_of, reduced
from ..model.lowering import Family
from ..model.shapes import DigitSets, Stretch, Sum, Total, sets_of
from .encodings import encode
from .encodings.formula import Clause, Formula
from .encodings.groups import excluded, pairwise, supported
from .encodings.shapes import Adder, Fresh, shape_clauses, stretch_clauses

# Clauses of automata from which the strengthened formula is quicker to make, load and solve, for
# X-sums and sandwiches 2 to 30 times. Below, many a puzzle takes less time than its making.
HEAVY = 15_000
FEW_CELLS = 3  # of a sum by the 45 rule; with 4 or 5 the hard killers we measured take longer


def strengthened(formula: Formula, fresh: Fresh) -> Iterator[Clause]:
    """The clauses of a formula, with sums by segments and stretches in place of automata, and those
    of implied sums. The formula has a variable for each candidate; `fresh()` gives new ones."""
    constraints = formula.constraints
    peers, houses = peers_of(constraints), houses_of(constraints)
    n, digits = constraints.board.choices, range(1, len(constraints.board.digits) + 1)
    replaced = [family for family in constraints.families if family.said.is_sums_alone]
    automata = _automata(constraints)
    yield from chain(*(part.clauses for part in formula.families if part.name not in automata))
    for house in houses:
        yield from (tuple(n * cell + digit for cell in house) for digit in digits)
    adder = Adder(peers, n, fresh)
    stated = chain.from_iterable(family.sums for family in replaced)
    yield from total_clauses(stated, houses, adder, fresh)
    for said in left_by_houses(constraints, FEW_CELLS):
        yield from _sum_clauses(Sum(*said), adder, fresh)


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
    alone = (family.name for family in constraints.families if family.said.is_sums_alone)
    return {f"{name}: shapes" for name in alone}


def _sum_clauses(said: Sum, adder: Adder, fresh: Fresh) -> Iterator[Clause]:
    """The clauses of a sum: by sets of digits if they determine it, by segments if it is long."""
    size, cells, weights = adder.size, said.cells, set(said.weights)
    if len(weights) == 1 and differ(cells, adder.peers):
        total, rest = divmod(said.total, weights.pop())
        sets = () if rest else sets_of(len(cells), total, tuple(range(1, size + 1)))
        if sets:
            return shape_clauses(DigitSets(cells, sets), size, fresh)
    if 0 < len(cells) <= FEW_CELLS:
        return shape_clauses(weighted(*said, size), size, fresh)
    return adder.clauses(said)


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
    size = constraints.board.choices

    def totals(family: Family) -> Iterator[Clause]:
        """With segments of its own: those of another clue are switched off with that clue."""
        return total_clauses(family.sums, houses, Adder(peers, size, fresh), fresh)

    for family in constraints.families[len(base.constraints.families) :]:
        off = -switches[family.name]
        wide = totals(family) if family.said.is_sums_alone else _wide(family, size, fresh)
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
