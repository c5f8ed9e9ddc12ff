"""The extensions themselves under sanitizers: the tests of the boundary, with any arrays at all."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FLAGS = "-fsanitize=address,undefined -fno-sanitize-recover=undefined"
BUILD = "from setuptools import setup; setup()"


def _library(name: str) -> str:
    """Where gcc has one of its libraries."""
    command = ["gcc", f"-print-file-name={name}"]
    path = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    return path if Path(path).is_absolute() else pytest.skip(f"no {name}")


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("gcc"), reason="no gcc")
def test_no_array_makes_an_extension_touch_other_memory(tmp_path):
    for part in ("satdoku", "tests", "pyproject.toml", "README.md", "LICENSE"):
        copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
        copy(ROOT / part, tmp_path / part)
    for built in tmp_path.glob("satdoku/**/*.so"):
        built.unlink()
    environment = os.environ | {
        "CC": "gcc", "CFLAGS": f"-O1 {FLAGS}", "LDFLAGS": FLAGS, "PYTHONPATH": str(tmp_path),
    }  # fmt: skip
    build = [sys.executable, "-c", BUILD, "-q", "build_ext", "--inplace"]
    subprocess.run(build, cwd=tmp_path, env=environment, check=True, capture_output=True)
    assert len([*tmp_path.glob("satdoku/**/*.so")]) == 4
    environment |= {
        "LD_PRELOAD": f"{_library('libasan.so')} {_library('libubsan.so')}",
        "ASAN_OPTIONS": "detect_leaks=0",  # the interpreter leaks at its end
        "PYTHONMALLOC": "malloc",
    }
    tests = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "tests/test_buffers.py",
    ]
    run = subprocess.run(tests, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout[-4000:] + run.stderr[-4000:]
    assert "skipped" not in run.stdout
