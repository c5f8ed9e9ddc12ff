"""Chunks of collections: which boards they hold."""

from __future__ import annotations

import numpy as np
import pytest

from satdoku.files.collection.chunk import Chunk
from satdoku.runtime.errors import SatdokuError


def test_a_puzzle_with_a_layer_is_refused_in_words(run, tmp_path):
    """Its cells make no square, or are those of another board."""
    path = tmp_path / "chaos.iss"
    path.write_text(".Shape~6x6.ChaosConstruction.NoBoxes.~R1C2_6.ChaosCount~R1C2\n")
    for command in ("batch", "audit"):
        code, _, err = run(command, str(path))
        assert code == 2
        assert "square boards" in err and err.count("\n") == 1


def test_cells_that_make_no_square_are_no_board():
    chunk = Chunk(np.arange(1), np.zeros((1, 72), np.uint8), {})
    with pytest.raises(SatdokuError, match="puzzles of 72 cells: collections are of square"):
        _ = chunk.board
