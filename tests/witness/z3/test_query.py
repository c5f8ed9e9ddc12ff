import time

import pytest
from examples import CLASSIC, CLASSIC_SOLUTION, FOUR

from satdoku.answers.session import Session
from satdoku.cnf.dimacs import format_cnf
from satdoku.cnf.encodings import build
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import empty_grid, parse_grid
from satdoku.witness.z3.models import DIMACS_MODEL, Z3_MODELS, Cnf
from satdoku.witness.z3.query import Z3Query, Z3Unknown


def query(name, constraints, encoding="extended", **options):
    formula = build(constraints, encoding)
    cnf = Cnf("".join(format_cnf(formula)), tuple(map(formula.says, range(constraints.variables))))
    return Z3Query(name, constraints, cnf=cnf, **options)


@pytest.mark.parametrize("name", Z3_MODELS)
def test_what_holds_under_a_scope_is_forgotten_with_it(name):
    constraints = constraints_for("nonconsecutive,king", FOUR)
    asked = query(name, constraints)
    everything = {grid.cells for grid in Session(constraints).solutions(empty_grid(FOUR))}
    for digit in range(1, 5):
        with asked.under(bytes([digit]) + bytes(15), struck=(7,)):
            found = asked.find()
            wanted = {g for g in everything if g[0] == digit and g[1] != 4}
            assert found in wanted if wanted else found is None
    found = set()
    while (solution := asked.find()) is not None:
        found.add(solution)
        asked.forbid(solution)
    assert found == everything


@pytest.mark.parametrize("name", Z3_MODELS)
def test_a_demand_is_met_by_one_of_its_candidates(name):
    constraints = constraints_for("classic", FOUR)
    asked = query(name, constraints)
    asked.demand([2, 5])  # r1c1=3 or r1c2=2
    asked.fix(bytes([0, 2]) + bytes(14), struck=())
    found = asked.find()
    assert found[1] == 2
    asked.fix(bytes(16), struck=(5,))
    assert asked.find() is None


@pytest.mark.parametrize("encoding", ["log", "order", "triads", "commander"])
def test_z3_reads_every_kind_of_our_formulas(encoding):
    constraints = constraints_for()
    asked = query(DIMACS_MODEL, constraints, encoding)
    asked.fix(parse_grid(CLASSIC).cells)
    solution = asked.find()
    assert solution == parse_grid(CLASSIC_SOLUTION).cells
    asked.forbid(solution)
    assert asked.find() is None


@pytest.mark.parametrize("name", ["z3-bitvec-binary", "z3-enum"])
@pytest.mark.parametrize("size", [4, 6])
def test_the_top_digit_does_not_wrap_around(name, size):
    """In two bits, 3 + 1 is 0, but the digits 4 and 1 are not consecutive."""
    constraints = constraints_for("nonconsecutive", Board.of_size(size))
    asked = query(name, constraints)
    asked.fix(bytes([1, size]) + bytes(size * size - 2))
    expected = Session(constraints).solve(bytes([1, size]) + bytes(size * size - 2))
    assert (asked.find() is None) == (expected is None)
    cells = {x.size() for x in asked.model.cells} if name == "z3-bitvec-binary" else {0}
    assert cells <= {0, {4: 2, 6: 3}[size]}


def test_kinds():
    assert {name: model.kind for name, model in Z3_MODELS.items() if name != DIMACS_MODEL} == {
        "z3-int-distinct": "integer", "z3-int-pairwise": "integer", "z3-bitvec": "boolean",
        "z3-bitvec-binary": "integer", "z3-enum": "integer", "z3-bool": "boolean",
        "z3-bool-pb": "boolean",
    }  # fmt: skip


def test_unknown_is_an_answer_of_its_own():
    asked = query("z3-int-distinct", constraints_for("miracle"), timeout=0.001)
    with pytest.raises(Z3Unknown, match=r"^timeout$"):
        asked.find()


@pytest.mark.parametrize(
    "said, slept, reason",
    [
        ("timeout", 0.02, "timeout"),
        ("canceled", 0.02, "timeout"),  # its word for its own timer on a busy machine
        ("(incomplete (theory arithmetic))", 0.02, "timeout"),
        ("max. memory exceeded", 0.02, "max. memory exceeded"),
        ("smt tactic failed to show goal to be sat/unsat memout", 0.0, "memout"),
        ("(incomplete quantifiers)", 0.0, "incomplete quantifiers"),
        ("interrupted from keyboard", 0.02, KeyboardInterrupt),
        ("canceled", 0.0, KeyboardInterrupt),  # before its time nobody else cancels it
    ],
)
def test_our_clock_says_why_it_gave_up(monkeypatch, said, slept, reason):
    asked = query("z3-bool", constraints_for("classic", FOUR), timeout=0.01 if slept else 1000.0)
    z3 = asked._z3

    class Busy:
        def check(self):
            time.sleep(slept)
            return z3.unknown

        def reason_unknown(self):
            return said

    monkeypatch.setattr(asked, "solver", Busy())
    if reason is KeyboardInterrupt:
        with pytest.raises(KeyboardInterrupt):
            asked.find()
    else:
        with pytest.raises(Z3Unknown, match=reason):
            asked.find()


def test_counters_sum_the_statistics_of_z3():
    asked = query("z3-bool", constraints_for())
    asked.fix(parse_grid("8" + "." * 10 + "36" + "." * 68).cells)
    assert asked.find() is not None
    counters = asked.counters()
    assert set(counters) <= {"conflicts", "decisions", "propagations"}
    assert all(isinstance(count, int) and count >= 0 for count in counters.values())
