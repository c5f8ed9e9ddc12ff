"""What kind of file its first bytes make it, and what is refused by its name."""

import json

import pytest
from examples import CLASSIC

from satdoku.files.columns import ColumnError
from satdoku.files.formats import FORMATS, FormatError, check_options, recognise
from satdoku.files.fpuzzles import format_fpuzzles
from satdoku.files.fpuzzles.links import load
from satdoku.files.streams import FileError, open_source

KEYED = json.dumps({"puzzle": CLASSIC})
FPUZZLE = json.dumps(load(format_fpuzzles(CLASSIC)))


@pytest.fixture
def kind(tmp_path):
    def call(data, format=None):
        path = tmp_path / "file"
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        with open_source(str(path)) as source:
            return recognise(source, format)

    return call


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"PAR1...", "parquet"),
        (b"ARROW1..", "arrow"),
        (b"\xff\xff\xff\xff..", "arrow"),
        (b"\x93NUMPY", "npy"),
        (b"PK\x03\x04", "npz"),
        (KEYED, "jsonl"),
        (KEYED.encode("utf-16"), "jsonl"),
        (f"# comment\n\n{KEYED}\n", "jsonl"),
        ('{"puzzle": "never closed\n{}\n', "jsonl"),
        ("{}\n", "jsonl"),
        (FPUZZLE, None),
        (json.dumps({"puzzle": CLASSIC}, indent=1), None),
        (CLASSIC, None),
        ("", None),
    ],
)
def test_a_file_is_known_by_its_content(kind, data, expected):
    assert kind(data) == expected


def test_what_is_no_collection_is_refused_and_named(kind):
    with pytest.raises(FileError, match=r"file: a CNF, expected puzzles"):
        kind("c x\np cnf 1 1\n1 0\n")
    with pytest.raises(FormatError, match=r"file: a JSON array, expected one object on each line"):
        kind(f"[{KEYED}]")


def test_a_format_that_is_given_is_believed(kind):
    for format in FORMATS:
        binary = format not in ("lines", "csv", "rows", "marks")
        assert kind("p cnf 1 1\n", format) == (format if binary else None)


def test_unknown_words_are_refused():
    assert check_options(None, None) == {}
    assert check_options("csv", {"id": "x"}) == {"id": "x"}
    with pytest.raises(FormatError, match="no format 'cvs': choose from lines, csv"):
        check_options("cvs", None)
    with pytest.raises(ColumnError, match="no role 'puz': choose from puzzle, answer, id, rules"):
        check_options(None, {"puz": "1"})
