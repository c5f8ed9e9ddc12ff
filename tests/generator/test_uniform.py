"""Uniform grids under any rules: every grid of those with few alike, by list and by parts."""

from __future__ import annotations

import numpy as np
import pytest
from generator_cases import chi_square

from satdoku import engine, uniform_grids
from satdoku.counting.few_grids import all_grids
from satdoku.generator import GeneratorError, uniform
from satdoku.generator.uniform import _few, _parts
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.symmetry import automorphisms, canonical, group

SIX = Board.of_size(6)


def test_few_grids_are_listed():
    grids = uniform_grids(7200, "miracle", seed=1)
    _, counts = np.unique(grids, axis=0, return_counts=True)
    assert len(counts) == 72 and abs(chi_square(counts, [100] * 72)) < 3.5


def test_all_grids_of_parts_are_drawn_alike():
    constraints = constraints_for("diagonal", SIX)
    grids = uniform_grids(43_200, constraints, seed=2)
    found, counts = np.unique(grids.view("V36").ravel(), return_counts=True)
    listed = {bytes(grid) for grid in all_grids(constraints, 10_000)}
    assert len(listed) == 8640 and {bytes(grid) for grid in found} <= listed
    missed = [0] * (8640 - len(found))
    assert abs(chi_square([*counts, *missed], [5] * 8640)) < 3.5


def test_classes_of_latin_squares_are_drawn_by_their_sizes():
    constraints = constraints_for("latin=6")
    forms, counts = np.unique(
        canonical(uniform_grids(20_000, constraints, seed=3), constraints),
        axis=0,
        return_counts=True,
    )
    sizes = group(constraints).order / np.array(automorphisms(forms, constraints))
    assert len(forms) == 17 and sizes.sum() == 812_851_200  # McKay, Meynert and Myrvold
    assert abs(chi_square(counts, sizes * 20_000 / sizes.sum())) < 3.5


@pytest.mark.parametrize(
    ("rules", "grids"),
    [("latin=5", 161_280), ("latin=7", 61_479_419_904_000), ("knight,king", 1_451_520)],
)
def test_parts_stand_for_all_grids(rules, grids):
    assert _parts(constraints_for(rules)).ends[-1] == grids


def test_parts_are_split_until_they_are_small(monkeypatch):
    """The same grids and the same number from much smaller parts, by depth alone."""
    monkeypatch.setattr(uniform, "MOST", 3)
    monkeypatch.setattr(uniform, "SMALL", 2)
    monkeypatch.setattr(uniform, "LAYER", 5)
    parts = _parts(constraints_for("king", SIX))
    assert parts.ends[-1] == 74_160
    assert parts.grids.max() <= 3 and len(parts.grids) > 40


PINNED = ["465123321564536241214356653412142635", "325461416235164523532614241356653142"]


@pytest.mark.parametrize("name", engine.implementations())
def test_a_seed_means_the_same_grids_for_every_engine(name, monkeypatch):
    monkeypatch.setenv("SATDOKU_SIMD", name)
    uniform.uniform.cache_clear()
    grids = uniform_grids(2, "diagonal", size=6, seed=1)
    assert ["".join(map(str, grid)) for grid in grids] == PINNED


def test_few_looks_further_where_the_budget_ends(monkeypatch):
    monkeypatch.setattr(uniform, "BUDGET", 1)
    puzzles = np.zeros((2, 16), np.uint8)
    puzzles[1, :4] = 1, 2, 3, 4
    four = constraints_for("classic", Board.of_size(4))
    assert _few(puzzles, four, 12).tolist() == [-1, 12]
    assert _few(puzzles, four, 288).tolist() == [288, 12]


def test_workers_and_longer_runs_change_nothing():
    whole = uniform_grids(40, size=6, seed=3)
    assert np.array_equal(uniform_grids(40, size=6, seed=3, workers=2), whole)
    assert np.array_equal(uniform_grids(9, size=6, seed=3), whole[:9])
    assert uniform_grids(0, seed=3).shape == (0, 81)


def test_what_cannot_be_drawn_is_refused(monkeypatch):
    with pytest.raises(GeneratorError, match="there is no 6x6 grid"):
        uniform_grids(1, "knight,king,nonconsecutive,antiqueen", size=6)
    assert len(uniform_grids(1, "knight", timeout=1)) == 0  # too many to count in a second
    monkeypatch.setattr(uniform, "_listed", lambda _: None)
    with pytest.raises(GeneratorError, match="more than 2000 grids under classic"):
        uniform_grids(1, "classic;connected=1,3,5", size=6)
