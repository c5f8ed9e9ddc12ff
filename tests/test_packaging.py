"""What a release holds: the archive of the source, and the wheel."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

import satdoku
from satdoku.cli.shell import COMPLETIONS, MANUAL

ROOT = Path(__file__).parent.parent
CONFIG = tomllib.loads((ROOT / "pyproject.toml").read_text())
SHIPPED = "satdoku/bench/puzzles/"  # a link to puzzles/, whose files go where it is


def kept():
    """The files under version control; what else lies in the checkout is nobody's business."""
    if not (ROOT / ".git").exists():
        pytest.skip("no checkout")
    words = ["git", "ls-files", "-z", "--cached"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    files = {name for name in done.stdout.split("\0")[:-1] if (ROOT / name).is_file()}
    return files | {f"{SHIPPED}{Path(name).name}" for name in files if name.startswith("puzzles/")}


def copied(folder, names):
    """A tree of these files alone."""
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, folder / name)
    return folder


def setup(folder, *words):
    """Run the build of a tree of files, without a compiler."""
    alone = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    without = {"CC": "false", "SATDOKU_WASM_CC": "none"}
    subprocess.run(
        [sys.executable, "setup.py", "-q", *words],
        cwd=folder, env=alone | without, check=True, capture_output=True,
    )  # fmt: skip


def test_the_archive_of_the_source_has_all_files(tmp_path):
    pytest.importorskip("setuptools")
    setup(copied(tmp_path, kept()), "egg_info")
    (listed,) = tmp_path.glob("*.egg-info/SOURCES.txt")
    names = set(listed.read_text().split("\n"))
    made = {name for name in names if name.startswith("satdoku.egg-info/") or ".egg-info/" in name}
    assert sorted(kept() - names) == []
    assert sorted(names - made - kept()) == []


def test_the_wheel_has_what_is_used_and_no_more(tmp_path):
    pytest.importorskip("setuptools")
    pytest.importorskip("shtab")
    pytest.importorskip("argparse_manpage")
    copied(
        tmp_path, (name for name in kept() if not name.startswith(("tests/", "docs/", "bench/")))
    )
    setup(tmp_path, "bdist_wheel", "-d", "dist")
    (wheel,) = tmp_path.glob("dist/*.whl")
    assert wheel.name.startswith(f"satdoku-{satdoku.__version__}-cp311-abi3-")
    with zipfile.ZipFile(wheel) as archive:
        files = {i.filename: archive.read(i) for i in archive.infolist()}
    prefix = f"satdoku-{satdoku.__version__}"
    shared = {MANUAL, *COMPLETIONS.values()}
    assert {f"{prefix}.data/data/{path}" for path in shared} <= files.keys()
    assert b"satdoku solve" in files[f"{prefix}.data/data/{MANUAL}"]
    in_package = {name for name in kept() if name.startswith("satdoku/")}
    left_out = {name for name in in_package if name.endswith((".c", ".h"))}
    assert in_package - left_out == {name for name in files if name.startswith("satdoku/")}
    assert {f"{prefix}.dist-info/licenses/{name}" for name in ("LICENSE", "NOTICE")} <= files.keys()
    said = files[f"{prefix}.dist-info/METADATA"].decode()
    pictures = re.findall(r'src="([^"]+)"', said)
    place = f"{CONFIG['project']['urls']['Source']}/raw/v{satdoku.__version__}/docs/"
    assert pictures and all(target.startswith(place) for target in pictures)
    assert not re.search(r"\]\((?!https?:|#)", said)


def test_every_header_makes_its_extension_anew():
    """`depends` names what setuptools must look at: a header that is not there would be stale."""
    headers = set()
    for extension in CONFIG["tool"]["setuptools"]["ext-modules"]:
        assert extension["optional"] and extension["py-limited-api"]
        sources = extension["sources"]
        included = set().union(*map(_included, sources))
        assert sorted(extension["depends"]) == sorted(included - {*sources}), extension["name"]
        headers |= included
    assert headers == {str(path.relative_to(ROOT)) for path in (ROOT / "satdoku").rglob("*.h")}


def _included(file):
    """What a file of C includes of ours, and what that includes."""
    names = re.findall(r'# *include "([^"]+)"', (ROOT / file).read_text())
    beside = {os.path.normpath(Path(file).parent / name) for name in names}
    return beside.union(*map(_included, beside))
