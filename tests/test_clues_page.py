"""docs/CLUES.md shows every kind of clue with what is true of it.

`python tests/test_clues_page.py` draws the pictures anew.
"""

import contextlib
import io
import re
import shlex
from pathlib import Path

import pytest
from clue_examples import keeps

from satdoku.answers.api import classify, solve
from satdoku.cli import main
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.model.kinds import ALIASES, KINDS
from satdoku.runtime.errors import Status

DOCS = Path(__file__).parent.parent / "docs"
PAGE = (DOCS / "CLUES.md").read_text()
SECTIONS = dict(re.findall(r"^### (\S+)\n(.*?)(?=^##|\Z)", PAGE, re.DOTALL | re.MULTILINE))


def command_of(kind):
    """The words of the command, and what it prints."""
    ((command, printed),) = re.findall(r"```console\n\$ satdoku (.*)\n(.*)\n```", SECTIONS[kind])
    return shlex.split(command), printed


def printed_by(words):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert main(words) == 0
    return out.getvalue()


def draw(kind, name):
    (_, puzzle, _, rules), _ = command_of(kind)
    assert main(["render", puzzle, "--rules", rules, "--solve", "-o", str(name)]) == 0
    return name.read_bytes()


def test_the_page_has_every_kind_in_the_order_of_the_table():
    assert list(SECTIONS) == list(KINDS)


def test_the_page_tells_the_other_names():
    rows = re.findall(r"^\| `(\S+)` \| `(\S+)` \|$", PAGE, re.MULTILINE)
    assert dict(rows) == {name: f"{kind}={value}" for name, (kind, value) in ALIASES.items()}


@pytest.mark.parametrize("kind", KINDS)
def test_a_section_holds_the_sentence_and_a_text_of_the_kind(kind):
    said = " ".join(SECTIONS[kind].split())
    sentence = KINDS[kind].sentence.replace("{value}", "*value*")
    assert f"{sentence[0].upper()}{sentence[1:]}: `{KINDS[kind].example}`." in said


@pytest.mark.parametrize("kind", KINDS)
def test_a_command_prints_what_is_shown_and_that_keeps_the_clue(kind):
    words, printed = command_of(kind)
    assert (words[0], words[2]) == ("solve", "--rules")
    assert printed_by(words) == f"{printed}\n"
    size = {16: 4, 36: 6}[len(words[1])]
    constraints = constraints_for(words[3], Board.of_size(size))
    assert kind in {clue.kind for clue in constraints.clues}
    solution = solve(words[1], constraints)
    assert str(solution) == printed
    grid = bytes(solution.values)  # layers stand behind the digits
    assert all(keeps(grid, clue, constraints.clues, size) for clue in constraints.clues)
    assert classify(words[1], constraints) is Status.UNIQUE
    without = "latin" if constraints.board.layers else "classic"
    assert classify(words[1], without) is Status.MULTIPLE  # without the clue


@pytest.mark.parametrize("kind", KINDS)
def test_a_picture_is_that_of_its_command(kind, tmp_path):
    assert f'<img src="pictures/{kind}.svg"' in SECTIONS[kind]
    shown = DOCS / "pictures" / f"{kind}.svg"
    assert draw(kind, tmp_path / "drawn.svg") == shown.read_bytes()


if __name__ == "__main__":
    for kind in KINDS:
        draw(kind, DOCS / "pictures" / f"{kind}.svg")
