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
    by = "(by difference 2 at r1c1-r1c2)"
    chain = f"no 1 in r1c2: otherwise row 1 has no place left for 2 {by}"
    assert f"{chain}; by the same units no 3 in r1c1" in words


def test_a_chain_without_consequences_does_not_begin_with_and():
    words = [step.words for step in islice(explain_steps("." * 36, "antiqueen,king"), 3)]
    assert words[0].startswith("no 6 in r2c5: otherwise each of r1c1=6, ")
