"""Drawings in links of f-puzzles and SudokuPad: there and back; a clue's own picture is none."""

import json
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from look_cases import LOOKS, WORDS, of_fpuzzles
from soak import share

from satdoku import format_fpuzzles, format_sudokupad, parse_fpuzzles
from satdoku.files.fpuzzles.drawings import as_sudokupad
from satdoku.files.fpuzzles.links import NATIVE, load
from satdoku.files.fpuzzles.looks import colour_of
from satdoku.files.fpuzzles.sudokupad import looks_of
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.model.looks import Cage, Line, Shape, paint
from satdoku.model.puzzle import Puzzle, empty_puzzle, on_board

PLAIN = Puzzle(*on_board("1" + "." * 80, "king;cage=5:r1c1,r1c2"))
GRID = [[{} for _ in range(9)] for _ in range(9)]
SKEW = Line(((0.25, 0.5), (3, 2.2)), "#ff0000")


def fpuzzles(**stated):
    return parse_fpuzzles(json.dumps({"size": 9, "grid": GRID} | stated))


def native(**stated):
    cells = [[{} for _ in range(9)] for _ in range(9)]
    return parse_fpuzzles(json.dumps({"cells": cells, "regions": []} | stated))


@settings(max_examples=share(150), deadline=None)
@given(of_fpuzzles(), WORDS, WORDS)
def test_links_of_fpuzzles_bring_back_what_they_can_state(looks, title, words):
    puzzle = replace(PLAIN, looks=looks, title=title, words=words)
    for write in (format_fpuzzles, format_sudokupad):
        read = parse_fpuzzles(write(puzzle))
        assert (read.title, read.words) == (title, words)
        assert (read.grid, read.constraints) == (puzzle.grid, puzzle.constraints)
        assert Counter(read.looks) == Counter(looks)


@settings(max_examples=share(150), deadline=None)
@given(LOOKS)
def test_any_drawing_is_written_in_the_nearest_way_or_not_at_all(looks):
    """What was written once comes back as it is."""
    once = parse_fpuzzles(format_fpuzzles(replace(PLAIN, looks=looks)))
    assert len(once.looks) <= len(looks)
    again = parse_fpuzzles(format_fpuzzles(replace(PLAIN, looks=once.looks)))
    assert Counter(again.looks) == Counter(once.looks)


@settings(max_examples=share(150), deadline=None)
@given(LOOKS, WORDS)
def test_own_json_of_sudokupad_states_all_drawings(looks, words):
    """On a rectangle without clues, where no drawing is taken for one."""
    puzzle = replace(empty_puzzle(constraints_for("classic", Board.of_shape(6, 8))), words=words)
    read = parse_fpuzzles(format_sudokupad(replace(puzzle, looks=looks)))
    assert read.words == _kept(words)
    assert (read.grid, read.constraints) == (puzzle.grid, puzzle.constraints)
    lost = Counter(looks) - Counter(read.looks)
    assert not Counter(read.looks) - Counter(looks)
    for look in lost:  # those are clues there
        alone = as_sudokupad(load(format_fpuzzles(PLAIN)), [look])
        assert looks_of(alone) == () or parse_fpuzzles(json.dumps(alone)).constraints.clues


def _kept(words):
    return "" if words.startswith("No rules provided for this puzzle.") else words


def test_a_drawing_that_fpuzzles_lacks_makes_a_link_of_sudokupad_its_own():
    puzzle = replace(PLAIN, looks=(SKEW,))
    link = format_sudokupad(puzzle)
    assert link.startswith(NATIVE) and parse_fpuzzles(link).looks == (SKEW,)
    whisper = Puzzle(*on_board("." * 81, "whisper:r1c1-r1c4"))  # which has no drawing there
    assert parse_fpuzzles(format_sudokupad(replace(whisper, looks=(SKEW,)))).looks == ()


def test_a_drawing_that_would_be_a_clue_is_left_out_of_a_rectangle():
    board = Board.of_shape(6, 8)
    grey = Shape((5.5, 5.5), (0.8, 0.8), True, "#cfcfcf")  # odd, for its reader
    plain = replace(empty_puzzle(constraints_for("classic", board)), looks=(grey, SKEW))
    read = parse_fpuzzles(format_sudokupad(plain))
    assert read.looks == (SKEW,) and not read.constraints.clues


def test_the_picture_of_a_clue_is_no_drawing():
    line = {"lines": [["R1C1", "R1C2"]], "outlineC": "#67F067", "width": 0.5}
    clue = {"whispers": [{"lines": [["R1C1", "R1C2"]]}]}
    own = line | {"fromConstraint": "German Whispers"}
    assert fpuzzles(line=[own], **clue).looks == ()
    found = Line(((0.5, 0.5), (0.5, 1.5)), "#67f067", 0.5)
    assert fpuzzles(line=[line], **clue).looks == (found,)
    assert fpuzzles(line=[own]).looks == (found,)


def test_what_may_be_a_clue_is_told_and_drawn():
    read = fpuzzles(circle=[{"cells": ["R1C1"], "width": 0.5, "height": 0.5}], ruleset="Be odd.")
    assert 'no constraint states this rule: "Be odd."' in read.warning and "circle" in read.warning
    assert read.looks == (Shape((0.5, 0.5), (0.5, 0.5), True, "#ffffff", "#000000", over=True),)
    assert fpuzzles(text=[{"cells": ["R0C1"], "value": "Hi"}]).looks == (
        Shape((-0.5, 0.5), text="Hi", over=True),
    )


def test_colours_of_cells_count_alone_and_in_stripes():
    grid = [[dict(cell) for cell in row] for row in GRID]
    grid[0][0] = {"c": "#FF0000"}
    grid[8][8] = {"c": "#000000", "cArray": ["#00ff00", "blue"]}
    read = parse_fpuzzles(json.dumps({"size": 9, "grid": grid}))
    assert read.warning is None
    assert read.looks == (*paint(0, 0, ["#ff0000"]), *paint(8, 8, ["#00ff00", "#0000ff"]))


def test_drawings_of_sudokupad_are_those_that_no_clue_explains():
    thermometer = {
        "lines": [
            {"wayPoints": [[0.5, 0.5], [0.5, 2.5]], "color": "#CFCFCF", "thickness": 21},
            {"wayPoints": [[5, 5], [6.5, 6.5]], "color": "#ff000080", "thickness": 6.4,
             "target": "overlay"},
        ],
        "underlays": [
            {"center": [0.5, 0.5], "width": 0.85, "height": 0.85, "rounded": True,
             "backgroundColor": "#CFCFCF", "borderColor": "#CFCFCF"},
            {"center": [4.5, 4.5], "width": 1, "height": 1, "backgroundColor": "#0f0"},
        ],
        "overlays": [{"center": [9.5, 0.5], "text": "Note", "fontSize": 32, "color": "#123456"}],
        "cages": [{"cells": [[8, 8]], "outlineC": "#ff0000", "value": "?"}],
    }  # fmt: skip
    read = native(**thermometer)
    assert [clue.kind for clue in read.constraints.clues] == ["thermo"]
    assert read.looks == (
        *paint(4, 4, ["#00ff00"]),
        Line(((5, 5), (6.5, 6.5)), "#ff000080", 0.1, over=True),
        Shape((9.5, 0.5), text="Note", colour="#123456", over=True),
        Cage(((8, 8),), "#ff0000", "?"),
    )


@pytest.mark.parametrize(
    ("stated", "colour"),
    [
        ("#ABC", "#aabbcc"), ("#abcd", "#aabbccdd"), ("#abcf", "#aabbcc"), ("red", "#ff0000"),
        ("rgb(1, 2,300)", "#0102ff"), ("rgba(0,0,0,0.5)", "#00000080"), ("#11223300", ""),
        ("transparent", ""), (None, ""), ("no-such", "#808080"), (7, "#808080"),
        ("url(javascript:x)", "#808080"),
    ],
)  # fmt: skip
def test_colours_of_the_web(stated, colour):
    assert colour_of(stated) == colour


@pytest.mark.parametrize(
    "item",
    [7, None, "x", [], {}, {"lines": 7}, {"lines": [["R1C1"]]}, {"lines": [["X"], ["R1C1"]]},
     {"cells": [], "value": "x"}, {"cells": ["R1C1"], "width": "wide"},
     {"cells": ["R1C1"], "value": {"a": 1}, "angle": "inf"}, {"cells": ["R999C999"], "value": "x"}],
)  # fmt: skip
@pytest.mark.parametrize("key", ["line", "circle", "rectangle", "text", "cage"])
def test_a_drawing_that_is_none_is_passed_over(key, item):
    assert all(isinstance(look, Shape | Cage) for look in fpuzzles(**{key: [item]}).looks)
