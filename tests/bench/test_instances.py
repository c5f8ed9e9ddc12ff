import pytest
from examples import CLASSIC, CLASSIC_SOLUTION, FOUR

from satdoku.bench.instances import (
    CANDIDATES,
    ENUMERATE,
    INCREMENTAL,
    MODES,
    ONESHOT,
    PARALLEL,
    UNIQUENESS,
    Instance,
    fault,
    status_of,
)
from satdoku.crosscheck import Answer
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import parse_grid
from satdoku.runtime.errors import Status

CLASSIC_CONSTRAINTS = constraints_for()
RIGHT = parse_grid(CLASSIC_SOLUTION).cells
UNIQUE = Instance("classic", parse_grid(CLASSIC), (), frozenset({RIGHT}))
SMALL = constraints_for("classic", FOUR)


@pytest.fixture
def many(four_by_four):
    """A 4x4 puzzle with all its solutions, by brute force."""
    puzzle = parse_grid("12" + "." * 14)
    return Instance("many", puzzle, (), frozenset(g for g in four_by_four if g[:2] == b"\1\2"))


def candidates_of(solutions, size):
    return frozenset(size * c + d - 1 for s in solutions for c, d in enumerate(s))


@pytest.mark.parametrize("mode", MODES)
def test_right_answers_pass(mode, many):
    for instance, constraints in ((UNIQUE, CLASSIC_CONSTRAINTS), (many, SMALL)):
        found = sorted(instance.solutions)
        if mode == CANDIDATES:
            answer = Answer(candidates=candidates_of(found, constraints.board.size))
        elif mode in (ENUMERATE, PARALLEL):
            answer = Answer(tuple(found))
        else:
            answer = Answer(tuple(found[: 2 if mode == UNIQUENESS else 1]))
        assert fault(mode, instance, constraints, answer) is None


@pytest.mark.parametrize("mode", (ONESHOT, INCREMENTAL, UNIQUENESS, ENUMERATE, PARALLEL))
def test_solutions_that_are_missing_broken_or_repeated_are_found_out(mode, many):
    broken = RIGHT[1::-1] + RIGHT[2:]
    assert "is no solution" in fault(mode, UNIQUE, CLASSIC_CONSTRAINTS, Answer((broken,)))
    other = bytes(10 - digit for digit in RIGHT)  # a grid, but not with these givens
    assert "is no solution" in fault(mode, UNIQUE, CLASSIC_CONSTRAINTS, Answer((other,)))
    assert "0 solutions found, 1 expected" in fault(mode, UNIQUE, CLASSIC_CONSTRAINTS, Answer())
    assert "twice" in fault(mode, UNIQUE, CLASSIC_CONSTRAINTS, Answer((RIGHT, RIGHT)))


def test_a_second_solution_that_was_not_seen_is_missed(many):
    one = Answer((min(many.solutions),))
    assert fault(UNIQUENESS, many, SMALL, one) == "1 solution found, 2 expected"
    short = Answer(tuple(sorted(many.solutions)[1:]))
    words = f"{len(many.solutions) - 1} solutions found, {len(many.solutions)} expected"
    assert fault(ENUMERATE, many, SMALL, short) == words


def test_candidates_too_many_and_too_few(many):
    true = candidates_of(many.solutions, 4)
    less, more = true - {min(true)}, true | {next(c for c in range(64) if c not in true)}
    words = "{} true candidates missing, {} false ones"
    assert fault(CANDIDATES, many, SMALL, Answer(candidates=less)) == words.format(1, 0)
    assert fault(CANDIDATES, many, SMALL, Answer(candidates=more)) == words.format(0, 1)


def test_a_struck_candidate_must_not_hold():
    struck = UNIQUE._replace(struck=(9 * 3 + RIGHT[3] - 1,), solutions=frozenset())
    assert "holds r1c4=8, which is struck" in fault(
        ONESHOT, struck, CLASSIC_CONSTRAINTS, Answer((RIGHT,))
    )


def test_with_too_many_solutions_to_list_two_prove_it(many):
    open_ended = many._replace(solutions=None)
    two = Answer(tuple(sorted(many.solutions)[:2]))
    assert fault(UNIQUENESS, open_ended, SMALL, two) is None
    assert "2 or more expected" in fault(UNIQUENESS, open_ended, SMALL, Answer(two.solutions[:1]))
    assert not open_ended.permits(ENUMERATE)
    assert open_ended.permits(UNIQUENESS)


def test_the_word_for_an_answer(many):
    two = tuple(sorted(many.solutions)[:2])
    assert status_of(ONESHOT, Answer(two[:1]), SMALL) is Status.SOLVED
    assert status_of(UNIQUENESS, Answer(two[:1]), SMALL) is Status.UNIQUE
    assert status_of(ENUMERATE, Answer(two), SMALL) is Status.MULTIPLE
    assert {status_of(mode, Answer(), SMALL) for mode in (ONESHOT, PARALLEL)} == {Status.NONE}
    of = [candidates_of(some, 4) for some in ((), two[:1], two)]
    words = [status_of(CANDIDATES, Answer(candidates=each), SMALL) for each in of]
    assert words == [Status.NONE, Status.UNIQUE, Status.MULTIPLE]
