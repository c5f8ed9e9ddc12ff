"""What a sum of segments strikes is what plain loops strike."""

from __future__ import annotations

from itertools import accumulate, combinations, product

from hypothesis import given, settings
from hypothesis import strategies as st
from soak import share

from satdoku.explain.logic.segments import Segment, Summed, joint_of, stated_sums, sums_that_follow
from satdoku.explain.units import units_of
from satdoku.model.board import bits
from satdoku.model.constraints import constraints_for


def by_loops(said, live):
    """Candidates of no assignment."""
    cells = [(cell, part.weight, n) for n, part in enumerate(said.segments) for cell in part.cells]
    digits = [[d for d in range(said.size) if live >> said.size * c + d & 1] for c, *_ in cells]
    kept = 0
    for chosen in product(*digits):
        held = [(segment, d) for (_, _, segment), d in zip(cells, chosen, strict=True)]
        total = sum(w * (d + 1) for (_, w, _), d in zip(cells, chosen, strict=True))
        if len({*held}) == len(held) and total == said.total and is_in_turn(said, held):
            for (cell, *_), d in zip(cells, chosen, strict=True):
                kept |= 1 << said.size * cell + d
    return said.members & live & ~kept


def is_in_turn(said, held):
    """Whether the first cells of each segment add up to what is said of them."""
    for number, part in enumerate(said.segments):
        digits = [d + 1 for segment, d in held if segment == number]
        sums = accumulate(digits)
        if any(first not in (0, found) for first, found in zip(part.firsts, sums, strict=False)):
            return False
    return True


def firsts_of(length):
    one = st.sampled_from((0, 0, 0, 3, 5, 6, 7))
    return st.just(()) | st.lists(one, min_size=length, max_size=length).map(tuple)


@st.composite
def sums_and_states(draw):
    size = draw(st.integers(2, 6))
    lengths = draw(st.lists(st.integers(1, 3), min_size=1, max_size=3))
    order = draw(st.permutations(range(sum(lengths))))
    weights = [draw(st.sampled_from((1, 1, -1, 2, -3))) for _ in lengths]
    starts = [sum(lengths[:n]) for n in range(len(lengths))]
    segments = tuple(
        Segment(tuple(order[start : start + length]), weight, draw(firsts_of(length)))
        for start, length, weight in zip(starts, lengths, weights, strict=True)
    )
    live = draw(st.integers(0, (1 << size * len(order)) - 1))
    live |= draw(st.integers(0, (1 << size * len(order)) - 1))
    total = draw(st.integers(-6, 24))
    return Summed(segments, total, (), "", None, size), live


@settings(max_examples=share(250), deadline=None)
@given(sums_and_states())
def test_it_strikes_what_loops_strike(asked):
    said, live = asked
    assert said.struck(live) == by_loops(said, live)


def test_cells_that_differ_share_a_segment():
    """r1c1 and r1c2 differ by row 1, r3c4 from neither; a line of its own tells its sum."""
    units = units_of(constraints_for("sum=20:r1c1,r1c2,r3c4"))
    said = next(stated_sums(units))
    held = [{units.board.name_of(cell) for cell in part.cells} for part in said.segments]
    assert held == [{"r1c1", "r1c2"}, {"r3c4"}]
    labels = {units.all[unit].label for unit in said.units}
    assert said.said is None
    assert said.total == 20
    assert labels in ({said.label, "row 1"}, {said.label, "box 1"})
    # 9 + 8 + 3 and 9 + 9 + 2 are the most that the others leave
    struck = {units.name(candidate) for candidate in bits(said.struck(units.every))}
    assert struck == {"r1c1=1", "r1c2=1", "r3c4=1", "r3c4=2"}


def test_segments_hold_cells_that_differ_and_units_say_so():
    rules = "cage=11:r1c1,r1c2;sum=20:r1c3,r2c3,r2c4,r7c4;cage=9:r1c5,r1c6"
    units = units_of(constraints_for(rules))
    several = 0
    for said in (*stated_sums(units), *sums_that_follow(units)):
        named = [units.all[unit] for unit in said.units]
        pairs = {pair for unit in named for pair in unit.pairs}
        groups = [unit.candidates for unit in named if unit.candidates]
        for part in said.segments:
            for a, b in combinations(part.cells, 2):
                for d in range(units.size):
                    one, other = sorted((units.size * a + d, units.size * b + d))
                    both = 1 << one | 1 << other
                    assert (one, other) in pairs or any(g & both == both for g in groups), (a, b)
                    several += 1
    assert several > 100


def test_a_house_is_read_with_the_sums_in_it():
    """Row 1 with the cage and what that leaves of it; the other cage lies in no house."""
    units = units_of(constraints_for("shape=4x4;cage=3:r1c2,r1c4;cage=5:r1c1,r2c2"))
    joint = {said.label: said for said in joint_of(units)}
    assert len(joint) == 12
    row = joint["row 1 with the sum in it"]
    assert row.segments == (Segment((1, 3, 0, 2), 1, (0, 3, 0, 0)),)
    assert row.total == 10
    labels = {units.all[unit].label for unit in row.units}
    assert labels == {"row 1", "r1c1", "r1c2", "r1c3", "r1c4", "3 cage r1c2-r1c4"}
    struck = {units.name(candidate) for candidate in bits(row.struck(units.every))}
    assert struck == {f"{c}={d}" for c in ("r1c1", "r1c3") for d in (1, 2)} | {
        f"{c}={d}" for c in ("r1c2", "r1c4") for d in (3, 4)
    }
    assert joint["column 4 as a whole"].segments == (Segment((3, 7, 11, 15), 1, (0,) * 4),)


def test_no_house_of_many_digits_is_read():
    units = units_of(constraints_for("latin,shape=10x10"))
    assert not [*joint_of(units)]
