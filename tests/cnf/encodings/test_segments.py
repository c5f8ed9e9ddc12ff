"""Sums by segments against arithmetic on all 4x4 grids."""

import random
from itertools import count

from examples import FOUR
from pysat.solvers import Solver

from satdoku.cnf.encodings import build
from satdoku.cnf.encodings.segments import Adder
from satdoku.model.constraints import constraints_for
from satdoku.model.implied import peers_of
from satdoku.model.shapes import Sum

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
