"""Results of a batch as files: every status, every format, every column, errors in their rows."""

import csv
import gzip
import io
import json
import os
import tempfile
from pathlib import Path

import numpy as np
import pyarrow.parquet
import pytest
from examples import CLASSIC, CLASSIC_SOLUTION
from temporaries import parts

from satdoku.batch.decide import BatchResult, engine_result
from satdoku.batch.options import BatchOptions
from satdoku.batch.results import (
    npz_columns,
    open_results,
)
from satdoku.batch.results.columns import (
    COLUMNS,
    DEFAULT_COLUMNS,
    ResultsError,
    count_givens,
    usual_columns,
)
from satdoku.batch.results.texts import format_lines
from satdoku.files.collection import Chunk, marks_of
from satdoku.files.outputs import RESULT_FORMS
from satdoku.files.streams import FileError
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import GridError
from satdoku.ratings.scale import NOT_RATED
from satdoku.ratings.step import TECHNIQUES
from satdoku.runtime.errors import Status

EMPTY = "." * 81
ERROR = GridError("80 cells", "81 cells", line=13, column=81, source="some, file.txt")
# (line, puzzle, status, solution)
ROWS = [
    (2, CLASSIC, "unique", CLASSIC_SOLUTION),
    (3, EMPTY, "multiple", CLASSIC_SOLUTION),
    (5, "11" + EMPTY[2:], "invalid", ""),
    (8, "1" + EMPTY[1:], "none", ""),
    (13, "", "invalid", ""),
    (21, CLASSIC, "solved", CLASSIC_SOLUTION),
    (34, CLASSIC, "unknown", ""),
    (55, CLASSIC, "unknown", CLASSIC_SOLUTION),
]
REASONS = {4: ERROR}
CLASH = "r1c1=1 and r1c2=1 break the row rule"
OPTIONS = BatchOptions(constraints_for("classic"))
IDS = ["a", "", 'quote"d', "with, comma", "e", "f", "g", "ö"]
RULES = ["", "knight", "", "", "", "king", "", ""]
GIVENS = [24, 0, 2, 1, 0, 24, 24, 24]
NODES = [1, 5, 0, 3, 0, 1, 70_000, 8]
BY_SESSION = [False, True, False, False, False, True, True, True]
# Every column as text, by hand.
EXPECTED = {
    "file": ["in.csv"] * 8,
    "line": [str(row[0]) for row in ROWS],
    "id": IDS,
    "puzzle": [row[1] for row in ROWS],
    "rules": RULES,
    "status": [row[2] for row in ROWS],
    "solution": [row[3] for row in ROWS],
    "layers": 8 * [""],
    "several_ways": 8 * [""],
    "reason": [CLASH if row == 2 else str(REASONS.get(row, "")) for row in range(8)],
    "givens": list(map(str, GIVENS)),
    "nodes": list(map(str, NODES)),
    "microseconds": [str(0.25 * row) for row in range(8)],
    "solved_by": ["engine", "cadical153", "", "engine", "", "cadical153", "", ""],
    "er": ["7.1"] + 7 * [""],
    "ep": ["1.2"] + 7 * [""],
    "ed": ["1.0"] + 7 * [""],
    "technique": ["forcing chain"] + 7 * [""],
    "proof": ["u07", f"m{CLASSIC_SOLUTION}", "", "n", "", "", "", ""],
}
RATINGS = [[71, 12, 10, TECHNIQUES.index("forcing chain")]] + 7 * [4 * [NOT_RATED]]


def cells(line):
    return [0 if c == "." else int(c, 36) for c in line]


@pytest.fixture
def chunk():
    puzzles = np.array([cells(row[1] or EMPTY) for row in ROWS], dtype=np.uint8)
    lines = np.array([row[0] for row in ROWS])
    return Chunk(lines, puzzles, dict(REASONS), IDS, None, RULES, "in.csv")


@pytest.fixture
def result():
    statuses = np.array([Status[row[2].upper()] for row in ROWS], dtype=np.uint8)
    solutions = np.array([cells(row[3] or EMPTY) for row in ROWS], dtype=np.uint8)
    nodes, microseconds = np.array(NODES, dtype=np.uint32), 0.25 * np.arange(8, dtype=np.float32)
    by_session, ratings = np.array(BY_SESSION), np.array(RATINGS, np.int32)
    arrays = (statuses, solutions, nodes, microseconds, by_session, ratings)
    return BatchResult(*arrays, proofs=EXPECTED["proof"])


def rows_in(form, chunk, result, columns):
    """What a form has of a chunk, behind its header."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "out"
        with open_results(str(path), form, columns, OPTIONS) as put:
            put(chunk, result)
        lines = path.read_bytes().splitlines(keepends=True)
    return b"".join(lines[form == "csv" :])


@pytest.fixture
def written(chunk, result, tmp_path):
    """What is in a file after the chunk was written twice, and its path."""

    def write(form, columns=COLUMNS, name="out"):
        path = tmp_path / name
        with open_results(str(path), form, columns, OPTIONS) as put:
            put(chunk, result)
            put(chunk, result)
        return path

    return write


def test_the_rows_cover_every_status_and_every_column():
    assert {row[2] for row in ROWS} == {str(status) for status in Status}
    assert tuple(EXPECTED) == COLUMNS


# Lines -------------------------------------------------------------------------------------------


def test_lines_are_status_and_solution_or_reason(chunk, result):
    expected = [f"{status} {solution}".strip() for _, _, status, solution in ROWS]
    expected[2], expected[4] = f"invalid {CLASH}", f"invalid {ERROR}"
    assert format_lines(chunk, result, OPTIONS).decode() == "\n".join(expected) + "\n"


def test_lines_without_errors(chunk, result):
    text = format_lines(chunk._replace(errors={}), result, OPTIONS).decode()
    assert text.split("\n")[4] == "invalid"
    assert text.count("\n") == len(ROWS)


# Columns -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("names", [COLUMNS, DEFAULT_COLUMNS, ("status", "id"), ("nodes",)])
def test_csv_reads_back_row_for_row(chunk, result, names):
    rows = list(csv.reader(io.StringIO(rows_in("csv", chunk, result, names).decode())))
    assert rows == [list(row) for row in zip(*(EXPECTED[name] for name in names), strict=True)]
    assert b"\r" not in rows_in("csv", chunk, result, names)


def test_jsonl_has_only_the_fields_there_are(chunk, result):
    rows = [json.loads(line) for line in rows_in("jsonl", chunk, result, COLUMNS).splitlines()]
    for row, found in enumerate(rows):
        expected = {name: EXPECTED[name][row] for name in COLUMNS}
        kept = {k: v for k, v in expected.items() if v or k == "puzzle"}
        assert {k: str(v) for k, v in found.items()} == kept
        assert isinstance(found["line"], int)


def test_usual_columns_are_those_that_tell_rows_apart(chunk):
    assert usual_columns(chunk._replace(ids=None, rules=None)) == DEFAULT_COLUMNS
    both = ("line", "id", "puzzle", "rules", "status", "solution", "reason")
    assert usual_columns(chunk) == both
    assert usual_columns(chunk, files=2) == ("file", *both)
    rated = ("line", "id", "puzzle", "rules", "status", "er", "ep", "ed", "technique", "reason")
    assert usual_columns(chunk, rated=True) == rated


def test_givens_of_pencil_marks_are_cells_with_one_mark(chunk):
    marks = marks_of(chunk.puzzles, Board())
    assert count_givens(chunk._replace(puzzles=marks)).tolist() == GIVENS
    assert count_givens(chunk).tolist() == GIVENS


def test_pencil_marks_are_written_a_character_a_candidate(chunk, result):
    marked = chunk._replace(puzzles=marks_of(chunk.puzzles, Board()))
    line = rows_in("csv", marked, result, ["puzzle"]).decode().splitlines()[0]
    digit = CLASSIC[4]
    assert (len(line), line[:9]) == (729, "123456789")
    assert line[36:45] == digit.rjust(int(digit), ".").ljust(9, ".")


# Files -------------------------------------------------------------------------------------------


def test_csv_files_have_one_header(written):
    rows = list(csv.reader(io.StringIO(written("csv").read_text(encoding="utf-8"))))
    assert rows[0] == list(COLUMNS)
    assert len(rows) == 17
    assert rows[1:9] == rows[9:]


def test_parquet_reads_back(written):
    table = pyarrow.parquet.read_table(written("parquet"))
    assert table.column_names == list(COLUMNS)
    for name, expected in EXPECTED.items():
        values = table.column(name).to_pylist()
        assert ["" if value is None else str(value) for value in values] == 2 * expected
    assert str(table.schema.field("line").type) == "int64"


def test_npz_reads_back(written, chunk, result):
    names = npz_columns(COLUMNS)
    with np.load(written("npz", names), allow_pickle=False) as arrays:
        assert set(arrays) == {
            "lines", "puzzles", "statuses", "solutions", "givens", "nodes", "microseconds",
            "er", "ep", "ed",
        }  # fmt: skip
        assert arrays["er"][0] == 7.1 and np.isnan(arrays["er"][1:8]).all()
        assert (arrays["solutions"] == np.tile(result.solutions, (2, 1))).all()
        assert arrays["solutions"].dtype == arrays["statuses"].dtype == np.uint8
        good = [row for row in range(8) if row not in chunk.errors]
        assert (arrays["puzzles"][8:][good] == chunk.puzzles[good]).all()
        assert arrays["lines"].tolist() == 2 * chunk.lines.tolist()
        assert arrays["givens"].tolist() == 2 * GIVENS


@pytest.mark.parametrize("form", ["line", "csv", "jsonl", "npz", "parquet"])
def test_the_same_results_are_the_same_bytes(written, form):
    names = npz_columns(COLUMNS) if form == "npz" else COLUMNS
    assert written(form, names, "one").read_bytes() == written(form, names, "two").read_bytes()


def test_text_is_compressed_by_the_name_s_ending(written):
    assert gzip.decompress(written("csv", name="o.csv.gz").read_bytes()) == (
        written("csv").read_bytes()
    )


def test_nothing_is_left_beside_the_file(written, tmp_path):
    written("npz", npz_columns(COLUMNS))
    assert os.listdir(tmp_path) == ["out"]


def test_an_error_leaves_what_was_there(chunk, result, tmp_path):
    path = tmp_path / "out.npz"
    path.write_text("before")
    with (
        pytest.raises(ZeroDivisionError),
        open_results(str(path), "npz", ["status"], OPTIONS) as put,
    ):
        put(chunk, result)
        raise ZeroDivisionError
    assert path.read_text() == "before"
    assert os.listdir(tmp_path) == ["out.npz"]


@pytest.mark.parametrize("form", RESULT_FORMS)
def test_no_rows_are_a_file_all_the_same(form, tmp_path):
    nothing = np.zeros((0, 81), np.uint8)
    chunk = Chunk(np.zeros(0, np.int64), nothing, {})
    result = engine_result(nothing[:, 0], nothing, np.zeros(0, np.uint32))
    path = tmp_path / "out"
    with open_results(str(path), form, ("line", "status"), OPTIONS) as put:
        put(chunk, result)
    assert path.exists()
    if form == "csv":
        assert path.read_text() == "line,status\n"


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_large_boards_write_letters(form):
    line = "GFED" + "1" * 252
    cells16 = np.array([cells(line)], np.uint8)
    cells16[0, :4] = [16, 15, 14, 13]
    chunk = Chunk(np.array([1]), cells16, {})
    one = np.array([1])
    result = engine_result(one.astype(np.uint8), cells16, one.astype(np.uint32))
    assert rows_in(form, chunk, result, DEFAULT_COLUMNS).decode().count(line) == 2
    assert format_lines(chunk, result, OPTIONS).decode() == f"unique {line}\n"


def test_a_file_name_that_is_no_utf8_can_be_written(chunk, result):
    chunk.errors[4] = GridError("80 cells", "81 cells", source="caf\udce9.txt")
    assert rb"caf\udce9.txt" in format_lines(chunk, result, OPTIONS)
    assert rb"caf\udce9.txt" in rows_in("csv", chunk, result, DEFAULT_COLUMNS)
    assert rb"caf\\udce9.txt" in rows_in("jsonl", chunk, result, DEFAULT_COLUMNS)


def test_a_file_name_that_is_no_utf8_in_parquet(chunk, result, tmp_path):
    chunk.errors[4] = GridError("80 cells", "81 cells", source="caf\udce9.txt")
    with open_results(str(tmp_path / "o"), "parquet", ["reason"], OPTIONS) as put:
        put(chunk, result)
    assert "caf" in pyarrow.parquet.read_table(tmp_path / "o").column("reason")[4].as_py()


def test_wrong_formats_and_columns_are_refused(tmp_path):
    path = str(tmp_path / "o")
    with pytest.raises(
        ResultsError, match=r"no format 'cvs': did you mean 'csv'\? choose from line"
    ):
        open_results(path, "cvs", [], OPTIONS).__enter__()
    with pytest.raises(
        ResultsError, match=r"no column 'stat' in csv: did you mean 'status'\? choose from file"
    ):
        open_results(path, "csv", ["stat"], OPTIONS).__enter__()
    with pytest.raises(ResultsError, match="no column 'reason' in npz"):
        open_results(path, "npz", ["reason"], OPTIONS).__enter__()
    with pytest.raises(FileError, match="npz cannot be written to standard output"):
        open_results("-", "npz", ["line"], OPTIONS).__enter__()
    assert os.listdir(tmp_path) == []


def test_rows_of_several_kinds_do_not_go_into_one_array(chunk, result, tmp_path):
    marked = chunk._replace(puzzles=marks_of(chunk.puzzles, Board()))
    path = tmp_path / "o.npz"
    mixed = pytest.raises(FileError, match="do not go into one array")
    with mixed, open_results(str(path), "npz", ["puzzle"], OPTIONS) as put:
        put(chunk, result)
        put(marked, result)
    assert os.listdir(tmp_path) == []


def test_columns_twice_and_archives_packed_twice_are_refused(tmp_path):
    with pytest.raises(ResultsError, match="column 'line' twice"):
        open_results(str(tmp_path / "o"), "csv", ("line", "status", "line"), OPTIONS).__enter__()
    with pytest.raises(FileError, match=r"npz files are not packed: leave out \.gz"):
        open_results(str(tmp_path / "o.npz.gz"), "npz", ["line"], OPTIONS).__enter__()
    assert os.listdir(tmp_path) == []


def test_a_reason_is_one_line_whatever_the_file_is_called(chunk, result):
    chunk.errors[4] = GridError("80 cells", "81 cells", source="two\nlines\r.txt")
    assert format_lines(chunk, result, OPTIONS).count(b"\n") == len(ROWS)
    text = rows_in("csv", chunk, result, ["reason"]).decode()
    assert len(list(csv.reader(io.StringIO(text)))) == len(ROWS)
    assert r"two\nlines\r.txt" in text


def test_npz_keeps_what_was_finished_and_marks_what_could_not_be_read(tmp_path, chunk, result):
    path = tmp_path / "o.npz"
    with (
        pytest.raises(KeyboardInterrupt),
        open_results(str(path), "npz", ["line", "puzzle"], OPTIONS) as put,
    ):
        put(chunk, result)
        raise KeyboardInterrupt
    with np.load(*parts(path), allow_pickle=False) as arrays:
        assert arrays["lines"].tolist() == chunk.lines.tolist()
        unreadable = (arrays["puzzles"] == 255).all(axis=1)
        assert np.flatnonzero(unreadable).tolist() == sorted(chunk.errors)
    assert chunk.errors and (chunk.puzzles < 10).all()  # and not in the chunk itself


def test_usual_columns_are_those_that_any_chunk_has(chunk):
    plain, named = chunk._replace(ids=None, rules=None), chunk._replace(ids=["x"], rules=None)
    assert "id" not in usual_columns(plain)
    assert usual_columns(plain, named, files=2)[:3] == ("file", "line", "id")
