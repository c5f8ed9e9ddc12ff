"""The witness of explanations: it proves that units and known candidates force a conclusion.

Invariant: it tries all cases and uses neither a solver nor `techniques`, `steps` or `mus`. It
reads only the named units, so a step that needs an unnamed unit fails. Of what a clue reads it asks
only whether some candidates allow it: an automaton accepts them, connected cells are not cut.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable
from math import inf

from ..model.board import bits
from ..runtime.errors import BudgetError
from .readings import Mask
from .units import Unit


class Claim:
    """Some units and the candidates left, to be tested for what they force.

    Trying all cases may take very long. After the deadline (a time of `time.monotonic`) it raises
    `BudgetError`.
    """

    def __init__(self, units: Iterable[Unit], live: Mask, deadline: float = inf) -> None:
        self.deadline = deadline
        named = list(units)
        self.live = live
        self.groups = [unit.candidates for unit in named if unit.candidates]
        self.groups += {group for unit in named for group in unit.own_groups}
        self.readings = [reading for unit in named for reading in unit.readings]
        self.tested = [reading for unit in named if unit.is_local for reading in unit.readings]
        self.supports = [support for unit in named for support in unit.supports]
        self.rivals: dict[int, Mask] = {}
        for unit in named:
            for a, b in unit.pairs:
                self.rivals[a] = self.rivals.get(a, 0) | 1 << b
                self.rivals[b] = self.rivals.get(b, 0) | 1 << a

    def forces(self, candidate: int) -> bool:
        """Whether nothing is possible without the candidate."""
        return not self._possible(self.groups, self.live & ~(1 << candidate), 0)

    def excludes(self, candidate: int, cases: Iterable[int] = ()) -> bool:
        """Whether nothing is possible with the candidate; cases as in `contradicts`."""
        return self.contradicts([candidate], cases)

    def contradicts(self, facts: Iterable[int], cases: Iterable[int] = ()) -> bool:
        """Whether nothing is possible if all these candidates are true. cases: others to try first,
        one after the other; each is struck if nothing is possible with it."""
        groups, live, true = self.groups, self.live, 0
        for candidate in facts:
            if not live >> candidate & 1:
                return True
            groups, live, true = self._with(candidate, groups, live, true)
        for case in cases:
            if live >> case & 1 and not self._possible(*self._with(case, groups, live, true)):
                live &= ~(1 << case)
        return not self._possible(groups, live, true)

    def _with(
        self, candidate: int, groups: list[Mask], live: Mask, true: Mask
    ) -> tuple[list[Mask], Mask, Mask]:
        """The groups still to fill, the candidates left and the true ones with one more."""
        struck = self.rivals.get(candidate, 0)
        rest = []
        for group in groups:
            if group >> candidate & 1:
                struck |= group & ~(1 << candidate)
            else:
                rest.append(group)
        return rest, live & ~struck, true | 1 << candidate

    def _possible(self, groups: list[Mask], live: Mask, true: Mask) -> bool:
        """Whether every group can get its one candidate and every true one its support; tries all
        cases, the tightest first."""
        live = self._supported(live)
        if true & ~live or not all(r.allows(live) for r in self.readings):
            return False
        needs = [*groups, *(s for c, s in self.supports if true >> c & 1 and not s & true)]
        if not needs:
            return True
        if time.monotonic() > self.deadline:
            raise BudgetError("a conflict was found, but not proved within the time limit")
        tightest = min(needs, key=lambda need: (need & live).bit_count())
        if (tightest & live).bit_count() > 1 and self.tested:
            left = self._tested(live)
            if left != live:
                return self._possible(groups, left, true)
        return any(
            self._possible(*self._with(candidate, groups, live, true))
            for candidate in bits(tightest & live)
        )

    def _tested(self, live: Mask) -> Mask:
        """The candidates left without those that a reading does not allow."""
        for reading in self.tested:
            for group in reading.groups:
                if (left := group & live) & left - 1:
                    for candidate in bits(left):
                        if not reading.is_possible(live & ~group | 1 << candidate):
                            live &= ~(1 << candidate)
        return live

    def _supported(self, live: Mask) -> Mask:
        """The candidates left without those that have no support among them."""
        before = 0
        while live != before:
            before = live
            for candidate, others in self.supports:
                if not others & live:
                    live &= ~(1 << candidate)
        return live


def proves(
    units: Collection[Unit],
    live: Mask,
    placed: int | None,
    struck: Mask,
    cases: Collection[int] = (),
    deadline: float = inf,
) -> bool:
    """Whether the units and the candidates left force the whole conclusion; cases, deadline: see
    `Claim`."""
    claim = Claim(units, live, deadline)
    if placed is not None:
        return claim.forces(placed)
    return bool(struck) and all(claim.excludes(candidate, cases) for candidate in bits(struck))
