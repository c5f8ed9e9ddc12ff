"""Chunks of collections: which boards they hold."""

from __future__ import annotations

import json
from itertools import pairwise

import numpy as np
import pytest
from board_cases import BOARDS, some_puzzles
from examples import CLASSIC
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from soak import share

from satdoku.files.collection import read_chunks
from satdoku.files.collection.chunk import Chunk, runs
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.runtime.errors import SatdokuError


def test_cells_that_make_no_square_are_no_board():
    chunk = Chunk(np.arange(1), np.zeros((1, 72), np.uint8), {})
    with pytest.raises(SatdokuError, match="puzzles of 72 cells: expected those of a square"):
        _ = chunk.board


@given(st.lists(st.sampled_from([None, "a", "b", "c"]), max_size=12))
def test_runs_cover_all_rows_and_change_board_where_cells_or_digits_do(names):
    """A row without a board stands with the run before it."""
    boards = {
        "a": Board(),
        "b": Board.of_shape(6, 7),
        "c": Board(6, 2, 3, digits=(0, 1, 2, 3, 4, 5)),
    }
    found = list(runs([name and boards[name] for name in names], Board()))
    assert [row for _, start, stop in found for row in range(start, stop)] == [*range(len(names))]
    here = "a"
    expected = []
    for name in names:
        here = name or here
        expected.append(boards[here])
    assert [board for board, start, stop in found for _ in range(start, stop)] == expected
    assert all(one[0] != other[0] for one, other in pairwise(found))


@pytest.mark.parametrize("form", ["csv", "jsonl"])
@settings(max_examples=share(30), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_rows_of_any_boards_come_in_order_as_each_is_read_alone(tmp_path, form, data):
    """Whatever the size of the chunks; a row without rules has the board of the first such row."""
    names = st.sampled_from(["", *BOARDS])
    drawn = data.draw(st.lists(st.tuples(names, st.integers(0, 9)), min_size=2, max_size=9))
    rows = [
        (BOARDS[name], str(some_puzzles(BOARDS[name], 10)[at])) if name else ("", CLASSIC)
        for name, at in drawn
    ]
    path = tmp_path / f"in.{form}"
    if form == "csv":
        path.write_text("\n".join(["rules,puzzle", *(f'"{rules}",{text}' for rules, text in rows)]))
    else:
        keys = [{"rules": rules, "puzzle": text} for rules, text in rows]
        path.write_text("\n".join(map(json.dumps, keys)))
    found = list(read_chunks(str(path), size=data.draw(st.integers(1, 5)), keep=True))
    assert [text for chunk in found for text in chunk.puzzle_texts.tolist()] == [t for _, t in rows]
    assert [line for chunk in found for line in chunk.lines.tolist()] == [
        line for line, _ in enumerate(rows, 1 + (form == "csv"))
    ]
    kept = [text for chunk in found for text in chunk.beside.column("puzzle")]
    assert list(map(str, kept)) == [text for _, text in rows]
    for chunk in found:
        assert not chunk.errors
        for rules in chunk.rules or ():
            told = constraints_for(rules).board if rules else Board()
            assert told.row_form == chunk.board.row_form
