"""The C code that trims has no undefined behaviour: a C driver runs it under sanitizers."""

from __future__ import annotations

from pathlib import Path

import pytest
from sanitizers import assert_clean

import satdoku

SOURCES = Path(satdoku.__file__).parent / "certificates" / "trim" / "c"


@pytest.mark.parametrize("compiler", ["gcc", pytest.param("clang", marks=pytest.mark.slow)])
def test_trimming_is_clean_under_sanitizers(compiler, tmp_path):
    assert_clean(compiler, "sanitize_trim.c", SOURCES, ["trim.c"], tmp_path)
