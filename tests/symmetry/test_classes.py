"""Conjugacy classes: their numbers, their sizes, and what commutes with their members."""

from __future__ import annotations

import numpy as np
import pytest

from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.symmetry import SymmetryError, group
from satdoku.symmetry.classes import centralizer, digit_classes, joined, line_classes

CASES = [  # 9x9: 275 classes, Russell and Jarvis
    ("classic", 9, 275),
    ("classic", 6, 90),
    ("latin", 5, 35),
    ("diagonal", 9, 30),
    ("knight", 9, 5),
    ("disjoint", 9, 45),
]


@pytest.mark.parametrize(("rules", "size", "number"), CASES)
def test_every_symmetry_is_in_one_class(rules, size, number):
    constraints = constraints_for(rules, Board.of_size(size))
    symmetries = group(constraints)
    classes = line_classes(constraints)
    assert len(classes) == number
    assert sum(each.size for each in classes) == symmetries.geometric_order
    assert sum(each.size for each in digit_classes(symmetries)) == symmetries.digit_order


@pytest.mark.parametrize("rules", ["classic", "diagonal", "jigsaw=1112122233343444"])
def test_classes_are_those_of_all_elements_by_brute_force(rules):
    constraints = constraints_for(rules, Board.of_size(4))
    elements = [tuple(e) for e in group(constraints).lines.elements().tolist()]
    found = set()
    for e in elements:
        conjugates = set()
        for s in elements:
            image = [0] * len(s)
            for point, to in enumerate(e):
                image[s[point]] = s[to]
            conjugates.add(tuple(image))
        found.add(frozenset(conjugates))
    classes = line_classes(constraints)
    assert sorted(len(conjugates) for conjugates in found) == sorted(c.size for c in classes)
    for member, size in classes:
        (own,) = [conjugates for conjugates in found if tuple(member.tolist()) in conjugates]
        assert len(own) == size


@pytest.mark.parametrize(("rules", "size"), [("classic", 4), ("diagonal", 4), ("odd", 4)])
def test_a_class_is_as_large_as_few_symmetries_commute(rules, size):
    constraints = constraints_for("odd:r1c1" if rules == "odd" else rules, Board.of_size(size))
    symmetries = group(constraints)
    identity = np.arange(size)
    for member, number in line_classes(constraints):
        fixing = centralizer(constraints, member, identity)
        assert fixing.geometric_order * number == symmetries.geometric_order
    for member, number in digit_classes(symmetries):
        fixing = centralizer(constraints, np.arange(2 * size), member)
        assert fixing.digit_order * number == symmetries.digit_order


def test_a_part_of_many_that_commute(monkeypatch):
    monkeypatch.setattr("satdoku.symmetry.classes.MOST_MOVES", 100)
    constraints = constraints_for("classic", Board.of_size(6))
    part = centralizer(constraints, np.arange(12), np.arange(6))
    assert 1 < part.geometric_order <= 100
    whole = {row.tobytes() for row in group(constraints).cell_permutations}
    assert {row.tobytes() for row in part.cell_permutations} <= whole


def test_a_group_that_cannot_be_listed(monkeypatch):
    """Rows and columns move together where the diagonals have to stay."""
    monkeypatch.setattr("satdoku.symmetry.classes.MAX_LISTED", 4)
    with pytest.raises(SymmetryError, match="permutations of lines: too large to list"):
        line_classes(constraints_for("diagonal"))


def test_points_are_joined_through_others():
    assert joined([np.array([1, 2, 0, 4, 3, 5])]).tolist() == [0, 0, 0, 3, 3, 5]
