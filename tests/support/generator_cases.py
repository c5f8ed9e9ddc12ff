"""Helpers for the tests of the generator."""

from __future__ import annotations

import numpy as np
from examples import FOUR

import satdoku
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for

NINE = constraints_for("classic")


SIX = constraints_for("classic", Board.of_size(6))


LITTLE = constraints_for("classic", FOUR)


def number_of_solutions(session, cells):
    """The number of solutions by CDCL: 0, 1, or 2 for two or more."""
    return session.count(cells, limit=2)


def assert_unique(puzzles, rules=NINE, *, minimal=False):
    """By CDCL: each has one solution; if minimal, removing any given adds another solution."""
    with satdoku.Session(rules) as session:
        for puzzle in puzzles:
            assert number_of_solutions(session, puzzle) == 1
            for cell in np.flatnonzero(puzzle) if minimal else ():
                less = puzzle.copy()
                less[cell] = 0
                assert number_of_solutions(session, less) == 2


def chi_square(observed, expected):
    """The deviation of counts, in standard deviations of the chi-square distribution (normal for
    many classes)."""
    observed, expected = np.asarray(observed, float), np.asarray(expected, float)
    freedom = len(observed) - 1
    return (((observed - expected) ** 2 / expected).sum() - freedom) / (2 * freedom) ** 0.5
