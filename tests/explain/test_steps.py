"""Steps: the search behind them, and that they are sound, minimal and the same everywhere."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from random import Random

import pytest
from examples import CLASSIC, CLASSIC_SOLUTION, PUZZLES
from explain_cases import (
    EXPLAINED,
    HARD,
    NINE,
    ON_BOARDS,
    ON_FOUR,
    assert_sound_and_minimal,
    clued,
    constraints_of,
    entailed,
    puzzles_of,
    random_puzzle,
    state_with,
    true_of,
    without,
)
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from soak import share

import satdoku
from satdoku import explain_steps
from satdoku.answers.api import true_candidates
from satdoku.explain import UnexplainableError, cell_named, needed_for
from satdoku.explain.mus import selected_clauses, selector, smallest
from satdoku.explain.steps import Finder, Propagation, refute
from satdoku.explain.techniques import State
from satdoku.explain.units import units_of
from satdoku.explain.witness import Claim, proves
from satdoku.model.board import Board, bits, mask_of
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import Grid
from satdoku.model.puzzle import Puzzle
from satdoku.runtime.errors import BudgetError
from satdoku.witness.verify import solves, violations


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


@pytest.mark.parametrize("rules", ON_FOUR)
def test_every_step_of_small_puzzles_is_sound_and_minimal(rules):
    constraints = constraints_of(rules)
    for puzzle in puzzles_of(constraints, 12, seed=rules):
        steps = list(explain_steps(puzzle, constraints))
        for step in steps:
            assert_sound_and_minimal(step)
        assert sum(step.placed is not None for step in steps) == 16 - puzzle.givens


@pytest.mark.parametrize("kind", EXPLAINED)
def test_steps_with_clues_agree_with_brute_force(kind, four_by_four):
    for seed in range(3):
        case = clued(kind, seed, four_by_four)
        if case is None or not case[2]:
            continue
        puzzle, constraints, solutions = case
        left = None  # as long as there is no step
        for step in explain_steps(puzzle, constraints):
            assert_sound_and_minimal(step)
            left = [set(digits) for digits in step.candidates]
            for cell, digit in step.eliminated:
                assert all(grid[cell] != digit for grid in solutions), step.words
                left[cell].discard(digit)
            if step.placed:
                assert all(grid[step.placed[0]] == step.placed[1] for grid in solutions)
        assert left in (None, [{grid[cell] for grid in solutions} for cell in range(16)])


@settings(max_examples=share(30), deadline=None)
@given(st.sampled_from(sorted(ON_BOARDS)), st.integers(0, 10**6))
def test_steps_are_sound_on_boards_of_every_class(name, seed):
    """Each follows from its units alone, which another solver says of clauses where what is
    connected is unfolded; no step strikes what some solution has, and nothing else is left."""
    case = random_puzzle(ON_BOARDS[name], Random(seed))
    assume(case is not None)
    puzzle, constraints = case
    true = true_candidates(Puzzle(puzzle, constraints))
    left = None  # as long as there is no step
    for step in explain_steps(puzzle, constraints):
        assert entailed(step, step.units), step.words
        left = [set(digits) for digits in step.candidates]
        for cell, digit in step.eliminated:
            assert digit not in true[cell], step.words
            left[cell].discard(digit)
    assert left in (None, [set(digits) for digits in true])


def test_a_step_names_the_cut():
    """Of 3x3 cells r1c1 and r3c3 are shaded, and all but one way between them are not."""
    rules = [
        "shape=3x3;layer=shade:0-1;connected=1:shade;digits=1:shade.r1c1,shade.r3c3",
        "digits=0:shade.r1c3,shade.r2c2,shade.r3c1",
    ]
    with pytest.raises(UnexplainableError):
        list(explain_steps("." * 9, rules))
    rules[1] = "digits=0:shade.r1c3,shade.r2c2"
    steps = list(explain_steps("." * 9, rules))
    words = [step.words for step in steps]
    why = "else shade.r3c3 would be cut off from shade.r1c1 (connected 1 in shade)"
    assert {f"no 0 in shade.r{cell}: {why}" for cell in ("2c1", "3c1", "3c2")} <= {*words}
    assert "shade.r3c1=1: the only value left in shade.r3c1 (naked single)" in words
    cut = steps[words.index(f"no 0 in shade.r3c1: {why}")]
    names = [cut.board.name_of(cell) for cell in cut.because]
    assert names == ["shade.r1c1", "shade.r1c3", "shade.r2c2", "shade.r3c3"]
    assert (cut.size, cut.as_data()["reasons"]["because"]) == (1, names)


def test_what_no_propagation_finds_is_told_by_cases():
    """Such a step strikes further candidates first, each of which leads to a contradiction."""
    found = [
        step
        for seed in range(4)
        for step in explain_steps(*random_puzzle(ON_BOARDS["yin-yang"], Random(seed)))
        if step.technique == "cases"
    ]
    assert found
    assert all("(else a contradiction)" in step.words for step in found)


def test_a_clue_strikes_what_has_no_partner():
    """All of what a clue forbids at once, whatever else it needs; then digits are placed."""
    rules = "thermo:" + ",".join(f"r{row}c1" for row in range(1, 10)) + ";odd:r1c2"
    first, second, *steps = explain_steps("." * 81, rules, timeout=20)
    assert (first.technique, first.size) == (second.technique, second.size) == ("clue alone", 1)
    assert first.words == "r1c2 must be odd: no 2, 4, 6 or 8 in r1c2"
    assert second.words.startswith(
        "nine digits increase (thermo r1c1-r9c1): r1c1 is 1; r2c1 is 2; "
    )
    assert len(second.eliminated) == 9 * 8
    assert [step.placed for step in steps[:9]] == [(9 * row, row + 1) for row in range(9)]


def test_a_clue_may_make_other_units_superfluous():
    """What one of these clues needs says that r3c2 holds one digit; so the step must not."""
    rules = "no-difference=3;numbered-room=1:-row3"
    steps = list(explain_steps("." * 16, rules))
    assert steps
    for step in steps:
        assert_sound_and_minimal(step)


def test_steps_beyond_singles_are_sound_and_minimal():
    kinds = []
    for step in explain_steps(HARD):
        if step.size > 1:
            kinds.append(step.technique)
            assert_sound_and_minimal(step)
        if kinds.count("chain") == 2:
            break
    assert {"pointing", "claiming", "naked pair", "hidden pair", "chain"} == set(kinds)


SLOW = [pytest.param(rules, marks=pytest.mark.slow) for rules in ("diagonal", "nonconsecutive")]


@pytest.mark.parametrize("rules", ["king", *SLOW])
def test_no_smaller_explanation_exists_up_to_four_units(rules):
    """OptUx finds no smaller explanation for any wrong candidate of a state."""
    constraints = constraints_for(rules, Board.of_size(6))
    units = units_of(constraints)
    selectors = [selector(units, unit.number) for unit in units.all]
    seen = set()
    for puzzle in puzzles_of(constraints, 3, seed=6):
        solution = satdoku.solve(puzzle, constraints)
        for step in explain_steps(puzzle, constraints):
            kind = step.technique, step.size
            if not 2 < step.size <= 4 or kind in seen:
                continue
            seen.add(kind)
            gone = [[-c - 1] for c in range(constraints.variables) if not step.live >> c & 1]
            hard = [*selected_clauses(units), *gone]
            for c in bits(step.live):
                if solution[c // 6] != c % 6 + 1:
                    found = smallest([*hard, [c + 1]], selectors, 20, step.size)
                    assert found.literals is None
                    assert found.at_least >= step.size
    assert seen


@pytest.mark.parametrize("rules", ["miracle", "knight", "diagonal,windoku", "disjoint"])
def test_steps_end_at_the_solution_under_every_kind_of_rule(rules):
    constraints = constraints_for(rules)
    puzzle = satdoku.parse_grid((PUZZLES / "miracle.txt").read_text().split("\n")[-2])
    if rules != "miracle":
        (puzzle,) = puzzles_of(constraints, 1, seed=4, spare=30)
    steps = list(explain_steps(puzzle, constraints))
    cells = list(puzzle)
    for step in steps:
        if step.placed:
            cells[step.placed[0]] = step.placed[1]
    assert solves(Grid(bytes(cells), constraints.board), puzzle, constraints.rules)


def test_what_a_placed_digit_strikes_breaks_a_rule_beside_it():
    constraints = constraints_for("miracle")
    for step in explain_steps((PUZZLES / "miracle.txt").read_text().split("\n")[-2], constraints):
        for cell, digit in step.eliminated if step.placed else ():
            if cell != step.placed[0]:
                cells = bytearray(81)
                cells[cell], cells[step.placed[0]] = digit, step.placed[1]
                assert violations(Grid(bytes(cells)), constraints.rules)


@pytest.mark.parametrize("puzzle", ["12..............", "1234............", "1......2........"])
def test_a_puzzle_with_several_solutions_goes_as_far_as_it_can(puzzle):
    state = State.of(satdoku.parse_grid(puzzle), units_of(constraints_of("classic")))
    for step in explain_steps(puzzle):
        assert_sound_and_minimal(step)
        state = state.strike(step.struck) if step.put is None else state.place(step.put)
    true = satdoku.candidates(puzzle)
    assert state.live == mask_of(4 * c + d - 1 for c, digits in enumerate(true) for d in digits)


def test_full_and_contradictory_grids_have_no_steps():
    assert list(explain_steps(CLASSIC_SOLUTION)) == []
    with pytest.raises(UnexplainableError):
        list(explain_steps("5.....5" + "." * 74))


def test_a_limit_cuts_steps_off_and_changes_none():
    whole = [step.words for step in explain_steps(CLASSIC)]
    begun = []
    with pytest.raises(BudgetError):
        for step in explain_steps(CLASSIC, timeout=1e-9):
            begun.append(step.words)
    assert begun == whole[: len(begun)]


def test_steps_are_the_same_in_every_process():
    code = (
        "import itertools, satdoku, sys\n"
        "steps = satdoku.explain_steps(sys.argv[1])\n"
        "for step in itertools.islice(steps, 23): print(step.words)\n"
        "assert 'numpy' not in sys.modules\n"
    )
    outs = [
        subprocess.run(
            [sys.executable, "-c", code, HARD],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True, text=True, check=True,
        ).stdout
        for seed in ("0", "7")
    ]  # fmt: skip
    assert outs[0] == outs[1]
    assert outs[0].count("otherwise ") == 2


def test_the_steps_that_a_cell_needs_suffice():
    steps = list(explain_steps(CLASSIC))
    needed = needed_for(steps, cell_named("r2c2", NINE))
    assert needed[-1].placed == (cell_named("r2c2", NINE), 3)
    assert len(needed) < len(steps)
    state = State.of(satdoku.parse_grid(CLASSIC), units_of(constraints_for()))
    for step in needed:  # replay only these
        assert proves(step.units, state.live, step.put, step.struck if step.put is None else 0)
        state = state.strike(step.struck) if step.put is None else state.place(step.put)
    assert needed_for(steps, 4) == []  # r1c5 is given
    assert list(explain_steps(CLASSIC, cell="r2c2")) == needed
    with pytest.raises(satdoku.SatdokuError, match="cell r0c1: expected r1c1 to r9c9"):
        explain_steps(CLASSIC, cell="r0c1")


@pytest.mark.parametrize("named", [False, True])
def test_a_step_knows_the_digits_before_it(named):
    known = bytearray(satdoku.parse_grid(CLASSIC).cells)
    for step in explain_steps(CLASSIC, named=named):
        assert step.solved.cells == bytes(known)
        if step.placed:
            known[step.placed[0]] = step.placed[1]
    assert all(known)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["inkala-2010", "inkala-2012"])
def test_inkalas_puzzles_step_by_step(name):
    steps = list(explain_steps((PUZZLES / f"{name}.txt").read_text().split("\n")[-2]))
    for step in steps:
        if step.size > 1:
            assert_sound_and_minimal(step)
