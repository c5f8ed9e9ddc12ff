"""Loaded solvers against brute force over small formulas, and against their own past."""

import os
import subprocess
import sys
import threading
from itertools import count, product, zip_longest

import pysat.solvers
import pytest
from examples import CLASSIC, CLASSIC_SOLUTION, FOUR, pigeons
from hypothesis import given, settings
from hypothesis import strategies as st

from satdoku.answers import solver as solvers
from satdoku.answers.solver import (
    SOLVERS,
    LoadedSolver,
    Propagator,
    SolverError,
    solve_clauses,
    undisturbed,
)
from satdoku.cnf.encodings import build
from satdoku.model.constraints import constraints_for
from satdoku.runtime.errors import BudgetError, Status

LITERALS = st.integers(1, 6).flatmap(lambda variable: st.sampled_from([variable, -variable]))
CNF = st.lists(st.lists(LITERALS, min_size=1, max_size=3), max_size=20)


def true_of(clause, model):
    return any((literal > 0) == model[abs(literal) - 1] for literal in clause)


@settings(deadline=None)
@given(CNF, st.sampled_from(SOLVERS))
def test_solve_clauses_is_brute_force(clauses, solver):
    models = [
        model
        for model in product([False, True], repeat=6)
        if all(true_of(clause, model) for clause in clauses)
    ]
    found = solve_clauses(clauses, solver=solver)
    assert (found is not None) == bool(models)
    if found is not None:
        model = dict.fromkeys(range(1, 7), False) | {abs(lit): lit > 0 for lit in found}
        assert all(true_of(clause, [model[v] for v in range(1, 7)]) for clause in clauses)


def test_solve_clauses_on_the_smallest():
    assert solve_clauses([[1, 2], [-1]]) == [-1, 2]
    assert solve_clauses([[1], [-1]]) is None
    assert all(solve_clauses([], solver=name) == [] for name in SOLVERS)
    with pytest.raises(SolverError, match="nosuch"):
        solve_clauses([[1]], solver="nosuch")


@pytest.mark.parametrize("name", SOLVERS)
def test_enumerations_leave_the_formula_as_it_was(name, four_by_four):
    """Also one that is dropped halfway, and two that run at once."""
    core = LoadedSolver(build(constraints_for("classic", FOUR), "extended"), name)
    dropped = core.enumerate([], None, None)
    next(dropped)
    dropped.close()
    one, other = core.enumerate([], None, None), core.enumerate([], None, None)
    pairs = list(zip(one, other, strict=True))
    assert {first for first, _ in pairs} == {second for _, second in pairs} == set(four_by_four)
    assert len(pairs) == 288
    assert len(list(core.enumerate([], 5, None))) == 5
    assert set(core.enumerate([], None, None)) == set(four_by_four)


def test_a_budget_that_runs_out_does_not_bind_the_next_call():
    formula = build(constraints_for("miracle"), "extended")
    core = LoadedSolver(formula, "cadical153")
    with pytest.raises(BudgetError, match="no answer within 1 conflict"):
        core.find([], 1)
    assert core.find([], None) is not None


def test_slices_do_not_change_the_answer(monkeypatch):
    monkeypatch.setattr(solvers, "SLICE", 1)
    core = LoadedSolver(build(constraints_for("miracle"), "extended"), "cadical153")
    assert sum(1 for _ in core.enumerate([], 8, None)) == 8


@pytest.mark.parametrize("name", sorted({*SOLVERS} - solvers.NO_BUDGET))
@pytest.mark.parametrize("easy", [0, 7])
def test_a_solver_that_grows_answers_as_before(name, easy, four_by_four, monkeypatch):
    """Also in the midst of two enumerations, whose clauses the new solver has to know."""
    calls = count()
    asked = solvers.limited

    def limited(engine, assumptions, conflicts):
        is_hard = conflicts == solvers.EASY and next(calls) == easy
        return None if is_hard else asked(engine, assumptions, conflicts)

    monkeypatch.setattr(solvers, "limited", limited)
    formula = build(constraints_for("sum=9:r1c1,r2c2,r3c3,r4c4", FOUR), "extended")
    wanted = {grid for grid in four_by_four if grid[0] + grid[5] + grid[10] + grid[15] == 9}
    core = LoadedSolver(formula, name, grows=True)
    before = core._solver
    one, other = core.enumerate([], None, None), core.enumerate([1], None, None)
    pairs = list(zip_longest(one, other))
    assert core._solver is not before
    assert sorted(first for first, _ in pairs) == sorted(wanted)
    assert sorted(g for _, g in pairs if g) == sorted(g for g in wanted if g[0] == 1)
    assert set(core.enumerate([], None, None)) == wanted
    some = [*core.solutions_with_every_candidate([], None)]
    assert {c for grid in some for c in enumerate(grid)} == {
        c for grid in wanted for c in enumerate(grid)
    }
    grid = min(wanted)
    deciding = solvers.Deciding(core, formula.literals(grid), 2)
    assert deciding.advance(None) is Status.UNIQUE
    assert deciding.first == grid


def test_a_propagator_gives_unit_clauses_too():
    formula = build(constraints_for(), "extended")
    propagator = Propagator(formula)
    givens = bytes(int(c) if c.isdecimal() else 0 for c in CLASSIC)
    implied = propagator.implied(formula.literals(givens))
    fixed = formula.fixed(implied)
    assert all(fixed[i] in (0, int(CLASSIC_SOLUTION[i])) for i in range(81))
    assert sum(map(bool, fixed)) > sum(map(bool, givens))
    assert propagator.implied(formula.literals(b"\x01\x01" + bytes(79))) is None
    assert propagator.implied(formula.literals(givens)) == implied


INTERRUPTED = """
import os, signal, subprocess
from satdoku.answers.solver import solve_clauses

signal.signal(signal.SIGINT, signal.default_int_handler)
often = f"for i in 1 2 3 4 5 6; do sleep 0.4; kill -INT {os.getpid()}; read seen; done"
killer = subprocess.Popen(["sh", "-c", often], stdin=subprocess.PIPE)
seen = 0  # by no thread that sends them: the solver holds the GIL
while seen < 6:
    try:
        solve_clauses(PIGEONS, solver="SOLVER")
    except KeyboardInterrupt:
        seen += 1
        os.write(killer.stdin.fileno(), bytes([10]))
print(seen)
"""


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("solver", ["cadical153", "glucose4"])
def test_ctrl_c_is_seen_every_time_and_breaks_nothing(solver):
    """PySAT's own way out, `longjmp`, blocks the next Ctrl-C, and the heap may be in pieces."""
    script = INTERRUPTED.replace("SOLVER", solver).replace("PIGEONS", str(pigeons(12)))
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60
    )
    assert (done.stdout, done.returncode) == ("6\n", 0), done.stderr


def test_ctrl_c_in_the_calls_of_others_stays_what_pysat_makes_of_it():
    def asked():
        return pysat.solvers.MainThread.check()

    def asked_while_another_thread_is_in_a_call():
        inside, done = threading.Event(), threading.Event()
        other = threading.Thread(target=lambda: undisturbed(lambda: (inside.set(), done.wait(600))))
        other.start()
        assert inside.wait(600)
        answer = asked()
        done.set()
        other.join()
        return answer

    assert asked()
    assert not undisturbed(asked)
    assert not undisturbed(lambda: undisturbed(asked) or asked())
    assert asked_while_another_thread_is_in_a_call()
    with pytest.raises(ZeroDivisionError):
        undisturbed(lambda: 1 / 0)
    assert asked()


def test_pysat_is_as_it_was_before_and_after_every_call():
    """Also if calls overlap and the one that began first ends first."""
    theirs = pysat.solvers.MainThread
    begun = [threading.Event(), threading.Event()]
    ends = [threading.Event(), threading.Event()]

    def call(number):
        undisturbed(lambda: (begun[number].set(), ends[number].wait(600)))

    threads = [threading.Thread(target=call, args=(number,)) for number in (0, 1)]
    for number in (0, 1):
        threads[number].start()
        assert begun[number].wait(600)
        assert pysat.solvers.MainThread is not theirs
    for number in (0, 1):
        ends[number].set()
        threads[number].join()
        assert (pysat.solvers.MainThread is theirs) == (number == 1)
    assert solve_clauses([[1]]) == [1]
    assert pysat.solvers.MainThread is theirs


IMPORTED = """
import sys
import satdoku.answers.api, satdoku.certificates.make
assert "pysat" not in sys.modules
import pysat.solvers
print(pysat.solvers.MainThread.__module__)
"""


def test_an_import_neither_loads_nor_changes_pysat():
    done = subprocess.run([sys.executable, "-c", IMPORTED], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("pysat._utils\n", "")


def test_solvers_that_are_left_are_freed_before_pysat_is_gone():
    """Without it Python prints a TypeError when a process ends that kept a session somewhere."""
    assert subprocess.check_output([sys.executable, "-c", KEPT], text=True) == "freed\n"


KEPT = """
import atexit
atexit.register(lambda: print("freed" if kept.solver is None else "alive"))  # runs last
from satdoku.answers.solver import open_solver
kept = open_solver("cadical153", [[1]])
"""


@pytest.mark.parametrize(
    "rules, solver, said",
    [
        ("latin,shape=4x4;connected=1,2,3", "cadical153", [solvers.FLOODED_OPTIONS]),
        ("latin,shape=4x4;connected=1,2,3", "glucose4", []),
        ("latin,shape=4x4", solvers.FLOODED, []),
    ],
)
def test_only_a_solver_that_floods_gets_its_options(monkeypatch, rules, solver, said):
    got = []
    monkeypatch.setattr(pysat.solvers.Solver, "configure", lambda _, options: got.append(options))
    LoadedSolver(build(constraints_for(rules), "minimal"), solver)
    assert got == said
