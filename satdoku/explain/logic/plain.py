"""The techniques between singles and chains: groups, houses, lines, and what clues say alone.

Invariant: each yields all that it finds in a state, the easiest first, of equals in the order of
the units. It is asked only of groups, houses and clues that have changed, and words are made for
what is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import combinations
from operator import itemgetter

from ...model.board import bits, mask_of
from ...runtime.lazy import cached_property
from ..naming import article, either, houses_named, listed
from ..readings import Mask, Removal
from ..techniques import (
    DIRECT,
    Finding,
    State,
    alone,
    excluded_by_all,
    hidden_sets,
    locked_name,
    naked_sets,
    seen_by_all,
    shut_in,
    single,
)
from ..units import House, Unit, Units, union
from . import scale
from .bent import Almost, almost_sets, wings
from .net import reader_of
from .places import Lines, lines_of, places_of
from .reference import Reader
from .watched import Answer, Questions, Sieved, Watched

HELD_IN = 4  # cells, at most, in which a digit that a clue must hold is looked for
FISH_NAMES = {2: "X-wing", 3: "swordfish", 4: "jellyfish"}
RATED = itemgetter(0)


class Plain:
    """The techniques of one puzzle, state by state."""

    def __init__(self, units: Units) -> None:
        self.units = units
        groups, houses, lines = _of_groups(units), _of_houses(units), _of_lines(units)
        self._lonely = self._told("lonely", groups, _lonely)
        self._within = self._told("within", groups, self._inside, is_wide=True)
        self._shut_in = self._told("seen", groups, self._seen_by_group, is_wide=True)
        self._naked = {n: self._told("naked", houses, self._naked_sets, n) for n in scale.NAKED}
        self._hidden = {n: self._told("hidden", houses, self._hidden_sets, n) for n in scale.HIDDEN}
        self._almost = {n: self._told("wings", houses, self._almost_sets, n) for n in scale.WINGS}
        self._lined = {n: self._told("fish", lines, self._fish, n) for n in scale.FISH}

    def _told(
        self,
        kind: str,
        questions: Questions,
        ask: Callable[..., Sequence[Answer]],
        count: int | None = None,
        *,
        is_wide: bool = False,
    ) -> Watched[Answer] | Sieved[Answer]:
        """The answers of a technique; count: of cells, digits or lines, if it is asked by that."""
        if count is not None:
            ask = partial(ask, count)
        if (places := places_of(self.units)) is None:
            return Watched(questions, ask, is_wide=is_wide)
        return Sieved(
            questions, ask, partial(places.asked, kind, count=count or 1), is_wide=is_wide
        )

    @cached_property
    def _reader(self) -> Reader:
        return reader_of(self.units)

    @cached_property
    def _clues(self) -> Watched[tuple[float, int, Mask]]:
        return Watched(_of_parts(self._reader), self._clue)

    @cached_property
    def _local(self) -> Watched[tuple[float, Unit, Mask, tuple[Removal, ...]]]:
        return Watched(_of_clues(self.units), self._local_clue)

    @cached_property
    def _needed(self) -> Watched[tuple[int, int, Mask]]:
        return Watched(_of_parts(self._reader), self._must_hold, is_wide=True)

    # Groups ---------------------------------------------------------------------------------------

    def singles(self, state: State) -> Iterator[Finding]:
        """Groups with one candidate left."""
        found = []
        for number, candidate in self._lonely.found(state.live & ~state.placed):
            unit = self.units.all[number]
            if not unit.candidates & state.placed:
                found.append((self._rating_of_single(state, unit), number, candidate))
        for rating, number, candidate in sorted(found, key=RATED):
            yield single(self.units.all[number], candidate)._replace(rating=rating)

    def _rating_of_single(self, state: State, unit: Unit) -> float:
        if unit.family == "cell":
            return scale.NAKED_SINGLE
        n, group = self.units.size, (1 << self.units.size) - 1
        empty = [cell for cell in unit.cells if not state.placed >> n * cell & group]
        if len(empty) == 1:
            return scale.LAST_DIGIT
        if unit.family == "box":
            return scale.HIDDEN_BOX
        return scale.HIDDEN_LINE if unit.family in ("row", "column") else scale.HIDDEN_OTHER

    def locked(self, state: State) -> Iterator[Finding]:
        """Groups with candidates only in another."""
        for rating, inner, outer, struck in sorted(self._within.found(state.live), key=RATED):
            named = inner.number, outer.number
            yield Finding(locked_name(inner, outer), named, struck=struck, rating=rating)

    def _inside(self, group: int, live: Mask) -> list[tuple[float, Unit, Unit, Mask]]:
        inner, found = self.units.all[group], []
        for outer, struck in shut_in(self.units, inner, live):
            is_claiming = locked_name(inner, outer) == "claiming"
            rating = scale.CLAIMING if is_claiming else scale.POINTING
            found.append((rating, inner, outer, struck))
        return found

    def direct_intersections(self, state: State) -> Iterator[Finding]:
        """Pointing or claiming after which a house beside the first has one place for the digit."""
        for found in self.locked(state):
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

    def common_peers(self, state: State) -> Iterator[Finding]:
        """What all candidates left in some group exclude."""
        found = []
        for group, left in self._shut_in.found(state.live):
            if not group.candidates & state.placed:
                for by, struck in excluded_by_all(state, left):
                    rating = round(scale.COMMON_PEERS + 0.1 * (len(by) - 1), 1)
                    found.append((rating, (group.number, *by), struck))
        for rating, named, struck in sorted(found, key=RATED):
            yield Finding("common peers", named, struck=struck, rating=rating)

    def _seen_by_group(self, group: int, live: Mask) -> list[tuple[Unit, Mask]]:
        asked = self.units.all[group]
        left = asked.candidates & live
        return [(asked, left)] if seen_by_all(self.units, left) & live else []

    # Clues ----------------------------------------------------------------------------------------

    def clues(self, state: State) -> Iterator[Finding]:
        """What a clue alone does not allow: part by part or, where readings say why, by these."""
        if self.units.is_local:
            found = sorted(self._local.found(state.live), key=RATED)
            for rating, unit, struck, removals in found:
                for finding in alone(unit, struck, removals):
                    yield finding._replace(rating=rating)
            return
        for rating, number, struck in sorted(self._clues.found(state.live), key=RATED):
            part = self._reader.parts[number]
            named = self._reader.named(part.unit)
            why = self._beside(named) if part.of_sum else ""
            yield Finding("clue alone", named, struck=struck, why=why, rating=rating)

    def _clue(self, number: int, live: Mask) -> list[tuple[float, int, Mask]]:
        struck = self._reader.struck(number, live)
        return [(scale.of_clue(self._open_cells(live)), number, struck)] if struck else []

    def _local_clue(
        self, question: int, live: Mask
    ) -> list[tuple[float, Unit, Mask, tuple[Removal, ...]]]:
        unit = self.units.supporting[question]
        if not (struck := unit.unsupported(live)):
            return []
        removals = tuple(unit.removals(live)) if unit.is_local else ()
        return [(scale.of_clue(len(unit.cells)), unit, struck, removals)]

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
        found = []
        for clue, digit, places in self._needed.found(state.live):
            for by, struck in excluded_by_all(state, places):
                rating = round(scale.HELD + 0.1 * (len(by) - 1), 1)
                found.append((rating, clue, digit, places, by, struck))
        for rating, clue, digit, places, by, struck in sorted(found, key=RATED):
            units = tuple(dict.fromkeys((clue, *by)))
            why = self._why_held(clue, digit, places)
            yield Finding("held digit", units, struck=struck, why=why, rating=rating)

    def _why_held(self, clue: int, digit: int, places: Mask) -> str:
        name = self.units.board.name_of
        cells = either(name(place // self.units.size) for place in bits(places))
        return f"{self.units.all[clue].label} needs {article(digit)} {digit} in {cells}"

    def _must_hold(self, number: int, live: Mask) -> list[tuple[int, int, Mask]]:
        """The clue, and the digits that a part of it must hold, with their places if these are few
        and exclude any candidate."""
        part = self._reader.parts[number]
        if part.reading is None:
            return []
        found = []
        own = part.members & live
        for digit, members in _by_digit(self._reader)[number]:
            places = own & members
            if 2 <= places.bit_count() <= HELD_IN and seen_by_all(self.units, places) & live:
                rest = own & ~places
                if not rest & ~self._reader.struck(number, rest):
                    found.append((part.unit, digit, places))
        return sorted(found, key=lambda one: one[2] & -one[2])  # by the first place

    # Houses ---------------------------------------------------------------------------------------

    def naked(self, state: State, count: int) -> Iterator[Finding]:
        """So many cells of a house with only as many digits."""
        return self._naked[count].found(state.live)

    def _naked_sets(self, count: int, house: int, live: Mask) -> list[Finding]:
        n, asked = self.units.size, self.units.houses[house]
        found = naked_sets(n, asked, self._digits(asked, live), count)
        return [one._replace(rating=scale.NAKED[count]) for one in found]

    def hidden(self, state: State, count: int) -> Iterator[Finding]:
        """So many digits of a house with only as many places."""
        return (found for _, found in self._hidden[count].found(state.live))

    def _hidden_sets(self, count: int, house: int, live: Mask) -> list[tuple[House, Finding]]:
        n, asked = self.units.size, self.units.houses[house]
        if not asked.is_full:
            return []
        found = hidden_sets(n, asked, self._digits(asked, live), count)
        return [(asked, one._replace(rating=scale.HIDDEN[count])) for one in found]

    def direct_sets(self, state: State, count: int) -> Iterator[Finding]:
        """A hidden set after which the house has one place for another digit."""
        for house, found in self._hidden[count].found(state.live):
            groups = (self.units.all[unit] for unit in house.units)
            yield from _direct(state, found, scale.DIRECT_HIDDEN[count], groups)

    def wings(self, state: State, count: int) -> Iterator[Finding]:
        """Wings of so many cells."""
        if not (found := [*self._almost[count].found(state.live)]):
            return
        of, n = scale.WINGS[count], self.units.size
        pairs: dict[int, int] = {}
        for cell, left in enumerate(state.by_cell):
            if left.bit_count() == 2:
                low, high = (n * cell + digit for digit in bits(left))
                pairs |= {low: high, high: low}
        beside = mask_of(pairs)
        near = (almost for almost in found if almost.seen & beside)
        for almost in sorted(near, key=lambda almost: of[almost.fullest]):
            yield from wings(state, almost, pairs, beside)

    def _almost_sets(self, count: int, house: int, live: Mask) -> list[Almost]:
        asked = self.units.houses[house]
        return [*almost_sets(self.units, asked, self._digits(asked, live), count - 1)]

    def _digits(self, house: House, live: Mask) -> tuple[Mask, ...]:
        n, group = self.units.size, (1 << self.units.size) - 1
        return tuple([live >> n * cell & group for cell in house.cells])

    # Lines ----------------------------------------------------------------------------------------

    def fish(self, state: State, count: int) -> Iterator[Finding]:
        """A digit that so many lines have only in as many lines across them."""
        return self._lined[count].found(state.live)

    def _fish(self, count: int, question: int, live: Mask) -> list[Finding]:
        return [*_fish(self.units, live, lines_of(self.units)[question], count)]


# What each technique is asked of ------------------------------------------------------------------


@lru_cache(maxsize=16)
def _of_groups(units: Units) -> Questions:
    return Questions([unit.candidates for unit in units.groups])


@lru_cache(maxsize=16)
def _of_houses(units: Units) -> Questions:
    n, group = units.size, (1 << units.size) - 1
    return Questions([union(group << n * cell for cell in house.cells) for house in units.houses])


@lru_cache(maxsize=16)
def _of_clues(units: Units) -> Questions:
    return Questions([unit.members for unit in units.supporting])


@lru_cache(maxsize=16)
def _of_parts(reader: Reader) -> Questions:
    return Questions([part.members for part in reader.parts])


@lru_cache(maxsize=16)
def _by_digit(reader: Reader) -> list[list[tuple[int, Mask]]]:
    """For each part its digits, with all candidates of each."""
    found = []
    for part in reader.parts:
        members: dict[int, Mask] = {}
        for candidate in bits(part.members & reader.units.every):
            digit = reader.units.digit_of(candidate)
            members[digit] = members.get(digit, 0) | 1 << candidate
        found.append([*members.items()])
    return found


@lru_cache(maxsize=16)
def _of_lines(units: Units) -> Questions:
    lines = ((*lines.bases, *lines.covers) for lines in lines_of(units))
    return Questions([union(group.candidates for group in groups) for groups in lines])


def _lonely(group: int, left: Mask) -> tuple[tuple[int, int], ...]:
    return () if left & left - 1 or not left else ((group, left.bit_length() - 1),)


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


def _fish(units: Units, live: Mask, lines: Lines, count: int) -> Iterator[Finding]:
    few = []  # with the covers of their places
    for base in lines.bases:
        met, places = 0, base.candidates & live
        if places.bit_count() > count:  # a cover crosses the line once
            continue
        for candidate in bits(places):
            if candidate not in lines.met:
                break  # of overlapping grids
            met |= lines.met[candidate]
        else:
            if 2 <= met.bit_count() <= count:
                few.append((met, base))
    for chosen in combinations(few, count):
        met = 0
        for crossed, _ in chosen:
            met |= crossed
        if met.bit_count() == count:
            bases, covers = [base for _, base in chosen], [lines.covers[i] for i in bits(met)]
            yield from _struck_by_fish(units, live, lines.digit, bases, covers)


def _struck_by_fish(
    units: Units, live: Mask, digit: int, bases: list[Unit], covers: list[Unit]
) -> Iterator[Finding]:
    held = union(base.candidates for base in bases)
    if held.bit_count() < sum(base.candidates.bit_count() for base in bases):
        return  # of overlapping grids: one digit may serve two lines
    if struck := union(cover.candidates for cover in covers) & live & ~held:
        name, said = FISH_NAMES[len(bases)], units.board.digits[digit]
        why = (
            f"{houses_named(base.label for base in bases)} have {said} only in "
            f"{houses_named(cover.label for cover in covers)} ({name})"
        )
        named = tuple(unit.number for unit in (*bases, *covers))
        yield Finding(name, named, struck=struck, why=why, rating=scale.FISH[len(bases)])
