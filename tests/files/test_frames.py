"""Frames of every kind hold the same rows, by the names of batch's columns."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from examples import CLASSIC, CLASSIC_SOLUTION

import satdoku
from satdoku.batch.options import BatchOptions
from satdoku.batch.results.columns import COLUMNS
from satdoku.batch.solve import solve_job
from satdoku.files.frames import FrameError, as_frame
from satdoku.model.constraints import constraints_for

LINES = [CLASSIC, "." * 81, "55" + "." * 79]
KINDS = {
    "pandas": (pd.DataFrame, lambda frame: frame.to_dict("list")),
    "polars": (pl.DataFrame, lambda frame: frame.to_dict(as_series=False)),
    "pyarrow": (pa.Table, pa.Table.to_pydict),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_batch_as_a_frame(kind):
    frame = satdoku.solve_batch(LINES).as_frame(kind)
    made, values = KINDS[kind]
    assert isinstance(frame, made)
    columns = values(frame)
    assert list(columns) == ["status", "solution", "nodes", "microseconds", "by_session"]
    assert columns["status"] == ["unique", "multiple", "invalid"]
    assert columns["solution"][0] == CLASSIC_SOLUTION and columns["solution"][2] == ""
    assert columns["by_session"] == [False] * 3


@pytest.mark.parametrize("kind", KINDS)
def test_ratings_as_a_frame_miss_what_is_not_unique(kind):
    ratings = satdoku.rate_batch(LINES)
    columns = KINDS[kind][1](as_frame(ratings, kind))
    assert list(columns) == ["status", "er", "ep", "ed", "technique"]
    assert columns["er"][0] == ratings.er[0]
    missing = columns["er"][1:]
    assert np.isnan(missing).all() if kind == "pandas" else missing == [None, None]
    assert columns["technique"] == ratings.technique.tolist()


def test_a_rated_batch_has_the_columns_of_its_ratings():
    options = BatchOptions(constraints_for(), rated=True)
    columns = solve_job(satdoku.as_cells(LINES), options).columns()
    assert {*columns} - {"by_session"} <= {*COLUMNS}
    assert columns["er"][0] == satdoku.rate_batch(CLASSIC).er[0]


def test_no_rows_are_a_frame_too():
    for kind in KINDS:
        assert satdoku.solve_batch([]).as_frame(kind).shape == (0, 5)


def test_an_unknown_kind_and_a_missing_library_are_told(monkeypatch):
    result = satdoku.rate_batch(LINES[:1])
    with pytest.raises(FrameError, match="no frame 'panda': did you mean 'pandas'"):
        result.as_frame("panda")
    monkeypatch.setattr("satdoku.files.frames.import_module", _missing)
    with pytest.raises(FrameError, match="pip install polars"):
        result.as_frame("polars")


def _missing(name):
    raise ImportError(name)
