"""Find a small set of givens and units that together force a conclusion.

Invariant: `witness` proves every set of givens and units before it is returned; a session proves
every set of givens under all rules.

If `is_minimal` is true, it is proved that no element can be left out. `at_least` is a proved lower
bound: no set that forces the same has fewer elements.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Any, NamedTuple

from ..model.board import Board, Cells, bits, mask_of
from ..model.grid import Grid
from ..runtime import limits
from ..runtime.errors import BudgetError, WitnessError
from .consequences import consequences, ways_out
from .mus import Clause, Oracle, add_cuts, selected_clauses, selector, smallest
from .step import Candidate, unit_data
from .steps import Propagation, Supposed, fewer, refute_by_cases
from .techniques import State
from .units import Unit, Units
from .witness import Claim

GRACE = 2.0  # seconds that the witness has at least, to prove what was found in time
SOON = 0.3  # the same of a set that is only the first
FAR_TOO_MANY = 3  # times what may be told: a smallest set is too large as well
SHUFFLING = 0.3  # seconds in which minimal sets are drawn at random


@dataclass(frozen=True)
class Reasons:
    """A set of givens and units.

    is_minimal: whether it is proved that no element can be left out. at_least: a proved lower bound
    on the size of any set that forces the same. chain: the consequences, phrase by phrase. cases:
    where each of a few candidates "leads to a contradiction", how each of them does. is_local:
    whether `is_minimal` speaks of propagation alone, as where cells are connected.
    """

    givens: tuple[Candidate, ...]
    units: tuple[Unit, ...]
    at_least: int
    chain: tuple[str, ...]
    board: Board = field(repr=False)
    is_minimal: bool = True
    is_local: bool = False
    cases: tuple[str, ...] = ()

    @property
    def path(self) -> tuple[str, ...]:
        """The chain with its cases told: one sentence after the other."""
        return (*self.chain[:-1], *self.cases) if self.cases else self.chain

    @property
    def size(self) -> int:
        """The number of givens and units."""
        return len(self.givens) + len(self.units)

    @property
    def is_smallest(self) -> bool:
        """Whether it is proved that no smaller set forces the same."""
        return self.size <= self.at_least

    @property
    def caveat(self) -> str:
        """Ends a sentence with what is not proved about the set; empty for a smallest set."""
        if self.is_smallest:
            return ""
        if not self.is_minimal:
            return f" ({self.size} reasons; the time limit ended the search for fewer)"
        if self.is_local:
            return f" ({self.size} reasons; fewer may do if more cases are tried)"
        return (
            f" ({self.size} reasons: none can be left out, "
            f"but a different set of {self.at_least} or more may exist)"
        )

    @property
    def cells(self) -> Cells:
        """The givens' cells, ascending."""
        return tuple(cell for cell, _ in self.givens)

    @property
    def given_names(self) -> list[str]:
        """The givens as a person reads them: r1c1=5."""
        return [f"{self.board.name_of(c)}={self.board.digits[d - 1]}" for c, d in self.givens]

    def as_data(self) -> dict[str, Any]:
        """The reasons as plain values for JSON; cells by name, r1c1."""
        return {
            "size": self.size,
            "smallest": self.is_smallest,
            "minimal": self.is_minimal,
            "at_least": self.at_least,
            "givens": [
                {"cell": self.board.name_of(cell), "digit": self.board.digits[digit - 1]}
                for cell, digit in self.givens
            ],
            "units": [unit_data(unit, self.board) for unit in self.units],
            "chain": list(self.chain),
        }


class Parts(NamedTuple):
    """Givens, and clues and rules by name, that contradict each other. is_minimal: whether a solver
    has found that none can be left out."""

    givens: tuple[Candidate, ...]
    families: tuple[str, ...]
    is_minimal: bool


def _parts(names: Iterable[str | Candidate], *, is_minimal: bool) -> Parts:
    every = list(names)
    families = tuple(name for name in every if isinstance(name, str))
    return Parts(tuple(n for n in every if not isinstance(n, str)), families, is_minimal)


def _touched(
    groups: Mapping[str | Candidate, list[int]], literals: Sequence[int]
) -> dict[str | Candidate, list[int]]:
    """The groups that have one of the literals."""
    used = set(literals)
    return {name: some for name, some in groups.items() if not used.isdisjoint(some)}


def _joined(groups: Mapping[str | Candidate, list[int]]) -> list[int]:
    return [literal for some in groups.values() for literal in some]


class Inquiry:
    """Asks why a puzzle is impossible, or becomes so if a candidate is supposed false.

    A given states the digit of its cell and so excludes the other digits there. `reasons` and
    `givens_only` end by the deadline (a time of `time.monotonic`). They then return the best set so
    far, or raise `BudgetError` if they have none.
    """

    def __init__(
        self, puzzle: Grid, units: Units, deadline: float, denied: int | None = None
    ) -> None:
        self.units, self.denied, self.deadline = units, denied, deadline
        n = units.size
        self.givens = [n * cell + digit - 1 for cell, digit in enumerate(puzzle) if digit]
        first = selector(units, 0)
        count = len(units.all)
        self._units = range(first, first + count)  # the literals that switch units on
        self._facts = range(first + count, first + count + len(self.givens))  # same for givens
        self._denial = [] if denied is None else [-denied - 1]
        self._clauses = [*limits.watched(selected_clauses(units)), *self._given_clauses()]
        self._oracle = Oracle(units, self._clauses, deadline)

    def reasons(self) -> Reasons:
        """A smallest set of givens and units, or the smallest found when the time is over."""
        # Breaking a group or a pair takes two givens at least, so no conflict has fewer reasons;
        # a clue may forbid a given by itself.
        if self.units.is_local and (followed := self._followed()) is not None:
            return followed
        least = 3 if self.denied is None and self.givens and not self.units.supporting else 1
        start = self._propagated() or self._core([*self._units, *self._facts], self._denial)
        return self._smallest(start, [*self._facts, *self._units], self._denial, least)

    def clashes(self, most: int | None) -> Iterator[Reasons | Parts]:
        """Sets of givens and units as soon as they are found and proved, each smaller than the one
        before; the last one is as good as that of `reasons`. Where the first has more than `most`
        elements, or takes cases, `parts` come before it."""
        start = self._propagated() or self._core([*self._units, *self._facts], [])
        if most is not None and (self.units.is_local or len(start) > most):
            yield from self._parts_in_time()
        if self.units.is_local:
            yield self.reasons()
            return
        literals, least = [*self._facts, *self._units], 3 if self.givens else 1
        best, _ = self._oracle.minimal(start)
        if most is not None and len(best) > FAR_TOO_MANY * most:
            return  # parts tell more
        yield from self._proved_soon(best)
        rng, soon = Random(1), min(self.deadline, time.monotonic() + SHUFFLING)
        while len(best) > least and time.monotonic() < soon:  # others, by luck smaller
            tried = self._core(rng.sample(literals, len(literals)), [])
            found, _ = self._oracle.minimal(rng.sample(tried, len(tried)))
            if len(found) < len(best):
                best = found
                yield from self._proved_soon(best)
        yield self._smallest(best, literals, [], least)

    def _parts_in_time(self) -> Iterator[Parts]:
        """`parts`, in two thirds of the time that is left."""
        now = time.monotonic()
        self._oracle.deadline = now + 2 / 3 * (self.deadline - now)
        yield from self.parts()
        self._oracle.deadline = self.deadline

    def _proved_soon(self, found: Sequence[int]) -> Iterator[Reasons]:
        """The set, unless its proof takes too long: a smaller one may still come."""
        try:
            yield self._proved(found, [], 1, False, grace=SOON)
        except BudgetError:
            return

    def parts(self) -> Iterator[Parts]:
        """Givens, and whole clues and rules by name, that contradict each other on their board,
        each time fewer; of the last ones none can be left out, unless the time was too short."""
        constraints = self.units.constraints
        groups: dict[str | Candidate, list[int]] = {}
        groups |= {name: [] for name in (*constraints.names, *constraints.clue_texts)}
        board: list[int] = []  # what always holds
        for unit in self.units.all:
            groups.get(unit.family, board).append(self._units[unit.number])
        facts = zip(self._facts, self.givens, strict=True)
        groups |= {self._pair(given): [fact] for fact, given in facts}
        kept = _touched(groups, self._core([*board, *_joined(groups)], []))
        told = -1
        for name in [*reversed(kept)]:
            if len(kept) != told:
                told = len(kept)
                yield _parts(kept, is_minimal=False)
            if name in kept:
                rest = _joined({other: kept[other] for other in kept if other != name})
                if (needed := self._oracle.needed([*board, *rest])) is not None:
                    kept = _touched(kept, needed)
        yield _parts(kept, is_minimal=self._oracle.decided)

    def _pair(self, given: int) -> Candidate:
        return given // self.units.size, given % self.units.size + 1

    def _followed(self) -> Reasons | None:
        """A set from which propagation finds the contradiction, with cases if it must, and without
        reasons that it can do without: where cells are connected, the smallest of all sets would
        take too many cases."""
        state = State(self.units, self.units.every, 0)
        supposed = list(self._supposed())
        half = (time.monotonic() + self.deadline) / 2
        proof = refute_by_cases(state, supposed, deadline=half)
        if proof is None:
            return None
        proof = fewer(proof, state, supposed, self.deadline)
        found = [self._units[0] + reason for reason in bits(proof.support)]
        return self._proved(found, [], 1, True, proof.cases)

    def _supposed(self) -> Iterator[Supposed]:
        """The givens, each with itself as the reason, and what is denied."""
        count = len(self.units.all)
        for number, given in enumerate(self.givens):
            for candidate in self._of_cell(given):
                yield candidate, candidate == given, 1 << count + number
        if self.denied is not None:
            yield self.denied, False, 0

    def givens_only(self) -> Reasons:
        """A smallest set of givens that suffices if all rules hold; only the givens count."""
        fixed = [*self._units, *self._denial]
        start = self._core(self._facts, fixed)
        return self._smallest(start, self._facts, fixed, min(1, len(start)))

    def close(self) -> None:
        """Free the solver."""
        self._oracle.close()

    def _smallest(
        self,
        start: Sequence[int],
        literals: Sequence[int],
        fixed: Sequence[int],
        at_least: int,
    ) -> Reasons:
        """A smallest subset of the literals that contradicts `fixed`; `start` is one such set."""
        found, minimal = self._oracle.minimal(start, fixed)
        seconds = self.deadline - time.monotonic()
        if len(found) > at_least and seconds > 0:
            hard = [*self._clauses, *([literal] for literal in fixed)]
            repaired = partial(add_cuts, self.units)
            better = smallest(hard, literals, seconds, len(found), repaired)
            found, minimal = better.literals or found, minimal or better.literals is not None
            at_least = max(at_least, better.at_least)
        at_least = min(at_least, len(found))
        return self._proved(found, fixed, at_least, minimal or at_least == len(found))

    def _propagated(self) -> Sequence[int]:
        """The literals of a contradiction found by propagation from the givens; may be empty."""
        everything = State(self.units, self.units.every, 0)
        for overlaps in (False, True):
            search = Propagation(everything, overlaps=overlaps)
            for supposed in self._supposed():
                search.suppose(*supposed)
            found = search.contradiction()
            if found is not None:
                return [self._units[0] + reason for reason in bits(found)]
        return ()

    def _core(self, literals: Sequence[int], fixed: Sequence[int]) -> Sequence[int]:
        core = self._oracle.core(literals, fixed)
        assert core is not None  # callers ask only if there is a contradiction
        return core

    def _proved(
        self,
        found: Sequence[int],
        fixed: Sequence[int],
        at_least: int,
        minimal: bool,
        cases: Sequence[int] = (),
        grace: float = GRACE,
    ) -> Reasons:
        givens = [
            self.givens[literal - self._facts[0]] for literal in found if literal in self._facts
        ]
        units = [
            self.units.all[literal - self._units[0]] for literal in found if literal in self._units
        ]
        live = self.units.every
        if self.denied is not None:
            live ^= 1 << self.denied
        for given in givens:
            live &= ~mask_of(other for other in self._of_cell(given) if other != given)
        chain: tuple[str, ...] = ()
        ways: tuple[str, ...] = ()
        if self._units[0] not in fixed:  # under all rules the consequences would be too long
            with limits.grace(grace):
                begun = max(self.deadline, time.monotonic()) if grace == GRACE else time.monotonic()
                late = begun + grace
                if not Claim(units, live, late).contradicts(givens, cases):
                    raise WitnessError(f"{givens} and {units} do not contradict each other")
                chain = consequences(self.units, units, live, givens, cases)
                ways = ways_out(self.units, units, live, givens)
        pairs = tuple(map(self._pair, givens))
        board, is_local = self.units.board, self.units.is_local
        return Reasons(pairs, tuple(units), at_least, chain, board, minimal, is_local, ways)

    def _given_clauses(self) -> Iterator[Clause]:
        for fact, given in zip(self._facts, self.givens, strict=True):
            for candidate in self._of_cell(given):
                yield [-fact, candidate + 1 if candidate == given else -candidate - 1]

    def _of_cell(self, candidate: int) -> range:
        """The candidates of the same cell."""
        n = self.units.size
        return range(candidate // n * n, candidate // n * n + n)
