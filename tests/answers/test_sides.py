"""The engine and a session as ones that answer, in turns and at once."""

import random

import pytest
from examples import CLASSIC, CLASSIC_SOLUTION, FOUR

from satdoku.answers.session import Session, close_sessions, is_open
from satdoku.answers.sides import EngineQuery, FewQuery, SessionQuery, split
from satdoku.answers.turns import in_turn
from satdoku.engine import active, implementations
from satdoku.engine.targets import NUMPY
from satdoku.files.one import asked
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import Grid, parse_grid
from satdoku.model.puzzle import Puzzle, of_cells
from satdoku.runtime.errors import Status


@pytest.mark.parametrize("name", implementations())
@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("12..............", Status.MULTIPLE),
        ("11", Status.NONE),
        ("1234341221......", Status.UNIQUE),
    ],
)
def test_turns_give_its_own_word_or_the_budget_ends(name, text, status):
    """Those without slices of their own, as numpy is, look for one solution after the other."""
    puzzle = Puzzle(parse_grid(text.ljust(16, ".")), constraints_for("classic", FOUR))
    query, said = EngineQuery(puzzle, implementation=name), None
    while said is None:
        said = query.advance(1e-6)
    assert said is status is query.status()
    assert (query.solution is None) == (status is Status.NONE)


@pytest.mark.parametrize("text", ["", "12", "1234341221434321", "11"])
def test_the_parts_of_a_puzzle_share_its_solutions_out(text, four_by_four):
    puzzle = parse_grid(text.ljust(16, "."))
    parts = split(puzzle, constraints_for("classic", FOUR))
    assert all(part.givens == puzzle.givens + 1 for part in parts) or parts == [puzzle]
    for grid in four_by_four:
        kept = [all(d in (0, x) for d, x in zip(p, grid, strict=True)) for p in (puzzle, *parts)]
        assert sum(kept[1:]) == kept[0]


def test_the_shared_session_is_opened_by_the_first_question_and_stays_open():
    close_sessions()
    puzzle = asked(CLASSIC)
    query = SessionQuery(puzzle)
    key = puzzle.constraints, "cadical153", "extended"
    assert query.due > 0 and not is_open(*key)
    assert query.solve() == bytes(map(int, CLASSIC_SOLUTION))
    query.close()
    assert is_open(*key) and SessionQuery(puzzle).due == 0


def test_a_session_of_its_own_closes_with_it():
    session = Session()
    query = SessionQuery(asked(CLASSIC), session=session)
    assert query.status() is Status.UNIQUE and session.is_open
    query.close()
    assert not session.is_open


@pytest.mark.parametrize("digit", [3, 8])
def test_turns_keep_to_marks_and_leave_the_session_as_it_was(digit):
    """Marks, and the solution that was excluded, are forgotten with the question."""
    marks = bytearray(b"\1" * 729)
    marks[:9] = bytes(each == digit for each in range(1, 10))
    with Session() as session:
        query = SessionQuery(of_cells(bytes(marks), session.constraints), session=session)
        assert query.advance(0.0) is Status.MULTIPLE and query.solution[0] == digit
        query._stack.close()
        assert session.solve(f"{11 - digit}{'.' * 80}") is not None
        assert session.solve(query.solution) is not None


@pytest.mark.parametrize(
    "rules",
    [
        "connected=1,3",
        "connected=2,3,4",
        "shared-rank=10:col1;shared-rank=5:row4",
        "layer=shade:0-1;connected=1:shade;no-square=0:shade",
        "layer=a*1:1-4;connected=1,2;sum=5:r1c1,a",
    ],
)
def test_the_witness_leaves_of_few_solutions_those_that_keep_to_all_rules(rules, four_by_four):
    rng = random.Random(rules)
    constraints = constraints_for(f"shape=4x4;{rules}")
    board, known = constraints.board, set()
    for grid in rng.sample(sorted(four_by_four), 12):
        given = [digit * (rng.random() < 0.5) for digit in grid]
        cells = bytes([*given, *[0] * (board.cells - 16)])
        puzzle = Puzzle(Grid(cells, board), constraints)
        for limit in (1, 2):
            found = in_turn([FewQuery(puzzle, limit)]).status
            expected = in_turn([SessionQuery(puzzle, limit)]).status
            assert found in (expected, Status.UNKNOWN)
            known.add(found)
    lists_nothing = active() == NUMPY
    is_any = bool(board.layers)  # they may hold any of many values
    assert known - {Status.UNKNOWN} or is_any or lists_nothing
