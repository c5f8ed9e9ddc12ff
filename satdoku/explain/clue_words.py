"""Why a clue alone strikes candidates, in words.

Invariant: a reason is true of the clue and of the candidates before the step, and is computed from
what the clue says: of which cells it relates, of the totals that it states, of what its automata
accept. A kind gives no more than the words. Where no short reason is found, the clue is named.

The first that suffices is said: that the digits stand there under no circumstances; the few
combinations; which other cells leave no partner; how much the other cells add up to; that no other
cell can hold a digit that the clue needs; the few sequences.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from ..model.board import Cells, bits, mask_of
from ..model.clue import Clue
from ..model.kinds import KINDS
from ..model.kinds.kind import SET, Kind
from ..model.shapes import Stretch, Sum
from .naming import cells_named, either, listed, number
from .readings import Mask
from .readings import Sequence as Automaton
from .units import Unit, Units, union

FEW = 3  # other cells that a reason names
COMBINATIONS = 5  # that are listed
WAYS = 3  # sequences that are listed
MOST_LIMITED = 10  # cells that are tried as reasons
MOST = 300  # sets of digits that are looked at


def reason(units: Units, unit: Unit, live: Mask, struck: Mask) -> str:
    """Why the clue strikes these candidates out of those that are left."""
    known = units.clues.get(unit.family)
    if known is None or known[0].parts:
        return unit.label
    clue, kind = known[0], KINDS[known[0].kind]
    told = _Told(units, unit, live, struck, clue, kind)
    always = struck & _impossible(unit, units.every)
    if 0 < always < struck:
        first = _Told(units, unit, live, always, clue, kind)
        then = _Told(units, unit, live & ~always, struck & ~always, clue, kind)
        known_first, known_then = first.alone() or first.never(), then.others()
        if known_then and len(unit.cells) == 2:
            return known_then
        if known_first and known_then:
            at = f" ({unit.label})"  # once is enough
            is_named = unit.label in known_first.replace(at, "")
            known_then = known_then.replace(at, "") if is_named else known_then
            joint = ", " if " and " in known_then else " and "
            return f"{known_first.replace(at, '')}{joint}{known_then}"
    found = (said() for said in (
        told.alone, told.combinations, told.bounds, told.stretches, told.never, told.others,
        told.needs, told.ways, told.because,
    ))  # fmt: skip
    return next(filter(None, found), unit.label)


class _Bound(NamedTuple):
    """What cells add up to: at least or at most so much. is_usual: whether any digits do."""

    cells: Cells
    side: str
    value: int
    is_usual: bool


class _Told:
    """A clue, the candidates left, and those of them that it strikes."""

    def __init__(
        self, units: Units, unit: Unit, live: Mask, struck: Mask, clue: Clue, kind: Kind
    ) -> None:
        self.units, self.unit, self.live, self.struck = units, unit, live, struck
        self.clue, self.kind, self.board = clue, kind, units.board
        self.lost = units.held(struck)
        self.rest = units.held(live & ~struck)

    # What holds whatever the other cells hold --------------------------------------------------

    def alone(self) -> str:
        """That the digits stand there under no circumstances, in the words of the kind; empty if it
        has none, or if it depends on what is left."""
        never = _impossible(self.unit, self.units.every)
        if self.struck & ~never:
            return ""
        said = self.kind.spoken.alone
        ways = (self._side() if len(self.lost) == 1 else "several", "")
        way = next((way for way in ways if way in said), None)
        if way is not None:
            return said[way].format(**self._places())
        return ""

    def never(self) -> str:
        """That no cell of the clue can ever hold one of the digits."""
        n, positions = self.units.size, {c % self.units.size for c in bits(self.struck)}
        wanted = mask_of(n * cell + at for cell in self.unit.cells for at in positions)
        if wanted & self.units.every & ~_impossible(self.unit, self.units.every):
            return ""
        digits = {digit for digits in self.lost.values() for digit in digits}
        return f"{self.unit.label} never holds {either(sorted(digits))}"

    def _side(self) -> str:
        """`above`, if the only cell that loses digits loses greater ones than it keeps; `below`, if
        lesser ones."""
        ((cell, lost),) = self.lost.items()
        return _side(lost, self.rest.get(cell, ()))

    def _places(self) -> dict[str, str]:
        cells, first = self.clue.cells, next(iter(self.lost))
        place = cells.index(first) if first in cells else 0
        name = self.board.name_of
        return {
            "label": self.unit.label,
            "value": self.clue.value,
            "values": either(self.clue.value.split(",")),
            "cells": cells_named(self.board, self.lost),
            "before": _grow(place),
            "after": _grow(len(cells) - 1 - place),
            "length": number(len(cells)),
            "first": name(cells[0]) if cells else "",
            "last": name(cells[-1]) if cells else "",
        }

    # What follows from other cells ---------------------------------------------------------------

    def others(self) -> str:
        """Which other cells leave no partner, by what the clue says of each two cells."""
        needed: dict[int, list[Mask]] = {}  # what one of the other cells would have to hold
        live, left = self.live, self.struck
        while left:
            found = {c: others for c, others in self._unsupported(live) if left >> c & 1}
            if not found:
                return ""
            for others in found.values():
                cell = (others.bit_length() - 1) // self.units.size
                needed.setdefault(cell, []).append(others)
            if len(needed) > FEW:
                return ""
            gone = mask_of(found)
            live, left = live & ~gone, left & ~gone
        said = [self._told_of(cell, live, union(masks)) for cell, masks in needed.items()]
        told = {"others": listed(said), "gap": self._gap(list(needed)), **self._places()}
        return self.kind.spoken.other.format(**told)

    def _unsupported(self, live: Mask) -> Iterator[tuple[int, Mask]]:
        seen: set[int] = set()
        for candidate, others in self.unit.supports:
            is_asked = candidate not in seen and others and self.struck >> candidate & 1
            if is_asked and not others & live:
                seen.add(candidate)
                yield candidate, others

    def _told_of(self, cell: int, live: Mask, needed: Mask) -> str:
        """What a cell holds, as far as it matters: it holds none of what is needed."""
        n, units = self.units.size, self.units
        (held,) = units.held(live & _cell(cell, n)).values() or ((),)
        (lacks,) = units.held(needed).values()
        return f"{self.board.name_of(cell)} {_holds(held, lacks)}"

    def _gap(self, others: Sequence[int]) -> str:
        """How far along the line another cell is, if it is further than the next."""
        cells = self.clue.cells
        if len(others) != 1 or len(self.lost) != 1 or others[0] not in cells:
            return ""
        (own,) = self.lost
        if own not in cells:
            return ""
        steps = cells.index(others[0]) - cells.index(own)
        if abs(steps) < 2:
            return ""
        side = "after" if steps > 0 else "before"
        return f", {number(abs(steps))} cells {side} {self.board.name_of(own)}"

    # What follows from sums ------------------------------------------------------------------

    def bounds(self) -> str:
        """What the others of a sum add up to, if that is why digits are too great or too small."""
        sums = self.kind.sums(self.board, self.clue) if self.kind.sums else ()
        plain = [said for said in sums if isinstance(said, Sum)]
        found: dict[int, list[_Bound]] = {}
        for live in (self.live, self.live & ~self.struck):
            left = [cell for cell in self.lost if not found.get(cell)]
            found |= {cell: self._bounds(plain, cell, live) for cell in left}
        if not all(found.values()):
            return ""
        return self._as_one(list(found.values())) or self._each(found.values())

    def _as_one(self, found: Sequence[Sequence[_Bound]]) -> str:
        """The same of as many cells, whichever they are: `two cells add up to at most 18`."""
        (first, *more), *others = found
        if more or len(first.cells) < 2 or not first.is_usual:
            return ""
        alike = all(len(b) == 1 and b[0][1:] == first[1:] for b in others)
        alike &= all(len(b[0].cells) == len(first.cells) for b in others)
        if not others or not alike:
            return ""
        count = number(len(first.cells))
        return f"{count} cells add up to {first.side} {first.value} ({self.unit.label})"

    def _each(self, found: Iterable[Sequence[_Bound]]) -> str:
        """What is said of the cells by name, only of those that may not hold anything if it is
        enough."""
        parts = [[b for b in bounds if not b.is_usual] or bounds for bounds in found]
        said = dict.fromkeys(bound for bounds in parts for bound in bounds)
        if len(said) > FEW:
            return ""
        return f"{listed(map(self._bounded, said))} ({self.unit.label})"

    def _bounded(self, bound: _Bound) -> str:
        cells = cells_named(self.board, bound.cells)
        if len(bound.cells) > 1:
            return f"{cells} add up to {bound.side} {bound.value}"
        is_known = self._digits(bound.cells[0]) == (bound.value,)
        return f"{cells} is {bound.value if is_known else f'{bound.side} {bound.value}'}"

    def _bounds(self, sums: Iterable[Sum], cell: int, live: Mask) -> list[_Bound]:
        own = (said for said in sums if cell in said.cells)
        return next(filter(None, (self._by_sum(said, cell, live) for said in own)), [])

    def _by_sum(self, said: Sum, cell: int, live: Mask) -> list[_Bound]:
        """Bounds of the other cells of a sum that leave none of what the cell loses."""
        weights = dict(zip(said.cells, said.weights, strict=True))
        own = weights.pop(cell)
        if abs(own) != 1 or not {*weights.values()} <= {1, -1}:
            return []
        same = tuple(other for other, weight in weights.items() if weight == own)
        against = tuple(other for other, weight in weights.items() if weight != own)
        total = own * said.total  # cell + same - against = total
        (low, high), (least, most) = self._range(same, live), self._range(against, live)
        lost, side = self.lost[cell], _side(self.lost[cell], self.rest.get(cell, ()))
        if side != "below" and min(lost) > total + most - low:
            return self._at_once((same, "at least", low), (against, "at most", most))
        if side != "above" and max(lost) < total + least - high:
            return self._at_once((same, "at most", high), (against, "at least", least))
        return []

    def _at_once(self, *parts: tuple[Cells, str, int]) -> list[_Bound]:
        every = self.units.every
        return [
            _Bound(cells, side, value, value in self._range(cells, every))
            for cells, side, value in parts
            if cells
        ]

    def _range(self, cells: Cells, live: Mask) -> tuple[int, int]:
        """The least and the greatest sum of the cells; they differ if the clue says so."""
        held = self.units.held(live)
        digits = [held.get(cell, (0,)) for cell in cells]
        if len(cells) > 1 and self._differ(cells):
            return _different(digits, min), _different(digits, max)
        return sum(map(min, digits)), sum(map(max, digits))

    def _differ(self, cells: Cells) -> bool:
        n, pairs = self.units.size, set(self.unit.pairs)
        one, *others = sorted(cells)
        return all((n * one, n * other) in pairs for other in others)

    def stretches(self) -> str:
        """How many cells a sum takes that is one of a stretch of the cells, whatever they hold."""
        if self.struck & ~_impossible(self.unit, self.units.every):
            return ""
        sums = self.kind.sums(self.board, self.clue) if self.kind.sums else ()
        for said in sums:
            if isinstance(said, Stretch) and (counts := _counts(said, self.board.digits)):
                low, high = counts[0], counts[-1]
                joint = " or " if high == low + 1 else " to "
                cells = number(low) if low == high else f"{number(low)}{joint}{number(high)}"
                noun = "cell" if high == 1 else "cells"
                digits = self.board.digits
                place = "" if said.is_counted else f" between {digits[0]} and {digits[-1]}"
                return f"{said.total} takes {cells} {noun}{place} ({self.unit.label})"
        return ""

    # What follows from what an automaton accepts ------------------------------------------------

    def combinations(self) -> str:
        """The few sets of digits that are left for the clue, if they lack the digits."""
        readings = [r for r in self.unit.readings if isinstance(r, Automaton)]
        total = self._total()
        sign = self.kind.spoken.sign or ("" if total is None else "+")
        if not (total is not None or self.kind.order == SET) or len(self.clue.groups) != 1:
            return ""
        sets: list[Cells] | None
        if len(readings) == 1 and len(readings[0].cells) == len(self.clue.cells):
            sets = _combinations(self.units, readings[0], self.live)
        elif not readings and len(self.clue.cells) == 2 and sign:
            sets = self._pairs()
        else:
            return ""
        digits = {digit for digits in self.lost.values() for digit in digits}
        if not sets or len(sets) > COMBINATIONS or any(digits & {*some} for some in sets):
            return ""
        return f"{self.unit.label} is {either(_together(some, sign) for some in sets)}"

    def _total(self) -> int | None:
        """What its cells add up to, if the clue says so."""
        sums = self.kind.sums(self.board, self.clue) if self.kind.sums else ()
        plain = (said for said in sums if isinstance(said, Sum) and {*said.weights} == {1})
        return next((said.total for said in plain), None)

    def _pairs(self) -> list[Cells]:
        """The pairs of digits of its two cells."""
        units, n = self.units, self.units.size
        one, two = self.clue.cells
        partners = dict.fromkeys(bits(self.live & _cell(one, n)), self.live & _cell(two, n))
        for candidate, others in self.unit.supports:
            if candidate in partners:
                partners[candidate] &= others
        ways = (
            (units.digit_of(a), units.digit_of(b)) for a, m in partners.items() for b in bits(m)
        )
        return sorted({(min(way), max(way)) for way in ways})

    def _digits(self, cell: int) -> Cells:
        return self.units.held(self.live & _cell(cell, self.units.size)).get(cell, ())

    def needs(self) -> str:
        """That the clue needs a digit, for which no other cell is left."""
        if len(self.lost) != 1:
            return ""
        ((cell, _),) = self.lost.items()
        n = self.units.size
        for reading in self.unit.readings:
            if not isinstance(reading, Automaton) or cell not in reading.cells:
                continue
            for digit in {c % n for c in bits(self.live & ~self.struck & _cell(cell, n))}:
                held = mask_of(n * other + digit for other in reading.cells)
                if held & self.live == 1 << n * cell + digit and not reading.is_possible(
                    self.units.every & ~held
                ):
                    name = self.units.digit_of(n * cell + digit)
                    only = self.board.name_of(cell)
                    return f"{self.unit.label} needs {name}, which only {only} can hold"
        return ""

    def because(self) -> str:
        """What a few of its cells hold, if the rest may hold anything."""
        units, n = self.units, self.units.size
        own = {*self.unit.cells} - {*self.lost} if len(self.lost) == 1 else {*self.unit.cells}
        limited = [c for c in sorted(own) if units.every & ~self.live & _cell(c, n)]
        kept = dict.fromkeys(limited)
        if len(limited) > MOST_LIMITED or not self._follows(kept):
            return ""
        for cell in limited:
            rest = {other: None for other in kept if other != cell}
            kept = rest if self._follows(rest) else kept
        if not 0 < len(kept) <= FEW:
            return ""
        return f"{listed(map(self._held_in, kept))} ({self.unit.label})"

    def _follows(self, cells: Iterable[int]) -> bool:
        """Whether the clue strikes the same if all but these cells could hold anything."""
        n = self.units.size
        limits = union(_cell(cell, n) for cell in cells)
        live = self.units.every & (self.live | ~limits)
        return not self.struck & ~self.unit.unsupported(live)

    def _held_in(self, cell: int) -> str:
        """What a cell holds, by a bound if that says all."""
        n, name = self.units.size, self.board.name_of(cell)
        held, every = self._digits(cell), self.units.held(self.units.every & _cell(cell, n))[cell]
        if len(held) > 2 and held == every[: len(held)]:
            return f"{name} is at most {held[-1]}"
        if len(held) > 2 and held == every[-len(held) :]:
            return f"{name} is at least {held[0]}"
        gone = [digit for digit in every if digit not in held]
        if len(gone) < len(held):
            return f"{name} cannot be {either(gone)}"
        return f"{name} is {either(held)}"

    def ways(self) -> str:
        """The few sequences that are left for the clue."""
        readings = [r for r in self.unit.readings if isinstance(r, Automaton)]
        if len(readings) != 1 or not 2 <= len(readings[0].cells) <= WAYS + 1:
            return ""
        ways = _ways(self.units, readings[0], self.live)
        if ways is None or not ways:
            return ""
        cells = "-".join(map(self.board.name_of, readings[0].cells))
        said = either("-".join(map(str, way)) for way in ways)
        return f"{cells} can only be {said} ({self.unit.label})"


def _cell(cell: int, size: int) -> Mask:
    return ((1 << size) - 1) << size * cell


@lru_cache(maxsize=4096)
def _impossible(unit: Unit, every: Mask) -> Mask:
    """What the clue strikes of all candidates."""
    return unit.unsupported(every)


def _side(lost: Sequence[int], rest: Sequence[int]) -> str:
    if rest and min(lost) > max(rest):
        return "above"
    if rest and max(lost) < min(rest):
        return "below"
    return ""


def _grow(count: int) -> str:
    return f"{number(count)} cell{' grows' if count == 1 else 's grow'}"


def _counts(said: Stretch, digits: Sequence[int]) -> list[int]:
    """How many different digits may add up to the total: of those between the lowest and the
    highest, or of all."""
    usable = digits if said.is_counted else digits[1:-1]
    sums = {0: {0}}  # by the sum, the counts of digits
    for digit in usable:
        more = {total + digit: {n + 1 for n in counts} for total, counts in sums.items()}
        sums = {t: sums.get(t, set()) | more.get(t, set()) for t in {*sums, *more}}
    return sorted(sums.get(said.total, ()))


def _holds(held: Sequence[int], lacks: Sequence[int]) -> str:
    """What a cell holds, by a bound if that says why it holds none of what it lacks."""
    if not held:
        return "has nothing left"
    if len(held) == 1:
        return f"is {held[0]}"
    if len(held) > 2:
        if max(held) < min(lacks):
            return f"is at most {max(held)}"
        if min(held) > max(lacks):
            return f"is at least {min(held)}"
        parity, *others = {digit % 2 for digit in held}
        if not others and all(digit % 2 != parity for digit in lacks):
            return "is odd" if held[0] % 2 else "is even"
    if len(lacks) < len(held):
        return f"cannot be {either(lacks)}"
    return f"is {either(held)}"


def _different(digits: Sequence[Sequence[int]], best: Callable[[Iterable[int]], int]) -> int:
    """The least, or the greatest, sum of different digits, one of each."""
    loose = sum(best(some) for some in digits)
    sums: dict[frozenset[int], int] = {frozenset(): 0}
    for some in sorted(digits, key=len):
        sums = {
            used | {digit}: total + digit
            for used, total in sums.items()
            for digit in some
            if digit not in used
        }
        if len(sums) > MOST:
            return loose
    return best(sums.values()) if sums else loose


def _together(digits: Cells, sign: str) -> str:
    """`5+9`, `345`; digits above 9 stand apart."""
    return (sign or ("/" if max(digits) > 9 or min(digits) < 0 else "")).join(map(str, digits))


def _combinations(units: Units, reading: Automaton, live: Mask) -> list[Cells] | None:
    """The digits, ascending, of what is accepted of the candidates; None if there are too many."""
    found: dict[int, set[Cells]] = {0: {()}}
    for edges in _useful(reading, live):
        after: dict[int, set[Cells]] = {}
        for state, bit, end in edges:
            digit = units.digit_of(bit.bit_length() - 1)
            after.setdefault(end, set()).update(
                tuple(sorted((*some, digit))) for some in found.get(state, ())
            )
        found = after
        if sum(map(len, found.values())) > MOST:
            return None
    return sorted(set().union(*found.values()))


def _ways(units: Units, reading: Automaton, live: Mask) -> list[Cells] | None:
    """The sequences that are accepted of the candidates; None if there are too many."""
    found: list[tuple[int, Cells]] = [(0, ())]
    for edges in _useful(reading, live):
        found = [
            (end, (*some, units.digit_of(bit.bit_length() - 1)))
            for before, some in found
            for state, bit, end in edges
            if state == before
        ]
        if len(found) > WAYS:
            return None
    return sorted(some for _, some in found)


def _useful(reading: Automaton, live: Mask) -> list[list[tuple[int, int, int]]]:
    """The edges, layer by layer, that lie on a way from the start to the end."""
    states, reached = {0}, []
    for edges in reading.layers:
        reached.append([e for e in edges if e[1] & live and e[0] in states])
        states = {e[2] for e in reached[-1]}
    ends = states
    for at in range(len(reached) - 1, -1, -1):
        reached[at] = [e for e in reached[at] if e[2] in ends]
        ends = {e[0] for e in reached[at]}
    return reached
