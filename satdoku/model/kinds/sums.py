"""Kinds that speak of sums and products.

Invariant: an automaton reads digits and keeps what is left to reach; it gives up as soon as that is
out of reach.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import accumulate, combinations, groupby, pairwise

from ..board import Board, Cells
from ..clue import Clue, ClueError, OutOfReachError
from ..shapes import Automaton, DigitSets, Edge, Shape, Sum, automaton
from .kind import ANY, CAGED, DRAWN, PATH, SET, Kind, Number, Relation, Weights, needs_boxes
from .relations import ne, sums_to


def weighted(cells: Cells, weights: tuple[int, ...], total: int, size: int) -> Automaton:
    """The digits times their weights add up to the total."""
    return Automaton(cells, _layers(weights, total, size))


@lru_cache(maxsize=256)
def _layers(weights: tuple[int, ...], total: int, size: int) -> tuple[tuple[Edge, ...], ...]:
    behind = weights[::-1]  # what the cells behind each one add, at least and at most
    least = [*accumulate((min(w, w * size) for w in behind), initial=0)][-2::-1]
    most = [*accumulate((max(w, w * size) for w in behind), initial=0)][-2::-1]

    def step(position: int, left: int, digit: int) -> int | None:
        after = left - weights[position] * digit
        return after if least[position] <= after <= most[position] else None

    places = tuple(range(len(weights)))
    return automaton(places, size, total, step, lambda left: left == 0).layers


Sums = Callable[[Board, Clue], Iterator[Sum]]


def _automata(sums: Sums) -> Callable[[Board, Clue], Iterator[Shape]]:
    """What sums say, as an automaton for each."""
    return lambda board, clue: (weighted(*said, board.size) for said in sums(board, clue))


def _total(board: Board, clue: Clue) -> Iterator[Sum]:
    if clue.value:
        yield Sum(clue.cells, (1,) * len(clue.cells), int(clue.value))


def _total_of_many(board: Board, clue: Clue) -> Iterator[Shape]:
    if len(clue.cells) > 2:
        yield from _automata(_total)(board, clue)


def _total_of_two(board: Board, clue: Clue) -> Iterator[Relation]:
    if len(clue.cells) < 3:
        alone = len(clue.cells) == 1
        total = int(clue.value) * (1 + alone)  # of a single cell the digit and the same once more
        yield Relation(clue.cells[0], clue.cells[-1], sums_to(total))


def _in_reach(board: Board, clue: Clue) -> None:
    count = len(clue.cells)
    if clue.value and not count <= int(clue.value) <= count * board.size:
        raise OutOfReachError(
            f"{count} cells add up to {count}-{count * board.size}, not {clue.value}"
        )


def _weighted(board: Board, clue: Clue) -> Iterator[Sum]:
    weights, _, total = clue.value.partition("=")
    yield Sum(clue.cells, tuple(map(int, weights.split(","))), int(total))


def _weights_fit(board: Board, clue: Clue) -> None:
    ((cells, weights, total),) = _weighted(board, clue)
    if len(weights) != len(cells):
        raise ClueError(f"{len(weights)} weights for {len(cells)} cells: expected one for each")
    low, high = (sum(pick(w, w * board.size) for w in weights) for pick in (min, max))
    if not low <= total <= high:
        raise OutOfReachError(f"its cells add up to {low} to {high}, not {total}")


@lru_cache(maxsize=4096)
def sets_of(count: int, total: int, size: int) -> tuple[frozenset[int], ...]:
    """The sets of so many digits that add up to the total."""
    digits = combinations(range(1, size + 1), count)
    return tuple(frozenset(some) for some in digits if sum(some) == total)


def _cage_sets(board: Board, clue: Clue) -> Iterator[Shape]:
    if clue.value and len(clue.cells) > 1:
        yield DigitSets(clue.cells, sets_of(len(clue.cells), int(clue.value), board.size))


def _cage_pairs(board: Board, clue: Clue) -> Iterator[Relation]:
    if len(clue.cells) == 1 and clue.value:
        yield from _total_of_two(board, clue)
    yield from (Relation(a, b, ne) for a, b in combinations(clue.cells, 2))


def _cage_fits(board: Board, clue: Clue) -> None:
    count, size = len(clue.cells), board.size
    if count > size:
        raise OutOfReachError(f"{count} cells: there are only {size} digits")
    low, high = count * (count + 1) // 2, count * (2 * size - count + 1) // 2
    if clue.value and not low <= int(clue.value) <= high:
        raise OutOfReachError(f"{count} different digits add up to {low}-{high}, not {clue.value}")


def _arrow(board: Board, clue: Clue) -> Iterator[Sum]:
    """The circle's number, read as one, is the sum of every shaft."""
    circle, *shafts = clue.groups
    places = tuple(-(10**place) for place in reversed(range(len(circle))))
    for shaft in shafts:
        yield Sum(circle + shaft, places + (1,) * len(shaft), 0)


def _arrow_fits(board: Board, clue: Clue) -> None:
    if len(clue.groups[0]) > 3:
        raise ClueError(f"{len(clue.groups[0])} cells in the circle: expected 1 to 3")


def _ends_and_middle(board: Board, clue: Clue) -> Iterator[Sum]:
    ends, middle = (clue.cells[0], clue.cells[-1]), clue.cells[1:-1]
    yield Sum(ends + middle, (1, 1) + (-1,) * len(middle), 0)


def _same_totals(groups: Iterable[Cells]) -> Iterator[Sum]:
    for one, other in pairwise(groups):
        yield Sum(one + other, (1,) * len(one) + (-1,) * len(other), 0)


def _equal_sums(board: Board, clue: Clue) -> Iterator[Sum]:
    return _same_totals(clue.groups)


def _region_sums(board: Board, clue: Clue) -> Iterator[Sum]:
    return _same_totals(tuple(cells) for _, cells in groupby(clue.cells, key=board.box_of))


def _two_regions(board: Board, clue: Clue) -> None:
    needs_boxes(board, clue)
    if len(set(map(board.box_of, clue.cells))) < 2:
        raise ClueError("the line stays in one box: it crosses into others")


def _ten(board: Board, clue: Clue) -> Iterator[Shape]:
    total = int(clue.value)

    def step(position: int, so_far: int, digit: int) -> int | None:
        after = so_far + digit
        return None if after > total else after % total

    yield automaton(clue.cells, board.size, 0, step, lambda so_far: so_far == 0)


def _zipper(board: Board, clue: Clue) -> Iterator[Sum]:
    cells = clue.cells
    half = len(cells) // 2
    pairs = [(cells[i], cells[-1 - i]) for i in range(half)]
    middle = [(cells[half],)] if len(cells) % 2 else []
    return _same_totals([*pairs, *middle])


def _product(board: Board, clue: Clue) -> Iterator[Shape]:
    def step(position: int, left: int, digit: int) -> int | None:
        return left // digit if left % digit == 0 else None

    yield automaton(clue.cells, board.size, int(clue.value), step, lambda left: left == 1)


def _greater(board: Board, clue: Clue) -> Iterator[Shape]:
    for one, other in pairwise(clue.groups):
        signs = (1,) * len(one) + (-1,) * len(other)

        def step(place: int, lead: int, digit: int, signs: tuple[int, ...] = signs) -> int:
            return lead + signs[place] * digit

        yield automaton(one + other, board.size, 0, step, lambda lead: lead > 0)


_REACH = Number(1, lambda size: size * ANY)
SUM = Kind(
    "sum",
    "the digits add up to {value}; they may repeat where no other rule forbids it",
    "sum=20:r1c1,r2c2,r3c3,r4c4",
    _total_of_two,
    shapes=_total_of_many,
    sums=_total,
    cells=(1, ANY),
    order=SET,
    value=_REACH,
    check=_in_reach,
)
KINDS = (
    SUM,
    Kind(
        "weighted",
        "the digits, each times its weight, add up as {value} says",
        "weighted=2,1,-1=5:r1c1,r1c2,r2c3",
        shapes=_automata(_weighted),
        sums=_weighted,
        order=PATH,
        value=Weights(),
        check=_weights_fit,
    ),
    Kind(
        "little-killer",
        "the digits along the arrow add up to {value}; they may repeat",
        "little-killer=20:r1c2-r3c4",
        _total_of_two,
        shapes=_total_of_many,
        sums=_total,
        cells=(1, ANY),
        order=PATH,
        value=_REACH,
        check=_in_reach,
        near=DRAWN,
    ),
    Kind(
        "cage",
        "the digits are different, and add up to {value} if the cage says so",
        "cage=15:r1c1,r1c2",
        _cage_pairs,
        shapes=_cage_sets,
        sums=_total,
        cells=(1, ANY),
        order=SET,
        value=Number(1, lambda size: size * ANY, is_optional=True),
        check=_cage_fits,
        near=CAGED,
    ),
    Kind(
        "product",
        "the digits multiply to {value}; they may repeat where no other rule forbids it",
        "product=24:r1c1,r1c2,r2c1",
        shapes=_product,
        cells=(1, ANY),
        order=SET,
        value=Number(1, lambda size: size**9),
        near=CAGED,
    ),
    Kind(
        "arrow",
        "the digits along each shaft add up to the number in the circle, which comes first",
        "arrow:r1c1>r1c2,r2c3,r3c4",
        shapes=_automata(_arrow),
        sums=_arrow,
        groups=(2, ANY),
        order=PATH,
        check=_arrow_fits,
        near=DRAWN,
    ),
    Kind(
        "double-arrow",
        "the digits between the ends of the line add up to the sum of both ends",
        "double-arrow:r1c1-r1c5",
        shapes=_automata(_ends_and_middle),
        sums=_ends_and_middle,
        cells=(3, ANY),
        near=DRAWN,
    ),
    Kind(
        "region-sum",
        "the digits of the line have the same sum in each box that it runs through, each time anew",
        "region-sum:r1c2-r1c5",
        shapes=_automata(_region_sums),
        sums=_region_sums,
        cells=(2, ANY),
        by_place=True,
        check=_two_regions,
        near=DRAWN,
    ),
    Kind(
        "equal-sum",
        "each group of cells has the same sum",
        "equal-sum:r1c1,r1c2>r5c5,r5c6,r5c7",
        shapes=_automata(_equal_sums),
        sums=_equal_sums,
        groups=(2, ANY),
        order=SET,
    ),
    Kind(
        "greater-sum",
        "each group of cells has a greater sum than the next",
        "greater-sum:r1c1,r1c2>r5c5,r5c6",
        shapes=_greater,
        groups=(2, ANY),
        order=SET,
    ),
    Kind(
        "ten-line",
        "the line falls into successive parts, each of which adds up to {value}",
        "ten-line=10:r1c1-r1c5",
        shapes=_ten,
        cells=(1, ANY),
        value=Number(2, lambda size: size * size, lambda size: size + 1),
        near=DRAWN,
    ),
    Kind(
        "zipper",
        "cells as far from the middle of the line add up to the same; a middle cell holds that sum",
        "zipper:r1c1-r1c5",
        shapes=_automata(_zipper),
        sums=_zipper,
        cells=(3, ANY),
        near=DRAWN,
    ),
)
