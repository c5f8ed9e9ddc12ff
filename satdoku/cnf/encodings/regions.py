"""Clauses of regions to find: each cell has the label of its region, and clues count labels.

Invariant: every auxiliary variable is a function of digits and labels, and the labels are a
function of the regions, so each solution of the puzzle is one model. That regions are connected is
not said here: `answers.flooding` says it while a solver searches.

A label is the number of the house, among given ones, in which its region has a given digit. A
region has each digit once. A variable for each label, digit and house says so, "the digit of this
house has this label", as no house has a digit twice. (With one for each label, digit and cell as
well, a solver saw somewhat further, and took almost twice as long.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, pairwise

from ...model.board import neighbours
from .formula import Clause

Fresh = Callable[[], int]
Literals = Sequence[Sequence[int]]
Houses = Sequence[Sequence[int]]


class Counts:
    """Literals that count others. The same clauses serve one count after another, so `clauses` has
    them all, in the order of time."""

    def __init__(self, fresh: Fresh) -> None:
        self.fresh, self.clauses = fresh, list[Clause]()

    def equal(self, one: Sequence[int], other: Sequence[int]) -> int:
        """The literal that two cells hold the same, of the literals of what each may hold."""
        literal = self.fresh()
        for a, b in zip(one, other, strict=True):
            self.clauses += ((-a, -b, literal), (-a, -literal, b), (-b, -literal, a))
        return literal

    def any_of(self, literals: Sequence[int]) -> int:
        """The literal that one of them holds, or more."""
        literal = self.fresh()
        self.clauses.append((-literal, *literals))
        self.clauses += ((-own, literal) for own in literals)
        return literal

    def prefixes(self, literals: Sequence[int]) -> list[int]:
        """For each literal one that it and all before it hold."""
        found: list[int] = []
        for literal in literals:
            found.append(self._all_of(found[-1], literal) if found else literal)
        return found

    def total(self, ladders: Sequence[Sequence[int]]) -> list[int]:
        """Literals "at least 1, 2, ..." of how many hold of all literals of the ladders, in each of
        which a literal implies the one before it."""
        level = [list(ladder) for ladder in ladders if ladder]
        while len(level) > 1:
            merged = [self._merged(a, b) for a, b in zip(level[::2], level[1::2], strict=False)]
            level = merged + level[len(merged) * 2 :]
        return level[0] if level else []

    def say(
        self, cell: Sequence[int], values: Sequence[int], at_least: Sequence[int], base: int = 0
    ) -> None:
        """The digit of a cell is the total, plus a number: values are those of its literals."""
        for literal, value in zip(cell, values, strict=True):
            count = value - base
            if not 0 <= count <= len(at_least):
                self.clauses.append((-literal,))
                continue
            if count:
                self.clauses.append((-literal, at_least[count - 1]))
            if count < len(at_least):
                self.clauses.append((-literal, -at_least[count]))

    def _all_of(self, one: int, other: int) -> int:
        literal = self.fresh()
        self.clauses += ((-literal, one), (-literal, other), (literal, -one, -other))
        return literal

    def _merged(self, one: Sequence[int], other: Sequence[int]) -> list[int]:
        """The ladder of the total of two ladders."""
        total = [self.fresh() for _ in range(len(one) + len(other))]
        self.clauses += ((-more, less) for less, more in pairwise(total))
        for i in range(len(one) + 1):
            for j in range(len(other) + 1):
                if i + j:
                    reached = [-x for x in (*one[i - 1 : i], *other[j - 1 : j])]
                    self.clauses.append((*reached, total[i + j - 1]))
                if i + j < len(total):
                    missed = [*one[i : i + 1], *other[j : j + 1]]
                    self.clauses.append((*missed, -total[i + j]))
        return total


class Regions(Counts):
    """The clauses of regions to find, and literals for what clues say of them.

    digits: for each cell the literal of each digit, shape (cells, digits). labels: for each label
    the literal of each cell, shape (labels, cells). sizes: for each label the least and the
    greatest number of its cells. edges: pairs of cells that are beside each other. lines: ways to
    cut the board into houses, such as rows and columns, of which none has a digit twice.
    """

    def __init__(
        self,
        digits: Literals,
        labels: Literals,
        sizes: Sequence[tuple[int, int]],
        edges: Sequence[tuple[int, int]],
        lines: Sequence[Houses],
        fresh: Fresh,
    ) -> None:
        super().__init__(fresh)
        self.digits, self.labels, self.sizes, self.edges = digits, labels, sizes, edges
        self._same: dict[tuple[int, int], int] = {}
        self._neighbours = neighbours(len(digits), edges)
        for houses in lines:
            self.clauses += self._crossings(houses)
        self.clauses += self._companions()
        for one, other in edges:
            self.same(one, other)

    def name(self, houses: Houses, digit: int) -> None:
        """Label i is that of the region whose digit (a position among the digits) is in house i:
        each label has the digit in another house, as each house has it once."""
        for own, house in zip(self.labels, houses, strict=True):
            self.clauses += ((-self.digits[cell][digit], own[cell]) for cell in house)

    def same(self, one: int, other: int) -> int:
        """The literal that two cells are of one region."""
        if one == other:
            return self._true()
        cells = min(one, other), max(one, other)
        if cells not in self._same:
            labels = ([own[cell] for own in self.labels] for cell in cells)
            self._same[cells] = literal = self.equal(*labels)
            pairs = zip(self.digits[one], self.digits[other], strict=True)
            self.clauses += ((-literal, -a, -b) for a, b in pairs)
        return self._same[cells]

    def runs(self, cells: Sequence[int]) -> list[int]:
        """For each cell but the first the literal that all up to it are of one region."""
        return self.prefixes([self.same(one, other) for one, other in pairwise(cells)])

    # Regions ----------------------------------------------------------------------------------

    def _crossings(self, houses: Houses) -> Iterator[Clause]:
        """A variable for each label, digit and house: the digit of the house has the label. The
        digit of a house has one label, and the digit of a label is in one house."""
        values, labels = range(len(self.digits[0])), range(len(self.labels))
        for value in values:
            crossing: list[list[int]] = []
            for own in self.labels:
                crossing.append([self.fresh() for _ in houses])
                for literal, house in zip(crossing[-1], houses, strict=True):
                    yield from self._crossing(literal, own, value, house)
            for label in labels:
                if self.sizes[label][0] >= len(values):
                    yield tuple(crossing[label])
                for one, other in combinations(crossing[label], 2):
                    yield -one, -other
            for number, house in enumerate(houses):
                column = [crossing[label][number] for label in labels]
                for one, other in combinations(column, 2):
                    yield -one, -other
                if len(house) == len(values):
                    yield tuple(column)

    def _crossing(
        self, literal: int, own: Sequence[int], value: int, house: Sequence[int]
    ) -> Iterator[Clause]:
        """The literal holds if the cell of the house with the digit has the label."""
        for cell in house:
            digit = self.digits[cell][value]
            yield -digit, -own[cell], literal
            yield -digit, -literal, own[cell]
        if len(house) < len(self.digits[0]):  # else one of them has it
            yield (-literal, *(self.digits[cell][value] for cell in house))

    def _companions(self) -> Iterator[Clause]:
        """A cell of a region of two cells or more has a neighbour in it."""
        for own, (least, _) in zip(self.labels, self.sizes, strict=True):
            if least > 1:
                for cell, neighbours in enumerate(self._neighbours):
                    yield (-own[cell], *(own[other] for other in neighbours))

    # Literals ---------------------------------------------------------------------------------

    def _true(self) -> int:
        literal = self.fresh()
        self.clauses.append((literal,))
        return literal
