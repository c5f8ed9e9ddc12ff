"""Dice are the same everywhere."""

from __future__ import annotations

from satdoku.generator.dice import Dice


def test_dice_are_the_same_everywhere():
    dice = Dice(1, (2,))
    assert dice.words(2).tolist() == [4301196022613586579, 867395562149415902]
    assert dice.below(10, 8).tolist() == [4, 7, 7, 4, 2, 5, 5, 7]
    assert sorted(dice.orders(2, 9)[1].tolist()) == list(range(9))
    assert abs(dice.fractions(4000).mean() - 0.5) < 0.03
