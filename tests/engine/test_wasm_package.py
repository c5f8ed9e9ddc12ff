"""The package for node: npm makes it, and node imports it where nothing else of satdoku is."""

from __future__ import annotations

import json
import shutil
import subprocess

import pytest
from node import kernel_needed, node

import satdoku
from satdoku.engine import wasm

PACKAGE = json.loads((wasm.FOLDER / "package.json").read_text())
USE = """
import { load, Pool } from "satdoku";
const satdoku = await load(), pool = await Pool.open({ size: 1 });
const puzzle = ".".repeat(14) + "12";
const { bytes } = satdoku.plan("diagonal", 4);
const both = [satdoku.count(puzzle, bytes), await pool.ask("count", puzzle, bytes)];
pool.stop();
console.log(JSON.stringify([satdoku.version,
  import.meta.resolve("satdoku/satdoku.wasm").slice(-13), both]));
"""


def test_the_package_has_the_version_of_satdoku():
    assert PACKAGE["version"] == satdoku.__version__


def test_the_package_lists_the_files_that_it_names():
    named = {*PACKAGE["exports"]["."].values(), PACKAGE["exports"]["./satdoku.wasm"]}
    assert {f"./{name}" for name in PACKAGE["files"]} == named


def test_the_kernel_is_small():
    kernel_needed()
    assert len(wasm.kernel()) <= 250_000


def npm(folder, *words):
    """What npm prints; the test is skipped without npm."""
    command = shutil.which("npm")
    if not command:
        pytest.skip("no npm")
    done = subprocess.run(
        [command, *words, "--offline", "--no-audit", "--no-fund", f"--cache={folder / 'cache'}"],
        cwd=folder, capture_output=True, text=True,
    )  # fmt: skip
    return done.returncode, done.stdout + done.stderr


def test_node_imports_the_package_that_npm_makes(tmp_path):
    command = node()
    source = tmp_path / "source"
    shutil.copytree(wasm.FOLDER, source)
    code, said = npm(source, "pack")
    assert code == 0, said
    (packed,) = source.glob("*.tgz")
    assert packed.name == f"satdoku-{satdoku.__version__}.tgz"
    place = tmp_path / "place"
    place.mkdir()
    (place / "package.json").write_text("{}")
    code, said = npm(place, "install", str(packed))
    assert code == 0, said
    shipped = {path.name for path in (place / "node_modules" / "satdoku").iterdir()}
    assert shipped == {"package.json", *PACKAGE["files"]}
    (place / "use.mjs").write_text(USE)
    done = subprocess.run([command, "use.mjs"], cwd=place, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    counted = satdoku.count("." * 14 + "12", "diagonal")
    assert json.loads(done.stdout) == [
        satdoku.__version__, "/satdoku.wasm", [counted, counted]
    ]  # fmt: skip


def test_npm_makes_no_package_without_the_kernel(tmp_path):
    node()
    shutil.copytree(wasm.FOLDER, tmp_path / "source", ignore=shutil.ignore_patterns("*.wasm"))
    code, said = npm(tmp_path / "source", "pack")
    assert code != 0 and "satdoku.wasm" in said
