"""What kind of file its first bytes make it, and what is refused by its name."""

import json

import pytest
from examples import CLASSIC
from hypothesis import example, given, settings
from hypothesis import strategies as st
from soak import share

from satdoku.files.columns import ColumnError
from satdoku.files.formats import FORMATS, FormatError, ReadOptions, read_stated, recognise
from satdoku.files.fpuzzles import format_fpuzzles
from satdoku.files.fpuzzles.links import load
from satdoku.files.streams import FileError, open_source

KEYED = json.dumps({"puzzle": CLASSIC})
DIGITS = ".123456789ABC"
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
        (f"[{KEYED}]", "json"),
        (f" [\n {KEYED}", "json"),
        ('{"a": ["' + CLASSIC + '"]}', "json"),
        ('{\n "data": [\n  {"puzzle"', "json"),
        ("title,initial_board,rules\n", "table"),
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


def test_a_format_that_is_given_is_believed(kind):
    for format in FORMATS:
        binary = format not in ("lines", "csv", "rows", "marks")
        assert kind("p cnf 1 1\n", format) == (format if binary else None)


def test_unknown_words_are_refused():
    assert ReadOptions().asked == {}
    assert ReadOptions("csv", {"id": "x"}).asked == {"id": "x"}
    with pytest.raises(
        FormatError, match=r"no format 'cvs': did you mean 'csv'\? choose from lines"
    ):
        _ = ReadOptions("cvs").asked
    with pytest.raises(ColumnError, match=r"no role 'puz': did you mean 'puzzle'\? choose"):
        _ = ReadOptions(None, {"puz": "1"}).asked


@settings(deadline=None, max_examples=share(50))
@given(st.data(), st.sampled_from([4, 6, 8, 9, 12]), st.booleans(), st.sampled_from([0, 1]))
def test_marks_on_several_lines_are_one_puzzle_or_refused(tmp_path_factory, data, size, rows, more):
    """A list of puzzles only if none of them breaks a rule, which the oracle counts in columns."""
    sure = data.draw(st.booleans())  # one digit a cell
    digits = st.sets(st.integers(1, size), min_size=1, max_size=1 if sure else size)
    cells = data.draw(st.lists(digits, min_size=size**2, max_size=size**2))
    text = "".join(DIGITS[d] if d in cell else "." for cell in cells for d in range(1, size + 1))
    width = size**2 if rows else size
    lines = [text[i : i + width] for i in range(0, size**3, width)]
    path = tmp_path_factory.mktemp("marks") / "file"
    path.write_text("# marks\n" + "\n".join(lines + lines[:more]))
    row_cells = [cells[i : i + size] for i in range(0, size**2, size)]
    clash = any(sum(map(len, row)) > len(set().union(*row)) for row in row_cells)
    with open_source(str(path)) as source:
        if clash and not more and size != 4:
            assert recognise(source, None) == "whole"
        else:
            with pytest.raises(FormatError, match=f"may be pencil marks of {size}x{size} or"):
                recognise(source, None)


@given(st.lists(st.text("123456789.", min_size=81, max_size=81), max_size=12))
@example(["." * 81] * 9)
@example(["123456789" * 9] * 8)
def test_a_list_of_puzzles_is_no_marks(tmp_path_factory, lines):
    path = tmp_path_factory.mktemp("lines") / "file"
    path.write_text("\n".join(lines))
    with open_source(str(path)) as source:
        assert recognise(source, None) is None


def test_statements_by_id(tmp_path):
    path = tmp_path / "s.csv"

    def read(text):
        path.write_text(text)
        return read_stated(str(path))

    found = read('# mine\nid,note,clues\na,x,"cage=7:r1c1,r1c2"\nb,,knight\na,,thermo:r1c1-r1c3\n')
    assert found == {"a": "cage=7:r1c1,r1c2;thermo:r1c1-r1c3", "b": "knight"}
    assert read("rules,puzzle_id\nking,7\n") == {"7": "king"}
    with pytest.raises(ColumnError, match=r"s\.csv: no columns id and clues: there are id, x"):
        read("id,x\na,b\n")
    with pytest.raises(ColumnError, match="there are no names"):
        read("")
    for row in ("a", ",knight"):
        with pytest.raises(FileError, match=r"s\.csv: line 3: expected an id and clues"):
            read(f"id,clues\nb,king\n{row}\n")
