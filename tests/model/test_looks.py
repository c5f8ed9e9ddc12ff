"""Drawings that mean nothing: what is bounded and checked, and that no answer heeds them."""

from dataclasses import replace

import pytest
from examples import CLASSIC
from hypothesis import given, settings
from look_cases import LOOKS, WORDS
from soak import share

from satdoku import candidates, canonical, count, solve
from satdoku.model.looks import (
    LONGEST,
    MOST,
    MOST_POINTS,
    Cage,
    Line,
    LookError,
    Shape,
    bounded,
    first_of,
    paint,
)
from satdoku.model.puzzle import Puzzle, on_board

HERE = ((0.5, 0.5), (0.5, 1.5))


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (lambda: Line((HERE[0],)), "line of 1 point, expected two or more"),
        (lambda: Line(HERE, "red"), "colour 'red', expected #rrggbb"),
        (lambda: Line(HERE, "#12345"), "colour '#12345'"),
        (lambda: Line(HERE, width=0), "width of 0 or less"),
        (lambda: Line(HERE, width=float("nan")), "expected a number from -100 to 100"),
        (lambda: Line(((0, 1e9), (0, 0))), "expected a number from -100 to 100"),
        (lambda: Line(HERE, over="yes"), "over: expected true or false"),
        (lambda: Line("ab"), "expected two numbers"),
        (lambda: Shape((0, 0)), "nothing to see"),
        (lambda: Shape((0, 0), fill="#ffffff"), "nothing to see"),
        (lambda: Shape((0, 0), text=" \n"), "nothing to see"),
        (lambda: Shape((0, 0), (-1, 1), fill="#ffffff"), "size below 0"),
        (lambda: Shape((0, 0), text="x", font=0), "a font above 0"),
        (lambda: Shape((0, 0), text="x", angle=361), "expected a number from -360 to 360"),
        (lambda: Shape((0, 0), text="x" * (LONGEST + 1)), "a text of at most 200 characters"),
        (lambda: Shape((True, 0), text="x"), "expected a number"),
        (lambda: Cage(()), "cage without cells"),
        (lambda: Cage(((0.5, 0),)), "cage without cells"),
    ],
)
def test_what_is_wrong_is_refused_with_what_was_expected(make, problem):
    with pytest.raises(LookError, match=None) as error:
        make()
    assert problem in str(error.value)


def test_one_form_of_numbers_and_colours():
    assert Line(HERE, "#ABCDEFff") == Line(HERE, "#abcdef")
    assert Shape((0.12345, -0.0), text="x").at == (0.123, 0.0)
    assert Cage(((0, 0), (0.0, 0), (1, 0))).cells == ((0, 0), (1, 0))


def test_stripes_fill_the_cell():
    left, middle, right = paint(2, 5, ["#111111", "#222222", "#333333"])
    assert [round(s.at[1], 2) for s in (left, middle, right)] == [5.17, 5.5, 5.83]
    assert {s.size for s in (left, middle, right)} == {(1.0, 0.333)}


def test_there_are_no_more_than_a_picture_takes():
    many = [Shape((0, 0), text="x")] * (MOST + 1)
    with pytest.raises(LookError, match="1,001 drawings, expected at most 1,000"):
        bounded(many)
    long = [Line(((0, 0), (1, 1)) * 500)] * 6
    with pytest.raises(LookError, match="6,000 points of lines and cages, expected at most 5,000"):
        bounded(long)
    assert len(first_of(many)) == MOST
    assert sum(len(line.points) for line in first_of(long)) == MOST_POINTS


@settings(max_examples=share(25), deadline=None)
@given(LOOKS, WORDS)
def test_no_answer_and_no_form_heeds_drawings_or_words(looks, words):
    plain = Puzzle(*on_board("1.....2....3.4.."))
    drawn = replace(plain, looks=looks, words=words, title=words, author=words)
    for ask in (solve, count, candidates):
        assert ask(drawn) == ask(plain)
    assert canonical([drawn.grid])[0].tobytes() == canonical([plain.grid])[0].tobytes()
    assert drawn.record() == plain.record()


def test_a_classic_puzzle_is_solved_alike():
    plain = Puzzle(*on_board(CLASSIC))
    assert solve(replace(plain, looks=(Line(HERE),))) == solve(plain)
