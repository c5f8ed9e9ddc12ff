"""Ratings in C have no undefined behaviour: a C driver rates puzzles under sanitizers."""

from __future__ import annotations

from pathlib import Path

import pytest
from sanitizers import assert_clean

SOURCES = Path(__file__).parent.parent.parent / "satdoku" / "ratings" / "c"


@pytest.mark.slow
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_ratings_are_clean_under_sanitizers(compiler, tmp_path):
    assert_clean(compiler, "sanitize_ratings.c", SOURCES, ["rate.c"], tmp_path)
