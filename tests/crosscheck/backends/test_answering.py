"""Programs as backends: their names, encodings and limits."""

import pickle

import pytest
from examples import FOUR
from programs import Z3, Z3_CNF, says, script

from satdoku.cnf.encodings import ENCODINGS
from satdoku.crosscheck import Budget, ask, configuration_named
from satdoku.crosscheck.backends import BackendMissing
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import parse_grid
from satdoku.model.puzzle import Puzzle, empty_puzzle

LAW = constraints_for("classic", FOUR)
PUZZLE = parse_grid("1.....2....3.4..")


def test_a_command_is_the_name_of_a_backend_with_its_ways():
    cnf, smt = configuration_named(Z3_CNF), configuration_named(f"{Z3} {{smt2}}/bv")
    assert (cnf.backend.name, cnf.encoding) == (Z3_CNF, "extended")
    assert cnf.backend.encodings() == tuple(ENCODINGS)
    assert (smt.backend.name, smt.encoding) == (f"{Z3} {{smt2}}", "bv")
    kinds = [smt.backend.kind(way) for way in smt.backend.encodings()]
    assert kinds == ["integer", "integer", "boolean"]
    assert pickle.loads(pickle.dumps(cnf.backend)) == cnf.backend
    with pytest.raises(BackendMissing, match="no-such is not on the PATH"):
        configuration_named("no-such {cnf}").backend.require()


def test_givens_of_one_question_are_heeded():
    backend, encoding = configuration_named(Z3_CNF)
    query = backend.open(empty_puzzle(LAW), encoding)
    marks = [frozenset({1, 2, 3, 4})] * 16
    marks[1] -= {2}  # as in the only solution
    struck = Puzzle(PUZZLE, LAW, tuple(marks))
    assert query.solve(Puzzle(PUZZLE, LAW)) == parse_grid("1234432121433412").cells
    assert query.solve(struck) is None
    assert query.solve() is not None
    query.close()


def test_limits_and_lies_are_no_answers():
    late = ask(script("sleep 9"), PUZZLE, LAW, budget=Budget(timeout=0.2))
    assert (late.complete, late.solutions) == (False, ())
    lie = ask(says("s SATISFIABLE\nv 1 0\n"), PUZZLE, LAW)
    assert lie.problem.startswith("claims SATISFIABLE, but clause family")
