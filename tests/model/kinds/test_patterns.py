"""Regular expressions: what is read, what is refused and where.
Texts of state machines: what they say, how they are written, what is refused.
"""

from __future__ import annotations

import re
from random import Random

import pytest
from clue_examples import random_pattern

from satdoku.model.board import Board
from satdoku.model.clue import ClueError
from satdoku.model.kinds import clue_of
from satdoku.model.kinds.patterns import (
    BREAK,
    LONGEST,
    MOST_LETTERS,
    Choice,
    Letter,
    Machine,
    Pattern,
    Sequel,
    Transition,
    Transitions,
    machine,
    machine_text,
    one_of,
    parse,
)

NINE, SIXTEEN = Board.of_size(9), Board.of_size(16)

UP_TO_4, UP_TO_9 = range(1, 5), range(1, 10)


@pytest.mark.parametrize("size", [4, 9, 25])
def test_what_is_read_python_reads_as_well(size):
    rng = Random(size)
    for _ in range(300):
        text = random_pattern(rng, min(size, 9))
        parse(text, range(1, size + 1))
        re.compile(text)


@pytest.mark.parametrize("size", [4, 16])
def test_a_guess_is_a_pattern_that_the_digits_match(size):
    rng, letters = Random(size), ".123456789ABCDEFG"
    for length in range(1, 7):
        digits = [rng.randint(1, size) for _ in range(length)]
        for text in Pattern().guesses(digits, size, rng):
            parse(text, range(1, size + 1))
            assert re.fullmatch(text, "".join(letters[digit] for digit in digits)), text


@pytest.mark.parametrize("text, canonical", [
    ("REGEX = .*(12|21).* : r1c1-r1c9", "regex=.*(12|21).*:row1"),
    ("regex=1{2,3}|[^4-6]{2}:r1c9,r1c8", "regex=1{2,3}|[^4-6]{2}:r1c9,r1c8"),  # order is kept
    ("regex=(|1)()*2{3,}:-col1", "regex=(|1)()*2{3,}:-col1"),
])  # fmt: skip
def test_the_canonical_text_is_stable(text, canonical):
    assert clue_of(text, NINE).text(NINE) == canonical
    assert clue_of(canonical, NINE).text(NINE) == canonical


def test_letters_are_digits_of_large_boards():
    assert clue_of("regex=[a-c]G*:row1", SIXTEEN).value == "[A-C]G*"
    with pytest.raises(ClueError, match="column 1: 'A': expected a digit from 1 to 9"):
        clue_of("regex=A:row1", NINE)


@pytest.mark.parametrize("text, problem", [
    ("", "no pattern"),
    ("0", "column 1: '0': expected a digit from 1 to 9"),
    ("12x", "column 3: 'X': expected a digit"),
    ("1 2", "column 2: ' ': expected a digit"),
    (r"\d", r"column 1: '\': expected a digit"),
    ("^1$", "column 1: '^': expected a digit"),
    ("1(2", "column 4: end: expected ')'"),
    ("1)2", "column 2: ')': expected '(' before it"),
    ("(?1)", "column 2: '?': expected a digit"),
    ("*1", "column 1: '*': expected a digit"),
    ("1|+", "column 3: '+': expected a digit"),
    ("1*?", "column 3: '?': expected parentheses around what is repeated twice"),
    ("1{2}{3}", "column 5: '{': expected parentheses"),
    ("1{,3}", "column 2: '{': expected {2}, {2,} or {2,3}"),
    ("1{3,2}", "column 2: '{': expected 3 or more behind the comma"),
    ("1{2", "column 2: '{': expected {2}"),
    ("1{1000}", "column 2: '{': expected {2}"),
    ("1{٣}", "column 2: '{': expected {2}"),
    ("[]1", "column 2: ']': expected a digit"),
    ("[^]", "column 3: ']': expected a digit"),
    ("[12", "column 4: end: expected a digit"),
    ("[3-1]", "column 4: '1': expected a digit from 3 on"),
    ("[1-]", "column 4: ']': expected a digit"),
    ("٣", "column 1: '٣': expected a digit"),
    ("(" * 21 + "1" + ")" * 21, "column 21: '(': expected at most 20 within one another"),
    ("1" * (LONGEST + 1), "a pattern of 201 characters: expected at most 200"),
    ("(1{99}){3}", f"more than {MOST_LETTERS} digits"),
    ("(((){999}){999}){999}", f"more than {MOST_LETTERS} digits"),
])  # fmt: skip
def test_what_is_wrong_is_told_with_its_column(text, problem):
    with pytest.raises(ClueError, match=re.escape(problem)):
        clue_of(f"regex={text}:row1", NINE)


def test_a_text_is_transitions_and_ends():
    read = machine("even-[2468]>even,even-[^2468]>odd,odd-.>even,even*", UP_TO_9)
    even, odd, every = (frozenset(d) for d in ((2, 4, 6, 8), (1, 3, 5, 7, 9), range(1, 10)))
    assert read == (
        "even",
        (Transition("even", even, "even"), Transition("even", odd, "odd"),
         Transition("odd", every, "even")),
        {"even"},
    )  # fmt: skip
    assert machine("b*,a-3>b", UP_TO_4).start == "b"
    assert machine("a-[^1-4]>b,b*", UP_TO_4).transitions == (Transition("a", frozenset(), "b"),)
    assert machine("a-[B-C]>a,a*", range(1, 13)).transitions[0].digits == {11, 12}


def test_a_slash_is_read_between_groups():
    read = machine("a-1>b,b-/>a,b*", UP_TO_9)
    assert read.transitions[1] == Transition("b", frozenset({BREAK}), "a")
    assert read.breaks
    assert not machine("a-.>a,a*", UP_TO_9).breaks


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
    ("a-1>b," * 17000 + "b*", "a machine of 102,002 characters: expected at most 100,000"),
])  # fmt: skip
def test_what_is_wrong_is_told_with_its_column_of_transitions(text, problem):
    with pytest.raises(ClueError) as raised:
        Transitions().read(text, NINE)
    assert problem in str(raised.value)


def test_guesses_are_machines():
    for size in (4, 9, 16):
        for digits in ([1], [3, 2, 4, 1]):
            for text in Transitions().guesses(digits, size, Random(size)):
                assert Transitions().read(text, Board.of_size(size)) == text


def test_a_machine_is_written_as_it_is_read():
    moves = [(4, 1, 4), (4, 3, 4), (4, BREAK, 7), (7, 2, 7), (7, 4, 4)]
    text = machine_text(moves, {7}, 4, UP_TO_4)
    assert text == "s0-/>s1,s0-[13]>s0,s1-2>s1,s1-4>s0,s1*"
    assert machine(text, UP_TO_4) == Machine(
        "s0",
        (
            Transition("s0", frozenset({BREAK}), "s1"),
            Transition("s0", frozenset({1, 3}), "s0"),
            Transition("s1", frozenset({2}), "s1"),
            Transition("s1", frozenset({4}), "s0"),
        ),
        frozenset({"s1"}),
    )
    assert machine(machine_text([], {0}, 0, UP_TO_4), UP_TO_4).start == "s0"


def test_negative_digits_have_no_machine():
    with pytest.raises(ClueError, match="digits -1 to 2: expected 0 to 25"):
        machine("a-.>a,a*", (-1, 0, 1, 2))


@pytest.mark.parametrize("digits", [UP_TO_4, UP_TO_9, (0, 2, 5, 11)])
def test_one_of_is_read_back(digits):
    for count in range(1, len(digits) + 1):
        some = frozenset(Random(count).sample(list(digits), count))
        assert parse(one_of(some, digits), digits) == Choice((Sequel((Letter(some),)),))
