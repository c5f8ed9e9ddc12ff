"""Certificates of real puzzles: what they claim is so, and every one passes the check."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random
from types import SimpleNamespace

import numpy as np
import pytest
from examples import CLASSIC, CLASSIC_SOLUTION, FOUR, PUZZLES

import satdoku
from satdoku import engine
from satdoku.answers.solver import solve_clauses
from satdoku.batch.decide import decide
from satdoku.certificates import make, trim
from satdoku.certificates.check import SectionChecker
from satdoku.certificates.make import (
    PROVERS,
    CertifyError,
    ProverError,
    certify,
    certify_batch,
    preamble_of,
    refute,
    residual_of,
    with_hints,
)
from satdoku.certificates.proof import parse_drat
from satdoku.cnf.encodings import encode
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import GridError, parse_grid
from satdoku.runtime.errors import OutOfTime, WitnessError

INKALA = (PUZZLES / "inkala-2012.txt").read_text()
CLASH = "55" + "." * 79
NONE = CLASSIC[:2] + "3" + CLASSIC[3:]  # r1c3 is 2 in the one solution


@pytest.mark.parametrize("solver", PROVERS)
def test_a_hard_puzzle_by_every_solver(solver):
    preamble, certificate = certify(INKALA, solver=solver)
    assert certificate.claim == "unique"
    assert certificate.solver == solver
    assert certificate.solutions == (satdoku.solve(INKALA),)
    assert len(parse_drat(certificate.proof.text)) > 100  # it takes search
    assert SectionChecker(preamble).refusal(certificate) is None
    assert SectionChecker(preamble, compiled=False).refusal(certificate) is None


@pytest.mark.parametrize(
    ("puzzle", "claim", "solutions"),
    [(CLASSIC, "unique", 1), (NONE, "none", 0), (CLASH, "none", 0), ("." * 81, "multiple", 2)],
)
def test_claims(puzzle, claim, solutions):
    preamble, certificate = certify(puzzle)
    assert (certificate.claim, len(certificate.solutions)) == (claim, solutions)
    assert (certificate.proof is None) == (claim == "multiple")
    assert SectionChecker(preamble).refusal(certificate) is None


def test_where_propagation_suffices_the_proof_is_the_empty_clause():
    for puzzle in (CLASSIC_SOLUTION, CLASH):
        assert certify(puzzle)[1].proof.text == "0\n"


@pytest.mark.parametrize(
    ("puzzle", "rules", "solutions"),
    [
        ("." * 16, "classic", 288),
        ("." * 16, "diagonal", 48),
        ("." * 81, "miracle", 72),
        ("12" + "." * 14, "jigsaw=1112122233334444", None),
    ],
)
def test_all_solutions(puzzle, rules, solutions):
    preamble, certificate = certify(puzzle, rules, every=True)
    assert certificate.claim == "all"
    wanted = satdoku.count(puzzle, rules) if solutions is None else solutions
    assert len(set(certificate.solutions)) == wanted
    checker = SectionChecker(preamble)
    assert checker.refusal(certificate) is None
    fewer = replace(certificate, solutions=certificate.solutions[1:])
    assert "proof step" in checker.refusal(fewer)


@pytest.mark.parametrize("board", [Board(6, 3, 2), Board.of_size(12)])
def test_other_boards(board):
    constraints = constraints_for("classic", board)
    full = satdoku.solve([0] * board.cells, constraints)
    cells = bytearray(full.cells)
    cells[::3] = bytes(len(cells[::3]))
    preamble, certificate = certify(list(cells), constraints)
    assert SectionChecker(preamble).refusal(certificate) is None


def test_many_keep_their_order():
    texts = [CLASSIC, NONE, INKALA, CLASH, "." * 81] * 3
    cells = np.stack([np.asarray(parse_grid(text)) for text in texts])
    made = certify_batch(cells, constraints_for())
    claims = ["unique", "none", "unique", "none", "multiple"]
    assert [certificate.claim for certificate in made] == claims * 3
    assert [certificate.puzzle for certificate in made] == [parse_grid(text) for text in texts]
    assert certify_batch(cells[:0], constraints_for()) == []
    assert certify_batch(texts[:4]) == made[:4]


def test_hints_for_verified_checkers():
    preamble, certificate = certify(INKALA)
    hinted = with_hints(preamble, certificate)
    assert hinted.proof.format == "lrat"
    assert SectionChecker(preamble).refusal(hinted) is None
    assert with_hints(preamble, hinted) is hinted
    multiple = certify("." * 81)[1]
    assert with_hints(preamble, multiple) is multiple


def test_what_cannot_be_certified():
    with pytest.raises(ProverError):
        certify(CLASSIC, solver="minisat22")
    with pytest.raises(CertifyError, match="pencil marks"):
        certify_batch(np.zeros((1, 729), np.bool_))
    with pytest.raises(CertifyError, match="row 0: a digit beyond"):
        certify_batch(np.full((1, 16), 5, np.uint8), constraints_for("classic", FOUR))
    with pytest.raises(GridError):
        certify("123")


def test_too_many_solutions_to_list(monkeypatch):
    monkeypatch.setattr("satdoku.certificates.make.MAX_SOLUTIONS", 287)
    with pytest.raises(CertifyError, match="more than 287"):
        certify("." * 16, every=True)


def test_a_proof_that_no_line_holds_is_refused(monkeypatch):
    """A reader would refuse the line, and the file would hold what nobody can check."""
    hardest = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
    _, certificate = certify(hardest)
    assert len(certificate.proof.text) > 100
    length = len(json.dumps(certificate.proof.text)) - 2
    monkeypatch.setattr("satdoku.certificates.make.MAX_PROOF", length)
    assert certify(hardest)[1] == certificate
    monkeypatch.setattr("satdoku.certificates.make.MAX_PROOF", length - 1)
    with pytest.raises(CertifyError, match="a proof of 0 MiB: expected at most 0, which a line"):
        certify(hardest)


def test_a_prover_that_lies_is_caught(monkeypatch):
    monkeypatch.setattr("satdoku.certificates.make.refute", lambda *_, **__: "0\n")
    with pytest.raises(WitnessError, match="proof step 1"):
        certify(INKALA)
    monkeypatch.setattr("satdoku.certificates.make.refute", lambda *_, **__: None)
    with pytest.raises(WitnessError, match="finds a solution"):
        certify(INKALA)


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (lambda clauses: clauses[:-1], "the CNF lacks 1 clause of the rules"),
        (lambda clauses: [*clauses, (1,)], "the CNF has 1 clause that the rules do not state"),
        (lambda clauses: [*clauses, (730,)], "malformed clauses|730 variables"),
    ],
)
def test_an_encoder_that_is_wrong_is_caught(wrong, reason, monkeypatch, fresh):
    """Although the clauses are handed to the checker and not read from the text."""
    true = make.encode(constraints_for())
    false = SimpleNamespace(clauses=wrong(true.clauses), variables=729)
    monkeypatch.setattr("satdoku.certificates.make.encode", lambda _: false)
    with pytest.raises(WitnessError, match=reason):
        certify(CLASSIC)


def test_neither_is_the_text_parsed_nor_does_the_engine_begin_twice(monkeypatch, fresh):
    def unused(*_):
        raise AssertionError("the clauses are at hand")

    asked = []

    def seen(puzzles, constraints):
        asked.append(puzzles)
        return decide(puzzles, constraints)

    monkeypatch.setattr("satdoku.certificates.check._parsed", unused)
    monkeypatch.setattr("satdoku.certificates.make.decide", seen)
    preamble, certificate = certify(INKALA)
    monkeypatch.undo()
    (marks,) = asked
    assert marks.dtype == bool
    left = engine.propagate(parse_grid(INKALA).__array__()[None], constraints_for(), box_line=False)
    assert (marks == left[0]).all()
    assert SectionChecker(preamble).refusal(certificate) is None  # which parses the text


@pytest.fixture
def fresh():
    """The formulas are built anew, and again after the test."""
    cached = [make.preamble_of, make._checker_of, make._clauses_of]
    for function in cached:
        function.cache_clear()
    yield
    for function in cached:
        function.cache_clear()


def test_an_engine_that_misses_a_solution_is_caught(monkeypatch):
    """A puzzle with two solutions passed off as unique has no refutation."""
    real = satdoku.batch.decide.decide

    def lying(puzzles, constraints):
        result = real(puzzles, constraints)
        result.statuses[:] = satdoku.Status.UNIQUE
        return result

    monkeypatch.setattr("satdoku.certificates.make.decide", lying)
    with pytest.raises(WitnessError, match="beyond the 1 known"):
        certify("." * 81)


def test_the_preamble_names_board_rules_and_makers():
    preamble = preamble_of(constraints_for("knight,jigsaw=1112122233334444"))
    assert preamble.rules == ("knight",)
    assert preamble.board.regions is not None
    assert preamble.made_by["satdoku"] == satdoku.__version__
    assert preamble.cnf.startswith("p cnf 64 ")


def test_a_section_with_clues_says_so_and_is_read_back(tmp_path):
    """Version 2; without clues it stays version 1."""
    rules = "knight;cage=24:r1c1,r1c2,r1c3;thermo:r5c1,r5c2,r5c3;arrow:r9c1>r9c2,r9c3"
    puzzle = "......................................................................9.........."
    preamble, certificate = certify(puzzle, rules)
    assert preamble.to_json()["version"] == 2
    assert preamble_of(constraints_for("knight")).to_json()["version"] == 1
    assert certificate.claim == "multiple"
    none = certify("12" + puzzle[2:], rules)[1]  # the cage needs 7, 8 and 9
    assert none.claim == "none"
    assert SectionChecker(preamble).refusal(none) is None
    wrong = replace(preamble, rules=(*preamble.rules[:-1], "thermo:r5c3,r5c2,r5c1"))
    assert "the rules do not state" in SectionChecker(wrong).refusal(none)


def test_proofs_of_clues_on_many_cells_are_cut_down(monkeypatch):
    rules = "classic;sum=12:r7c2,r8c3,r9c4,r9c5"
    puzzle = "534678912672195348198342567859761423426853791".ljust(81, ".")
    preamble, short = certify(puzzle, rules, every=True)
    monkeypatch.setattr(trim, "BUDGET", 0)
    long = certify(puzzle, rules, every=True)[1]
    assert SectionChecker(preamble).refusal(short) is None
    assert 10 < len(short.proof.text) < len(long.proof.text) / 2


def test_long_proofs_are_cut_down(monkeypatch):
    rules, puzzle = "latin,shape=4x4", "1234" + "." * 12
    preamble, made = certify(puzzle, rules, every=True)
    monkeypatch.setattr(make, "LONG", 0)
    short = certify(puzzle, rules, every=True)[1]
    assert SectionChecker(preamble).refusal(short) is None
    assert 10 < len(short.proof.text) < len(made.proof.text)


SQUARE = [[1, 2], [1, -2], [-1, 2], [-1, -2]]


@pytest.mark.parametrize("solver", PROVERS)
def test_a_refutation_ends_in_the_empty_clause(solver):
    assert "0" in refute(SQUARE, solver=solver).splitlines()


@pytest.mark.parametrize("solver", PROVERS)
def test_there_is_none_of_what_has_a_model(solver):
    assert refute(SQUARE[:3], solver=solver) is None


@pytest.mark.parametrize("solver", ["maplesat", "minisat22", "nonsense"])
def test_solvers_without_good_proofs_are_refused(solver):
    with pytest.raises(ProverError, match="expected cadical153"):
        refute(SQUARE, solver=solver)


def test_a_solver_that_forgets_the_empty_clause_is_caught(monkeypatch):
    class Forgetful:
        def __init__(self, *_, **__): ...
        def __enter__(self):
            return self

        def __exit__(self, *_): ...
        def conf_budget(self, _): ...
        def accum_stats(self):
            return {"propagations": 0}

        def solve_limited(self, _):
            return False

        def get_proof(self):
            return ["1 0"]

    monkeypatch.setattr("satdoku.certificates.make.open_solver", Forgetful)
    with pytest.raises(ProverError, match="no empty clause"):
        refute(SQUARE)


SIX = Board.of_size(6)


def closure(clauses):
    """Literals that unit propagation makes true, by full scans; None on a conflict."""
    true = set()
    while True:
        new = set()
        for clause in clauses:
            if not true.intersection(clause):
                left = [literal for literal in clause if -literal not in true]
                if not left:
                    return None
                if len(left) == 1:
                    new.add(left[0])
        if not new:
            return true
        true |= new


@pytest.mark.parametrize("rules", ["classic", "diagonal", "knight", "nonconsecutive"])
def test_each_clause_is_a_clause_of_the_formula_without_its_false_literals(rules):
    constraints, random = constraints_for(rules, SIX), Random(4)
    checked = 0
    while checked < 3:
        cells = np.zeros((1, 36), np.uint8)
        cells[0, random.sample(range(36), 3)] = [random.randint(1, 6) for _ in range(3)]
        marks, conflicts = residual_of(constraints).propagate(cells)
        formula = encode(constraints)
        units = [(literal,) for literal in formula.literals(cells.tobytes())]
        true = closure([*formula.clauses, *units])
        assert conflicts[0] == (true is None)
        if true is None:
            continue
        checked += 1
        left = {
            frozenset(literal for literal in clause if -literal not in true)
            for clause in formula.clauses
            if not true.intersection(clause)
        }
        clauses = residual_of(constraints).clauses(marks[0], [])
        assert {frozenset(clause) for clause in clauses} == left
        assert (solve_clauses(clauses) is None) == (
            solve_clauses([*formula.clauses, *units]) is None
        )


def test_what_propagation_solves_leaves_the_empty_clause_once_the_solution_is_blocked():
    cells = bytearray(parse_grid(CLASSIC_SOLUTION).cells)
    cells[40] = 0
    marks, _ = residual_of(constraints_for()).propagate(
        np.frombuffer(cells, np.uint8).reshape(1, 81)
    )
    residual, solution = residual_of(constraints_for()), parse_grid(CLASSIC_SOLUTION).cells
    assert residual.clauses(marks[0], []) == []
    assert residual.clauses(marks[0], [solution]) == [[]]


def test_blocking_takes_away_just_the_one_solution():
    constraints, puzzle = constraints_for(), parse_grid(CLASSIC)
    marks, _ = residual_of(constraints).propagate(np.asarray(puzzle).reshape(1, 81))
    assert solve_clauses(residual_of(constraints).clauses(marks[0], [])) is not None
    blocked = residual_of(constraints).clauses(marks[0], [parse_grid(CLASSIC_SOLUTION).cells])
    assert solve_clauses(blocked) is None


def test_a_certificate_ends_at_the_limit():
    with pytest.raises(OutOfTime):
        certify("." * 256, "knight", timeout=1e-6)
    with pytest.raises(OutOfTime):
        certify(CLASSIC, timeout=0)
    assert certify(CLASSIC, timeout=600)[1].claim == "unique"
