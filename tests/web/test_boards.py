"""Boards for the page: what it is told, forms and back, and values that are set in layers."""

import json

import pytest
from web_client import state

from satdoku.model.constraints import constraints_for
from satdoku.runtime.errors import SatdokuError
from satdoku.web import boards
from satdoku.web.asked import asked_puzzle

BOARDS = (
    "classic",
    "latin=5",
    "boxes=2x6",
    "jigsaw=0001011122223333",
    "shape=4x6",
    "shape=4x4,digits=-1-3,no-columns",
    "shape=4x4,digits=0-5,latin,no-rows",
    "shape=6x6;holes:r1c1,r1c6,r6c1,r6c6",
    "shape=4x4;grids:r1c1,r3c3",
    "samurai",
    "shape=2x3,digits=1-3,jigsaw=00011.",
    "shape=4x4;layer=shade:0-1;layer=total*2:3,5,30",
)


def one(answers):
    (found,) = answers
    return json.loads(json.dumps(found))


@pytest.mark.parametrize("rules", [rules for rules in BOARDS if "jigsaw=00011" not in rules])
def test_a_form_is_read_as_the_board_that_it_was_made_of(rules):
    board = constraints_for(rules).board
    assert boards.board_of(json.loads(json.dumps(boards.form_of(board)))) == board
    assert boards.form_of(board).keys() == boards.FORM.keys()


@pytest.mark.parametrize("rules", ["knight", "shape=4x4;layer=shade:0-1;holes:r2c2"])
def test_a_board_is_told_with_its_places_names_and_characters(rules):
    constraints = constraints_for(rules)
    told, board = boards.about(constraints), constraints.board
    assert [tuple(place) for place in told["places"]] == list(board.places)
    assert told["names"][-1] == board.name_of(board.cells - 1) and len(told["names"]) == board.cells
    assert constraints_for(";".join([*told["rules"], *told["words"]])) == constraints
    assert told["characters"][0] == "." and len(told["characters"]) == 1 + len(told["digits"])
    assert [layer["first"] for layer in told["layers"]] == list(board.first_of.values())


def test_characters_and_boxes():
    def told(rules):
        return boards.about(constraints_for(rules))

    assert told("latin=12")["characters"][9:] == ["9", "A", "B", "C"]
    assert told("shape=4x4,digits=0-3")["characters"] == [".", "0", "1", "2", "3"]
    negative = told("latin,shape=2x3,digits=-1-1")
    assert (negative["characters"], negative["separator"]) == ([".", "-1", "0", "1"], " ")
    assert told("boxes=6x2")["boxes"] == ["3x4", "2x6", "4x3", "6x2"]
    assert told("latin=5")["boxes"] == [] and told("latin=5")["regions"] is None
    assert told("shape=4x6")["boxes"][0] == "2x3" and "2x2" in told("shape=4x6")["boxes"]


def moved(form, puzzle, *more):
    return one(boards.board({"puzzle": state(puzzle, *more), "form": form}))["puzzle"]


def test_a_puzzle_moves_to_another_board_with_all_that_it_states():
    marks = [[1, 2]] + [[1, 2, 3, 4]] * 15
    asked = {"puzzle": state("..3............4", "knight", ["white:r1c2,r1c3"], candidates=marks)}
    made = one(boards.board(asked | {"form": {"shape": "4x4", "holes": ["r4c1"]}}))["puzzle"]
    assert made["rules"] == "knight,shape=4x4;holes:r4c1" and made["clues"] == ["white:r1c2,r1c3"]
    assert made["puzzle"] == "..3...........4"
    assert made["candidates"] == [[1, 2]] + [[1, 2, 3, 4]] * 14
    asked_puzzle({"puzzle": made})
    again = moved({"shape": "4x4", "digits": "0-4"}, "..3............4")
    assert (again["puzzle"], again["rules"]) == ("..3............4", "shape=4x4,digits=0-4")


def test_what_cannot_move_is_named():
    form = {"shape": "4x4", "holes": ["r1c1"]}
    with pytest.raises(SatdokuError, match="r1c1"):
        moved(form, "." * 16, None, ["odd:r1c1"])
    with pytest.raises(SatdokuError, match="r4c4=4: take this digit away first"):
        moved({"shape": "4x4", "digits": "0-3"}, "..3............4")
    layered = state("." * 16, "shape=4x4;layer=shade:0-1", ["no-square=1:shade"])
    with pytest.raises(SatdokuError, match="shade"):
        one(boards.board({"puzzle": layered, "form": {"shape": "4x4"}}))


def test_an_empty_puzzle_on_the_board_of_a_form():
    assert one(boards.board({"form": {}}))["puzzle"]["boxes"] == "3x3"
    made = one(boards.board({"form": {"shape": "2x3", "digits": "-1-1", "boxes": "none"}}))[
        "puzzle"
    ]
    assert (made["puzzle"], made["version"]) == (". . . . . .", 2)


@pytest.mark.parametrize(
    ("form", "words"),
    [
        (None, "expected an object"),
        ({"size": 9}, "no key 'size'"),
        ({"shape": 9}, "shape: expected a text"),
        ({"holes": [5]}, "holes: expected a list of texts"),
        ({"no-rows": 1}, "no-rows: expected true or false"),
        ({"shape": "4"}, "shape"),
        ({"shape": "4x4", "digits": "1-4;knight"}, "found ';'"),
        ({"layer": ["shade"]}, "expected a name and digits"),
        ({"shape": "17x17"}, "the page takes up to 16x16"),
        ({"grids": ["r1c1", "r31c31"]}, "up to 33x33"),
        ({"layer": [f"{name}:0-1" for name in "abcdefghijklmnopqrs"]}, "and 1500, with those"),
    ],
)
def test_a_wrong_form_is_refused(form, words):
    with pytest.raises(SatdokuError, match=words):
        one(boards.board({"form": form}))


# Values of layers ---------------------------------------------------------------------------------

LAYERED = "shape=4x4;layer=shade:0-1;layer=area:1-4;layer=total*1:3-9"


def put(clues, cells, digit):
    puzzle = state("." * 16, LAYERED, clues)
    return one(boards.value({"puzzle": puzzle, "cells": cells, "digit": digit}))["puzzle"]["clues"]


def test_a_value_is_set_changed_and_taken_away():
    other = ["white:r1c1,r1c2"]
    first = put(other, [16, 17], 2)
    assert first == [*other, "digits=1:shade.r1c1,shade.r1c2"]
    more = put(first, [20], 2)
    assert more == [*other, "digits=1:shade.r1c1,shade.r1c2,shade.r2c1"]
    assert put(more, [17], 1) == [
        *other, "digits=1:shade.r1c1,shade.r2c1", "digits=0:shade.r1c2"
    ]  # fmt: skip
    assert put(more, [17, 20], 2) == [*other, "digits=1:shade.r1c1"]  # they have it: away
    assert put(more, [16, 17, 20], 0) == other
    assert put(first, [32], 1) == [*first, "digits=1:area.r1c1"]  # another layer, the same value


def test_values_are_those_of_clues_that_set_one():
    clues = ["digits=1:shade.r1c1", "digits=1,2:area.r1c1", "digits=3:r1c1", "digits=4:area.r2c1",
             "digits=5:total"]  # fmt: skip
    assert boards.values(constraints_for(";".join([LAYERED, *clues]))) == [
        (16, 2),
        (36, 4),
        (48, 3),
    ]


@pytest.mark.parametrize(
    ("cells", "digit", "words"),
    [
        (None, 1, "expected a list of numbers"),
        ([0], 1, "expected some of one layer"),
        ([16, 32], 1, "expected some of one layer"),
        ([900], 1, "expected some of one layer"),
        ([16], 3, "digit: found 3, expected a number from 0 to 2"),
    ],
)
def test_a_wrong_value_is_refused(cells, digit, words):
    with pytest.raises(SatdokuError, match=words):
        put([], cells, digit)
