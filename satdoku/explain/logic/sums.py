"""Sums over houses: what the totals that follow from houses and clues leave of a state.

Invariant: every finding follows from the units that it names and the candidates left. A total is
read with all that is known of which of its cells differ; what its own units do not say of that,
other units are named for, as few as a reading with them needs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from ...model.board import bits, mask_of
from ...runtime import limits
from ...runtime.lazy import cached_property
from ..naming import either, listed
from ..readings import MOST_KNOWN, Mask
from ..techniques import Finding, State
from ..units import Units
from . import scale
from .totals import Total, apart_of, equation, totals_of
from .watched import Questions, Rank, Ranked

MOST_OPEN = 6  # cells of a total that have more than one digit left
MOST_STATES = 2000  # sums and digits used that are told apart; beyond, cells may hold equal digits
FEW = 4  # ways to reach a sum that are listed
LOOSE = 4  # cells of which assignments are looked for before all sums are
MOST_TRIED = 500  # assignments that are looked at, or digits that are tried, for either

Way = tuple[int, ...]  # the units that say that two cells differ


class Sums:
    """What the totals of a rule set do not leave, state by state."""

    def __init__(self, units: Units) -> None:
        self.units = units

    @cached_property
    def _totals(self) -> Ranked[Finding]:
        return Ranked(_members_of(self.units), self._asked, self._rank)

    def found(self, state: State, most: int = MOST_OPEN) -> Iterator[Finding]:
        """By their ratings, of equals first those of few open cells. most: open cells of a total,
        at most `MOST_OPEN`: more would find a little more and take far longer."""
        for (rating, count, _), found in self._totals.ranked(state.live):
            if count <= most:
                yield from (finding._replace(rating=rating) for finding in found)

    def _rank(self, number: int, live: Mask) -> Rank | None:
        reader = readers_of(self.units)[number]
        count = (reader.firsts & _several(live, self.units.size)).bit_count()
        houses = reader.said.houses
        return (scale.of_total(count, houses), count, houses) if count <= MOST_OPEN else None

    def _asked(self, number: int, live: Mask) -> tuple[Finding, ...]:
        finding = readers_of(self.units)[number].found(live)
        return () if finding is None else (finding,)


@lru_cache(maxsize=8)
def _several(live: Mask, size: int) -> Mask:
    """The cells with more than one candidate, each as its first one."""
    once = several = 0
    for digit in range(size):
        of_digit = live >> digit
        several |= once & of_digit
        once |= of_digit
    return several


@lru_cache(maxsize=16)
def readers_of(units: Units) -> tuple[TotalReader, ...]:
    """The totals of a rule set, each with what it has told so far."""
    return tuple(TotalReader(total, units) for total in totals_of(units))


@lru_cache(maxsize=16)
def _members_of(units: Units) -> Questions:
    return Questions([reader.candidates for reader in readers_of(units)])


class TotalReader:
    """A total, and which of its cells differ. candidates: those of its cells; firsts: the first of
    each."""

    def __init__(self, said: Total, units: Units) -> None:
        self.said, self.units = said, units
        group = (1 << units.size) - 1
        self.firsts = mask_of(units.size * cell for cell in said.cells)
        self.candidates = self.firsts * group
        self._shifts = tuple(units.size * cell for cell in said.cells)
        self._group = group
        apart, own = apart_of(units), set(said.units)
        ways = {
            (i, j): apart.get((a, b), ())
            for (i, a), (j, b) in combinations(enumerate(said.cells), 2)
        }
        self._own = [pair for pair, said in ways.items() if any(own.issuperset(w) for w in said)]
        self._more = {pair: w for pair, w in ways.items() if w and pair not in self._own}
        self._known: dict[Mask, Finding | None] = {}

    def found(self, live: Mask) -> Finding | None:
        """What it does not leave of the candidates; kept, as most of them stay."""
        own = live & self.candidates
        if own not in self._known:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            self._known[own] = self._finding(own)
        return self._known[own]

    def _finding(self, live: Mask) -> Finding | None:
        masks = tuple(live >> shift & self._group for shift in self._shifts)
        struck = self._struck(masks, [*self._own, *self._more])
        if not struck:
            return None
        ways = self._needed(masks, struck)
        units = {*self.said.units, *(unit for way in ways for unit in way)}
        words = _Words(self.said, self.units, masks, self._apart(self._told_by(ways)))
        why = words.why(struck, [self.units.all[way[0]].label for way in ways])
        cells, basis = self.said.cells, self.said.units
        return Finding(
            self.said.name, tuple(sorted(units)), struck=struck, cells=cells, basis=basis, why=why
        )

    def _struck(self, masks: tuple[int, ...], pairs: Sequence[tuple[int, int]]) -> Mask:
        left = allowed(masks, self.said.weights, self.said.total, self._apart(pairs))
        struck = 0
        for shift, before, after in zip(self._shifts, masks, left, strict=True):
            struck |= (before & ~after) << shift
        return struck

    def _apart(self, pairs: Sequence[tuple[int, int]]) -> tuple[int, ...]:
        """For each cell the places of the later ones that differ from it."""
        apart = [0] * len(self.said.cells)
        for i, j in pairs:
            apart[i] |= 1 << j
        return tuple(apart)

    def _told_by(self, ways: Sequence[Way]) -> list[tuple[int, int]]:
        """The cells that differ by its own units and these."""
        return self._own + [pair for pair, said in self._more.items() if {*said} & {*ways}]

    def _needed(self, masks: tuple[int, ...], struck: Mask) -> list[Way]:
        """Few sets of units that suffice, besides its own, to strike as much; those that are large
        are left out first."""
        every = {way for said in self._more.values() for way in said}
        needed = sorted(every, key=lambda way: (len(way), way))
        for way in needed[::-1]:
            fewer = [other for other in needed if other != way]
            if self._struck(masks, self._told_by(fewer)) == struck:
                needed = fewer
        return needed


# What cells may hold ------------------------------------------------------------------------------


@lru_cache(maxsize=1 << 15)
def allowed(
    masks: tuple[int, ...], weights: tuple[int, ...], total: int, apart: tuple[int, ...]
) -> tuple[int, ...]:
    """What is left of the digits of cells that add up to a total, each times its weight.

    masks: their positions from 1, as bits from 0. apart: for each cell the places of the later ones
    that differ from it.
    """
    left = list(masks)
    nothing = (0,) * len(masks)
    known = 0
    while new := [k for k, m in enumerate(left) if m & m - 1 == 0 and not known >> k & 1]:
        for place in new:
            digit = left[place]
            known |= 1 << place
            total -= weights[place] * digit.bit_length()
            for other in range(len(left)):
                if other != place and apart[min(place, other)] >> max(place, other) & 1:
                    left[other] &= ~digit
    if not all(left):
        return nothing
    places = _in_order([k for k in range(len(left)) if not known >> k & 1], apart)
    if not places:
        return tuple(left) if total == 0 else nothing
    beside = tuple(
        sum(1 << b for b, q in enumerate(places) if b > a and apart[min(p, q)] >> max(p, q) & 1)
        for a, p in enumerate(places)
    )
    each = tuple(left[place] for place in places)
    found = _reached(each, tuple(weights[place] for place in places), total, beside)
    if not all(found):
        return nothing
    for place, mask in zip(places, found, strict=True):
        left[place] = mask
    return tuple(left)


def _in_order(places: Sequence[int], apart: Sequence[int]) -> list[int]:
    """The places, each followed by those that differ from it: what is used is soon forgotten."""
    order: list[int] = []
    waiting = list(places)
    while waiting:
        near = (p for p in waiting if any(apart[min(p, q)] >> max(p, q) & 1 for q in order))
        chosen = next(near, waiting[0])
        order.append(chosen)
        waiting.remove(chosen)
    return order


class _Cell(NamedTuple):
    """One step through the cells. moves: for each digit its bit, what it adds, and the bits that it
    takes from later cells; least, most: what later cells add."""

    moves: tuple[tuple[int, int, int], ...]
    least: int
    most: int


@lru_cache(maxsize=1 << 15)
def _reached(
    masks: tuple[int, ...], weights: tuple[int, ...], total: int, apart: tuple[int, ...]
) -> tuple[int, ...]:
    """`allowed`, of cells with several digits left. A state is what is missing, and the digits that
    later cells no longer have, of the next one in the lowest bits."""
    limits.check()
    if len(masks) >= LOOSE and _is_loose(masks, weights, total, apart):
        return masks
    cells = _steps(masks, weights, apart)
    size = max(masks).bit_length()
    states = {(total, 0)}
    layers: list[list[tuple[tuple[int, int], int, tuple[int, int]]]] = []
    for cell in cells:
        edges = []
        after = set()
        for state in states:
            missing, gone = state
            rest = gone >> size
            for bit, adds, takes in cell.moves:
                if not gone & bit and cell.least <= missing - adds <= cell.most:
                    now = (missing - adds, rest | takes)
                    after.add(now)
                    edges.append((state, bit, now))
        if len(after) > MOST_STATES and any(apart):
            return _reached(masks, weights, total, (0,) * len(apart))
        layers.append(edges)
        states = after
    found = []
    alive = states
    for edges in reversed(layers):
        kept = [(before, bit) for before, bit, now in edges if now in alive]
        alive = {before for before, _ in kept}
        digits = 0
        for _, bit in kept:
            digits |= bit
        found.append(digits)
    return tuple(found[::-1])


def _is_loose(
    masks: tuple[int, ...], weights: tuple[int, ...], total: int, apart: tuple[int, ...]
) -> bool:
    """Whether each digit is part of some assignment, as is soon found if nothing is tight; False if
    not all are found soon."""
    search = _Search(masks, weights, apart)
    found = [0] * len(masks)
    for place, mask in enumerate(masks):
        for digit in bits(mask):
            if found[place] >> digit & 1:
                continue
            if not search.extends(place, digit, total):
                return False
            found = [held | 1 << one for held, one in zip(found, search.chosen, strict=True)]
    return True


class _Search:
    """Looks for assignments, with few tries for all of them. chosen: the digit of each cell, from
    0, or -1."""

    def __init__(
        self, masks: tuple[int, ...], weights: tuple[int, ...], apart: tuple[int, ...]
    ) -> None:
        self._weights = weights
        self._digits = [[*bits(mask)] for mask in masks]
        self._beside = list(apart)
        for place, later in enumerate(apart):
            for other in bits(later):
                self._beside[other] |= 1 << place
        self._ends = [
            sorted((weight * (digits[0] + 1), weight * (digits[-1] + 1)))
            for weight, digits in zip(weights, self._digits, strict=True)
        ]
        self._least, self._most = (sum(end[side] for end in self._ends) for side in (0, 1))
        self._tries = 0
        self.chosen: list[int] = []

    def extends(self, place: int, digit: int, total: int) -> bool:
        """Whether an assignment with the digit is found."""
        self.chosen = [-1] * len(self._weights)
        self.chosen[place] = digit
        others = [other for other in range(len(self._weights)) if other != place]
        low, high = self._ends[place]
        missing = total - self._weights[place] * (digit + 1)
        return self._fill(others, missing, self._least - low, self._most - high)

    def _fill(self, places: Sequence[int], missing: int, least: int, most: int) -> bool:
        """Give each of the places a digit: first that which lies in its range as what is missing
        does in that of all. least, most: what the places can add."""
        if not places:
            return missing == 0
        place, *rest = places
        weight, (low, high) = self._weights[place], self._ends[place]
        share = (missing - least) / max(1, most - least)
        ideal = (low + share * (high - low)) / weight - 1
        least, most = least - low, most - high
        for digit in sorted(self._digits[place], key=lambda digit: abs(digit - ideal)):
            after = missing - weight * (digit + 1)
            if least <= after <= most and self._is_free(place, digit):
                self._tries += 1
                self.chosen[place] = digit
                if self._tries <= MOST_TRIED and self._fill(rest, after, least, most):
                    return True
                self.chosen[place] = -1
        return False

    def _is_free(self, place: int, digit: int) -> bool:
        return all(self.chosen[other] != digit for other in bits(self._beside[place]))


def _steps(masks: tuple[int, ...], weights: tuple[int, ...], apart: tuple[int, ...]) -> list[_Cell]:
    size = max(masks).bit_length()
    cells: list[_Cell] = []
    least = most = 0
    for place in range(len(masks) - 1, -1, -1):
        weight = weights[place]
        moves = []
        for position in bits(masks[place]):
            later = (q for q in bits(apart[place]) if masks[q] >> position & 1)
            takes = sum(1 << size * (q - place - 1) + position for q in later)
            moves.append((1 << position, weight * (position + 1), takes))
        cells.append(_Cell(tuple(moves), least, most))
        adds = [add for _, add, _ in moves]
        least, most = least + min(adds), most + max(adds)
    return cells[::-1]


# Words --------------------------------------------------------------------------------------------


class _Words:
    """How a total is told in a state. masks: the digits left in each of its cells; apart: which of
    them differ, as for `allowed`."""

    def __init__(
        self, said: Total, units: Units, masks: Sequence[int], apart: tuple[int, ...]
    ) -> None:
        self.said, self.units, self.masks, self.apart = said, units, masks, apart
        self._domains = units.board.domains(said.cells)

    def why(self, struck: Mask, houses: Sequence[str]) -> str:
        """`row 1 sums to 45 and its 4 cages to 33, so r1c7+r1c8 = 12, that is 3+9 or 4+8`."""
        known = [place for place, mask in enumerate(self.masks) if mask & mask - 1 == 0 and mask]
        places = [place for place in range(len(self.masks)) if place not in known] or known
        known = [place for place in known if place not in places]
        values = {place: self._digit(place, self.masks[place].bit_length()) for place in known}
        total = self.said.of_digits - sum(self.said.weights[p] * values[p] for p in known)
        given = [f"{self._name(place)}={value}" for place, value in values.items()]
        twice = f" (no digit twice in {listed(houses)})" if houses else ""
        so = f"so with {listed(given)}," if given else "so"
        terms = [(self._name(place), self.said.weights[place]) for place in places]
        so += f" {equation(terms, total)}{twice}"
        return f"{self.said.phrase}, {so}{self._end(places, struck)}"

    def _name(self, place: int) -> str:
        return self.units.board.name_of(self.said.cells[place])

    def _digit(self, place: int, position: int) -> int:
        return self._domains[place][position - 1]

    def _end(self, places: Sequence[int], struck: Mask) -> str:
        """The ways to reach it, if there are few; else the bound that strikes candidates, if there
        is one."""
        if len(places) == 1:
            return ""
        ways = self._ways(places)
        if ways is None:
            return self._bound(places, struck)
        if not ways:
            return ", which nothing reaches"
        return f", that is {either(ways)}"

    def _ways(self, places: Sequence[int]) -> list[str] | None:
        """The digits that reach the total, in any order if all have the same weight; None if these
        are many."""
        weights = [self.said.weights[place] for place in places]
        is_set = len({*weights}) == 1
        found: dict[tuple[int, ...], None] = {}
        for tried, positions in enumerate(
            assignments(self.masks, self.said.weights, self.said.total, self.apart)
        ):
            digits = [self._digit(place, positions[place]) for place in places]
            found[tuple(sorted(digits) if is_set else digits)] = None
            if len(found) > FEW or tried == MOST_TRIED:
                return None
        return [self._way(way, is_set) for way in sorted(found)]

    def _way(self, digits: Sequence[int], is_set: bool) -> str:
        return ("+" if is_set else "-").join(map(str, digits))

    def _bound(self, places: Sequence[int], struck: Mask) -> str:
        """`, so r1c7 is at most 4`, if only one cell loses digits, and these at one end."""
        n = self.units.size
        gone = {p: struck >> n * self.said.cells[p] & (1 << n) - 1 for p in places}
        losing = [place for place, mask in gone.items() if mask]
        if len(losing) != 1:
            return ""
        place = losing[0]
        lost, left = gone[place], self.masks[place] & ~gone[place]
        if left and lost > left and lost & -lost > left:
            return f", so {self._name(place)} is at most {self._digit(place, left.bit_length())}"
        lowest = (left & -left).bit_length()
        if left and lost < left & -left:
            return f", so {self._name(place)} is at least {self._digit(place, lowest)}"
        return ""


def assignments(
    masks: Sequence[int], weights: Sequence[int], total: int, apart: Sequence[int]
) -> Iterator[tuple[int, ...]]:
    """The positions that reach a total, cell by cell; as for `allowed`."""
    least, most = [0], [0]
    for mask, weight in zip(masks[::-1], weights[::-1], strict=True):
        adds = [weight * (position + 1) for position in bits(mask)] or [0]
        least.append(least[-1] + min(adds))
        most.append(most[-1] + max(adds))
    least, most = least[::-1], most[::-1]

    def onward(place: int, missing: int, left: Sequence[int]) -> Iterator[tuple[int, ...]]:
        if place == len(masks):
            yield ()
            return
        for position in bits(left[place]):
            after = missing - weights[place] * (position + 1)
            if least[place + 1] <= after <= most[place + 1]:
                rest = [
                    mask & ~(1 << position) if apart[place] >> other & 1 else mask
                    for other, mask in enumerate(left)
                ]
                yield from ((position + 1, *more) for more in onward(place + 1, after, rest))

    return onward(0, total, masks)
