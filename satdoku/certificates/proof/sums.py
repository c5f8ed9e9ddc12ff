"""Sums that follow from clues and houses, derived again, and the clauses that state them.

Invariant: a sum is a total of equations that hold in each solution: those that the witness's
sentences of clues are, and those of houses, which hold every digit. Each auxiliary variable of its
clauses is a function of the digits, so every solution of the puzzle is a model of them.

Segments, sets of cells that differ and count alike, are added one after another in the order
encoding: a variable says that a total is at least a value.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import chain, combinations, pairwise, product
from math import comb
from typing import NamedTuple

from ...model.board import Cells
from ...runtime import limits
from . import ProofError

Clause = tuple[int, ...]
Fresh = Callable[[], int]
MOST = 500_000  # clauses of all sums of a section, about: a reader must not be busy for ever


class Derived(NamedTuple):
    """A sum by what it is the total of, and the segments in which its cells are added.

    clues: how often, and the number of the clue among the rules (from 0). houses: how often, and
    their cells.
    """

    clues: tuple[tuple[int, int], ...]
    houses: tuple[tuple[int, Cells], ...]
    segments: tuple[Cells, ...]


class Equation(NamedTuple):
    """The digits of the cells, each times its weight, add up to the total; of a clue, the lowest
    cell that counts has a positive weight."""

    weights: Mapping[int, int]
    total: int

    @staticmethod
    def of(cells: Cells, weights: Sequence[int], total: int) -> Equation:
        """The equation of a clue's cells."""
        counted = {cell: weight for cell, weight in zip(cells, weights, strict=True) if weight}
        sign = -1 if counted and counted[min(counted)] < 0 else 1
        return Equation({cell: sign * weight for cell, weight in counted.items()}, sign * total)


class _Number(NamedTuple):
    """values: all that it may have, ascending. reached: for each of them the literal that it is not
    less, and behind them a false one."""

    values: Sequence[int]
    reached: Sequence[int]

    def at_least(self, value: int) -> int:
        """The literal that it is not less than the value."""
        return self.reached[bisect_left(self.values, value)]


class Adder:
    """Clauses of sums on a board of so many cells and digits, which share their segments.

    differ: whether two cells never hold the same digit. houses: cells that hold each of the digits
    1 to size once. equations: of each clue that is an equation, by its number among the rules.
    """

    def __init__(
        self,
        cells: int,
        size: int,
        differ: Callable[[int, int], bool],
        houses: Collection[Cells],
        equations: Mapping[int, Equation],
        fresh: Fresh,
    ) -> None:
        self._cells, self._size, self._differ, self._fresh = cells, size, differ, fresh
        self._houses, self._equations = frozenset(houses), equations
        self._segments: dict[Cells, _Number] = {}
        self._left = MOST
        self._true = fresh()

    def clauses(self, stated: Derived) -> list[Clause]:
        """The clauses of a sum; raises `ProofError` if it does not follow."""
        weights, total = self._derived(stated)
        if sorted(chain(*stated.segments)) != sorted(weights):
            raise ProofError("the segments of a sum are not its cells, each once")
        clauses: list[Clause] = [(self._true,)]
        parts = []
        for cells in stated.segments:
            if len({weights[cell] for cell in cells}) != 1:
                raise ProofError("a segment of a sum whose cells do not count alike")
            if cells not in self._segments:
                self._segments[cells] = self._segment(cells, clauses)
            parts.append(_times(self._segments[cells], weights[cells[0]]))
        self._add(parts, total, clauses)
        return clauses

    def _derived(self, stated: Derived) -> Equation:
        """The total of what a sum names, without the cells that it does not count."""
        weights: Counter[int] = Counter()
        total = 0
        for times, number in stated.clues:
            if number not in self._equations:
                raise ProofError(f"a sum of rule {number}, which is no clue that is an equation")
            told = self._equations[number]
            total += times * told.total
            weights.update({cell: times * weight for cell, weight in told.weights.items()})
            self._spend(len(told.weights))
        for times, house in stated.houses:
            if house not in self._houses:
                raise ProofError(f"a sum of cells {[*house[:9]]}, which are no house")
            total += times * self._size * (self._size + 1) // 2
            weights.update(dict.fromkeys(house, times))
            self._spend(len(house))
        return Equation({cell: weight for cell, weight in weights.items() if weight}, total)

    def _spend(self, clauses: int) -> None:
        """What is made is bounded before it is made."""
        limits.check()
        self._left -= clauses
        if self._left < 0:
            raise ProofError(f"sums of more than {MOST:,} clauses")

    def _segment(self, cells: Cells, clauses: list[Clause]) -> _Number:
        """The sum of cells that differ: for each value the sets of digits that have it."""
        if not all(self._differ(a, b) for a, b in combinations(cells, 2)):
            raise ProofError(f"a segment of cells {[*cells[:9]]}, which may hold the same digit")
        size = self._size
        self._spend(comb(size, len(cells)) * (size + 3) + self._cells * len(cells))
        ways: dict[int, list[int]] = {}
        if len(cells) == 1:
            ways = {digit: [size * cells[0] + digit] for digit in range(1, size + 1)}
        else:
            sets = [*combinations(range(1, size + 1), len(cells))]
            among, chosen, stated = by_sets(cells, size, sets, self._fresh)
            clauses += stated
            for some, literal in chosen.items():
                ways.setdefault(sum(some), []).append(literal)
            clauses += self._nowhere_else(cells, among)
        number = self._number(sorted(ways), clauses)
        for value, literals in ways.items():
            reached, passed = number.at_least(value), number.at_least(value + 1)
            for literal in literals:
                self._say(clauses, -literal, reached)
                self._say(clauses, -literal, -passed)
            self._say(clauses, -reached, passed, *literals)
        return number

    def _nowhere_else(self, cells: Cells, among: Mapping[int, int]) -> Iterator[Clause]:
        """A digit of the cells is in no cell that differs from all of them."""
        for cell in {*range(self._cells)} - {*cells}:
            if all(self._differ(cell, own) for own in cells):
                yield from ((-held, -self._size * cell - digit) for digit, held in among.items())

    def _add(self, parts: Sequence[_Number], total: int, clauses: list[Clause]) -> None:
        """The parts add up to the total, which the rest must be able to reach from each."""
        so_far = _Number((0,), (self._true, -self._true))
        for place, part in enumerate(parts, 1):
            low = total - sum(rest.values[-1] for rest in parts[place:])
            high = total - sum(rest.values[0] for rest in parts[place:])
            self._spend(2 * len(so_far.values) * len(part.values))
            both = {a + b for a, b in product(so_far.values, part.values)}
            number = self._number([v for v in sorted(both) if low <= v <= high], clauses)
            for a, b in product(so_far.values, part.values):
                reached, passed = number.at_least(a + b), number.at_least(a + b + 1)
                self._say(clauses, -so_far.at_least(a), -part.at_least(b), reached)
                self._say(clauses, so_far.at_least(a + 1), part.at_least(b + 1), -passed)
            so_far = number
        if total not in so_far.values:
            clauses.append((-self._true,))

    def _number(self, values: Sequence[int], clauses: list[Clause]) -> _Number:
        """A new number; one that has no value cannot be."""
        inner = [self._fresh() for _ in values[1:]]
        clauses += ((-more, less) for less, more in pairwise(inner))
        return _Number(values, [*[self._true] * bool(values), *inner, -self._true])

    def _say(self, clauses: list[Clause], *literals: int) -> None:
        """The clause without what is false, unless something in it is true."""
        if self._true not in literals:
            left = tuple(literal for literal in literals if literal != -self._true)
            clauses.append(left or (-self._true,))


def _times(number: _Number, weight: int) -> _Number:
    """The number so many times; if it is turned round, at least a value is less than the next."""
    values = [weight * value for value in number.values]
    if weight > 0:
        return _Number(values, number.reached)
    return _Number(values[::-1], [-literal for literal in reversed(number.reached)])


def by_sets(
    cells: Cells, size: int, sets: Sequence[Cells], fresh: Fresh
) -> tuple[dict[int, int], dict[Cells, int], list[Clause]]:
    """The cells hold the digits of one of the sets: a variable for each digit, that it is among
    them, then one for each set, and the clauses."""
    among = {digit: fresh() for digit in range(1, size + 1)}
    chosen = {some: fresh() for some in sets}
    clauses: list[Clause] = [tuple(chosen.values())]
    for digit, own in among.items():
        candidates = [size * cell + digit for cell in cells]
        clauses.append((-own, *candidates))
        clauses += ((-candidate, own) for candidate in candidates)
        clauses.append((-own, *(it for some, it in chosen.items() if digit in some)))
        clauses.append((own, *(it for some, it in chosen.items() if digit not in some)))
        clauses += ((-it, own if digit in some else -own) for some, it in chosen.items())
    return among, chosen, clauses
