"""The units that rated steps name: sufficient, of the pattern, and checked."""

from dataclasses import replace

import pytest

from satdoku import explain_steps
from satdoku.explain import named
from satdoku.explain.rated_units import UNIQUENESS, house_of
from satdoku.explain.units import units_of
from satdoku.explain.witness import Claim
from satdoku.model.constraints import constraints_for
from satdoku.ratings import scale
from satdoku.runtime.errors import WitnessError

DIRECT_POINTING = (
    "...3....6...56.1......895.39...3.6..37...4...18.2.6.3...7....4.6..74..525.419.3.."
)
NAKED_TRIPLET = "1...4...6..21....8.5...83......9...471..3.......5.1..72...6.8..9..4..2....6..7.4."
FISH = ".26..8.3..8.1.9..5...3....2..4.....3......9..73.2....6..7....9....9....11.8..52.."
KITE = "47..6..5...1.9743.......6.........1...97....562......32..3487.6..76..5...8......."
CYCLE = "000362000000905000060000020500000001030000040706108203008704300600539002007000500"
CELL = "009380050000010060340000008030100600200000004008005030500000047080070000060024300"
ALIGNED = "..86.92......2..8.5.2..4...861....4.9.7.......3..5...17..2..9...8..93.266.9..5..4"
WITHIN = "...........76.95..6..8.2..3.6.1.3.9.93..8..46..........2.....1.4.......915.9.4.32"
EVERY = [DIRECT_POINTING, NAKED_TRIPLET, FISH, KITE, CYCLE, CELL, ALIGNED, WITHIN]


def first(puzzle, technique):
    return next(s for s in explain_steps(puzzle, named=True) if s.technique == technique)


def labels(step):
    return [unit.label if unit.digit is None else (unit.label, unit.digit) for unit in step.units]


@pytest.mark.parametrize("puzzle", EVERY)
def test_the_units_of_a_step_suffice_for_all_that_it_concludes(puzzle):
    for step in explain_steps(puzzle, named=True):
        claim = Claim(step.units, step.live)
        if step.technique in UNIQUENESS:
            assert not step.units
        elif step.put is not None:
            assert claim.forces(step.put), step.words
        else:
            for cell, digit in step.eliminated:
                assert claim.excludes(9 * cell + digit - 1), step.words


def test_a_single_a_set_and_an_intersection_name_their_pattern():
    step = first(DIRECT_POINTING, "direct pointing")
    assert len(step.units) == 3 and {unit.digit for unit in step.units} == {step.placed[1]}
    step = first(NAKED_TRIPLET, "naked triplet")
    cells = [unit for unit in step.units if unit.digit is None]
    houses = {unit.label for unit in step.units if unit.digit is not None}
    assert (len(cells), len(step.units), len(houses)) == (3, 6, 1)
    step = first(FISH, "swordfish")
    assert len(step.units) == 6 and len({unit.digit for unit in step.units}) == 1
    step = first(FISH, "hidden single")
    assert len(step.units) == 1 and step.units[0].digit == step.placed[1]


def test_strong_links_name_their_houses_and_what_joins_them():
    step = first(KITE, "two-string kite")
    assert len(step.units) in (4, 5)
    assert {unit.family for unit in step.units} == {"row", "column", "box"}


@pytest.mark.parametrize("puzzle", [DIRECT_POINTING, NAKED_TRIPLET, FISH, KITE])
def test_each_unit_is_needed_or_of_the_pattern(puzzle):
    for step in explain_steps(puzzle, named=True):
        if step.technique in ("hidden single", "naked single", "pointing", "direct pointing"):
            for unit in step.units:
                fewer = Claim([other for other in step.units if other != unit], step.live)
                proved = (
                    fewer.forces(step.put)
                    if step.put is not None
                    else all(fewer.excludes(9 * c + d - 1) for c, d in step.eliminated)
                )
                assert not proved, (step.words, unit.words)


def test_verify_refuses_units_that_do_not_suffice(monkeypatch):
    monkeypatch.setattr(named.Namer, "units_of", lambda self, rated, state: (0,))
    assert list(explain_steps(NAKED_TRIPLET, named=True))
    with pytest.raises(WitnessError, match="does not follow from its units"):
        list(explain_steps(NAKED_TRIPLET, named=True, verify=True))


def test_a_chain_with_a_link_that_does_not_follow_has_no_units(monkeypatch):
    def forged(cells):
        for step in scale.steps_of(cells):
            strands = [list(strand) for strand in step.strands]
            if strands and not step.technique.startswith("bi"):
                strands[0][0] = replace(strands[0][0], candidate=0)
            yield replace(step, strands=tuple(map(tuple, strands)))

    monkeypatch.setattr(named, "steps_of", forged)
    with pytest.raises(WitnessError, match="r1c1=1 does not follow from its parents"):
        list(explain_steps(CELL, named=True))


def test_houses_of_a_record_are_those_of_the_units():
    units = units_of(constraints_for("classic"))
    names = [house_of(units, house).label for house in (0, 8, 9, 17, 18, 26)]
    assert names == ["box 1", "box 9", "row 1", "row 9", "column 1", "column 9"]
