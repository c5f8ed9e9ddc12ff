"""Chunks of collections: which boards they hold."""

from __future__ import annotations

import numpy as np
import pytest

from satdoku.files.collection.chunk import Chunk
from satdoku.runtime.errors import SatdokuError


def test_cells_that_make_no_square_are_no_board():
    chunk = Chunk(np.arange(1), np.zeros((1, 72), np.uint8), {})
    with pytest.raises(SatdokuError, match="puzzles of 72 cells: expected those of a square"):
        _ = chunk.board
