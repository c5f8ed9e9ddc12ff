"""Units: what they say, what clues read, against brute force."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest
from examples import FOUR
from explain_cases import (
    EXPLAINED,
    JIGSAW,
    NINE,
    ON_BOARDS,
    ON_NINE,
    clauses_of,
    clued,
    constraints_of,
    random_puzzle,
)
from pysat.solvers import Solver

from satdoku.answers.api import true_candidates
from satdoku.cnf.encodings import encode
from satdoku.explain.readings import reading_of
from satdoku.explain.units import units_of
from satdoku.model.board import bits
from satdoku.model.constraints import constraints_for
from satdoku.model.puzzle import Puzzle
from satdoku.model.rules import RULES
from satdoku.model.shapes import DigitSets, OneOf, automaton

SIZE, CELLS = 5, (7, 2, 11)
SHAPES = {
    "sets": (
        DigitSets(CELLS, (frozenset({1, 2, 5}), frozenset({2, 3, 4}), frozenset({1, 3, 4}))),
        lambda digits: {*digits} in ({1, 2, 5}, {2, 3, 4}, {1, 3, 4}),
    ),
    "one of": (
        OneOf(((7, 1), (7, 4), (2, 3))),
        lambda digits: digits[0] in (1, 4) or digits[1] == 3,
    ),
    "one of, if": (
        OneOf(((7, 1), (2, 3)), (11, 2)),
        lambda digits: digits[2] != 2 or digits[0] == 1 or digits[1] == 3,
    ),
    "automaton": (
        automaton(
            CELLS,
            [range(1, SIZE + 1)] * len(CELLS),
            0,
            lambda place, total, digit: total + digit,
            (8).__eq__,
        ),
        lambda digits: sum(digits) == 8,
    ),
}


@pytest.mark.parametrize("name", SHAPES)
def test_what_no_sequence_has_is_impossible(name):
    shape, accepts = SHAPES[name]
    reading, rng = reading_of(shape, SIZE), Random(name)
    order = {cell: place for place, cell in enumerate(CELLS)}
    for _ in range(200):
        left = [[d for d in range(1, SIZE + 1) if rng.random() < 0.6] for _ in CELLS]
        live = sum(1 << SIZE * cell + d - 1 for cell in CELLS for d in left[order[cell]])
        good = [digits for digits in product(*left) if accepts(digits)]
        cells = reading.automaton.cells
        possible = {SIZE * c + digits[order[c]] - 1 for digits in good for c in cells}
        expected = {SIZE * c + d - 1 for c in cells for d in left[order[c]]} - possible
        if all(left):
            assert reading.impossible(live) == sum(1 << c for c in expected)
        assert reading.members == sum(((1 << SIZE) - 1) << SIZE * c for c in cells)


@pytest.mark.parametrize("rules", [*ON_NINE, JIGSAW])
def test_the_units_say_exactly_what_the_encoding_says(rules):
    constraints = constraints_of(rules, NINE)
    stated = {tuple(sorted(clause)) for clause in clauses_of(units_of(constraints).all)}
    assert stated == {tuple(sorted(clause)) for clause in encode(constraints).clauses}


@pytest.mark.parametrize("kind", EXPLAINED)
def test_the_units_of_clues_allow_the_grids_that_keep_them(kind, four_by_four):
    for seed in range(2):
        case = clued(kind, seed, four_by_four, givens=0)
        if case is None:
            continue
        _, constraints, solutions = case
        with Solver("glucose4", clauses_of(units_of(constraints).all)) as solver:
            for grid in four_by_four:
                said = solver.solve([4 * cell + digit for cell, digit in enumerate(grid)])
                assert said == (grid in solutions), constraints.name


def test_clues_have_short_labels_unless_two_are_equal():
    rules = "thermo:r1c1,r2c1;whisper=5:r3c1-r3c4;odd:r4c4;even:r1c1,r2c2;no-white"
    rules += ";clone:r1c1>r2c2;renban:r9c1,r9c2;region:row1;odd:r1c1,r1c2,r1c3"
    rules += ";black:r5c5,r5c6;difference=2:r5c5,r6c5;x:r7c7,r7c8;cage=20:r1c7,r1c8,r1c9"
    rules += ";cage=16:r5c8,r6c8,r6c9;sandwich=16:row7;x-sum=20:-col3;little-killer=20:r1c2-r3c4"
    labels = {unit.label for unit in units_of(constraints_for(rules)).all}
    assert labels >= {
        "thermo r1c1-r2c1", "whisper r3c1-r3c4", "odd r4c4", "even r1c1-r2c2", "odd r1c1-r1c3",
        "all white dots given", "clone r1c1-r2c2", "renban r9c1-r9c2", "region in row 1",
        "black dot r5c5-r5c6", "difference 2 at r5c5-r6c5", "X r7c7-r7c8", "20 cage r1c7-r1c9",
        "16 cage at r5c8", "sandwich 16 in row 7", "x-sum 20 in column 3 from below",
        "little killer 20 at r1c2-r3c4",
    }  # fmt: skip
    several = "or:(and:(odd:r1c1),(cage=7:r1c2,r1c3)),(thermo:r5c5,r5c6)"
    labels = {unit.label for unit in units_of(constraints_for(several)).all}
    assert "(7 cage r1c2-r1c3 and odd r1c1) or thermo r5c5-r5c6" in labels
    machines = "machine=a-1>b,b*:r1c1,r2c1;machine=a-1>b,b-2>c,c-3>d,d-4>e,e-5>f,f-6>g,g*:row2"
    labels = {unit.label for unit in units_of(constraints_for(machines)).all}
    assert labels >= {"machine a-1>b,b* at r1c1-r2c1", "machine in row 2 from the left"}
    twice = "thermo:r1c1,r1c2,r2c2;thermo:r1c1,r2c1,r2c2"
    labels = {unit.label for unit in units_of(constraints_for(twice)).all}
    assert labels >= set(twice.split(";"))


def test_what_lacks_a_support_goes_in_turn():
    """On a whisper of 4x4 with a gap of 3 only 1 and 4 are left, at once."""
    constraints = constraints_for("whisper=3:r1c1-r1c3", FOUR)
    (clue,) = units_of(constraints).supporting
    everything = (1 << 64) - 1
    assert {c % 4 for c in bits(clue.unsupported(everything))} == {1, 2}
    # Without the 1 of the middle cell its neighbours cannot be 4.
    assert set(bits(clue.unsupported(everything & ~(1 << 4)))) >= {3, 11}


def test_units_are_counted_and_named():
    assert len(units_of(constraints_for()).all) == 324
    miracle = units_of(constraints_for("miracle"))
    # 152 of 224 knight's pairs, 56 of 128 king's pairs (those outside all houses), 144 neighbours.
    assert len(miracle.all) == 324 + 152 + 56 + 144
    words = {unit.words for unit in miracle.all}
    assert {"r1c1 holds one digit", "row 3 holds 5 once", "knight's move r1c4-r2c2"} <= words
    assert {house.label for house in units_of(constraints_for("windoku,diagonal")).houses} >= {
        "row 9", "column 1", "box 5", "window 4", "diagonal 2",
    }  # fmt: skip
    assert units_of(constraints_of(JIGSAW)).houses[-1].label == "region 4"


def test_every_rule_has_a_noun_or_no_units_of_its_own():
    for name, rule in RULES.items():
        assert rule.noun or name == "diagonal"


@pytest.mark.parametrize("name", ON_BOARDS)
def test_all_units_together_say_what_the_constraints_say(name):
    """On every class of boards: as many digits and values as the session finds, and these."""
    constraints = constraints_for(ON_BOARDS[name])
    puzzle = next(filter(None, (random_puzzle(ON_BOARDS[name], Random(s)) for s in range(9))))[0]
    n, units = constraints.board.choices, units_of(constraints)
    clauses = clauses_of(units.all) + [[-c - 1] for c in range(constraints.variables)
        if not units.every >> c & 1]  # fmt: skip
    clauses += [[n * cell + digit] for cell, digit in enumerate(puzzle) if digit]
    true = true_candidates(Puzzle(puzzle, constraints))
    with Solver("cadical153", bootstrap_with=clauses) as solver:
        for candidate in bits(units.every):
            cell, digit = divmod(candidate, n)
            assert solver.solve([candidate + 1]) == (digit + 1 in true[cell]), units.name(candidate)


def test_units_of_other_boards_are_named():
    """Digits and values are told as they are; a house with fewer cells than digits holds each at
    most once, and where grids overlap houses are named by their ends."""
    units = units_of(constraints_for("shape=2x3;digits=0-6;layer=shade:5,7"))
    words = [unit.words for unit in units.all]
    assert {"shade.r1c2 holds one value", "row 2 holds 0 at most once"} <= {*words}
    assert units.name(7 * 6 + 1) == "shade.r1c1=7"
    assert units.every.bit_count() == 6 * 7 + 6 * 2
    overlap = units_of(constraints_for("shape=2x2;grids:r1c1,r2c2"))
    assert {"row r2c2-r2c3", "column r1c1-r2c1"} <= {house.label for house in overlap.houses}
    labels = {unit.label for unit in units_of(constraints_for(ON_BOARDS["yin-yang"])).all}
    assert {"connected 0 in shade", "no-square 1 in shade", "row 1"} <= labels
