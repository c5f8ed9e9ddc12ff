"""Find small explanations by unit propagation that draws the cheapest consequence first.

Invariant: the result depends only on the state and the suppositions. There is no solver, clock or
randomness here, so every machine finds the same contradiction.

Each consequence has a support: the set of reasons that it needs. Consequences are drawn in the
order of the size of their supports (Dijkstra's order, generalised to and-or graphs by D. Knuth, A
Generalization of Dijkstra's Algorithm, IPL 6, 1977). The support of a consequence is the union of
the supports that it follows from, so its size is not a sum, and a smaller union may be missed. The
result is small but not always smallest.
"""

from __future__ import annotations

from heapq import heappop, heappush

from ..model.board import bits, mask_of
from .state import State
from .techniques import fewest_excluders
from .units import Mask

Entry = tuple[int, int, bool, Mask]  # size of the support, candidate, true or false, support
NO_BOUND = 1 << 30
FEW = 3  # look for common rivals only in groups with at most this many candidates left


class Propagation:
    """The consequences of a state and some suppositions that need fewer than `bound` reasons.

    Reasons are numbers: the numbers of units, and the numbers given to `suppose`. With `overlaps`,
    a candidate is also false if all candidates left in some group exclude it (box-line inference
    and similar ones). This is stronger, and about three times slower.
    """

    def __init__(self, state: State, *, bound: int = NO_BOUND, overlaps: bool = False) -> None:
        self.units = state.units
        self.open = state.live & ~state.placed
        self._not_false = state.live
        self.bound = bound
        self.overlaps = overlaps
        self.true: dict[int, Mask] = {}
        self.false: dict[int, Mask] = {}
        self._left = {unit.number: left.bit_count() for unit, left in state.open_groups}
        self._contradiction: Mask | None = None
        self._heap: list[Entry] = []
        self._touched: dict[int, None] = {}  # clues of several cells that lost a candidate
        for unit, struck in state.unsupported:
            for candidate in bits(struck):
                self.suppose(candidate, False, 1 << unit)

    def suppose(self, candidate: int, holds: bool, support: Mask = 0) -> None:
        """Suppose that an open candidate is true or false; `support` are the reasons it costs."""
        size = support.bit_count()
        if size < self.bound:
            heappush(self._heap, (size, candidate, holds, support))

    def contradiction(self) -> Mask | None:
        """Draw all consequences; return the smallest set of reasons found for a contradiction.

        None if there is no contradiction.
        """
        while self._has_more() or self._touched:
            if not self._has_more():
                self._read(self._touched.popitem()[0])
                continue
            _, candidate, holds, support = heappop(self._heap)
            if candidate in (self.true if holds else self.false):
                continue
            if holds:
                self._settle_true(candidate, support)
            else:
                self._settle_false(candidate, support)
        return self._contradiction

    def _has_more(self) -> bool:
        return bool(self._heap) and self._heap[0][0] < self.bound

    def _read(self, unit: int) -> None:
        """The candidates that a clue no longer allows are false: it needs many reasons and much
        time, so this waits until there is nothing else to draw."""
        clue = self.units.all[unit]
        support = 1 << unit
        for candidate in bits(clue.members & self.open & ~self._not_false):
            support |= self.false[candidate]
        for candidate in bits(clue.unsupported(self._not_false) & self.open):
            self.suppose(candidate, False, support)

    def _settle_true(self, candidate: int, support: Mask) -> None:
        self.true[candidate] = support
        if candidate in self.false:
            self._contradict(support | self.false[candidate])
        for unit, others in self.units.rivals[candidate]:
            for other in bits(others & self.open):
                if other not in self.false:
                    self.suppose(other, False, support | 1 << unit)
        for unit, others in self.units.supports_of[candidate]:
            self._needs_one(candidate, others, unit)

    def _settle_false(self, candidate: int, support: Mask) -> None:
        self.false[candidate] = support
        self._not_false &= ~(1 << candidate)
        if candidate in self.true:
            self._contradict(support | self.true[candidate])
        for unit, other, others in self.units.supports_at[candidate]:
            if other not in self.false:
                self._needs_one(other, others, unit)
        self._touched.update(dict.fromkeys(self.units.read_by[candidate]))
        for group in self.units.groups_at[candidate]:
            self._left[group] -= 1
            if self._left[group] < 2:
                self._last_of(group)
            elif self.overlaps and self._left[group] <= FEW:
                self._common_rivals(group)

    def _needs_one(self, candidate: int, others: Mask, unit: int) -> None:
        """A candidate without support is false; if it is true, its last support is."""
        rest = others & self._not_false
        if rest & rest - 1 or (rest and candidate not in self.true):
            return
        support = 1 << unit
        for other in bits(others & self.open & ~rest):
            support |= self.false[other]
        if rest & self.open:
            self.suppose(rest.bit_length() - 1, True, support | self.true[candidate])
        elif not rest and self.open >> candidate & 1:
            self.suppose(candidate, False, support)

    def _rest(self, group: int) -> tuple[Mask, Mask]:
        """The candidates of a group that are not false, and the reasons for the false ones."""
        rest, support = 0, 1 << group
        for candidate in bits(self.units.all[group].candidates & self.open):
            if candidate in self.false:
                support |= self.false[candidate]
            else:
                rest |= 1 << candidate
        return rest, support

    def _last_of(self, group: int) -> None:
        """The last candidate left in a group is true; an empty group is a contradiction."""
        rest, support = self._rest(group)
        if not rest:
            self._contradict(support)
        elif (last := rest.bit_length() - 1) not in self.true:
            self.suppose(last, True, support)

    def _common_rivals(self, group: int) -> None:
        rest, support = self._rest(group)
        common = self.open & ~self.units.all[group].candidates
        for candidate in bits(rest):
            common &= self.units.excluded[candidate]
        for rival in bits(common):
            if rival not in self.false:
                by = fewest_excluders(self.units, rival, rest)
                self.suppose(rival, False, support | mask_of(by))

    def _contradict(self, support: Mask) -> None:
        if support.bit_count() < self.bound:
            self._contradiction, self.bound = support, support.bit_count()


def refute(
    state: State, candidate: int, *, bound: int = NO_BOUND, overlaps: bool = False
) -> Mask | None:
    """A set of fewer than `bound` units that refutes the candidate in the state, or None.

    None means only that this propagation finds no such set.
    """
    propagation = Propagation(state, bound=bound, overlaps=overlaps)
    propagation.suppose(candidate, True)
    return propagation.contradiction()
