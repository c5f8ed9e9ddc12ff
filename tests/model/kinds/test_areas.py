"""Kinds on cells that touch: every solution, by brute force, however connectivity is said."""

from __future__ import annotations

from itertools import product

import pytest
from clue_examples import keeps
from regions_of_four import N, partitions, squares

from satdoku.answers.session import Session
from satdoku.answers.solver import open_solver
from satdoku.cnf.encodings import encode, in_full
from satdoku.model.clue import ClueError
from satdoku.model.constraints import constraints_for
from satdoku.witness.verify import violations

FREE = "shape=3x3,latin,no-rows,no-columns;digits=1-3;"
SAYS = [
    "connected=1", "connected=1,2", "connected=1,2x4", "connected=3x2", "edge-connected=1",
    "edge-connected=2,3", "single-loop=2", "single-loop=1,3", "no-square=1,2", "no-square=3",
]  # fmt: skip
YIN_YANG = "connected=0:shade;connected=1:shade;no-square=0:shade;no-square=1:shade"


def by_brute_force(constraints):
    clues = constraints.clues
    grids = map(bytes, product((1, 2, 3), repeat=9))
    return {grid for grid in grids if all(keeps(grid, clue, clues, 3) for clue in clues)}


@pytest.mark.parametrize("text", SAYS)
def test_solutions_are_those_of_brute_force(text):
    """By a propagator that floods, by cuts on full models, and by clauses alone; each finds those
    of its own first digit."""
    constraints = constraints_for(FREE + text)
    good = by_brute_force(constraints)
    for first, solver in enumerate(("cadical153", "minisat22"), 1):
        with Session(constraints, solver=solver) as session:  # which asks the witness, too
            found = [grid.cells for grid in session.solutions(bytes([first]).ljust(9, b"\0"))]
        assert sorted(found) == sorted(grid for grid in good if grid[0] == first)
    formula = in_full(encode(constraints))
    with open_solver("glucose4", [*formula.clauses, formula.says(2)]) as solver:
        models = [formula.decode(model) for model in solver.enum_models()]
    # Every auxiliary variable is a function of the digits.
    assert sorted(models) == sorted(grid for grid in good if grid[0] == 3)


@pytest.mark.parametrize(("side", "ways"), [(3, 34), (4, 96)])
def test_shadings_that_are_yin_yang(side, ways):
    """Counted by brute force outside of satdoku: both colours connected, no square of one."""
    free = f"shape={side}x{side},latin,no-rows,no-columns;digits=0,1;"
    rules = free + "connected=0;connected=1;no-square=0;no-square=1"
    with Session(rules) as session:
        assert session.count("." * side * side) == ways


def test_a_layer_takes_the_kinds_as_the_grid_does():
    rules = f"shape=4x4;layer=shade:0-1;{YIN_YANG}"
    with Session(rules) as session:
        found = session.solve("1..." + 12 * ".")
    constraints = constraints_for(rules)
    assert not violations(found, constraints.rules)
    assert constraints_for(constraints.name) is constraints
    assert "connected=0:shade" in constraints.clue_texts


def test_regions_to_find_are_those_of_brute_force():
    """The Latin squares that some regions of four digits fit; and one with its regions."""
    rules = "latin=4;layer=area:1-4;chaos:area"
    good = {
        bytes(square)
        for square in squares()
        if any(len({*zip(regions, square, strict=True)}) == N * N for regions in partitions())
    }
    with Session(rules) as session:
        assert {found.cells[: N * N] for found in session.solutions(bytes(2 * N * N))} == good
        found = session.solve(bytes(2 * N * N)).cells
    (clue,) = constraints_for(rules).clues
    assert keeps(found, clue, (clue,), N)


@pytest.mark.parametrize(("rules", "problem"), [
    ("connected=1:r1c1,r1c2", "all of one layer"),
    ("connected=10", "expected digits 1-9"),
    ("connected=1x0", "the number of cells"),
    ("connected=1x82", "there are only 81 cells"),
    ("layer=shade:0-1;connected=7:shade", "none of these cells can hold 7"),
    ("layer=a*3:1-9;connected=1:a.1", "all of one layer"),
    ("chaos:r1c1", "the cells of one layer"),
    ("layer=area:1-4;chaos:area", "4 labels: expected as many as there are rows"),
    ("alike:r1c1,r1c2>r1c3,r1c4", "2 cells before the first '>'"),
    ("alike-run:r1c1>r1c2,r1c3>r2c2,r2c3", "every arm begins in the same cell"),
    ("alike:r1c1>r1c1,r1c2", "a cell stands twice"),
    ("layer=area:1-4;alike:r1c1>area.r1c1,r1c2", "cells of one layer"),
    ("or:(connected=1),(odd:r1c1)", "no part of other clues"),
])  # fmt: skip
def test_what_cannot_be_meant_is_refused(rules, problem):
    with pytest.raises(ClueError, match=problem.replace("(", r"\(")):
        _ = constraints_for(rules).families
