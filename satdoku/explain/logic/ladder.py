"""The next step as a person would find it: the easiest technique that concludes anything.

Invariant: techniques are tried by their ratings (`scale`), each reads groups, exclusions and what
clues read, and knows no kind of clue by its name. Each yields its easiest finding first. What
depends on some candidates only is asked again only when these change (`watched`), so that a state
costs what has changed since the last one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from operator import itemgetter

from ...runtime.lazy import cached_property
from ..readings import Mask
from ..techniques import Finding, State
from ..units import Units
from . import scale
from .alternating import chains_of_digit, mixed_chains
from .chains import finding_of
from .net import net_of
from .plain import Plain
from .reference import EVER, Chain, Net
from .strands import rating_of
from .sums import Sums
from .watched import Questions, Watched

Rung = tuple[float, Callable[[State], Iterator[Finding]]]  # a rating below which it has nothing
Search = Callable[[Mask, Mask], list[Chain]]
ROUNDS = (2, 3, 4, 6, EVER)  # of propagation that contradictions may take, tried in turn
FAR = (3, EVER)  # the same where houses are read, too
FEW = (2, 5)  # candidates of the groups whose cases are asked, tried in turn


class Ladder:
    """Looks for the easiest next step of one puzzle, state by state: each has fewer candidates than
    the one before.

    techniques: all beyond singles, the easiest first.
    """

    def __init__(self, units: Units) -> None:
        self.units = units
        self._by, self._sums = Plain(units), Sums(units)
        self._found: dict[str, list[Chain]] = {}  # chains that are still to be told
        every = sum(1 << units.size * cell for cell in range(units.board.cells))
        digits = Questions([every << digit for digit in range(units.size)])
        self._linked = Watched(digits, self._chains_of_digit)
        self.singles, by = self._by.singles, self._by
        self._direct: list[Rung] = [
            (scale.DIRECT_POINTING, by.direct_intersections),
            *((of, partial(by.direct_sets, count=n)) for n, of in scale.DIRECT_HIDDEN.items()),
        ]
        self._plain = self._rungs()
        chained: list[Rung] = [
            (scale.STRONG_LINKS[2], self.links_of_digits),
            (scale.MIXED, self.links),
            (scale.STRONG_LINKS[2], partial(self._searched, technique="forcing chain")),
            *(
                (least, partial(self._searched, technique=technique))
                for technique, least in scale.CONTRADICTIONS.items()
            ),
        ]
        self.techniques = sorted([*self._plain, *chained], key=itemgetter(0))

    @cached_property
    def net(self) -> Net:
        """The net of clues and houses; most steps do without it."""
        return net_of(self.units)

    @cached_property
    def _joint(self) -> Net:
        """The net that reads houses with the sums in them, too; few puzzles need it."""
        return net_of(self.units, is_joint=True)

    def next(self, state: State) -> Finding | None:
        """The easiest finding, the first of equals; None if no technique finds one. What places a
        digit at once is not kept waiting."""
        best = next(self.singles(state), None)
        for least, rung in self.techniques if best is None else self._direct:
            if best is not None and _rating(best) <= least:
                break
            found = next(rung(state), None)
            if best is None or (found is not None and _rating(found) <= _rating(best)):
                best = found
        return best

    def for_claim(self, state: State, candidate: int, holds: bool) -> Finding | None:
        """The easiest finding that places this candidate or, if it does not hold, strikes it; None
        if no technique finds one."""
        for rung in (self.singles, *(rung for _, rung in self._plain)):
            concluding = (found for found in rung(state) if _says(found, candidate, holds))
            if (found := min(concluding, key=_rating, default=None)) is not None:
                return found
        if holds or not state.live >> candidate & 1:
            return None
        tried = 1 << candidate
        searches = (
            (name, *each)
            for name in ("forcing chain", *scale.CONTRADICTIONS)
            for each in self._searches(name)
        )
        chains = ((name, net, search(state.live, tried)) for name, net, search in searches)
        told = (finding_of(state, net, each[0], name) for name, net, each in chains if each)
        return next((one for one in told if _says(one, candidate, holds)), None)

    def _rungs(self) -> list[Rung]:
        """The techniques between singles and chains, the easiest first."""
        by = self._by
        sets = ((scale.NAKED, by.naked), (scale.FISH, by.fish), (scale.HIDDEN, by.hidden))
        rungs: list[Rung] = [
            (scale.of_clue(1), by.clues),
            (scale.POINTING, by.locked),
            (scale.of_total(1, 1), partial(self._sums.found, most=2)),
            (scale.HELD, by.held),
            (scale.COMMON_PEERS, by.common_peers),
            (scale.of_total(3, 1), self._sums.found),
            *((of[n], partial(rung, count=n)) for of, rung in sets for n in of),
            *((min(of.values()), partial(by.wings, count=n)) for n, of in scale.WINGS.items()),
            *self._direct,
        ]
        return sorted(rungs, key=itemgetter(0))

    def _searches(self, technique: str) -> Iterator[tuple[Net, Search]]:
        """What looks for chains of a technique, the plainest first, with the net that it reads."""
        if technique == "forcing chain":
            yield self.net, self.net.chains
        elif technique == "contradiction":
            yield from ((self.net, partial(self.net.refute, rounds=most)) for most in ROUNDS)
        elif technique == "contradiction by houses":
            yield from ((self._joint, partial(self._joint.refute, rounds=most)) for most in FAR)
        else:
            yield from ((self._joint, partial(self._joint.by_cases, few=few)) for few in FEW)

    def links_of_digits(self, state: State) -> Iterator[Finding]:
        """The easiest chains of one strand on one digit each."""
        for rating, one in sorted(self._linked.found(state.live), key=itemgetter(0)):
            yield finding_of(state, self.net, one, "forcing chain", rating)

    def _chains_of_digit(self, digit: int, live: Mask) -> list[tuple[float, Chain]]:
        return self._easiest(live, chains_of_digit(self.units, digit, live))

    def links(self, state: State) -> Iterator[Finding]:
        """The easiest chain of one strand."""
        for rating, one in self._easiest(state.live, mixed_chains(state)):
            yield finding_of(state, self.net, one, "forcing chain", rating)

    def _easiest(self, live: Mask, chains: Iterator[Chain]) -> list[tuple[float, Chain]]:
        """The first of the lowest rating, with that; none if there is no chain."""
        rated = ((rating_of(self.net, one, live, "forcing chain"), one) for one in chains)
        best = min(rated, key=itemgetter(0), default=None)
        return [] if best is None else [best]

    def _searched(self, state: State, technique: str) -> Iterator[Finding]:
        """The easiest chain of the first search that finds any. What has been found stays true
        while candidates go, so that it is looked for again only when nothing of it is left."""
        tried = state.live & ~state.placed
        for net, search in self._searches(technique):
            found = self._found.get(technique, ())
            left = [one for one in found if tried >> one[0].candidate & 1]
            rating = partial(rating_of, net, live=state.live, technique=technique)
            if chains := left or sorted(search(state.live, tried), key=rating):
                self._found[technique] = chains
                yield finding_of(state, net, chains[0], technique)
                return


def _says(finding: Finding, candidate: int, holds: bool) -> bool:
    if holds:
        return finding.placed == candidate
    return bool(finding.struck >> candidate & 1)


def _rating(finding: Finding) -> float:
    assert finding.rating is not None
    return finding.rating
