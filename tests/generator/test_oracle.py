"""Completions are all solutions."""

from __future__ import annotations

import numpy as np
from generator_cases import LITTLE
from hypothesis import given, settings
from hypothesis import strategies as st

import satdoku
from satdoku.generator.dice import Dice
from satdoku.generator.oracle import completions, unique
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32), rules=st.sampled_from(("classic", "diagonal", "knight")))
def test_completions_are_all_solutions(seed, rules):
    constraints = constraints_for(rules, Board.of_size(6))
    dice = Dice(seed)
    grids = np.frombuffer(satdoku.solve("." * 36, rules).cells * 4, np.uint8).reshape(4, 36)
    kept = dice.orders(4, 36) < dice.below(20, 4)[:, None] + 4
    puzzles = np.where(kept, grids, 0).astype(np.uint8)
    found = completions(puzzles, constraints, 20)
    with satdoku.Session(constraints) as session:
        for row, puzzle in enumerate(puzzles):
            expected = sorted(s.cells for s in session.solutions(puzzle, limit=21))
            assert found.too_many[row] == (len(expected) == 21)
            start, count = found.starts[row], found.counts[row]
            mine = [bytes(grid) for grid in found.grids[start : start + count]]
            assert mine == ([] if found.too_many[row] else expected)


def test_completions_of_none():
    found = completions(np.zeros((0, 16), np.uint8), LITTLE, 5)
    assert len(found.grids) == 0
    clash = np.array([[1, 1] + [0] * 14], np.uint8)
    assert completions(clash, LITTLE, 5).counts.tolist() == [0]
    assert len(completions(np.zeros((1, 16), np.uint8), LITTLE, 288).grids) == 288
    assert completions(np.zeros((1, 16), np.uint8), LITTLE, 287).too_many.all()


def test_the_list_of_all_grids_tells_which_puzzles_are_unique(four_by_four):
    listed = np.frombuffer(b"".join(four_by_four), np.uint8).reshape(288, 16)
    dice = Dice(4)
    puzzles = listed[dice.below(288, 200)] * (dice.below(3, 200, 16) == 0).astype(np.uint8)
    puzzles[0, :2] = 1  # no solution
    found = unique(puzzles, LITTLE, listed)
    assert np.array_equal(found, unique(puzzles, LITTLE))
    assert 20 < found.sum() < 180
