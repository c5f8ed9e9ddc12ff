"""Unit propagation finds small contradictions."""

from explain_cases import NINE, state_with, without

from satdoku.explain import (
    cell_named,
)
from satdoku.explain.propagation import Propagation, refute
from satdoku.model.board import bits
from satdoku.model.constraints import constraints_for


def test_what_a_clue_needs_is_drawn_with_the_clue_as_the_reason():
    """1 in r1c1 needs 5 in r5c9, which needs 1 or 9 in r9c5."""
    constraints = constraints_for("difference=4:r1c1,r5c9;difference=4:r5c9,r9c5")
    state = state_with(constraints, r1c1="1", r9c5="78")
    found = refute(state, 0)
    assert {state.units.all[u].label for u in bits(found)} == {
        "difference 4 at r1c1-r5c9", "difference 4 at r5c9-r9c5",
    }  # fmt: skip
    assert refute(state_with(constraints, r1c1="1", r9c5="79"), 0) is None


def test_reasons_hold_for_the_candidates_left_whatever_is_placed():
    """That 3 is placed in r1c2 is no reason for a digit in r1c1: that r1c1 holds one is."""
    state = state_with(constraints_for("thermo:r1c1,r1c2"), r1c1="12", r1c2="3").place(9 + 2)
    search = Propagation(state)
    search.suppose(0, False, 1 << 400)
    search.suppose(1, False, 1 << 401)
    assert set(bits(search.contradiction())) == {0, 400, 401}


def test_an_x_wing_is_found_and_named():
    state = state_with()
    for row in (2, 7):
        state = without(state, 8, *(f"r{row}c{c}" for c in range(1, 10) if c not in (3, 6)))
    wrong = 9 * cell_named("r5c3", NINE) + 7
    support = refute(state, wrong, bound=5)
    labels = {state.units.all[u].words for u in bits(support)}
    houses = ("row 2", "row 7", "column 3", "column 6")
    assert labels == {f"{house} holds 8 once" for house in houses}
