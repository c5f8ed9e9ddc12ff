"""Dice are the same everywhere."""

from __future__ import annotations

import numpy as np

from satdoku.generator.dice import Dice, ExactDice


def test_dice_are_the_same_everywhere():
    dice = Dice(1, (2,))
    assert dice.words(2).tolist() == [4301196022613586579, 867395562149415902]
    assert dice.below(10, 8).tolist() == [4, 7, 7, 4, 2, 5, 5, 7]
    assert sorted(dice.orders(2, 9)[1].tolist()) == list(range(9))
    assert abs(dice.fractions(4000).mean() - 0.5) < 0.03


def test_exact_dice_draw_no_value_more_often():
    """Of the words below 2**64, two thirds of this bound and one third twice: none of these."""
    bound = 3 << 61
    drawn = ExactDice(1).below(bound, 30_000)
    assert drawn.min() >= 0 and drawn.max() < bound
    assert abs((drawn < 1 << 62).mean() - 2 / 3) < 0.01  # words % bound would have 3 / 4
    each = ExactDice(2).below(np.arange(1, 9)[:, None], 8, 1000)
    assert each.shape == (8, 1000) and (each.max(1) == np.arange(8)).all()


def test_exact_dice_draw_numbers_of_any_size():
    dice, bound = ExactDice(3), 3 * 10**30
    drawn = [dice.number(bound) for _ in range(3000)]
    assert all(0 <= number < bound for number in drawn)
    assert abs(sum(drawn) / len(drawn) / bound - 0.5) < 0.02
    assert [dice.number(1) for _ in range(3)] == [0, 0, 0]
