"""Other grids in C have no undefined behaviour: a C driver asks for them under sanitizers."""

from __future__ import annotations

from pathlib import Path

import pytest
from sanitizers import assert_clean

SOURCES = Path(__file__).parent.parent.parent / "satdoku" / "fewest" / "c"


@pytest.mark.parametrize("compiler", ["gcc", pytest.param("clang", marks=pytest.mark.slow)])
def test_other_grids_are_clean_under_sanitizers(compiler, tmp_path):
    assert_clean(compiler, "sanitize_others.c", SOURCES, ["others.c"], tmp_path)
