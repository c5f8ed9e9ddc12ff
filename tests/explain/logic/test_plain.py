"""The plain techniques: what they keep from state to state, and in which order they tell it."""

import pytest

from satdoku.explain.logic.ladder import Ladder
from satdoku.explain.logic.plain import Plain
from satdoku.explain.techniques import State
from satdoku.explain.units import units_of
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import parse_grid

PUZZLE = "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9"
TECHNIQUES = ("singles", "locked", "direct_intersections", "common_peers", "clues", "held")
COUNTED = {"naked": (2, 3, 4), "hidden": (2, 3, 4), "direct_sets": (2, 3), "fish": (2, 3, 4)}


def all_of(plain, state):
    """What each technique finds."""
    found = {name: [*getattr(plain, name)(state)] for name in TECHNIQUES}
    for name, counts in COUNTED.items():
        found |= {(name, n): [*getattr(plain, name)(state, count=n)] for n in counts}
    return found


def path_of(rules, puzzle, most):
    """The states of so many steps of the ladder."""
    state = State.of(parse_grid(puzzle), units_of(constraints_for(rules)))
    ladder = Ladder(state.units)
    for _ in range(most):
        yield state
        finding = ladder.next(state)
        if finding is None:
            return
        if finding.placed is None:
            state = state.strike(finding.struck)
        else:
            state = state.place(finding.placed)


@pytest.mark.parametrize(
    ("rules", "puzzle"),
    [
        ("classic", PUZZLE),
        ("cage=10:r1c1,r1c2;cage=20:r1c3-r1c5;thermo:r4c4,r5c5,r6c6", "." * 81),
        ("knight", "123456..." + "." * 72),
    ],
)
def test_what_is_kept_is_what_each_state_says(rules, puzzle):
    kept, met = None, 0
    for state in path_of(rules, puzzle, 25):
        kept = kept or Plain(state.units)
        found = all_of(kept, state)
        assert found == all_of(Plain(state.units), state)
        met += sum(map(len, found.values()))
    assert met


def test_the_easiest_comes_first():
    for state in path_of("classic", PUZZLE, 10):
        for findings in all_of(Plain(state.units), state).values():
            ratings = [each.rating for each in findings]
            assert ratings == sorted(ratings)
