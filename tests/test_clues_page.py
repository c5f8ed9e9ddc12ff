"""docs/CLUES.md shows every kind of clue with what is true of it.

`python tests/test_clues_page.py` writes the headings and draws the pictures anew.
"""

import contextlib
import io
import re
import shlex
import textwrap
from pathlib import Path

import pytest
from clue_examples import keeps

from satdoku.answers.api import classify, solve
from satdoku.cli import main
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.model.kinds import ALIASES, KINDS
from satdoku.model.other_names import usual_names
from satdoku.runtime.errors import Status

DOCS = Path(__file__).parent.parent / "docs"
PAGE = (DOCS / "CLUES.md").read_text()
SECTION = re.compile(
    r"^(?P<heading>### [^\n]*\(`(?P<kind>[\w-]+)`[^\n]*\)\n\n)(?P<also>\*Also called .*?\.\*\n\n)?"
    r"(?P<text>.*?)(?=^##|\Z)",
    re.DOTALL | re.MULTILINE,
)
SECTIONS = {found["kind"]: found["text"] for found in SECTION.finditer(PAGE)}


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


def heading_of(kind):
    """The titles of a kind and of its values, what a clue is written by, and all other names."""
    named = {}
    for text, means in usual_names(KINDS[kind]):
        named.setdefault(means, []).append(text)
    titles = ", ".join(texts[0] for texts in named.values())
    written = [kind, *(name for name, (of, _) in ALIASES.items() if of == kind)]
    others = dict.fromkeys(text for _, *texts in named.values() for text in texts)
    also = textwrap.fill(f"*Also called {', '.join(others)}.*\n\n", 115) if others else ""
    codes = ", ".join(f"`{name}`" for name in written)
    return f"### {titles} ({codes})\n\n{also}{also and chr(10) * 2}"


@pytest.mark.parametrize("kind", KINDS)
def test_a_heading_has_the_usual_names(kind):
    (found,) = (found for found in SECTION.finditer(PAGE) if found["kind"] == kind)
    assert found["heading"] + (found["also"] or "") == heading_of(kind)


def test_the_page_tells_the_other_names():
    rows = re.findall(r"^\| `(\S+)` \| `(\S+)` \|$", PAGE, re.MULTILINE)
    assert dict(rows) == {name: f"{kind}={value}" for name, (kind, value) in ALIASES.items()}


@pytest.mark.parametrize("kind", KINDS)
def test_a_section_holds_the_sentence_and_a_text_of_the_kind(kind):
    said = " ".join(SECTIONS[kind].split())
    sentence = KINDS[kind].meaning("*value*")
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
    page = SECTION.sub(lambda found: heading_of(found["kind"]) + found["text"], PAGE)
    (DOCS / "CLUES.md").write_text(page)
    for kind in KINDS:
        draw(kind, DOCS / "pictures" / f"{kind}.svg")
