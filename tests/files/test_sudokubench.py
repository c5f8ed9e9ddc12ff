"""Rows of Sudoku-Bench: the grid, the prose, the payload and the drawings say the same puzzle."""

from __future__ import annotations

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from examples import CLASSIC, CLASSIC_SOLUTION

import satdoku
from satdoku.files.foreign import ForeignError, parse_foreign
from satdoku.files.sudokubench import parse_sudokubench
from satdoku.runtime.errors import SatdokuError

USUAL = "Normal sudoku rules apply."
CAGES = "Digits in cages do not repeat and sum to the total in the top left corner."
CAGE = f"cage={int(CLASSIC_SOLUTION[0]) + int(CLASSIC_SOLUTION[1])}:r1c1,r1c2"
PAYLOAD = satdoku.format_sudokupad(CLASSIC, CAGE).split("load=", 1)[-1]


def row(**more):
    size = more.pop("size", 9)
    plain = {
        "puzzle_id": "x", "title": "T", "author": "A", "rules": json.dumps(USUAL),
        "initial_board": CLASSIC, "solution": CLASSIC_SOLUTION, "rows": size, "cols": str(size),
        "visual_elements": "", "encoded_puzzle": "",
    }  # fmt: skip
    return json.dumps(plain | more)


def test_a_row_is_a_puzzle_with_all_that_it_tells():
    puzzle = parse_sudokubench(row())
    assert (str(puzzle.grid), puzzle.rules, puzzle.warning) == (CLASSIC, "classic", None)
    assert (puzzle.title, puzzle.author, puzzle.words) == ("T", "A", USUAL)
    assert parse_foreign(row()) == puzzle
    four = parse_sudokubench(row(initial_board="1..............2", size=4))
    assert four.grid.board.shape == "4x4"


@pytest.mark.parametrize("rules", [USUAL, json.dumps(USUAL), json.dumps([USUAL]), "", None])
def test_prose_comes_as_json_or_as_it_is(rules):
    assert parse_sudokubench(row(rules=rules)).warning is None


def test_the_payload_states_what_the_prose_says():
    puzzle = parse_sudokubench(row(rules=f"{USUAL} {CAGES}", encoded_puzzle=PAYLOAD))
    assert puzzle.constraints.clues and puzzle.warning is None
    assert puzzle.rules == f"classic;{CAGE}"
    told = parse_sudokubench(row(rules=f"{USUAL} It is a fish.", encoded_puzzle=PAYLOAD))
    assert 'no constraint states this rule: "It is a fish."' in told.warning


def test_a_payload_with_other_givens_is_refused():
    changed = ("." if CLASSIC[0] != "." else "1") + CLASSIC[1:]
    with pytest.raises(ForeignError, match=r"r1c1 is .* in initial_board, .* in encoded_puzzle"):
        parse_sudokubench(row(initial_board=changed, encoded_puzzle=PAYLOAD))
    with pytest.raises(ForeignError, match="16 cells in initial_board, 81 in encoded_puzzle"):
        parse_sudokubench(row(initial_board="." * 16, size=4, encoded_puzzle=PAYLOAD))


def drawn(*items):
    return json.dumps(items)


CAGED = {
    "type": "cage",
    "style": "killer",
    "cells": ["r1c1", "r1c2"],
    "value": CAGE[5:].split(":")[0],
}
DRAWINGS = {
    "a cage": (CAGED, CAGES, CAGE),
    "a range": ({**CAGED, "cells": ["r1c1-r1c2"]}, CAGES, CAGE),
    "anti-knight": (
        {"type": "global", "text": "anti-knight"},
        "Cells a knight's move apart cannot contain the same digit.", "knight",
    ),
    "a dot": (
        {"type": "overlays", "coords": ["r1c1", "r1c2"], "loc": "vertical edge", "shape": "circle",
         "color_hex": "#FFFFFF", "border_color_hex": "#000000", "width": 0.3, "height": 0.3},
        "Cells separated by a white dot contain consecutive digits.", "difference=1:r1c1,r1c2",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("item", "prose", "rule"), DRAWINGS.values(), ids=DRAWINGS)
def test_drawings_are_read_where_there_is_no_payload(item, prose, rule):
    puzzle = parse_sudokubench(row(rules=f"{USUAL} {prose}", visual_elements=drawn(item)))
    assert puzzle.warning is None
    assert rule in puzzle.rules
    assert puzzle.grid.board.is_usual


def test_a_line_means_what_the_words_say_and_irregular_regions_are_read():
    line = {"type": "lines", "coords": ["r1c1", "r1c2"], "color_hex": "#F067F0", "thickness": 10}
    assert parse_sudokubench(row(visual_elements=drawn(line))).warning is None  # mere decoration
    told = parse_sudokubench(row(visual_elements=drawn(line), rules=f"{USUAL} Lines sing."))
    assert told.warning.startswith('no constraint states this rule: "Lines sing." (drawings not')
    labels = "AAABABBBCCCDCDDD"
    regions = [
        {"type": "cage", "style": "box", "value": "",
         "cells": [f"r{i // 4 + 1}c{i % 4 + 1}" for i in range(16) if labels[i] == letter]}
        for letter in "ABCD"
    ]  # fmt: skip
    puzzle = parse_sudokubench(
        row(initial_board="." * 16, size=4, rules="", visual_elements=drawn(*regions))
    )
    assert puzzle.constraints == satdoku.constraints_for(f"jigsaw={labels}")


@pytest.mark.parametrize("kind", ["inequality", "horizontal arrow", "global"])
def test_drawings_that_state_nothing_are_told_as_words(kind):
    item = {"type": kind, "coords": ["r1c1"], "direction": "<", "text": "knight's tour"}
    assert kind in parse_sudokubench(row(visual_elements=drawn(item))).warning
    manual = {"type": "manual", "text": "The big one is odd."}
    assert "The big one is odd." in parse_sudokubench(row(visual_elements=drawn(manual))).warning


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"rows": "x"}, "rows is 'x', expected 2 to 25"),
        ({"cols": None}, "cols is 'None'"),
        ({"rows": 10**9}, "rows is '1000000000'"),
        ({"initial_board": "12"}, "found 2 cells"),
        ({"initial_board": None}, "found 0 cells, expected 81"),
        ({"visual_elements": "{"}, "visual_elements is no JSON"),
        ({"visual_elements": '{"a": 1}'}, "visual_elements is an object, expected a list"),
        ({"visual_elements": "[7]"}, "visual_elements holds a number, expected objects"),
        ({"visual_elements": drawn({"type": "overlays"})}, "a drawing without coords"),
        (
            {"visual_elements": drawn({"type": "lines", "coords": ["x"]})},
            "cell 'x', expected such as",
        ),
        ({"visual_elements": drawn({"type": "lines", "coords": 7})}, "coords is a number"),
        ({"encoded_puzzle": "scl!"}, "names a puzzle that is kept elsewhere"),
    ],
)
def test_what_is_wrong_is_told(more, message):
    with pytest.raises(SatdokuError, match=message):
        parse_sudokubench(row(**more))


SAID = "The first two digits of the first row add up to 7."
FOUR, GRID = "....2.4......2.1", "3412214313244231"


@pytest.mark.parametrize("form", ["jsonl", "json", "parquet"])
def test_words_that_are_stated_by_id_are_solved_and_others_are_unstated(tmp_path, form):
    """By the clues of the same words, where they are right, wrong, or no clues."""
    path = tmp_path / "bench"
    rows = [
        json.loads(row(puzzle_id=name, rules=SAID, initial_board=FOUR, solution=GRID, size=4))
        for name in "abcd"
    ]
    if form == "parquet":
        pq.write_table(pa.Table.from_pylist(rows), path)
    else:
        lines = "".join(f"{json.dumps(each)}\n" for each in rows)
        path.write_text(lines if form == "jsonl" else json.dumps(rows))
    stated = {"a": "cage=7:r1c1,r1c2", "b": "cage=5:r1c1,r1c2", "c": "sing:r1c1"}
    reading = satdoku.ReadOptions(stated=stated)
    checks = satdoku.Checks(symmetry=False, allow=["exact-duplicate"])
    audit = satdoku.audit_files(str(path), reading=reading, checks=checks, rows=True)
    kinds = [(kind or "").partition(" ")[0] for kind in audit.rows.columns()["kinds"]]
    assert kinds[1:] == ["no-solution", "malformed-row", "unstated-rules"]
    assert audit["files"][0]["statuses"] == {"unique": 1, "none": 1, "invalid": 2}
    found = list(satdoku.read_puzzles(str(path), reading=reading))
    assert [bool(getattr(each, "warning", None)) for each in found] == [False, False, False, True]
