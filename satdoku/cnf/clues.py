"""Clues said otherwise than `encode` says them: ranks at once, by implied sums, or with switches.

Invariant: what sums add follows from the clues (`model.implied`), so the solutions are the same
with and without it. With the switches of some clues as assumptions, the clauses say what board and
rules and these clues say; a denial heeds every clue, whether it is switched on or not.

Sums are for puzzles on which a solver would otherwise work for long, ranks at once (`ranks`) for
every session. Exported formulas and explanations do without all three. Certificates do without
switches and ranks at once; of long sums they say what each follows from (`summed`), so that a
reader can derive it again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain, count
from typing import NamedTuple

from ..model.automata import weighted
from ..model.board import Cells
from ..model.constraints import Constraints
from ..model.implied import (
    cage_of,
    differ,
    houses_of,
    left_by_houses,
    peers_of,
    reduced,
    segments,
)
from ..model.lowering import Family
from ..model.shapes import (
    Automaton,
    DigitSets,
    Ranked,
    Shape,
    Stretch,
    Sum,
    Tally,
    Total,
    sets_of,
)
from ..runtime import limits
from .encodings import DEFAULT_ENCODING, ENCODINGS, build, encode, encoding_named
from .encodings.formula import Clause, ClauseFamily, Formula
from .encodings.groups import excluded, pairwise, supported
from .encodings.shapes import Adder, Fresh, by_states, shape_clauses, stretch_clauses

# Edges of automata, each of which makes some three clauses, from which the strengthened formula is
# quicker to make, load and solve, for X-sums and sandwiches 2 to 30 times. Below, many a puzzle
# takes less time than its making.
HEAVY = 4_500
FEW_CELLS = 3  # of a sum by the 45 rule; with 4 or 5 the hard killers we measured take longer


class Stated(NamedTuple):
    """formula: what a session loads. is_strong: whether it has the implied sums."""

    formula: Formula
    is_strong: bool


@lru_cache(maxsize=16)
def stated(constraints: Constraints, encoding: str) -> Stated:
    """The formula as `encode` makes it, but with ranks at once, with counters in place of automata
    that count a digit, with other automata by sets of digits or by their states, and with implied
    sums in place of those of sums that are heavy; nothing is made first to be left out."""
    encoding = encoding_named(encoding)
    shapes = [shape for family in constraints.families for shape in family.shapes]
    if encoding not in CANDIDATES or not any(isinstance(shape, _SAID_HERE) for shape in shapes):
        return Stated(encode(constraints, encoding), False)
    is_strong = _edges(it for it in constraints.families if it.said.is_sums_alone) > HEAVY
    base = _without(constraints, lambda _, shape: isinstance(shape, _SAID_HERE), encoding)
    fresh, families = count(base.variables + 1).__next__, list(base.families)

    def add(name: str, clauses: Iterable[Clause]) -> None:
        if made := tuple(limits.watched(clauses)):
            families.append(ClauseFamily(name, made))

    size = constraints.board.choices
    for family in constraints.families:
        if not (is_strong and family.said.is_sums_alone):
            automata = [shape for shape in family.shapes if isinstance(shape, Automaton)]
            said = (_read(x, constraints, fresh) for x in automata if not isinstance(x, Tally))
            add(f"{family.name}: shapes", chain.from_iterable(said))
    add("tallies", _counted([x for x in shapes if isinstance(x, Tally)], constraints, fresh))
    if ranks := [shape for shape in shapes if isinstance(shape, Ranked)]:
        from .ranks import rank_clauses  # few puzzles have any

        add("ranks", rank_clauses(ranks, peers_of(constraints), size, fresh))
    if is_strong:
        add("sums", _sums_of(constraints, fresh))
    formula = Formula(constraints, base.encoding, tuple(families), fresh() - 1)
    return Stated(formula, is_strong)


def _read(shape: Automaton, constraints: Constraints, fresh: Fresh) -> Iterable[Clause]:
    """The clauses of an automaton: by sets of digits if these say the same of cells that differ in
    fewer clauses, else by its states."""
    size = constraints.board.choices
    cage = cage_of(shape, shape.cells, constraints)
    if cage and len(cage.sets) * size < shape.moves:
        return shape_clauses(cage, size, fresh)
    return by_states(shape, size, fresh)


_SAID_HERE = Automaton | Ranked
# Encodings with a variable for each candidate.
CANDIDATES = frozenset(name for name, kind in ENCODINGS.items() if kind == "boolean") - {"reduced"}


def _without(
    constraints: Constraints,
    leaves: Callable[[Family, Shape], bool],
    encoding: str = DEFAULT_ENCODING,
) -> Formula:
    """The formula without some shapes of the clues."""

    def left(it: Family) -> Family:
        if not it.said.shapes:
            return it
        kept = [
            said
            for said, shape in zip(it.said.shapes, it.shapes, strict=True)
            if not leaves(it, shape)
        ]
        return replace(it, said=replace(it.said, shapes=tuple(kept)))

    return build(replace(constraints, _families=tuple(map(left, constraints.families))), encoding)


def _counted(tallies: Iterable[Tally], constraints: Constraints, fresh: Fresh) -> Iterator[Clause]:
    """How often a digit stands in cells: in how many rows, and in how many columns of them.

    Literals "at least 1, 2, ..." take a tenth of the clauses of an automaton, which does not see
    that a row has the digit once.
    """
    from .encodings.regions import Counts  # few puzzles count

    n = constraints.board.choices
    for tally in tallies:
        limits.check()
        for sets in _cut(tally.cells, constraints):
            made = Counts(fresh)
            held = [[n * cell + tally.digit for cell in cells] for cells in sets]
            literals = [own[0] if len(own) == 1 else made.any_of(own) for own in held]
            at_least = made.total([[literal] for literal in literals])
            yield from made.clauses
            for number in range(len(at_least) + 1):
                if number not in tally.times:
                    reached = (-literal for literal in at_least[:number][-1:])
                    yield (*reached, *at_least[number : number + 1])


def _cut(cells: Cells, constraints: Constraints) -> list[list[Cells]]:
    """The cells by rows, and by columns, if those differ; else in few sets that do."""
    board, peers = constraints.board, peers_of(constraints)
    found = []
    for lines in (board.rows, board.columns):
        sets = [own for line in lines if (own := tuple(c for c in line if c in cells))]
        if sum(map(len, sets)) == len(cells) and all(differ(own, peers) for own in sets):
            found.append(sets)
    return found or [[*segments(cells, peers, board.choices)]]


def strengthened(formula: Formula, fresh: Fresh) -> Iterator[Clause]:
    """The clauses of a formula, with sums by segments and stretches in place of automata, and those
    of implied sums. The formula has a variable for each candidate; `fresh()` gives new ones."""
    automata = _names(it for it in formula.constraints.families if it.said.is_sums_alone)
    yield from chain(*(part.clauses for part in formula.families if part.name not in automata))
    yield from _sums_of(formula.constraints, fresh)


def _sums_of(constraints: Constraints, fresh: Fresh) -> Iterator[Clause]:
    """What the sums say, in place of automata, and what they imply."""
    peers, houses = peers_of(constraints), houses_of(constraints)
    n, digits = constraints.board.choices, range(1, len(constraints.board.digits) + 1)
    for house in houses:
        yield from (tuple(n * cell + digit for cell in house) for digit in digits)
    adder = Adder(peers, n, fresh)
    said_alone = (family.sums for family in constraints.families if family.said.is_sums_alone)
    yield from total_clauses(chain.from_iterable(said_alone), houses, adder, fresh)
    for said in left_by_houses(constraints, FEW_CELLS):
        yield from _sum_clauses(Sum(*said), adder, fresh)


def total_clauses(
    stated: Iterable[Total], houses: Sequence[Cells], adder: Adder, fresh: Fresh
) -> Iterator[Clause]:
    """The clauses of totals, by sets of digits and by segments."""
    for said in stated:
        if isinstance(said, Stretch):
            yield from stretch_clauses(said, adder.size, fresh)
        else:
            yield from _sum_clauses(reduced(said, houses, adder.size).said, adder, fresh)


class SumOf(NamedTuple):
    """What a sum follows from, and the sets in which its cells are added.

    clue: the text of the clue that states a sum; times: how often that counts, 1 or -1. houses: how
    often, and their cells.
    """

    clue: str
    times: int
    houses: tuple[tuple[int, Cells], ...]
    segments: tuple[Cells, ...]


@lru_cache(maxsize=16)
def summed(constraints: Constraints) -> tuple[Formula, tuple[SumOf, ...]]:
    """The formula as `encode` makes it, and no sums; if its automata of sums are many, the formula
    with the sums in their place, behind all other clauses."""
    board = constraints.board
    replaced = [(it, said) for it in constraints.families if (said := _only_sum(it))]
    names = {family.name for family, _ in replaced}
    if board.layers or _edges(family for family, _ in replaced) <= HEAVY:
        return encode(constraints), ()
    base = _without(constraints, lambda it, _: it.name in names)
    fresh = count(base.variables + 1).__next__
    houses = houses_of(constraints)
    adder = Adder(peers_of(constraints), board.choices, fresh)
    derived: list[SumOf] = []
    added: list[Clause] = []
    for family, stated in replaced:
        said, times, taken = reduced(stated, houses, board.choices)
        derived.append(SumOf(family.name, times, taken, tuple(adder.segments(said))))
        added += adder.clauses(said)
    families = (*base.families, ClauseFamily("sums", tuple(added)))
    return Formula(constraints, base.encoding, families, fresh() - 1), tuple(derived)


def _only_sum(family: Family) -> Sum | None:
    """The sum, if one automaton says it, which accepts something."""
    if not family.said.is_sums_alone or len(family.sums) > 1 or len(family.shapes) > 1:
        return None
    (said,), (shape,) = family.sums, family.shapes
    accepts = isinstance(shape, Automaton) and all(shape.layers)
    return said if accepts and isinstance(said, Sum) else None


def _edges(families: Iterable[Family]) -> int:
    """How many edges the automata of the families have."""
    return sum(
        shape.moves for it in families for shape in it.said.shapes if isinstance(shape, Automaton)
    )


def _names(families: Iterable[Family]) -> set[str]:
    """The names of the clauses of their shapes."""
    return {f"{family.name}: shapes" for family in families}


def _sum_clauses(said: Sum, adder: Adder, fresh: Fresh) -> Iterable[Clause]:
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
