"""What clues say of several cells, as lists that an engine runs.

Invariant: what belongs to a sort of clue and not to its cells (sets of digits, the ways of an
automaton) stands in a table once, however many clues share it. Lists of different lengths are two
arrays: list i is members[starts[i]:starts[i + 1]]; what its numbers mean, the plan tells. No numpy,
so that one puzzle costs no import of it.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import accumulate, chain, combinations, islice, pairwise
from operator import and_
from typing import NamedTuple, cast

from ..model.board import Board, Cells, bits, mask_of
from ..model.constraints import Constraints
from ..model.implied import (
    AVAILABLE,
    Weighed,
    apart_of,
    areas_in_c,
    bytes_by_rules,
    cage_of,
    differ,
    houses_of,
    left_by_houses,
    peer_bytes,
    peers_by_rules,
    peers_of,
    reduced,
    segments,
)
from ..model.lowering import NOTHING, Family, Related, Said, Table, cells_at, every_cell
from ..model.shapes import AVAILABLE as AUTOMATA
from ..model.shapes import (
    Automaton,
    DigitSets,
    Edge,
    OneOf,
    Ranked,
    Shape,
    Sum,
    Tally,
    placed,
    sets_of,
)
from ..runtime import limits

if AVAILABLE:
    from ..model import _sums
if AUTOMATA:
    from ..model import _automata

Lists = list[list[int]]


@dataclass(eq=False)  # not frozen: there are many
class Ragged:
    """starts: (lists + 1,) offsets; members: (total,) numbers of all lists together. C ints."""

    starts: array[int]
    members: array[int]

    @staticmethod
    def of(lists: Iterable[Sequence[int]]) -> Ragged:
        kept = list(lists)
        if not kept:
            return NO_LISTS
        if AVAILABLE:
            return Ragged.of_bytes(*_sums.ragged(kept))
        starts = array("i", accumulate(map(len, kept), initial=0))
        return Ragged(starts, array("i", chain.from_iterable(kept)))

    @staticmethod
    def of_bytes(starts: bytes, members: bytes) -> Ragged:
        return Ragged(array("i", starts), array("i", members))

    def __len__(self) -> int:
        return len(self.starts) - 1

    def lists(self) -> Lists:
        """The same as plain lists."""
        return [self.members[a:b].tolist() for a, b in pairwise(self.starts)]


NO_LISTS = Ragged(array("i", [0]), array("i"))


def joined(parts: Iterable[Ragged]) -> Ragged:
    """The lists of all parts, one part after another."""
    parts = [*parts]
    if len(parts) == 1:
        return parts[0]
    whole = Ragged(array("i", [0]), array("i"))
    for part in parts:
        whole.starts.extend(map(len(whole.members).__add__, part.starts[1:]))
        whole.members.extend(part.members)
    return whole


# Sums: cages of few cells, or segments. A form says what the sum says, if its cells differ as they
# must.

MOST_CAGED = 5  # cells of a cage that follows
MOST_SUMMED = 4  # cells of a sum that follows
FEW_SUMS, MOST_OF_FEW = 4, 8  # where fewer follow than that, cells of a sum that follows
# Limits of a sum by segments, as in the kernel.
MOST_SEGMENT, MOST_SEGMENTS, TOTALS = 3, 32, 2048


MOST_BOUNDS = 8  # of several sums together
MOST_JOINED = 40  # sums that are tried with each other
INT_MAX = 2**31 - 1


# A sum as the kernel takes it: the total, then for each segment weight, whether mirrored, number of
# cells, cells.
Segments = tuple[int, ...]
Compiled = DigitSets | Segments


# As the C code takes them.
LIMITS = MOST_CAGED, MOST_SEGMENT, MOST_SEGMENTS, TOTALS


def implied(constraints: Constraints) -> Iterator[Compiled]:
    """Cages and other sums of few cells that follow from the stated sums by the 45 rule."""
    sums = left_by_houses(constraints, MOST_SUMMED)
    if len(sums) < FEW_SUMS:
        sums = left_by_houses(constraints, MOST_OF_FEW)
    return filter(None, compiled(sums, constraints))


def of_families(
    families: Sequence[Family], constraints: Constraints
) -> list[list[Compiled] | None]:
    """What the totals of each family say, less the houses that they mostly contain; None if that is
    not all that it says, or too large."""
    houses, size = houses_of(constraints), constraints.board.choices
    sums = [
        [reduced(total, houses, size).said for total in family.sums if isinstance(total, Sum)]
        for family in families
    ]
    each = iter(compiled([*chain.from_iterable(sums)], constraints))
    return [
        _all_of([*islice(each, len(some))], family)
        for family, some in zip(families, sums, strict=True)
    ]


def _all_of(found: list[Compiled | None], family: Family) -> list[Compiled] | None:
    """What was found of a family, unless something is missing."""
    every = [each for each in found if each]
    return every if every and len(every) == len(family.said.sums) else None


def compiled(sums: Sequence[Weighed], constraints: Constraints) -> list[Compiled | None]:
    """Each sum as a cage, if it is one of few cells, else by segments; None if it is too large."""
    board = constraints.board
    if AVAILABLE:
        forms = _sums.segments([*sums], board.cells, peer_bytes(constraints), LIMITS)
    else:
        forms = [segmented(Sum(*said), peers_of(constraints)) for said in sums]
    digits = tuple(range(1, board.choices + 1))
    return [
        DigitSets(cells, sets_of(len(cells), total, digits)) if form is True else form or None
        for (cells, _, total), form in zip(sums, forms, strict=True)
    ]


def segmented(
    said: Sum, peers: Sequence[int], within: tuple[int, int, int, int] = LIMITS
) -> bool | tuple[int, ...] | None:
    """True for a cage, None if it is too large, else its segments."""
    most_caged, most_segment, most_segments, totals = within
    alike = {*said.weights} == {1} and len(said.cells) <= most_caged
    if alike and differ(said.cells, peers):
        return True
    total, listed = said.total, []
    for weight in sorted(set(said.weights)):
        same = [c for c, w in zip(said.cells, said.weights, strict=True) if w == weight]
        total -= 10 * weight * len(same) if weight < 0 else 0
        for cells in segments(same, peers, most_segment):
            listed.append((abs(weight), int(weight < 0), len(cells), *cells))
    most = sum(9 * weight * count for weight, _, count, *_ in listed)
    if not listed or len(listed) > most_segments or most >= totals or not 0 <= total < totals:
        return None
    return (total, *chain.from_iterable(listed))


class Bound(NamedTuple):
    """Cells, as a mask, that add up to a total; in sets of cells that differ; and the lesser of the
    distances between the total and what the cells may add up to at least and at most."""

    mask: int
    total: int
    sets: tuple[Cells, ...]
    slack: int


def bounds_of(sums: Sequence[tuple[int, int]], constraints: Constraints) -> list[Bound]:
    """The bound of each sum: a mask of cells, and the total."""
    found, digits = [], constraints.board.choices
    for (mask, total), sets in zip(sums, _told_apart(sums, constraints), strict=True):
        least = sum(len(some) * (len(some) + 1) // 2 for some in sets)
        most = mask.bit_count() * (digits + 1) - least
        found.append(Bound(mask, total, sets, min(total - least, most - total)))
    return found


def _told_apart(
    sums: Sequence[tuple[int, int]], constraints: Constraints
) -> Iterator[tuple[Cells, ...]]:
    """The cells of each sum in few sets of cells that differ."""
    cells, digits = constraints.board.cells, constraints.board.choices
    if not AVAILABLE:
        peers = peers_of(constraints)
        yield from (tuple(segments(bits(mask), peers, digits)) for mask, _ in sums)
        return
    said = [(own := tuple(bits(mask)), (1,) * len(own), 0) for mask, _ in sums]
    forms = _sums.segments(said, cells, peer_bytes(constraints), (0, digits, cells, INT_MAX))
    for form in forms:
        yield tuple(cells for _, _, cells in parts_of([*cast("Segments", form)[1:]]))


def parts_of(members: list[int]) -> Iterator[tuple[int, int, Cells]]:
    """Of each segment of a sum the weight, whether it is mirrored, and the cells."""
    while members:
        weight, mirrored, count, *rest = members
        yield weight, mirrored, tuple(rest[:count])
        members = rest[count:]


def bounded(constraints: Constraints) -> list[Segments]:
    """The sums that an engine bounds besides, by sets of up to as many cells as there are digits:
    several sums together, and tight ones of many cells alone."""
    return [*_joined(constraints), *_tight(constraints)]


def _tight(constraints: Constraints) -> Iterator[Segments]:
    """Stated sums with a slack of at most one for each cell, if large sets leave less slack than
    segments of up to MOST_SEGMENT cells do. A sum is taken as stated, or with the houses that it
    mostly contains subtracted, whichever leaves less. Only with nine digits."""
    if constraints.board.choices != 9:
        return
    houses, peers = houses_of(constraints), peers_of(constraints)
    for family in constraints.families:
        stated = (s for s in family.sums if isinstance(s, Sum)) if family.said.is_sums_alone else ()
        for said in stated:
            if len(said.cells) <= MOST_CAGED or differ(said.cells, peers):
                continue
            forms = [reduced(said, known, 9).said for known in ((), houses)]
            if not _is_tight(min(_split(forms, constraints, 9), key=_slack, default=())):
                continue
            best = min(_split(forms, constraints, 9, houses), key=_slack)
            coarse = min(_split(forms, constraints, MOST_SEGMENT), key=_slack, default=())
            if not coarse or _slack(best) < _slack(coarse):
                yield best


def _is_tight(bound: Segments) -> bool:
    """Whether it leaves at most one of slack for each cell."""
    return bool(bound) and _slack(bound) <= sum(len(cells) for *_, cells in parts_of([*bound[1:]]))


def _split(
    sums: Sequence[Sum], constraints: Constraints, most: int, houses: Iterable[Cells] = ()
) -> list[Segments]:
    """Each sum in segments of up to so many cells, unless it is too large for that. For each of the
    houses there is also a form that begins with the cells there that have the commonest weight."""
    within = 0, most, MOST_SEGMENTS, TOTALS
    parts = [(said, part) for said in sums for part in ((0, ()), *_parts_in(said, houses))]
    rests = [_without(said, cells) for said, (_, cells) in parts]
    if AVAILABLE:
        forms = _sums.segments(rests, constraints.board.cells, peer_bytes(constraints), within)
    else:
        forms = [segmented(said, peers_of(constraints), within) for said in rests]
    found = []
    for form, (_, (weight, cells)) in zip(forms, parts, strict=True):
        if isinstance(form, tuple):
            total, *others = form
            first = (abs(weight), int(weight < 0), len(cells), *cells) if cells else ()
            found.append((total - 10 * min(weight, 0) * len(cells), *first, *others))
    return found


def _parts_in(said: Sum, houses: Iterable[Cells]) -> Iterator[tuple[int, Cells]]:
    """For each house the commonest weight of the sum's cells there, and the cells that have it, if
    they are too many for a segment."""
    weights = dict(zip(said.cells, said.weights, strict=True))
    for house in houses:
        held = [weights[cell] for cell in house if cell in weights]
        weight = max(held, key=held.count, default=0)
        cells = tuple(cell for cell in house if weights.get(cell) == weight)
        if len(cells) > MOST_SEGMENT:
            yield weight, cells


def _without(said: Sum, cells: Cells) -> Sum:
    """The sum without some of its cells, whatever these hold."""
    left = [
        (cell, weight)
        for cell, weight in zip(said.cells, said.weights, strict=True)
        if cell not in cells
    ]
    kept, weights = zip(*left, strict=True) if left else ((), ())
    return Sum(kept, weights, said.total)


def _slack(bound: Segments) -> int:
    """The lesser of the distances between the total and what the segments may add up to at least
    and at most, with nine digits."""
    total, *members = bound
    parts = [(weight, len(cells)) for weight, _, cells in parts_of(members)]
    least = sum(weight * count * (count + 1) // 2 for weight, count in parts)
    return min(total - least, sum(10 * weight * count for weight, count in parts) - least - total)


def _joined(constraints: Constraints) -> Iterator[Segments]:
    """Sums that together say more than each alone. Those whose cells may repeat are joined with
    others that share no cell, as long as that leaves less slack. Of all joins that left less, those
    with the least slack for a cell are kept."""
    loose = [
        (cells_at(said.cells, family.at), said.total)
        for family in constraints.families
        for said in family.said.loose
    ]
    if not loose:  # as in a killer
        return
    peers = peers_of(constraints)
    stated = {(mask_of(cells), total) for cells, total in loose if not differ(cells, peers)}
    left, better = bounds_of(sorted(stated)[:MOST_JOINED], constraints), {}
    new = [*combinations(left, 2)]
    while new:
        apart = [(one, other) for one, other in new if not one.mask & other.mask]
        sums = [(one.mask | other.mask, one.total + other.total) for one, other in apart]
        for (one, other), both in zip(apart, bounds_of(sums, constraints), strict=True):
            if (gain := one.slack + other.slack - both.slack) > 0:
                better[one, other] = gain, both
        fit = [(gain, pair) for pair, (gain, _) in better.items() if {*pair} <= {*left}]
        if not fit:
            break
        pair = max(fit)[1]
        joined = better[pair][1]
        left = [each for each in left if each not in pair]
        new = [(each, joined) for each in left]
        left.append(joined)
    found = {both: both.slack / both.mask.bit_count() for _, both in better.values()}
    for _, each in sorted((slack, both) for both, slack in found.items())[:MOST_BOUNDS]:
        yield each.total, *chain.from_iterable((1, 0, len(some), *some) for some in each.sets)


Layers = tuple[tuple[Edge, ...], ...]
Place = Sequence[int]  # of each cell-major candidate its digit-major index


class Tables(NamedTuple):
    """The last fields of a `Plan`, which says what they mean."""

    relations: Ragged
    tables: Ragged
    clauses: Ragged
    cages: Ragged
    rests: Ragged
    sets: Ragged
    sums: Ragged
    bounds: Ragged
    automata: Ragged
    machines: Ragged
    ways: Ragged
    ranks: Ragged


def tables_of(rules: Constraints, place: Place, deep: bool) -> Tables:
    """The tables of all clues; if `deep`, of sums that follow as well, and what cages lock."""
    clues, sums, wider = _sorted(rules, deep)
    layers: dict[Layers, int] = {}
    automata: dict[tuple[int, ...], None] = {}
    clauses: dict[OneOf, None] = {}
    ranks: dict[tuple[int, ...], None] = {}
    for shape, at in wider:
        if isinstance(shape, Ranked):
            said = shape.digit - 1, shape.less, shape.may_tie, shape.length
            ranks[*said, *cells_at(shape.cells, at)] = None
        elif isinstance(shape, OneOf):
            clauses[placed(shape, at)] = None
        elif isinstance(shape, Automaton) and shape.cells:  # one of no cells says nothing
            cells = cells_at(shape.cells, at)
            automata[layers.setdefault(shape.layers, len(layers)), *cells] = None
    machines, ways = _machines(layers, rules.board)
    given = chain.from_iterable(_clause(shape, rules.board.choices, place) for shape in clauses)
    listed = (listed_in_c if AVAILABLE else listed_in_python)(clues, sums, rules, deep)
    before, behind = listed[:2], listed[2:]
    bounds = bounded(rules) if deep and rules.has_sums else []
    return Tables._make(
        (
            *before,
            Ragged.of(given),
            *behind,
            *map(Ragged.of, (bounds, automata, machines)),
            ways,
            Ragged.of(ranks),
        )
    )


Placed = tuple[Said, Cells]  # what a clue says, and its cells


def _sorted(
    rules: Constraints, deep: bool
) -> tuple[list[Placed], list[Segments], list[tuple[Shape, Cells]]]:
    """What the clues say, sums by segments, and shapes that say more than sets of digits can.

    deep: where they say it all and are small enough, there are sets of digits in place of automata,
    and with nine digits sums. Both strike more than unit propagation of the formula does."""
    clues, is_nine = [*_narrow(rules.board)], deep and rules.board.choices == 9
    sums: list[Segments] = []
    wider: list[tuple[Shape, Cells]] = []
    alone = [f for f in rules.families if is_nine and f.said.is_sums_alone]
    found = dict(zip(alone, of_families(alone, rules), strict=True)) if alone else {}
    for family in rules.families:
        said, at = family.said, family.at
        if said is NOTHING:
            continue
        cells = every_cell(at)
        clues.append((said, cells))
        if is_nine and said.sets_beside:
            clues += (
                (_caged(len(more.cells), more.sets), cells_at(more.cells, at))
                for more in said.sets_beside
            )
        if not said.wider:
            continue
        if some := found.get(family):
            cages = [each for each in some if isinstance(each, DigitSets)]
            clues += ((_caged(len(cage.cells), cage.sets), cage.cells) for cage in cages)
            sums += (each for each in some if not isinstance(each, DigitSets))
        else:
            for shape in said.wider:
                if deep and (told := _told(shape, cells, rules)):
                    clues.append((_caged(len(told.cells), told.sets), told.cells))
                else:
                    wider.append((shape, cells))
    return clues, sums, wider


def _told(shape: Shape, at: Cells, rules: Constraints) -> DigitSets | None:
    """The cage that says all that an automaton does; none for counts of a digit, whose automata are
    smaller than their sets."""
    if not isinstance(shape, Automaton) or isinstance(shape, Tally):
        return None
    return cage_of(shape, cells_at(shape.cells, at), rules)


def _narrow(board: Board) -> Iterator[Placed]:
    """The cells that have fewer digits than others."""
    domains = board.domains(tuple(range(board.cells))) if board.layers else ()
    for cell, digits in enumerate(domains):
        if len(digits) < board.choices:
            yield _among(len(digits), board.choices), (cell,)


@lru_cache(maxsize=64)
def _among(digits: int, choices: int) -> Said:
    """What a cell says that holds one of the first digits."""
    first = tuple((x,) * (x < digits) for x in range(choices))
    masks = tuple(map(mask_of, first)) * 2
    return Said((Related(0, 0, Table((), first, first, masks, False, False)),))


@lru_cache(maxsize=1024)
def _caged(cells: int, sets: tuple[frozenset[int], ...]) -> Said:
    """What a cage says of so many cells that other clues keep different."""
    return Said(shapes=(DigitSets(tuple(range(cells)), sets),))


Listed = tuple[Ragged, ...]  # relations, tables, cages, rests, sets, sums


def listed_in_c(
    clues: Sequence[Placed], sums: Sequence[Segments], rules: Constraints, deep: bool
) -> Listed:
    """What clues say of two cells, by sets of digits and by sums. If `deep`, also what cages lock,
    and with nine digits what follows from all sums."""
    board, choices = rules.board, rules.board.choices
    houses = houses_of(rules) if deep and choices == 9 and rules.has_sums else ()
    found = _sums.tables(
        [(numbered(said), cells) for said, cells in clues],
        [*sums],
        board.cells,
        bytes_by_rules(rules.frame),
        areas_in_c(board, houses) if houses else None,
        choices,
        LIMITS,
        (MOST_SUMMED, FEW_SUMS, MOST_OF_FEW),
        deep,
    )
    return tuple([Ragged.of_bytes(*each) for each in found])


def listed_in_python(
    clues: Sequence[Placed], sums: Sequence[Segments], rules: Constraints, deep: bool
) -> Listed:
    """The same in Python."""
    sets: dict[tuple[frozenset[int], ...], int] = {}
    cages: dict[tuple[int, ...], None] = {}
    every: dict[Segments, None] = dict.fromkeys(sums)
    follow = implied(rules) if deep and rules.board.choices == 9 else ()
    for said, at in clues:
        for cage in said.cages:
            cages[sets.setdefault(cage.sets, len(sets)), *cells_at(cage.cells, at)] = None
    for each in follow:
        if isinstance(each, DigitSets):
            cages[sets.setdefault(each.sets, len(sets)), *each.cells] = None
        else:
            every[each] = None
    peers = peers_of(rules) if deep else ()
    rests = (beside(cage, peers) for cage in cages if deep)
    masks = map(_digits, sets)
    return tuple(map(Ragged.of, (*_relations(clues, rules), cages, rests, masks, every)))


def beside(cage: tuple[int, ...], peers: Sequence[int]) -> Cells:
    """The cells that differ from all of a cage, which stand behind its number."""
    return tuple(bits(reduce(and_, (peers[cell] for cell in cage[1:]))))


def _relations(
    clues: Sequence[Placed], rules: Constraints
) -> tuple[Lists, Iterable[tuple[int, ...]]]:
    """What clues say of each two cells, but for what the rules say anyway; and the tables of it."""
    peers = peers_by_rules(rules.frame)
    numbers: dict[tuple[int, ...], int] = {}
    relations: Lists = []
    for said, at in clues:
        sets = [cells_at(places, at) for places in said.distinct]
        if said.is_distinct and not apart_of(sets, peers)[1]:
            continue
        for a, b, table in said.relations:
            if not (table.only_differ and peers[at[a]] >> at[b] & 1):
                number = numbers.setdefault(_masks(table, a == b), len(numbers))
                relations.append([number, at[a], at[b]])
    return relations, numbers


@lru_cache(maxsize=4096)
def numbered(said: Said) -> bytes:
    """What is said as numbers, which the C code reads from left to right: the sets of places that
    differ; whether its relations say no more; relations, each as where its table stands, whether
    that only says that digits differ, and two places; cages, each as sets and places; plain sums,
    each as total and places; tables. Of all that has several parts their number comes first."""
    offsets: dict[tuple[int, ...], int] = {}
    tables: list[int] = []
    related: list[tuple[int, ...]] = []
    known: dict[tuple[int, bool], int] = {}  # by tables, most of which are one object
    for a, b, table in said.relations:
        key = id(table), a == b
        if key not in known:
            masks = _masks(table, a == b)
            if masks not in offsets:
                offsets[masks] = len(tables)
                tables += _counted(masks)
            known[key] = offsets[masks]
        related.append((known[key], table.only_differ, a, b))
    first = [len(said.distinct), *chain.from_iterable(map(_counted, said.distinct))]
    first += (said.is_distinct, len(related))
    rest = [len(said.cages)]
    for cage in said.cages:
        rest += (*_counted(_digits(cage.sets)), *_counted(cage.cells))
    rest.append(len(said.plain))
    for total in said.plain:
        rest += (total.total, *_counted(total.cells))
    start = len(first) + 4 * len(related) + len(rest)
    pairs = chain.from_iterable((start + offset, *more) for offset, *more in related)
    return array("i", [*first, *pairs, *rest, *tables]).tobytes()


def _counted(numbers: Sequence[int]) -> list[int]:
    return [len(numbers), *numbers]


@lru_cache(maxsize=1024)
def _digits(sets: tuple[frozenset[int], ...]) -> list[int]:
    """The sets as masks, bit 0 for digit 1."""
    return [mask_of(some) >> 1 for some in sets]


def _masks(table: Table, is_twice: bool) -> tuple[int, ...]:
    """The masks of the table; of one cell twice, those of a digit with itself."""
    if not is_twice:
        return table.masks
    return tuple(mask & 1 << x for x, mask in enumerate(table.masks[: len(table.first)])) * 2


def _clause(shape: OneOf, size: int, place: Place) -> Lists:
    """The given candidate, if any, and those of which one holds."""
    given = [] if shape.given is None else [shape.given]
    return [
        [place[size * cell + digit - 1] for cell, digit in some]
        for some in (given, shape.candidates)
    ]


def _machines(layers: Iterable[Layers], board: Board) -> tuple[Lists, Ragged]:
    """For each automaton the number of its first ways, and its states; and all ways."""
    machines: Lists = []
    parts: list[Ragged] = []
    first = 0
    for each in layers:
        limits.check()
        states, ways = _ways(each, board.cells, board.choices)
        machines.append([first, *states])
        parts.append(ways)
        first += len(ways)
    return machines, joined(parts)


@lru_cache(maxsize=1024)
def _ways(layers: Layers, cells: int, digits: int) -> tuple[list[int], Ragged]:
    """How many states there are behind each cell, and the ways between them in the order of the
    kernel's two passes: there by state behind the cell, and back by digit and state before it."""
    if AUTOMATA:
        states, starts, members = _automata.ways(layers, cells, digits)
        return [*states], Ragged.of_bytes(starts, members)
    return ways_of(layers, cells, digits)


def ways_of(layers: Layers, cells: int, digits: int) -> tuple[list[int], Ragged]:
    """The same in Python."""
    if not all(layers):  # nothing is accepted
        layers = ((),) * len(layers)
    states = [1 + max((after for _, _, after in edges), default=-1) for edges in layers]
    states[-1] = 1
    ways: Lists = []
    for count, edges in zip(states, layers, strict=True):
        limits.check()
        ways += _by(count, edges, lambda s, d, t: (t, s, (d - 1) * cells))
    for position in reversed(range(len(layers))):
        limits.check()
        edges = layers[position]
        ways += _by(digits, edges, lambda s, d, t: (d - 1, s, t))
        if position:
            ways += _by(states[position - 1], edges, lambda s, d, t: (s, (d - 1) * cells, t))
    return states, Ragged.of(ways)


def _by(
    count: int, edges: Iterable[Edge], split: Callable[[int, int, int], tuple[int, int, int]]
) -> Lists:
    """A list for each of so many keys: the pairs that `split` gives with this key."""
    lists: Lists = [[] for _ in range(count)]
    for edge in edges:
        key, one, other = split(*edge)
        lists[key] += (one, other)
    return lists
