"""Automata of weighted sums, and automata made of automata: one of them accepts, or all do.

Invariant: what is read here are positions of digits, from 1. An automaton that is made here is the
smallest one of its meaning. Those that are joined read their cells in one order, which `ranked`
gives them, however they were put together. Those of sums keep what is left to reach, and give up as
soon as that is out of reach.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from itertools import combinations, pairwise
from math import comb
from typing import Any, NamedTuple, cast

from ..runtime import limits
from .board import Cells
from .clue import ClueError
from .shapes import (
    AVAILABLE,
    MOST,
    Alike,
    Automaton,
    Connected,
    DigitSets,
    Edge,
    OneOf,
    Ranked,
    Regions,
    Shape,
    Sum,
    Varied,
    automaton,
    built,
    moves_of,
    work,
)

if AVAILABLE:
    from . import _automata

MOVES_AT_ONCE = 1 << 13  # of more than two automata
MOST_MOVES = 1 << 17  # of two automata that are joined
MOST_EDGES = 1 << 18  # of all that are made on the way to one
MOST_IN_C = 1 << 24  # sums before all cells together
MOST_KEPT = 2  # cells whose digits are kept in mind
Ranks = Mapping[int, int]  # of each cell, where it stands in the order
Pairs = frozenset[tuple[int, int]]  # states before and after cells that were read
Join = Callable[..., Automaton]
Layers = tuple[tuple[Edge, ...], ...]
_States = tuple[int | None, ...]


class _Run(NamedTuple):
    """Successive cells of an automaton, from `first` to before `last`, that were read: from which
    state before them one comes to which behind them."""

    first: int
    last: int
    ways: Pairs


def positions(cells: Cells, size: int) -> list[range]:
    """The positions of so many digits, which the automata here read, for each of the cells."""
    return [range(1, size + 1)] * len(cells)


def as_automaton(shape: Shape, size: int) -> Automaton:
    """Any shape as an automaton; raises `ClueError` for ranks and connected cells, which
    have none of a usable size."""
    if isinstance(shape, Ranked):
        raise ClueError("ranks are compared by solvers only, and stand alone")
    if isinstance(shape, Connected | Regions | Alike):
        raise ClueError("connected cells and regions to find are no part of other clues")
    if isinstance(shape, DigitSets):
        return _of_sets(shape, size)
    if isinstance(shape, Varied):
        return _of_varied(shape)
    return _of_one(shape, size) if isinstance(shape, OneOf) else shape


def _of_sets(shape: DigitSets, size: int) -> Automaton:
    """The digits so far, as bits."""
    wanted = {sum(1 << digit for digit in digits) for digits in shape.sets}
    may_repeat = shape.follows

    def step(position: int, used: int, digit: int) -> int | None:
        return None if used >> digit & 1 and not may_repeat else used | 1 << digit

    return automaton(shape.cells, positions(shape.cells, size), 0, step, wanted.__contains__)


MOST_SETS = 500  # to look at


@lru_cache(maxsize=1024)
def sets_told(layers: Layers, size: int) -> tuple[frozenset[int], ...] | None:
    """The sets of digits that an automaton tells of cells that differ: those that it reads in every
    order. None if it heeds the order of two digits, tells nothing, or if the sets are many."""
    if len(layers) < 3 or comb(size, len(layers)) > MOST_SETS or not all(layers):
        return None
    moves: list[dict[int, dict[int, int]]] = []
    for edges in layers:
        moves.append({})
        for state, digit, after in edges:
            moves[-1].setdefault(state, {})[digit] = after
    for first, second in pairwise(moves):
        for led in first.values():
            for a, b in combinations(range(1, size + 1), 2):
                if second.get(led.get(a, -1), {}).get(b) != second.get(led.get(b, -1), {}).get(a):
                    return None
    every = [*combinations(range(1, size + 1), len(layers))]
    found = tuple(frozenset(some) for some in every if _reads(moves, some))
    return found if 0 < len(found) < len(every) else None


def _reads(moves: Sequence[dict[int, dict[int, int]]], digits: Iterable[int]) -> bool:
    state: int | None = 0
    for each, digit in zip(moves, digits, strict=True):
        state = None if state is None else each.get(state, {}).get(digit)
    return state is not None


def _of_varied(shape: Varied) -> Automaton:
    """The digits that were seen, as bits."""

    def step(position: int, seen: int, digit: int) -> int | None:
        if position < len(shape.cells) - 1:
            return seen | 1 << digit
        return 0 if shape.tells[digit - 1] == seen.bit_count() else None

    each = [range(1, shape.choices + 1)] * (len(shape.cells) - 1)
    domains = [*each, range(1, len(shape.tells) + 1)]
    return automaton(shape.cells, domains, 0, step, lambda seen: True)


def _of_one(shape: OneOf, size: int) -> Automaton:
    """Whether the given candidate, and one of the others, was read."""
    candidates = {*shape.candidates}
    cells = tuple(dict.fromkeys(c for c, _ in (*candidates, *filter(None, [shape.given]))))

    def step(position: int, seen: tuple[bool, bool], digit: int) -> tuple[bool, bool]:
        here = (cells[position], digit)
        return seen[0] or here == shape.given, seen[1] or here in candidates

    start = (shape.given is None, False)
    return automaton(
        cells, positions(cells, size), start, step, lambda seen: seen[1] or not seen[0]
    )


def of_alike(shape: Alike) -> Automaton:
    """How many more are to count, what they hold, and whether the run goes on. It may be large."""
    starts = {arm[1] for arm in shape.arms if len(arm) > 1}

    def step(
        position: int, state: tuple[int, int, bool], digit: int
    ) -> tuple[int, int, bool] | None:
        missing, held, goes_on = state
        if position == 0:
            return shape.tells[digit - 1] + shape.less, 0, True
        if position == 1:
            held = digit
        goes_on = digit == held and (goes_on or not shape.is_run or position in starts)
        missing -= goes_on
        return (missing, held, goes_on) if missing >= 0 else None

    domains = [range(1, len(shape.tells) + 1), *positions(shape.cells[1:], shape.choices)]
    return automaton(shape.cells, domains, (0, 0, True), step, lambda state: state[0] == 0)


def of_two(cells: Cells, allowed: Callable[[int, int], bool], size: int) -> Automaton:
    """What two cells may hold, by positions; a cell in relation with itself may hold x if
    allowed(x, x)."""
    alone = cells[0] == cells[1]

    def step(position: int, first: int, digit: int) -> int | None:
        if alone or position:
            return 0 if allowed(digit if alone else first, digit) else None
        return digit

    read = cells[:1] if alone else cells
    return automaton(read, positions(read, size), 0, step, lambda state: True)


def ranked(shape: Shape, ranks: Ranks, size: int) -> Automaton:
    """The automaton of a shape that reads its cells in the order of the ranks."""
    if isinstance(shape, DigitSets):  # the same in any order
        shape = shape._replace(cells=tuple(sorted(shape.cells, key=ranks.__getitem__)))
    read = as_automaton(shape, size)
    cells = tuple(sorted(read.cells, key=ranks.__getitem__))
    return read if cells == read.cells else _reordered(read, cells, size)


def _reordered(read: Automaton, cells: Cells, size: int) -> Automaton:
    """The automaton that reads the cells in another order. Where few come too early, their digits
    are kept in mind, if that is not too much."""
    if cells == read.cells[::-1]:
        return _backwards(read, cells, size)
    order: list[int] = []  # cells, those that come too early also where they are due
    due: list[int | None] = []  # of each of these the layer that reads it
    for cell in cells:
        first = len(order) - due.count(None)
        order.append(cell)
        due.append(first if read.cells[first] == cell else None)
        while (first := len(order) - due.count(None)) < len(cells) and read.cells[first] in order:
            order.append(read.cells[first])
            due.append(first)
    if due.count(None) <= MOST_KEPT:
        with suppress(ClueError):
            layers = [None if at is None else read.layers[at] for at in due]
            places = [tuple(range(1, size + 1))] * len(cells)
            return retraced(tuple(order), layers, places, size, MOST_MOVES)
    return _by_runs(read, cells, size)


def _backwards(read: Automaton, cells: Cells, size: int) -> Automaton:
    """The automaton that reads the cells from the last to the first: a state is a mask of those
    from which the cells that were read lead to the end."""
    before: list[list[dict[int, int]]] = []  # by digit, for each state behind those before
    for edges in read.layers[::-1]:
        before.append([{} for _ in range(size + 1)])
        for state, digit, after in edges:
            ways = before[-1][digit]
            ways[1 << after] = ways.get(1 << after, 0) | 1 << state

    def step(position: int, states: int, digit: int) -> int | None:
        found = 0
        for after, some in before[position][digit].items():
            if states & after:
                found |= some
        return found or None

    return automaton(cells, positions(cells, size), 1, step, lambda states: True, most=MOST_MOVES)


def _by_runs(read: Automaton, cells: Cells, size: int) -> Automaton:
    """The same where many do: a state is what is known of the runs of successive cells that were
    read."""
    place = {cell: at for at, cell in enumerate(read.cells)}

    def step(position: int, runs: frozenset[_Run], digit: int) -> frozenset[_Run] | None:
        at = place[cells[position]]
        ways = frozenset((s, after) for s, d, after in read.layers[at] if d == digit)
        before = next((run for run in runs if run.last == at), _Run(at, at, _same(ways, 0)))
        behind = next((run for run in runs if run.first == at + 1), _Run(0, at + 1, _same(ways, 1)))
        joined = _through(_through(before.ways, ways), behind.ways)
        rest = runs - {before, behind}
        return rest | {_Run(before.first, behind.last, joined)} if joined else None

    start: frozenset[_Run] = frozenset()
    return automaton(cells, positions(cells, size), start, step, lambda runs: True, most=MOST_MOVES)


def _same(ways: Pairs, end: int) -> Pairs:
    """Each state of that end to itself."""
    return frozenset((way[end], way[end]) for way in ways)


def _through(one: Pairs, other: Pairs) -> Pairs:
    onward: dict[int, list[int]] = {}
    for state, after in other:
        onward.setdefault(state, []).append(after)
    found = frozenset((s, after) for s, between in one for after in onward.get(between, ()))
    work(len(one) + len(other) + len(found))
    return found


def _at_once(
    keep: Callable[[Iterable[bool]], bool],
    read: Sequence[Automaton],
    ranks: Ranks,
    size: int,
    most: int,
) -> Automaton:
    """All are read at once, as far as what is kept of `all` or `any` can still be accepted."""
    cells = tuple(sorted({cell for one in read for cell in one.cells}, key=ranks.__getitem__))
    place = {cell: at for at, cell in enumerate(cells)}
    parts = [(one.layers, tuple([place[cell] for cell in one.cells])) for one in read]
    make = _automata.joined if AVAILABLE else joined_in_python
    layers = make(keep is all, parts, len(cells), size, moves_of(len(cells), most))
    return Automaton(cells, layers)


def joined_in_python(
    need_all: bool,
    parts: Sequence[tuple[Layers, Cells]],
    cells: int,
    size: int,
    check: Callable[[int], None],
) -> Layers:
    """The layers of automata that are read at once, each with the places of its cells among so
    many; None stands for a state from which nothing is accepted."""
    moves = [
        {at: _leads(edges) for at, edges in zip(places, layers, strict=True)}
        for layers, places in parts
    ]
    keep = all if need_all else any

    def step(position: int, states: _States, digit: int) -> _States | None:
        after = tuple(
            known[position].get((state, digit)) if position in known else state
            for known, state in zip(moves, states, strict=True)
        )
        return after if keep(state is not None for state in after) else None

    start: _States = (0,) * len(parts)
    digits = [range(1, size + 1)] * cells
    return built(digits, start, step, lambda states: True, check, False)


def joined(join: Join, read: Sequence[Automaton], ranks: Ranks, size: int) -> Automaton:
    """All of them as one; raises `ClueError` if they are too large together.

    Most are soon read at once. Others are joined one by one, as those joined so far may be small.
    """
    if len(read) > 2:
        with suppress(ClueError):
            return join(read, ranks, size, MOVES_AT_ONCE)
    whole, edges = read[0], 0
    for other in read[1:]:
        whole = join((whole, other), ranks, size, MOST_MOVES)
        edges += sum(map(len, whole.layers))
        if edges > MOST_EDGES:
            raise ClueError(f"its {len(whole.cells)} cells are too many for several clues at once")
    return whole


def within(read: Automaton, counts: Sequence[int]) -> Automaton:
    """The automaton without what its cells never hold; counts: how many digits each has."""
    places = [tuple(range(1, count + 1)) for count in counts]
    return retraced(read.cells, [*read.layers], places, max(counts, default=1), MOST)


def retraced(
    cells: Cells,
    layers: list[tuple[Edge, ...] | None],
    domains: list[tuple[int, ...]],
    size: int,
    most: int,
) -> Automaton:
    """The automaton that takes the edges of a layer at each of the cells, or stays where it is; a
    cell may come again. domains: of each cell where it comes first, its positions up to `size`."""
    if AVAILABLE:
        own = tuple(dict.fromkeys(cells))
        symbols = [tuple([place - 1 for place in places]) for places in domains]
        read = tuple([own.index(cell) for cell in cells])
        check = moves_of(len(own), most)
        return Automaton(own, _automata.walked(layers, read, symbols, size, check))
    moves = [None if layer is None else _leads(layer) for layer in layers]

    def step(position: int, state: int, digit: int) -> int | None:
        known = moves[position]
        return state if known is None else known.get((state, digit))

    first = dict(zip(dict.fromkeys(cells), domains, strict=True))
    each = [first[cell] for cell in cells]
    return automaton(cells, each, 0, step, lambda state: True, most=most)


def _leads(edges: Iterable[Edge]) -> dict[tuple[int | None, int], int]:
    """The state behind a cell, by the state before and the digit."""
    return {(state, digit): after for state, digit, after in edges}


def of_sum(said: Sum, domains: Sequence[tuple[int, ...]]) -> Automaton:
    """The digits times their weights add up to the total; domains: the digits of each cell."""
    cells, weights, total = said
    if {*domains} == {*domains[:1]} and (moved := by_positions(said, domains)):
        return weighted(*moved, len(domains[0]))

    def step(position: int, so_far: int, digit: int) -> int:
        return so_far + weights[position] * digit

    return automaton(cells, domains, 0, step, total.__eq__)


def by_positions(said: Sum, domains: Sequence[tuple[int, ...]]) -> Sum | None:
    """The same sum of the positions of the digits in place of the digits themselves, if these
    follow each other; domains: those of each cell."""
    if any(digits[-1] - digits[0] != len(digits) - 1 for digits in domains):
        return None
    pairs = zip(said.weights, domains, strict=True)
    return said._replace(total=said.total - sum(w * (digits[0] - 1) for w, digits in pairs))


def weighted(cells: Cells, weights: tuple[int, ...], total: int, size: int) -> Automaton:
    """The positions of the digits, times their weights, add up to the total."""
    edges = edges_of(weights, total, size)
    if edges > MOST:
        found = f"at least {edges:,} moves, expected at most {MOST:,}"
        raise ClueError(f"its {len(cells)} cells are too many: {found}")
    work(edges)
    return _OfSum(cells, (weights, total, size))


class _OfSum(Automaton):
    """The automaton of a sum, told by weights, total and size. Its edges are listed when somebody
    asks for them, as an engine that knows sums does not."""

    __slots__ = ()

    def __new__(cls, cells: Cells, said: Any) -> _OfSum:
        return super().__new__(cls, cells, said)

    @property
    def layers(self) -> Layers:
        return _layers(*self._said)

    @property
    def moves(self) -> int:
        return edges_of(*self._said)

    @property
    def _said(self) -> tuple[tuple[int, ...], int, int]:
        said: tuple[tuple[int, ...], int, int] = cast("Any", self[1])
        return said


@lru_cache(maxsize=1024)
def edges_of(weights: tuple[int, ...], total: int, size: int) -> int:
    """How many edges its automaton has, counted without making it; not all beyond `MOST`."""
    edges, sums, digits = 0, _sums(weights, total, size), range(1, size + 1)
    for weight, now, after in zip(weights, sums, sums[1:], strict=False):
        if weight < 0:  # as many lead back
            now, after, weight = after, now, -weight
        edges += sum([(now << weight * digit & after).bit_count() for digit in digits])
        if edges > MOST:
            break
    return edges


def _sums(weights: tuple[int, ...], total: int, size: int) -> list[int]:
    """Which sums the first 0, 1, 2, ... cells may have such that the others bring them to the
    total, as bits; bit `_lowest` stands for the sum 0."""
    zero = _lowest(weights, size)
    reached = [1 << zero]
    for weight in weights:
        reached.append(_onward(reached[-1], weight, size))
    kept = [reached[-1] & 1 << zero + total if zero + total >= 0 else 0]
    for weight, before in zip(weights[::-1], reached[-2::-1], strict=True):
        kept.append(before & _onward(kept[-1], -weight, size))
    return kept[::-1]


def _lowest(weights: tuple[int, ...], size: int) -> int:
    """How far below 0 a sum of the first cells can be."""
    return -sum(weight * size for weight in weights if weight < 0)


def _onward(sums: int, weight: int, size: int) -> int:
    """The sums after one cell more: of so many digits on, then twice as many, and so on."""
    reached, digits = _moved(sums, weight), 1
    while digits < size:
        more = min(digits, size - digits)
        reached |= _moved(reached, weight * more)
        digits += more
    return reached


def _moved(sums: int, by: int) -> int:
    return sums << by if by >= 0 else sums >> -by


@lru_cache(maxsize=256)
def _layers(weights: tuple[int, ...], total: int, size: int) -> Layers:
    """Its states are the sums so far; no two of them go on alike, so none is to be merged."""
    most = sum(map(abs, weights)) * size + 1
    quick = AVAILABLE and abs(total) < most and most * (len(weights) + 1) <= MOST_IN_C
    return (_automata.summed if quick else summed)(weights, total, size)


def summed(weights: tuple[int, ...], total: int, size: int) -> Layers:
    """The same in Python."""
    zero, layers = _lowest(weights, size), []
    number = {zero: 0}
    for weight, after in zip(weights, _sums(weights, total, size)[1:], strict=True):
        known, edges = number, []
        number = {}
        for so_far, state in known.items():
            for digit in range(1, size + 1):
                reached = so_far + weight * digit
                if reached >= 0 and after >> reached & 1:
                    edges.append((state, digit, number.setdefault(reached, len(number))))
        layers.append(tuple(edges))
        limits.check()
    return tuple(layers)


both: Join = partial(_at_once, all)  # accepts what all automata accept
either: Join = partial(_at_once, any)  # accepts what one of the automata accepts, or more
