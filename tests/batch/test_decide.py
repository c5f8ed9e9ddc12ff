"""The engine first, CDCL for the rest: one answer, whoever gives it."""

import numpy as np
import pytest
from examples import CLASSIC, CLASSIC_SOLUTION, PUZZLES
from hypothesis import given, settings
from hypothesis import strategies as st
from soak import share

from satdoku import engine
from satdoku.batch.decide import check_solutions, decide, engine_result
from satdoku.batch.options import BatchOptions
from satdoku.batch.solve import solve_batch
from satdoku.files.collection import marks_of
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import parse_grid
from satdoku.runtime.errors import Status, WitnessError

FOUR = constraints_for("classic", Board.of_size(4))
HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
TOO_LARGE = 5


def array(*lines):
    return np.array([list(parse_grid(line).cells) for line in lines], dtype=np.uint8)


def same(one, other):
    """Equal statuses, and equal solutions of unique puzzles."""
    unique = one.statuses == Status.UNIQUE
    return (one.statuses == other.statuses).all() and (
        one.solutions[unique] == other.solutions[unique]
    ).all()


@pytest.mark.parametrize("given_as", ["digits", "marks"])
def test_what_the_engine_gives_up_is_answered_by_cdcl(given_as):
    text = (PUZZLES / "generated-1000.txt").read_text()
    lines = [line for line in text.splitlines() if not line.startswith("#")][:40]
    puzzles = array(*lines, HARD, "." * 81, "55" + "." * 79)
    if given_as == "marks":
        puzzles = marks_of(puzzles, Board())
    gives_up = engine.solve(puzzles, constraints_for(), node_budget=1).status == Status.UNKNOWN
    assert 2 <= gives_up.sum() < len(puzzles)
    little, much = (
        decide(puzzles, BatchOptions(constraints_for(), node_budget=n)) for n in (1, 10_000)
    )
    named = decide(puzzles, BatchOptions(constraints_for(), node_budget=1, solver="glucose4"))
    alone = decide(puzzles, BatchOptions(constraints_for(), backend="session"))
    assert same(little, much)
    assert same(alone, much)
    assert same(named, much)
    assert much.statuses.tolist() == [Status.UNIQUE] * 41 + [Status.MULTIPLE, Status.NONE]
    assert not alone.nodes.any()
    assert much.nodes.all()
    assert (named.by_session == gives_up).all()
    assert alone.by_session.all()
    assert set(alone.solved_by("glucose4")) == {"glucose4"}
    assert set(much.solved_by("glucose4")[:41]) == {"engine"}


@pytest.mark.parametrize("as_marks", [False, True])
def test_what_nobody_has_decided_in_time_is_unknown(as_marks):
    rules = constraints_for("diagonal,nonconsecutive")
    asked = array(CLASSIC, "9" + 79 * "." + "1")
    asked = marks_of(asked, rules.board) if as_marks else asked
    options = BatchOptions(rules, backend="session")
    found = decide(asked, options, deadline=0.0)
    assert found.statuses.tolist() == [Status.UNKNOWN, Status.UNKNOWN]
    assert decide(asked[:1], options).statuses.tolist() == [Status.NONE]


def test_nothing_has_decided_what_is_invalid_or_unknown():
    options = BatchOptions(constraints_for(), node_budget=1, conflicts=1)
    found = decide(array(CLASSIC, HARD, HARD.replace("8", ".", 1), "." * 81), options)
    wrong = decide(np.full((1, 81), 99, np.uint8), BatchOptions(constraints_for()))
    assert Status.UNKNOWN in found.statuses
    for status, name in zip(found.statuses, found.solved_by("cadical153"), strict=True):
        assert (status == Status.UNKNOWN) == (name == "")
    assert wrong.solved_by("cadical153") == [""]


@settings(deadline=None, max_examples=share(50))
@given(st.lists(st.lists(st.integers(0, TOO_LARGE), min_size=16, max_size=16), min_size=1))
def test_every_answer_is_that_of_brute_force(four_by_four, rows):
    puzzles = np.array(rows, np.uint8)
    grids = np.array([list(grid) for grid in four_by_four], np.uint8)
    fits = ((puzzles[:, None] == grids) | (puzzles[:, None] == 0)).all(axis=2)
    statuses = np.minimum(fits.sum(axis=1), 2)  # their codes
    statuses[(puzzles == TOO_LARGE).any(axis=1)] = Status.INVALID
    for budget in (1, 300):
        result = decide(puzzles, BatchOptions(FOUR, node_budget=budget))
        assert (result.statuses == statuses).all()
        for row in np.flatnonzero((statuses == 1) | (statuses == 2)):
            assert (grids[fits[row]] == result.solutions[row]).all(axis=1).any()


@pytest.mark.parametrize("backend", ["engine", "session"])
def test_no_puzzles_have_no_answers(backend):
    result = decide(np.zeros((0, 81), np.uint8), BatchOptions(constraints_for(), backend=backend))
    assert not any(map(len, result.arrays))


def test_an_engine_that_is_wrong_is_caught(monkeypatch):
    true = engine.solve

    def wrong(*arguments, **options):
        result = true(*arguments, **options)
        result.solutions[0, [0, 1]] = result.solutions[0, [1, 0]]
        return result

    monkeypatch.setattr(engine, "solve", wrong)
    with pytest.raises(WitnessError, match=r"puzzles \[0\]"):
        solve_batch(array(CLASSIC, CLASSIC))


def test_a_solution_that_is_wrong_or_missing_is_caught():
    puzzles, solutions = array(CLASSIC), array(CLASSIC_SOLUTION)
    solutions[0, [0, 1]] = solutions[0, [1, 0]]
    wrong = engine_result(np.full(1, Status.UNIQUE, np.uint8), solutions, np.zeros(1, np.uint32))
    with pytest.raises(WitnessError, match="puzzles"):
        check_solutions(puzzles, wrong, constraints_for())
    missing = wrong._replace(solutions=np.zeros_like(solutions))
    with pytest.raises(WitnessError):
        check_solutions(puzzles, missing, constraints_for())
