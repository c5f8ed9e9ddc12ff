"""Audits of what Python holds are those of files with the same rows."""

from __future__ import annotations

import numpy as np
import pandas
import polars
import pyarrow
import pytest
from audit_oracle import generated
from examples import CLASSIC, CLASSIC_SOLUTION

import satdoku
from satdoku.audit.frame import audit_frame
from satdoku.model.grid import parse_grid
from satdoku.runtime.errors import SatdokuError

TEXTS = [
    CLASSIC, CLASSIC[27:] + CLASSIC[:27], CLASSIC, "." * 81, CLASSIC[1:],
    "".join(map(str, generated()[0].tolist())),
]  # fmt: skip
ANSWERS = [CLASSIC_SOLUTION, None, CLASSIC_SOLUTION[::-1], None, None, "12"]
IDS = ["a", "b", "c", "d", "e", None]


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    path = tmp_path_factory.mktemp("frame") / "a.csv"
    rows = zip(IDS, TEXTS, ANSWERS, strict=True)
    lines = [",".join(value or "" for value in row) for row in rows]
    path.write_text("\n".join(["id,quizzes,solutions", *lines]))
    return satdoku.audit_files(str(path), rows=True)


COLUMNS = {"id": IDS, "quizzes": TEXTS, "solutions": ANSWERS}


@pytest.mark.parametrize(
    "make",
    [
        dict,
        pandas.DataFrame,
        lambda columns: pandas.DataFrame(columns).astype("string"),
        lambda columns: pandas.DataFrame(columns, index=list("uvwxyz")),
        polars.DataFrame,
        pyarrow.table,
        lambda columns: (
            pyarrow.table(columns).slice(0, 3).to_batches()[0].schema
            and pyarrow.concat_tables(
                [pyarrow.table(columns).slice(0, 3), pyarrow.table(columns)[3:]]
            )
        ),
        lambda columns: {name: np.array(values, object) for name, values in columns.items()},
    ],
    ids=["dict", "pandas", "strings", "index", "polars", "pyarrow", "chunked", "objects"],
)
def test_a_frame_is_audited_as_a_file_of_the_same_columns(make, expected):
    audit = audit_frame(make(COLUMNS))
    report, told = expected["files"][0], audit["files"][0]
    for key in ("rows", "sound", "statuses", "answers", "duplicates", "givens", "effort"):
        assert told[key] == report[key], key
    found = [(f["kind"], f["count"]) for f in told["findings"]]
    assert found == [(f["kind"], f["count"]) for f in report["findings"]]
    for name in ("kinds", "status", "answer", "cluster", "duplicate_of", "grid", "symmetric"):
        assert np.array_equal(getattr(audit.rows, name), getattr(expected.rows, name)), name
    assert audit.rows.line.tolist() == [1, 2, 3, 4, 5, 6]
    assert list(audit.rows.ids) == [text or "" for text in IDS]
    malformed = next(f for f in told["findings"] if f["kind"] == "malformed row")
    assert "data: line 5" in malformed["examples"][0]["detail"]


@pytest.mark.parametrize(
    "data",
    [
        generated()[:4],
        generated()[:4].reshape(4, 9, 9).astype(np.int64),
        generated()[:4].astype(float),
        ["".join(map(str, row)) for row in generated()[:4].tolist()],
        pandas.Series(["".join(map(str, row)) for row in generated()[:4].tolist()]),
        [parse_grid("".join(map(str, row))) for row in generated()[:4].tolist()],
    ],
    ids=["array", "9x9", "floats", "texts", "series", "grids"],
)
def test_puzzles_alone(data):
    audit = audit_frame({"train": data, "test": data})
    assert [file["path"] for file in audit["files"]] == ["train", "test"]
    assert [leak["exact"] for leak in audit["leaks"]] == [4]
    assert audit.rows.duplicate_of.tolist() == [-1, -1, -1, -1, 0, 1, 2, 3]
    assert audit_frame(data)["sound"]
    assert audit_frame(data, rows=False).rows is None


def test_rows_that_are_no_puzzles_are_findings():
    puzzles = generated()[:3].astype(np.int64)
    puzzles[0, 5], puzzles[1, 0] = 17, -1
    audit = audit_frame(puzzles)
    (finding,) = audit["files"][0]["findings"]
    assert (finding["kind"], finding["count"]) == ("malformed row", 2)
    assert "17" in finding["examples"][0]["detail"]
    assert audit.rows.kinds.tolist() == [1, 1, 0]
    assert audit_frame([CLASSIC, "12"])["files"][0]["statuses"] == {"unique": 1, "invalid": 1}
    assert audit_frame(CLASSIC)["files"][0]["rows"] == 1


def test_columns_by_other_names_and_rules():
    frame = pandas.DataFrame({"q": [CLASSIC], "a": [CLASSIC_SOLUTION], "n": [7]})
    audit = audit_frame(frame, columns={"puzzle": "q", "answer": "a", "id": "n"})
    assert audit["files"][0]["answers"] == {"stated": 1, "right": 1}
    assert list(audit.rows.ids) == ["7"]
    assert audit_frame(frame)["files"][0]["answers"] == {"stated": 1, "right": 1}  # by values
    with pytest.raises(SatdokuError, match="data: no column 'puzzle': there are a, n"):
        audit_frame(pandas.DataFrame({"a": ["x"], "n": [7]}))
    with pytest.raises(SatdokuError, match="data: grids in q, r: tell which with --column"):
        audit_frame(pandas.DataFrame({"q": [CLASSIC], "r": [CLASSIC]}))
    with pytest.raises(SatdokuError, match="holds no puzzle"):
        audit_frame(pandas.DataFrame({"puzzle": []}))
    four = audit_frame(["1234341221434321"], "diagonal")
    assert (four["rules"], four["files"][0]["statuses"]) == ("diagonal", {"invalid": 1})
    frame = pandas.DataFrame({"puzzle": [CLASSIC] * 2, "rules": ["diagonal", None]})
    assert audit_frame(frame)["files"][0]["statuses"] == {"none": 1, "unique": 1}


def test_ratings_and_rows_as_frame():
    audit = satdoku.audit_frame(generated()[:3], ratings=True)
    expected = satdoku.rate_batch(generated()[:3])
    frame = audit.rows.as_frame()
    assert frame["er"].tolist() == expected.er.tolist()
    assert frame["technique"].tolist() == expected.technique.tolist()
    assert sum(audit["files"][0]["ratings"].values()) == 3
    assert audit.rows.as_frame("polars")["cluster"].to_list() == [1, 2, 3]
