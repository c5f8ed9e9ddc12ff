"""The next step as a person would find it: the easiest technique that concludes anything.

Invariant: techniques are tried by their ratings (`scale`), each reads groups, exclusions and what
clues read, and knows no kind of clue by its name. What depends on some candidates only is kept for
these candidates, so that a state costs what has changed since the last one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, partial
from itertools import chain, combinations
from operator import itemgetter

from ...model.board import bits, mask_of
from ..naming import article, either, houses_named, listed
from ..readings import Mask
from ..techniques import (
    DIRECT,
    Finding,
    State,
    clues,
    common_peers,
    excluded_by_all,
    hidden_sets,
    locked,
    lonely,
    naked_sets,
)
from ..units import House, Unit, Units, union
from . import scale
from .alternating import chains_of_digit, mixed_chains
from .bent import almost_sets, wings
from .chains import finding_of
from .net import net_of
from .reference import EVER, Chain, Net
from .strands import rating_of
from .sums import sums

Rung = tuple[float, Callable[[State], Iterator[Finding]]]  # a rating below which it has nothing
Search = Callable[[Mask, Mask], list[Chain]]
ROUNDS = (2, 3, 4, 6, EVER)  # of propagation that contradictions may take, tried in turn
FAR = (3, EVER)  # the same where houses are read, too
FEW = (2, 5)  # candidates of the groups whose cases are asked, tried in turn
HELD_IN = 4  # cells, at most, in which a digit that a clue must hold is looked for
KEPT = 100_000
FISH_NAMES = {2: "X-wing", 3: "swordfish", 4: "jellyfish"}


class Ladder:
    """Looks for the easiest next step of one puzzle, state by state: each has fewer candidates than
    the one before.

    techniques: all beyond singles, the easiest first.
    """

    def __init__(self, units: Units) -> None:
        self.units = units
        self.net = net_of(units)
        self._kept: dict[tuple[object, ...], object] = {}
        self._found: dict[str, list[Chain]] = {}  # chains that are still to be told
        self._every = sum(1 << units.size * cell for cell in range(units.board.cells))
        self._lines = _lines_of(units)
        self._direct: list[Rung] = [
            (scale.DIRECT_POINTING, self.direct_intersections),
            *((of, partial(self.direct_sets, count=n)) for n, of in scale.DIRECT_HIDDEN.items()),
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
    def _joint(self) -> Net:
        """The net that reads houses with the sums in them, too; few puzzles need it."""
        return net_of(self.units, is_joint=True)

    def next(self, state: State) -> Finding | None:
        """The easiest finding, the first of equals; None if no technique finds one. What places a
        digit at once is not kept waiting."""
        best = min(self.singles(state), key=_rating, default=None)
        for least, rung in self.techniques if best is None else self._direct:
            if best is not None and _rating(best) <= least:
                break
            found = (rung(state), () if best is None else (best,))
            best = min(chain.from_iterable(found), key=_rating, default=None)
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
        sets = (
            (scale.NAKED, self.naked), (scale.FISH, self.fish), (scale.HIDDEN, self.hidden)
        )  # fmt: skip
        rungs: list[Rung] = [
            (scale.of_clue(1), self.clues),
            (scale.POINTING, partial(_rated, rating=scale.POINTING, technique=self._locked)),
            (scale.of_total(1, 1), partial(sums, most=2)),
            (scale.HELD, self.held),
            (
                scale.COMMON_PEERS,
                partial(_rated, rating=scale.COMMON_PEERS, technique=common_peers),
            ),
            (scale.of_total(3, 1), sums),
            *((of[n], partial(rung, count=n)) for of, rung in sets for n in of),
            *((min(of.values()), partial(self.wings, count=n)) for n, of in scale.WINGS.items()),
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
        n = self.units.size
        for digit in range(n):
            live = state.live & self._every << digit
            key = "links", digit, live
            if key not in self._kept:
                self._keep(key, tuple(self._easiest(state, chains_of_digit(state, live))))
            for one in self._kept[key]:  # type: ignore[attr-defined]
                yield finding_of(state, self.net, one, "forcing chain")

    def links(self, state: State) -> Iterator[Finding]:
        """The easiest chain of one strand."""
        for one in self._easiest(state, mixed_chains(state)):
            yield finding_of(state, self.net, one, "forcing chain")

    def _easiest(self, state: State, chains: Iterator[Chain]) -> Iterator[Chain]:
        rating = partial(rating_of, self.net, live=state.live, technique="forcing chain")
        yield from () if (one := min(chains, key=rating, default=None)) is None else (one,)

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

    def singles(self, state: State) -> Iterator[Finding]:
        """Groups with one candidate left."""
        for found in lonely(state):
            rating = self._rating_of_single(state, self.units.all[found.units[0]])
            yield found._replace(rating=rating)

    def _rating_of_single(self, state: State, unit: Unit) -> float:
        if unit.family == "cell":
            return scale.NAKED_SINGLE
        placed = {candidate // self.units.size for candidate in bits(state.placed)}
        if sum(cell not in placed for cell in unit.cells) == 1:
            return scale.LAST_DIGIT
        if unit.family == "box":
            return scale.HIDDEN_BOX
        return scale.HIDDEN_LINE if unit.family in ("row", "column") else scale.HIDDEN_OTHER

    def clues(self, state: State) -> Iterator[Finding]:
        """What a clue alone does not allow: part by part or, where readings say why, by these."""
        if self.units.is_local:
            for found in clues(state):
                cells = len(self.units.all[found.units[0]].cells)
                yield found._replace(rating=scale.of_clue(cells))
            return
        for number, part in enumerate(self.net.parts):
            if part.outside or (part.of_sum and part.of_sum.said):
                continue
            if struck := self.net.struck(number, state.live):
                rating = scale.of_clue(self._open_cells(part.members & state.live))
                named = self.net.named(part.unit)
                why = self._beside(named) if part.of_sum else ""
                yield Finding("clue alone", named, struck=struck, why=why, rating=rating)

    def _beside(self, named: tuple[int, ...]) -> str:
        """A clue, and the houses that say which of its cells differ."""
        clue, *houses = (self.units.all[unit].label for unit in named)
        return f"{clue}, whose digits in {listed(dict.fromkeys(houses))} differ" if houses else ""

    def _open_cells(self, live: Mask) -> int:
        n = self.units.size
        cells = {candidate // n for candidate in bits(live)}
        return sum((live >> n * cell & (1 << n) - 1).bit_count() > 1 for cell in cells)

    def held(self, state: State) -> Iterator[Finding]:
        """Digits that a clue must hold: what all places exclude."""
        for number, part in enumerate(self.net.parts):
            if part.reading is None:
                continue
            live = part.members & state.live
            for digit, places in self._held_by(number, live):
                yield from self._excluded(state, part.unit, digit, places)

    def _excluded(self, state: State, clue: int, digit: int, places: Mask) -> Iterator[Finding]:
        name = self.units.board.name_of
        cells = either(name(place // self.units.size) for place in bits(places))
        why = f"{self.units.all[clue].label} needs {article(digit)} {digit} in {cells}"
        for by, struck in excluded_by_all(state, places):
            units = tuple(dict.fromkeys((clue, *by)))
            rating = round(scale.HELD + 0.1 * (len(by) - 1), 1)
            yield Finding("held digit", units, struck=struck, why=why, rating=rating)

    def _held_by(self, number: int, live: Mask) -> tuple[tuple[int, Mask], ...]:
        """The digits that a part of a clue must hold, with their places if these are few."""
        key = "held", number, live
        if key not in self._kept:
            self._keep(key, tuple(self._must_hold(number, live)))
        return self._kept[key]  # type: ignore[return-value]

    def _must_hold(self, number: int, live: Mask) -> Iterator[tuple[int, Mask]]:
        by_digit: dict[int, Mask] = {}
        for candidate in bits(live):
            digit = self.units.digit_of(candidate)
            by_digit[digit] = by_digit.get(digit, 0) | 1 << candidate
        for digit, places in by_digit.items():
            if 2 <= places.bit_count() <= HELD_IN and self._shared(places):
                rest = live & ~places
                if not rest & ~self.net.struck(number, rest):
                    yield digit, places

    def _shared(self, places: Mask) -> bool:
        """Whether anything sees all the places."""
        common = -1
        for place in bits(places):
            common &= self.units.excluded[place]
        return bool(common)

    def naked(self, state: State, count: int) -> Iterator[Finding]:
        """So many cells of a house with only as many digits."""
        for number, house in enumerate(self.units.houses):
            yield from self._of_house(state, number, house, count, naked_sets)

    def hidden(self, state: State, count: int) -> Iterator[Finding]:
        """So many digits of a house with only as many places."""
        for number, house in enumerate(self.units.houses):
            if house.is_full:
                yield from self._of_house(state, number, house, count, hidden_sets)

    def _of_house(
        self, state: State, number: int, house: House, count: int, sets: Sets
    ) -> tuple[Finding, ...]:
        n = self.units.size
        digits = tuple([state.by_cell[cell] for cell in house.cells])
        key = sets, number, count, digits
        if key not in self._kept:
            rating = (scale.NAKED if sets is naked_sets else scale.HIDDEN)[count]
            found = (one._replace(rating=rating) for one in sets(n, house, digits, count))
            self._keep(key, tuple(found))
        return self._kept[key]  # type: ignore[return-value]

    def wings(self, state: State, count: int) -> Iterator[Finding]:
        """Wings of so many cells."""
        n = self.units.size
        pairs: dict[int, int] = {}
        for cell, left in enumerate(state.by_cell):
            if left.bit_count() == 2:
                low, high = (n * cell + digit for digit in bits(left))
                pairs |= {low: high, high: low}
        for number, house in enumerate(self.units.houses):
            digits = tuple([state.by_cell[cell] for cell in house.cells])
            key = almost_sets, number, count, digits
            if key not in self._kept:
                self._keep(key, tuple(almost_sets(self.units, house, digits, count - 1)))
            for almost in self._kept[key]:  # type: ignore[attr-defined]
                yield from wings(state, almost, pairs)

    def _locked(self, state: State) -> Iterator[Finding]:
        key = "locked", state.live
        if key not in self._kept:
            self._keep(key, tuple(locked(state)))
        yield from self._kept[key]  # type: ignore[misc]

    def direct_intersections(self, state: State) -> Iterator[Finding]:
        """Pointing or claiming after which a house beside the first has one place for the digit."""
        for found in self._locked(state):
            if (rating := scale.DIRECT.get(found.technique)) is None:
                continue
            inner = self.units.all[found.units[0]]
            met = {
                group
                for candidate in bits(found.struck)
                for group in self.units.groups_at[candidate]
            }
            beside = (self.units.all[group] for group in sorted(met))
            yield from _direct(
                state, found, rating, (g for g in beside if g.family == inner.family)
            )

    def direct_sets(self, state: State, count: int) -> Iterator[Finding]:
        """A hidden set after which the house has one place for another digit."""
        for number, house in enumerate(self.units.houses):
            groups = [self.units.all[unit] for unit in house.units]
            if house.is_full:
                for found in self._of_house(state, number, house, count, hidden_sets):
                    yield from _direct(state, found, scale.DIRECT_HIDDEN[count], groups)

    def fish(self, state: State, count: int) -> Iterator[Finding]:
        """A digit that so many lines have only in as many lines across them."""
        for digit in range(len(self.units.board.digits)):
            for bases, covers in self._lines:
                yield from self._fish(state, digit, bases, covers, count)

    def _fish(
        self,
        state: State,
        digit: int,
        bases: tuple[House, ...],
        covers: tuple[House, ...],
        count: int,
    ) -> tuple[Finding, ...]:
        groups = [self.units.all[house.units[digit]] for house in (*bases, *covers)]
        live = state.live & union(group.candidates for group in groups)
        key = "fish", digit, bases[0].label, count, live
        if key not in self._kept:
            self._keep(key, tuple(_fish(self.units, live, digit, bases, covers, count)))
        return self._kept[key]  # type: ignore[return-value]

    def _keep(self, key: tuple[object, ...], value: object) -> None:
        if len(self._kept) > KEPT:
            self._kept.clear()
        self._kept[key] = value


def _says(finding: Finding, candidate: int, holds: bool) -> bool:
    if holds:
        return finding.placed == candidate
    return bool(finding.struck >> candidate & 1)


def _rating(finding: Finding) -> float:
    assert finding.rating is not None
    return finding.rating


def _direct(
    state: State, found: Finding, rating: float, groups: Iterable[Unit]
) -> Iterator[Finding]:
    """The hidden singles that a finding leaves."""
    for group in groups:
        left = state.left(group) & ~found.struck
        if left and not left & left - 1 and left != state.left(group):
            yield found._replace(
                technique=f"{DIRECT}{found.technique}",
                units=(group.number, *(unit for unit in found.units if unit != group.number)),
                placed=left.bit_length() - 1,
                struck=0,
                rating=rating,
            )


def _rated(
    state: State, *, rating: float, technique: Callable[[State], Iterator[Finding]]
) -> Iterator[Finding]:
    for finding in technique(state):
        more = {"claiming": scale.CLAIMING}.get(finding.technique, rating)
        yield finding._replace(rating=round(more + 0.1 * max(0, len(finding.units) - 2), 1))


Sets = Callable[[int, House, tuple[Mask, ...], int], Iterator[Finding]]


def _lines_of(units: Units) -> list[tuple[tuple[House, ...], tuple[House, ...]]]:
    """Rows across columns, and columns across rows; none where a line does not hold each digit."""
    rows, columns = (
        tuple(h for h in units.houses if h.is_full and units.all[h.units[0]].family == family)
        for family in ("row", "column")
    )
    return [(rows, columns), (columns, rows)] if rows and columns else []


def _fish(
    units: Units,
    live: Mask,
    digit: int,
    bases: tuple[House, ...],
    covers: tuple[House, ...],
    count: int,
) -> Iterator[Finding]:
    across = [units.all[house.units[digit]].candidates for house in covers]
    lines: list[tuple[House, Mask]] = []  # with the covers of their places
    for house in bases:
        places = units.all[house.units[digit]].candidates & live
        met = mask_of(i for i, cover in enumerate(across) if cover & places)
        if 2 <= met.bit_count() <= count and not places & ~union(across):
            lines.append((house, met))
    for chosen in combinations(lines, count):
        met = union(covered for _, covered in chosen)
        if met.bit_count() != count:
            continue
        groups = [units.all[house.units[digit]].candidates for house, _ in chosen]
        base = union(groups)
        if base.bit_count() < sum(map(int.bit_count, groups)):
            continue  # of overlapping grids: one digit may serve two lines
        struck = union(across[i] for i in bits(met)) & live & ~base
        if struck:
            crossed = [covers[i] for i in bits(met)]
            named = (*(h.units[digit] for h, _ in chosen), *(h.units[digit] for h in crossed))
            name, said = FISH_NAMES[count], units.board.digits[digit]
            why = (
                f"{houses_named(h.label for h, _ in chosen)} have {said} only in "
                f"{houses_named(h.label for h in crossed)} ({name})"
            )
            yield Finding(name, named, struck=struck, why=why, rating=scale.FISH[count])
