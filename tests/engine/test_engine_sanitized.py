"""The C kernel has no undefined behaviour: a C driver runs it under the compiler's sanitizers."""

from __future__ import annotations

from pathlib import Path

import pytest
from sanitizers import assert_clean

SOURCES = Path(__file__).parent.parent.parent / "satdoku" / "engine" / "c"


@pytest.mark.parametrize("compiler", ["gcc", pytest.param("clang", marks=pytest.mark.slow)])
def test_kernel_is_clean_under_sanitizers(compiler, tmp_path):
    sources = [path.name for path in SOURCES.glob("*.c") if not path.name.startswith("_")]
    assert_clean(compiler, "sanitize.c", SOURCES, sources, tmp_path)
