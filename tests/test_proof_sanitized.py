"""The proof checker in C has no undefined behaviour: a driver runs it under sanitizers."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

SOURCES = Path(__file__).parent.parent / "satdoku" / "proof" / "c"
FLAGS = ["-std=c11", "-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]


@pytest.mark.parametrize("compiler", ["gcc", pytest.param("clang", marks=pytest.mark.slow)])
def test_the_checker_is_clean_under_sanitizers(compiler, tmp_path):
    if not shutil.which(compiler) or not (SOURCES / "checker.c").exists():
        pytest.skip(f"no {compiler}, or no sources")
    program = tmp_path / "sanitize_checker"
    sources = [Path(__file__).with_name("sanitize_checker.c"), SOURCES / "checker.c"]
    command = [compiler, *FLAGS, f"-I{SOURCES}", *map(str, sources), "-o", str(program)]
    built = subprocess.run(command, capture_output=True, text=True)
    if "cannot find -lasan" in built.stderr or "libclang_rt" in built.stderr:
        pytest.skip("no sanitizer libraries")
    assert built.returncode == 0, built.stderr
    run = subprocess.run([program], capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
