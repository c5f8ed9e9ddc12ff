"""Sentences of rated steps: one of each technique and type, word for word, by the public way."""

from functools import cache
from pathlib import Path

import pytest
from scenes import scene

from satdoku import explain_steps
from satdoku.explain.named_words import REASONS, sentence
from satdoku.ratings.scale import steps_of
from satdoku.ratings.step import TECHNIQUES
from satdoku.runtime.errors import WitnessError

LINES = Path(__file__).with_name("sentences.txt").read_text().splitlines()
SENTENCES = [line.split("|") for line in LINES if not line.startswith("#")]
UNSEEN = {"direct claiming", "bidirectional X-cycle", "forcing X-chain"}  # in no known puzzle


@cache
def told(puzzle):
    """The technique, type and sentence of each step of a puzzle."""
    records = steps_of(bytes(int(digit) if digit.isdigit() else 0 for digit in puzzle))
    steps = explain_steps(puzzle, named=True)
    return {
        (rated.technique, rated.level, step.words.partition(f" ({step.rating})")[2])
        for rated, step in zip(records, steps, strict=True)
    }


@pytest.mark.parametrize(
    ("technique", "level", "puzzle", "reason"), SENTENCES, ids=[" ".join(s[:2]) for s in SENTENCES]
)
def test_a_step_says_why_it_works(technique, level, puzzle, reason):
    assert (technique, int(level), reason) in told(puzzle)


def test_every_technique_has_a_sentence_here():
    assert {technique for technique, *_ in SENTENCES} == set(TECHNIQUES) - UNSEEN


def test_the_wings_of_sets_and_the_chains_alone_are_told_by_no_entry_of_their_own():
    chains = {name for name in TECHNIQUES if "chain" in name or "cycle" in name}
    wings = {name for name in TECHNIQUES if name.endswith("WXYZ-wing")}
    singles = {"hidden single", "naked single"}
    assert REASONS.keys() | singles | chains | wings == set(TECHNIQUES)


def test_direct_claiming_names_line_box_and_single():
    step = scene(
        "direct claiming",
        places={1: ["r1c1", "r1c2", "r2c1", "r2c2", "r2c5"]},
        placed="r2c5=1",
        cells=["r1c1", "r1c2"],
        houses=["row 2"],
    )
    assert sentence(step, 0, []) == (
        "r2c5=1: direct claiming (1.9): 1 in row 1 stands only in r1c1 and r1c2, so no other cell "
        "of box 1 is 1, and row 2 has no place left for it but r2c5"
    )


def test_links_whose_ends_are_not_found_are_refused():
    step = scene(
        "skyscraper",
        places={1: ["r1c1", "r1c5", "r5c2", "r5c6", "r9c9"]},
        struck=["r9c9=1"],
        cells=["r1c1", "r1c5", "r5c2", "r5c6"],
        digits=(1,),
        houses=["row 1", "row 5"],
    )
    with pytest.raises(WitnessError, match="ends of its links are not found"):
        sentence(step, 0, [])


def test_cells_that_exclude_nothing_are_refused():
    places = {digit: ["r1c1", "r1c2"] for digit in (1, 2, 3)}
    cells = ["r1c1", "r1c2"]
    step = scene("aligned pair exclusion", places=places, struck=["r1c1=1"], cells=cells)
    with pytest.raises(WitnessError, match="r1c1 and r1c2 exclude nothing"):
        sentence(step, 0, [])
