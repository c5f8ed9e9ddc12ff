"""Which modules a run or an import loads, read from `sys.modules` of a separate process."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import satdoku

ROOT = Path(satdoku.__file__).parent.parent
MARK = "modules of the run: "
SCRIPT = f"""
import runpy, sys
try:
    runpy.run_module("satdoku", run_name="__main__", alter_sys=True)
finally:
    print({MARK!r}, *sys.modules, file=sys.stderr)
"""


def modules_of(*words: str, code: int = 0) -> set[str]:
    """The modules that `python -m satdoku WORDS` loads beyond those of a bare interpreter."""
    return _loaded(SCRIPT, *words, code=code) - _bare()


def loaded_by(module: str) -> set[str]:
    """The modules that `import MODULE` loads."""
    return _loaded(f"import {module}, sys; print({MARK!r}, *sys.modules, file=sys.stderr)", code=0)


def within(modules: set[str], *packages: str) -> set[str]:
    """The modules that are one of the packages or lie inside one."""
    return {name for name in modules for root in packages if f"{name}.".startswith(f"{root}.")}


def foreign(modules: set[str]) -> set[str]:
    """Top-level packages that belong neither to satdoku nor to Python."""
    return {name.split(".")[0] for name in modules} - {"satdoku"} - sys.stdlib_module_names


@cache
def _bare() -> set[str]:
    return _loaded(f"import runpy, sys; print({MARK!r}, *sys.modules, file=sys.stderr)", code=0)


def _loaded(*words: str, code: int) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-P", "-c", *words],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == code, done.stderr
    return set(done.stderr.rsplit(MARK)[-1].split())
