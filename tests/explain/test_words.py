"""Explanations in words."""

from itertools import islice

from examples import CLASSIC

from satdoku import explain_steps


def test_the_classic_puzzle_in_words():
    steps = list(explain_steps(CLASSIC))
    assert len(steps) == 67
    assert [step.words for step in steps[:1]] == [
        "r1c4=8: the only place for 8 in box 2 (hidden single)"
    ]
    assert steps[4].words == "r7c6=1: the only digit left in r7c6 (naked single)"
    row = "row 1 has 4 only in r1c7 and r1c9, all of box 3 (claiming): no 4 in r2c7 and r2c8"
    pair = "r8c4 and r8c5 hold only 4 and 7 (naked pair in row 8): no 4 or 7 in r8c7-r8c9"
    assert {row, pair} <= {step.words for step in steps}
    assert max(step.size for step in steps) == 4


def test_a_chain_names_its_clues():
    rules = "difference=2:r1c1,r1c2;ratio=2:r1c2,r2c4"
    words = [step.words for step in explain_steps("." * 12 + "...1", rules)]
    assert words[0] == "black dot r1c2-r2c4 never holds 3: no 3 in r1c2 and r2c4"
    dot = "(black dot r1c2-r2c4)"
    assert f"no 2 in r1c3: otherwise r1c2=1 (row 1), but r2c4 is 4 {dot}" in words


def test_a_chain_is_no_tautology_and_tells_what_a_clue_still_has():
    """By the same units what follows from each; the last phrase tells why the clue breaks."""
    rules = "shape=6x6;renban:r1c1-r1c3;whisper=3:r2c1-r2c4;cage=8:r3c1,r3c2,r4c1;thermo:r5c1-r5c4"
    words = [step.words for step in islice(explain_steps("." * 36, rules), 10)]
    whisper = "(whisper r2c1-r2c4)"
    assert words[3:6] == [
        f"no 3 in r2c2: otherwise r2c1=6 {whisper}, but r2c3 is at most 5 {whisper}; "
        "by the same units no 3 in r2c3",
        f"no 4 in r2c2: otherwise r2c1=1 {whisper}, but r2c3 is at least 2 {whisper}; "
        "by the same units no 4 in r2c3",
        "no 1 in r3c3: otherwise 8 cage at r3c1 has no place left for 1; "
        "by the same units no 1 in r4c2 and r4c3",
    ]
    assert words[8] == (
        "row 1 has 4 only in r1c1-r1c3, none of which allows it (renban r1c1-r1c3): no 1 in r1c2"
    )


def test_a_chain_without_consequences_does_not_begin_with_and():
    words = [step.words for step in islice(explain_steps("." * 36, "antiqueen,king"), 3)]
    assert words[0].startswith("no 6 in r2c5: otherwise each of r1c1=6, ")
