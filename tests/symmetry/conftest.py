"""Fixtures of these tests."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest


@pytest.fixture(scope="module")
def names4():
    return np.array([(0, *order) for order in permutations(range(1, 5))], np.uint8)
