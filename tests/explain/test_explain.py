"""Conflicts and cells: known cases exactly, and a fresh solver checks every claim."""

from dataclasses import replace
from itertools import combinations
from random import Random

import pytest
from examples import CLASSIC, FOUR, PUZZLES
from explain_cases import (
    EXPLAINED,
    JIGSAW,
    ON_BOARDS,
    ON_FOUR,
    assert_minimal_conflict,
    clauses_of,
    clued,
    constraints_of,
    puzzles_of,
    random_puzzle,
    says,
)
from process_groups import processor_seconds

import satdoku
from satdoku import explain_cell, explain_conflict, explain_steps
from satdoku.answers.api import true_candidates
from satdoku.answers.session import Session
from satdoku.answers.solver import solve_clauses
from satdoku.explain import UnexplainableError, cell_named
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import Grid
from satdoku.model.puzzle import Puzzle
from satdoku.runtime.errors import BudgetError, SatdokuError


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
            "r1c1=5 and r1c2=6 clash: non-consecutive neighbours r1c1-r1c2",
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


THERMO = "thermo:" + ",".join(f"r{row}c1" for row in range(1, 10))
THERMO_SAYS = "thermo r1c1-r9c1 (digits increase from the bulb, the first cell, to the tip)"


@pytest.mark.parametrize(
    ("puzzle", "rules", "words"),
    [
        ("5" + "." * 80, THERMO, f"r1c1=5 is not possible: {THERMO_SAYS}"),
        (
            "." * 81,
            "odd:r1c1;even:r1c1",
            "the rules contradict each other: r1c1, even r1c1, odd r1c1",
        ),
        (
            "35" + "." * 79,
            "white:r1c1,r1c2",
            "r1c1=3 and r1c2=5 clash: white dot r1c1-r1c2 (the two digits differ by 1)",
        ),
        (
            "." * 9 + "1" + "." * 71,
            "white:r1c1,r2c1;odd:r1c1",
            "r2c1=1 cannot be true: r1c1=2 (white dot r1c1-r2c1), but r1c1 must be odd "
            "(rules used: white dot r1c1-r2c1, odd r1c1)",
        ),
    ],
)
def test_a_conflict_with_a_clue_names_it(puzzle, rules, words):
    conflict = explain_conflict(puzzle, rules)
    assert conflict.words == words
    assert conflict.reasons.is_smallest
    assert_minimal_conflict(puzzle, constraints_for(rules), conflict.reasons)


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("kind", EXPLAINED)
def test_conflicts_with_clues_are_minimal_and_found_if_brute_force_finds_nothing(
    kind, seed, four_by_four
):
    case = clued(kind, seed, four_by_four, givens=0.3)
    if case is not None:
        puzzle, constraints, solutions = case
        conflict = explain_conflict(puzzle, constraints, timeout=3)
        assert (conflict is None) == bool(solutions)
        if conflict is not None:
            assert_minimal_conflict(puzzle, constraints, conflict.reasons)


def test_a_cell_that_a_clue_forces():
    answer = explain_cell("." * 81, "r5c1", THERMO)
    assert answer.words.startswith("r5c1=5: otherwise ")
    assert [unit.label for unit in answer.reasons.units] == ["r5c1", "thermo r1c1-r9c1"]


def test_a_cell_without_a_digit():
    conflict = explain_conflict("12345678." + "........9" + "." * 63, timeout=20)
    assert (conflict.givens.size, conflict.givens.at_least) == (7, 7)
    assert_minimal_conflict("", constraints_for(), conflict.reasons)
    # Six givens in row 1 outside box 3, and a 9 in box 3: row 1 has no place for 9.
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
        # The list of all grids shows that these givens clash and that no fewer do.
        for fewer in combinations(givens, size - 1):
            assert any(all(grid[cell] == d for cell, d in fewer) for grid in grids)
        named = conflict.givens.givens
        assert not any(all(grid[cell] == str(d) for cell, d in named) for grid in grids)


def test_rules_that_contradict_each_other():
    constraints = constraints_for("knight,king", FOUR)
    conflict = explain_conflict("." * 16, constraints, timeout=1)
    assert conflict.givens.givens == ()
    assert conflict.words.startswith("the rules contradict each other: ")
    assert_minimal_conflict("", constraints, conflict.reasons)
    assert conflict.reasons.at_least <= conflict.reasons.size
    assert {unit.family for unit in conflict.reasons.units} >= {"row", "knight", "king"}


def test_a_deep_contradiction_within_its_time():
    inkala = (PUZZLES / "inkala-2012.txt").read_text().split("\n")[-2]
    wrong = inkala[0] + "2" + inkala[2:]  # no two givens clash; r1c2 is 1 in the solution
    start = processor_seconds()
    conflict = explain_conflict(wrong, timeout=4)  # a busy machine gets to its bound
    assert processor_seconds() - start < 30
    reasons = conflict.reasons
    assert 3 < reasons.at_least < reasons.size
    assert conflict.givens.is_smallest
    if reasons.is_minimal:  # a loaded machine may not get this far
        assert_minimal_conflict(wrong, constraints_for(), reasons)
        assert conflict.words.endswith(
            f" ({reasons.size} reasons: none can be left out, but a different set of "
            f"{reasons.at_least} or more may exist)"
        )
    assert explain_conflict(inkala) is None


ENDLESS = constraints_for(
    "antiqueen,miracle", Board.of_size(16)
)  # nobody knows whether there is a grid


@pytest.mark.parametrize(
    "ask",
    [
        lambda: explain_conflict("." * 256, ENDLESS, timeout=0.1),
        lambda: explain_cell("." * 256, "r1c1", ENDLESS, timeout=0.1),
        lambda: next(explain_steps("." * 256, ENDLESS, timeout=0.1)),
    ],
)
def test_the_limit_holds_for_the_first_question_too(ask):
    start = processor_seconds()
    with pytest.raises(BudgetError, match="timed out after"):
        ask()
    assert processor_seconds() - start < 10


def test_why_a_digit_must_be_in_a_cell():
    answer = explain_cell(CLASSIC, "r1c4")
    assert answer.digits == {8}
    assert answer.reasons.given_names == ["r1c5=1", "r2c9=8", "r3c1=8", "r8c6=8"]
    assert [unit.words for unit in answer.reasons.units] == [
        f"{house} holds 8 once" for house in ("row 2", "row 3", "column 6", "box 2")
    ]
    assert answer.reasons.is_smallest
    assert answer.words == (
        "r1c4=8: otherwise box 2 has no place left for 8 "
        "(givens: r1c5=1, r2c9=8, r3c1=8 and r8c6=8; "
        "rules used: row 2 (8), row 3 (8), column 6 (8), box 2 (8))"
    )


def test_given_open_and_missing_cells():
    assert explain_cell(CLASSIC, "r1c5").words == "r1c5=1: given"
    answer = explain_cell("12..............", 2)
    assert (answer.digits, answer.reasons) == ({3, 4}, None)
    assert answer.words == "r1c3 is not forced: 3 and 4 occur there in solutions"
    with pytest.raises(UnexplainableError):
        explain_cell("11..............", 2)
    for cell in ("r5c1", "r0c1", "c1r1", "", 16, -1):
        with pytest.raises(SatdokuError, match="expected"):
            explain_cell("." * 16, cell)


def test_cells_of_other_boards_and_of_layers():
    board = constraints_for("shape=2x4;holes:r1c1;layer=shade:0-1;layer=total*1:0-9").board
    assert cell_named("r1c2", board) == 0
    assert cell_named("R02C1", board) == 3
    assert cell_named("shade.r2c4", board) == 13
    assert cell_named("total", board) == 14
    for name in ("r1c1", "shade.r3c1", "other.r1c2"):
        with pytest.raises(
            SatdokuError, match=r"expected row and column.*, or of a layer, such as"
        ):
            cell_named(name, board)


CUT = ["shape=3x3;layer=shade:0-1;connected=1:shade;digits=1:shade.r1c1,shade.r3c3"]


def test_a_cell_of_a_layer_is_explained_by_the_cut():
    answer = explain_cell("." * 9, "shade.r3c1", [*CUT, "digits=0:shade.r1c3,shade.r2c2"])
    assert answer.digits == {2}  # a position
    assert answer.words.startswith("shade.r3c1=1: otherwise ")
    assert "shade.r3c3 would be cut off from shade.r1c1" in answer.words
    assert answer.as_data()["digits"] == [1]
    labels = {unit.label for unit in answer.reasons.units}
    assert "connected 1 in shade" in labels


def test_a_conflict_of_connected_cells_names_the_cut():
    found = explain_conflict("1" + "." * 8, [*CUT, "digits=0:shade.r1c3,shade.r2c2,shade.r3c1"])
    assert found.givens.givens == found.reasons.givens == ()
    assert found.words.startswith("the rules contradict each other: ")
    assert "would be cut off from shade.r1c1" in found.words


@pytest.mark.parametrize("name", ON_BOARDS)
def test_cells_and_conflicts_on_boards_of_every_class(name):
    """What is named suffices, by clauses in which what is connected is unfolded."""
    case = next(filter(None, (random_puzzle(ON_BOARDS[name], Random(s)) for s in range(9))))
    puzzle, constraints = case
    n, board = constraints.board.choices, constraints.board
    true = true_candidates(Puzzle(puzzle, constraints))
    cells = [c for c, digits in enumerate(true) if len(digits) == 1 and not puzzle[c]]
    for cell in Random(name).sample(cells, min(4, len(cells))):
        answer = explain_cell(puzzle, cell, constraints)
        clauses = clauses_of(answer.reasons.units)
        clauses += (c for given in answer.reasons.givens for c in says(given, n))
        clauses += [[-n * c - p] for c, p in beyond(board)]
        assert solve_clauses([*clauses, [-n * cell - min(true[cell])]]) is None, answer.words
    wrong = [
        c for c in range(board.grid_cells) if len(true[c]) < len(board.digits) and not puzzle[c]
    ]
    for cell in wrong[:2]:
        digit = next(d for d in range(1, len(board.digits) + 1) if d not in true[cell])
        cells = bytearray(puzzle.cells)
        cells[cell] = digit
        found = explain_conflict(Grid(bytes(cells), board), constraints, timeout=4).reasons
        clauses = clauses_of(found.units)
        clauses += (c for given in found.givens for c in says(given, n))
        clauses += [[-n * c - p] for c, p in beyond(board)]
        assert solve_clauses(clauses) is None


def beyond(board):
    """The candidates of cells that have fewer digits than others: the cell, the position."""
    domains = enumerate(board.domains(tuple(range(board.cells))))
    return [(c, p) for c, digits in domains for p in range(len(digits) + 1, board.choices + 1)]


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
                clauses = [[-denial], *clauses_of(u for u in units if u is not missing)]
                for place, digit in (g for g in givens if g is not missing):
                    clauses += [
                        [4 * place + d if d == digit else -4 * place - d] for d in range(1, 5)
                    ]
                assert (solve_clauses(clauses) is None) == (missing is None)


def test_a_cage_that_has_no_combination():
    rules = "cage=7:r1c1,r1c2"
    assert next(explain_steps("." * 16, rules)).words == (
        "7 cage r1c1-r1c2 is 3+4: no 1 or 2 in r1c1 and r1c2"
    )
    assert explain_conflict("..3.............", rules).words == (
        "r1c3=3 cannot be true: 7 cage r1c1-r1c2 has no place left for 3 "
        "(rules used: row 1 (3), 7 cage r1c1-r1c2)"
    )


def test_where_no_givens_are_needed_the_rules_are_named():
    conflict = explain_conflict("1..............2", "full-rank=5:row1;full-rank=9:col2")
    assert not conflict.givens.givens and conflict.reasons.givens
    assert conflict.sentences[1:] == ["the rules have no solution, whatever the givens"]


def test_a_conflict_that_may_not_be_smallest_names_fewer_givens_too():
    conflict = satdoku.explain_conflict("1.......2....3.4")
    words = "these 3 givens together have no solution (a smallest set): r1c1=1, r3c1=2 and r4c2=3"
    few = replace(conflict.givens, givens=conflict.givens.givens[:3])
    fewer = replace(conflict, givens=few)
    assert fewer.sentences == [conflict.words]
    large = replace(fewer, reasons=replace(conflict.reasons, at_least=3))
    assert large.sentences == [large.words, words]
    assert large.words == conflict.words + (
        " (9 reasons: none can be left out, but a different set of 3 or more may exist)"
    )
