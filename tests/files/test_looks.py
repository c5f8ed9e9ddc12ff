"""Drawings in JSON of our own: there and back, and what is refused."""

import json
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given, settings
from look_cases import HOSTILE, LOOKS, WORDS
from soak import share

from satdoku import format_puzzle_json, parse_puzzle_json
from satdoku.files.foreign import FORMATS, ForeignError
from satdoku.files.looks import read_looks, written_looks
from satdoku.files.puzzles import read_puzzles
from satdoku.model.looks import Line, Shape
from satdoku.model.puzzle import Puzzle, on_board

SCHEMA = Path(__file__).parent.parent.parent / "docs" / "puzzle.schema.json"
FITS = jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text())).is_valid
FOUR = {"format": "satdoku-puzzle", "version": 1, "puzzle": "1.....2....3.4.."}
PLAIN = Puzzle(*on_board("1.....2....3.4..", "thermo:r1c1,r1c2"))


@settings(max_examples=share(150), deadline=None)
@given(LOOKS, WORDS, WORDS, WORDS)
def test_words_and_drawings_come_back(looks, title, author, words):
    puzzle = replace(PLAIN, title=title, author=author, words=words, looks=looks)
    text = format_puzzle_json(puzzle)
    assert parse_puzzle_json(text) == puzzle
    assert FITS(json.loads(text))
    assert read_looks(written_looks(looks)) == looks


def test_a_file_of_puzzles_keeps_them(tmp_path):
    puzzle = replace(PLAIN, words="a\nb", looks=(Line(((0.5, 0.5), (1.5, 0.5))),))
    path = tmp_path / "file"
    path.write_text("\n".join([format_puzzle_json(puzzle)] * 2))
    for record in read_puzzles(str(path)):
        assert (record.words, record.looks) == (puzzle.words, puzzle.looks)


def test_what_is_as_usual_is_not_stated():
    (line, shape) = written_looks([Line(((0, 0), (1, 1))), Shape((1, 2), text="x")])
    assert line == {"line": [[0.0, 0.0], [1.0, 1.0]]}
    assert shape == {"at": [1.0, 2.0], "text": "x"}


@pytest.mark.parametrize(
    ("look", "problem"),
    [
        (7, "drawing 2: found a number, expected an object"),
        ({}, "drawing 2: found none of line, at, cage: expected one of them"),
        ({"at": [0, 0], "line": []}, "found line and at of line, at, cage"),
        ({"line": "ab"}, "line: found a text, expected a list"),
        ({"line": [[0, 0], [1, 1]], "color": "#000000"}, "no key 'color': did you mean 'colour'"),
        ({"line": [[0, 0], [1, 1]], "points": []}, "no key 'points'"),
        ({"line": [[0, 0], [1, "1"]]}, "expected a number"),
        ({"at": [0, 0], "fill": "javascript:alert(1)", "size": [1, 1]}, "colour 'javascript:a"),
        ({"at": [0, 0], "text": 7}, "text: expected a text"),
        ({"cage": [["r1c1"]]}, "expected two numbers"),
        ({"at": [0, 0, 0], "text": "x"}, "expected two numbers"),
        ({"at": [0, 0], "text": "x", "over": 1}, "over: expected true or false"),
        ({"line": [[0, 0], [1, 1]], "colour": ""}, "colour '', expected #rrggbb"),
    ],
)
def test_a_wrong_drawing_is_refused_at_its_number(look, problem):
    good = {"at": [0, 0], "text": "x"}
    stated = FOUR | {"looks": [good, look]}
    with pytest.raises(ForeignError) as error:
        parse_puzzle_json(json.dumps(stated))
    assert problem in error.value.found and "looks: drawing 2: " in error.value.found
    assert error.value.column > 1


def test_the_schema_takes_drawings_and_no_others():
    assert FITS(FOUR | {"looks": [{"at": [0, 0], "text": "x"}], "words": "a\nb"})
    for wrong in (
        {"at": [0], "text": "x"},
        {"line": [[0, 0]]},
        {"cage": [], "x": 1},
        {"text": "x"},
    ):
        assert not FITS(FOUR | {"looks": [wrong]})
    assert isinstance(FITS.__self__, jsonschema.Draft202012Validator)


def test_a_format_says_how_many_drawings_it_has_not():
    puzzle = replace(PLAIN, looks=(Line(((0.5, 0.5), (0.5, 1.5))), Line(((0, 0), (0.3, 1.5)))))
    lost = {name: FORMATS[name].left_out(puzzle, FORMATS[name].write(puzzle)) for name in _WRITTEN}
    assert lost == {
        "json": "",
        "fpuzzles": "fpuzzles states 1 of 2 drawings not, or not as they are",
        "iss": "iss states 2 of 2 drawings not, or not as they are",
        "sudokupad": "",
    }


_WRITTEN = ("json", "fpuzzles", "iss", "sudokupad")


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_words_stay_words(text):
    puzzle = replace(PLAIN, words=text)
    for name in ("json", "fpuzzles", "sudokupad"):
        assert (
            FORMATS["fpuzzles" if name == "sudokupad" else name]
            .read(FORMATS[name].write(puzzle))
            .words
            == text
        )
