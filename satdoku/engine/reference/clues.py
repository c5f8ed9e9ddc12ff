"""Sweeps of what clues say of several cells.

Invariant: as in `clues.h`, `cages.h`, `bounds.h` and `automata.h`, which explain the passes; ranks
are in `ranks.py`. A small cage is an automaton here, whose states are the digits that were read. So
is a sum, cell by cell; as it does not know which cells differ, a little less follows than in
`sums.h`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...model.automata import weighted
from ...model.board import bits
from ..plan import Plan
from ..tables import parts_of
from .block import ALL, Indices, Words, any_lane
from .block import bits as unpacked
from .block import words as packed
from .ranks import Rank

MOST_CAGED = 5  # cells of a cage that is checked over permutations


class Fold:
    """For each key the OR of the rows that have it."""

    def __init__(self, keys: Indices, count: int) -> None:
        self.count, self.order = count, np.argsort(keys, kind="stable")
        self.keys, self.starts = np.unique(keys[self.order], return_index=True)

    def __call__(self, rows: Words) -> Words:
        total = np.zeros((self.count, rows.shape[1]), np.uint64)
        total[self.keys] = np.bitwise_or.reduceat(rows[self.order], self.starts, axis=0)
        return total


class Step:
    """The ways of an automaton over one of its cells."""

    def __init__(self, ways: list[tuple[int, int, int]], counts: tuple[int, int], row: Indices):
        """ways: states before, digits from 0, states behind; row: of each digit in this cell."""
        before, digits, behind = (np.array(column, np.intp) for column in zip(*ways, strict=True))
        self.before, self.rows, self.behind, self.row = before, row[digits], behind, row
        self.there, self.back = Fold(behind, counts[1]), Fold(before, counts[0])
        self.digits = Fold(digits, len(row))


class Cage(NamedTuple):
    """rows, rest: of each digit the rows of its cells, and of those that differ from all of them;
    ends: the sets behind the steps, if it has any."""

    rows: Indices
    sets: list[int]
    rest: Indices
    steps: list[Step]
    ends: list[int]


class Clues:
    """The clues of a plan. `row_of` gives the row of each candidate."""

    def __init__(self, plan: Plan, row_of: Indices) -> None:
        self.cells, self.digits, self.row_of = plan.cells, plan.digits, row_of
        self.relations = list(self._relations(plan))
        clauses = [row_of[entries] for entries in plan.clauses.lists()]
        self.clauses = list(zip(clauses[::2], clauses[1::2], strict=True))
        self.cages = list(self._cages(plan))
        self.bounds = [
            (total, [(w, turned, self._rows(cells)) for w, turned, cells in parts_of(members)])
            for total, *members in plan.bounds.lists()
        ]
        machines = plan.machines.lists()
        ways = plan.ways.lists()
        self.automata = [
            list(self._steps(cells, machines[key], ways)) for key, *cells in plan.automata.lists()
        ] + [list(self._sum(*said)) for said in plan.sums.lists()]
        self.ranks = [Rank(said[:4], self._rows(said[4:])) for said in plan.ranks.lists()]

    def _relations(self, plan: Plan) -> Iterator[tuple[np.intp, Indices, bool]]:
        """The row of a candidate; rows of which it needs one; or else what must not be true."""
        tables = plan.tables.lists()
        for key, a, b in plan.relations.lists():
            first, second = self._rows([a])[:, 0], self._rows([b])[:, 0]
            for digit, mask in enumerate(tables[key]):
                here, there = (first, second) if digit < self.digits else (second, first)
                needed = there[list(bits(mask))]
                lone = len(needed) == self.digits - 1
                if len(needed) < self.digits:
                    yield (
                        here[digit % self.digits],
                        np.setdiff1d(there, needed) if lone else needed,
                        lone,
                    )

    def _cages(self, plan: Plan) -> Iterator[Cage]:
        sets, deep = plan.sets.lists(), bool(plan.rests)
        rests = plan.rests.lists() if deep else [[]] * len(plan.cages)
        for (key, *cells), rest in zip(plan.cages.lists(), rests, strict=True):
            small = deep and plan.digits == 9 and 2 <= len(cells) <= MOST_CAGED
            own = {some.bit_count() for some in sets[key]} == {len(cells)}
            steps = self._choices(cells, sets[key]) if small and own else ([], [])
            yield Cage(self._rows(cells), sets[key], self._rows(rest), *steps)

    def _choices(self, cells: list[int], sets: list[int]) -> tuple[list[Step], list[int]]:
        """Steps that read each digit of one of the sets once; and the sets behind the last."""
        steps, before = [], [0]
        for cell in cells:
            number: dict[int, int] = {}
            ways = []
            for (at, read), digit in product(enumerate(before), range(self.digits)):
                both = read | 1 << digit
                if both != read and any(both & some == both for some in sets):
                    ways.append((at, digit, number.setdefault(both, len(number))))
            steps.append(Step(ways, (len(before), len(number)), self._rows([cell])[:, 0]))
            before = list(number)
        return steps, before

    def _rows(self, cells: Sequence[int]) -> Indices:
        """Of each digit the rows of these cells."""
        digits = np.arange(self.digits)[:, None]
        rows: Indices = self.row_of[digits * self.cells + np.array(cells, np.intp)]
        return rows

    def _steps(
        self, cells: list[int], machine: list[int], ways: list[list[int]]
    ) -> Iterator[Step | None]:
        """The steps of an automaton; None for one that no digit takes."""
        first, *counts = machine
        for cell, states in zip(cells, pairwise([1, *counts]), strict=True):
            own = [
                (before, digit // self.cells, behind)
                for behind in range(states[1])
                for before, digit in zip(*[iter(ways[first + behind])] * 2, strict=True)
            ]
            first += states[1]
            yield Step(own, states, self._rows([cell])[:, 0]) if own else None

    def _sum(self, total: int, *segments: int) -> Iterator[Step | None]:
        """The steps of a sum, whose states are what is left to reach."""
        cells: list[int] = []
        weights: list[int] = []
        while segments:
            weight, mirrored, count, *rest = segments
            cells += rest[:count]
            weights += [-weight if mirrored else weight] * count
            total -= 10 * weight * count * mirrored
            segments = tuple(rest[count:])
        read = weighted(tuple(cells), tuple(weights), total, self.digits)
        before = 1
        for cell, edges in zip(read.cells, read.layers, strict=True):
            behind = 1 + max((after for _, _, after in edges), default=0)
            own = [(state, digit - 1, after) for state, digit, after in edges]
            yield Step(own, (before, behind), self._rows([cell])[:, 0]) if own else None
            before = behind

    def sweep(self, x: Words, truth: Words) -> tuple[Words, Words]:
        """Strike candidates of x and find the truth of others; return the lanes where there is a
        conflict, and those where truth was found."""
        self.x, self.truth = x, truth
        self.conflict, self.found = np.zeros((2, x.shape[1]), np.uint64)
        for own, others, lone in self.relations:
            x[own] &= ~truth[others[0]] if lone else np.bitwise_or.reduce(x[others], axis=0)
        for given, some in self.clauses:
            due = truth[given[0]] if len(given) else ALL
            none = self._one_of(some, due)
            x[given] &= ~none
            self.conflict |= none & due
        for cage in self.cages:
            (self._small_cage if cage.steps else self._cage)(cage)
        for total, sets in self.bounds:
            for mirrored in (False, True):
                self._bound(total, sets, mirrored)
        for steps in self.automata:
            self._automaton(steps)
        for rank in self.ranks:
            self.conflict |= rank.sweep(x, truth)
        return self.conflict, self.found

    def _one_of(self, rows: Indices, due: Words | np.uint64) -> Words:
        """Where `due`, one of the candidates holds, and the last one that is left is true. Returns
        where none is left."""
        one, two = np.zeros((2, self.x.shape[1]), np.uint64)
        for row in self.x[rows]:
            two |= one & row
            one |= row
        true = self.x[rows] & ~two & due
        self.found |= any_lane(true & ~self.truth[rows])
        self.truth[rows] |= true
        return ~one

    def _cage(self, cage: Cage) -> None:
        may = np.bitwise_or.reduce(self.x[cage.rows], axis=1)
        sure = np.bitwise_or.reduce(self.truth[cage.rows], axis=1)
        possible = np.zeros((len(cage.sets), len(self.conflict)), np.uint64)
        for some, lanes in zip(self._has(cage.sets), possible, strict=True):
            lanes[:] = np.bitwise_and.reduce(np.where(some[:, None], may, ~sure), axis=0)
        with_, without = self._told(cage.sets, possible)
        for digit, own in enumerate(cage.rows):
            self.x[own] &= with_[digit]
            self._one_of(own, ~without[digit])
            self.x[cage.rest[digit]] &= without[digit]

    def _small_cage(self, cage: Cage) -> None:
        _, without = self._told(cage.ends, self._walk(cage.steps))
        for digit, rest in enumerate(cage.rest):
            self.x[rest] &= without[digit]

    def _has(self, sets: list[int]) -> NDArray[np.bool_]:
        """(sets, digits): whether the set has the digit."""
        has: NDArray[np.bool_] = np.array(sets, np.int64)[:, None] >> np.arange(self.digits) & 1 > 0
        return has

    def _told(self, sets: list[int], possible: Words) -> tuple[Words, Words]:
        """Of each digit the lanes where a set with it is possible, and where one without it is."""
        has = self._has(sets)[:, :, None]
        self.conflict |= ~any_lane(possible)
        none = np.uint64(0)
        with_: Words = np.bitwise_or.reduce(np.where(has, possible[:, None], none), axis=0)
        without: Words = np.bitwise_or.reduce(np.where(has, none, possible[:, None]), axis=0)
        return with_, without

    def _bound(self, total: int, sets: list[tuple[int, int, Indices]], mirrored: bool) -> None:
        """Strike what costs more than the slack; a conflict where there is less than none."""
        n = self.digits
        if mirrored:
            total = (n + 1) * sum(weight * rows.shape[1] for weight, _, rows in sets) - total
        turned = [
            (weight, rows if mirrored ^ is_mirrored else rows[::-1])
            for weight, is_mirrored, rows in sets
        ]
        highest, full = np.zeros(64 * self.x.shape[1], np.int64), []
        for weight, rows in turned:
            may = unpacked(np.bitwise_or.reduce(self.x[rows], axis=1))
            met = np.minimum(np.cumsum(may, axis=0, dtype=np.int64), rows.shape[1])
            highest += weight * met.sum(axis=0)
            full.append(met == rows.shape[1])
        slack = highest - total
        self.conflict |= packed(slack < 0)
        for (weight, rows), enough in zip(turned, full, strict=True):
            for i in range(1, n):
                cost = weight * np.array([[i - k] for k in range(i)])
                out = (enough[:i] & (slack >= 0) & (slack < cost)).any(axis=0)
                self.x[rows[i]] &= ~packed(out)

    def _automaton(self, steps: list[Step | None]) -> None:
        if None in steps:
            self.conflict[:] = ALL
        else:
            self.conflict |= ~self._walk([step for step in steps if step])[0]

    def _walk(self, steps: list[Step]) -> Words:
        """Strike what no way through has; return the lanes where each last state is reached."""
        states = [np.full((1, self.x.shape[1]), ALL)]
        for step in steps:
            states.append(step.there(states[-1][step.before] & self.x[step.rows]))
        behind = ends = states.pop()
        for step in reversed(steps):
            before = states.pop()
            onward = behind[step.behind]
            self.x[step.row] &= step.digits(before[step.before] & onward)
            behind = step.back(self.x[step.rows] & onward)
        return ends
