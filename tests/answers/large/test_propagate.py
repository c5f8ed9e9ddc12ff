"""Propagation of large puzzles, compared with unit propagation on the extended encoding."""

from __future__ import annotations

import numpy as np
import pytest

import satdoku
from satdoku.answers.large.propagate import houses_of, open_candidates, propagate
from satdoku.answers.session import Session
from satdoku.generator.holes import puzzles_with_holes
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for


@pytest.mark.parametrize(("size", "holes"), [(4, 9), (9, 40), (9, 52), (16, 130), (16, 150)])
def test_the_fixpoint_is_that_of_unit_propagation(size, holes):
    session = Session(constraints_for("classic", Board.of_size(size)))
    _same(session, puzzles_with_holes(3, size=size, holes=holes, seed=1), session.constraints)


@pytest.mark.parametrize("rules", ["diagonal", "latin"])
def test_so_it_is_under_other_rules(rules):
    session = Session(constraints_for(rules))
    _same(session, puzzles_with_holes(3, rules, holes=48, seed=1), session.constraints)


def test_conflicts_are_those_of_unit_propagation():
    """A wrong digit more: some of these puzzles conflict at once, some do not."""
    session, rules = Session(), constraints_for()
    puzzles = puzzles_with_holes(60, holes=50, seed=2)
    found = set()
    for number, puzzle in enumerate(puzzles):
        cell = np.flatnonzero(puzzle == 0)[number % 50]
        puzzle[cell] = 1 + number % 9
        found.add(_same(session, puzzle[None], rules))
    assert found == {True, False}


def _same(session, puzzles, rules):
    """Assert that both propagate alike; whether the last puzzle conflicts."""
    for puzzle in puzzles:
        ours = propagate(open_candidates(puzzle.astype(np.uint16), rules))
        theirs = session.propagate(puzzle)
        assert ours.conflict == (theirs is None)
        if theirs is not None:
            assert bytes(ours.settled.astype(np.uint8)) == theirs.cells
            digits = satdoku.pencil_marks(theirs, session.constraints)
            assert ours.count == sum(len(d) for d, c in zip(digits, theirs, strict=True) if not c)
    return ours.conflict


@pytest.mark.parametrize(("rules", "size"), [("diagonal", 9), ("windoku,disjoint", 16), ("", 6)])
def test_houses_are_the_groups_of_small_boards(rules, size):
    constraints = constraints_for(rules or "classic", Board.of_size(size))
    groups = {tuple(candidate // size for candidate in group) for group in constraints.groups}
    houses = {tuple(sorted(house)) for house in houses_of(constraints).tolist()}
    assert houses == {tuple(sorted(cells)) for cells in groups if len({*cells}) == size}


def test_those_of_the_largest():
    houses = houses_of(constraints_for("classic", Board.of_size(256)))
    assert (houses.shape, houses.dtype, houses.max()) == ((768, 256), np.int32, 65535)
