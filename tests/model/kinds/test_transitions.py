"""Texts of state machines: what they say, how they are written, what is refused."""

from random import Random

import pytest

from satdoku.model.board import Board
from satdoku.model.clue import ClueError
from satdoku.model.kinds.transitions import BREAK, LONGEST, Transition, Transitions, machine

NINE = Board.of_size(9)


def test_a_text_is_transitions_and_ends():
    read = machine("even-[2468]>even,even-[^2468]>odd,odd-.>even,even*", 9)
    even, odd, every = (frozenset(d) for d in ((2, 4, 6, 8), (1, 3, 5, 7, 9), range(1, 10)))
    assert read == (
        "even",
        (Transition("even", even, "even"), Transition("even", odd, "odd"),
         Transition("odd", every, "even")),
        {"even"},
    )  # fmt: skip
    assert machine("b*,a-3>b", 4).start == "b"
    assert machine("a-[^1-4]>b,b*", 4).transitions == (Transition("a", frozenset(), "b"),)
    assert machine("a-[B-C]>a,a*", 12).transitions[0].digits == {11, 12}


def test_a_slash_is_read_between_groups():
    read = machine("a-1>b,b-/>a,b*", 9)
    assert read.transitions[1] == Transition("b", frozenset({BREAK}), "a")
    assert read.breaks
    assert not machine("a-.>a,a*", 9).breaks


def test_blanks_and_case_say_nothing():
    assert Transitions().read(" A - [1b] > s_1 , S_1 * ", Board.of_size(12)) == "a-[1B]>s_1,s_1*"


@pytest.mark.parametrize(("text", "problem"), [
    ("", "machine column 1: '': expected a-[12]>b, with digits from 1 to 9, a-/>b or b*"),
    ("a-1>b,b-12>c,c*", "machine column 7: 'b-12>c': expected"),
    ("a-[0]>b,b*", "machine column 1: 'a-[0]>b': expected"),
    ("a-1>b,,b*", "machine column 7: ''"),
    ("a-1>b,b*,", "machine column 10: ''"),
    ("a->b,b*", "machine column 1: 'a->b'"),
    ("a-1+>b,b*", "machine column 1: 'a-1+>b'"),
    ("1-a>b,b*", "machine column 1: '1-a>b'"),
    ("a-1>b", "it has no end, such as b*"),
    ("a*", "it has no transition, such as a-[12]>b"),
    ("a-[1/]>b,b*", "machine column 1: 'a-[1/]>b'"),
    ("a-1>b," * 3400 + "b*", f"a machine of 20,402 characters: expected at most {LONGEST:,}"),
])  # fmt: skip
def test_what_is_wrong_is_told_with_its_column(text, problem):
    with pytest.raises(ClueError) as raised:
        Transitions().read(text, NINE)
    assert problem in str(raised.value)


def test_guesses_are_machines():
    for size in (4, 9, 16):
        for digits in ([1], [3, 2, 4, 1]):
            for text in Transitions().guesses(digits, size, Random(size)):
                assert Transitions().read(text, Board.of_size(size)) == text
