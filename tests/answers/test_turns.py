"""The engine and a session in turn: one answer, whoever gives it, and no long wait for either."""

import time
from contextlib import closing

import engine_cases as cases
import pytest
from clue_examples import random_clue
from examples import CLASSIC
from hypothesis import given, settings
from hypothesis import strategies as st
from soak import share

from satdoku.answers import turns
from satdoku.answers.query import Query
from satdoku.answers.session import Session, close_sessions
from satdoku.answers.sides import ENGINE, PER_WORK, EngineQuery, SessionQuery
from satdoku.answers.turns import decide
from satdoku.engine.targets import NUMPY, active
from satdoku.model.board import Board
from satdoku.model.clue import ClueError
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import parse_grid
from satdoku.model.puzzle import Puzzle, of_cells
from satdoku.runtime import limits
from satdoku.runtime.errors import OutOfTime, Status

HARD = "100007090030020008009600500005300900010080002600004000300000010040000007007000300"
MIRACLE = "." * 38 + "1" + "." * 12 + "2" + "." * 29
FOUR = Board.of_size(4)
needs_kernel = pytest.mark.skipif(active() == NUMPY, reason="the kernel is not built")


class Clockwork(Query):
    """One that answers when it has taken so many turns, each as long as it is told."""

    def __init__(self, name, answer, turns_needed, due=0.0):
        self.name, self.answer, self.left, self.due = name, answer, turns_needed, due
        self.turns = []

    def solutions(self, under=None, *, limit=None):
        raise AssertionError("it is asked in turns only")

    def advance(self, work):
        self.turns.append(work)
        self.done += self.due + work
        self.due = 0.0
        self.left -= 1
        return self.answer if self.left <= 0 else None


@given(st.integers(1, 200), st.integers(1, 200))
def test_an_answer_costs_little_more_than_twice_what_the_quicker_side_takes(one, other):
    sides = [Clockwork("a", Status.UNIQUE, one), Clockwork("b", Status.UNIQUE, other)]
    found = turns.in_turn(list(sides))
    winner = next(side for side in sides if side.name == found.by)
    assert winner.left == 0
    assert sum(side.done for side in sides) <= 2.5 * winner.done + 2 * turns.FIRST


def test_what_has_to_be_opened_waits():
    quick, late = Clockwork("a", Status.NONE, 5), Clockwork("b", Status.NONE, 1, due=1.0)
    assert turns.in_turn([quick, late]) == (Status.NONE, None, "a", 0)
    assert not late.turns


def test_a_side_that_gives_up_leaves_the_question_to_the_other():
    gone, other = Clockwork("a", Status.UNKNOWN, 2), Clockwork("b", Status.MULTIPLE, 40)
    assert turns.in_turn([gone, other]).by == "b"
    assert len(gone.turns) == 2
    both = [Clockwork("a", Status.UNKNOWN, 1), Clockwork("b", Status.UNKNOWN, 1)]
    assert turns.in_turn(both).status is Status.UNKNOWN


@pytest.mark.parametrize(
    ("text", "rules", "status"),
    [
        (CLASSIC, "classic", Status.UNIQUE),
        (HARD, "classic", Status.UNIQUE),
        ("." * 81, "classic", Status.MULTIPLE),
        ("55" + "." * 79, "classic", Status.NONE),
        (MIRACLE, "miracle", Status.UNIQUE),
        ("." * 81, "cage=3:r1c1,r1c2;cage=3:r2c1,r2c2", Status.NONE),
        ("." * 81, "thermo:r1c1-r1c9;renban:r2c1-r2c5", Status.MULTIPLE),
    ],
)
@pytest.mark.parametrize("alone", [False, True])
def test_either_side_and_both_give_the_status(text, rules, status, alone):
    constraints = constraints_for(rules)
    asked = Puzzle(parse_grid(text, constraints.board), constraints)
    found = decide(asked, alone=alone)
    assert found.status is status
    assert (found.solution is None) == (status is Status.NONE)
    assert alone <= (found.by != ENGINE)
    first = decide(asked, alone=alone, limit=1).status
    assert first is (Status.NONE if status is Status.NONE else Status.SOLVED)


@needs_kernel
@pytest.mark.parametrize("work", [1, 10**5, 10**9])
def test_a_search_in_slices_is_the_search_in_one(work):
    """Node by node: what is kept between slices is all that there is."""
    for text, rules in ((MIRACLE, "miracle"), (HARD, "classic"), ("." * 81, "knight")):
        constraints = constraints_for(rules)
        puzzle = Puzzle(parse_grid(text, constraints.board), constraints)
        whole = EngineQuery(puzzle)
        status = whole.advance(100.0)
        sliced, found = EngineQuery(puzzle), None
        while found is None:
            found = sliced.advance(work * PER_WORK)
        assert (found, sliced.nodes, sliced.solution) == (status, whole.nodes, whole.solution)


@pytest.mark.parametrize("text", ["." * 81, MIRACLE])
@pytest.mark.parametrize("limit", [1, 2])
def test_the_same_question_has_the_same_answer_by_the_same_side(text, limit, monkeypatch):
    """Down to the nodes and to which of several solutions it is: no clock is asked. Both sides have
    many turns here."""
    monkeypatch.setattr(turns, "FIRST", 1e-6)
    monkeypatch.setattr(turns, "LONGEST", 2e-6)
    constraints = constraints_for(
        "knight;sandwich=20:row3;sandwich=9:col5;sum=40:r1c1,r2c2,r3c3,r4c4,r5c5,r6c6,r7c7,r8c8"
    )
    asked = Puzzle(parse_grid(text, constraints.board), constraints)
    found = set()
    for _ in range(3):
        close_sessions()
        found.add(decide(asked, limit=limit))
    assert len(found) == 1


@given(st.randoms(use_true_random=False))
@settings(max_examples=share(40), deadline=None)
def test_turns_answer_as_a_session_does(rng):
    kind = rng.choice(["cage", "thermo", "white", "renban", "sandwich", "arrow"])
    try:
        constraints = constraints_for(random_clue(rng, kind, 4), FOUR)
    except ClueError:
        return
    marks = bytes(rng.random() < 0.8 for _ in range(64))
    with Session(constraints) as session:
        wanted = session.decide_marks(marks)[0]
    assert decide(of_cells(marks, constraints)).status is wanted
    close_sessions()


def test_a_deadline_ends_both():
    rules = constraints_for("diagonal,nonconsecutive")
    asked = Puzzle(parse_grid("9" + 79 * "." + "1", rules.board), rules)
    assert decide(asked, deadline=0.0).status is Status.UNKNOWN


def test_a_session_looks_at_the_clock_within_its_turn():
    marks = cases.pigeons()[0]
    with closing(SessionQuery(of_cells(marks, cases.PIGEONS))) as session:
        assert session.advance(0.0) is None  # opened
        with pytest.raises(OutOfTime), limits.within(0.03):
            session.advance(1000.0)


def test_a_deadline_ends_a_turn():
    class Endless(Clockwork):
        def advance(self, work):
            self.solution = b"known"
            for _ in range(300):
                limits.check()
                time.sleep(0.01)
            raise AssertionError("the deadline is over")

    found = turns.in_turn([Endless("a", None, 1)], time.monotonic() + 0.03)
    assert (found.status, found.solution) == (Status.UNKNOWN, b"known")


def test_a_bound_of_conflicts_is_of_the_session_alone():
    rules = constraints_for("diagonal,nonconsecutive")
    asked = Puzzle(parse_grid("9" + 79 * "." + "1", rules.board), rules)
    assert decide(asked, conflicts=1) == (Status.UNKNOWN, None, "", 0)
