"""README and docs print what they show; a line that ends in `...` may go on in any way."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()


def blocks(text):
    return re.findall(r"```console\n(.*?)```", text, re.DOTALL)


TOUR = blocks(README)
MIRACLE = blocks((ROOT / "docs" / "MIRACLE.md").read_text())


def session_of(block):
    """Pairs of a command and the lines it must print, stderr before stdout."""
    parts = re.split(r"^\$ (.*)\n", block, flags=re.MULTILINE)[1:]
    return [
        (command, text.splitlines()) for command, text in zip(parts[::2], parts[1::2], strict=True)
    ]


def run(command, place):
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-c", command],
        cwd=place,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
    )


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    place = tmp_path_factory.mktemp("readme")
    shutil.copytree(ROOT / "puzzles", place / "puzzles")
    return place


@pytest.mark.parametrize("block", [*TOUR, *MIRACLE], ids=lambda block: block.split("\n")[0][:60])
def test_the_pages_print_what_they_show(block, place):
    for command, expected in session_of(block):
        done = run(command, place)
        printed = (done.stderr + done.stdout).splitlines()
        assert len(printed) == len(expected), (command, printed)
        for line, wanted in zip(printed, expected, strict=True):
            start = wanted.removesuffix("...")
            assert line == wanted or (start != wanted and line.startswith(start)), command


def test_the_readme_has_its_two_commands():
    for name in ("main", "tests"):
        assert re.search(rf"<!-- {name} -->\n```sh\n\S.*\n```", README)
    assert len(TOUR) >= 6
    assert len(MIRACLE) == 7


@pytest.mark.parametrize("page", ["README.md", "docs/MIRACLE.md"])
def test_the_pictures_are_those_of_their_commands(page, place):
    """What a page shows is, byte for byte, what the commands draw that it names."""
    text = (ROOT / page).read_text()
    for command in re.findall(r"`(satdoku [^`]* -o \S+\.svg)`", text):
        run(command, place)
    shown = re.findall(r'<img src="([^"]+\.svg)"', text)
    assert shown
    for source in shown:
        drawn = place / Path(source).name
        assert drawn.read_bytes() == ((ROOT / page).parent / source).read_bytes()


def test_the_python_examples_run():
    (code,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    setup = "import numpy\ndigits = numpy.zeros((2, 81), numpy.uint8)\n"
    subprocess.run([sys.executable, "-c", setup + code], check=True, cwd=ROOT)
