"""A sum over many cells by segments: few cells, all different, whose sum alone counts.

Invariant: every auxiliary variable is a function of the digits. A number is a list of values and
literals "at least this value"; totals of two numbers are bounded by what the rest can add.

Cells that have the same weight and differ are one segment, of at most four: a variable for each set
of digits, and the order of their sums. A digit of the segment is in no cell that differs from all
of its cells. Segments are added one after another in the order encoding.

Source: order encoding of linear sums, N. Tamura, A. Taga, S. Kitagawa and M. Banbara, Compiling
Finite Linear CSP into SAT, Constraints 14, 2009.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Generator, Iterator, Sequence
from functools import reduce
from itertools import combinations, pairwise
from operator import and_
from typing import NamedTuple

from ...model.board import Cells, bits
from ...model.implied import segments
from ...model.shapes import Sum
from .formula import Clause
from .shapes import Fresh, chosen_set

MOST_CELLS = 4  # in a segment: 126 sets of digits


class Number(NamedTuple):
    """values: all that it may have, ascending. at_least: for each the literal that it is not less;
    behind them the literal that it is more than all."""

    values: Sequence[int]
    at_least: Sequence[int]


class Adder:
    """Clauses of sums of one puzzle, which share their segments.

    peers: for each cell the mask of the cells that differ from it.
    """

    def __init__(self, peers: Sequence[int], size: int, fresh: Fresh) -> None:
        self.peers, self.size, self._fresh = peers, size, fresh
        self._segments: dict[Cells, Number] = {}
        self._true = fresh()

    def clauses(self, said: Sum) -> Iterator[Clause]:
        """The clauses of a sum; its cells are different ones."""
        yield (self._true,)
        parts = []
        for weight in sorted(set(said.weights), reverse=True):
            alike = (c for c, w in zip(said.cells, said.weights, strict=True) if w == weight)
            for cells in segments(alike, self.peers, MOST_CELLS):
                parts.append(_times((yield from self._segment(cells)), weight))
        low = said.total - sum(part.values[-1] for part in parts)
        high = said.total - sum(part.values[0] for part in parts)
        so_far = Number((0,), (self._true, -self._true))
        for part in parts:  # what is behind it cannot bring other numbers to the total
            low, high = low + part.values[-1], high + part.values[0]
            so_far = yield from self._added(so_far, part, low, high)
        if said.total not in so_far.values:
            yield (-self._true,)

    def _segment(self, cells: Cells) -> Generator[Clause, None, Number]:
        """The sum of cells that differ."""
        if cells not in self._segments:
            self._segments[cells] = yield from self._ordered((yield from self._sets(cells)))
        return self._segments[cells]

    def _sets(self, cells: Cells) -> Generator[Clause, None, dict[int, list[int]]]:
        """For each sum of the cells the literals of the sets of digits that have it."""
        size, digits = self.size, range(1, self.size + 1)
        if len(cells) == 1:
            return {digit: [size * cells[0] + digit] for digit in digits}
        used = {digit: self._fresh() for digit in digits}
        chosen = {frozenset(s): self._fresh() for s in combinations(digits, len(cells))}
        yield from chosen_set(cells, used, chosen, size)
        for cell in bits(reduce(and_, (self.peers[cell] for cell in cells))):
            yield from ((-literal, -size * cell - digit) for digit, literal in used.items())
        literals: dict[int, list[int]] = {}
        for some, literal in chosen.items():
            literals.setdefault(sum(some), []).append(literal)
        return literals

    def _ordered(self, literals: dict[int, list[int]]) -> Generator[Clause, None, Number]:
        """The number that has a value if and only if one of its literals holds."""
        number = yield from self._number(sorted(literals))
        bounds = pairwise(number.at_least)
        for value, (reached, passed) in zip(number.values, bounds, strict=True):
            for literal in literals[value]:
                yield from self._clause(-literal, reached)
                yield from self._clause(-literal, -passed)
            yield from self._clause(-reached, passed, *literals[value])
        return number

    def _number(self, values: Sequence[int]) -> Generator[Clause, None, Number]:
        """A new number; one without values cannot be."""
        inner = [self._fresh() for _ in values[1:]]
        number = Number(values, [*[self._true] * bool(values), *inner, -self._true])
        for less, more in pairwise(inner):
            yield -more, less
        return number

    def _added(
        self, one: Number, other: Number, low: int, high: int
    ) -> Generator[Clause, None, Number]:
        """The total of two numbers, which lies between the bounds."""
        totals = {a + b for a in one.values for b in other.values}
        total = yield from self._number(sorted(t for t in totals if low <= t <= high))
        for i, a in enumerate(one.values):
            for j, b in enumerate(other.values):
                reached = total.at_least[bisect_left(total.values, a + b)]
                yield from self._clause(-one.at_least[i], -other.at_least[j], reached)
                passed = total.at_least[bisect_right(total.values, a + b)]
                yield from self._clause(one.at_least[i + 1], other.at_least[j + 1], -passed)
        return total

    def _clause(self, *literals: int) -> Iterator[Clause]:
        """The clause without what is false, never empty (some solvers crash); none if it holds."""
        if self._true not in literals:
            yield tuple(x for x in literals if x != -self._true) or (-self._true,)


def _times(number: Number, weight: int) -> Number:
    values = [weight * value for value in number.values]
    if weight > 0:
        return Number(values, number.at_least)
    return Number(values[::-1], [-literal for literal in reversed(number.at_least)])
