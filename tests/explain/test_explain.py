"""Explanations: exact known cases; every claim against a solver that holds only what is named."""

import json
import os
import subprocess
import sys
import time
from itertools import combinations, islice
from random import Random

import pytest
from examples import CLASSIC, CLASSIC_SOLUTION, FOUR, PUZZLES

import satdoku
from satdoku import explain_cell, explain_conflict, explain_steps
from satdoku.cnf.encodings import encode
from satdoku.errors import SatdokuError, Status
from satdoku.explain import (
    UnexplainableError,
    cell_named,
    mus,
    needed_for,
    techniques,
)
from satdoku.explain import reasons as reasons_module
from satdoku.explain.finder import Finder
from satdoku.explain.mus import (
    selected_clauses,
    selector,
    smallest,
    unit_clauses,
)
from satdoku.explain.search import refute
from satdoku.explain.state import State
from satdoku.explain.units import bits, mask_of, units_of
from satdoku.explain.witness import Claim, proves
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import Grid
from satdoku.model.rules import RULES
from satdoku.sat.session import Session
from satdoku.sat.solver import BudgetError, solve_clauses
from satdoku.witness.verify import solves, violations

NINE = Board()
HARD = "4...3.......6..8..........1....5..9..8....6...7.2........1.27..5.3....4.9........"
JIGSAW = "jigsaw=1112122233434344"
ON_NINE = ("classic", "miracle", "diagonal,windoku", "disjoint", "antiqueen", "knight")
ON_FOUR = ("classic", "diagonal", "disjoint", "antiqueen", JIGSAW)


def constraints_of(rules, board=FOUR):
    return constraints_for(rules, None if "jigsaw=" in rules else board)


def puzzles_of(constraints, count, seed, spare=0):
    """Unique puzzles: a random solution with givens taken away while it stays the only one."""
    random = Random(seed)
    with Session(constraints) as session:
        n = constraints.board.size
        for _ in range(count):
            cells = [0] * constraints.board.cells
            cells[random.randrange(len(cells))] = random.randint(1, n)
            grids = list(session.solutions(Grid(bytes(cells), constraints.board), limit=40))
            if not grids:
                continue
            cells = list(random.choice(grids))
            for cell in random.sample(range(len(cells)), len(cells) - spare):
                kept, cells[cell] = cells[cell], 0
                if session.classify(Grid(bytes(cells), constraints.board)) is not Status.UNIQUE:
                    cells[cell] = kept
            yield Grid(bytes(cells), constraints.board)


def entailed(step, units):
    """By a fresh solver that holds these units and the candidates left, and nothing else."""
    variables = step.board.variables
    facts = [[-c - 1] for c in range(variables) if not step.live >> c & 1]
    clauses = [clause for unit in units for clause in unit_clauses(unit)] + facts
    if step.put is not None:
        return solve_clauses([*clauses, [-step.put - 1]]) is None
    return all(solve_clauses([*clauses, [c + 1]]) is None for c in bits(step.struck))


def assert_sound_and_minimal(step):
    assert entailed(step, step.units)
    for unit in step.units:
        fewer = [other for other in step.units if other is not unit]
        assert not entailed(step, fewer), (step.words, unit.words)


# Units --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", [*ON_NINE, JIGSAW])
def test_the_units_say_exactly_what_the_encoding_says(rules):
    constraints = constraints_of(rules, NINE)
    stated = {
        tuple(sorted(clause)) for unit in units_of(constraints).all for clause in unit_clauses(unit)
    }
    assert stated == {tuple(sorted(clause)) for clause in encode(constraints).clauses}


def test_units_are_counted_and_named():
    assert len(units_of(constraints_for()).all) == 324
    miracle = units_of(constraints_for("miracle"))
    # Of 224 knight's pairs 152 leave the box and the lines; 56 of 128 king's pairs; all 144 others.
    assert len(miracle.all) == 324 + 152 + 56 + 144
    words = {unit.words for unit in miracle.all}
    assert {"r1c1 holds one digit", "row 3 holds 5 once", "knight's move r1c4-r2c2"} <= words
    assert {house.label for house in units_of(constraints_for("windoku,diagonal")).houses} >= {
        "row 9", "column 1", "box 5", "window 4", "diagonal 2",
    }  # fmt: skip
    assert units_of(constraints_of(JIGSAW)).houses[-1].label == "region 4"


def test_every_rule_has_a_noun_or_no_units_of_its_own():
    for name, rule in RULES.items():
        assert rule.noun or name in ("jigsaw", "diagonal")


# Plain techniques ---------------------------------------------------------------------------------


def state_with(constraints=None, **left):
    """The empty board's state, where cells r1c1=... hold only the digits given."""
    constraints = constraints or constraints_for()
    n, live = constraints.board.size, (1 << constraints.variables) - 1
    for name, digits in left.items():
        cell = cell_named(name, constraints.board)
        live &= ~mask_of(n * cell + d - 1 for d in range(1, n + 1) if str(d) not in digits)
    return State(units_of(constraints), live, 0)


def names(mask, n=9):
    board = Board.of_size(n)
    return {f"{board.name_of(c // n)}={c % n + 1}" for c in bits(mask)}


def without(state, digit, *cells):
    n = state.units.size
    return state.strike(mask_of(n * cell_named(c, state.units.board) + digit - 1 for c in cells))


def test_singles():
    (naked,) = techniques.singles(state_with(r4c7="6"))
    assert (naked.technique, names(1 << naked.placed), naked.size) == (
        "naked single",
        {"r4c7=6"},
        1,
    )
    state = without(state_with(), 3, *(f"r2c{c}" for c in range(2, 10)))
    (hidden,) = techniques.singles(state)
    assert (hidden.technique, names(1 << hidden.placed)) == ("hidden single", {"r2c1=3"})
    assert [state.units.all[u].words for u in hidden.units] == ["row 2 holds 3 once"]


def test_pointing_and_claiming():
    box = without(state_with(), 7, *(f"r{r}c{c}" for r in (2, 3) for c in (1, 2, 3)))
    (pointing,) = techniques.locked(box)
    assert (pointing.technique, pointing.size) == ("pointing", 2)
    assert names(pointing.struck) == {f"r1c{c}=7" for c in range(4, 10)}
    line = without(state_with(), 7, *(f"r1c{c}" for c in range(4, 10)))
    (claiming,) = techniques.locked(line)
    assert claiming.technique == "claiming"
    assert names(claiming.struck) == {f"r{r}c{c}=7" for r in (2, 3) for c in (1, 2, 3)}


def test_pairs_and_triples():
    naked = next(techniques.subsets(state_with(r1c1="12", r1c5="12"), 2))
    assert (naked.technique, naked.size) == ("naked pair", 4)
    assert names(naked.struck) == {f"r1c{c}={d}" for c in (2, 3, 4, 6, 7, 8, 9) for d in (1, 2)}
    triple = next(techniques.subsets(state_with(r1c1="12", r1c5="23", r1c9="13"), 3))
    assert (triple.technique, triple.size) == ("naked triple", 6)
    assert names(triple.struck) == {f"r1c{c}={d}" for c in (2, 3, 4, 6, 7, 8) for d in (1, 2, 3)}
    others = [f"r1c{c}" for c in range(1, 10) if c not in (2, 8)]
    hidden = next(techniques.subsets(without(without(state_with(), 4, *others), 9, *others), 2))
    assert hidden.technique == "hidden pair"
    assert names(hidden.struck) == {f"r1c{c}={d}" for c in (2, 8) for d in (1, 2, 3, 5, 6, 7, 8)}


def test_a_chess_move_reaches_what_no_house_does():
    # 5 in row 1 only at r1c4, r1c6: a knight from r3c5 sees both; so does box 2.
    constraints = constraints_for("knight")
    row = [f"r1c{c}" for c in range(1, 10) if c not in (3, 5)]
    found = list(techniques.common_peers(without(state_with(constraints), 5, *row)))
    by_knight = [f for f in found if names(f.struck) == {"r3c4=5"}]
    # r3c4 sees r1c5 by its box or a knight's move, r1c3 by a knight's move alone.
    assert [f.size for f in by_knight] == [3]
    assert "knight's move r1c3-r3c4" in {
        constraint_unit(constraints, u).label for u in by_knight[0].units
    }


def constraint_unit(constraints, unit):
    return units_of(constraints).all[unit]


def test_nonconsecutive_neighbours_of_a_cell_with_two_digits():
    constraints = constraints_for("nonconsecutive")
    found = list(techniques.common_peers(state_with(constraints, r1c1="23")))
    struck = {frozenset(names(f.struck)): f.size for f in found}
    assert struck[frozenset({"r1c2=2"})] == 3  # 2 by the row, 3 by the neighbour's rule


def test_an_x_wing_is_found_by_the_search_and_named():
    state = state_with()
    for row in (2, 7):
        state = without(state, 8, *(f"r{row}c{c}" for c in range(1, 10) if c not in (3, 6)))
    wrong = 9 * cell_named("r5c3", NINE) + 7
    support = refute(state, wrong, bound=5)
    labels = {state.units.all[u].words for u in bits(support)}
    houses = ("row 2", "row 7", "column 3", "column 6")
    assert labels == {f"{house} holds 8 once" for house in houses}


# Steps --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", ON_FOUR)
def test_every_step_of_small_puzzles_is_sound_and_minimal(rules):
    constraints = constraints_of(rules)
    for puzzle in puzzles_of(constraints, 12, seed=rules):
        steps = list(explain_steps(puzzle, constraints))
        for step in steps:
            assert_sound_and_minimal(step)
        assert sum(step.placed is not None for step in steps) == 16 - puzzle.givens


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
    """OptUx, asked about every wrong candidate of a state, finds none smaller."""
    constraints = constraints_for(rules, Board.of_size(6))
    units = units_of(constraints)
    selectors = [selector(units, unit.number) for unit in units.all]
    seen = set()
    for puzzle in puzzles_of(constraints, 6, seed=6):
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


def test_the_classic_puzzle_in_words():
    steps = list(explain_steps(CLASSIC))
    assert len(steps) == 67
    assert [step.words for step in steps[:1]] == [
        "r1c4=8: the only place for 8 in box 2 (hidden single)"
    ]
    assert steps[4].words == "r7c6=1: the only digit left in r7c6 (naked single)"
    row = "row 1 has 4 only in r1c7 and r1c9, all of box 3 (claiming): no 4 in r2c7, r2c8"
    pair = (
        "r8c4 and r8c5 hold only 4 and 7 (naked pair in row 8): "
        "no 4 in r8c7, r8c8, r8c9; no 7 in r8c7, r8c8, r8c9"
    )
    assert {row, pair} <= {step.words for step in steps}
    assert max(step.size for step in steps) == 4


def test_a_step_holds_what_a_picture_needs():
    step = next(step for step in explain_steps(CLASSIC) if step.technique == "naked pair")
    assert step.placed is None
    assert step.eliminated == tuple((cell, d) for cell in (69, 70, 71) for d in (4, 7))
    assert step.reason_cells == (66, 67, 69, 70, 71)
    assert step.candidates[66] == step.candidates[67] == {4, 7}
    svg = satdoku.render_svg(CLASSIC, candidates=step.candidates, highlights=step.highlights)
    assert svg.count("<svg") == 1
    data = json.loads(json.dumps(step.as_data()))
    assert data["size"] == len(data["reasons"]["units"]) == 4
    assert data["reasons"]["units"][2] == {
        "rule": "row", "label": "row 8", "digit": 4, "words": "row 8 holds 4 once",
        "cells": [f"r8c{c}" for c in range(1, 10)],
    }  # fmt: skip
    assert data["eliminated"][0] == {"cell": "r8c7", "digit": 4}


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
        for step in explain_steps(CLASSIC, limit=1e-9):
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
    assert outs[0].count("else ") == 2


def test_the_steps_that_a_cell_needs_suffice():
    steps = list(explain_steps(CLASSIC))
    needed = needed_for(steps, cell_named("r2c2", NINE))
    assert needed[-1].placed == (cell_named("r2c2", NINE), 3)
    assert len(needed) < len(steps)
    state = State.of(satdoku.parse_grid(CLASSIC), units_of(constraints_for()))
    for step in needed:  # replayed without the others
        assert proves(step.units, state.live, step.put, step.struck if step.put is None else 0)
        state = state.strike(step.struck) if step.put is None else state.place(step.put)
    assert needed_for(steps, 4) == []  # r1c5 is given


@pytest.mark.slow
@pytest.mark.parametrize("name", ["inkala-2010", "inkala-2012"])
def test_inkalas_puzzles_step_by_step(name):
    steps = list(explain_steps((PUZZLES / f"{name}.txt").read_text().split("\n")[-2]))
    for step in steps:
        if step.size > 1:
            assert_sound_and_minimal(step)


# The witness --------------------------------------------------------------------------------------


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


# Contradictions -----------------------------------------------------------------------------------


def holds(puzzle, constraints, reasons):
    """Whether these givens and units alone leave a way, by a fresh solver."""
    n = constraints.board.size
    clauses = [clause for unit in reasons[1] for clause in unit_clauses(unit)]
    for given in reasons[0]:
        clauses += says(given, n)
    return solve_clauses(clauses or [[1]]) is not None


def says(given, n):
    """A given as clauses: its cell holds this digit and no other."""
    cell, digit = given
    return [[n * cell + d if d == digit else -n * cell - d] for d in range(1, n + 1)]


def assert_minimal_conflict(puzzle, constraints, reasons):
    givens, units = reasons.givens, reasons.units
    assert not holds(puzzle, constraints, (givens, units))
    for given in givens:
        assert holds(puzzle, constraints, ([g for g in givens if g != given], units))
    for unit in units:
        assert holds(puzzle, constraints, (givens, [u for u in units if u is not unit]))


@pytest.mark.parametrize(
    ("puzzle", "rules", "words"),
    [
        ("5.....5" + "." * 74, "classic", "r1c1=5 and r1c7=5 clash: row 1 holds 5 once"),
        (
            "...5......5" + "." * 70,
            "knight",
            "r1c4=5 and r2c2=5 clash: knight's move r1c4-r2c2",
        ),
        (
            "56" + "." * 79,
            "nonconsecutive",
            "r1c1=5 and r1c2=6 clash: neighbours r1c1-r1c2",
        ),
        (
            "1" + "." * 39 + "1" + "." * 40,
            "diagonal",
            "r1c1=1 and r5c5=1 clash: diagonal 1 holds 1 once",
        ),
    ],
)
def test_clashing_givens_are_named_with_their_rule(puzzle, rules, words):
    conflict = explain_conflict(puzzle, rules)
    assert conflict.words == words
    assert conflict.reasons.size == 3
    assert conflict.reasons.is_smallest
    assert conflict.givens.size == 2
    assert conflict.highlights["conflict"] == conflict.reasons.cells
    assert set(conflict.reasons.cells) <= set(conflict.highlights["house"])
    assert_minimal_conflict(puzzle, constraints_for(rules), conflict.reasons)


def test_a_cell_without_a_digit():
    conflict = explain_conflict("12345678." + "........9" + "." * 63, limit=20)
    assert (conflict.givens.size, conflict.givens.at_least) == (7, 7)
    assert_minimal_conflict("", constraints_for(), conflict.reasons)
    # Six in row 1 outside box 3 and a 9 in it: row 1 has no place for 9.
    assert conflict.reasons.size == 9
    assert conflict.reasons.chain == ("row 1 has no place left for 9",)


@pytest.mark.parametrize("rules", ["classic", "diagonal", JIGSAW])
def test_conflicts_of_small_puzzles_are_minimal_and_smallest(rules):
    constraints = constraints_of(rules)
    random = Random(7)
    with Session(constraints) as session:
        grids = [str(grid) for grid in session.solutions("." * 16)]
    found = 0
    while found < 6:
        cells = [0] * 16
        for cell in random.sample(range(16), 6):
            cells[cell] = random.randint(1, 4)
        puzzle = Grid(bytes(cells), constraints.board)
        conflict = explain_conflict(puzzle, constraints)
        if conflict is None:
            assert satdoku.solve(puzzle, constraints) is not None
            continue
        found += 1
        assert_minimal_conflict(puzzle, constraints, conflict.reasons)
        assert conflict.reasons.is_smallest
        givens = [(cell, str(d)) for cell, d in enumerate(cells) if d]
        size = conflict.givens.size
        # By the list of all grids: no fewer givens clash, and these do.
        for fewer in combinations(givens, size - 1):
            assert any(all(grid[cell] == d for cell, d in fewer) for grid in grids)
        named = conflict.givens.givens
        assert not any(all(grid[cell] == str(d) for cell, d in named) for grid in grids)


def test_rules_that_contradict_each_other():
    constraints = constraints_for("knight,king", FOUR)
    conflict = explain_conflict("." * 16, constraints, limit=1)
    assert conflict.givens.givens == ()
    assert conflict.words.startswith("the rules contradict each other: ")
    assert_minimal_conflict("", constraints, conflict.reasons)
    assert conflict.reasons.at_least <= conflict.reasons.size
    assert {unit.family for unit in conflict.reasons.units} >= {"row", "knight", "king"}


def test_a_deep_contradiction_within_its_time():
    inkala = (PUZZLES / "inkala-2012.txt").read_text().split("\n")[-2]
    wrong = inkala[0] + "2" + inkala[2:]  # no two givens clash; r1c2 is 1 in the solution
    start = time.monotonic()
    conflict = explain_conflict(wrong, limit=3)
    assert time.monotonic() - start < 6
    reasons = conflict.reasons
    assert 3 < reasons.at_least < reasons.size
    assert conflict.givens.is_smallest
    if reasons.is_minimal:  # a loaded machine may not come so far
        assert_minimal_conflict(wrong, constraints_for(), reasons)
        assert conflict.words.endswith(
            f" ({reasons.size} reasons, of which none can be left out; another set may do with "
            f"{reasons.at_least} or more)"
        )
    assert explain_conflict(inkala) is None


def test_a_conflict_that_time_left_large_says_so(monkeypatch):
    inkala = (PUZZLES / "inkala-2012.txt").read_text().split("\n")[-2]
    wrong = inkala[0] + "2" + inkala[2:]
    monkeypatch.setattr(mus.Oracle, "_answer", lambda *_: None)  # no question is answered in time
    monkeypatch.setattr(reasons_module, "smallest", lambda *_: mus.Smallest(None, 5))
    reasons = explain_conflict(wrong, limit=60).reasons
    assert (reasons.is_minimal, reasons.is_smallest, reasons.at_least) == (False, False, 5)
    assert reasons.as_data()["minimal"] is False
    assert reasons.caveat == (
        f" ({reasons.size} reasons; time ran out before all that can go was left out)"
    )


ENDLESS = constraints_for(
    "antiqueen,miracle", Board.of_size(16)
)  # nobody knows whether there is a grid


@pytest.mark.parametrize(
    "ask",
    [
        lambda: explain_conflict("." * 256, ENDLESS, limit=0.5),
        lambda: explain_cell("." * 256, "r1c1", ENDLESS, limit=0.5),
        lambda: next(explain_steps("." * 256, ENDLESS, limit=0.5)),
    ],
)
def test_the_limit_holds_for_the_first_question_too(ask):
    start = time.monotonic()
    with pytest.raises(BudgetError, match="within the time limit"):
        ask()
    assert time.monotonic() - start < 10


def test_the_limit_holds_within_a_step_and_for_the_witness():
    state = State.of(satdoku.parse_grid(HARD), units_of(constraints_for()))
    finder = Finder(state.units, true_of(HARD), deadline=time.monotonic() - 1)
    with pytest.raises(BudgetError):
        while True:  # singles and their like need no clock
            found = finder.next(state)
            placed = found.placed
            state = state.strike(found.struck) if placed is None else state.place(placed)
    with pytest.raises(BudgetError):
        Claim(state.units.all, state.live, deadline=time.monotonic() - 1).contradicts([])


def true_of(puzzle):
    return mask_of(
        9 * c + d - 1 for c, digits in enumerate(satdoku.candidates(puzzle)) for d in digits
    )


def test_a_chain_of_no_consequences_begins_with_no_and():
    words = [step.words for step in islice(explain_steps("." * 36, "antiqueen,king"), 3)]
    assert words[0].startswith("no 6 in r2c5: else each of r1c1=6, ")


# Cells --------------------------------------------------------------------------------------------


def test_why_a_digit_must_be_in_a_cell():
    answer = explain_cell(CLASSIC, "r1c4")
    assert answer.digits == {8}
    assert answer.reasons.given_names == ["r1c5=1", "r2c9=8", "r3c1=8", "r8c6=8"]
    assert [unit.words for unit in answer.reasons.units] == [
        f"{house} holds 8 once" for house in ("row 2", "row 3", "column 6", "box 2")
    ]
    assert answer.reasons.is_smallest
    assert answer.words.endswith("else box 2 has no place left for 8")


def test_given_open_and_missing_cells():
    assert explain_cell(CLASSIC, "r1c5").words == "r1c5=1: given"
    answer = explain_cell("12..............", 2)
    assert (answer.digits, answer.reasons) == ({3, 4}, None)
    assert answer.words == "r1c3 is not forced: 3 and 4 occur in solutions"
    with pytest.raises(UnexplainableError):
        explain_cell("11..............", 2)
    for cell in ("r5c1", "r0c1", "c1r1", "", 16, -1):
        with pytest.raises(SatdokuError, match="expected"):
            explain_cell("." * 16, cell)


@pytest.mark.parametrize("rules", ON_FOUR)
def test_reasons_of_cells_force_them_and_are_minimal(rules):
    constraints = constraints_of(rules)
    for puzzle in puzzles_of(constraints, 1, seed=rules):
        solution = satdoku.solve(puzzle, constraints)
        for cell in [c for c in range(0, 16, 3) if not puzzle[c]][:2]:
            answer = explain_cell(puzzle, cell, constraints)
            assert answer.digits == {solution[cell]}
            denial = 4 * cell + solution[cell]
            givens, units = answer.reasons.givens, answer.reasons.units
            for missing in (None, *givens, *units):
                clauses = [[-denial]]
                for unit in (u for u in units if u is not missing):
                    clauses += unit_clauses(unit)
                for place, digit in (g for g in givens if g is not missing):
                    clauses += [
                        [4 * place + d if d == digit else -4 * place - d] for d in range(1, 5)
                    ]
                assert (solve_clauses(clauses) is None) == (missing is None)
