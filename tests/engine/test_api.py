"""The batch engine against CDCL solvers, against itself, and against its own limits."""

from __future__ import annotations

import signal
import threading

import engine_cases as cases
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.solvers import Solver

from satdoku import engine
from satdoku.engine import kernel
from satdoku.engine.api import PUZZLES_PER_TASK
from satdoku.engine.plan import plan_for
from satdoku.engine.targets import TARGETS
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import Grid
from satdoku.runtime import limits
from satdoku.runtime.errors import OutOfTime, Status
from satdoku.witness.verify import violations

CLASSIC = constraints_for("classic")
FOUR, SIX = Board.of_size(4), Board.of_size(6)
RULE_SETS = ("classic", "knight", "king", "nonconsecutive", "diagonal", "windoku", "disjoint")


@pytest.fixture(params=engine.implementations())
def name(request):
    return request.param


def assert_fixpoints(rules, puzzles, clauses, box_line, name):
    left, conflict = engine.propagate(puzzles, rules, box_line=box_line, implementation=name)
    with Solver("glucose4", bootstrap_with=clauses) as solver:
        for puzzle, candidates, clash in zip(puzzles, left, conflict, strict=True):
            expected = cases.fixpoint(solver, rules, puzzle)
            assert clash == (expected is None)
            if expected is not None:
                assert np.flatnonzero(candidates).tolist() == expected


def assert_statuses(rules, puzzles, name, box_line=True):
    result = engine.solve(puzzles, rules, box_line=box_line, implementation=name)
    assert result.status.tolist() == cases.cdcl_statuses(rules, puzzles)
    assert_solutions(rules, puzzles, result)


def assert_solutions(rules, puzzles, result):
    """Every solution keeps the puzzle and its clauses; there is one where there should be."""
    n = rules.board.size
    for puzzle, status, solution in zip(puzzles, result.status, result.solutions, strict=True):
        if status in (Status.NONE, Status.INVALID):
            assert not solution.any()
            continue
        true = [n * cell + int(digit) - 1 for cell, digit in enumerate(solution)]
        assert cases.satisfied(rules, true)
        for literal in cases.literals(rules, puzzle)[1:]:
            assert (abs(literal) - 1 in true) == (literal > 0)


# Propagation.


@pytest.mark.covering
@pytest.mark.parametrize("board", [FOUR, SIX, Board.of_size(9)], ids=("4x4", "6x6", "9x9"))
@pytest.mark.parametrize("box_line", [False, True])
def test_fixpoint_is_that_of_unit_propagation(board, box_line, name):
    rules = constraints_for("classic", board)
    clauses = cases.box_triads(board) if box_line else cases.extended(rules)
    grids = cases.partial_grids(rules, 200, seed=board.size)
    assert_fixpoints(rules, grids, clauses, box_line, name)
    marks = cases.random_marks(rules, 80, seed=board.size)
    assert_fixpoints(rules, marks, clauses, box_line, name)


@pytest.mark.covering
@pytest.mark.parametrize("rules", (*RULE_SETS[1:], "miracle", "windoku,diagonal,king"))
@pytest.mark.parametrize("box_line", [False, True])
def test_fixpoint_of_every_rule_set(rules, box_line, name):
    rules = constraints_for(rules)
    clauses = cases.triads(rules) if box_line else cases.extended(rules)
    assert_fixpoints(rules, cases.partial_grids(rules, 30, seed=1), clauses, box_line, name)
    assert_fixpoints(rules, cases.random_marks(rules, 20, seed=1), clauses, box_line, name)


@settings(max_examples=10, deadline=None)
@given(
    size=st.sampled_from((4, 6, 9)),
    groups=st.integers(0, 6),
    pairs=st.integers(0, 40),
    box_line=st.booleans(),
    seed=st.integers(0, 2**32),
)
def test_fixpoint_under_random_constraints(size, groups, pairs, box_line, seed):
    rules = cases.random_constraints(Board.of_size(size), groups, pairs, seed)
    clauses = cases.triads(rules) if box_line else cases.extended(rules)
    marks = cases.random_marks(rules, 8, seed)
    for name in engine.implementations():
        assert_fixpoints(rules, marks, clauses, box_line, name)


# Search.


@pytest.mark.covering
@pytest.mark.parametrize("board", [FOUR, SIX, Board.of_size(9)], ids=("4x4", "6x6", "9x9"))
@pytest.mark.parametrize("box_line", [False, True])
def test_status_is_that_of_cdcl(board, box_line, name):
    rules = constraints_for("classic", board)
    assert_statuses(rules, cases.partial_grids(rules, 30, seed=7), name, box_line)
    assert_statuses(rules, cases.random_marks(rules, 20, seed=7), name, box_line)


@pytest.mark.covering
@pytest.mark.parametrize("rules", RULE_SETS)
def test_status_under_every_rule_set(rules, name):
    rules = constraints_for(rules)
    assert_statuses(rules, cases.partial_grids(rules, 25, seed=3, least=20), name)


HARD_NONCONSECUTIVE = (
    "..4.........3....4......6..........9..2.......4........................2........."
)


@pytest.mark.parametrize("target", TARGETS)
def test_a_solution_found_before_and_after_a_restart_is_one(target):
    """The puzzle takes every width more than the 40 rounds that come before the first restart; it
    is minimal, so that it has several solutions without its first given. How many nodes it takes
    differs by width: 64 lanes, of a compiler without vectors, need 134,443 beside the last one."""
    rules = constraints_for("nonconsecutive")
    puzzles = np.stack([cases.digits(HARD_NONCONSECUTIVE)] * 2)
    puzzles[1, 2] = 0
    for limit, statuses in ((2, [Status.UNIQUE, Status.MULTIPLE]), (1, [Status.SOLVED] * 2)):
        result = engine.solve(puzzles, rules, limit=limit, node_budget=10**6, implementation=target)
        assert result.status.tolist() == statuses
        assert_solutions(rules, puzzles, result)
    puzzles[1, :2] = 5  # two equal digits side by side
    result = engine.solve(puzzles, rules, node_budget=10**6, implementation=target)
    assert result.status.tolist() == [Status.UNIQUE, Status.NONE]


def test_few_puzzles_that_outgrow_the_first_lanes_and_the_first_pool():
    """Twelve puzzles of some 30,000 nodes have more than the 1,024 nodes that there is room for at
    first waiting, on every target; where there are wider lanes, the search moves to these."""
    rules = constraints_for("nonconsecutive")
    puzzles = np.stack([cases.digits(HARD_NONCONSECUTIVE)] * 3)
    puzzles[1, 17] = 5  # instead of 4
    puzzles[2, 2] = 0
    with Solver("cadical153", bootstrap_with=cases.extended(rules)) as solver:
        expected = [cases.cdcl_status(solver, rules, puzzle) for puzzle in puzzles]
    assert sorted(expected) == [Status.NONE, Status.UNIQUE, Status.MULTIPLE]
    puzzles = np.tile(puzzles, (4, 1))
    for target in TARGETS:
        result = engine.solve(puzzles, rules, node_budget=10**6, implementation=target)
        assert result.status.tolist() == expected * 4


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("count", [1, 16])
def test_few_puzzles_have_the_same_answers_as_many(count, target):
    rules = constraints_for("knight,king")
    puzzles = cases.partial_grids(rules, 160, seed=9, least=8)
    parts = np.array_split(puzzles, len(puzzles) // count)
    many = engine.solve(np.tile(puzzles, (4, 1)), rules, implementation=target)
    few = [engine.solve(part, rules, implementation=target) for part in parts]
    statuses = np.concatenate([result.status for result in few])
    assert (np.tile(statuses, 4) == many.status).all()
    solutions = np.concatenate([result.solutions for result in few])
    unique = statuses == Status.UNIQUE
    assert unique.any() and (solutions[unique] == many.solutions[:160][unique]).all()


@pytest.mark.parametrize("target", TARGETS)
def test_under_many_pairs_any_number_is_searched_as_few(target):
    """Two givens, 130 times: a lane alone needs more nodes by far than all lanes together."""
    rules = constraints_for("miracle")
    puzzles = np.zeros((130, 81), np.uint8)
    puzzles[:, [38, 51]] = 1, 2
    result = engine.solve(puzzles, rules, node_budget=500, implementation=target)
    assert (result.status == Status.UNIQUE).all()
    assert (result.solutions == result.solutions[0]).all()


@settings(max_examples=10, deadline=None)
@given(
    size=st.sampled_from((4, 6, 9)),
    groups=st.integers(0, 4),
    pairs=st.integers(0, 30),
    seed=st.integers(0, 2**32),
)
def test_status_under_random_constraints(size, groups, pairs, seed):
    rules = cases.random_constraints(Board.of_size(size), groups, pairs, seed)
    marks = cases.random_marks(rules, 8, seed)
    for name in engine.implementations():
        assert_statuses(rules, marks, name)


def test_known_puzzle(name):
    result = engine.solve(cases.digits(cases.EASY)[None], CLASSIC, implementation=name)
    assert result.status.tolist() == [Status.UNIQUE]
    assert (result.solutions[0] == cases.digits(cases.EASY_SOLUTION)).all()
    assert result.nodes.tolist() == [1]


def test_first_solution_is_enough_with_limit_1(name):
    puzzles = np.stack([cases.digits(cases.HARD), np.zeros(81, np.uint8)])
    result = engine.solve(puzzles, CLASSIC, limit=1, implementation=name)
    assert result.status.tolist() == [Status.SOLVED] * 2
    assert_solutions(CLASSIC, puzzles, result)


def test_empty_grid_and_clashing_and_invalid_givens(name):
    puzzles = np.zeros((4, 81), np.uint8)
    puzzles[1, [0, 8]] = 5  # two fives in a row
    puzzles[2, 40] = 10
    puzzles[3] = cases.digits(cases.HARD)
    result = engine.solve(puzzles, CLASSIC, implementation=name)
    assert result.status.tolist() == [2, 0, 4, 1]
    assert_solutions(CLASSIC, puzzles, result)


@pytest.mark.covering
@pytest.mark.parametrize("count", [0, 1, 63, 64, 65, 255, 256, 257, 511, 512, 513, 1025])
def test_block_borders(count, name):
    pattern = np.stack(
        [
            cases.digits(cases.EASY),
            cases.digits(cases.HARD),
            np.zeros(81, np.uint8),
            cases.digits("55" + "." * 79),
        ]
    )
    puzzles = pattern[np.arange(count) % 4]
    result = engine.solve(puzzles, CLASSIC, implementation=name)
    assert result.status.tolist() == [(1, 1, 2, 0)[i % 4] for i in range(count)]
    left, conflict = engine.propagate(puzzles, CLASSIC, implementation=name)
    assert left.shape == (count, 729)
    assert conflict.tolist() == [i % 4 == 3 for i in range(count)]


@pytest.mark.parametrize("rules", ["classic", "knight"])
@pytest.mark.parametrize(("width", "dtype"), [(81, np.uint8), (729, np.bool_)])
def test_no_puzzles_have_no_results(rules, width, dtype, name):
    none, constraints = np.zeros((0, width), dtype), constraints_for(rules)
    result = engine.solve(none, constraints, implementation=name)
    assert [column.shape for column in result] == [(0,), (0, 81), (0,)]
    left, conflict = engine.propagate(none, constraints, implementation=name)
    assert (left.shape, conflict.shape) == ((0, 729), (0,))


@pytest.mark.parametrize("rules", ["classic", "knight"])
def test_puzzles_that_are_all_invalid_leave_nothing_to_search(rules, name):
    result = engine.solve(
        np.full((70, 81), 255, np.uint8), constraints_for(rules), implementation=name
    )
    assert set(result.status) == {Status.INVALID}
    assert not result.nodes.any()


@pytest.mark.covering
@pytest.mark.parametrize("size", [12, 16])
def test_larger_boards(size, name):
    rules = constraints_for("classic", Board.of_size(size))
    puzzles = cases.partial_grids(rules, 2, seed=size)
    puzzles[1] = puzzles[0]
    result = engine.solve(puzzles[:1], rules, limit=1, node_budget=2000, implementation=name)
    assert result.status[0] in (Status.NONE, Status.SOLVED, Status.UNKNOWN)
    assert_fixpoints(rules, puzzles, cases.box_triads(rules.board), True, name)


def test_budget_ends_a_search(name):
    puzzles = np.stack([cases.digits(cases.HARD), cases.digits(cases.EASY)])
    result = engine.solve(puzzles, CLASSIC, node_budget=2, implementation=name)
    assert result.status.tolist() == [Status.UNKNOWN, Status.UNIQUE]
    assert result.nodes.max() <= 2


@pytest.mark.parametrize("rules", ["classic", "diagonal", "knight"])
def test_all_solutions_are_counted(rules, name, four_by_four):
    """4x4 puzzles, by the grids that contain them; one by one and all at once."""
    constraints = constraints_for(rules, Board.of_size(4))
    kept = [
        g for g in four_by_four if not violations(Grid(g, constraints.board), constraints.rules)
    ]
    grids = np.frombuffer(b"".join(kept), np.uint8).reshape(-1, 16)
    puzzles = cases.partial_grids(constraints, 40, seed=9, least=0)
    puzzles[0] = 0
    expected = [((grids == p) | (p == 0)).all(1).sum() for p in puzzles]
    found = engine.count(puzzles, constraints, implementation=name)
    assert found.grids.tolist() == expected and found.whole.all()
    for puzzle, number in zip(puzzles, expected, strict=True):
        assert engine.count(puzzle[None], constraints, implementation=name).grids == [number]


def test_a_count_says_whether_it_is_whole(name):
    puzzles = np.zeros((3, 16), np.uint8)
    puzzles[1, :2], puzzles[2, :2] = (1, 2), (1, 1)
    constraints = constraints_for("classic", Board.of_size(4))
    whole = engine.count(puzzles, constraints, implementation=name)
    assert whole.grids.tolist() == [288, 24, 0]
    cut = engine.count(puzzles, constraints, node_budget=100, implementation=name)
    assert cut.whole.tolist() == [False, True, True]
    assert cut.grids[0] < 288 and cut.grids[1:].tolist() == [24, 0]


def test_marks_say_the_same_as_digits(name):
    grids = cases.partial_grids(CLASSIC, 200, seed=11)
    marks = (grids[:, :, None] == 0) | (grids[:, :, None] == np.arange(1, 10, dtype=np.uint8))
    by_digits = engine.solve(grids, CLASSIC, implementation=name)
    by_marks = engine.solve(marks.reshape(-1, 729), CLASSIC, implementation=name)
    assert (by_digits.status == by_marks.status).all()
    unique = by_digits.status == Status.UNIQUE
    assert (by_digits.solutions[unique] == by_marks.solutions[unique]).all()


@pytest.mark.parametrize("rules", ["classic", "windoku,knight"])
def test_implementations_agree_bit_for_bit(rules):
    rules = constraints_for(rules)
    puzzles = cases.partial_grids(rules, 500, seed=5, least=17)
    first, *others = (
        engine.solve(puzzles, rules, implementation=name) for name in engine.implementations()
    )
    unique = first.status == Status.UNIQUE
    assert unique.any()
    for other in others:
        assert (first.status == other.status).all()
        assert (first.solutions[unique] == other.solutions[unique]).all()


def test_threads_change_nothing(monkeypatch):
    monkeypatch.setattr(engine.api, "PUZZLES_PER_TASK", 64)
    puzzles = cases.partial_grids(CLASSIC, 500, seed=6)
    one, three = (engine.solve(puzzles, CLASSIC, threads=threads) for threads in (1, 3))
    assert (one.status == three.status).all()
    unique = one.status == Status.UNIQUE
    assert (one.solutions[unique] == three.solutions[unique]).all()


# The way in.


def test_wrong_input_is_refused():
    good = np.zeros((1, 81), np.uint8)
    with pytest.raises(engine.EngineError, match=r"int64 of shape \(1, 81\): expected uint8"):
        engine.solve(good.astype(np.int64), CLASSIC)
    with pytest.raises(engine.EngineError, match="expected uint8"):
        engine.solve(good[0], CLASSIC)
    with pytest.raises(engine.EngineError, match="limit 3"):
        engine.solve(good, CLASSIC, limit=3)
    with pytest.raises(engine.EngineError, match="node budget 0"):
        engine.solve(good, CLASSIC, node_budget=0)
    with pytest.raises(engine.EngineError, match="no engine 'mmx'"):
        engine.solve(good, CLASSIC, implementation="mmx")
    with pytest.raises(engine.EngineError, match="too large"):
        engine.propagate(good + np.uint8(10), CLASSIC)
    for room in (0, engine.MOST_LISTED + 1):
        with pytest.raises(engine.EngineError, match=f"room {room}: expected 1 to 65536"):
            engine.listed(good, CLASSIC, room)


# Soaks, run on request.


@pytest.mark.slow
@pytest.mark.parametrize("file", ["17_clue.txt", "top1465.txt", "forum_hardest_11plus.txt"])
def test_collections_are_unique(file, name):
    puzzles = cases.collection(file)[:: 20 if name == engine.NUMPY else 1]
    result = engine.solve(puzzles, CLASSIC, implementation=name)
    assert (result.status == Status.UNIQUE).all()
    assert ((puzzles == 0) | (puzzles == result.solutions)).all()
    for house in CLASSIC.board.houses:
        assert (np.sort(result.solutions[:, house], axis=1) == np.arange(1, 10)).all()


@pytest.mark.slow
@pytest.mark.parametrize(
    "rules", ["knight,king", "nonconsecutive", "miracle", "windoku", "diagonal"]
)
def test_few_puzzles_at_length(rules):
    """5,000 puzzles in calls of 1 to 40, against CDCL."""
    rules = constraints_for(rules)
    for count in (1, 3, 16, 40):
        for seed in range(min(100, 250 // count)):
            puzzles = cases.partial_grids(rules, count, seed=seed, least=14)
            for target in TARGETS:
                assert_statuses(rules, puzzles, target)


@pytest.mark.slow
@pytest.mark.parametrize("box_line", [False, True])
def test_fixpoints_at_length(box_line, name):
    for board in (FOUR, SIX, Board.of_size(9)):
        rules = constraints_for("classic", board)
        clauses = cases.box_triads(board) if box_line else cases.extended(rules)
        assert_fixpoints(rules, cases.partial_grids(rules, 3000, 42), clauses, box_line, name)
        assert_fixpoints(rules, cases.random_marks(rules, 3000, 42), clauses, box_line, name)


@pytest.mark.slow
def test_25x25(name):
    rules = constraints_for("classic", Board.of_size(25))
    puzzles = cases.partial_grids(rules, 2, seed=25)
    assert_fixpoints(rules, puzzles, cases.box_triads(rules.board), True, name)


@pytest.mark.parametrize(
    ("rules", "size", "classic", "groups", "overlaps"),
    [
        ("classic", 9, True, 0, 0),  # the kernel has them built in
        ("knight", 9, True, 81, 0),
        ("diagonal", 9, True, 81 + 18, 2 * 9 * 6),  # six boxes and diagonals share three cells
        ("classic", 6, False, 144, 2 * 6 * 6 * 5),  # a box meets two rows and three columns
    ],
)
def test_a_plan_lists_only_what_is_not_built_in(rules, size, classic, groups, overlaps):
    plan = plan_for(constraints_for(rules, Board.of_size(size)), True)
    assert (plan.classic, len(plan.groups), len(plan.overlaps)) == (classic, groups, overlaps)
    assert all(plan.overlaps.lists())
    with_none = plan_for(constraints_for(rules, Board.of_size(size)), False)
    assert (with_none.classic, len(with_none.overlaps)) == (False, 0)


needs_kernel = pytest.mark.skipif(not TARGETS, reason="built without a compiler")
SECONDS = 0.03


@needs_kernel
@pytest.mark.parametrize("threads", [1, 2])
def test_a_limit_of_time_ends_the_search_of_a_puzzle(threads):
    puzzles = np.repeat(cases.pigeons(), 1 if threads == 1 else 2 * PUZZLES_PER_TASK, axis=0)
    with pytest.raises(OutOfTime), limits.within(SECONDS):
        engine.solve(puzzles, cases.PIGEONS, threads=threads)


@needs_kernel
@pytest.mark.parametrize("target", TARGETS)
def test_a_limit_of_time_ends_whatever_the_kernel_does(target):
    empty, hard = np.zeros((1, 81), np.uint8), cases.pigeons()
    calls = [
        lambda: engine.count(empty, CLASSIC, node_budget=2**30, implementation=target),
        lambda: engine.solve(np.repeat(hard, 99, axis=0), cases.PIGEONS, implementation=target),
        lambda: engine.solve(hard, cases.PIGEONS, implementation=target),
    ]
    for call in calls:
        with pytest.raises(OutOfTime), limits.within(SECONDS):
            call()


@needs_kernel
@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="no signal to a thread here")
@pytest.mark.parametrize("threads", [1, 2])
def test_a_signal_ends_the_search_of_a_puzzle(threads):
    puzzles = np.repeat(cases.pigeons(), 1 if threads == 1 else 2 * PUZZLES_PER_TASK, axis=0)
    here = threading.main_thread().ident
    clock = threading.Timer(SECONDS, lambda: signal.pthread_kill(here, signal.SIGINT))
    clock.start()
    with pytest.raises(KeyboardInterrupt):
        engine.solve(puzzles, cases.PIGEONS, threads=threads)
    clock.join()


@needs_kernel
def test_a_search_that_a_limit_ended_can_go_on():
    plan = plan_for(cases.PIGEONS, True)
    search = kernel.Search(plan, cases.pigeons().tobytes(), 2, next(iter(TARGETS)))
    with pytest.raises(OutOfTime), limits.within(SECONDS):
        search.advance(2**40)
    assert search.advance(1) is None
    before = search.nodes
    assert before > 0
    assert search.advance(1) is None
    assert search.nodes >= before
