"""Proofs: read strictly, checked alike in C, in Python and by full scans; hints; outside tools."""

import re
from array import array
from random import Random

import pytest
from examples import CLASSIC, FOUR, pigeons
from hypothesis import given, settings
from hypothesis import strategies as st
from proof_cases import SlowChecker, flat, random_formula, slow_steps
from soak import share

from satdoku.certificates.make import PROVERS, refute
from satdoku.certificates.proof import (
    DELETE,
    LratStep,
    Outcome,
    ProofError,
    external,
    parse_drat,
    parse_formula,
    parse_lrat,
    rup,
)
from satdoku.certificates.proof.formula import (
    _restated,
    blocking,
    difference,
    format_formula,
    givens,
    restated,
)
from satdoku.certificates.proof.rup import COMPILED, Checker, check_lrat, drat_to_lrat
from satdoku.cnf.encodings import encode
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for

NONE = array("i")
CHECKERS = [False, pytest.param(True, marks=pytest.mark.skipif(not COMPILED, reason="no C"))]
# No model: each of the four ways to set two variables breaks one clause.
SQUARE = [[1, 2], [1, -2], [-1, 2], [-1, -2]]


def names_of(constraints):
    return tuple(name for name in constraints.rules if not name.startswith("jigsaw"))


# The formula a second time ----------------------------------------------------------------------


@pytest.mark.parametrize("size", [4, 6, 9, 12])
@pytest.mark.parametrize("rules", ["classic", "knight", "king,antiqueen", "miracle", "diagonal"])
def test_the_restated_formula_is_the_encoders(rules, size):
    board = Board.of_size(size)
    constraints = constraints_for(rules, board)
    encoded = frozenset(tuple(sorted(clause)) for clause in encode(constraints).clauses)
    assert restated(board, names_of(constraints)) == encoded


@pytest.mark.parametrize(
    ("rules", "board"),
    [
        ("windoku", Board()),
        ("disjoint,knight", Board()),
        ("diagonal", Board(6, 3, 2)),
        ("jigsaw=1112122233334444,king", None),
        ("classic", Board.latin(6)),
    ],
)
def test_the_restated_formula_follows_boxes_and_maps(rules, board):
    constraints = constraints_for(rules, board)
    encoded = frozenset(tuple(sorted(clause)) for clause in encode(constraints).clauses)
    assert restated(constraints.board, names_of(constraints)) == encoded


def test_exact_numbers_of_clauses():
    assert len(restated(Board(), ())) == 10_530
    assert len(restated(Board(), ("knight", "king", "nonconsecutive"))) == 14_706
    assert len(restated(FOUR, ())) == 384


def test_a_formula_must_be_the_rules_and_nothing_else():
    clauses = list(encode(constraints_for("classic", FOUR)).clauses)
    assert difference(64, flat(clauses), FOUR, ()) is None
    assert difference(64, flat([c[::-1] for c in clauses[::-1]]), FOUR, ()) is None
    assert "lacks 1 clause" in difference(64, flat(clauses[1:]), FOUR, ())
    assert "1 clause that" in difference(64, flat([*clauses, (1, 2)]), FOUR, ())
    assert "1 clause that" in difference(64, flat([*clauses, ()]), FOUR, ())
    assert "variables" in difference(65, flat(clauses), FOUR, ())
    assert "lacks" in difference(64, flat(clauses), FOUR, ("diagonal",))


@pytest.mark.parametrize(
    ("rule", "board"),
    [
        ("kinght", FOUR),
        ("classic", FOUR),
        ("windoku", Board(6, 2, 3)),
        ("windoku", Board(9, regions=Board().regions or tuple(c // 9 for c in range(81)))),
    ],
)
def test_rules_that_do_not_fit_are_refused(rule, board):
    with pytest.raises(ProofError):
        restated(board, (rule,))


def test_a_board_whose_boxes_are_none_is_refused():
    """What no constructor lets through any more, but the checker shall not trust that."""
    board = Board()
    object.__setattr__(board, "box_rows", -3)
    object.__setattr__(board, "box_columns", -3)
    with pytest.raises(ProofError, match="rule 'box' does not fit"):
        _restated.__wrapped__(board, (), ())


def test_givens_and_blocking_clauses():
    cells = bytes([0, 3, 0, 0]) + bytes(12)
    assert givens(cells, FOUR).tolist() == [7, 0]
    full = bytes([1, 2, 3, 4] * 4)
    assert blocking([full], FOUR).tolist()[:4] == [-1, -6, -11, -16]
    assert blocking([full, full], FOUR).count(0) == 2


# Reading ----------------------------------------------------------------------------------------


def test_a_formula_reads_back():
    clauses = flat(encode(constraints_for("classic", FOUR)).clauses)
    assert parse_formula(format_formula(64, clauses)) == (64, clauses)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "p cnf 2\n",
        "p cnf 2 1\n1 2\n",
        "p cnf 2 1\n1 2 0\n1 0\n",
        "p cnf 2 1\n1 3 0\n",
        "p cnf 2 1\n1 x 0\n",
        "p cnf 2 1\n1 - 0\n",
        "p cnf 2 1\n1 1_0 0\n",
        "p cnf 2 1\n1 ٣ 0\n",
        "p cnf 2 1\n" + "9" * 5000 + " 0\n",
        "p cnf 999999999999 1\n1 0\n",
        "c comment\np cnf 2 1\n1 0\n",
    ],
)
def test_what_is_no_formula_is_refused(text):
    with pytest.raises(ProofError):
        parse_formula(text)


def test_steps_of_drat_and_lrat():
    assert parse_drat("1 -2 0\nd 3 0\n0\n").tolist() == [1, -2, 0, DELETE, 3, 0, 0]
    assert parse_lrat("5 1 0 2 3 0\n5 d 2 0\n6 0 5 0\n") == [
        LratStep(5, (1,), (2, 3)),
        LratStep(5, deleted=(2,)),
        LratStep(6, (), (5,)),
    ]


@pytest.mark.parametrize(
    "text", ["1 d 2 0\n", "d\n", "dd 1 0\n", "1.5 0\n", "2147483647 1 0\n", "é"]
)
def test_what_is_no_drat_is_refused(text):
    with pytest.raises(ProofError):
        parse_drat(text)


@pytest.mark.parametrize(
    "text", ["5 1 0\n", "5 1 0 2\n", "-5 1 0 2 0\n", "d 1 0\n", "\n", "5 d d 0\n"]
)
def test_what_is_no_lrat_is_refused(text):
    with pytest.raises(ProofError):
        parse_lrat(text)


@given(st.text(alphabet="0123456789- d\nx", max_size=60))
def test_no_text_raises_anything_unforeseen(text):
    for parse in (parse_formula, parse_drat, parse_lrat):
        try:
            parse(text)
        except ProofError as error:
            assert str(error)


# Checking ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("compiled", CHECKERS)
@pytest.mark.parametrize(
    ("proof", "outcome", "step"),
    [
        ("1 0\n0\n", Outcome.VERIFIED, 2),
        ("0\n", Outcome.NOT_IMPLIED, 1),
        ("1 0\n", Outcome.NO_EMPTY_CLAUSE, 1),
        ("", Outcome.NO_EMPTY_CLAUSE, 0),
        ("1 0\n3 0\n0\n", Outcome.VERIFIED, 3),  # refuted after step 1: anything follows
        ("3 0\n", Outcome.NOT_IMPLIED, 1),
        ("3 -3 0\n1 0\n0\n", Outcome.VERIFIED, 3),
        ("2 2 0\n0\n", Outcome.VERIFIED, 2),
        ("1 4 0\n", Outcome.MALFORMED, 1),
        ("1 0\n0", Outcome.VERIFIED, 2),
        ("1", Outcome.MALFORMED, 1),
        ("d 2 1 0\n1 0\n0\n", Outcome.NOT_IMPLIED, 2),
        ("d 3 1 0\n1 0\n0\n", Outcome.VERIFIED, 3),  # there is no such clause
        ("d 9 0\n", Outcome.MALFORMED, 1),
        ("d 0\n1 0\n0\n", Outcome.VERIFIED, 3),
        ("1 0\nd 1 0\nd -1 2 0\n0\n", Outcome.VERIFIED, 4),  # what is fixed stays fixed
    ],
)
def test_verdicts_on_a_small_formula(compiled, proof, outcome, step):
    checker = Checker(3, flat(SQUARE), compiled=compiled)
    for _ in range(2):  # the first check must not change the second
        assert checker.check(NONE, parse_drat(proof)) == (outcome, step)


@pytest.mark.parametrize("compiled", CHECKERS)
def test_extra_clauses_belong_to_one_check_only(compiled):
    checker = Checker(2, flat(SQUARE[:3]), compiled=compiled)
    proof = parse_drat("1 0\n0\n")
    assert checker.check(flat([SQUARE[3]]), proof).good
    assert not checker.check(NONE, proof).good


@pytest.mark.parametrize("compiled", CHECKERS)
def test_a_rat_lemma_is_refused(compiled):
    # 3 is new, so "3 or 1" is RAT on 3: it keeps satisfiability but does not follow.
    verdict = Checker(3, flat([[1, 2]]), compiled=compiled).check(NONE, parse_drat("3 1 0\n0\n"))
    assert verdict == (Outcome.NOT_IMPLIED, 1)
    assert "RAT" in verdict.describe()


@pytest.mark.parametrize("compiled", CHECKERS)
def test_the_budget_ends_a_check(compiled):
    random = Random(3)
    clauses = random_formula(random, 40, 240)
    proof = parse_drat(refute(clauses))
    checker = Checker(40, flat(clauses), compiled=compiled)
    assert checker.check(NONE, proof).good
    assert checker.check(NONE, proof, budget=50).outcome is Outcome.OVER_BUDGET


@pytest.mark.parametrize("compiled", CHECKERS)
def test_literals_out_of_range_in_the_formula(compiled):
    for clauses in (array("i", [1, 4, 0]), array("i", [1, 2])):
        try:
            verdict = Checker(3, clauses, compiled=compiled).check(NONE, NONE)
        except ProofError:
            continue
        assert verdict == (Outcome.MALFORMED, 0)


@pytest.mark.skipif(not COMPILED, reason="no C")
def test_the_extension_refuses_what_is_no_array_of_ints():
    from satdoku.certificates.proof import _checker

    with pytest.raises(TypeError, match="clauses: expected an array of int32"):
        _checker.load(3, b"123")
    with pytest.raises(ValueError, match="-1 variables"):
        _checker.load(-1, NONE)
    with pytest.raises(ValueError):
        _checker.check(object(), NONE, NONE, 1)
    with pytest.raises(TypeError, match="proof: expected an array of int32"):
        _checker.check(_checker.load(3, NONE), NONE, b"1", 1)
    assert _checker.load(0, NONE)


literals = st.integers(-6, 6).filter(bool)
clause_lists = st.lists(st.lists(literals, max_size=4), max_size=25)
step_lists = st.lists(st.tuples(st.booleans(), st.lists(literals, max_size=3)), max_size=25)


@settings(max_examples=share(200))
@given(clause_lists, step_lists)
def test_three_checkers_agree_on_any_steps(clauses, steps):
    lines = "".join("d " * d + "".join(f"{n} " for n in clause) + "0\n" for d, clause in steps)
    proof = parse_drat(lines)
    verdicts = {
        Checker(6, flat(clauses), compiled=compiled).check(NONE, proof)
        for compiled in {False, COMPILED}
    }
    assert len(verdicts) == 1
    assert verdicts.pop().good == SlowChecker(6, clauses).accepts(slow_steps(lines))


@pytest.mark.parametrize("solver", PROVERS)
def test_a_proof_made_in_slices_is_one_proof(solver, monkeypatch):
    monkeypatch.setattr("satdoku.answers.solver.SLICE", 100)
    clauses = pigeons(6)
    checker = Checker(max(map(max, clauses)), flat(clauses), compiled=COMPILED)
    verdict = checker.check(NONE, parse_drat(refute(clauses, solver=solver)))
    assert verdict.outcome is Outcome.VERIFIED


@pytest.mark.parametrize("solver", PROVERS)
def test_proofs_of_every_solver_and_the_same_with_hints(solver):
    random = Random(solver)
    found = 0
    for _ in range(6):
        clauses = random_formula(random, 30, 150)
        text = refute(clauses, solver=solver)
        if text is None:
            continue
        found += 1
        proof = parse_drat(text)
        verdicts = {
            Checker(30, flat(clauses), compiled=compiled).check(NONE, proof)
            for compiled in {False, COMPILED}
        }
        assert [verdict.outcome for verdict in verdicts] == [Outcome.VERIFIED]
        hints = drat_to_lrat(30, flat(clauses), proof)
        assert check_lrat(30, flat(clauses), parse_lrat(hints)).good
        for tool in external.available():
            for form, proof_text in (("drat", text), ("lrat", hints)):
                formula = 30, flat(clauses)
                assert external.refusal(tool, formula, proof_text, form) is None
    assert found


@settings(max_examples=share(200))
@given(clause_lists, step_lists)
def test_hints_are_found_for_whatever_is_verified(clauses, steps):
    numbers = [n for d, clause in steps for n in ([DELETE] * d + [*clause, 0])]
    proof = array("i", numbers)
    if rup.check(6, flat(clauses), proof).good:
        text = drat_to_lrat(6, flat(clauses), proof)
        assert check_lrat(6, flat(clauses), parse_lrat(text)).good
    else:
        with pytest.raises(ProofError):
            drat_to_lrat(6, flat(clauses), proof)


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("5 1 0 1 2 0\n6 0 5 3 4 0\n", Outcome.VERIFIED),
        ("5 1 0 1 2 0\n5 d 1 2 0\n6 0 5 3 4 0\n", Outcome.VERIFIED),
        ("5 1 0 1 2 0\n5 d 3 0\n6 0 5 3 4 0\n", Outcome.NOT_IMPLIED),
        ("5 1 0 1 0\n", Outcome.NOT_IMPLIED),  # the hints do not reach a conflict
        ("5 1 0 3 4 0\n", Outcome.NOT_IMPLIED),
        ("5 1 0 -1 2 0\n", Outcome.NOT_IMPLIED),  # RAT
        ("5 1 0 9 0\n", Outcome.NOT_IMPLIED),  # no such clause
        ("4 1 0 1 2 0\n", Outcome.NOT_IMPLIED),  # the name is taken
        ("5 1 0 1 2 0\n", Outcome.NO_EMPTY_CLAUSE),
        ("5 7 0 1 2 0\n", Outcome.MALFORMED),
    ],
)
def test_verdicts_on_hints(text, outcome):
    assert check_lrat(3, flat(SQUARE), parse_lrat(text)).outcome is outcome


def test_a_budget_of_hints():
    steps = parse_lrat("5 1 0 1 2 0\n6 0 5 3 4 0\n")
    assert check_lrat(3, flat(SQUARE), steps, budget=3).outcome is Outcome.OVER_BUDGET


# Outside tools ----------------------------------------------------------------------------------


@pytest.fixture
def tool(tmp_path, monkeypatch):
    """Puts a shell script under the name of a checker on the PATH."""

    def make(name, script):
        path = tmp_path / name
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
        monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")

    return make


@pytest.mark.parametrize(
    ("says", "accepted"),
    [
        ("s VERIFIED", True),
        ("c VERIFIED", True),
        ("s VERIFIED UNSAT", True),
        ("s NOT VERIFIED", False),
        ("c nothing VERIFIED", False),
        ("", False),
    ],
)
def test_what_an_outside_tool_says_counts(tool, says, accepted):
    tool("drat-trim", f"grep -q '^p cnf 2 4' $1 && grep -q '^1 0' $2 && echo '{says}'")
    assert "drat-trim" in external.available()
    formula = 2, flat(SQUARE)
    refusal = external.refusal("drat-trim", formula, "1 0\n0\n", "drat")
    assert (refusal is None) == accepted


def test_a_tool_for_hints_gets_hints(tool):
    tool(
        "cake_lpr",
        "grep -q '^5 1 0 2 1 0' $2 || grep -q '^5 1 0 1 2 0' $2 && echo s VERIFIED UNSAT",
    )
    formula = 2, flat(SQUARE)
    assert external.refusal("cake_lpr", formula, "1 0\n0\n", "drat") is None


def test_a_tool_that_hangs_or_is_gone(tool):
    tool("drat-trim", "exec sleep 9")
    formula = 2, flat(SQUARE)
    refusal = external.refusal("drat-trim", formula, "0\n", "drat", timeout=0.1)
    assert re.search("no answer within", refusal)
    with pytest.raises(ProofError):
        external.refusal("lrat-check", formula, "5 0 1 2 0\n", "lrat")
    read = {
        (t, form) for t in external.TOOLS for form in ("drat", "lrat") if external.reads(t, form)
    }
    assert read == {(t, form) for t in external.TOOLS for form in ("drat", "lrat")} - {
        ("drat-trim", "lrat")
    }


def test_a_classic_puzzle_needs_its_blocking_clause():
    constraints = constraints_for()
    cells = bytes(0 if c == "." else int(c) for c in CLASSIC)
    clauses = flat(encode(constraints).clauses)
    extra = givens(cells, Board())
    proof = refute([*encode(constraints).clauses, *([n] for n in extra if n)])
    assert proof is None  # it has a solution
    assert not Checker(729, clauses).check(extra, parse_drat("0\n")).good
