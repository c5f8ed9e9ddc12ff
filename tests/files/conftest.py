"""Fixtures of these tests."""

import pytest


@pytest.fixture
def target(tmp_path):
    return tmp_path / "out.txt"
