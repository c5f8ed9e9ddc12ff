"""The C search for hitting sets has no undefined behaviour: a C driver runs it under sanitizers."""

from __future__ import annotations

from pathlib import Path

import pytest
from sanitizers import assert_clean

import satdoku

SOURCES = Path(satdoku.__file__).parent / "certificates" / "hitting" / "c"


@pytest.mark.parametrize("compiler", ["gcc", pytest.param("clang", marks=pytest.mark.slow)])
def test_hitting_sets_are_clean_under_sanitizers(compiler, tmp_path):
    assert_clean(compiler, "sanitize_hitting.c", SOURCES, ["hitting.c"], tmp_path)
