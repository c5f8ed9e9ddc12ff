"""The witness refuses what does not follow."""

from explain_cases import state_with

from satdoku.explain import techniques
from satdoku.explain.techniques import State
from satdoku.explain.units import units_of
from satdoku.explain.witness import Claim, proves
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import Grid


def test_the_witness_knows_what_a_clue_needs():
    """r1c1 < r1c2 < r1c3: 8 in r1c1 has no partner, 7 has one unless r1c2 is not 8."""
    state = state_with(constraints_for("slow-thermo:r1c1,r1c2,r1c3;greater:r1c2,r1c1"))
    slow, greater = state.units.supporting
    if slow.family.startswith("greater"):
        slow, greater = greater, slow
    nine_in_r1c1, nine_in_r1c3 = 1 << 8, 1 << 26
    assert proves([greater], state.live, None, nine_in_r1c1)
    assert not proves([slow], state.live, None, nine_in_r1c1)
    assert not proves([greater], state.live, None, nine_in_r1c3)
    assert not proves([slow], state.live & ~nine_in_r1c3, None, 1 << 7)
    # Both: without 9 in r1c3 the digit of r1c2 is 8 at most, and that of r1c1 is 7 at most.
    assert proves([slow, greater], state.live & ~nine_in_r1c3, None, 1 << 7)
    assert not proves([slow, greater], state.live & ~nine_in_r1c3, None, 1 << 6)


def test_the_witness_floods_and_believes_no_case():
    """r1c1 and r1c4 are shaded: in a row of four, all are; without the clue nothing follows."""
    rules = "shape=1x4;layer=shade:0-1;connected=1:shade"
    state = State.of(Grid(bytes(8), constraints_for(rules).board), units_of(constraints_for(rules)))
    (connected,) = state.units.supporting
    zero = [1 << 4 * cell for cell in range(4, 8)]
    live = state.live & ~(zero[0] | zero[3])
    assert proves([connected], live, None, zero[1] | zero[2])
    assert not proves([connected], live & ~zero[0] | zero[0], None, zero[1])
    assert not proves(state.units.groups, live, None, zero[1])
    # A case that is possible is not struck, whatever a step says; one that is not leaves nothing.
    claim = Claim([connected], live)
    assert not claim.contradicts([], [4 * 5 + 1, 4 * 6 + 1])
    assert claim.contradicts([4 * 5])


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
