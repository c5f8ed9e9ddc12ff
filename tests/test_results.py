"""Results of a batch as text: every status, every format, errors in their rows."""

import csv
import io
import json

import numpy as np
import pytest
from conftest import CLASSIC, CLASSIC_SOLUTION

from satdoku.batch import BatchResult
from satdoku.collection import Chunk
from satdoku.errors import Status
from satdoku.grid import GridError
from satdoku.results import CSV_HEADER, FORMATTERS, format_csv, format_jsonl, format_lines

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


def cells(line):
    return [0 if c == "." else int(c, 36) for c in line]


@pytest.fixture
def chunk():
    puzzles = np.array([cells(row[1] or EMPTY) for row in ROWS], dtype=np.uint8)
    return Chunk(np.array([row[0] for row in ROWS]), puzzles, dict(REASONS))


@pytest.fixture
def result():
    statuses = np.array([Status[row[2].upper()] for row in ROWS], dtype=np.uint8)
    solutions = np.array([cells(row[3] or EMPTY) for row in ROWS], dtype=np.uint8)
    return BatchResult(statuses, solutions)


def test_the_rows_cover_every_status():
    assert {row[2] for row in ROWS} == {str(status) for status in Status}


def test_lines_are_status_and_solution_or_reason(chunk, result):
    expected = [f"{status} {solution}".strip() for _, _, status, solution in ROWS]
    expected[4] = f"invalid {ERROR}"
    assert format_lines(chunk, result).decode() == "\n".join(expected) + "\n"


def test_lines_without_errors(chunk, result):
    text = format_lines(chunk._replace(errors={}), result).decode()
    assert text.split("\n")[4] == "invalid"
    assert text.count("\n") == len(ROWS)


def test_csv_reads_back_row_for_row(chunk, result):
    text = (CSV_HEADER + format_csv(chunk, result)).decode()
    header, *rows = csv.reader(io.StringIO(text))
    assert header == ["line", "puzzle", "status", "solution", "reason"]
    assert rows == [[*map(str, row), str(REASONS.get(index, ""))] for index, row in enumerate(ROWS)]
    assert "\r" not in text


def test_jsonl_has_only_the_fields_there_are(chunk, result):
    rows = [json.loads(line) for line in format_jsonl(chunk, result).splitlines()]
    expected = []
    for line, puzzle, status, solution in ROWS:
        row = {"line": line, "puzzle": puzzle, "status": status}
        expected.append(row | ({"solution": solution} if solution else {}))
    expected[4]["reason"] = str(ERROR)
    assert rows == expected


@pytest.mark.parametrize("name", FORMATTERS)
def test_no_rows_are_no_text(name):
    nothing = np.zeros((0, 81), np.uint8)
    chunk = Chunk(np.zeros(0, np.int64), nothing, {})
    assert FORMATTERS[name][1](chunk, BatchResult(np.zeros(0, np.uint8), nothing)) == b""


@pytest.mark.parametrize("name", FORMATTERS)
def test_large_boards_write_letters(name):
    line = "GFED" + "1" * 252
    cells16 = np.array([cells(line)], np.uint8)
    cells16[0, :4] = [16, 15, 14, 13]
    chunk = Chunk(np.array([1]), cells16, {})
    text = FORMATTERS[name][1](chunk, BatchResult(np.array([1], np.uint8), cells16)).decode()
    assert f"unique {line}\n" == text if name == "line" else text.count(line) == 2


@pytest.mark.parametrize("name", FORMATTERS)
def test_a_file_name_that_is_no_utf8_can_be_written(chunk, result, name):
    chunk.errors[4] = GridError("80 cells", "81 cells", source="caf\udce9.txt")
    text = FORMATTERS[name][1](chunk, result)
    assert (b"caf\\udce9.txt" if name == "jsonl" else b"caf\xe9.txt") in text
