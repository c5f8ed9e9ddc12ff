"""Sums of few cells that follow from houses and clues, and the units that they follow from.

Invariant: what is told here holds in each solution, and the units that a total names entail it.

A total is an integer combination of terms: houses, whose cells add up to a number, and sums that
clues state. `model.implied` says which sums leave few cells of houses (the 45 rule); here their
terms are kept, to name them. Besides, two totals that share cells may leave fewer of them, and long
sums lose the houses that they contain.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, combinations, islice
from math import gcd
from typing import NamedTuple

from ...model.board import Cells, bits, mask_of
from ...model.implied import Taken, few_left, houses_of, most_contained
from ...model.lowering import Family
from ...model.shapes import Sum
from ...runtime import limits
from ..naming import houses_named, listed, plural
from ..readings import Mask
from ..units import Unit, Units

MOST_CELLS = 8  # of a total, some of which will be known when it is of use
MOST_PAIRED = 5  # cells of what two totals leave
MOST_HOUSES = 4  # of a total
MOST_TERMS = 40  # houses and clues of a total
MOST_STATED = 400  # sums of clues that are looked at
MOST_MIXED = 150  # totals that are paired
MOST_TOTALS = 400
LONG = 4  # cells of a sum that may contain most of a house
NAMED = 2  # clues that are named; of more, only how many there are


class Total(NamedTuple):
    """The digits of some cells, each times its weight, add up to a number.

    name: of the technique. weights: of each cell, the first one positive. total: of the positions
    (from 1) of the digits, as `Sum`; of the digits it is `of_digits`. units: the numbers of those
    that entail it. phrase: what it follows from. houses: how many of these.
    """

    name: str
    cells: Cells
    weights: tuple[int, ...]
    total: int
    of_digits: int
    units: tuple[int, ...]
    phrase: str
    houses: int

    @property
    def members(self) -> Mask:
        """Its cells as a mask."""
        return mask_of(self.cells)


class _Term(NamedTuple):
    """A house or a sum that a clue states. label: in words; units: those that entail it, if each of
    its cells holds one digit; noun: the kind of a clue; is_one_to_one: whether each digit of its
    one or two cells has one partner, so that no cell of these can hold two, or be empty alone."""

    weights: Mapping[int, int]
    total: int
    label: str
    units: tuple[int, ...]
    noun: str = ""
    is_one_to_one: bool = False


class _Mix(NamedTuple):
    """A combination of terms: how often each is added, by their numbers. more, less: the cells with
    positive and with negative weight, as masks. parts: the two that it was made of, if so, and -1
    if the second is taken from the first."""

    weights: dict[int, int]
    total: int
    terms: dict[int, int]
    more: int
    less: int
    parts: tuple[_Mix, _Mix, int] | None = None

    @property
    def cells(self) -> int:
        """All its cells, as a mask."""
        return self.more | self.less


@lru_cache(maxsize=16)
def totals_of(units: Units) -> tuple[Total, ...]:
    """The totals that follow from houses and clues together; those of few cells first, then those
    of few houses and clues. None that a clue states, and none that is two others side by side."""
    terms = _Terms(units)
    if not terms.stated:
        return ()
    stated, count = [*terms.alone()], terms.count
    pool = _simplest([*stated, *terms.reduced(), *terms.left()], count)
    alone = _without_sides(pool)
    pairs = _paired([mix for mix in alone if _houses(mix, count) <= MOST_HOUSES // 2])
    pool = _simplest([*alone, *pairs], count)
    known = {_key(mix.weights) for mix in stated}
    new = [mix for mix in _without_sides(pool) if _key(mix.weights) not in known]
    few = (m for m in new if len(m.weights) <= MOST_CELLS and _houses(m, count) <= MOST_HOUSES)
    return tuple(map(terms.total, islice(few, MOST_TOTALS)))


class _Terms:
    """The houses, then the sums that clues state."""

    def __init__(self, units: Units) -> None:
        self.units = units
        self.constraints = units.constraints
        self.houses = houses_of(self.constraints)
        self._lowest = [
            digits[0] - 1 for digits in units.board.domains(tuple(range(units.board.cells)))
        ]
        self.all = [*self._of_houses()]
        self.count = len(self.all)
        self.all += self._of_clues()
        self.stated = range(self.count, len(self.all))

    def _of_houses(self) -> Iterator[_Term]:
        full = {tuple(sorted(house.cells)): house for house in self.units.houses if house.is_full}
        for cells in self.houses:
            n = len(cells)
            weights = dict.fromkeys(cells, 1)
            if house := full.get(cells):
                yield _Term(weights, n * (n + 1) // 2, house.label, house.units)
            else:
                yield _Term(weights, n * (n + 1) // 2, *self._apart(cells))

    def _apart(self, cells: Cells) -> tuple[str, tuple[int, ...]]:
        """The units that say that the cells of a clue differ, and its label."""
        apart = apart_of(self.units)
        ways = [apart[pair] for pair in combinations(cells, 2) if pair in apart]
        often = Counter(chain.from_iterable(ways))
        needed = Counter(max(some, key=often.__getitem__) for some in ways)
        ((first, *_), _), *_ = needed.most_common(1)
        return self.units.all[first].label, (*cells, *chain.from_iterable(needed))

    def _of_clues(self) -> Iterator[_Term]:
        clues = {unit.family: unit for unit in self.units.all if unit.family in self.units.clues}
        found = 0
        for family in self.constraints.families:
            for said in family.sums if family.name in clues else ():
                if isinstance(said, Sum) and any(said.weights) and found < MOST_STATED:
                    found += 1
                    yield self._of_clue(family, said, clues[family.name])

    def _of_clue(self, family: Family, said: Sum, unit: Unit) -> _Term:
        weights = {c: w for c, w in zip(said.cells, said.weights, strict=True) if w}
        noun = self.units.clues[family.name][0].kind
        is_few = len(weights) <= 2 < self.units.size and not unit.readings
        is_one_to_one = is_few and {*map(abs, weights.values())} == {1}
        return _Term(weights, said.total, unit.label, (unit.number,), noun, is_one_to_one)

    def _read(self, units: Iterable[Unit]) -> int:
        """The cells of which clues say that they hold one digit."""
        readings = chain.from_iterable(unit.readings for unit in units)
        return mask_of(chain.from_iterable(reading.cells for reading in readings))

    # Combinations --------------------------------------------------------------------------------

    def alone(self) -> Iterator[_Mix]:
        """The houses, and the sums that clues state."""
        for number in range(len(self.all)):
            yield self.mixed({number: 1})

    def mixed(self, times: Mapping[int, int]) -> _Mix:
        """So many times each of the terms."""
        weights: dict[int, int] = {}
        total = 0
        for number, factor in times.items():
            term = self.all[number]
            total += factor * term.total
            for cell, weight in term.weights.items():
                weights[cell] = weights.get(cell, 0) + factor * weight
        return _mix(weights, total, dict(times))

    def reduced(self) -> Iterator[_Mix]:
        """Long sums without the houses that they mostly contain."""
        for number in self.stated:
            weights = Counter(self.all[number].weights)
            if len(weights) <= LONG:
                continue
            times = {number: 1}
            size = len(self.units.board.digits)
            for house, factor in most_contained(weights, self.houses, size):
                weights.subtract(dict.fromkeys(self.houses[house], factor))
                times[house] = times.get(house, 0) - factor
            if len(times) > 1:
                yield self.mixed(times)

    def left(self) -> Iterator[_Mix]:
        """What sums leave of houses."""
        for sides in self._sides():
            taken = [Taken(cells, beyond) for _, cells, beyond, _ in sides]
            few = few_left(self.constraints, taken, MOST_CELLS, is_wide=True)
            for _, houses, chosen in dict.fromkeys(few):
                times = dict.fromkeys(houses, 1)
                for number, _, _, factor in (sides[place] for place in chosen):
                    times[number] = -factor
                yield self.mixed(times)

    def _sides(self) -> Iterator[list[tuple[int, int, int, int]]]:
        """For each sum the cells of weight 1, or of -1, how many other cells tell what they add up
        to, and that weight; first of these cells the more, then the fewer, if there are any."""
        pairs = []
        for number in self.stated:
            weights = self.all[number].weights
            sides = []
            for sign in (1, -1):
                cells = mask_of(cell for cell, weight in weights.items() if weight == sign)
                if cells:
                    sides.append((number, cells, len(weights) - cells.bit_count(), sign))
            pairs.append(sorted(sides, key=lambda side: side[2]))
        yield [pair[0] for pair in pairs if pair]
        if any(len(pair) > 1 for pair in pairs):
            yield [pair[-1] for pair in pairs if pair]

    # Words ---------------------------------------------------------------------------------------

    def total(self, mix: _Mix) -> Total:
        """The total that a combination is."""
        cells = tuple(bits(mix.cells))
        weights = tuple(mix.weights[cell] for cell in cells)
        of_digits = self._of_digits(mix.weights, mix.total)
        units, phrase, count = self._units(mix), self._phrase(mix), _houses(mix, self.count)
        return Total(self._name(mix), cells, weights, mix.total, of_digits, units, phrase, count)

    def _of_digits(self, weights: Mapping[int, int], total: int) -> int:
        """What a total of positions is for the digits."""
        return total + sum(weight * self._lowest[cell] for cell, weight in weights.items())

    def _units(self, mix: _Mix) -> tuple[int, ...]:
        """The units of its terms, and the cells that these do not say to hold one digit.

        Houses that are apart hold as many digits as cells: if no cell holds two, none is empty, and
        if all but one hold one, so does that.
        """
        terms = [self.all[number] for number in mix.terms]
        numbers = set(chain.from_iterable(term.units for term in terms))
        read = self._read(map(self.units.all.__getitem__, numbers))
        area = self._area(mix)
        if (area & ~read).bit_count() == 1:
            read |= area
        for number in mix.terms:
            term = self.all[number]
            if term.is_one_to_one and area & mask_of(term.weights):
                read |= mask_of(term.weights) & ~mix.cells
        cells = mask_of(chain.from_iterable(term.weights for term in terms))
        return tuple(sorted(numbers.union(bits(cells & ~read))))

    def _area(self, mix: _Mix) -> int:
        """The cells of its houses, if these are apart and all added, or all subtracted; else 0."""
        area, signs = 0, set()
        for number, times in mix.terms.items():
            if number < self.count:
                cells = mask_of(self.all[number].weights)
                signs.add(times)
                if area & cells or len(signs) > 1 or abs(times) > 1:
                    return 0
                area |= cells
        return area

    def _name(self, mix: _Mix) -> str:
        area = self._area(mix)
        if area:
            within = "innies" if area & mix.cells else ""
            beyond = "outies" if mix.cells & ~area else ""
            return " and ".join(filter(None, (within, beyond)))
        return "equal sums" if mix.more and mix.less and not mix.total else "sums"

    def _phrase(self, mix: _Mix) -> str:
        """`row 1 sums to 45 and its 4 cages to 41`; of two totals what each of them is."""
        if mix.parts and (told := [self._brief(part) for part in mix.parts[:2]]) and any(told):
            return listed(
                brief or self._listed(part.terms)
                for brief, part in zip(told, mix.parts[:2], strict=True)
            )
        houses = [number for number in mix.terms if number < self.count]
        clues = [number for number in mix.terms if number >= self.count]
        if houses and self._area(mix):
            sign = mix.terms[houses[0]]
            weights = chain.from_iterable(self.all[number].weights.values() for number in clues)
            if min(weights) > 0 and {mix.terms[number] for number in clues} == {-sign}:
                return self._by_the_rule(mix, houses, clues)
        return self._combined(mix)

    def _brief(self, mix: _Mix) -> str:
        """`r1c8+r1c9 = 4 (row 1 less 4 cages)`, or `row 1 sums to 45`; empty for a clue alone."""
        total = self._of_digits(mix.weights, mix.total)
        if len(mix.terms) == 1:
            (number,) = mix.terms
            return f"{self.all[number].label} sums to {total}" if number < self.count else ""
        names = self.units.board.name_of
        weights = [(names(cell), weight) for cell, weight in mix.weights.items()]
        return f"{equation(weights, total)} ({self._combined(mix)})"

    def _combined(self, mix: _Mix) -> str:
        """`row 1 less 4 cages`."""
        first = min(mix.terms, key=lambda number: number >= self.count)
        sign = mix.terms[first]
        added = {number: times for number, times in mix.terms.items() if times * sign > 0}
        taken = {number: times for number, times in mix.terms.items() if times * sign < 0}
        less = f" less {self._listed(taken)}" if taken else " together"
        return self._listed(added) + less

    def _by_the_rule(self, mix: _Mix, houses: Sequence[int], clues: Sequence[int]) -> str:
        whole, covered = (
            sum(self._of_digits(self.all[n].weights, self.all[n].total) for n in numbers)
            for numbers in (houses, clues)
        )
        area, several = self._area(mix), len(houses) > 1
        sums = f"{self._housed(houses)} {'sum' if several else 'sums'} to {whole}"
        if len(clues) <= NAMED:
            said = listed(self.all[number].label for number in clues)
            if not mix.cells & ~area:
                return f"{sums}, less {said}"
        elif not mix.cells & ~area:
            said = f"{'their' if several else 'its'} {self._counted(clues)}"
        else:
            met = "meet" if mix.cells & area else "cover"
            said = f"the {self._counted(clues)} that {met} {'them' if several else 'it'}"
        return f"{sums} and {said} to {covered}"

    def _listed(self, times: Mapping[int, int]) -> str:
        """Terms, with how often they are taken if that is not once."""
        houses = [number for number in times if number < self.count and abs(times[number]) == 1]
        others = [number for number in times if number not in houses]
        said = [self._housed(houses)] if houses else []
        if len(others) > NAMED:
            return listed([*said, self._counted(others)])
        for number in others:
            often = f"{abs(times[number])} times " if abs(times[number]) > 1 else ""
            said.append(often + self.all[number].label)
        return listed(said)

    def _counted(self, clues: Sequence[int]) -> str:
        nouns = {self.all[number].noun for number in clues}
        return f"{len(clues)} {plural(nouns.pop() if len(nouns) == 1 else 'clue')}"

    def _housed(self, houses: Sequence[int]) -> str:
        return houses_named(self.all[number].label for number in houses)


def equation(terms: Sequence[tuple[str, int]], total: int) -> str:
    """`r2c4 = r1c9+3` of names, each with its weight; of one of them what it is."""
    if all(weight < 0 for _, weight in terms):
        terms, total = [(name, -weight) for name, weight in terms], -total
    name, weight = terms[0]
    if len(terms) == 1 and total % weight == 0:
        return f"{name} = {total // weight}"
    left = [_times(name, weight) for name, weight in terms if weight > 0]
    right = [_times(name, -weight) for name, weight in terms if weight < 0]
    if not right or total > 0:
        right.append(str(total))
    elif total < 0:
        left.append(str(-total))
    return f"{'+'.join(left)} = {'+'.join(right)}"


def _times(name: str, weight: int) -> str:
    return name if weight == 1 else f"{weight}×{name}"


def _mix(weights: Mapping[int, int], total: int, terms: Mapping[int, int]) -> _Mix:
    kept = {cell: weight for cell, weight in sorted(weights.items()) if weight}
    times = {number: factor for number, factor in terms.items() if factor}
    sign = -1 if kept and next(iter(kept.values())) < 0 else 1
    kept = {cell: sign * weight for cell, weight in kept.items()}
    more = mask_of(cell for cell, weight in kept.items() if weight > 0)
    less = mask_of(cell for cell, weight in kept.items() if weight < 0)
    return _Mix(kept, sign * total, {n: sign * t for n, t in times.items()}, more, less)


_Key = tuple[tuple[int, int], ...]


def _key(weights: Mapping[int, int]) -> _Key:
    """What is the same of multiples of each other."""
    divisor = gcd(*weights.values())
    return tuple((cell, weight // divisor) for cell, weight in weights.items())


def _simplest(mixes: Iterable[_Mix], count: int) -> dict[_Key, _Mix]:
    """Of equal ones the one of the fewest houses, then clues; those of few cells first."""
    ranks = ((len(mix.weights), _houses(mix, count), len(mix.terms), mix) for mix in mixes)
    best: dict[_Key, _Mix] = {}
    for *_, mix in sorted(ranks, key=lambda rank: (*rank[:3], *rank[3].weights)):
        if mix.weights:
            best.setdefault(_key(mix.weights), mix)
    return best


def _houses(mix: _Mix, count: int) -> int:
    return sum(number < count for number in mix.terms)


def _paired(mixes: Sequence[_Mix]) -> Iterator[_Mix]:
    """What two leave of each other, if that is fewer cells than the longer one has."""
    several = [mix for mix in mixes if len(mix.weights) > 1]  # a cell alone is soon known
    alone = [(mix.cells, len(mix.weights), mix) for mix in several[:MOST_MIXED]]
    for (cells, size, one), (others, count, other) in combinations(alone, 2):
        most = min(MOST_PAIRED, max(size, count) - 1)
        if (cells ^ others).bit_count() <= most and cells & others:
            alike = (one.more & other.more | one.less & other.less).bit_count()
            sign = -1 if 2 * alike >= (cells & others).bit_count() else 1
            mix = _sum_of(one, other, sign)
            if 0 < len(mix.weights) <= most and len(mix.terms) <= MOST_TERMS:
                yield mix


def _sum_of(one: _Mix, other: _Mix, sign: int) -> _Mix:
    weights, terms = dict(one.weights), dict(one.terms)
    for cell, weight in other.weights.items():
        weights[cell] = weights.get(cell, 0) + sign * weight
    for number, factor in other.terms.items():
        terms[number] = terms.get(number, 0) + sign * factor
    mix = _mix(weights, one.total + sign * other.total, terms)
    return mix._replace(parts=(one, other, sign))


def _without_sides(known: Mapping[_Key, _Mix]) -> list[_Mix]:
    """Those that are not others of different cells side by side."""
    found: list[_Mix] = []
    for mix in known.values():
        limits.check()
        beyond = ~mix.cells
        parts = [part.weights for part in found if not part.cells & beyond]
        if len(mix.weights) > MOST_CELLS or not _is_made(mix.weights, parts):
            found.append(mix)
    return found


def _is_made(weights: Mapping[int, int], parts: Sequence[Mapping[int, int]]) -> bool:
    """Whether it is one of the parts, or some side by side, each as often as it says."""
    if not weights:
        return True
    first = next(iter(weights))
    for part in (part for part in parts if first in part):
        times, odd = divmod(weights[first], part[first])
        if not odd and all(weights.get(c, 0) == times * weight for c, weight in part.items()):
            rest = {cell: weight for cell, weight in weights.items() if cell not in part}
            if _is_made(rest, parts):
                return True
    return False


Ways = Mapping[tuple[int, int], tuple[tuple[int, ...], ...]]


@lru_cache(maxsize=16)
def apart_of(units: Units) -> Ways:
    """For two cells, low and high, each set of units that says that they differ: one clue or rule,
    or the digits of a house; the smallest first."""
    n = units.size
    held = [units.every >> n * cell & (1 << n) - 1 for cell in range(units.board.cells)]
    found: dict[tuple[int, int], list[tuple[int, ...]]] = {}
    for unit in units.all:
        if unit.digit is None and unit.pairs:
            alike = Counter((a // n, b // n) for a, b in unit.pairs if a % n == b % n and a != b)
            for (a, b), digits in alike.items():
                if digits == (held[a] & held[b]).bit_count():
                    found.setdefault((a, b), []).append((unit.number,))
    for house in units.houses:
        for pair in combinations(sorted(house.cells), 2):
            found.setdefault(pair, []).append(house.units)
    return {pair: tuple(ways) for pair, ways in found.items()}
