"""Sweeps of what clues say of several cells.

Invariant: as in `clues.h` and `automata.h`, which explain the passes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from ..plan import Plan
from .lanes import ALL, Indices, Words, any_lane


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


class Clues:
    """The clues of a plan. `row_of` gives the row of each candidate."""

    def __init__(self, plan: Plan, row_of: Indices) -> None:
        self.size, self.row_of = plan.size, row_of
        self.supports = [row_of[entries] for entries in plan.supports.lists()]
        clauses = [row_of[entries] for entries in plan.clauses.lists()]
        self.clauses = list(zip(clauses[::2], clauses[1::2], strict=True))
        sets = plan.sets.lists()
        self.cages = [(self._rows(cells), sets[key]) for key, *cells in plan.cages.lists()]
        machines = plan.machines.lists()
        ways = plan.ways.lists()
        self.automata = [
            list(self._steps(cells, machines[key], ways)) for key, *cells in plan.automata.lists()
        ]

    def _rows(self, cells: Sequence[int]) -> Indices:
        """Of each digit the rows of these cells."""
        digits = np.arange(self.size)[:, None]
        rows: Indices = self.row_of[digits * self.size**2 + np.array(cells)]
        return rows

    def _steps(
        self, cells: list[int], machine: list[int], ways: list[list[int]]
    ) -> Iterator[Step | None]:
        """The steps of an automaton; None for one that no digit takes."""
        first, *counts = machine
        for cell, states in zip(cells, pairwise([1, *counts]), strict=True):
            own = [
                (before, digit // self.size**2, behind)
                for behind in range(states[1])
                for before, digit in zip(*[iter(ways[first + behind])] * 2, strict=True)
            ]
            first += states[1]
            yield Step(own, states, self._rows([cell])[:, 0]) if own else None

    def sweep(self, x: Words, truth: Words) -> tuple[Words, Words]:
        """Strike candidates of x and find the truth of others; return the lanes where there is a
        conflict, and those where truth was found."""
        self.x, self.truth = x, truth
        self.conflict, self.found = np.zeros((2, x.shape[1]), np.uint64)
        for own, *needed in self.supports:
            x[own] &= np.bitwise_or.reduce(x[needed], axis=0)
        for given, some in self.clauses:
            due = truth[given[0]] if len(given) else ALL
            none = self._one_of(some, due)
            x[given] &= ~none
            self.conflict |= none & due
        for rows, sets in self.cages:
            self._cage(rows, sets)
        for steps in self.automata:
            self._automaton(steps)
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

    def _cage(self, rows: Indices, sets: list[int]) -> None:
        may = np.bitwise_or.reduce(self.x[rows], axis=1)
        sure = np.bitwise_or.reduce(self.truth[rows], axis=1)
        has = np.array([[some >> digit & 1 for digit in range(self.size)] for some in sets], bool)
        with_, without = np.zeros((2, *may.shape), np.uint64)
        anyhow = np.zeros_like(self.conflict)
        for some in has:
            possible = np.bitwise_and.reduce(np.where(some[:, None], may, ~sure), axis=0)
            with_[some] |= possible
            without[~some] |= possible
            anyhow |= possible
        self.conflict |= ~anyhow
        for digit, own in enumerate(rows):
            self.x[own] &= with_[digit]
            self._one_of(own, ~without[digit])

    def _automaton(self, steps: list[Step | None]) -> None:
        if None in steps:
            self.conflict[:] = ALL
            return
        states = [np.full((1, self.x.shape[1]), ALL)]
        for step in filter(None, steps):
            states.append(step.there(states[-1][step.before] & self.x[step.rows]))
        behind = states.pop()
        self.conflict |= ~behind[0]
        for step in filter(None, reversed(steps)):
            before = states.pop()
            onward = behind[step.behind]
            self.x[step.row] &= step.digits(before[step.before] & onward)
            behind = step.back(self.x[step.rows] & onward)
