"""The scale: what Sudoku Explainer rates keeps its number, and more to look at is never easier."""

from __future__ import annotations

from itertools import pairwise, product

from satdoku.explain.logic import scale
from satdoku.explain.logic.ladder import FISH_NAMES, NAMES


def test_techniques_have_the_numbers_of_sudoku_explainer():
    assert (scale.LAST_DIGIT, scale.HIDDEN_BOX, scale.HIDDEN_LINE) == (1.0, 1.2, 1.5)
    assert (scale.NAKED_SINGLE, scale.POINTING, scale.CLAIMING) == (2.3, 2.6, 2.8)
    assert scale.NAKED == {2: 3.0, 3: 3.6, 4: 5.0}
    assert scale.HIDDEN == {2: 3.4, 3: 4.0, 4: 5.4}
    assert scale.FISH == {2: 3.2, 3: 3.8, 4: 5.2}


def test_every_size_has_a_name():
    assert scale.NAKED.keys() == scale.HIDDEN.keys() == NAMES.keys()
    assert scale.FISH.keys() == FISH_NAMES.keys()


def test_more_to_look_at_is_never_easier():
    for rating, most in ((scale.of_clue, 81), (scale.of_chain, 60), (scale.of_contradiction, 500)):
        told = [rating(count) for count in range(1, most)]
        assert all(one <= other for one, other in pairwise(told))
        assert told[0] < told[-1]
        assert told == [round(number, 1) for number in told]
    for cells, houses in product(range(1, 20), range(1, 5)):
        here = scale.of_total(cells, houses)
        assert here <= scale.of_total(cells + 1, houses)
        assert here <= scale.of_total(cells, houses + 1)


def test_what_is_easier_by_kind():
    """Any clue alone before pairs, any sum before chains of many links, these before the rest."""
    assert scale.of_clue(81) <= scale.NAKED[2]
    assert scale.of_chain(1) == scale.CHAIN
    assert scale.of_chain(99) == scale.LONGEST_CHAIN < scale.of_contradiction(1)
    assert scale.of_total(99, 9) < scale.LONGEST_CHAIN


def test_contradictions_are_counted_as_sudoku_explainer_counts_nodes():
    """Its ceilings: 4, 6, 8, 12, 16, 24 ... beyond two nodes, a tenth for each."""
    found = [
        nodes
        for nodes in range(2, 60)
        if scale.of_contradiction(nodes) < scale.of_contradiction(nodes + 1)
    ]
    assert found == [6, 8, 10, 14, 18, 26, 34, 50]
