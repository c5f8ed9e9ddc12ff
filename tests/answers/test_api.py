import threading

import numpy as np
import pytest
from examples import CLASSIC, CLASSIC_SOLUTION

import satdoku
from satdoku.answers import answer, api, sides
from satdoku.answers.api import layers_in_several_ways
from satdoku.answers.session import Session
from satdoku.answers.solver import DEFAULT_SOLVER, LoadedSolver
from satdoku.engine.targets import TARGETS
from satdoku.files.one import asked
from satdoku.model.constraints import constraints_for
from satdoku.runtime.errors import OutOfTime, Status, WitnessError


def test_the_documented_calls_work():
    assert str(satdoku.solve(CLASSIC)) == CLASSIC_SOLUTION
    assert len(list(satdoku.solutions("." * 81, rules="miracle"))) == 72
    assert satdoku.classify(CLASSIC) is satdoku.Status.UNIQUE
    assert satdoku.count("." * 81, limit=5) == 5
    result = satdoku.solve_batch(np.asarray(satdoku.parse_grid(CLASSIC))[None])
    assert result.statuses.tolist() == [Status.UNIQUE]
    assert result.solutions.shape == (1, 81)


def test_every_public_name_is_there_and_listed():
    for name in satdoku.__all__:
        assert getattr(satdoku, name) is not None
    assert set(satdoku.__all__) == {"__version__", *satdoku._HOME}
    with pytest.raises(AttributeError, match="nosuch"):
        _ = satdoku.nosuch


def test_puzzles_may_be_text_grids_or_arrays():
    grid = satdoku.parse_grid(CLASSIC)
    array = np.asarray(grid)
    for puzzle in (CLASSIC, grid, array, array.reshape(9, 9), list(grid)):
        assert str(satdoku.solve(puzzle)) == CLASSIC_SOLUTION


def test_other_sizes_and_regions_are_taken_from_the_puzzle_or_the_rules():
    assert satdoku.count("." * 16) == 288
    assert satdoku.solve("." * 36) is not None
    assert satdoku.count("." * 16, "jigsaw=1111222233334444") == 576  # Latin squares of order 4
    constraints = constraints_for("jigsaw=1111222233334444")
    assert satdoku.count("." * 16, constraints) == 576


def test_clashing_givens_are_invalid():
    assert satdoku.classify("55" + "." * 79) is Status.INVALID
    assert satdoku.solve("55" + "." * 79) is None


def test_candidates_and_propagation_of_an_empty_and_a_full_grid():
    assert satdoku.candidates("." * 16) == (frozenset({1, 2, 3, 4}),) * 16
    assert str(satdoku.propagate(CLASSIC_SOLUTION)) == CLASSIC_SOLUTION


def test_a_wrong_solution_never_leaves(monkeypatch):
    monkeypatch.setattr(LoadedSolver, "find", lambda *_: bytes([1] * 81))
    monkeypatch.setattr(answer, "solve_one", lambda *_: (Status.UNIQUE, bytes([1] * 81)))
    for call in (satdoku.solve, satdoku.classify):
        with pytest.raises(WitnessError, match="is no solution of"):
            call(CLASSIC)
    with pytest.raises(WitnessError, match="is no solution of"):
        satdoku.solve(CLASSIC, solver="minisat22")


@pytest.mark.parametrize(
    ("puzzle", "status"),
    [
        (CLASSIC, Status.UNIQUE),
        ("." * 81, Status.MULTIPLE),
        (f"12345678{'.' * 9}9{'.' * 63}", Status.NONE),
        ("55" + "." * 79, Status.INVALID),
    ],
)
def test_the_kernel_and_a_session_agree(puzzle, status, monkeypatch):
    asked = []
    monkeypatch.setattr(sides, "shared_session", lambda *_: asked.append(1) or Session())
    for solver in (DEFAULT_SOLVER, "minisat22"):
        assert satdoku.classify(puzzle, solver=solver) is status
        assert (satdoku.solve(puzzle, solver=solver) is None) == (status in (0, 4))
    with monkeypatch.context() as patch:
        patch.setattr(answer, "solve_one", lambda *_: None)  # no kernel, or it gives up
        assert satdoku.classify(puzzle) is status
    if TARGETS:
        assert len(asked) <= 3


def test_each_thread_has_its_own_session():
    constraints = constraints_for()
    sessions = [api.shared_session(constraints)]
    thread = threading.Thread(target=lambda: sessions.append(api.shared_session(constraints)))
    thread.start()
    thread.join()
    assert sessions[0] is api.shared_session(constraints)
    assert sessions[0] is not sessions[1]


def test_every_question_ends_after_its_timeout():
    """A Latin square of 16x16 without givens has more solutions than anyone can wait for."""
    empty = "." * 256

    def solutions(puzzle, rules, timeout):
        return sum(1 for _ in satdoku.solutions(puzzle, rules, timeout=timeout))

    for ask in (satdoku.count, solutions):
        with pytest.raises(OutOfTime, match=r"timed out after 0(\.\d+)? s"):
            ask(empty, "latin=16", timeout=0.3)
    clues = "latin=16;cage=30:r1c1,r1c2,r1c3"
    for ask in (satdoku.candidates, satdoku.propagate, satdoku.count):
        with pytest.raises(OutOfTime, match="timed out after 0 s"):
            ask(empty, clues, timeout=0)


def test_without_a_timeout_the_reasons_are_those_of_a_long_one():
    puzzle = "1......1.3....2."
    cell = satdoku.explain_cell(puzzle, "r1c2", timeout=None)
    assert cell.words == satdoku.explain_cell(puzzle, "r1c2", timeout=1000).words
    assert satdoku.explain_conflict("11..............", timeout=None)


def test_layers_have_candidates_of_their_own_where_the_digits_are_unique():
    rules = "shape=4x4;layer=a*2:1-4;clone:r1c1>a.1"
    puzzle = asked("1234341221434321", rules)
    assert [*map(set, satdoku.candidates(puzzle)[16:])] == [{1}, {1, 2, 3, 4}]
    assert layers_in_several_ways(puzzle) == ("a",)
    assert layers_in_several_ways(asked("1234341221434321", f"{rules};clone:r1c2>a.2")) == ()
    assert layers_in_several_ways(asked("1234341221434321")) == ()
