"""Sums that clues and houses imply, for puzzles on which a solver would otherwise work for long.

Invariant: every sum here is a total of stated ones and of houses, some of them subtracted; so each
solution keeps it, and the solutions are the same with and without it. Certificates, exported
formulas and explanations do without it.

The cells of a house add up to n(n+1)/2. A long sum may lose most of its cells if houses are taken
away from it. Houses from which cages are taken away leave a few cells: the 45 rule of killers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, chain, combinations
from operator import or_

from ..model.board import Board, Cells
from ..model.constraints import Constraints, Family
from ..model.kinds.sums import sets_of, weighted
from ..model.masks import bits, mask_of
from ..model.shapes import Automaton, DigitSets, Stretch, Sum, Total
from .encodings.formula import Clause, Formula
from .encodings.segments import Adder
from .encodings.shapes import Fresh, shape_clauses
from .encodings.stretches import stretch_clauses

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
    for said in dict.fromkeys(left_by_houses(constraints, houses)):
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


def is_sums_alone(family: Family) -> bool:
    """Whether its totals say all that its shapes say."""
    automata = (isinstance(shape, Automaton) for shape in family.shapes)
    return bool(family.sums and family.shapes) and all(automata)


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


def differ(cells: Sequence[int], peers: Sequence[int]) -> bool:
    """Whether no two of the cells may hold the same digit."""
    mask = mask_of(cells)
    return all(not mask & ~peers[cell] & ~(1 << cell) for cell in cells)


@lru_cache(maxsize=8)
def peers_of(constraints: Constraints) -> tuple[int, ...]:
    """For each cell the mask of the cells that no rule or clue lets hold the same digit."""
    peers = list(peers_by_rules(constraints.frame))
    for family in constraints.families:
        for a, b, table in family.relations:
            if table.differ and a != b:
                peers[a] |= 1 << b
                peers[b] |= 1 << a
    return tuple(peers)


@lru_cache(maxsize=8)
def peers_by_rules(frame: Constraints) -> tuple[int, ...]:
    """The same without what clues say of two cells; of a `Constraints.frame`."""
    n = frame.board.size
    peers = [0] * frame.board.cells
    for house in _stated_houses(frame):
        for cell in bits(house):
            peers[cell] |= house & ~(1 << cell)
    pairs = set(chain.from_iterable(family.stated for family in frame.families))
    alike = Counter((a // n, b // n) for a, b in pairs if a % n == b % n and a != b)
    for (a, b), digits in alike.items():
        if digits == n:
            peers[a] |= 1 << b
            peers[b] |= 1 << a
    return tuple(peers)


@lru_cache(maxsize=8)
def houses_of(constraints: Constraints) -> tuple[Cells, ...]:
    """The sets of cells that hold every digit: those of the rules, and as many cells of a clue as
    there are digits, if they differ."""
    n, peers = constraints.board.size, peers_of(constraints)
    houses = _houses_of_rules(constraints.frame)
    for family in constraints.families:
        if len(family.relations) < n * (n - 1) // 2:  # too few for a house
            continue
        cells = tuple(sorted({cell for related in family.relations for cell in related[:2]}))
        if len(cells) == n and cells not in houses and differ(cells, peers):
            houses += (cells,)
    return houses


@lru_cache(maxsize=8)
def _houses_of_rules(frame: Constraints) -> tuple[Cells, ...]:
    return tuple(tuple(bits(house)) for house in _stated_houses(frame))


@lru_cache(maxsize=8)
def _stated_houses(frame: Constraints) -> tuple[int, ...]:
    """Masks of the cells of which exactly one has each digit."""
    n = frame.board.size
    masks = Counter(
        mask_of(candidate // n for candidate in group)
        for group in frame.groups
        if len({candidate % n for candidate in group}) == 1
    )
    every = (mask for mask, digits in masks.items() if digits == n and mask.bit_count() == n)
    return tuple(every)


def reduced(said: Sum, houses: Iterable[Sequence[int]], size: int) -> Sum:
    """The sum without each house most of whose cells have the same weight in it, times that."""
    weights: Counter[int] = Counter()
    for cell, weight in zip(said.cells, said.weights, strict=True):
        weights[cell] += weight
    total, before = said.total, None
    while before != total and len(weights) > size // 2:
        before = total
        for house in houses:
            if sum(weights[cell] != 0 for cell in house) <= size // 2:
                continue
            counts = Counter(weights[cell] for cell in house)
            common, cells = counts.most_common(1)[0]
            if common and cells > counts[0]:
                total -= common * size * (size + 1) // 2
                weights.subtract(dict.fromkeys(house, common))
    return _sum_of(weights, total)


def left_by_houses(constraints: Constraints, houses: Iterable[Sequence[int]]) -> Iterator[Sum]:
    """What cages leave of neighbouring houses, and reach beyond them, if that is a few cells."""
    n = constraints.board.size
    stated = chain.from_iterable(family.sums for family in constraints.families)
    sums = (said for said in stated if isinstance(said, Sum) and set(said.weights) == {1})
    cages = [(mask_of(said.cells), said) for said in sums]
    known = {(said.cells, said.total) for _, said in cages}
    for area, count in areas(constraints.board, tuple(houses)):
        inside, outside, total, taken = area, 0, count * n * (n + 1) // 2, 0
        for mask, said in cages:
            if not mask & taken and 2 * (mask & area).bit_count() > mask.bit_count():
                inside, outside = inside & ~mask, outside | mask & ~area
                total, taken = total - said.total, taken | mask
        if taken and 0 < (inside | outside).bit_count() <= FEW_CELLS:
            weights = {**dict.fromkeys(bits(inside), 1), **dict.fromkeys(bits(outside), -1)}
            left = _sum_of(weights, total)
            if (left.cells, left.total) not in known:
                yield left


@lru_cache(maxsize=8)
def areas(board: Board, houses: tuple[Cells, ...]) -> tuple[tuple[int, int], ...]:
    """Masks of houses that lie side by side or apart, and how many houses each of them is."""
    lines = [list(map(mask_of, lines)) for lines in (board.rows, board.columns)]
    runs = [
        run
        for masks in lines
        for first in range(board.size)
        for run in zip(accumulate(masks[first:], or_), range(1, board.size + 1), strict=False)
    ]
    others = [house for house in map(mask_of, houses) if house not in chain(*lines)]
    apart = ((a | b, 2) for a, b in combinations(others, 2) if not a & b)
    return (*runs, *((house, 1) for house in others), *apart)


def _sum_of(weights: dict[int, int], total: int) -> Sum:
    """The sum with ascending cells, the first of which has a positive weight."""
    cells = tuple(sorted(cell for cell, weight in weights.items() if weight))
    sign = -1 if cells and weights[cells[0]] < 0 else 1
    return Sum(cells, tuple(sign * weights[cell] for cell in cells), sign * total)
