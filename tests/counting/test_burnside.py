"""Burnside's lemma: published numbers of classes, listed ones, and what each symmetry fixes."""

from __future__ import annotations

import numpy as np
import pytest

from satdoku.counting import burnside, count_exact
from satdoku.counting.burnside import count_orbits
from satdoku.counting.few_grids import all_grids
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.symmetry import orbits


@pytest.mark.parametrize(
    ("rules", "size", "classes"),
    [
        ("classic", 4, 2),
        pytest.param("classic", 6, 49, marks=pytest.mark.slow),  # the command's test
        ("latin=3", 3, 1),  # with an exchange of rows and columns: McKay, Meynert, Myrvold 2007
        ("latin=4", 4, 2),
        pytest.param("latin=5", 5, 2, marks=pytest.mark.slow),
        pytest.param("latin=6", 6, 17, marks=pytest.mark.slow),
        pytest.param("classic", 8, 1_673_187, marks=pytest.mark.slow),
        pytest.param("classic", 9, 5_472_730_538, marks=pytest.mark.slow),
    ],
)
def test_published_numbers(rules, size, classes):
    found = count_orbits(rules, size=size)
    assert (found.orbits, found.exact) == (classes, True)
    assert sum(each.size * each.grids for each in found.fixed) == classes * found.order


@pytest.mark.parametrize("digits", [True, False])
@pytest.mark.parametrize(
    ("rules", "size"),
    [
        ("classic", 4), ("latin", 4), ("diagonal", 4), ("nonconsecutive", 6),
        ("jigsaw=1122112233443344", 4), ("jigsaw=1112122233343444", 4), ("odd:r1c1", 4),
    ],
)  # fmt: skip
def test_as_many_as_a_list_has(rules, size, digits):
    constraints = constraints_for(rules, Board.of_size(size))
    grids = all_grids(constraints)
    found = count_orbits(constraints, digits=digits)
    assert found.exact and found.grids == len(grids)
    assert found.orbits == len(orbits(grids, constraints, digits=digits).sizes)


def test_each_symmetry_fixes_as_many_grids_as_a_list_says():
    constraints = constraints_for("classic", Board.of_size(4))
    grids = all_grids(constraints)
    for cells, digits, _, number in count_orbits(constraints).fixed:
        renamed = np.array(digits)[grids[:, cells] - 1] + 1
        assert (renamed == grids).all(1).sum() == number


def test_little_merging_gives_the_same_numbers(monkeypatch):
    monkeypatch.setattr(burnside, "MOST_IMAGES", 0)
    assert count_orbits(size=4).orbits == 2


def test_time_that_runs_out_leaves_a_lower_bound():
    found = count_orbits(size=6, timeout=0)
    assert (found.orbits, found.exact, found.grids) == (0, False, None)
    assert str(found) == ">=0"
    told = []
    count_orbits(size=4, progress=lambda done, total: told.append((done, total)))
    assert told[-1][0] == told[-1][1] == len(told)


def test_a_clue_leaves_only_the_identity():
    rules = "cage=7:r1c1,r1c2,r2c1"
    found, grids = count_orbits(rules, size=4), count_exact(None, rules, size=4).grids
    assert (found.order, found.orbits, found.grids) == (1, grids, grids)
