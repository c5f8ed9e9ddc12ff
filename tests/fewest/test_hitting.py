"""Smallest hitting sets, compared with trying every subset; bounds are never too high."""

from __future__ import annotations

import time
from itertools import chain, combinations
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from soak import share

from satdoku.fewest.hitting import HittingSets

CELLS = range(8)


def smallest_by_trial(sets):
    subsets = chain.from_iterable(combinations(CELLS, size) for size in range(len(CELLS) + 1))
    return len(next(chosen for chosen in subsets if all(s & set(chosen) for s in sets)))


@settings(max_examples=share(60), deadline=None)
@given(st.lists(st.sets(st.sampled_from(CELLS), min_size=1, max_size=4), max_size=14))
def test_smallest_after_every_set_that_is_added(sets):
    hitting = HittingSets(CELLS)
    known = []
    for cells in sets:
        hitting.hit(cells)
        known.append(cells)
        found = hitting.smallest()
        assert all(found & other for other in known)
        assert len(found) == hitting.bound == smallest_by_trial(known)
    hitting.close()


def test_nothing_to_hit_takes_nothing():
    hitting = HittingSets(CELLS)
    assert hitting.smallest() == frozenset()
    assert hitting.bound == 0


def test_time_that_runs_out_leaves_a_bound():
    """Random sets, far too many for a second; a greedy search gives an upper bound."""
    rng = Random(5)
    sets = [frozenset(rng.sample(range(120), 6)) for _ in range(900)]
    hitting = HittingSets(range(120))
    for cells in sets:
        hitting.hit(cells)
    start = time.monotonic()
    found = hitting.smallest(start + 1)
    assert time.monotonic() - start < 15
    assert found is None
    greedy, unmet = 0, sets
    while unmet:
        busiest = max(range(120), key=lambda cell: sum(cell in s for s in unmet))
        unmet = [s for s in unmet if busiest not in s]
        greedy += 1
    assert 0 < hitting.bound <= greedy
