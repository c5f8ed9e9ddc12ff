"""Chains of one strand: as short as Sukaku Explainer's, and each is one."""

from __future__ import annotations

import pytest
from logic_cases import generated, states_before

from satdoku.explain.logic.alternating import chains_of_digit, mixed_chains
from satdoku.explain.logic.net import net_of
from satdoku.explain.logic.reference import SUPPOSED
from satdoku.explain.logic.strands import rating_of
from satdoku.model.board import bits, mask_of
from satdoku.ratings.scale import AVAILABLE

GROUPED = (4.3, 5.7, 6.1)  # of places that count as one: the net finds these
KINDS = (
    "skyscraper",
    "two-string kite",
    "three strong links",
    "four strong links",
    "forcing chain",
)


def of_digits(state):
    n = state.units.size
    for digit in range(n):
        own = mask_of(candidate for candidate in bits(state.live) if candidate % n == digit)
        yield from chains_of_digit(state.units, digit, own)


@pytest.mark.skipif(not AVAILABLE, reason="the reference takes long")
@pytest.mark.parametrize("technique", KINDS)
def test_the_easiest_has_the_rating_of_sudoku_explainer(technique):
    met = 0
    for state, rating in states_before(technique, generated(0, 100)):
        if rating in GROUPED:
            continue
        net = net_of(state.units)
        chains = (mixed_chains if technique == "forcing chain" else of_digits)(state)
        found = min(rating_of(net, chain, state.live, "forcing chain") for chain in chains)
        assert found == rating
        met += 1
    assert met


def test_each_node_follows_from_the_one_before():
    for state, _ in states_before("forcing chain", generated(0, 60)):
        units = state.units
        for chain in (*mixed_chains(state), *of_digits(state)):
            *nodes, end = chain
            assert nodes[0].unit == SUPPOSED
            for number, node in enumerate(nodes[1:], 1):
                (parent,) = (nodes[p] for p in node.parents)
                assert node.parents[0] in (0, number - 1)
                if node.holds:
                    left = units.all[node.unit].candidates & state.live
                    assert left == 1 << node.candidate | 1 << parent.candidate
                else:
                    assert units.excluded[parent.candidate] >> node.candidate & 1
            one, other = (nodes[p] for p in end.parents)
            assert (one.candidate, not one.holds) == (other.candidate, other.holds)
