"""What the page is told of a puzzle."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from examples import CLASSIC, CLASSIC_SOLUTION

import satdoku
from satdoku.engine.wasm import plan_bytes
from satdoku.files.one import as_puzzle
from satdoku.model.board import BoardError
from satdoku.model.puzzle import digits_of
from satdoku.runtime.errors import SatdokuError
from satdoku.web.play.told import NO_FURTHER, UNTITLED, told

SMALL = "1.....2....3.4.."
SMALL_SOLUTION = satdoku.solve(SMALL)


def as_text(found):
    return json.dumps(found.data, separators=(",", ":"))


def test_a_puzzle_is_told_without_its_answer():
    found = told(as_puzzle(CLASSIC))
    assert (found.title, found.author) == (UNTITLED, "")
    assert found.words == (
        "Place the digits 1 to 9 so that every row, column and box holds each digit once.",
    )
    assert found.svg == satdoku.render_svg(CLASSIC, legend=False)
    assert found.plan == plan_bytes(satdoku.constraints_for("classic"))
    assert found.data["puzzle"] == CLASSIC
    assert sorted(map(len, found.data["houses"])) == [9] * 27
    assert all(digits == list(range(1, 10)) for digits in found.data["open"])
    assert CLASSIC_SOLUTION not in as_text(found)
    assert CLASSIC_SOLUTION not in as_text(found).replace(",", "")


def test_an_answer_that_a_puzzle_states_is_left_out():
    puzzle = replace(as_puzzle(SMALL), answer=SMALL_SOLUTION)
    assert told(puzzle) == told(as_puzzle(SMALL))


def test_progress_belongs_to_what_is_stated():
    """Other words for a puzzle leave its key, other givens, rules and marks change it."""
    puzzle = as_puzzle(SMALL)
    key = told(puzzle).data["key"]
    named = replace(puzzle, title="T", author="A", words="W")
    assert told(named).data["key"] == key
    marks = digits_of(b"\1" * 12 + b"\1\1\0\1" + b"\1" * 48, 4)
    others = [
        as_puzzle("2" + SMALL[1:]),
        as_puzzle(SMALL, "diagonal"),
        replace(puzzle, marks=marks),
    ]
    assert len({key, *(told(other).data["key"] for other in others)}) == 4


def test_texts_are_told_with_what_no_answer_heeds():
    puzzle = replace(as_puzzle(SMALL), title="T\x1b", author="A", words="One.\nTwo.", warning="odd")
    found = told(puzzle)
    assert (found.title, found.author) == ("T\\x1b", "A")
    assert found.words == ("One.", "Two.", "Not part of any answer here: odd.")


def test_pencil_marks_are_part_of_the_plan():
    puzzle = replace(as_puzzle("." * 16), marks=digits_of(b"\1" * 4 + b"\0\1\0\0" + b"\1" * 56, 4))
    found = told(puzzle)
    clue = satdoku.constraints_for("digits=2:r1c2", puzzle.grid.board)
    assert found.plan == plan_bytes(clue)
    assert found.data["open"][1] == found.data["marks"][1] == [2]
    assert found.data["marks"][0] == []


def test_a_path_is_told_if_it_is_asked_for():
    puzzle = as_puzzle(SMALL)
    assert "path" not in told(puzzle).data
    path = told(puzzle, path=True).data["path"]
    placed = dict(map(tuple, (pair for step in path["steps"] for pair in step["placed"])))
    assert path["problem"] == ""
    assert {cell: SMALL_SOLUTION[cell] for cell in placed} == placed
    assert len(placed) == SMALL.count(".")
    assert all(step["brief"] and len(step["hints"]) == 2 for step in path["steps"])


def test_a_path_says_why_it_ends():
    several = told(as_puzzle("." * 16), path=True).data["path"]
    assert several == {"steps": [], "problem": NO_FURTHER}
    none = told(as_puzzle("11" + "." * 14), path=True).data["path"]
    assert none["steps"] == [] and "no solution" in none["problem"]
    marked = replace(as_puzzle(SMALL), marks=digits_of(b"\1" * 64, 4))
    assert "pencil marks" in told(marked, path=True).data["path"]["problem"]


def test_what_the_engine_cannot_plan_is_refused():
    with pytest.raises(BoardError, match="the engine takes no layers"):
        told(as_puzzle("." * 81, "layer=shade:0,1"))
    with pytest.raises(SatdokuError, match="expected a board up to 25x25"):
        told(as_puzzle(" ".join("." * 36**2)))
