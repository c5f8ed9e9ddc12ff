"""docs/RATINGS.md shows puzzles, each with a technique of its solution and its rating."""

import re
from pathlib import Path

import pytest

from satdoku.ratings import scale
from satdoku.ratings.scale import steps_of
from satdoku.ratings.step import TECHNIQUES

PAGE = (Path(__file__).parent.parent / "docs" / "RATINGS.md").read_text()
ROW = r"^\| ([^|]+) \| [^|]+ \| `([.\d]{81})` \| ([\d.]+)( \*)? \|$"
EXAMPLES = re.findall(ROW, PAGE, re.MULTILINE)
RARE = {"direct claiming", "bidirectional X-cycle", "forcing X-chain"}


def digits_of(puzzle):
    return bytes(int(char) if char.isdigit() else 0 for char in puzzle)


def test_each_technique_has_an_example_or_is_said_to_be_rare():
    named = [technique for technique, *_ in EXAMPLES]
    assert len(named) == len(set(named))
    assert set(TECHNIQUES) - set(named) == RARE
    assert all(technique in PAGE for technique in RARE)


@pytest.mark.skipif(not scale.AVAILABLE, reason="the C extension is not there")
@pytest.mark.parametrize(("technique", "puzzle", "er", "star"), EXAMPLES)
def test_an_example_has_the_technique_and_the_rating(technique, puzzle, er, star):
    steps = list(steps_of(digits_of(puzzle)))
    hardest = max(steps, key=lambda step: step.rating)
    assert hardest.rating == round(10 * float(er))
    assert technique in {step.technique for step in steps}
    assert (technique == hardest.technique) == (not star)
