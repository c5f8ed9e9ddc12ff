"""All solutions by the engine and by sessions: the same sets, each grid verified."""

from __future__ import annotations

from itertools import count

import numpy as np
import pytest
from examples import CLASSIC, CLASSIC_SOLUTION

import satdoku
from satdoku import Session, engine
from satdoku.answers import api, listing
from satdoku.answers.session import shared_session
from satdoku.engine import listing as cubes
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import Grid, parse_grid
from satdoku.model.puzzle import Puzzle, of_cells
from satdoku.runtime.errors import BudgetError, SatdokuError, WitnessError
from satdoku.witness.verify import solves

SOME = CLASSIC_SOLUTION[:30] + "." * 51  # 7,000 solutions
EMPTY = "." * 81


def rows_of(blocks):
    found = list(blocks)
    assert all(block.dtype == np.uint8 and len(block) for block in found)
    return [row.tobytes() for block in found for row in block]


@pytest.mark.parametrize(
    ("puzzle", "rules"),
    [
        ("." * 16, "classic"),
        ("." * 16, "thermo:r1c1-r1c3"),
        (EMPTY, "miracle"),
        (CLASSIC, "classic"),
        (CLASSIC_SOLUTION[:48] + "." * 33, "classic"),
        ("55" + "." * 79, "classic"),
    ],
)
def test_the_backends_list_the_same_set(puzzle, rules):
    by_engine, by_session, by_default = (
        rows_of(listing.iter_solutions(puzzle, rules, backend=backend))
        for backend in ("engine", "session", "auto")
    )
    assert by_engine == sorted(by_session) == by_default
    assert [grid.cells for grid in satdoku.solutions(puzzle, rules)] == by_engine
    assert satdoku.count(puzzle, rules) == len(by_engine)


def test_a_limit_cuts_and_a_grid_continues():
    first = rows_of(satdoku.iter_solutions(SOME, limit=700))
    assert (len(first), first) == (700, sorted(first))
    assert satdoku.count(SOME, limit=700) == 700
    for backend in ("engine", "session"):
        assert list(satdoku.iter_solutions(SOME, limit=0, backend=backend)) == []
    assert [grid.cells for grid in satdoku.solutions(SOME, limit=300)] == first[:300]
    more = rows_of(satdoku.iter_solutions(SOME, limit=300, after=list(first[399])))
    assert more == first[400:700]


@pytest.mark.parametrize("solver", ["cadical153", "minisat22"])
def test_auto_asks_whom_it_should(solver, monkeypatch):
    """A solver that is named, and boards on which order costs too much, mean a session."""
    session = Session(solver=solver)
    assert listing.chosen_backend("auto", session) == (
        "engine" if solver == "cadical153" else "session"
    )
    assert listing.chosen_backend("engine", session) == "engine"
    assert listing.chosen_backend("auto", Session(encoding="log")) == "session"
    board = constraints_for("classic", satdoku.Board.of_size(20))
    assert listing.chosen_backend("auto", Session(board)) == "session"
    monkeypatch.setattr(engine, "active", lambda: engine.NUMPY)
    assert (
        listing.chosen_backend("auto", Session("thermo:r1c1-r1c3;cage=9:r4c4,r4c5,r5c5"))
        == "session"
    )


def test_what_cannot_be_asked_is_refused():
    with pytest.raises(SatdokuError, match="no backend 'magic': choose from auto, engine, session"):
        listing.iter_solutions(CLASSIC, backend="magic")
    with pytest.raises(SatdokuError, match="a session lists in no order"):
        listing.iter_solutions(CLASSIC, backend="session", after=CLASSIC_SOLUTION)


@pytest.mark.parametrize("backend", ["engine", "session"])
def test_time_ends_a_listing(backend, monkeypatch):
    """By a clock that goes on whenever it is looked at."""
    clock = count()
    monkeypatch.setattr("time.monotonic", lambda: next(clock))
    found = 0
    with pytest.raises(BudgetError, match="timed out"):
        for block in listing.iter_solutions(EMPTY, backend=backend, timeout=400):
            found += len(block)
    assert found


def test_a_wrong_solution_never_leaves(monkeypatch):
    wrong = np.ones((1, 81), np.uint8)
    monkeypatch.setattr(engine, "enumerate_grids", lambda *_, **__: iter([wrong]))
    with pytest.raises(WitnessError, match="is no solution under classic"):
        list(listing.iter_solutions(EMPTY))
    with Session() as session, pytest.raises(WitnessError):
        list(listing.listed(of_cells(bytes([1]) * 729, session.constraints), session))
    monkeypatch.setattr(api, "list_one", lambda *_: [bytes([1] * 81)])
    with pytest.raises(WitnessError, match="is no solution of"):
        list(satdoku.solutions(EMPTY))


@pytest.mark.parametrize("marked", [False, True])
def test_hard_cubes_go_to_the_session(marked, monkeypatch):
    """With one node each the engine decides nothing but full grids."""
    puzzle = parse_grid(CLASSIC_SOLUTION[:46] + "." * 35)
    marks = None
    if marked:
        marks = bytes(digit in (0, candidate) for digit in puzzle for candidate in range(1, 10))
    expected = rows_of(listing.iter_solutions(puzzle, backend="engine"))
    assert len(expected) > cubes.ROOM
    monkeypatch.setattr(cubes, "NODES", 1)
    monkeypatch.setattr(cubes, "FEW_NODES", 1)
    asked = []
    ask = listing._HardCubes._ask

    def noted(self, cube):
        asked.append(found := ask(self, cube))
        return found

    monkeypatch.setattr(listing._HardCubes, "_ask", noted)
    with Session() as session, session.restricted(marks):
        asked_for = of_cells(marks or puzzle.cells, session.constraints)
        found = rows_of(listing.listed(asked_for, session, backend="engine"))
        assert session._marks == marks  # what was asked within left the restriction as it was
    assert found == expected
    assert any(each is None for each in asked) and any(each is not None for each in asked)


def test_sessions_that_do_not_help_are_asked_ever_less():
    cubes_asked = listing._HardCubes(Session())
    answers = iter([None, None, None, np.zeros((0, 81), np.uint8), None, None])
    asked = []
    cubes_asked._ask = lambda cube: asked.append(cube) or next(answers)
    for cube in range(20):  # the last ones are split unasked
        cubes_asked(cube)
    assert asked == [0, 2, 6, 14, 15, 17]


def test_a_session_is_as_good_as_new_after_an_enumeration():
    """Blocking clauses are released; and as they lie in the solver until it is rebuilt, each counts
    as a query."""
    with Session(recycle=100) as session:
        assert len(list(session.solutions(SOME, limit=60))) == 60
        core = session._core
        assert session.classify(CLASSIC) is satdoku.Status.UNIQUE
        assert session._core is core
        half = session.solutions(SOME)
        assert len({next(half).cells for _ in range(60)}) == 60
        half.close()
        assert str(session.solve(CLASSIC)) == CLASSIC_SOLUTION
        assert session._core is not core
        fresh = [grid.cells for grid in session.solutions("." * 78 + "123", limit=3)]
        assert len(set(fresh)) == 3
        assert len(list(session.solutions(CLASSIC))) == 1


@pytest.mark.parametrize(
    ("text", "rules", "limit"),
    [("1" + "." * 15, "", 72), ("1" + "." * 15, "", 9), ("." * 81, "miracle", 100), ("11", "", 5)],
)
def test_some_solutions_and_whether_there_may_be_more(text, rules, limit):
    constraints = constraints_for(rules, Board.of_size(9 if len(text) == 81 else 4))
    grid = parse_grid(text.ljust(constraints.board.cells, "."))
    session = shared_session(constraints)
    known = satdoku.count(grid, constraints)
    found, more = listing.at_most(limit, Puzzle(grid, constraints), session, 60)
    assert (len(found), more) == (min(known, limit), known > limit)
    assert len(np.unique(found, axis=0)) == len(found)
    assert all(solves(Grid(row.tobytes(), grid.board), grid, constraints.rules) for row in found)


def test_some_solutions_keep_to_pencil_marks():
    constraints = constraints_for("classic", Board.of_size(4))
    puzzle = of_cells(bytes([1, 1, 0, 0] + [1] * 60), constraints)
    found, more = listing.at_most(200, puzzle, shared_session(constraints), 60)
    assert (len(found), more, set(found[:, 0])) == (144, False, {1, 2})


def test_solutions_are_of_digits_where_a_layer_has_several_ways():
    constraints = constraints_for("shape=4x4;layer=shade:0-1")
    puzzle = Puzzle(parse_grid("12..............", constraints.board), constraints)
    found, more = listing.at_most(100, puzzle, shared_session(constraints), 60)
    assert (len(found), more) == (288 // 12, False)
    assert len(np.unique(found[:, :16], axis=0)) == len(found)
