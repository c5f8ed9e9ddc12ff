"""Sums by segments against arithmetic on all 4x4 grids; stretches against automata."""

from __future__ import annotations

import random
from itertools import count, permutations

import pytest
from examples import FOUR
from pysat.solvers import Solver

from satdoku.cnf.encodings import build, shapes
from satdoku.cnf.encodings.shapes import Adder, by_states, shape_clauses, stretch_clauses
from satdoku.model.constraints import constraints_for
from satdoku.model.implied import peers_of
from satdoku.model.shapes import AVAILABLE, Automaton, Stretch, Sum

CLASSIC = constraints_for("classic", FOUR)
PEERS = peers_of(CLASSIC)


def test_each_grid_with_the_total_is_one_model(four_by_four):
    rng = random.Random(1)
    formula = build(CLASSIC)
    for _ in range(40):
        fresh = count(formula.variables + 1).__next__
        adder = Adder(PEERS, 4, fresh)
        wanted = [*map(list, four_by_four)]
        clauses = list(formula.clauses)
        for _ in range(rng.randint(1, 2)):
            cells = tuple(rng.sample(range(16), rng.randint(1, 16)))
            weights = tuple(rng.choice((1, 1, 2, -1, -10)) for _ in cells)
            grid = rng.choice(four_by_four)
            off = rng.choice((0, 0, 0, 1, 500))  # too far for any grid
            total = off + sum(w * grid[c] for c, w in zip(cells, weights, strict=True))
            clauses += adder.clauses(Sum(cells, weights, total))
            wanted = [
                g
                for g in wanted
                if sum(w * g[c] for c, w in zip(cells, weights, strict=True)) == total
            ]
        assert all(clauses)
        with Solver("glucose4", bootstrap_with=clauses) as solver:
            assert sorted(map(list, map(formula.decode, solver.enum_models()))) == sorted(wanted)


DIGITS = range(1, 7)


def total_of(digits, is_counted):
    if is_counted:
        return sum(digits[: digits[0]])
    low, high = sorted((digits.index(1), digits.index(len(digits))))
    return sum(digits[low + 1 : high])


@pytest.mark.parametrize("is_counted", [False, True])
@pytest.mark.parametrize("cells", [(4, 5, 6, 7), (13, 9, 5, 1)])
def test_each_grid_with_the_total_is_one_model_of_stretches(is_counted, cells, four_by_four):
    formula = build(CLASSIC)
    for total in range(12):
        fresh = count(formula.variables + 1).__next__
        clauses = [*formula.clauses, *stretch_clauses(Stretch(cells, total, is_counted), 4, fresh)]
        assert all(clauses)
        with Solver("glucose4", bootstrap_with=clauses) as solver:
            found = sorted(map(formula.decode, solver.enum_models()))
        wanted = (g for g in four_by_four if total_of([g[c] for c in cells], is_counted) == total)
        assert found == sorted(wanted)


@pytest.mark.parametrize("is_counted", [False, True])
@pytest.mark.parametrize("total", [0, 1, 5, 6, 9, 14, 15, 20, 21])
def test_unit_propagation_judges_full_lines(is_counted, total):
    """Each of the 720 lines of six digits."""
    clauses = [*stretch_clauses(Stretch(range(6), total, is_counted), 6, count(37).__next__)]
    with Solver("glucose4", bootstrap_with=clauses) as solver:
        for digits in permutations(range(1, 7)):
            line = [6 * i + d if d == digits[i] else -6 * i - d for i in range(6) for d in DIGITS]
            consistent, _ = solver.propagate(line)
            assert consistent == (total_of(digits, is_counted) == total)


@pytest.mark.skipif(not AVAILABLE, reason="built without a compiler")
@pytest.mark.parametrize(
    "clue",
    [
        "regex=(1|2)*3.*:row1",
        "or:(cage=8:r1c1,r1c2,r2c1),(thermo:r3c1,r3c2)",
        "weighted=2,-1,1=5:r1c1,r1c2,r3c4",
    ],
)
def test_c_makes_the_clauses_of_automata_that_python_makes(clue, monkeypatch):
    said = [shape for family in constraints_for(clue, FOUR).families for shape in family.shapes]
    found = [[*shape_clauses(shape, 4, count(65).__next__)] for shape in said]
    automata = [shape for shape in said if isinstance(shape, Automaton)]
    states = [[*by_states(shape, 4, count(65).__next__)] for shape in automata]
    monkeypatch.setattr(shapes, "AVAILABLE", False)
    assert found == [[*shape_clauses(shape, 4, count(65).__next__)] for shape in said]
    assert any(len(clauses) > 10 for clauses in found)
    assert states == [[*by_states(shape, 4, count(65).__next__)] for shape in automata]
    assert any(len(clauses) > 10 for clauses in states)


def test_c_refuses_what_are_no_layers_of_cells():
    automata = pytest.importorskip("satdoku.model._automata")
    for layers, cells, size in (
        ((((0, 1, 0),),), (0, 1), 4),
        ((((0, 5, 0),),), (0,), 4),
        ((((0, 1, 0),),), (-1,), 4),
        ((((0, 1, 0),), ((1, 1, 0),)), (0, 1), 0),
    ):
        with pytest.raises(ValueError, match=r"expected|range"):
            automata.clauses(layers, cells, size, count(1).__next__)
    with pytest.raises(KeyError, match="not left"):
        automata.clauses((((0, 1, 1),), ((0, 1, 0),)), (0, 1), 4, count(1).__next__)
    with pytest.raises(ValueError, match="range"):
        automata.clauses((((0, 1, 0),),), (0,), 4, lambda: 0)


@pytest.mark.parametrize(
    ("layers", "cells", "size"),
    [
        ((((0, 1, 0),),), (0, 1), 4),
        ((((0, 5, 0),),), (0,), 4),
        ((((0, 1, 0),),), (-1,), 4),
        ((((0, 1, 0),),), (0,), 40),
        ((((0, 2, 0), (0, 1, 0)),), (0,), 4),
        ((((0, 1, 1),), ((1, 1, 0),)), (0, 1), 4),
        ((((0, 1, 1),), ((0, 1, 0),)), (0, 1), 4),
        ((((0, 1, 0),), ()), (0, 1), 4),
    ],
)
def test_c_refuses_states_that_are_not_left_in_order(layers, cells, size):
    automata = pytest.importorskip("satdoku.model._automata")
    with pytest.raises(ValueError, match=r"expected|range"):
        automata.states(layers, cells, size, count(1).__next__)
