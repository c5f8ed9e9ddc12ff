"""The pattern by which a candidate leaves within a chain is named from what has left before."""

import pytest
from scenes import candidate, state_of

from satdoku.explain import explain_steps
from satdoku.explain.inner_words import pattern_words
from satdoku.ratings.step import Node
from satdoku.runtime.errors import WitnessError

BOX = {1: ["r1c1", "r1c2", "r2c1", "r1c9"]}
PAIR = {digit: ["r1c1", "r1c2", "r1c9"] for digit in (1, 2, 3)}
HIDDEN = {1: ["r1c1", "r1c2", "r1c5"], 2: ["r1c1", "r1c2"]}
FISH = {1: ["r1c1", "r1c9", "r1c5", "r5c1", "r5c9", "r9c9", "r8c8"]}


@pytest.mark.parametrize(
    ("places", "gone", "node", "words"),
    [
        (BOX, ["r2c1=1"], "r1c9≠1", "1 in box 1 only in row 1"),
        (HIDDEN, ["r1c5=1"], "r1c1≠9", "hidden pair 1, 2 in row 1"),
        (FISH, ["r1c5=1", "r8c8=1"], "r9c9≠1", "X-wing 1, rows 1 and 5"),
        ({}, ["r5c5=5"], "r1c1≠1", "an inner chain from r5c5≠5"),
        ({}, [f"r9c{column}=5" for column in range(1, 6)], "r1c1≠1", "an inner chain"),
    ],
)
def test_what_has_left_makes_the_pattern(places, gone, node, words):
    parents = tuple(range(1, len(gone) + 1))
    strand = [Node(candidate(node), False, "pattern", parents)]
    strand += [Node(candidate(name), False, "row", ()) for name in gone]
    assert pattern_words(strand[0], strand, state_of(places), 2) == words


def test_a_naked_pair_is_what_two_cells_have_left():
    gone = [f"{cell}={digit}" for cell in ("r1c1", "r5c1") for digit in range(3, 10)]
    strand = [Node(candidate("r9c1≠1"), False, "pattern", tuple(range(1, len(gone) + 1)))]
    strand += [Node(candidate(name), False, "row", ()) for name in gone]
    assert pattern_words(strand[0], strand, state_of({}), 1) == "naked pair r1c1, r5c1"


def test_what_no_pattern_strikes_is_refused_where_no_chains_are_within():
    strand = [Node(candidate("r1c1≠1"), False, "pattern", (1,))]
    strand += [Node(candidate("r5c5≠5"), False, "row", ())]
    with pytest.raises(WitnessError, match="r1c1≠1 does not follow by a pattern"):
        pattern_words(strand[0], strand, state_of({}), 1)


def test_a_famous_puzzle_names_its_patterns():
    """Inkala's of 2010 needs chains with patterns and chains in them."""
    puzzle = "..53.....8......2..7..1.5..4....53...1..7...6..32...8..6.5....9..4....3......97.."
    steps = [step for step in explain_steps(puzzle, named=True) if step.rating >= 9]
    told = " ".join(step.words for step in steps)
    assert "only in column" in told and "an inner chain" in told and "(pattern)" not in told
