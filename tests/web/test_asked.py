"""Requests read: nothing in them is believed."""

import pytest
from web_client import CLASSIC, state

from satdoku.runtime.errors import SatdokuError
from satdoku.web import asked as module


def test_the_state_of_the_page_and_back():
    value = state(CLASSIC, "knight", ["odd:r1c1"], boxes="3x3", title="<b>", author="me")
    puzzle = module.asked_puzzle({"puzzle": value})
    assert module.stated(puzzle) == value
    assert puzzle.rules == "knight;odd:r1c1"


def test_candidates_and_back():
    marks = [[1, 2]] + [[1, 2, 3, 4]] * 15
    value = state("." * 16, candidates=marks)
    puzzle = module.asked_puzzle({"puzzle": value})
    assert module.stated(puzzle)["candidates"] == marks
    with pytest.raises(module.AskedError, match="pencil marks"):
        module.asked_puzzle({"puzzle": value}, marks=False)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"puzzle": 5}, "puzzle: found a number"),
        ({"puzzle": "1"}, "found 1 cell"),
        ({"puzzle": "\0" * 81}, "puzzle"),
        ({"puzzle": "." * 6561}, "puzzle"),
        ({"rules": "nothing"}, "no rule"),
        ({"rules": ["knight"]}, "rules: found a list"),
        ({"rules": "jigsaw=" + "0" * 81}, "region"),
        ({"clues": [5]}, "found a number among them"),
        ({"clues": ["thermo"]}, "thermo"),
        ({"clues": "or:" + "(" * 5000}, "clues"),
        ({"clues": ["odd:r1c1"] * 3 + ["cage=x:r1c1"]}, "value"),
        ({"boxes": "0x9"}, "boxes"),
        ({"boxes": "9" * 5000}, "boxes"),
        ({"candidates": [[1]]}, "found 1 cell"),
        ({"other": 1}, "no key 'other'"),
        ({"version": 10**400}, "expected 1"),
        ({"format": None}, "satdoku-puzzle"),
    ],
)
def test_what_is_wrong_is_named(changed, words):
    with pytest.raises(SatdokuError, match=words) as raised:
        module.asked_puzzle({"puzzle": {**state(CLASSIC), **changed}})
    assert not str(raised.value).startswith("puzzle: line")  # of a text that nobody has seen
    assert len(str(raised.value)) < 2000


@pytest.mark.parametrize("value", [None, [], "x", 5, True, float("nan")])
def test_a_puzzle_is_an_object(value):
    with pytest.raises(SatdokuError, match="puzzle: found"):
        module.asked_puzzle({"puzzle": value})


def test_plain_values():
    assert module.number_of({}, "n", 1, 9, 3) == 3 and module.number_of({"n": 9}, "n", 1, 9, 3) == 9
    for bad in (0, 10, 1.5, "1", True, 10**400, [1]):
        with pytest.raises(SatdokuError, match="n: found"):
            module.number_of({"n": bad}, "n", 1, 9, 3)
    assert module.text_of({"t": "x"}, "t") == "x" and module.text_of({}, "t", "y") == "y"
    with pytest.raises(SatdokuError, match="t: found null"):
        module.text_of({}, "t")
    assert module.flag_of({}, "f") is False and module.flag_of({"f": True}, "f") is True
    with pytest.raises(SatdokuError, match="f: found a number"):
        module.flag_of({"f": 1}, "f")
