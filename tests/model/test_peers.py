"""Cells that differ, the houses that they make, and segments of them."""

import random
from collections import Counter
from itertools import combinations

from examples import FOUR

from satdoku.model.constraints import constraints_for
from satdoku.model.peers import differ, houses_of, peers_of, segments

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
