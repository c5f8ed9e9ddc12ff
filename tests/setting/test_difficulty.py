"""Easier and harder puzzles: the solution stays, and the rating is theirs."""

import pytest
from examples import CLASSIC

import satdoku
from satdoku import Status
from satdoku.explain.rated import rating_of
from satdoku.setting import suggest

CLUED = (
    "shape=4x4;thermo:r2c2,r1c2,r1c1;thermo:r2c4,r2c3;thermo:r3c4,r3c3,r4c3;difference=1:r3c1,r4c1"
)


@pytest.mark.parametrize("want", ["easier", "harder"])
def test_each_has_the_solution_and_the_rating_that_it_tells(want):
    before = rating_of(satdoku.parse_grid(CLASSIC), satdoku.constraints_for("classic")).er
    solution, found = satdoku.solve(CLASSIC), list(suggest(CLASSIC, want=want, seed=1))
    assert found
    for one in found:
        assert satdoku.classify(one.puzzle) is Status.UNIQUE
        assert satdoku.solve(one.puzzle) == solution
        assert one.rating == rating_of(one.puzzle.grid, one.puzzle.constraints).er
        assert (one.rating < before) == (want == "easier") and one.rating != before
        assert one.puzzle.grid.givens == CLASSIC.count(".") * -1 + 81 + len(one.added) - len(
            one.gone
        )
    ratings = [one.rating for one in found]
    assert len(set(ratings)) == len(ratings)
    assert want == "easier" or ratings == sorted(ratings)


def test_a_variant_gets_easier_by_a_given():
    for one in suggest("." * 16, CLUED, want="easier", seed=1):
        assert (
            len(one.added) == 1
            and one.puzzle.constraints.name == satdoku.constraints_for(CLUED).name
        )
        assert satdoku.classify(one.puzzle) is Status.UNIQUE
