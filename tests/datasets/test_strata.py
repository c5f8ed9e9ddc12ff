"""Strata stand in an order that the order of the rows does not change."""

from __future__ import annotations

from itertools import permutations

import pytest

from satdoku.datasets.strata import _in_order


@pytest.mark.parametrize(
    "ordered", [["-1", "1", "1.0", "10", "NaN", "nan"], ["", "1", "10", "2", "nan"]]
)
def test_the_order_of_values_is_that_of_numbers_or_of_texts(ordered):
    assert all(_in_order(some) == ordered for some in permutations(ordered))
