import os
import random
import subprocess
import sys
from itertools import islice, product

import pytest
from examples import CLASSIC, CLASSIC_SOLUTION, FOUR, fill, obeys
from hypothesis import given, settings
from hypothesis import strategies as st
from soak import share

from satdoku.answers import solver as solvers
from satdoku.answers.session import Session
from satdoku.answers.solver import SOLVERS, SolverError
from satdoku.cnf.encodings import ENCODINGS, encode
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import Grid, empty_grid, parse_grid
from satdoku.runtime.errors import BudgetError, Status

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
        constraints = constraints_for(rules, FOUR)
        found = {grid.cells for grid in Session(constraints).solutions(empty_grid(FOUR))}
        assert found == {cells for cells in four_by_four if obeys(cells, constraints.rules, 4)}


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
    constraints = constraints_for(rules)
    expected = plain_propagation(constraints, parse_grid(puzzle).cells)
    assert Session(constraints).propagate(puzzle) == expected


SOLVED = {rules: str(Session(rules).solve(EMPTY)) for rules in RULE_SETS}


def plain_propagation(constraints, cells, encoding="extended"):
    """Unit propagation clause by clause until nothing changes: slow, and plainly right."""
    value = {}
    formula = encode(constraints, encoding, cells)
    units = [(literal,) for literal in formula.literals(cells)]
    clauses = [*units, *formula.clauses]
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
    known = {variable if true else -variable for variable, true in value.items()}
    said = (
        candidate
        for candidate in range(constraints.variables)
        if known.issuperset(formula.says(candidate))
    )
    fixed, n = bytearray(constraints.board.cells), constraints.board.size
    for candidate in said:
        fixed[candidate // n] = candidate % n + 1
    return Grid(bytes(fixed), constraints.board)


@settings(deadline=None, max_examples=share(30))
@given(st.lists(st.sampled_from(range(16)), max_size=6), st.sampled_from(RULE_SETS), st.data())
def test_answers_on_4x4_equal_brute_force(where, rules, data):
    constraints = constraints_for(rules, FOUR)
    cells = bytearray(16)
    for cell in where:
        cells[cell] = data.draw(st.integers(1, 4))
    fits = [s for s in BRUTE[rules] if all(c in (0, d) for c, d in zip(cells, s, strict=True))]
    session = Session(constraints)
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
        names = constraints_for(rules, FOUR).rules
        BRUTE[rules] = [cells for cells in four_by_four if obeys(cells, names, 4)]


# Encodings: every query means the same in each of them.


@pytest.fixture(scope="module", params=ENCODINGS)
def encoding(request):
    return request.param


def test_every_encoding_answers_every_query(encoding):
    with Session(encoding=encoding) as session:
        assert str(session.solve(CLASSIC)) == CLASSIC_SOLUTION
        assert session.classify(CLASSIC) is Status.UNIQUE
        assert session.classify(EMPTY) is Status.MULTIPLE
        assert session.classify("11" + EMPTY[2:]) is Status.INVALID
        # r1c9 must be 6, which r2c9 is.
        assert session.classify("75281943.." + "39245716" + CLASSIC_SOLUTION[18:]) is Status.NONE
        found = list(session.solutions(EMPTY, limit=8))
        assert len(set(found)) == session.count(EMPTY, limit=8) == 8
        assert session.classify(HARD, conflicts=1) is Status.UNKNOWN
        assert session.classify(CLASSIC) is Status.UNIQUE


@pytest.mark.parametrize("size", [4, 6])
def test_every_encoding_has_the_same_true_candidates(encoding, size):
    board = Board.of_size(size)
    constraints = constraints_for("classic", board)
    session = Session(constraints, encoding=encoding)
    rng = random.Random(size)
    for _ in range(6):
        solution = Session(constraints).solve(
            Grid(bytes([rng.randint(1, size), *bytes(size**2 - 1)]), board)
        )
        cells = bytes(digit * (rng.random() < 0.4) for digit in solution)
        expected = [set() for _ in cells]
        for grid in Session(constraints).solutions(Grid(cells, board)):
            for seen, digit in zip(expected, grid, strict=True):
                seen.add(digit)
        assert session.candidates(Grid(cells, board)) == tuple(map(frozenset, expected))
        # The selectors that stay behind mean nothing to later queries.
        assert session.decide_cells(cells)[0] is Session(constraints).decide_cells(cells)[0]
        assert session.decide_cells(solution.cells) == (Status.UNIQUE, solution.cells)


def test_every_encoding_understands_pencil_marks(encoding):
    constraints = constraints_for("diagonal", Board.of_size(6))
    session, plain = Session(constraints, encoding=encoding), Session(constraints)
    rng = random.Random(1)
    statuses = set()
    for _ in range(40):
        marks = bytes(rng.random() < 0.75 for _ in range(216))
        status, cells = session.decide_marks(marks)
        assert status is plain.decide_marks(marks)[0]
        assert cells is None or all(marks[6 * i + digit - 1] for i, digit in enumerate(cells))
        statuses.add(status)
    assert statuses == {Status.NONE, Status.UNIQUE, Status.MULTIPLE}
    assert session.count("." * 36, limit=50) == 50  # nothing stayed struck


@pytest.mark.covering
@pytest.mark.parametrize("solver", ["cadical153", "gluecard3", "glucose4", "maplesat"])
def test_activation_literals_do_not_count_as_fixed_cells(solver, encoding):
    """Marks that need clauses imply literals beside the formula's; some cells may still be open."""
    constraints, rng = constraints_for("antiqueen", FOUR), random.Random(1)
    session = Session(constraints, solver=solver, encoding=encoding)
    grids = [cells for cells in BRUTE["classic"] if obeys(cells, ("antiqueen",), 4)]
    for _ in range(60):
        density = rng.choice((0.3, 0.5, 0.8))
        marks = bytearray(rng.random() < density for _ in range(64))
        for grid in rng.sample(grids, rng.randint(1, 2)):
            for cell, digit in enumerate(grid):
                marks[4 * cell + digit - 1] = 1
        kept = [g for g in grids if all(marks[4 * i + d - 1] for i, d in enumerate(g))]
        status, cells = session.decide_marks(bytes(marks))
        assert (status, cells in kept) == ((Status.UNIQUE, Status.MULTIPLE)[len(kept) > 1], True)


def test_every_query_can_be_restricted_to_pencil_marks(encoding):
    session = Session(constraints_for("classic", FOUR), encoding=encoding, recycle=3)
    rng, seen = random.Random(4), set()
    for _ in range(25):
        marks = bytes(rng.random() < 0.75 for _ in range(64))
        puzzle = Grid(bytes([*bytes(rng.randrange(16)), rng.randint(1, 4)]).ljust(16, b"\0"), FOUR)
        fits = [
            cells
            for cells in BRUTE["classic"]
            if all(given in (0, digit) for given, digit in zip(puzzle, cells, strict=True))
        ]
        kept = [cells for cells in fits if all(marks[4 * i + d - 1] for i, d in enumerate(cells))]
        with session.restricted(marks):
            expected = {0: Status.NONE, 1: Status.UNIQUE}.get(len(kept), Status.MULTIPLE)
            assert session.classify(puzzle) is expected
            assert sorted(grid.cells for grid in session.solutions(puzzle)) == sorted(kept)
            found = session.solve(puzzle)
            assert found.cells in kept if kept else found is None
            assert session.count(puzzle, limit=2) == min(2, len(kept))
            assert session.candidates(puzzle) == tuple(
                frozenset(cells[cell] for cells in kept) for cell in range(16)
            )
            with pytest.raises(SolverError, match="propagation of pencil marks is not supported"):
                session.propagate(puzzle)
        assert session.count(puzzle) == len(fits)
        with session.restricted(None):
            assert session.count(puzzle) == len(fits)
        seen.add(expected)
    assert seen == {Status.NONE, Status.UNIQUE, Status.MULTIPLE}


def test_propagate_is_that_of_the_encoding_s_clauses(encoding):
    constraints = constraints_for("classic", Board.of_size(6))
    session, rng = Session(constraints, encoding=encoding), random.Random(2)
    solution = Session(constraints).solve("." * 36)
    for keep in (0.2, 0.35, 0.5):
        cells = bytes(digit * (rng.random() < keep) for digit in solution)
        spoilt = bytes([cells[0] % 6 + 1]) + cells[1:]
        for puzzle in (cells, spoilt):
            expected = plain_propagation(constraints, puzzle, encoding)
            assert session.propagate(Grid(puzzle, constraints.board)) == expected


def test_propagation_on_the_reduced_formula_is_that_on_the_whole():
    reduced, whole = Session(encoding="reduced"), Session()
    rng = random.Random(8)
    for _ in range(12):
        cells = bytes(int(d) * (rng.random() < 0.35) for d in CLASSIC_SOLUTION)
        assert reduced.propagate(Grid(cells)) == whole.propagate(Grid(cells))
    assert reduced.propagate("11" + EMPTY[2:]) is None


def test_a_reduced_session_goes_from_puzzle_to_puzzle():
    session = Session("miracle", encoding="reduced")
    running = session.solutions("1" + EMPTY[1:])
    first = next(running)
    assert session.classify(MIRACLE) is Status.UNIQUE
    assert session.formula.puzzle == parse_grid(MIRACLE).cells
    assert len({first, *running}) == 8
    session.prepare("1" + EMPTY[1:])
    assert session.formula.puzzle == bytes([1, *bytes(80)])
    assert session.count("1" + EMPTY[1:]) == 8
    assert session.classify("11" + EMPTY[2:]) is Status.INVALID


def test_a_budget_gives_an_honest_unknown():
    session = Session()
    assert session.classify(HARD, conflicts=1) is Status.UNKNOWN
    with pytest.raises(BudgetError, match="1 conflict"):
        session.solve(HARD, conflicts=1)
    assert session.classify(HARD, conflicts=10**6) is Status.UNIQUE
    assert session.classify(HARD) is Status.UNIQUE


def test_a_solver_without_budget_says_so():
    with pytest.raises(SolverError, match="cannot be limited"):
        Session(solver="lingeling").solve(HARD, conflicts=1)


def test_unknown_solvers_are_refused_by_name():
    with pytest.raises(SolverError, match="cadical153"):
        Session(solver="kissat404")


@pytest.mark.parametrize(
    "ask", ["solve", "classify", "count", "propagate", "candidates", "solutions", "prepare"]
)
def test_a_closed_session_answers_no_more(ask):
    with Session() as session:
        assert session.classify(CLASSIC) is Status.UNIQUE
    with pytest.raises(SolverError, match="the session is closed: open another one"):
        list(getattr(session, ask)(CLASSIC) or ())
    session.close()


def test_decide_cells_stops_at_the_limit():
    status, cells = Session().decide_cells(bytes(81), limit=1)
    assert status is Status.SOLVED
    assert cells is not None
    assert 0 not in cells


INTERRUPTED = """
import os, signal, subprocess
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.answers.session import Session

session = Session(constraints_for("antiqueen,miracle", Board.of_size(16)), solver="SOLVER")
session.prepare()
signal.signal(signal.SIGINT, signal.default_int_handler)
subprocess.Popen(["sh", "-c", f"sleep 0.7; kill -INT {os.getpid()}"])  # no thread: the GIL is held
try:
    print(list(session.solutions("." * 256)))
except KeyboardInterrupt:
    print("interrupted")
print(session.solve("11" + "." * 254))
"""


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("solver", ["cadical153", "cadical195", "glucose4"])
def test_ctrl_c_in_the_middle_of_a_call_leaves_a_session_that_answers(solver):
    """Left in the middle of a call, CaDiCaL would abort the process at the next one."""
    script = INTERRUPTED.replace("SOLVER", solver)
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60
    )
    assert (done.stdout.split(), done.returncode) == (["interrupted", "None"], 0), done.stderr


FOURS = list(fill(bytes(16), 0))


@st.composite
def _own_clauses(draw):
    """Clauses over the candidates of 4x4 and three variables of one's own, named 65 to 67."""
    literals = st.integers(1, 67).flatmap(lambda v: st.sampled_from([v, -v]))
    return draw(st.lists(st.lists(literals, min_size=1, max_size=4), max_size=12))


def _obeying(clauses):
    """The 4x4 grids that obey the clauses with some values of the variables 65 to 67."""
    for cells in FOURS:
        true = {4 * cell + digit for cell, digit in enumerate(cells)}
        for own in product([False, True], repeat=3):
            held = true | {65 + i for i, value in enumerate(own) if value}
            if all(any((abs(x) in held) == (x > 0) for x in clause) for clause in clauses):
                yield cells
                break


@given(_own_clauses(), st.sampled_from(["cadical153", "glucose4", "minisat22"]))
@settings(max_examples=share(60), deadline=None)
def test_own_clauses_hold_within_their_context_and_not_after_it(clauses, solver):
    expected = set(_obeying(clauses))
    with Session(constraints_for("classic", FOUR), solver=solver, recycle=3) as session:
        assert [session.new_variable() for _ in range(3)] == [65, 66, 67]
        with session.under(clauses):
            for _ in range(2):  # also by a solver that was built anew
                assert {grid.cells for grid in session.solutions("." * 16)} == expected
            status = [Status.NONE, Status.UNIQUE, Status.MULTIPLE][min(2, len(expected))]
            assert session.classify("." * 16) is status
            assert (session.core("." * 16) is None) == bool(expected)
        assert session.count("." * 16) == 288


def test_own_contexts_add_up_and_assume():
    with Session(constraints_for("classic", FOUR)) as session:
        with session.under([[1, 2]]), session.under(assumptions=[-1]):
            assert session.solve("." * 16)[0] == 2
            assert session.core("3" + "." * 15, minimal=True) == (3,)
        assert session.solve("3" + "." * 15)[0] == 3


@pytest.mark.covering
@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("encoding", sorted(set(ENCODINGS) - {"reduced"}))
def test_a_minimal_core_has_no_solution_and_each_part_of_it_has_one(encoding, solver):
    with Session(encoding=encoding, solver=solver) as session:
        puzzle = str(CLASSIC)[:-1] + str(int(CLASSIC_SOLUTION[-1]) % 9 + 1)
        core = session.core(puzzle, minimal=True)
        assert set(core) <= set(session.formula.literals(parse_grid(puzzle).cells))
        with session.under(assumptions=core):
            assert session.solve(EMPTY) is None
        for left_out in core:
            with session.under(assumptions=[each for each in core if each != left_out]):
                assert session.solve(EMPTY) is not None
        assert session.core(CLASSIC) is None


def test_a_core_names_struck_candidates():
    marks = bytes(digit != 1 for _ in range(81) for digit in range(1, 10))
    with Session() as session, session.restricted(marks):
        core = session.core(EMPTY, minimal=True)
    assert len(core) == 9
    assert all(literal < 0 and -literal % 9 == 1 for literal in core)


@pytest.mark.parametrize("literal", [0, 730, -731])
def test_a_literal_without_a_meaning_is_an_error(literal):
    found = pytest.raises(SolverError, match=f"found {literal}, expected")
    with Session() as session, found, session.under([[1, literal]]):
        pass


def test_the_reduced_encoding_has_no_literals_of_givens():
    with Session(encoding="reduced") as session:
        with pytest.raises(SolverError, match="givens are built into its clauses"):
            session.core(CLASSIC)
        with pytest.raises(SolverError, match="givens are built into its clauses"):
            session.under([[1]]).__enter__()


def test_unit_propagation_of_own_clauses_is_refused():
    refused = pytest.raises(SolverError, match="clauses of your own")
    with Session() as session, session.under([[1]]), refused:
        session.propagate(EMPTY)


def test_own_clauses_also_hold_in_the_stronger_solver_of_a_hard_question(monkeypatch):
    asked = solvers.limited

    def limited(engine, assumptions, conflicts):
        return None if conflicts == solvers.EASY else asked(engine, assumptions, conflicts)

    monkeypatch.setattr(solvers, "limited", limited)
    with Session(constraints_for("sum=9:r1c1,r2c2,r3c3,r4c4", FOUR), solver="glucose4") as session:
        weak, own = session.pysat, session.new_variable()
        with session.under([[own, 1], [-own, 1]]):
            found = {grid.cells for grid in session.solutions("." * 16)}
            assert session.pysat is not weak
            assert session.core("2" + "." * 15) == (2,)
        wanted = {g for g in FOURS if g[0] + g[5] + g[10] + g[15] == 9}
        assert found == {grid for grid in wanted if grid[0] == 1}
        assert session.count("." * 16) == len(wanted)


def test_the_solver_itself_has_what_the_session_knows():
    with Session(solver="glucose4") as session:
        assert session.pysat.solve(session.formula.literals(parse_grid(CLASSIC).cells))
        assert str(Grid(session.formula.decode(session.pysat.get_model()))) == CLASSIC_SOLUTION
