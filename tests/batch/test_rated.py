"""Ratings of a batch: rows of other rules and pencil marks have none."""

import numpy as np
from examples import CLASSIC

from satdoku.batch.options import BatchOptions
from satdoku.batch.rated import ratings_of_each, scales, techniques
from satdoku.batch.solve import solve_chunks
from satdoku.files.collection import Chunk
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import parse_grid
from satdoku.runtime.errors import Status

CELLS = np.array([list(parse_grid(CLASSIC).cells)] * 3, np.uint8)
OPTIONS = BatchOptions(constraints_for("classic"), rated=True)


def test_rows_of_other_rules_and_of_pencil_marks_have_no_rating():
    marks = np.ones((81, 9), np.uint8)
    for cell, digit in enumerate(CELLS[0].tolist()):
        if digit:
            marks[cell] = np.arange(1, 10) == digit
    rules = ["", "classic", ""]
    chunk = Chunk(np.arange(3), CELLS, {}, rules=rules, marks={2: marks.tobytes()})
    ((_, result),) = solve_chunks([chunk], OPTIONS)
    assert result.statuses.tolist() == 3 * [Status.UNIQUE]
    assert scales(result.ratings)[0, :2].tolist() == [2.8, 2.8]
    assert np.isnan(scales(result.ratings)[:, 2]).all()
    assert techniques(result.ratings).tolist() == ["claiming", "claiming", ""]


def test_a_result_without_ratings_says_so_of_each_puzzle():
    ((_, result),) = solve_chunks(
        [Chunk(np.arange(3), CELLS, {})], BatchOptions(OPTIONS.constraints)
    )
    assert result.ratings.shape == (3, 0)
    assert np.isnan(scales(ratings_of_each(result.ratings))).all()
