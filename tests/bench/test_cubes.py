import pytest
from examples import FOUR

from satdoku.answers.session import Session
from satdoku.bench.cubes import cubes
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import parse_grid
from satdoku.runtime.errors import Status


@pytest.mark.parametrize("wanted", [1, 2, 10, 60])
@pytest.mark.parametrize(
    "text", ["." * 16, "12".ljust(16, "."), "1234341221434321", "11" + "." * 14]
)
def test_cubes_part_the_solutions(text, wanted, four_by_four):
    constraints = constraints_for("classic", FOUR)
    puzzle = parse_grid(text)
    solutions = [
        g for g in four_by_four if all(p in (0, d) for p, d in zip(puzzle, g, strict=True))
    ]
    parts = cubes(puzzle, constraints, wanted)
    owners = [
        [p for p in parts if all(d in (0, x) for d, x in zip(p, g, strict=True))] for g in solutions
    ]
    assert all(len(each) == 1 for each in owners)
    if puzzle.givens < 3:
        assert (
            len(parts) >= wanted
            or Session(constraints).classify(puzzle) is Status.NONE
            or wanted == 60
        )
