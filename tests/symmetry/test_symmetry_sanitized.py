"""Canonical forms and images in C have no undefined behaviour: a driver runs under sanitizers."""

from __future__ import annotations

from pathlib import Path

import pytest
from sanitizers import assert_clean

SOURCES = Path(__file__).parent.parent.parent / "satdoku" / "symmetry" / "c"


@pytest.mark.parametrize("compiler", ["gcc", pytest.param("clang", marks=pytest.mark.slow)])
def test_canonical_forms_and_images_are_clean_under_sanitizers(compiler, tmp_path):
    sources = ["lines.c", "listed.c", "images.c"]
    assert_clean(compiler, "sanitize_symmetry.c", SOURCES, sources, tmp_path)
