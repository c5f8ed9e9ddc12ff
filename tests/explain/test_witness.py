"""The witness refuses what does not follow."""

from explain_cases import state_with

from satdoku.explain import (
    techniques,
)
from satdoku.explain.units import units_of
from satdoku.explain.witness import Claim, proves
from satdoku.model.constraints import constraints_for


def test_the_witness_refuses_what_does_not_follow():
    constraints = constraints_for()
    units = units_of(constraints)
    state = state_with(r1c1="12", r1c5="12")
    finding = next(techniques.subsets(state, 2))
    named = [units.all[u] for u in finding.units]
    assert proves(named, state.live, None, finding.struck)
    for unit in named:
        assert not proves([u for u in named if u is not unit], state.live, None, finding.struck)
    assert not proves(named, state.live, None, finding.struck | 1 << 9 * 40)
    assert not proves(named, state.live, None, 0)
    assert not proves(named, state.live, 0, 0)
    assert not Claim(named, state.live).contradicts([0])
    assert Claim(named, state.live).contradicts([0, 9 * 4])
