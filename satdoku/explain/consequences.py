"""What follows from candidates by some units alone, phrase by phrase, up to a contradiction.

Invariant: each phrase follows from those before it by a unit that it names, and the last one tells
what cannot be. Phrases of which nothing that is told later makes use are left out; where cells are
connected, all are told.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..model.board import bits, mask_of
from .clue_words import reason
from .combinations import needed
from .exclusions import exclusions
from .naming import listed
from .readings import Mask, Removal, Said
from .units import Unit, Units, union


def told(units: Units, said: Said) -> str:
    """Why a clue does not allow candidates: `else r3c3 would be cut off from r1c1`."""
    names = ["the edge" if cell < 0 else units.board.name_of(cell) for cell in said.cells]
    digit, label, *_ = (*map(units.digit_of, said.candidates), 0, 0)
    numbers = {"number": said.number, "digit": digit, "label": label}
    return REASONS[said.about].format(*names, all=listed(names), **numbers)


REASONS = {
    "cut off": "else {0} would be cut off from {1}",
    "out of reach": "{0} would be cut off from {1}",
    "few": "else {0} would be in a part of {number} at most",
    "small": "{0} is in a part of {number} at most",
    "many": "{number} are known",
    "far": "too far from {0}, which reaches {number} at most",
    "none": "else {all} would break it",
    "edge": "else {0} and {1}, or it and {2}, would be cut off along the edge",
    "named": "the region with {digit} in {0} has label {label}",
    "only": "region {label} has no other place for {digit} than {0}",
    "once": "region {label} has {digit} in {0}",
}


def consequences(
    units: Units,
    named: Sequence[Unit],
    live: Mask,
    true: Sequence[int],
    cases: Sequence[int] = (),
) -> tuple[str, ...]:
    """The consequences of the candidates left and the true candidates, by the named units alone.

    There is one phrase for each digit that is forced, and for what a clue strikes, in the order of
    propagation. The last phrase tells what has nothing left or does not allow a true candidate. If
    propagation does not reach that, it strikes `cases`, each of which leads to a contradiction, as
    far as there are any; then it names candidates of which one must be true, though each leads to a
    contradiction.
    """
    if not units.is_local:
        return _Course(units, named, live, true, cases).phrases()
    phrases: list[str] = []
    done = 0
    known, cases = list(true), list(cases)
    groups = [unit for unit in named if unit.candidates]
    clues = [unit for unit in named if unit.sentence]
    reasons: dict[int, str] = {}  # why a clue struck a candidate
    seen = {group & live for clue in clues for group in clue.own_groups}
    known += (left.bit_length() - 1 for left in sorted(seen) if left and not left & left - 1)
    while True:
        for candidate in known[done:]:
            live &= ~_excluded(units, named, candidate)
        done = len(known)
        live = _removed(units, clues, mask_of(known), live, reasons)
        empty = [unit for unit in groups if not unit.candidates & live]
        if empty:
            why = _why(units, empty[0].cells[0], reasons) if empty[0].digit is None else ""
            return (*phrases, _nothing_left(empty[0]) + (f" ({why})" if why else ""))
        if broken := _broken(units, named, known, live, reasons):
            return (*phrases, broken)
        if empty := [clue for clue in clues if not all(live & group for group in clue.own_groups)]:
            return (*phrases, _no_combination(units, empty[0], live, reasons))
        opened = _opened(groups, clues, mask_of(known), live)
        forced = [(unit, left) for unit, left in opened if left.bit_count() == 1]
        if forced:
            known += _forced(units, forced, reasons, phrases)
        elif cases:
            case = cases.pop(0)
            if live >> case & 1:
                live &= ~(1 << case)
                phrases.append(f"{units.name(case, '≠')} (else a contradiction)")
        else:
            return (*phrases, *_no_way_out(units, [left for _, left in opened]))


NOTHING = "has no combination left"
MOST_WAYS = 4  # cases that a person follows one after the other


def ways_out(
    units: Units, named: Sequence[Unit], live: Mask, true: Sequence[int]
) -> tuple[str, ...]:
    """Where the consequences end with a few candidates of which one must be true: a sentence for
    each, with what follows from it up to a contradiction. Empty where they end otherwise, or one
    of these would have cases again."""
    if units.is_local:
        return ()
    course = _Course(units, named, live, true, ())
    course.phrases()
    if not 0 < (number := course.ways.bit_count()) <= MOST_WAYS:
        return ()
    names = [units.name(way) for way in bits(course.ways)]
    told = [f"one of {listed(names)} must be true"] if number > 1 else []
    for way, name in zip(bits(course.ways), names, strict=True):
        further = _Course(units, named, course.live, [*bits(course.true), way], ())
        phrases = further.phrases()
        if further.ways:
            return ()
        told.append(f"if {name}: {', '.join(phrases)}")
    return tuple(told)


class _Event(NamedTuple):
    """Something that follows: what it strikes, because what is struck. true: the candidate that it
    forces, if it does. clue: that which strikes; phrase: what is said, unless a clue strikes. live:
    the candidates left before."""

    struck: Mask
    because: Mask
    phrase: str = ""
    true: int = -1
    clue: Unit | None = None
    live: Mask = 0


class _Course:
    """The consequences of candidates, in turn, and of these the ones that lead to the end."""

    def __init__(
        self,
        units: Units,
        named: Sequence[Unit],
        live: Mask,
        true: Sequence[int],
        cases: Sequence[int],
    ) -> None:
        self.units, self.named, self.live, self.first = units, named, live, live
        self.groups = [unit for unit in named if unit.candidates]
        self.clues = [unit for unit in named if unit.sentence]
        self.true, self.cases = 0, list(cases)
        self.ways: Mask = 0  # of which one must be true, where nothing else follows
        self.events: list[_Event] = []
        self.broken: Unit | None = None  # a clue that has no combination left
        for candidate in true:
            self._add(_Event(self._excluded(candidate), 0, true=candidate, live=self.live))

    def phrases(self) -> tuple[str, ...]:
        """What leads to the end, which is the last phrase: digits that are forced come first, then
        what clues strike, then cases."""
        while True:
            if end := self._end():
                last, wanted, true = end
                return (*self._told(wanted, true), last)
            opened = _opened(self.groups, self.clues, self.true, self.live)
            forced = [(unit, left) for unit, left in opened if left.bit_count() == 1]
            if forced:
                self._force(*forced[0])
            elif self._strike():
                continue
            elif self.cases:
                case = self.cases.pop(0)
                if self.live >> case & 1:
                    name = self.units.name(case, "≠")
                    self._add(_Event(1 << case, 0, f"{name} (else a contradiction)"))
            else:
                lefts = [left for _, left in opened]
                self.ways = min(lefts, key=int.bit_count, default=0)
                return (*self._told(self.first, self.true), *_no_way_out(self.units, lefts))

    def _add(self, event: _Event) -> None:
        self.live &= ~event.struck
        self.true |= 1 << event.true if event.true >= 0 else 0
        self.events.append(event)

    def _excluded(self, candidate: int) -> Mask:
        return _excluded(self.units, self.named, candidate)

    def _strike(self) -> bool:
        """What one of the clues forbids; whether any does."""
        for clue in self.clues:
            if struck := clue.unsupported(self.live):
                if not struck & self.true and self._is_emptied(clue, struck):
                    self.broken = clue
                else:
                    because = self._lacks(clue, struck)
                    self._add(_Event(struck, because, clue=clue, live=self.live))
                return True
        return False

    def _is_emptied(self, clue: Unit, struck: Mask) -> bool:
        """Whether a cell of the clue has nothing left then."""
        groups = (self.units.all[cell].candidates for cell in clue.cells)
        return any(group & struck and not group & self.live & ~struck for group in groups)

    def _lacks(self, clue: Unit, struck: Mask) -> Mask:
        """What is gone that the struck candidates would need."""
        rest = self.live & ~struck
        partners = union(o for c, o in clue.supports if struck >> c & 1 and not o & rest)
        alone = {c for c, o in clue.supports if not o & rest}
        read = clue.members if mask_of(alone) & struck != struck else partners
        return read & self.first & ~self.live

    def _force(self, unit: Unit, left: Mask) -> None:
        """The last candidate of a group, or of those that a clue needs, is true."""
        candidate = left.bit_length() - 1
        name = self.units.name(candidate)
        group = unit.candidates or self._partners(unit, left)
        event = _Event(
            self._excluded(candidate), group & self.first & ~self.live,
            f"{name} ({_place(unit)})", candidate, live=self.live,
        )  # fmt: skip
        self._add(event)

    def _partners(self, clue: Unit, left: Mask) -> Mask:
        """Of what the clue says that one is true, where only the one is left."""
        groups = *clue.own_groups, *(o for c, o in clue.supports if self.true >> c & 1)
        return union(group for group in groups if group & self.live == left)

    def _end(self) -> tuple[str, Mask, Mask] | None:
        """The last phrase, with what it needs struck and what it needs true; None if all are still
        possible."""
        gone = self.first & ~self.live
        clashes = [self._clash(candidate) for candidate in bits(self.true & ~self.live)]
        if clashes:  # best one of which a clue tells why
            return min(clashes, key=lambda clash: NOTHING in clash[0])
        for unit in self.groups:
            if not unit.candidates & self.live:
                return _nothing_left(unit), unit.candidates & gone, 0
        if self.broken:
            return _impossible(self.units, self.broken, self.live), self.broken.members & gone, 0
        return None

    def _clash(self, candidate: int) -> tuple[str, Mask, Mask]:
        """Why a true candidate cannot be."""
        name, both = self.units.name(candidate), 1 << candidate
        for event in self.events:
            if event.struck >> candidate & 1 and event.clue:
                why = reason(self.units, event.clue, self._before(candidate, event), both)
                said = f"{why} {NOTHING} with {name}" if why == event.clue.label else f"but {why}"
                return said, event.because, both
            if event.struck >> candidate & 1 and event.true >= 0:
                other = event.true
                numbers = {u for u, others in self.units.rivals[candidate] if others >> other & 1}
                unit = next(unit for unit in self.named if unit.number in numbers)
                said = f"{unit.label} does not allow {self.units.name(other)} beside {name}"
                return said, 0, both | 1 << other
        said = self.units.name(candidate, "≠")
        return f"{said} (struck before)", 0, both

    def _before(self, candidate: int, event: _Event) -> Mask:
        """What was left before a clue struck a candidate, with what that had struck by the same
        clue."""
        assert event.clue
        rivals = self.units.rivals[candidate]
        own = union(others for unit, others in rivals if unit == event.clue.number)
        begun = (event.live for event in self.events if event.true == candidate)
        return event.live | own & next(begun, 0)

    def _told(self, wanted: Mask, true: Mask) -> list[str]:
        """The phrases of what is needed, and of what these need."""
        phrases: list[str] = []
        for event in reversed(self.events):
            used = event.struck & wanted
            if not used and not (event.true >= 0 and true >> event.true & 1):
                continue
            wanted |= event.because
            if event.clue:
                why = _joined(reason(self.units, event.clue, event.live, used), event.clue)
                phrases.append(f"{exclusions(self.units, used)} ({why})")
            elif event.phrase:
                phrases.append(event.phrase)
        return phrases[::-1]


def _impossible(units: Units, clue: Unit, live: Mask) -> str:
    """That a clue has nothing left: no place for a digit that it needs, if so."""
    digit = needed(units, clue, live)
    if digit is None:
        return f"{clue.label} {NOTHING}"
    return f"{clue.label} has no place left for {digit}"


def _joined(why: str, clue: Unit) -> str:
    """A reason to stand in parentheses."""
    at = f" ({clue.label})"
    return f"{why.removesuffix(at)}, {clue.label}" if why.endswith(at) else why


def _forced(
    units: Units,
    forced: Sequence[tuple[Unit, Mask]],
    reasons: dict[int, str],
    phrases: list[str],
) -> list[int]:
    """The first of the forced candidates, with the others that clues force for the same reason; a
    phrase says so, or a longer last phrase."""
    decided = list(dict.fromkeys(left.bit_length() - 1 for _, left in forced))
    why = _why(units, decided[0] // units.size, reasons)
    same = [c for c in decided if why and _why(units, c // units.size, reasons) == why]
    same = same or decided[:1]
    names, end = ", ".join(map(units.name, same)), f" ({why or _place(forced[0][0])})"
    if why and phrases and phrases[-1].endswith(end):
        names = f"{phrases.pop().removesuffix(end)}, {names}"
    phrases.append(names + end)
    return same


def _removed(
    units: Units, clues: Sequence[Unit], true: Mask, live: Mask, reasons: dict[int, str]
) -> Mask:
    """What is left after the clues have struck candidates, up to the first that decides a cell;
    `reasons` takes why."""
    while True:
        removal = next(_useful(clues, live), None)
        if removal is None:
            return live
        clue, found = removal
        live &= ~found.struck
        why = f"{told(units, found.said)}, {clue.label}" if found.said else clue.label
        reasons.update(dict.fromkeys(bits(found.struck), why))
        size = units.size
        cells = {candidate // size for candidate in bits(found.struck)}
        lefts = (live >> size * cell & (1 << size) - 1 for cell in cells)
        if any(not left & left - 1 for left in lefts):
            return live


def _why(units: Units, cell: int, reasons: dict[int, str]) -> str:
    """Why clues struck candidates of the cell, as far as they have told."""
    group = range(units.size * cell, units.size * cell + units.size)
    return "; ".join(dict.fromkeys(reasons[c] for c in group if c in reasons))


def _no_combination(units: Units, clue: Unit, live: Mask, reasons: dict[int, str]) -> str:
    """That a clue has nothing left; for which cell, if one has told why."""
    lowest = next(group & -group for group in clue.own_groups if not live & group)
    cell = (lowest.bit_length() - 1) // units.size
    if why := _why(units, cell, reasons):
        return f"nothing is left for {units.board.name_of(cell)} ({why})"
    return f"{clue.label} has no combination left"


def _useful(clues: Sequence[Unit], live: Mask) -> Iterator[tuple[Unit, Removal]]:
    """What the clues strike."""
    for clue in clues:
        for removal in clue.removals(live):
            yield clue, removal
        if lonely := clue.unsupported(live):
            yield clue, Removal(lonely, 0)


def _broken(
    units: Units,
    named: Sequence[Unit],
    known: Sequence[int],
    live: Mask,
    reasons: dict[int, str],
) -> str:
    """Which unit does not allow which of the true candidates; empty if all are still possible."""
    true = mask_of(known)
    for candidate in bits(true & ~live):
        if candidate in reasons:
            return f"{units.name(candidate, '≠')} ({reasons[candidate]})"
        excluding = {unit for unit, others in units.rivals[candidate] if others & true}
        for unit in named:
            if unit.number in excluding or unit.unsupported(live | 1 << candidate) >> candidate & 1:
                return f"{unit.label} does not allow {units.name(candidate)}"
    return ""


def _opened(
    groups: Sequence[Unit], clues: Sequence[Unit], true: Mask, live: Mask
) -> list[tuple[Unit, Mask]]:
    """The units that need one more true candidate, with those that it may be."""
    opened = [(unit, unit.candidates & live) for unit in groups if not unit.candidates & true]
    for clue in clues:
        opened += ((clue, group & live) for group in clue.own_groups if not group & true)
        for candidate, others in clue.supports:
            if true >> candidate & 1 and not others & true:
                opened.append((clue, others & live))
    return opened


def _excluded(units: Units, named: Sequence[Unit], candidate: int) -> Mask:
    numbers = {unit.number for unit in named}
    struck = 0
    for unit, others in units.rivals[candidate]:
        if unit in numbers:
            struck |= others
    return struck


def _no_way_out(units: Units, opened: Sequence[Mask]) -> tuple[str, ...]:
    if not opened:
        return ()
    names = listed(units.name(candidate) for candidate in bits(min(opened, key=int.bit_count)))
    return (f"and each of {names} leads to a contradiction",)


def _place(unit: Unit) -> str:
    return "last in its cell" if unit.family == "cell" else unit.label


def _nothing_left(unit: Unit) -> str:
    if unit.digit is None:
        return f"{unit.label} has no {unit.holds} left"
    return f"{unit.label} has no place left for {unit.digit}"
