"""Rows that are objects: documents of all shapes, nested values, columns without known names."""

from __future__ import annotations

import json

import pytest
from examples import CLASSIC, CLASSIC_SOLUTION

import satdoku
from satdoku.files.objects import READERS, object_in, read_objects, roles_by_values
from satdoku.files.streams import FileError, open_source
from satdoku.runtime.errors import SatdokuError

ROWS = [[int(c) for c in CLASSIC[i : i + 9].replace(".", "0")] for i in range(0, 81, 9)]
FLAT = [cell for row in ROWS for cell in row]


@pytest.fixture
def read(tmp_path):
    def call(value, kind="json", **asked):
        path = tmp_path / "file"
        path.write_text(value if isinstance(value, str) else json.dumps(value))
        with open_source(str(path)) as source:
            found = read_objects(source, kind, None, asked)
            rows = [(line, values) for line, values, _ in found.rows]
            return [(n, v if isinstance(v, SatdokuError) else (v.get("puzzle"), v.get("answer")))
                    for n, v in rows], found.layout  # fmt: skip

    return call


PAIR = (CLASSIC, CLASSIC_SOLUTION)
DOCUMENTS = {
    "objects": [{"puzzle": PAIR[0], "solution": PAIR[1]}] * 2,
    "pairs": [[*PAIR]] * 2,
    "object with an array": {"n": 2, "data": [{"quizzes": PAIR[0], "solutions": PAIR[1]}] * 2},
    "columns": {"quizzes": [PAIR[0]] * 2, "solutions": [PAIR[1]] * 2},
    "columns of pandas": {
        "question": dict.fromkeys("01", PAIR[0]), "answer": dict.fromkeys("01", PAIR[1])
    },
    "other names": [{"a": PAIR[1], "b": PAIR[0], "c": 7}] * 2,
    "nested": [
        {"question": "Solve: ..", "answer": "x", "more": {"puzzle": PAIR[0], "solution": PAIR[1]}}
    ] * 2,
}  # fmt: skip


@pytest.mark.parametrize("value", DOCUMENTS.values(), ids=DOCUMENTS)
def test_a_document_gives_its_rows_with_their_numbers(read, value):
    assert read(value)[0] == [(1, PAIR), (2, PAIR)]


def test_rows_may_be_puzzles_alone_and_one_puzzle_is_one_row(read):
    assert read([CLASSIC, "123"])[0] == [(1, (CLASSIC, None)), (2, ("123", None))]
    assert read([FLAT, ROWS])[0] == [(1, (FLAT, None)), (2, (ROWS, None))]
    assert read(ROWS)[0] == [(1, (ROWS, None))]
    assert read({"puzzle": ROWS, "solution": ROWS})[0] == [(1, (ROWS, ROWS))]
    ((_, wrong),) = read([{"puzzle": CLASSIC}, 7])[0][1:]
    assert "line 2" in str(wrong) and "found JSON int" in str(wrong)


def test_the_layout_is_told_in_words(read):
    nested = DOCUMENTS["nested"]
    assert read(nested)[1] == "JSON: puzzles in more.puzzle, answers in more.solution"
    lines = "\n".join(map(json.dumps, nested))
    assert read(lines, "jsonl")[1].startswith("JSON lines: puzzles in more.puzzle")
    assert read(DOCUMENTS["other names"])[1] == "JSON: puzzles in b, answers in a"


def test_what_can_be_read_in_two_ways_is_refused(read):
    with pytest.raises(FileError, match="grids in a, b: tell which with --column puzzle=NAME"):
        read([{"a": CLASSIC, "b": CLASSIC}])
    two = {key: {"puzzle": CLASSIC} for key in ("train", "test")}
    with pytest.raises(FileError, match=r"puzzles in train, test: tell which .*=NAME.KEY"):
        read([two])
    assert read([two], puzzle="test.puzzle")[0] == [(1, (CLASSIC, None))]
    with pytest.raises(FileError, match="rows in train, test: expected one array of them"):
        read({"train": [{"puzzle": CLASSIC}], "test": [{"puzzle": CLASSIC}]})
    sixteen = [[1, 2, 3, 4] * 4] * 16
    with pytest.raises(FileError, match="one puzzle of 16x16 or 16 of 4x4"):
        read(sixteen)
    assert read([[*range(1, 17)]] * 16)[0][0][1] == ([[*range(1, 17)]] * 16, None)


def test_a_broken_document_is_told_with_its_place(read):
    with pytest.raises(FileError, match=r"line 2, column 1: expecting value, expected JSON"):
        read('[{"puzzle": 1},\n')
    with pytest.raises(FileError, match="nested too deep"):
        read("[" * 100_000)


def test_fields_of_csv_may_be_texts_of_several_lines(read):
    text = 'initial_board,rules,rows,cols,solution\n1...............,"a\n""b""",4,4,\n' * 1
    ((line, (puzzle, answer)),), layout = read(text, "table")
    assert (line, answer) == (2, "") and json.loads(puzzle)["rules"] == 'a\n"b"'
    assert layout == "CSV of Sudoku-Bench: puzzles in initial_board, answers in solution"


def test_objects_in_values():
    assert object_in({"a": 1}) == object_in('{"a": 1}') == {"a": 1}
    assert object_in("{") == object_in(7) == object_in(None) == {}


def test_columns_by_their_values():
    held = {"n": [1, 2], "x": [CLASSIC_SOLUTION, None], "y": [CLASSIC, "bad"]}
    assert roles_by_values(held, "f") == {"puzzle": "y", "answer": "x"}
    assert roles_by_values({"x": [CLASSIC_SOLUTION]}, "f") == {"puzzle": "x"}
    assert roles_by_values({"n": [1]}, "f") == {}


def test_all_kinds_are_read_by_every_way(tmp_path):
    assert set(READERS) == {"jsonl", "json", "table"}
    path = tmp_path / "x"
    path.write_text(json.dumps(DOCUMENTS["pairs"]))
    first, second = satdoku.read_puzzles(str(path))
    assert str(first.grid) == CLASSIC and str(second.answer) == CLASSIC_SOLUTION
