"""Fixtures of these tests."""

from __future__ import annotations

import pytest
from audit_oracle import CONSTRAINTS_OF, Grids, clashes


@pytest.fixture(scope="session")
def grids(four_by_four):
    return Grids(
        {
            constraints: [g for g in four_by_four if not clashes(g, constraints)]
            for constraints in CONSTRAINTS_OF.values()
        }
    )
