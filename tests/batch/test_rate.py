"""Ratings of arrays: one for each unique puzzle, whatever its neighbours and the workers."""

import numpy as np
import pandas as pd
import pytest
from examples import CLASSIC, PUZZLES

import satdoku
from satdoku.batch import rate
from satdoku.files.collection import marks_of
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import parse_grid
from satdoku.ratings.scale import rating_of
from satdoku.runtime.errors import SatdokuError, Status

LINES = (PUZZLES / "generated-1000.txt").read_text().splitlines()
GRIDS = [parse_grid(line).cells for line in LINES if not line.startswith("#")][:40]


def test_bad_puzzles_keep_their_status_and_cost_no_other_its_rating():
    puzzles = np.array([list(cells) for cells in GRIDS[:5]], np.int64)
    puzzles[1], puzzles[2, :2], puzzles[3, 0] = 0, 5, 77
    found = satdoku.rate_batch(puzzles)
    assert found.statuses.tolist() == [
        Status.UNIQUE, Status.MULTIPLE, Status.INVALID, Status.INVALID, Status.UNIQUE,
    ]  # fmt: skip
    assert np.isnan(found.er).tolist() == [False, True, True, True, False]
    for row in (0, 4):
        er, ep, ed, technique = rating_of(bytes(GRIDS[row]))
        assert (found.er[row], found.ep[row], found.ed[row]) == (er, ep, ed)
        assert found.technique[row] == technique
    assert found.technique[1:4].tolist() == ["", "", ""]


@pytest.mark.parametrize("workers", [1, 2])
def test_the_number_of_workers_changes_nothing(monkeypatch, workers):
    monkeypatch.setattr(rate, "PIECE", 7)
    puzzles = np.array([list(cells) for cells in GRIDS], np.uint8)
    found = satdoku.rate_batch(puzzles, workers=workers)
    expected = [rating_of(bytes(cells)) for cells in GRIDS]
    assert found.er.tolist() == [rating.er for rating in expected]
    assert found.technique.tolist() == [rating.technique for rating in expected]


def test_no_puzzle_has_no_rating():
    assert [len(column) for column in satdoku.rate_batch(np.zeros((0, 81), np.uint8))] == 5 * [0]


def test_a_wrong_shape_and_pencil_marks_are_refused():
    one = np.array([list(parse_grid(CLASSIC).cells)], np.uint8)
    with pytest.raises(SatdokuError, match="pencil marks have no rating"):
        satdoku.rate_batch(marks_of(one, Board()))
    with pytest.raises(SatdokuError, match="array of"):
        satdoku.rate_batch(one[:, :15])


@pytest.mark.parametrize("workers", [1, 2])
def test_puzzles_of_other_rules_are_rated_as_one_by_one(monkeypatch, workers):
    monkeypatch.setattr(rate, "PIECE", 2)
    puzzles = satdoku.generate(4, "diagonal", size=6, seed=1)
    found = satdoku.rate_batch(
        puzzles, constraints_for("diagonal", Board.of_size(6)), workers=workers
    )
    for row, cells in enumerate(puzzles):
        alone = satdoku.rate(cells.tolist(), constraints_for("diagonal", Board.of_size(6)))
        assert (found.er[row], found.ep[row], found.ed[row]) == (alone.er, alone.ep, alone.ed)
        assert found.technique[row] == alone.technique


def test_texts_and_columns_are_rated_too():
    expected = satdoku.rate_batch(np.array([list(parse_grid(CLASSIC).cells)], np.uint8))
    assert satdoku.rate_batch(CLASSIC) == satdoku.rate_batch(pd.Series([CLASSIC])) == expected
