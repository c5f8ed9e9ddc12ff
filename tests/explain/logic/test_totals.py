"""Sums that follow from houses and clues: what they are, how they are told, and that they hold."""

from __future__ import annotations

import random
from itertools import combinations

import pytest
from killers import random_killer

from satdoku.explain.logic.totals import MOST_CELLS, apart_of, totals_of
from satdoku.explain.units import units_of
from satdoku.model.constraints import constraints_for
from satdoku.model.implied import left_by_houses, peers_of
from satdoku.model.shapes import Sum


def told(rules, count=1):
    """The first totals of a rule set, as `r1c9 = 3 (phrase)`."""
    constraints = constraints_for(rules)
    found = []
    for total in totals_of(units_of(constraints))[:count]:
        signs = zip(total.cells, total.weights, strict=True)
        names = " ".join(f"{weight:+}*{constraints.board.name_of(c)}" for c, weight in signs)
        found.append(f"{total.name}: {total.phrase}, so {names} = {total.of_digits}")
    return found


ROW = "cage=11:r1c1,r1c2;cage=12:r1c3,r1c4;cage=9:r1c5,r1c6"


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        (
            f"{ROW};cage=10:r1c7,r1c8",
            "innies: row 1 sums to 45 and its 4 cages to 42, so +1*r1c9 = 3",
        ),
        (
            f"{ROW};cage=20:r1c7-r1c9,r2c9",
            "outies: row 1 sums to 45 and the 4 cages that cover it to 52, so +1*r2c9 = 7",
        ),
        (
            f"{ROW};cage=19:r1c7,r1c8,r2c8",
            "innies and outies: row 1 sums to 45 and the 4 cages that meet it to 51, "
            "so +1*r1c9 -1*r2c8 = -6",
        ),
        (
            "cage=20:r1c1-r1c3;cage=23:r2c1-r2c3,r3c1",
            "innies: box 1 sums to 45, less 20 cage r1c1-r1c3 and 23 cage at r2c1, "
            "so +1*r3c2 +1*r3c3 = 2",
        ),
        (
            "sum=50:r1c1-r1c9,r2c1",
            "outies: row 1 sums to 45 and 50 sum at r1c1 to 50, so +1*r2c1 = 5",
        ),
        (  # the circles have the digits of their shafts once more
            "arrow:r1c1>r1c2,r1c3;arrow:r1c4>r1c5,r1c6;cage=15:r1c7-r1c9",
            "innies: row 1 less 3 clues, so +2*r1c1 +2*r1c4 = 30",
        ),
        (
            "cage=20:r1c1,r1c2,r2c1,r2c2;cage=15:r1c1,r1c2,r2c1,r3c3",
            "sums: 20 cage at r1c1 less 15 cage at r1c1, so +1*r2c2 -1*r3c3 = 5",
        ),
        (
            "equal-sum:r1c1,r1c2>r5c5,r5c6;equal-sum:r1c1,r1c2>r5c5,r7c7,r7c8",
            "equal sums: equal sums r1c1-r5c6 less equal sums r1c1-r7c8, "
            "so +1*r5c6 -1*r7c7 -1*r7c8 = 0",
        ),
        (  # of digits from 0, a row of which sums to 36
            "digits=0-8;cage=8:r1c1,r1c2;cage=27:r1c3-r1c8",
            "innies: row 1 sums to 36, less 27 cage r1c3-r1c8 and 8 cage r1c1-r1c2, so +1*r1c9 = 1",
        ),
        (  # a clue that makes a house
            "distinct:falling;cage=40:r1c1,r2c2,r3c3,r4c4,r5c5,r6c6,r7c7,r8c8",
            "innies: distinct at r1c1 sums to 45, less 40 cage at r1c1, so +1*r9c9 = 5",
        ),
    ],
)
def test_what_follows_and_its_words(rules, said):
    assert said in told(rules, 6)


def test_a_total_names_its_houses_clues_and_the_cells_that_these_do_not():
    units = units_of(constraints_for(f"{ROW};sum=10:r1c7,r1c8"))
    first = totals_of(units)[0]
    named = [units.all[number] for number in first.units]
    rows = [unit.label for unit in named if unit.digit]
    assert rows == ["row 1"] * 9
    # A sum of two cells says that each digit has one partner, but not that r1c9 holds a digit.
    assert [unit.label for unit in named if unit.family == "cell"] == ["r1c9"]
    assert sum(bool(unit.sentence) for unit in named) == 4


@pytest.mark.parametrize("seed", range(4))
def test_totals_are_true_and_none_says_what_two_others_say(seed):
    rules, grid = random_killer(random.Random(seed))
    constraints = constraints_for(rules)
    totals = totals_of(units_of(constraints))
    assert len(totals) > 30
    for total in totals:
        held = zip(total.cells, total.weights, strict=True)
        assert sum(weight * grid[cell] for cell, weight in held) == total.total == total.of_digits
    stated = [said for family in constraints.families for said in family.sums]
    new = {frozenset(zip(s.cells, s.weights, strict=True)) for s in totals}
    signed = {frozenset(zip(s.cells, s.weights, strict=True)) for s in stated} | new
    assert len(signed) == len(stated) + len(totals)
    for one, other in combinations(signed, 2):
        assert {cell for cell, _ in one} & {cell for cell, _ in other} or one | other not in new
    order = [(len(total.cells), total.houses) for total in totals]
    assert order == sorted(order)
    assert order[-1][0] <= MOST_CELLS


@pytest.mark.parametrize("seed", range(3))
def test_nothing_that_the_engine_uses_is_lost(seed):
    """What `left_by_houses` finds is a total, or follows from smaller ones that are known."""
    constraints = constraints_for(random_killer(random.Random(seed))[0])
    totals = totals_of(units_of(constraints))
    stated = [said for family in constraints.families for said in family.sums]
    known = {frozenset(zip(s.cells, s.weights, strict=True)) for s in [*stated, *totals]}
    for said in (Sum(*each) for each in left_by_houses(constraints, 3)):
        assert _is_made(dict(zip(said.cells, said.weights, strict=True)), known), said


def _is_made(weights, known):
    """Whether it is one known sum, or several side by side."""
    if not weights or frozenset(weights.items()) in known:
        return True
    for size in range(1, len(weights)):
        for cells in combinations(weights, size):
            part = {cell: weights[cell] for cell in cells}
            rest = {cell: weights[cell] for cell in weights if cell not in part}
            for sign in (1, -1):
                signed = frozenset((cell, sign * weight) for cell, weight in part.items())
                if signed in known and _is_made(rest, known):
                    return True
    return False


def test_no_clue_no_total():
    assert totals_of(units_of(constraints_for("knight"))) == ()
    assert totals_of(units_of(constraints_for("thermo:r1c1,r1c2;cage:r1c1,r1c2"))) == ()


@pytest.mark.parametrize("rules", ["knight;cage:r1c1,r5c5", "shape=6x6;difference=1:r1c1,r4c6"])
def test_cells_are_apart_by_what_says_so(rules):
    """Each way is one that forbids each digit in both cells; no pair of peers lacks one."""
    constraints = constraints_for(rules)
    units, n = units_of(constraints), constraints.board.choices
    apart = apart_of(units)
    for (a, b), ways in apart.items():
        for way in ways:
            pairs = {pair for unit in way for pair in units.all[unit].exclusions}
            assert {(n * a + d, n * b + d) for d in range(n)} <= pairs
    peers = peers_of(constraints)
    both = {(a, b) for a, b in combinations(range(len(peers)), 2) if peers[a] >> b & 1}
    assert both == apart.keys()
