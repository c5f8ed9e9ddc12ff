"""Cells that differ, the houses that they make, and segments of them.
Sums that follow: true of a grid, and those that a walk through every area finds.
"""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations, starmap

import pytest
from examples import CLASSIC_SOLUTION, FOUR

from satdoku.model.board import Board, mask_of
from satdoku.model.constraints import constraints_for
from satdoku.model.implied import (
    AVAILABLE,
    Taken,
    _by_rules,
    by_rules_in_python,
    differ,
    few_left,
    houses_of,
    left_by_areas,
    left_by_houses,
    peers_of,
    reduced,
    segments,
)
from satdoku.model.shapes import Sum

PEERS = peers_of(constraints_for("classic", FOUR))


def test_cells_differ_by_a_house_or_a_clue():
    peers = peers_of(constraints_for("cage:r1c1,r5c5"))
    assert differ((0, 1, 9), peers)
    assert differ((0, 40), peers)
    assert not differ((0, 41), peers)


def test_cells_that_differ_under_a_clue():
    """Only cells that may never hold the same digit are peers: of two that add up to 10, both may
    hold 5."""
    constraints = constraints_for("sum=10:r1c1,r5c5;distinct:r1c1-r9c9;difference=1:r1c2,r5c7")
    assert tuple(range(0, 81, 10)) in houses_of(constraints)
    peers = peers_of(constraints)
    assert peers[0] >> 40 & 1 and peers[1] >> 42 & 1
    assert not peers_of(constraints_for("sum=10:r1c1,r5c5"))[0] >> 40 & 1


@pytest.mark.skipif(not AVAILABLE, reason="built without a compiler")
@pytest.mark.parametrize(
    "rules",
    ["classic", "knight,king", "windoku,diagonal", "latin=7", "shape=4x6", "layer=shade:0-1",
     "nonconsecutive;region:falling", "distinct:r1c1-r9c9;disjoint", "grids:r1c1,r7c7"],
)  # fmt: skip
def test_c_finds_the_houses_and_the_pairs_of_rules_that_python_finds(rules):
    frame = constraints_for(rules).frame
    whole, pairs = _by_rules(frame)
    assert (whole, sorted(pairs)) == by_rules_in_python(frame)
    assert whole or rules.startswith("shape")


def test_segments_are_few_cells_that_differ():
    rng = random.Random(2)
    for _ in range(20):
        cells = rng.sample(range(16), rng.randint(1, 16))
        parts = list(segments(cells, PEERS, 4))
        assert Counter(c for part in parts for c in part) == Counter(cells)
        assert all(PEERS[a] >> b & 1 for part in parts for a, b in combinations(part, 2))
    assert list(segments([0, 1, 2, 3, 15], PEERS, 4)) == [(0, 1, 2, 3), (15,)]
    nine = peers_of(constraints_for())
    assert [len(part) for part in segments(range(9), nine, 4)] == [4, 4, 1]


SOLUTION = [int(digit) for digit in CLASSIC_SOLUTION]


def holds(said, digits):
    cells = zip(said.cells, said.weights, strict=True)
    return sum(weight * digits[cell] for cell, weight in cells) == said.total


def cages(rng, share=0.9):
    """Cages true of the solution, as random runs of up to four cells in rows and columns."""
    free, texts = set(range(81)), []
    while free:
        first, step, length = rng.choice(sorted(free)), rng.choice((1, 9)), rng.randint(2, 4)
        cells = [first + step * i for i in range(length)]
        line = {cell // 9 if step == 1 else cell % 9 for cell in cells}
        if len(line) > 1 or not free.issuperset(cells):
            cells = [first]
        free -= {*cells}
        if rng.random() < share:
            names = ",".join(f"r{c // 9 + 1}c{c % 9 + 1}" for c in cells)
            texts.append(f"cage={sum(SOLUTION[c] for c in cells)}:{names}")
    return texts


def summed_up(stated, times, houses):
    """The weights of a sum, so many times with its lowest cell positive, and of houses."""
    weights = dict(zip(stated.cells, stated.weights, strict=True))
    sign = times if weights[min(weights)] > 0 else -times
    total = Counter({cell: sign * weight for cell, weight in weights.items()})
    for often, house in houses:
        total.update(dict.fromkeys(house, often))
    return {cell: weight for cell, weight in total.items() if weight}


def test_implied_sums_are_true():
    rng = random.Random(1)
    few = 0
    for _ in range(3):
        constraints = constraints_for(";".join(cages(rng)))
        houses = houses_of(constraints)
        for said in starmap(Sum, left_by_houses(constraints, 3)):
            assert holds(said, SOLUTION)
            few += 1
        for _ in range(20):
            cells = tuple(rng.sample(range(81), rng.randint(1, 80)))
            weights = tuple(rng.choice((1, 1, 1, -1, 10)) for _ in cells)
            total = sum(w * SOLUTION[c] for c, w in zip(cells, weights, strict=True))
            stated = Sum(cells, weights, total)
            less, times, taken = reduced(stated, houses, 9)
            assert holds(less, SOLUTION)
            assert len(less.cells) <= len(cells)
            assert summed_up(stated, times, taken) == dict(zip(*less[:2], strict=True))
    assert few > 20


def test_cages_leave_few_cells_of_houses():
    """Row 1 without its cages is r1c9; boxes 1 and 4 with theirs are two cells too many."""
    row = "cage=11:r1c1,r1c2;cage=12:r1c3,r1c4;cage=9:r1c5,r1c6;cage=10:r1c7,r1c8"
    constraints = constraints_for(row)
    assert [*left_by_houses(constraints, 3)] == [Sum((8,), (1,), 3)]
    boxes = ";".join(
        f"cage={total}:r{r}c1,r{r}c2,r{r}c3" + ",r4c4" * (r == 4) for r, total in
        ((1, 10), (2, 15), (3, 20), (4, 16), (5, 15), (6, 18))
    )  # fmt: skip
    constraints = constraints_for(boxes)
    found = [*left_by_houses(constraints, 3)]
    assert Sum((30,), (1,), 4) in found


def test_a_long_sum_loses_its_houses():
    houses = houses_of(constraints_for("diagonal"))
    assert len(houses) == 29
    cells = tuple(cell for cell in range(27) if cell not in (5, 6))
    left = reduced(Sum(cells, (1,) * 25, 120), houses, 9)
    rows = tuple((1, tuple(range(9 * r, 9 * r + 9))) for r in range(3))
    assert left == (Sum((5, 6), (1, 1), 15), -1, rows)
    left = reduced(Sum((0, 0, 3), (1, -1, 1), 4), houses, 9)
    assert left == (Sum((3,), (1,), 4), 1, ())


def by_sets(sums, most):
    """What is left, area by area: {(cells added, cells subtracted): total}."""
    rows = [{9 * r + c for c in range(9)} for r in range(9)]
    columns = [{9 * r + c for r in range(9)} for c in range(9)]
    boxes = [{c for c in range(81) if (c // 27, c % 9 // 3) == divmod(b, 3)} for b in range(9)]
    areas = [
        (set().union(*lines[first:last]), last - first)
        for lines in (rows, columns)
        for first in range(9)
        for last in range(first + 1, 10)
    ]
    areas += [(box, 1) for box in boxes] + [(a | b, 2) for a, b in combinations(boxes, 2)]
    found = {}
    for area, houses in areas:
        for fits in (
            lambda cells, area: cells <= area,
            lambda cells, area: cells & area,
            lambda cells, area: 2 * len(cells & area) > len(cells),
        ):
            taken, total = set(), 45 * houses
            for cells, said in sums:
                if fits(cells, area) and not cells & taken:
                    taken, total = taken | cells, total - said
            more, less = sorted(area - taken), sorted(taken - area)
            if taken and 0 < len(more + less) <= most:
                sign = 1 if min(more + less) in more else -1
                found[tuple((more, less)[::sign][0]), tuple((more, less)[::sign][1])] = sign * total
    return found


def signed(said, sign):
    cells = zip(said.cells, said.weights, strict=True)
    return tuple(cell for cell, weight in cells if weight == sign)


@pytest.mark.parametrize("seed", range(4))
def test_what_sums_leave_is_what_a_walk_through_the_areas_finds(seed):
    """Some of the cages overlap, as a second killer's do."""
    rng = random.Random(seed)
    texts = cages(rng) + (rng.sample(cages(rng), 12) if seed % 2 else [])
    constraints = constraints_for(";".join(texts))
    sums = [({*said.cells}, said.total) for f in constraints.families for said in f.sums]
    stated = {(tuple(sorted(cells)), ()) for cells, _ in sums}
    found = [*starmap(Sum, left_by_houses(constraints, 4))]
    said = {(signed(s, 1), signed(s, -1)): s.total for s in found}
    assert len(said) == len(found) > 20
    assert said == {key: total for key, total in by_sets(sums, 4).items() if key not in stated}


@pytest.mark.skipif(not AVAILABLE, reason="built without a compiler")
@pytest.mark.parametrize(("rules", "size"), [("", 9), ("windoku", 9), ("diagonal", 4), ("", 16)])
def test_c_leaves_what_python_leaves(rules, size):
    rng, board = random.Random(size), Board.of_size(size)
    found = 0
    for _ in range(6):
        texts = []
        for _ in range(rng.choice((1, 5, 40))):
            names = [*map(board.name_of, rng.sample(range(board.cells), rng.randint(2, size)))]
            total = rng.randint(len(names), size * len(names))
            texts.append(f"sum={total}:{','.join(names)}")
        if size == 9:
            texts = rng.choice((texts, cages(rng), [*texts[:3], *cages(rng)]))
        constraints = constraints_for(";".join([rules or "classic", *texts]), board)
        sums = [(said.cells, said.total) for f in constraints.families for said in f.sums]
        for most in (1, 4, 30):
            left = [Sum(*said) for said in left_by_houses(constraints, most)]
            assert left == [*left_by_areas(constraints, sums, most)]
            found += len(left)
    assert found > 20


def test_wide_areas_are_unions_of_houses_that_are_apart():
    rng = random.Random(1)
    constraints = constraints_for(";".join(cages(rng)))
    houses = houses_of(constraints)
    sums = [mask_of(said.cells) for f in constraints.families for said in f.sums]
    taken = [Taken(cells) for cells in sums]
    seen = {}
    for area, members, chosen in few_left(constraints, taken, 6, is_wide=True):
        cells = [cell for house in members for cell in houses[house]]
        assert area == mask_of(cells)
        assert len({*cells}) == len(cells)
        covered = [sums[place] for place in chosen]
        assert sum(cells.bit_count() for cells in covered) == mask_of_all(covered).bit_count()
        assert 0 < (area ^ mask_of_all(covered)).bit_count() <= 6
        seen[area] = len(members)
    assert {*seen.values()} >= {1, 2, 3, 4}
    narrow = {area for area, *_ in few_left(constraints, taken, 6)}
    assert narrow < seen.keys()


def mask_of_all(masks):
    whole = 0
    for mask in masks:
        whole |= mask
    return whole


def test_cells_that_tell_a_sum_are_left():
    """Row 1 without two arrows: r1c7 to r1c9, and the two circles, wherever they lie."""
    constraints = constraints_for("arrow:r5c5>r1c1,r1c2,r1c3;arrow:r1c9>r1c4,r1c5,r1c6")
    taken = [Taken(mask_of(range(first, first + 3)), beyond=1) for first in (0, 3)]
    assert [*few_left(constraints, taken, 4)] == []
    ((area, houses, chosen), *_) = few_left(constraints, taken, 5)
    assert (area, houses, chosen) == ((1 << 9) - 1, (0,), (0, 1))


def test_a_short_sum_is_put_in_order_as_a_long_one():
    """One of few cells contains most of no house; with a cell that counts nothing it is looked at
    as a long one is, which gives the same."""
    houses = houses_of(constraints_for("classic"))
    rng = random.Random(4)
    for _ in range(40):
        cells = tuple(rng.sample(range(81), rng.randint(1, 4)))
        weights = tuple(rng.choice((-2, -1, 1, 3)) for _ in cells)
        other = next(cell for cell in range(81) if cell not in cells)
        padded = Sum((*cells, other), (*weights, 0), 7)
        assert reduced(Sum(cells, weights, 7), houses, 9) == reduced(padded, houses, 9)
