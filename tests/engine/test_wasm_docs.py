"""docs/JAVASCRIPT.md: its examples run in node and print what they show."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from node import node

from satdoku.engine import wasm

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "JAVASCRIPT.md").read_text()
EXAMPLES = re.findall(r"^```js\n(.*?)^```\n\n```text\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
COMMANDS = re.findall(r"^\$ satdoku (.*)$", PAGE, re.MULTILINE)
BETWEEN = "----"  # the examples


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    """What the examples print, one after the other as one script."""
    command = node()
    place = tmp_path_factory.mktemp("page")
    (place / "node_modules").mkdir()
    (place / "node_modules" / "satdoku").symlink_to(wasm.FOLDER, target_is_directory=True)
    for words in COMMANDS:
        by_shell = f"{sys.executable} -P -m satdoku {words}"
        subprocess.run(["bash", "-c", by_shell], cwd=place, check=True)
    code = f"\nconsole.log({BETWEEN!r});\n".join(example for example, _ in EXAMPLES)
    (place / "page.mjs").write_text(code)
    done = subprocess.run([command, "page.mjs"], cwd=place, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.split(f"{BETWEEN}\n")


def test_every_block_of_the_page_is_an_example():
    assert len(EXAMPLES) == len(re.findall(r"^```js$", PAGE, re.MULTILINE)) >= 5


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_the_examples_print_what_they_show(number, printed):
    assert printed[number] == EXAMPLES[number][1]
