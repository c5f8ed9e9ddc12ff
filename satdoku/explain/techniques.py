"""The state of a solution, and the plain techniques: explanations that are small enough to be
recognised without a search.

Invariant: the candidates of a state are only removed, never added; placing a digit at once strikes
every candidate that it excludes. Each technique reads a state and yields its findings in the order
of the units, so the first finding is the same everywhere. The units of a finding, with the
candidates of its state, entail its conclusion. This is not taken on trust: `witness` proves every
finding that becomes a step.

Sizes: singles and clues 1, locked candidates 2, common peers 2 and more, pairs 4, triples 6. If
there are no clues, `singles`, `locked` and `common_peers` together find every explanation of size
1, 2 or 3. A single unit can only place its last candidate. An explanation with two or three units
empties a group, and with so few units each of the others must connect the group directly to the
refuted candidate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, permutations
from typing import TYPE_CHECKING, NamedTuple

from ..model.board import Cells, bits, mask_of
from ..model.grid import Grid
from ..runtime.lazy import cached_property
from .readings import Mask, Removal, Said
from .units import House, Unit, Units, union

if TYPE_CHECKING:
    from .step import Pattern


@dataclass(frozen=True)
class State:
    """The candidates left, and those of them that are placed; both sets are integers (bit masks).

    No candidate that a placed one excludes is left. A cell with one candidate left may still be
    unplaced.
    """

    units: Units
    live: Mask
    placed: Mask

    @staticmethod
    def of(puzzle: Grid, units: Units) -> State:
        """The state before the first step: the givens are placed.

        If two givens clash, they strike each other, and some unit has no candidate left.
        """
        state = State(units, units.every, 0)
        for cell, digit in enumerate(puzzle):
            if digit:
                state = state.place(units.size * cell + digit - 1)
        return state

    def place(self, candidate: int) -> State:
        """The state with the candidate true and all candidates that it excludes struck."""
        struck = self.units.excluded[candidate]
        after = State(self.units, self.live & ~struck, self.placed | 1 << candidate)
        if (cells := self.__dict__.get("cells")) is not None:  # else they are not asked for
            cell, digit = divmod(candidate, self.units.size)
            after.__dict__["cells"] = cells[:cell] + bytes((digit + 1,)) + cells[cell + 1 :]
        return after

    def strike(self, candidates: Mask) -> State:
        """The state without these candidates."""
        after = State(self.units, self.live & ~candidates, self.placed)
        if (cells := self.__dict__.get("cells")) is not None:
            after.__dict__["cells"] = cells
        return after

    def left(self, unit: Unit) -> Mask:
        """The candidates left in a group."""
        return unit.candidates & self.live

    @cached_property
    def open_groups(self) -> list[tuple[Unit, Mask]]:
        """The groups without a placed candidate, with their candidates left, in unit order."""
        live, placed = self.live, self.placed
        return [
            (unit, unit.candidates & live)
            for unit in self.units.groups
            if not unit.candidates & placed
        ]

    @cached_property
    def unsupported(self) -> list[tuple[int, Mask]]:
        """The clues, by number, that forbid candidates left, and these candidates."""
        found = ((unit.number, unit.unsupported(self.live)) for unit in self.units.supporting)
        return [(unit, struck) for unit, struck in found if struck]

    @cached_property
    def by_cell(self) -> list[Mask]:
        """`digits_of` each cell."""
        return [self.digits_of(cell) for cell in range(self.units.board.cells)]

    def digits_of(self, cell: int) -> Mask:
        """The digits left in a cell, bit d for digit d + 1."""
        n = self.units.size
        return self.live >> n * cell & (1 << n) - 1

    @cached_property
    def cells(self) -> bytes:
        """The placed digits, one byte per cell; 0 for a cell without one."""
        cells = bytearray(self.units.board.cells)
        for candidate in bits(self.placed):
            cell, digit = divmod(candidate, self.units.size)
            cells[cell] = digit + 1
        return bytes(cells)


class Finding(NamedTuple):
    """A conclusion that some units force in a state.

    technique: its name. units: the numbers of the units, which are the explanation. placed: the
    candidate that must be true, or None. struck: the candidates that must be false (empty if one is
    placed). cells, digits: those that the technique is about, such as a pair's cells and digits;
    `words` needs them. said: what a clue tells of its reason; about: the struck candidates that
    are its reason. cases: candidates that lead to a contradiction, one after the other. basis: the
    units that a sum of `cells` is made of; the others say which of these differ. why: the
    reason in words, where the technique itself tells it; tells: what follows if the conclusion is
    wrong, phrase by phrase, if that is the reason, which draws makes a picture of. rating: on the
    scale of `logic`.
    """

    technique: str
    units: tuple[int, ...]
    placed: int | None = None
    struck: Mask = 0
    cells: Cells = ()
    digits: tuple[int, ...] = ()
    refuted: int | None = None
    said: Said | None = None
    about: Mask = 0
    basis: tuple[int, ...] = ()
    cases: tuple[int, ...] = ()
    why: str = ""
    tells: Callable[[], tuple[str, ...]] | None = None
    draws: Callable[[], Pattern | None] | None = None
    rating: float | None = None

    @property
    def size(self) -> int:
        """The size of the explanation: its number of units."""
        return len(self.units)


DIRECT = "direct "  # before the name of a technique that leaves a hidden single, the first unit
SUBSET_NAMES = {2: "pair", 3: "triplet", 4: "quad"}


def singles(state: State) -> Iterator[Finding]:
    """Groups with one candidate left: hidden singles by box, then by line, then naked singles."""
    order = {"box": 0, "row": 1, "column": 2, "cell": 4}
    found = [(unit, left) for unit, left in state.open_groups if left and not left & left - 1]
    for unit, left in sorted(found, key=lambda pair: order.get(pair[0].family, 3)):
        yield single(unit, left.bit_length() - 1)


def single(unit: Unit, candidate: int) -> Finding:
    """The candidate that is left in a group."""
    name = "naked single" if unit.family == "cell" else "hidden single"
    return Finding(name, (unit.number,), placed=candidate)


def clues(state: State) -> Iterator[Finding]:
    """Candidates that a clue forbids, or for which it has no partner left in another cell; one
    finding for each reason, if the clue tells it."""
    for unit, struck in state.unsupported:
        clue = state.units.all[unit]
        yield from alone(clue, struck, clue.removals(state.live) if clue.is_local else ())


def alone(clue: Unit, struck: Mask, removals: Iterable[Removal]) -> Iterator[Finding]:
    """What a clue strikes reason by reason, then all of it."""
    unit = clue.number
    for removal in removals:
        said, about = removal.said, removal.because
        yield Finding("clue alone", (unit,), struck=removal.struck, said=said, about=about)
    yield Finding("clue alone", (unit,), struck=struck)


def locked(state: State) -> Iterator[Finding]:
    """Two overlapping groups: if one has candidates only in the overlap, so has the other.

    This covers a box that points to a line, a line that claims a box, and any other two houses that
    meet.
    """
    for group in state.units.groups:
        for outer, struck in shut_in(state.units, group, state.live):
            yield Finding(locked_name(group, outer), (group.number, outer.number), struck=struck)


def shut_in(units: Units, inner: Unit, live: Mask) -> Iterator[tuple[Unit, Mask]]:
    """The groups that have all that is left of one, each with what it strikes there."""
    left = inner.candidates & live
    for outer in meeting(units)[inner.number] if left & left - 1 else ():
        struck = outer.candidates & live & ~inner.candidates
        if struck and not left & ~outer.candidates:
            yield outer, struck


def common_peers(state: State) -> Iterator[Finding]:
    """Candidates that are excluded by every candidate left in some group, by units of any kind.

    There is one finding per group and set of units: the group, and the fewest units that exclude
    the candidates.
    """
    for group, left in state.open_groups:
        for by, struck in excluded_by_all(state, left):
            yield Finding("common peers", (group.number, *by), struck=struck)


def excluded_by_all(state: State, left: Mask) -> Iterator[tuple[tuple[int, ...], Mask]]:
    """What each of the candidates `left` excludes, by the fewest units that say so, and these."""
    common = state.live & seen_by_all(state.units, left)
    yield from _excluders(state.units, common, left) if common else ()


@lru_cache(maxsize=1 << 12)
def _excluders(units: Units, common: Mask, left: Mask) -> tuple[tuple[tuple[int, ...], Mask], ...]:
    """The candidates, by the fewest units by which they exclude all of `left`."""
    found: dict[tuple[int, ...], Mask] = {}
    for candidate in bits(common):
        by = fewest_excluders(units, candidate, left)
        found[by] = found.get(by, 0) | 1 << candidate
    return tuple(found.items())


def subsets(state: State, count: int) -> Iterator[Finding]:
    """Naked, then hidden pairs (count 2) or triplets (3), house by house."""
    for sets in (naked_sets, hidden_sets):
        for house in state.units.houses:
            if house.is_full or sets is naked_sets:
                digits = tuple(map(state.digits_of, house.cells))
                yield from sets(state.units.size, house, digits, count)


@lru_cache(maxsize=16)
def meeting(units: Units) -> list[list[Unit]]:
    """For each group those with which it shares two or more candidates, but not all.

    The unit of a group has the group's number, because the groups are the first units.
    """
    found: list[list[Unit]] = [[] for _ in units.groups]
    both = (pair for overlap in units.constraints.overlaps for pair in permutations(overlap))
    for one, other in sorted(both):
        found[one].append(units.all[other])
    return found


def locked_name(inner: Unit, outer: Unit) -> str:
    """What it is called that one group has candidates only in another."""
    lines = ("row", "column")
    if inner.family == "box" and outer.family in lines:
        return "pointing"
    if outer.family == "box" and inner.family in lines:
        return "claiming"
    return "locked candidates"


def seen_by_all(units: Units, left: Mask) -> Mask:
    """What each of the candidates excludes; nothing if there are none."""
    seen = -1 if left else 0
    for candidate in bits(left):
        seen &= units.excluded[candidate]
        if not seen:
            break
    return seen


def fewest_excluders(units: Units, candidate: int, left: Mask) -> tuple[int, ...]:
    """The fewest units by which a candidate excludes all of `left`; the first set among equals."""
    useful = [(unit, others & left) for unit, others in units.rivals[candidate] if others & left]
    for unit, part in useful:
        if part == left:
            return (unit,)
    for count in range(2, len(useful) + 1):
        for chosen in combinations(useful, count):
            if union(part for _, part in chosen) == left:
                return tuple(unit for unit, _ in chosen)
    raise AssertionError("the candidate does not exclude them all")


def naked_sets(n: int, house: House, digits: tuple[Mask, ...], count: int) -> Iterator[Finding]:
    """Cells of the house with as many digits as there are of them; digits: what each has left."""
    sizes = [left.bit_count() for left in digits]
    few = [place for place, size in enumerate(sizes) if 2 <= size <= count]
    if len(few) < count or sum(size > 1 for size in sizes) == count:
        return
    for chosen in combinations(few, count):
        held = 0
        for place in chosen:
            held |= digits[place]
        if held.bit_count() == count:
            others = [place for place, size in enumerate(sizes) if size > 1 and place not in chosen]
            struck = union((digits[place] & held) << n * house.cells[place] for place in others)
            if struck:
                cells = tuple(house.cells[place] for place in chosen)
                yield _subset("naked", house, cells, held, struck)


def hidden_sets(n: int, house: House, digits: tuple[Mask, ...], count: int) -> Iterator[Finding]:
    """Digits with as many places in the house as there are of them."""
    places = _places(digits, n)
    few = [d for d, cells in enumerate(places) if 2 <= cells.bit_count() <= count]
    for chosen in combinations(few, count):
        held = 0
        for digit in chosen:
            held |= places[digit]
        if held.bit_count() == count:
            cells, named = tuple(house.cells[place] for place in bits(held)), mask_of(chosen)
            left = [digits[place] & ~named for place in bits(held)]
            struck = union(mask << n * cell for cell, mask in zip(cells, left, strict=True))
            if struck:
                yield _subset("hidden", house, tuple(sorted(cells)), named, struck)


@lru_cache(maxsize=1 << 10)
def _places(digits: tuple[Mask, ...], size: int) -> tuple[Mask, ...]:
    """For each digit its places among cells that have these digits left."""
    return tuple(
        [
            sum([1 << place for place, left in enumerate(digits) if left >> digit & 1])
            for digit in range(size)
        ]
    )


def _subset(kind: str, house: House, cells: tuple[int, ...], digits: Mask, struck: Mask) -> Finding:
    chosen = tuple(bits(digits))
    units = (*cells, *(house.units[digit] for digit in chosen))  # a cell has its unit's number
    name = f"{kind} {SUBSET_NAMES[len(cells)]}"
    return Finding(name, units, struck=struck, cells=cells, digits=chosen)
