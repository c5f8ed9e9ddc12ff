"""What a clue says of three cells or more: automata, connected cells, regions to find, ranks.

Invariant: each reading says exactly what its shape does. `removals` are sound, and of an automaton
complete; each names the struck candidates that suffice for it. `allows` never denies what is
possible, and is right if every cell has one candidate left: the witness asks nothing else.

Here a set of candidates is an integer: bit c stands for candidate c (0-based, cell-major). A set of
places among the cells of a shape is one, too.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial, reduce
from itertools import product
from operator import or_
from typing import NamedTuple

from ..cnf.encodings.groups import pairwise
from ..cnf.encodings.shapes import shape_clauses
from ..model.automata import as_automaton, of_alike
from ..model.board import Board, Cells, bits, mask_of, neighbours
from ..model.shapes import Alike, Connected, Edge, OneOf, Ranked, Regions, Shape
from ..runtime import limits
from ..runtime.lazy import cached_property

Mask = int  # a set of candidates, bit c for candidate c (0-based, cell-major)
Places = int  # a set of places, bit k for place k
Fresh = Callable[[], int]
FEW = 4  # cells that are named if one of them must hold something
MOST_KNOWN = 20_000  # removals that a reading keeps


class Said(NamedTuple):
    """Why candidates go, for `words`. about: which of its sentences; cells (-1 for the edge),
    number, candidates: what stands in it."""

    about: str
    cells: Cells
    number: int = 0
    candidates: tuple[int, ...] = ()


class Removal(NamedTuple):
    """Candidates that cannot be, because certain others are struck. said: why, None if only the
    clue as a whole tells."""

    struck: Mask
    because: Mask
    said: Said | None = None


class Reading(ABC):
    """A shape on a board with `size` digits.

    cells: those that it reads, in order. groups: the candidates of each; members: of all.
    """

    def __init__(self, cells: Cells, size: int) -> None:
        self.cells, self.size = cells, size
        self.groups = tuple(((1 << size) - 1) << size * cell for cell in cells)
        self.members: Mask = reduce(or_, self.groups)
        self._known: dict[Mask, tuple[Removal, ...]] = {}
        self._allowed: dict[Mask, bool] = {}

    def found(self, live: Mask) -> tuple[Removal, ...]:
        """`removals`, kept: a search asks the same again and again."""
        own = live & self.members
        if own not in self._known:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            self._known[own] = tuple(r for r in self.removals(own) if r.struck)
        return self._known[own]

    def is_possible(self, live: Mask) -> bool:
        """`allows`, kept."""
        own = live & self.members
        if own not in self._allowed:
            if len(self._allowed) >= MOST_KNOWN:
                self._allowed.clear()
            self._allowed[own] = self.allows(own)
        return self._allowed[own]

    @abstractmethod
    def removals(self, live: Mask) -> Iterator[Removal]:
        """What of `live` cannot be."""

    @abstractmethod
    def allows(self, live: Mask) -> bool:
        """Whether something is possible with the candidates of `live`."""

    def impossible(self, live: Mask) -> Mask:
        """The candidates of `live` that cannot be."""
        return reduce(or_, (removal.struck for removal in self.removals(live)), 0)

    def clauses(self, fresh: Fresh) -> Iterator[list[int]]:
        """Each cell holds one digit, and what the shape says of them."""
        for cell in self.cells:
            literals = list(range(self.size * cell + 1, self.size * cell + self.size + 1))
            yield literals
            yield from map(list, pairwise(literals))
        yield from map(list, self.said(fresh))

    def said(self, fresh: Fresh) -> Iterator[tuple[int, ...]]:
        """Clauses of what the shape says; none where `cuts` gives those that a model breaks."""
        return iter(())


class Sequence(Reading):
    """An automaton. layers: the edges of each cell, with candidates as bits in place of digits."""

    def __init__(self, shape: Shape, size: int) -> None:
        read = of_alike(shape) if isinstance(shape, Alike) else as_automaton(shape, size)
        super().__init__(read.cells, size)
        self.automaton = read
        is_one = isinstance(shape, OneOf) and shape.given is None and len(read.cells) <= FEW
        self._said = Said("none", tuple(sorted(read.cells))) if is_one else None
        self.layers = tuple(
            tuple((state, 1 << size * cell + digit - 1, after) for state, digit, after in edges)
            for cell, edges in zip(read.cells, read.layers, strict=True)
        )

    def removals(self, live: Mask) -> Iterator[Removal]:
        """At most one: what no accepted sequence of the candidates has."""
        if struck := self.impossible(live):
            yield Removal(struck, self.members & ~live, self._said)

    def impossible(self, live: Mask) -> Mask:
        """The candidates of `live` in its cells that no accepted sequence of these has."""
        limits.check()
        lefts = [(live & group) >> self.size * c for c, group in self._by_cell]
        states, reached = {0}, []
        for edges, left in zip(self._edges, lefts, strict=True):
            reached.append([edge for edge in edges if edge[1] & left and edge[0] in states])
            states = {edge[2] for edge in reached[-1]}
        states, gone = {0}, 0
        for at in range(len(lefts) - 1, -1, -1):
            onward = [edge for edge in reached[at] if edge[2] in states]
            states, used = {edge[0] for edge in onward}, 0
            for edge in onward:
                used |= edge[1]
            if lost := lefts[at] & ~used:
                gone |= lost << self.size * self.cells[at]
        return gone

    @cached_property
    def _by_cell(self) -> list[tuple[int, Mask]]:
        return list(zip(self.cells, self.groups, strict=True))

    @cached_property
    def _edges(self) -> list[list[Edge]]:
        """The edges of each cell, with its digits as bits."""
        layers = self.automaton.layers
        return [[(state, 1 << digit - 1, after) for state, digit, after in e] for e in layers]

    def allows(self, live: Mask) -> bool:
        """Whether some sequence of the candidates is accepted."""
        states = {0}
        for cell, edges in zip(self.cells, self.automaton.layers, strict=True):
            left = live << 1 >> self.size * cell  # bit d for digit d
            states = {
                after for state, digit, after in edges if state in states and left >> digit & 1
            }
        return bool(states)

    def said(self, fresh: Fresh) -> Iterator[tuple[int, ...]]:
        """The automaton, unfolded."""
        yield from shape_clauses(self.automaton, self.size, fresh)


class Flood(Reading):
    """Connected cells: those that hold one of some digits *are in*, those that do not *are out*.

    A cut is a set of cells that are out, so that two that are in are apart. No clause says that
    there is none; `cuts` gives those that a model breaks.
    """

    def __init__(self, shape: Connected, size: int) -> None:
        super().__init__(shape.cells, size)
        self.shape = shape
        held = mask_of(digit - 1 for digit in shape.held)
        self._inside = tuple(held << size * cell for cell in shape.cells)
        self._other = tuple(
            group & ~inside for group, inside in zip(self.groups, self._inside, strict=True)
        )
        self._goes = partial(self._removal, self._inside)  # places are out
        self._stays = partial(self._removal, self._other)  # and in
        self._least, self._most = shape.least, shape.most
        count = len(shape.cells)
        is_open = any(count in edge for edge in shape.edges)
        self._outside: Places = 1 << count if is_open else 0
        self._beside = tuple(map(mask_of, neighbours(count + is_open, shape.edges)))

    # What is known: places that are in, and those that may be ------------------------------------

    def _in(self, live: Mask) -> tuple[Places, Places]:
        true = may = self._outside
        place = 1
        for inside, other in zip(self._inside, self._other, strict=True):
            if inside & live:
                may |= place
                if not other & live:
                    true |= place
            place <<= 1
        return true, may

    def _around(self, places: Places) -> Places:
        around = 0
        for place in bits(places):  # without a call: nothing is asked as often
            around |= self._beside[place]
        return around

    def _reach(self, start: Places, within: Places) -> Places:
        reached = new = start
        while new:
            new = self._around(new) & within & ~reached
            reached |= new
        return reached

    def is_possible(self, live: Mask) -> bool:
        """`allows`, kept by what it depends on."""
        known = self._in(live)
        own = known[0] << len(self._beside) | known[1]
        if own not in self._allowed:
            if len(self._allowed) >= MOST_KNOWN:
                self._allowed.clear()
            self._allowed[own] = self._joins(*known)
        return self._allowed[own]

    def allows(self, live: Mask) -> bool:
        """Whether all that are in can be joined, and their number can be right."""
        return self._joins(*self._in(live))

    def _joins(self, true: Places, may: Places) -> bool:
        if not true:
            return True
        first = true & -true
        reach = self._reach(first, may)
        if true & ~reach or reach.bit_count() < self._least or true.bit_count() > self._most:
            return False
        if self._most >= len(self.cells):
            return True
        spare = self._most - true.bit_count()
        return not true & ~self._near(first, true, may, spare)[0]

    def _near(self, start: Places, true: Places, may: Places, steps: int) -> tuple[Places, Places]:
        """What is reached over so many cells that are not yet in, and what is passed by."""
        near, passed = self._reach(start, true), 0
        for _ in range(steps):
            around = self._around(near)
            passed |= around & ~may
            wider = near | around & may
            if wider == near:
                break
            near = self._reach(wider, true | wider)
        return near, passed

    # What cannot be -----------------------------------------------------------------------------

    def removals(self, live: Mask) -> Iterator[Removal]:
        """What is out of reach, too far or in too small a part; and what must be in, or others
        would be cut off."""
        limits.check()
        true, may = self._in(live)
        if not true:
            yield from self._small_parts(may, live)
            return
        first = true & -true
        reach = self._reach(first, may)
        yield from self._out_of_reach(true, reach, may, live)
        if reach.bit_count() < self._least:
            yield self._goes(first, 0, self._around(reach) & ~may, live, "small", (first,), reach)
        elif not true & ~reach:
            yield from self._needed(first, true, reach, may, live)
            if self._most < len(self.cells):
                yield from self._too_far(true, reach, may, live)

    def _out_of_reach(
        self, true: Places, reach: Places, may: Places, live: Mask
    ) -> Iterator[Removal]:
        first = true & -true
        left, border = may & ~reach, self._around(reach) & ~may
        while left:
            part = self._reach(left & -left, may)
            left &= ~part
            own = self._around(part) & ~may
            cut = own if own.bit_count() < border.bit_count() else border
            shown = part & true or part
            yield self._goes(part, first, cut, live, "out of reach", (shown & -shown, first))

    def _small_parts(self, may: Places, live: Mask) -> Iterator[Removal]:
        """None is in yet: parts of fewer cells than there have to be."""
        left = may if self._least > 1 else 0
        while left:
            part = self._reach(left & -left, may)
            left &= ~part
            if part.bit_count() < self._least:
                cut = self._around(part) & ~may
                yield self._goes(part, 0, cut, live, "small", (part & -part,), part)

    def _needed(
        self, first: Places, true: Places, reach: Places, may: Places, live: Mask
    ) -> Iterator[Removal]:
        """The cells without which others that are in are cut off, or too few are left."""
        size = reach.bit_count()
        if size > self._least and self._reach(first, true) == true and self._least < 2:
            return
        for place, apart in self._separated(first, reach):
            cell = 1 << place
            if true & cell:
                continue
            lost = true & apart
            if lost:
                yield self._comes(cell, lost & -lost, first, apart, reach, may, live)
            elif size - apart.bit_count() - 1 < self._least:
                rest = reach & ~apart & ~cell
                cut = self._around(rest) & ~may
                yield self._stays(cell, first, cut, live, "few", (first,), rest)

    def _separated(self, first: Places, reach: Places) -> Iterator[tuple[int, Places]]:
        """Each place of the reach but the first, with those that it separates from the first.

        Source: R. Tarjan, Depth-First Search and Linear Graph Algorithms, SIAM Journal on
        Computing 1, 1972.
        """
        start = first.bit_length() - 1
        order, low = {start: 0}, {start: 0}
        below, apart = {start: first}, {start: 0}
        path, left = [start], [self._beside[start] & reach]
        while path:
            place = path[-1]
            if left[-1]:
                other = (left[-1] & -left[-1]).bit_length() - 1
                left[-1] &= left[-1] - 1
                if other in order:
                    low[place] = min(low[place], order[other])
                else:
                    order[other] = low[other] = len(order)
                    below[other], apart[other] = 1 << other, 0
                    path.append(other)
                    left.append(self._beside[other] & reach & ~(1 << place))
                continue
            path.pop()
            left.pop()
            if path:
                parent = path[-1]
                low[parent] = min(low[parent], low[place])
                below[parent] |= below[place]
                if low[place] >= order[parent]:
                    apart[parent] |= below[place]
        del apart[start]
        yield from apart.items()

    def _too_far(self, true: Places, reach: Places, may: Places, live: Mask) -> Iterator[Removal]:
        spare = self._most - true.bit_count()
        first = true & -true
        if spare < 0:
            yield self._goes(first, true & ~first, 0, live, "many", (first,), true)
            return
        if not spare and reach & ~true:
            yield self._goes(reach & ~true, true, 0, live, "many", (first,), true)
            return
        left = true
        while left:
            part = self._reach(left & -left, true)
            left &= ~part
            near, passed = self._near(part, true, may, spare)
            if beyond := reach & ~near:
                yield self._goes(beyond, true, passed, live, "far", (part & -part,), near)

    # Removals -------------------------------------------------------------------------------------

    def _comes(
        self,
        cell: Places,
        lost: Places,
        first: Places,
        apart: Places,
        reach: Places,
        may: Places,
        live: Mask,
    ) -> Removal:
        """A cell is in that separates two that are; the cut is on the side where it is smaller."""
        part = self._reach(lost, apart)
        sides = [self._around(side) & ~may for side in (part, reach & ~apart & ~cell)]
        cut = min(sides, key=int.bit_count)
        return self._stays(cell, lost | first, cut, live, "cut off", (lost, first))

    def _removal(
        self,
        struck: tuple[Mask, ...],
        places: Places,
        true: Places,
        false: Places,
        live: Mask,
        about: str,
        named: tuple[Places, ...],
        counted: Places = 0,
    ) -> Removal:
        """The places lose what is struck, because of those that are in and those that are out."""
        outside = ~self._outside
        because = _joined(self._other, true & outside) | _joined(self._inside, false & outside)
        gone = _joined(struck, places & outside)
        cells = tuple(self._cell(place) for place in named)
        said = Said(about, cells, counted.bit_count())
        return Removal(gone & live, because & ~live, said)

    def _cell(self, place: Places) -> int:
        """The cell at a place; -1 for outside."""
        return -1 if place == self._outside else self.cells[place.bit_length() - 1]

    # For a solver ---------------------------------------------------------------------------------

    def cuts(self, true: Mask) -> Iterator[list[int]]:
        """Clauses that the true candidates of a model break; none if the cells are connected."""
        place, own = 1, self._outside
        for inside in self._inside:
            if inside & true:
                own |= place
            place <<= 1
        parts, left = [], own
        while left:
            parts.append(self._reach(left & -left, own))
            left &= ~parts[-1]
        parts.sort(key=int.bit_count)
        for part in parts[:-1]:
            yield self._cut((part & -part) | (parts[-1] & -parts[-1]), self._around(part) & ~part)
        if parts and parts[-1].bit_count() < self._least:
            yield self._cut(parts[-1] & -parts[-1], self._around(parts[-1]) & ~parts[-1])
        if own.bit_count() > self._most:
            some = list(bits(own))[: self._most + 1]
            yield self._cut(mask_of(some), 0)

    def _cut(self, true: Places, false: Places) -> list[int]:
        """One of the places is out, or one of the others is in."""
        wanted = _joined(self._other, true & ~self._outside) | _joined(self._inside, false)
        return [candidate + 1 for candidate in bits(wanted)]


def _joined(masks: tuple[int, ...], places: Places) -> int:
    """What is in the masks of some places."""
    joined = 0
    for place in bits(places):
        joined |= masks[place]
    return joined


class Rim(Reading):
    """Two connected areas that share no cell, along the edge of a rectangle: they do not change
    more than twice. Else a way between two cells of one would cross a way between two of the other.

    cells: those at the edge, once around. No clause says it: see `cuts`.
    """

    def __init__(self, cells: Cells, one: frozenset[int], two: frozenset[int], size: int) -> None:
        super().__init__(cells, size)
        self.held = tuple(mask_of(digit - 1 for digit in held) for held in (one, two))

    def _areas(self, live: Mask) -> list[tuple[int, int]]:
        """The place and the area (0 or 1) of each cell whose area is known, once around."""
        n, (one, two) = self.size, self.held
        found = []
        for place, cell in enumerate(self.cells):
            left = live >> n * cell & (1 << n) - 1
            if left and not left & ~one:
                found.append((place, 0))
            elif left and not left & ~two:
                found.append((place, 1))
        return found

    def allows(self, live: Mask) -> bool:
        """Whether the areas that are known change at most twice."""
        return len(_changes(self._areas(live))) <= 2

    def removals(self, live: Mask) -> Iterator[Removal]:
        """Between two cells of one area there is none of the other, if one is elsewhere."""
        limits.check()
        known = self._areas(live)
        changes = _changes(known)
        if len(changes) > 2:
            (first, area), *others = changes[:4]
            yield self._removal([first], area, [place for place, _ in others], live)
        elif changes:
            for (place, area), (after, other) in zip(known, [*known[1:], known[0]], strict=True):
                if area == other and place != after:
                    elsewhere = next(p for p, another in known if another != area)
                    count = (after - place) % len(self.cells)
                    between = [(place + step) % len(self.cells) for step in range(1, count)]
                    yield self._removal(between, 1 - area, [place, after, elsewhere], live)

    def _removal(self, places: list[int], area: int, known: list[int], live: Mask) -> Removal:
        n = self.size
        struck = reduce(or_, (self.held[area] << n * self.cells[place] for place in places), 0)
        because = _joined(self.groups, mask_of(known)) & ~live
        return Removal(struck & live, because, Said("edge", tuple(self.cells[p] for p in known)))

    def cuts(self, true: Mask) -> Iterator[list[int]]:
        """A clause that the true candidates of a model break; none if they change twice at most."""
        changes = _changes(self._areas(true))
        if len(changes) > 2:
            wanted = 0
            for place, area in changes[:4]:
                group = self.groups[place]
                wanted |= group & ~(self.held[area] << self.size * self.cells[place])
            yield [candidate + 1 for candidate in bits(wanted)]


def _changes(known: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The first of each run of one area, once around; empty if there is only one run."""
    before = [*known[-1:], *known[:-1]]
    return [now for now, last in zip(known, before, strict=True) if now[1] != last[1]]


class Division(Reading):
    """Regions to find, of as many cells as digits: each has every digit once, and the label of the
    line in which it has a certain one. That they are connected is said by `Flood`s."""

    def __init__(self, shape: Regions, size: int) -> None:
        super().__init__(shape.cells, size)
        self._shape = shape
        self._half = len(shape.cells) // 2
        place = {cell: at for at, cell in enumerate(shape.cells[: self._half])}
        self._lines = [mask_of(place[cell] for cell in line) for line in shape.lines]

    def _spots(self, live: Mask) -> tuple[list[Places], list[Places]]:
        """For each digit, and for each label, the places that may have it."""
        n, half, cells = self.size, self._half, self.cells
        digits, labels = [0] * self._shape.size, [0] * self._shape.labels
        for place in range(half):
            bit = 1 << place
            for digit in bits(live >> n * cells[place] & (1 << len(digits)) - 1):
                digits[digit] |= bit
            for label in bits(live >> n * cells[half + place] & (1 << len(labels)) - 1):
                labels[label] |= bit
        return digits, labels

    def _pairs(
        self, digits: list[Places], labels: list[Places]
    ) -> Iterator[tuple[int, int, Places]]:
        """Each label and digit, with the places that may have both."""
        for label, digit in product(range(self._shape.labels), range(self._shape.size)):
            both = labels[label] & digits[digit]
            if digit == self._shape.first - 1:
                both &= self._lines[label]
            yield label, digit, both

    def allows(self, live: Mask) -> bool:
        """Whether every label has a place for every digit, and no two: there are as many places as
        pairs; and whether what names a label is where that is possible."""
        digits, labels = self._spots(live)
        known = _one_of(digits) & _one_of(labels)
        first = digits[self._shape.first - 1] & _one_of(digits)
        if any(first & line & ~own for line, own in zip(self._lines, labels, strict=False)):
            return False
        return all(
            both and not (twice := both & known) & twice - 1
            for _, _, both in self._pairs(digits, labels)
        )

    def removals(self, live: Mask) -> Iterator[Removal]:
        """What follows where a label has one place for a digit, or has it already."""
        limits.check()
        yield from self._named(live)
        digits, labels = self._spots(live)
        known = _one_of(digits) & _one_of(labels)
        for label, digit, both in self._pairs(digits, labels):
            if not both & both - 1:
                yield from self._only(label, digit, both, live)
            if owner := both & known:
                yield from self._once(label, digit, owner & -owner, both, live)

    def _named(self, live: Mask) -> Iterator[Removal]:
        """The digit that names a label, and the label of its line, go together."""
        for label, line in enumerate(self._lines):
            for place in bits(line):
                digit, own = self._digit(place, self._shape.first - 1), self._label(place, label)
                labels = self.groups[self._half + place]
                digits = self.groups[place]
                found = []
                if digit & live and not own & live:
                    found.append((digit, own))
                if live & digits == digit and live & labels & ~own:
                    found.append((live & labels & ~own, digits & ~digit))
                for struck, because in found:
                    said = self._told("named", place, self._shape.first - 1, label)
                    yield Removal(struck, because, said)

    def _only(self, label: int, digit: int, both: Places, live: Mask) -> Iterator[Removal]:
        """The place has both, or, without one, nothing is possible."""
        place = both.bit_length() - 1 if both else 0
        keep = (self._digit(place, digit) | self._label(place, label)) if both else 0
        struck = (self.groups[place] | self.groups[self._half + place]) & live & ~keep
        if struck:
            because = 0
            line = self._lines[label] if digit == self._shape.first - 1 else -1
            for other in range(self._half):
                if line >> other & 1 and not both >> other & 1:
                    lack = self._label(other, label)
                    because |= self._digit(other, digit) if lack & live else lack
            yield Removal(struck, because, self._told("only", place, digit, label))

    def _once(
        self, label: int, digit: int, owner: Places, both: Places, live: Mask
    ) -> Iterator[Removal]:
        place = owner.bit_length() - 1
        known = self._lacks(place, live) | self._lacks(self._half + place, live)
        said = self._told("once", place, digit, label)
        for other in bits(both & ~owner):
            one, two = self._digit(other, digit), self._label(other, label)
            if self.groups[self._half + other] & live == two:
                because = known | self._lacks(self._half + other, live)
                yield Removal(one, because, said)
            elif self.groups[other] & live == one:
                yield Removal(two, known | self._lacks(other, live), said)

    def _told(self, about: str, place: int, digit: int, label: int) -> Said:
        both = self._digit(place, digit), self._label(place, label)
        return Said(about, (self.cells[place],), 0, tuple(c.bit_length() - 1 for c in both))

    def _lacks(self, at: int, live: Mask) -> Mask:
        return self.groups[at] & ~live

    def _digit(self, place: int, digit: int) -> Mask:
        return 1 << self.size * self.cells[place] + digit

    def _label(self, place: int, label: int) -> Mask:
        return 1 << self.size * self.cells[self._half + place] + label

    def said(self, fresh: Fresh) -> Iterator[tuple[int, ...]]:
        """With products of labels and digits."""
        yield from shape_clauses(self._shape, self.size, fresh)


def _one_of(spots: list[Places]) -> Places:
    """The places that are in one of the sets alone."""
    once = twice = 0
    for places in spots:
        twice |= once & places
        once |= places
    return once & ~twice


class Comparison(Reading):
    """A line, and how many of three others are less. On each of three sides one begins with the
    digit, as lines hold every digit."""

    def __init__(self, shape: Ranked, size: int) -> None:
        super().__init__(tuple(dict.fromkeys(shape.cells)), size)
        self._shape = shape
        own, *others = shape.lines
        self._own = own
        self._sides = [
            others[start : start + shape.length] for start in range(0, len(others), shape.length)
        ]

    def allows(self, live: Mask) -> bool:
        """Whether so many can be less, line by line."""
        least = most = 0
        for side in self._sides:
            found = reduce(or_, (self._outcomes(line, live) for line in side), 0)
            if not found:
                return False
            least += found == LESS
            most += bool(found & LESS)
        return least <= self._shape.less <= most

    def _outcomes(self, line: Cells, live: Mask) -> int:
        """What may be if this is the line that begins with the digit: LESS, MORE, both or none."""
        n, found = self.size, 0
        if not live >> n * line[0] + self._shape.digit - 1 & 1:
            return 0
        every = (1 << n) - 1
        for cell, other in zip(self._own[1:], line[1:], strict=True):
            mine, its = live >> n * cell & every, live >> n * other & every
            if not mine or not its:
                return 0
            if (its & -its) < 1 << mine.bit_length() - 1:
                found |= LESS
            if 1 << its.bit_length() - 1 > (mine & -mine):
                found |= MORE
            if not mine & its or found == LESS | MORE:
                return found
        return found | MORE if self._shape.may_tie else found

    def removals(self, live: Mask) -> Iterator[Removal]:
        """Each candidate is tried."""
        limits.check()
        gone = 0
        for group in self.groups:
            for candidate in bits(group & live):
                if not self.allows(live & ~group | 1 << candidate):
                    gone |= 1 << candidate
        if gone:
            yield Removal(gone, self.members & ~live)

    def said(self, fresh: Fresh) -> Iterator[tuple[int, ...]]:
        """Digit by digit."""
        for side in self._sides:
            yield tuple(self.size * line[0] + self._shape.digit for line in side)
        yield from shape_clauses(self._shape, self.size, fresh)


LESS, MORE = 1, 2


@lru_cache(maxsize=1024)
def reading_of(shape: Shape, size: int) -> Reading:
    """A shape as a reading."""
    limits.check()
    if isinstance(shape, Connected):
        return Flood(shape, size)
    if isinstance(shape, Regions):
        return Division(shape, size)
    if isinstance(shape, Ranked):
        return Comparison(shape, size)
    return Sequence(shape, size)


def rims_of(
    board: Board, size: int, one: Iterable[Reading], two: Iterable[Reading]
) -> Iterator[Rim]:
    """What two connected areas say of each other along the edge, if they lie over the same cells of
    a rectangle, and no cell can be in both."""
    if not board.is_rectangle or min(board.height, board.width) < 2:
        return
    top, bottom = board.rows[0], board.rows[-1]
    left, right = board.columns[0], board.columns[-1]
    around = (*top, *right[1:], *bottom[-2::-1], *left[-2:0:-1])
    for first, second in product(one, two):
        if isinstance(first, Flood) and isinstance(second, Flood):
            a, b = first.shape, second.shape
            same = a.cells == b.cells and a.edges == b.edges == board.adjacent_pairs
            if same and not a.held & b.held:
                yield Rim(tuple(a.cells[place] for place in around), a.held, b.held, size)
