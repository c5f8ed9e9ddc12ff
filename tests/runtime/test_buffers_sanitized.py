"""The extensions themselves under sanitizers: the tests of the boundary, with any arrays at all."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent.parent.parent / "bench" / "sanitizers.py"


def has_libraries():
    """Whether gcc is there, with the library of its sanitizer."""
    if not shutil.which("gcc"):
        return False
    command = ["gcc", "-print-file-name=libasan.so"]
    found = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    return Path(found).is_absolute()


@pytest.mark.slow
@pytest.mark.skipif(not has_libraries(), reason="no gcc, or no libasan")
def test_no_array_makes_an_extension_touch_other_memory():
    command = [sys.executable, str(SCRIPT), "tests/runtime/test_buffers.py"]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout[-4000:] + run.stderr[-4000:]
    assert "skipped" not in run.stdout
