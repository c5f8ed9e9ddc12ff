"""Choose the next conclusion of a solution: the one whose explanation has the fewest units.

Invariant: the plain techniques come first. A search runs only if they find nothing of size 4 or
less, or of size 1 if there are clues, and then only for something smaller than they found.

No conclusion has a smaller explanation than such a finding (see `techniques`). A larger finding is
the smallest that was found, and it is minimal: every one of its units is needed.
"""

from __future__ import annotations

import time
from itertools import chain
from math import inf

from .. import limits
from ..model.board import bits, mask_of
from .finding import Finding
from .mus import Oracle, selector
from .propagation import NO_BOUND, Propagation, refute
from .state import State
from .techniques import (
    clues,
    common_peers,
    locked,
    singles,
    subsets,
)
from .units import Mask, Units

BOUNDS = (5, 7, 10, 14, 20, 30, NO_BOUND)  # sizes of explanations that the search tries in turn
SMALL = 4  # plain findings up to this size are taken without a search for smaller ones
CORES = 12  # candidates to try if propagation refutes none
FISH = {4: "x-wing", 6: "swordfish", 8: "jellyfish"}


class Finder:
    """Looks for the next finding: first with the plain techniques by size, then by search.

    true: the candidates that some solution has; the finder refutes the others. After the deadline
    (a time of `time.monotonic`) a search raises `BudgetError`, so time never changes a finding.
    """

    def __init__(self, units: Units, true: Mask, deadline: float = inf) -> None:
        self.units, self.true, self.deadline = units, true, deadline
        self._oracle: Oracle | None = None

    def next(self, state: State) -> Finding:
        """The finding with the fewest units; among equals the plainest, then the first."""
        plain = self._plain(state)
        if plain is not None and plain.size <= (1 if self.units.clues else SMALL):
            return plain
        bound = NO_BOUND if plain is None else plain.size
        if (found := self._searched(state, bound)) is not None:
            return found
        return self._last_resort(state) if plain is None else self._shrunk(state, plain)

    def close(self) -> None:
        """Free the solver, if there is one."""
        if self._oracle is not None:
            self._oracle.close()

    def _plain(self, state: State) -> Finding | None:
        """The smallest finding of the plain techniques, the first of its size."""
        for technique in (singles, clues, locked):
            for finding in technique(state):
                return finding
        larger = chain(subsets(state, 2), common_peers(state), subsets(state, 3))
        return min(larger, key=lambda finding: finding.size, default=None)

    def _searched(self, state: State, bound: int) -> Finding | None:
        """The smallest explanation under the bound that propagation finds, made minimal."""
        for step in BOUNDS:
            best = self._best(state, min(step, bound), overlaps=False)
            if best is not None or step >= bound:
                return best
        return None

    def _shrunk(self, state: State, plain: Finding) -> Finding:
        """The finding; if it names clues, what they need may make some of its units superfluous."""
        if not any(self.units.all[unit].sentence for unit in plain.units):
            return plain
        candidate = next(bits(plain.struck))
        units = self._minimal(state, plain.units, candidate)
        return plain if len(units) == plain.size else self._finding(state, units, candidate)

    def _last_resort(self, state: State) -> Finding:
        """If propagation refutes no candidate: try stronger propagation, then a solver's cores."""
        return self._best(state, NO_BOUND, overlaps=True) or self._by_cores(state)

    def _best(self, state: State, bound: int, *, overlaps: bool) -> Finding | None:
        """The refutation with the fewest units below the bound; the first candidate's if equal."""
        best: tuple[tuple[int, ...], int] | None = None
        for candidate in bits(state.live & ~self.true):
            self._look_at_the_clock()
            support = refute(state, candidate, bound=bound, overlaps=overlaps)
            if support is not None:
                units = self._minimal(state, tuple(bits(support)), candidate)
                best, bound = (units, candidate), len(units)
        return None if best is None else self._finding(state, *best)

    def _by_cores(self, state: State) -> Finding:
        """The smallest of several minimal sets, found by shrinking a solver's cores."""
        oracle = self._asked(state)
        selectors = [selector(self.units, unit) for unit in range(len(self.units.all))]
        tried = sorted(
            bits(state.live & ~self.true), key=lambda candidate: -_reach(state, candidate)
        )[:CORES]
        found = []
        for candidate in tried:
            self._look_at_the_clock()
            core = oracle.core(selectors, [candidate + 1])
            assert core is not None  # the candidate is in no solution
            units = tuple(literal - selectors[0] for literal in core)
            found.append((self._minimal(state, units, candidate), candidate))
        best, candidate = min(found, key=lambda pair: len(pair[0]))
        return self._finding(state, best, candidate)

    def _minimal(self, state: State, units: tuple[int, ...], candidate: int) -> tuple[int, ...]:
        oracle = self._asked(state)
        literals = [selector(self.units, unit) for unit in units]
        kept = oracle.minimal(literals, [candidate + 1]).literals
        return tuple(literal - selector(self.units, 0) for literal in kept)

    def _finding(self, state: State, units: tuple[int, ...], candidate: int) -> Finding:
        """A finding that strikes the candidate and all others that the same units refute."""
        oracle = self._asked(state)
        switched = [selector(self.units, unit) for unit in units]
        reach = mask_of(
            other
            for unit in units
            for other in bits(self.units.all[unit].members & state.live & ~self.true)
        )
        also = (c for c in bits(reach) if oracle.contradict([*switched, c + 1]))
        struck = 1 << candidate | mask_of(also)
        return Finding(_shape(self.units, units), units, struck=struck, refuted=candidate)

    def _look_at_the_clock(self) -> None:
        if time.monotonic() > self.deadline:
            raise limits.late()

    def _asked(self, state: State) -> Oracle:
        if self._oracle is None:
            self._oracle = Oracle(self.units)
        self._oracle.keep_only(state.live)
        return self._oracle


def _reach(state: State, candidate: int) -> int:
    """The number of consequences that propagation draws from a candidate."""
    search = Propagation(state)
    search.suppose(candidate, True)
    search.contradiction()
    return len(search.true) + len(search.false)


def _shape(units: Units, explanation: tuple[int, ...]) -> str:
    """The technique's name: a fish has as many rows as columns of one digit, else it is a chain."""
    named = [units.all[unit] for unit in explanation]
    rows = sum(unit.family == "row" for unit in named)
    columns = sum(unit.family == "column" for unit in named)
    one_digit = len({unit.digit for unit in named}) == 1
    if one_digit and rows == columns and rows + columns == len(named) and len(named) in FISH:
        return FISH[len(named)]
    return "chain"
