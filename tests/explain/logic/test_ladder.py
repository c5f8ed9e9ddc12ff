"""The ladder: each technique where it is the easiest; the easiest first; the same path always."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from logic_cases import generated, mask_of_solution, only, others, puzzle_of, state_of, with_clues

from satdoku import rate, solve
from satdoku.explain.logic import logic_steps, scale
from satdoku.explain.logic.ladder import Ladder
from satdoku.explain.units import units_of
from satdoku.explain.witness import proves
from satdoku.explain.words import words_of
from satdoku.model.board import bits
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import parse_grid

PUZZLE = "..........4.....5.8..5.6..475..6..38.89.1.24.4...9...7..49.75..9.......1..6.3.4.."


X_WING = [f"r{row}c{column}=7" for row in (2, 6) for column in range(1, 10) if column not in (3, 8)]
IN_A_ROW = [f"r{row}c{column}=5" for row in (2, 3) for column in (1, 2, 3)]
DIRECT_POINTING = [*IN_A_ROW, *(f"r{row}c{column}=5" for row in (2, 3) for column in (4, 5, 6))]
DIRECT_POINTING = [text for text in DIRECT_POINTING if text != "r2c4=5"]
DIRECT_PAIR = [*others([2, 7], "37"), *others([2, 5], "4")]
EASIEST = [
    ("hidden single", 1.2, "shape=4x4", ["r1c1=1", "r1c2=1", "r2c1=1"]),
    ("hidden single", 1.5, "classic", others([5], "4")),
    ("hidden single", 1.6, "latin,diagonal", [f"r{k}c{k}=4" for k in range(1, 9)]),
    ("naked single", 2.3, "classic", ["r1c1=12345678"]),
    ("clue alone", 2.0, "cage=17:r1c1,r1c2", []),
    ("clue alone", 2.2, "thermo:r1c1,r2c2,r3c3", []),
    ("direct pointing", 1.7, "classic", DIRECT_POINTING),
    ("direct hidden pair", 2.0, "classic", DIRECT_PAIR),
    ("pointing", 2.6, "classic", ["r2c1=5", "r2c2=5", "r2c3=5", "r3c1=5", "r3c2=5", "r3c3=5"]),
    ("claiming", 2.8, "classic", others([1, 2, 3], "5")),
    ("innies", 2.8, "cage=13:r1c1-r1c3;cage=30:r1c4-r1c8", []),
    ("held digit", 2.9, "cage=17:r1c1,r2c2", only([1], "89") + only([2], "89", 2)),
    ("common peers", 3.0, "shape=4x4;knight", ["r1c1=1", "r2c2=1"]),
    ("naked pair", 3.0, "classic", only([2, 5], "37")),
    ("X-wing", 3.2, "classic", X_WING),
    ("hidden pair", 3.4, "classic", others([2, 7], "37")),
    ("naked triplet", 3.6, "classic", only([1, 5], "379") + only([9], "37")),
    ("naked quad", 5.0, "classic", only([1, 4, 5], "3579") + only([9], "37")),
]


LEVEN = (
    "ratio=2:r1c7,r1c8;ratio=2:r2c9,r3c9;ratio=2:r3c5,r3c6;ratio=2:r4c7,r5c7;"
    "renban:r1c1,r1c2,r1c3,r2c1;renban:r1c4,r1c5,r1c6,r2c6;renban:r2c3,r2c4,r3c4,r4c4;"
    "renban:r3c1,r4c1,r5c1,r5c2;renban:r4c8,r4c9,r5c9,r6c9;renban:r5c3,r5c4,r6c3,r7c3;"
    "renban:r5c5,r5c6,r6c6,r7c6;renban:r6c7,r7c7,r8c6,r8c7;renban:r7c1,r8c1,r9c1,r9c2;"
    "renban:r7c4,r8c4,r9c3,r9c4;renban:r7c9,r8c9,r9c8,r9c9"
)


def test_houses_and_cases_come_last():
    """A published puzzle that stops at its second step without them."""
    constraints = constraints_for(LEVEN)
    puzzle = parse_grid("." * 24 + "1" + "." * 56)
    steps = [*logic_steps(puzzle, constraints)]
    assert sum(step.put is not None for step in steps) == 80
    counts = Counter(step.technique for step in steps)
    assert counts["contradiction by houses"]
    assert counts["contradiction by cases"]
    case = next(step for step in steps if step.technique == "contradiction by cases")
    house = next(step for step in steps if step.technique == "contradiction by houses")
    for step in (house, case):
        assert proves(step.units, step.live, step.put, step.struck)
    assert case.rating >= scale.BY_CASES
    assert "(else " in case.words or "as a whole" in case.words
    assert {step.technique for step in steps if step.rating >= scale.BY_CASES} <= {
        "contradiction by houses",
        "contradiction by cases",
    }


@pytest.mark.parametrize(("technique", "rating", "rules", "struck"), EASIEST)
def test_the_easiest_technique(technique, rating, rules, struck):
    state = state_of(rules, *struck)
    finding = Ladder(state.units).next(state)
    assert finding is not None
    assert (finding.technique, finding.rating) == (technique, rating)


def test_nothing_is_found_where_nothing_follows():
    for rules in ("classic", "renban:r1c1,r2c2,r3c3,r4c4,r5c5"):
        state = state_of(rules)
        assert Ladder(state.units).next(state) is None


def test_the_path_of_a_puzzle():
    solution = solve(PUZZLE)
    steps = list(logic_steps(parse_grid(PUZZLE), constraints_for("classic"), verify=True))
    for step in steps:
        assert all(solution[cell] != digit for cell, digit in step.eliminated)
        assert not step.placed or solution[step.placed[0]] == step.placed[1]
    assert Counter(step.technique for step in steps) == {
        "hidden single": 53, "pointing": 2, "claiming": 2, "swordfish": 1, "forcing chain": 1,
        "WXYZ-wing": 1,
    }  # fmt: skip
    assert steps[-1].rating == 1.0


def test_each_step_is_the_easiest_of_all_techniques():
    rules = "cage=10:r1c1,r1c2;cage=20:r1c3-r1c5;thermo:r4c4,r5c5,r6c6;whisper:r8c1,r8c2,r8c3"
    state = state_of(rules, "r9c9=12345678")
    ladder = Ladder(state.units)
    techniques = set()
    while finding := ladder.next(state):
        techniques.add(finding.technique)
        if finding.placed is not None:
            state = state.place(finding.placed)
            continue
        rated = [other.rating for _, rung in ladder.techniques for other in rung(state)]
        assert finding.rating == min(rated)
        state = state.strike(finding.struck)
    assert {"naked single", "clue alone", "forcing chain"} <= techniques


def test_the_path_is_the_same_each_time():
    constraints, solution = with_clues("shape=6x6", ["cage", "thermo", "sum"], random.Random(3))
    puzzle = parse_grid("".join(map(str, solution[:9])) + "." * 27, board=constraints.board)
    one, other = ([s.words for s in logic_steps(puzzle, constraints)] for _ in range(2))
    assert one == other
    assert one


def test_a_claim_is_answered_by_the_easiest_finding_that_says_it():
    state = state_of("classic", *only([2, 5], "37"))
    ladder = Ladder(state.units)
    names = {state.units.name(c): c for c in bits(state.units.every)}
    finding = ladder.for_claim(state, names["r1c9=3"], False)
    assert finding is not None
    assert finding.technique == "naked pair"
    assert ladder.for_claim(state, names["r1c9=4"], False) is None
    assert ladder.for_claim(state, names["r1c9=4"], True) is None
    single = state_of("classic", "r1c1=12345678")
    finding = Ladder(single.units).for_claim(single, names["r1c1=9"], True)
    assert finding is not None
    assert finding.technique == "naked single"


def test_lines_that_share_cells_are_no_fish():
    """Columns 3 and 4 of one grid and the other share cells, so that one digit may serve both."""
    for seed in (288, 1456):
        constraints, puzzle, solution = puzzle_of(seed)
        true = mask_of_solution(units_of(constraints), solution)
        for step in logic_steps(puzzle, constraints):
            assert not step.struck & true, step.words
            assert step.technique != "X-wing" or proves(step.units, step.live, None, step.struck)


def test_what_sudoku_explainer_and_the_ladder_have_keeps_its_numbers():
    """Two givens with their sum change nothing."""
    kept = 0
    for line in generated(0, 25):
        classic = rate(line)
        if classic.technique in scale.RANGES and classic.er < scale.MIXED:
            first, second = [cell for cell, digit in enumerate(line) if digit != "."][:2]
            names = ",".join(f"r{cell // 9 + 1}c{cell % 9 + 1}" for cell in (first, second))
            found = rate(line, f"sum={int(line[first]) + int(line[second])}:{names}")
            assert (found.er, found.ep, found.ed) == (classic.er, classic.ep, classic.ed)
            assert found.technique == classic.technique
            kept += 1
    assert kept > 12


def test_a_direct_step_tells_what_leaves_the_single():
    state = state_of("classic", *DIRECT_POINTING)
    assert words_of(state, Ladder(state.units).next(state)) == (
        "r2c4=5: box 1 has 5 only in r1c1-r1c3, all of row 1 (pointing), "
        "so box 2 has it only in r2c4"
    )
    state = state_of("classic", *DIRECT_PAIR)
    assert words_of(state, Ladder(state.units).next(state)) == (
        "r1c5=4: 3 and 7 have no place in row 1 but r1c2 and r1c7 (hidden pair), "
        "so 4 has none but r1c5"
    )
