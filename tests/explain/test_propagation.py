"""Unit propagation finds small contradictions."""

from explain_cases import NINE, state_with, without

from satdoku.explain import (
    cell_named,
)
from satdoku.explain.propagation import refute
from satdoku.explain.units import bits


def test_an_x_wing_is_found_and_named():
    state = state_with()
    for row in (2, 7):
        state = without(state, 8, *(f"r{row}c{c}" for c in range(1, 10) if c not in (3, 6)))
    wrong = 9 * cell_named("r5c3", NINE) + 7
    support = refute(state, wrong, bound=5)
    labels = {state.units.all[u].words for u in bits(support)}
    houses = ("row 2", "row 7", "column 3", "column 6")
    assert labels == {f"{house} holds 8 once" for house in houses}
