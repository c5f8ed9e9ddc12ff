"""The proof checker in C has no undefined behaviour: a C driver runs it under sanitizers."""

from __future__ import annotations

from pathlib import Path

import pytest
from sanitizers import assert_clean

SOURCES = Path(__file__).parent.parent.parent.parent / "satdoku" / "certificates" / "proof" / "c"


@pytest.mark.parametrize("compiler", ["gcc", pytest.param("clang", marks=pytest.mark.slow)])
def test_the_checker_is_clean_under_sanitizers(compiler, tmp_path):
    assert_clean(compiler, "sanitize_checker.c", SOURCES, ["checker.c"], tmp_path)
