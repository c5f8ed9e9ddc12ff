"""Hints in three strengths."""

from itertools import islice

import pytest
from examples import CLASSIC

from satdoku import explain_steps
from satdoku.explain.hints import STRENGTHS, hint_of

PUZZLE = "..86...3.....9..6...2..3.754.........1...2..6.3..1.5..87.........3..5.9.....8.3.."


@pytest.fixture(scope="module")
def steps():
    clues = "cage=14:r9c1,r9c2;cage=3:r1c1,r1c2;thermo:r5c1,r5c2,r5c3,r5c4,r5c5"
    variant = islice(explain_steps("." * 81, clues, named=True), 6)
    named = [*explain_steps(PUZZLE, named=True), *explain_steps(CLASSIC, named=True)]
    return [*named, *variant]


def test_the_first_tells_neither_technique_nor_digit_nor_conclusion(steps):
    for step in steps:
        hint = hint_of(step, 1)
        assert hint.words.startswith("look at ") and step.technique not in hint.words
        assert set(hint.highlights) == {"house"} and hint.links == ()
        cells = hint.highlights["house"]
        assert cells and all(type(cell) is int for cell in cells)
        if not step.chain:  # what is placed or struck is near what is looked at
            near = {c for cell in cells for c in (cell, *step.board.peers[cell])}
            about = [step.placed] if step.placed else step.eliminated
            assert near & {cell for cell, _ in about}


def test_the_second_adds_the_technique_the_third_is_the_step(steps):
    for step in steps:
        where, technique, whole = (step.hint(strength) for strength in STRENGTHS)
        assert technique.words.endswith(where.words)
        assert technique.highlights == where.highlights
        assert technique.words == f"{step.technique}: {where.words}"
        assert (whole.words, whole.links) == (step.words, step.links)
        assert whole.highlights == step.highlights


def test_places_are_those_of_the_step():
    puzzle, cages = "." * 81, "cage=14:r9c1,r9c2;cage=3:r1c1,r1c2"
    first = next(explain_steps(puzzle, cages, named=True))
    assert hint_of(first, 1).words == "look at 14 cage r9c1-r9c2"
    assert hint_of(first, 2).words == "clue alone: look at 14 cage r9c1-r9c2"
    assert hint_of(first, 1).highlights == {"house": (72, 73)}
    single = next(explain_steps(CLASSIC, named=True))
    assert hint_of(single, 1).words == "look at box 2"
    assert hint_of(single, 1).as_data() == {"hint": 1, "words": "look at box 2"}


def test_a_chain_is_looked_for_where_it_begins(steps):
    step = next(step for step in steps if step.technique == "forcing chain")
    (cell, _), *_ = step.links[0][0]
    assert hint_of(step, 1).words == f"look at {step.board.name_of(cell)}"


def test_other_strengths_are_refused(steps):
    with pytest.raises(ValueError, match="strength 4: expected 1, 2 or 3"):
        steps[0].hint(4)
