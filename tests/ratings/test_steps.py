"""Steps: both implementations give the same, and they lead to the solution."""

import pytest
from examples import CLASSIC, CLASSIC_SOLUTION

from satdoku.model.grid import parse_grid
from satdoku.ratings import scale, steps

PUZZLE = bytes(parse_grid(CLASSIC).cells)


def test_the_steps_place_and_strike_what_the_solution_allows():
    solution = parse_grid(CLASSIC_SOLUTION).cells
    right = {9 * cell + digit - 1 for cell, digit in enumerate(solution)}
    found = list(steps.steps_of(PUZZLE))
    placed = [step.placed for step in found if step.placed is not None]
    assert set(placed) <= right and len(placed) == len(set(placed)) == PUZZLE.count(0)
    assert right.isdisjoint(candidate for step in found for candidate in step.struck)
    assert max(step.rating for step in found) == scale.rate_cells(PUZZLE)[0]


@pytest.mark.skipif(not scale.AVAILABLE, reason="built without a compiler")
def test_both_implementations_give_the_same_steps(monkeypatch):
    by_c = list(steps.steps_of(PUZZLE))
    monkeypatch.setattr(steps, "AVAILABLE", False)
    assert list(steps.steps_of(PUZZLE)) == by_c
