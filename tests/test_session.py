import random
from itertools import islice

import pytest
from conftest import CLASSIC, CLASSIC_SOLUTION, FOUR, obeys
from hypothesis import given, settings
from hypothesis import strategies as st

from satdoku.encodings import encode
from satdoku.errors import Status
from satdoku.grid import Grid, empty_grid, parse_grid
from satdoku.rules import constraints
from satdoku.session import (
    SOLVERS,
    BudgetError,
    Session,
    SolverError,
    solve_clauses,
)

EMPTY = "." * 81
MIRACLE = "." * 38 + "1" + "." * 12 + "2" + "." * 29
HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
RULE_SETS = ["classic", "knight", "king", "nonconsecutive", "diagonal", "antiqueen"]


@pytest.fixture(scope="module", params=SOLVERS)
def solver(request):
    return request.param


def test_every_solver_answers_every_query(solver):
    with Session(solver=solver) as session:
        assert str(session.solve(CLASSIC)) == CLASSIC_SOLUTION
        assert session.solve("12" + EMPTY[2:-1] + "3") is not None
        assert session.classify(CLASSIC) is Status.UNIQUE
        assert session.classify(EMPTY) is Status.MULTIPLE
        assert session.classify("11" + EMPTY[2:]) is Status.INVALID
        assert session.count(EMPTY, limit=30) == 30
        assert session.candidates(CLASSIC) == tuple(
            frozenset({int(digit)}) for digit in CLASSIC_SOLUTION
        )


def test_every_solver_enumerates_the_8_miracle_grids_of_one_given(solver):
    with Session("miracle", solver=solver) as session:
        grids = list(session.solutions("1" + EMPTY[1:]))
    assert len(grids) == len(set(grids)) == 8


@pytest.mark.parametrize("name", ["cadical153", "cadical195", "glucose4", "glucose42"])
def test_the_main_solvers_enumerate_the_72_miracle_grids(name):
    grids = list(Session("miracle", solver=name).solutions(EMPTY))
    assert len(grids) == len(set(grids)) == 72


def test_the_miracle_sudoku_has_its_known_solution():
    assert str(Session("miracle").solve(MIRACLE)) == (
        "483726159726159483159483726837261594261594837594837261372615948615948372948372615"
    )


def test_a_puzzle_without_solution_but_without_clash_is_none():
    no_place = "1" + "." * 17 + "." * 9 + "..." + "1" + "." * 50
    puzzle = "12345678." + "........9" + "." * 63
    assert Session().classify(puzzle) is Status.NONE
    assert Session().solve(puzzle) is None
    assert Session().classify(no_place) is Status.MULTIPLE


def test_enumeration_of_4x4_equals_brute_force_under_every_rule(four_by_four):
    for rules in RULE_SETS:
        law = constraints(rules, FOUR)
        found = {grid.cells for grid in Session(law).solutions(empty_grid(FOUR))}
        assert found == {cells for cells in four_by_four if obeys(cells, law.rules, 4)}


def test_queries_leave_the_session_as_it_was():
    session = Session()
    half_way = session.solutions(EMPTY)
    first = list(islice(half_way, 3))
    assert session.count(EMPTY, limit=20) == 20
    assert session.classify(CLASSIC) is Status.UNIQUE
    blocked = first[0]
    assert session.solve(str(blocked)) == blocked
    assert session.classify(str(blocked)) is Status.UNIQUE
    more = list(islice(half_way, 3))
    assert len({*first, *more}) == 6


def test_recycling_changes_no_answer_and_no_running_enumeration():
    session = Session("miracle", recycle=1)
    running = session.solutions(EMPTY)
    found = [next(running)]
    assert session.classify(MIRACLE) is Status.UNIQUE
    found += running
    assert len(set(found)) == 72
    assert session.count(EMPTY) == 72


def test_propagate_is_unit_propagation_and_forgets_what_was_learnt():
    session = Session()
    before = session.propagate(HARD)
    assert session.classify(HARD) is Status.UNIQUE
    assert session.propagate(HARD) == before
    assert session.propagate("11" + EMPTY[2:]) is None
    assert session.propagate(EMPTY) == parse_grid(EMPTY)


@settings(deadline=None, max_examples=12)
@given(st.integers(0, 2**32), st.sampled_from(RULE_SETS))
def test_propagate_equals_a_plain_fixpoint(seed, rules):
    generator = random.Random(seed)
    solution = CLASSIC_SOLUTION if rules == "classic" else SOLVED[rules]
    kept = generator.randint(15, 40)
    keep = set(generator.sample(range(81), kept))
    puzzle = "".join(d if i in keep else "." for i, d in enumerate(solution))
    law = constraints(rules)
    expected = plain_propagation(law, parse_grid(puzzle).cells)
    assert Session(law).propagate(puzzle) == expected


SOLVED = {rules: str(Session(rules).solve(EMPTY)) for rules in RULE_SETS}


def plain_propagation(law, cells):
    """Unit propagation clause by clause until nothing changes: slow, and plainly right."""
    value = {}
    units = [(literal,) for literal in encode(law).literals(cells)]
    clauses = [*units, *encode(law).clauses]
    changed = True
    while changed:
        changed = False
        for clause in clauses:
            states = [value.get(abs(lit)) == (lit > 0) if abs(lit) in value else None
                      for lit in clause]  # fmt: skip
            if True in states:
                continue
            free = [lit for lit, state in zip(clause, states, strict=True) if state is None]
            if not free:
                return None
            if len(free) == 1:
                value[abs(free[0])] = free[0] > 0
                changed = True
    fixed = bytearray(81)
    for variable, true in value.items():
        if true:
            fixed[(variable - 1) // 9] = (variable - 1) % 9 + 1
    return Grid(bytes(fixed))


@settings(deadline=None, max_examples=30)
@given(st.lists(st.sampled_from(range(16)), max_size=6), st.sampled_from(RULE_SETS), st.data())
def test_answers_on_4x4_equal_brute_force(where, rules, data):
    law = constraints(rules, FOUR)
    cells = bytearray(16)
    for cell in where:
        cells[cell] = data.draw(st.integers(1, 4))
    fits = [s for s in BRUTE[rules] if all(c in (0, d) for c, d in zip(cells, s, strict=True))]
    session = Session(law)
    puzzle = Grid(bytes(cells), FOUR)
    assert session.count(puzzle) == len(fits)
    expected = {0: (Status.NONE, Status.INVALID), 1: (Status.UNIQUE,)}
    assert session.classify(puzzle) in expected.get(len(fits), (Status.MULTIPLE,))
    assert session.candidates(puzzle) == tuple(
        frozenset(solution[cell] for solution in fits) for cell in range(16)
    )


BRUTE: dict[str, list[bytes]] = {}


@pytest.fixture(autouse=True, scope="module")
def _brute(four_by_four):
    for rules in RULE_SETS:
        names = constraints(rules, FOUR).rules
        BRUTE[rules] = [cells for cells in four_by_four if obeys(cells, names, 4)]


def test_a_budget_gives_an_honest_unknown():
    session = Session()
    assert session.classify(HARD, conflicts=1) is Status.UNKNOWN
    with pytest.raises(BudgetError, match="1 conflicts"):
        session.solve(HARD, conflicts=1)
    assert session.classify(HARD, conflicts=10**6) is Status.UNIQUE
    assert session.classify(HARD) is Status.UNIQUE


def test_a_solver_without_budget_says_so():
    with pytest.raises(SolverError, match="no conflict budget"):
        Session(solver="lingeling").solve(HARD, conflicts=1)


def test_unknown_solvers_are_refused_by_name():
    with pytest.raises(SolverError, match="cadical153"):
        Session(solver="kissat404")
    with pytest.raises(SolverError, match="nosuch"):
        solve_clauses([[1]], solver="nosuch")


def test_a_closed_session_opens_again():
    session = Session()
    session.close()
    assert session.classify(CLASSIC) is Status.UNIQUE


def test_solve_clauses_solves_any_cnf():
    assert solve_clauses([[1, 2], [-1]]) == [-1, 2]
    assert solve_clauses([[1], [-1]]) is None


def test_decide_cells_stops_at_the_limit():
    status, cells = Session().decide_cells(bytes(81), limit=1)
    assert status is Status.SOLVED
    assert cells is not None
    assert 0 not in cells
