"""Fixtures of these tests."""

from __future__ import annotations

import pytest
from audit_oracle import Grids


@pytest.fixture(scope="session")
def grids(four_by_four):
    return Grids({(): four_by_four, ("diagonal",): four_by_four})
