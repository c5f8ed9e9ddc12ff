"""The README's tour prints what it shows; a line that ends in `...` may go on in any way."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
BLOCKS = re.findall(r"```console\n(.*?)```", README, re.DOTALL)


def session_of(block):
    """Pairs of a command and the lines it must print, stderr before stdout."""
    parts = re.split(r"^\$ (.*)\n", block, flags=re.MULTILINE)[1:]
    return [
        (command, text.splitlines()) for command, text in zip(parts[::2], parts[1::2], strict=True)
    ]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    place = tmp_path_factory.mktemp("readme")
    shutil.copytree(ROOT / "puzzles", place / "puzzles")
    return place


@pytest.mark.parametrize("block", BLOCKS, ids=range(len(BLOCKS)))
def test_the_tour_prints_what_it_shows(block, place):
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for command, expected in session_of(block):
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=place,
            env={**os.environ, "PATH": path},
            capture_output=True,
            text=True,
        )
        printed = (done.stderr + done.stdout).splitlines()
        assert len(printed) == len(expected), (command, printed)
        for line, wanted in zip(printed, expected, strict=True):
            start = wanted.removesuffix("...")
            assert line == wanted or (start != wanted and line.startswith(start)), command


def test_the_readme_has_its_two_commands():
    for name in ("main", "tests"):
        assert re.search(rf"<!-- {name} -->\n```sh\n\S.*\n```", README)
    assert len(BLOCKS) >= 6


def test_the_python_examples_run():
    (code,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    setup = "import numpy\ndigits = numpy.zeros((2, 81), numpy.uint8)\n"
    subprocess.run([sys.executable, "-c", setup + code], check=True, cwd=ROOT)
