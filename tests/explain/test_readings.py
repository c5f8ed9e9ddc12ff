"""Readings: what they strike, the reasons and the clauses, against brute force."""

from __future__ import annotations

from functools import cache
from itertools import product
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from soak import share

from satdoku.explain.readings import Reading, reading_of, rims_of
from satdoku.model.board import Board, bits, mask_of
from satdoku.model.constraints import constraints_for
from satdoku.model.shapes import Alike, Connected, Ranked, Regions

SEEDS = st.integers(0, 10**6)


def chosen(reading: Reading, digits) -> int:
    """The candidates of an assignment, cell by cell."""
    return mask_of(
        reading.size * cell + d - 1 for cell, d in zip(reading.cells, digits, strict=True)
    )


def assert_right(reading: Reading, valid, random: Random) -> None:
    """`valid` are all assignments that the shape means, as candidates."""
    live = mask_of(c for c in bits(reading.members) if random.random() < 0.7)
    possible = [one for one in valid if not one & ~live]
    assert reading.allows(live) or not possible
    assert reading.is_possible(live) == reading.allows(live)
    for removal in reading.found(live):
        assert removal.struck and not removal.struck & ~live
        assert not removal.because & live
        for one in valid:
            assert not one & removal.struck or one & removal.because
    assert reading.impossible(live) == mask_of(
        {c for removal in reading.found(live) for c in bits(removal.struck)}
    )


def is_connected(places, edges) -> bool:
    left = set(places)
    new = {left.pop()} if left else set()
    while new:
        new = {b for a, b in edges for a, b in ((a, b), (b, a)) if a in new} & left
        left -= new
    return not left


@settings(max_examples=share(150), deadline=None)
@given(SEEDS)
def test_connected_cells_against_brute_force(seed):
    """On 2x3 cells, now and then with an outside, or with a number of cells."""
    random, board = Random(seed), Board(3, 1, 3, height=2)
    edges, count = board.adjacent_pairs, 6
    size = random.choice((2, 3))
    held = frozenset(random.sample(range(1, size + 1), random.randint(1, size - 1)))
    least = most = random.randint(1, count)
    if random.random() < 0.6:
        least, most = 1, count
    if is_open := random.random() < 0.3:
        least, most, edges = 1, count + 1, (*edges, (0, 6), (4, 6))
    cells = tuple(random.sample(range(10), count))
    reading = reading_of(Connected(cells, held, edges, least, most), size)
    every = {}
    for digits in product(range(1, size + 1), repeat=count):
        own = [place for place, digit in enumerate(digits) if digit in held] + [6] * is_open
        good = is_connected(own, edges) and (not own or least <= len(own) <= most)
        every[chosen(reading, digits)] = good
    valid = [one for one, good in every.items() if good]
    for _ in range(4):
        assert_right(reading, valid, random)
    for one, good in every.items():
        assert reading.allows(one) == good
        cuts = [mask_of(x - 1 for x in cut) for cut in reading.cuts(one)]
        assert bool(cuts) == (not good)
        assert not any(cut & one for cut in cuts)
        assert all(cut & other for cut in cuts for other in valid)


@cache
def two_areas():
    """On 3x3 cells with digits 1 to 3: what 1 and 2, both connected, leave at the edge."""
    board = Board(3, 1, 3)
    areas = [Connected(tuple(range(9)), frozenset({d}), board.adjacent_pairs, 1, 9) for d in (1, 2)]
    (rim,) = rims_of(board, 3, *([reading_of(area, 3)] for area in areas))
    valid, every = set(), set()
    for digits in product((1, 2, 3), repeat=9):
        one = chosen(rim, [digits[cell] for cell in rim.cells])
        every.add(one)
        own = [[c for c, digit in enumerate(digits) if digit == d] for d in (1, 2)]
        if all(is_connected(places, board.adjacent_pairs) for places in own):
            valid.add(one)
    return rim, valid, every


@settings(max_examples=share(40), deadline=None)
@given(SEEDS)
def test_two_areas_along_the_edge_against_brute_force(seed):
    rim, valid, _ = two_areas()
    assert_right(rim, valid, Random(seed))


def test_two_areas_change_twice_along_the_edge():
    """What is refused at the edge is refused by the areas; each cut denies it, and nothing else."""
    rim, valid, every = two_areas()
    assert rim.cells == (0, 1, 2, 5, 8, 7, 6, 3)
    refused = {one for one in every if not rim.allows(one)}
    assert refused and not refused & valid
    for one in every:
        cuts = [mask_of(x - 1 for x in cut) for cut in rim.cuts(one)]
        assert bool(cuts) == (one in refused)
        assert all(not cut & one and all(cut & other for other in valid) for cut in cuts)
    for shape in ("shape=1x4", "shape=3x3;holes:r1c1"):
        board = constraints_for(shape).board
        cells = tuple(range(board.cells))
        areas = [Connected(cells, frozenset({d}), board.adjacent_pairs, 1, 9) for d in (1, 2)]
        assert not list(rims_of(board, 3, *([reading_of(area, 3)] for area in areas)))


@settings(max_examples=share(60), deadline=None)
@given(SEEDS)
def test_regions_against_brute_force(seed):
    """Two regions of two cells: each has both digits, and its 1 in the line of its label."""
    shape = Regions((0, 1, 2, 3, 4, 5, 6, 7), 2, 1, ((0, 1), (2, 3)), (), ())
    reading = reading_of(shape, 2)
    valid = []
    for digits in product((1, 2), repeat=8):
        pairs = list(zip(digits[4:], digits[:4], strict=True))
        ones = [(place, label) for place, (label, digit) in enumerate(pairs) if digit == 1]
        if len({*pairs}) == 4 and all(label == 1 + place // 2 for place, label in ones):
            valid.append(chosen(reading, digits))
    assert len(valid) == 8
    assert_right(reading, valid, Random(seed))
    for digits in product((1, 2), repeat=8):
        one = chosen(reading, digits)
        assert reading.allows(one) == (one in valid)


@settings(max_examples=share(60), deadline=None)
@given(SEEDS)
def test_counts_of_what_is_alike_against_brute_force(seed):
    random = Random(seed)
    arms = random.choice((((1, 2, 3, 4),), ((1, 2, 3), (1, 4))))
    is_run, less = random.random() < 0.5, random.choice((0, 1))
    reading = reading_of(Alike((6, 1, 2, 3, 5), arms, is_run, less, (0, 1, 2, 3), 3), 4)
    valid = []
    for first, *others in product((1, 2, 3, 4), *([(1, 2, 3)] * 4)):
        digits, total = (first, *others), 1
        for arm in arms:
            alike = [digits[place] == digits[1] for place in arm[1:]]
            total += [*alike, False].index(False) if is_run else sum(alike)
        if first - 1 == total - less:
            valid.append(chosen(reading, digits))
    assert_right(reading, valid, random)
    live = mask_of(c for c in bits(reading.members) if random.random() < 0.7)
    left = [one for one in valid if not one & ~live]
    assert live & ~reading.impossible(live) & reading.members == mask_of(
        {c for one in left for c in bits(one)}
    )


@settings(max_examples=share(40), deadline=None)
@given(SEEDS)
def test_ranks_against_brute_force(seed):
    """A line of two cells, and one other on each of three sides, which begins as it does."""
    random = Random(seed)
    less, may_tie = random.randint(0, 3), random.random() < 0.5
    shape = Ranked((0, 1, 0, 2, 0, 3, 4, 5, 0, 1, 5, 2), 2, 1, less, may_tie)
    reading = reading_of(shape, 2)
    assert len(shape.lines) == 6
    valid = []
    for digits in product((1, 2), repeat=len(reading.cells)):
        held = dict(zip(reading.cells, digits, strict=True))
        own, *others = [tuple(held[cell] for cell in line) for line in shape.lines]
        sides = [[line for line in others[at : at + 2] if line[0] == 1] for at in (0, 2, 4)]
        counts = {0}
        for side in sides:
            ways = {line[1] < own[1] for line in side if may_tie or line[1] != own[1]}
            counts = {count + way for count in counts for way in ways}
        if less in counts:
            valid.append(chosen(reading, digits))
    assert_right(reading, valid, random)
