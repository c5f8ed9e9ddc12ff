"""Scripts in node that have the kernel for browsers."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from satdoku.engine import wasm


def kernel_needed() -> None:
    """Skips the test where the kernel for browsers was not built."""
    if not wasm.KERNEL.is_file():
        pytest.skip(wasm.MISSING)


def node() -> str:
    """The path of node; skips the test where it or the kernel is missing."""
    if not (found := shutil.which("node")):
        pytest.skip("no node")
    kernel_needed()
    return found


def in_node(code: str, folder: Path, **values: object) -> Any:
    """What a script prints, as JSON; it has `module`, `satdoku` and these `values`."""
    command = node()
    (folder / "values.json").write_text(json.dumps(values))
    (folder / "script.mjs").write_text(
        f"import * as module from {json.dumps((wasm.FOLDER / 'satdoku.js').as_uri())};\n"
        "import fs from 'node:fs';\n"
        f"const file = {json.dumps(str(folder / 'values.json'))};\n"
        "const values = JSON.parse(fs.readFileSync(file));\n"
        f"const satdoku = await module.load();\n{code}"
    )
    done = subprocess.run([command, folder / "script.mjs"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
