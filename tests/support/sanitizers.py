"""Build a C driver and the code that it tests with the compiler's sanitizers, and run it."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from pathlib import Path

import pytest

# Compiling the kernel with -O1 takes 19 s, without it 7 s; running it then 3 s instead of 1.5 s.
# What is undefined ends in a trap, which takes a third less to compile than words that describe it;
# the address sanitizer then prints where it was.
FLAGS = [
    "-std=c11",
    "-O0",
    "-g1",
    "-fsanitize=address,undefined",
    "-fsanitize-undefined-trap-on-error",
    "-pthread",
]
ROOT = Path(__file__).parent.parent.parent
BUILT = ROOT / ".pytest_cache" / "sanitized"  # a program stays until what it is made of changes


def made_of(compiler: str, files: list[Path]) -> str:
    """A name for all that decides what is built: compiler, flags, sources and every header."""
    version = subprocess.run([compiler, "--version"], capture_output=True, text=True).stdout
    parts = [version, *FLAGS, *(file.read_text() for file in files)]
    parts += [header.read_text() for header in sorted((ROOT / "satdoku").rglob("*.h"))]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def assert_clean(compiler: str, driver: str, folder: Path, sources: list[str], work: Path) -> None:
    """The driver in this folder, built with these sources, succeeds without a sanitizer finding."""
    if not shutil.which(compiler) or not folder.exists():
        pytest.skip(f"no {compiler}, or no sources")
    files = [Path(__file__).with_name(driver), *(folder / source for source in sources)]
    program = BUILT / f"{compiler}-{driver.removesuffix('.c')}-{made_of(compiler, files)}"
    if not program.exists():
        command = [compiler, *FLAGS, f"-I{folder}", *map(str, files), "-o", str(work / "sanitize")]
        built = subprocess.run(command, capture_output=True, text=True)
        if "cannot find -lasan" in built.stderr or "libclang_rt" in built.stderr:
            pytest.skip("no sanitizer libraries")
        assert built.returncode == 0, built.stderr
        BUILT.mkdir(parents=True, exist_ok=True)
        for old in BUILT.glob(f"{compiler}-{driver.removesuffix('.c')}-*"):
            old.unlink()
        shutil.move(work / "sanitize", program)
    told = {**os.environ, "ASAN_OPTIONS": "handle_sigill=1"}
    run = subprocess.run([program], capture_output=True, text=True, env=told)
    assert run.returncode == 0, run.stdout + run.stderr
