"""The finder keeps its deadline."""

import time

import pytest
from explain_cases import HARD, true_of

import satdoku
from satdoku.explain.finder import Finder
from satdoku.explain.state import State
from satdoku.explain.units import units_of
from satdoku.explain.witness import Claim
from satdoku.model.constraints import constraints_for
from satdoku.sat.solver import BudgetError


def test_the_limit_holds_within_a_step_and_for_the_witness():
    state = State.of(satdoku.parse_grid(HARD), units_of(constraints_for()))
    finder = Finder(state.units, true_of(HARD), deadline=time.monotonic() - 1)
    with pytest.raises(BudgetError):
        while True:  # singles and other plain steps need no clock
            found = finder.next(state)
            placed = found.placed
            state = state.strike(found.struck) if placed is None else state.place(placed)
    with pytest.raises(BudgetError):
        Claim(state.units.all, state.live, deadline=time.monotonic() - 1).contradicts([])
