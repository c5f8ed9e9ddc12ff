"""The C code of proof trees has no undefined behaviour, and accepts only what is true."""

from __future__ import annotations

from pathlib import Path

import pytest
from sanitizers import assert_clean

import satdoku

SOURCES = Path(satdoku.__file__).parent / "certificates" / "tree" / "c"


@pytest.mark.parametrize("compiler", ["gcc", pytest.param("clang", marks=pytest.mark.slow)])
def test_trees_are_clean_under_sanitizers(compiler: str, tmp_path: Path) -> None:
    sources = ["tree.c", "load.c", "make.c", "planes.c", "baseline.c", "avx2.c", "avx512.c"]
    assert_clean(compiler, "sanitize_tree.c", SOURCES, sources, tmp_path)
