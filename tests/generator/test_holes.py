"""Full grids with holes, and grids that are mixed out of a pattern."""

from __future__ import annotations

import numpy as np
import pytest

import satdoku
from satdoku.answers.large.propagate import houses_of
from satdoku.generator import GeneratorError
from satdoku.generator.dice import Dice
from satdoku.generator.holes import (
    HolesOptions,
    mixed_grids,
    pattern,
    puzzles_with_holes,
    rules_for,
)


@pytest.mark.parametrize(("size", "dtype"), [(9, np.uint8), (25, np.uint8), (36, np.uint16)])
def test_as_many_holes_as_asked_for(size, dtype):
    part = puzzles_with_holes(2, size=size, holes=0.4, seed=1)
    assert part.dtype == dtype
    assert ((part == 0).sum(axis=1) == round(0.4 * size * size)).all()
    number = puzzles_with_holes(1, size=size, holes=50, seed=1)
    assert (number == 0).sum() == 50


def test_a_seed_gives_its_puzzles_and_more_of_them_begin_alike():
    two, three = (puzzles_with_holes(n, size=16, holes=0.5, seed=7) for n in (2, 3))
    assert (two == three[:2]).all()
    assert (three[0] != three[1]).any()
    assert (puzzles_with_holes(2, size=16, holes=0.5, seed=8) != two).any()


@pytest.mark.parametrize("size", [9, 16, 36])
def test_balanced_holes_are_equally_many_in_each_house(size):
    houses = houses_of(rules_for("classic", size))
    each = size // 2
    even = puzzles_with_holes(2, size=size, holes=size * each, pattern="balanced", seed=1)
    assert ((even[:, houses] == 0).sum(axis=2) == each).all()
    more = puzzles_with_holes(1, size=size, holes=size * each + 3, pattern="balanced", seed=1)
    assert set((more[0, houses] == 0).sum(axis=1)) == {each, each + 1}


def test_every_puzzle_has_a_solution_and_one_if_that_is_asked_for():
    for rules in ("classic", "diagonal"):
        several = puzzles_with_holes(5, rules, holes=60, seed=1)
        statuses = [satdoku.classify(puzzle, rules) for puzzle in several]
        assert satdoku.Status.NONE not in statuses
        assert satdoku.Status.MULTIPLE in statuses
        alone = puzzles_with_holes(3, rules, holes=45, seed=1, unique=True)
        assert {satdoku.classify(puzzle, rules) for puzzle in alone} == {satdoku.Status.UNIQUE}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"holes": 82}, "82 holes: expected a number from 0 to 81, or a part such as 0.4"),
        ({"holes": 1.5}, "1.5 holes"),
        ({"holes": 1, "pattern": "odd"}, "pattern 'odd': expected random or balanced"),
        ({"holes": 1, "seed": -1}, "seed -1: expected 0 or more"),
    ],
)
def test_what_cannot_be_made_is_refused(options, message):
    with pytest.raises(GeneratorError, match=message):
        HolesOptions(rules_for("classic", None), **options)


def test_one_solution_that_is_not_found_is_told():
    options = HolesOptions(rules_for("classic", 4), 16, unique=True, tries=3)
    with pytest.raises(GeneratorError, match="found 0 of 2 puzzles with 16 holes"):
        list(satdoku.generator.holes.each_puzzle(2, options))


@pytest.mark.parametrize(
    ("rules", "size"),
    [
        ("classic", 4),
        ("classic", 6),
        ("boxes=3x2", 6),
        ("classic", 7),
        ("latin", 9),
        ("classic", 36),
        ("boxes=18x2", 36),
    ],
)
def test_every_grid_keeps_its_houses(rules, size):
    asked = rules_for(rules, size)
    houses = houses_of(asked)
    grids = mixed_grids(3, asked.board, Dice(1))
    assert (np.sort(grids[:, houses], axis=2) == np.arange(1, size + 1)).all()


def test_all_grids_of_4x4_are_reached():
    """288, which are 12 up to the names of the digits."""
    grids = mixed_grids(150, rules_for("classic", 4).board, Dice(1))
    names = np.argsort(grids[:, :4], axis=1)
    assert len(np.unique(np.take_along_axis(names, grids - 1, axis=1), axis=0)) == 12


def test_what_is_regular_in_the_pattern_is_gone():
    """Two rows of a band of the pattern are shifts of each other, of a few different cycles."""
    board = rules_for("classic", 36).board
    mixed = mixed_grids(1, board, Dice(1))[0].reshape(36, 36) - 1
    assert _cycles(mixed) < 0.7 * _cycles(pattern(board))


def _cycles(square):
    """Cycles of the permutations from each row to the one below it."""
    found = 0
    for upper, lower in zip(square[:-1].tolist(), square[1:].tolist(), strict=True):
        follows = dict(zip(upper, lower, strict=True))
        while follows:
            digit = next(iter(follows))
            while digit in follows:
                digit = follows.pop(digit)
            found += 1
    return found
