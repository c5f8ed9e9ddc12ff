"""The picture under the page's digits, with what it says of each clue."""

import pytest
from web_client import CLASSIC, state

import satdoku
from satdoku.errors import SatdokuError
from satdoku.render.svg import render_background
from satdoku.web.picture import picture

EMPTY = {"format": "satdoku-puzzle", "version": 1, "puzzle": "." * 16}


def answer(**stated):
    (said,) = picture({"puzzle": {**EMPTY, **stated}})
    return said


def test_a_clue_is_said_in_words_with_its_value_and_cells():
    (clue,) = answer(clues=["cage=5: r2c2,r1c2"])["clues"]
    assert clue == {
        "text": "cage=5: r2c2,r1c2",
        "says": "the digits are different, and add up to 5 if the cage says so",
        "cells": [1, 5],
        "warning": "",
    }


def test_clues_keep_their_order_and_their_words():
    assert [c["text"] for c in answer(clues="v:r1c1,r1c2; odd:r4c4")["clues"]] == [
        "v:r1c1,r1c2",
        "odd:r4c4",
    ]


def test_a_clue_whose_cells_lie_apart_has_a_warning():
    (clue,) = answer(clues=["thermo:r1c1,r4c4"])["clues"]
    assert clue["warning"] == "thermo:r1c1,r4c4: r1c1 and r4c4 do not touch"


def test_a_clue_that_cannot_be_meant_is_refused():
    with pytest.raises(SatdokuError, match="3 different digits add up to 6-9, not 40"):
        answer(clues=["cage=40:r1c1-r1c3"])


def test_the_picture_has_no_digits():
    bare, full = answer(), answer(puzzle="1...............")
    assert bare["svg"].count("<text") == full["svg"].count("<text") == 0
    assert bare["width"] == bare["left"] * 2 + 4 * bare["cell"]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_is_that_of_render(web, theme):
    clues = ["thermo:r1c1,r2c1", "little-killer=20:r1c2-r3c4", "quadruple=1,2:r1c1,r1c2,r2c1,r2c2"]
    found = web.ask("picture", puzzle=state(CLASSIC, "diagonal", clues), theme=theme)
    rules = satdoku.constraints_for(";".join(["diagonal", *clues]))
    assert [clue["text"] for clue in found.pop("clues")] == clues
    assert found == render_background(rules, theme)._asdict()


def test_an_unknown_theme(web):
    answer = web.post("picture", puzzle=state(CLASSIC), theme="<b>")
    assert answer.json() == {"error": "theme: found '<b>', expected light or dark"}
