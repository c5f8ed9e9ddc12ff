"""Certificates of real puzzles: what they claim is so, and every one passes the judge."""

from dataclasses import replace

import numpy as np
import pytest
from examples import CLASSIC, CLASSIC_SOLUTION, FOUR, PUZZLES

import satdoku
from satdoku.certificates.check import Judge
from satdoku.certificates.make import (
    CertifyError,
    certify,
    certify_many,
    preamble_of,
    with_hints,
)
from satdoku.certificates.proof.steps import parse_drat
from satdoku.certificates.prover import PROVERS, ProverError
from satdoku.errors import WitnessError
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import GridError, parse_grid

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
    assert Judge(preamble).reject(certificate) is None
    assert Judge(preamble, compiled=False).reject(certificate) is None


@pytest.mark.parametrize(
    ("puzzle", "claim", "solutions"),
    [(CLASSIC, "unique", 1), (NONE, "none", 0), (CLASH, "none", 0), ("." * 81, "multiple", 2)],
)
def test_claims(puzzle, claim, solutions):
    preamble, certificate = certify(puzzle)
    assert (certificate.claim, len(certificate.solutions)) == (claim, solutions)
    assert (certificate.proof is None) == (claim == "multiple")
    assert Judge(preamble).reject(certificate) is None


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
    judge = Judge(preamble)
    assert judge.reject(certificate) is None
    fewer = replace(certificate, solutions=certificate.solutions[1:])
    assert "proof step" in judge.reject(fewer)


@pytest.mark.parametrize("board", [Board(6, 3, 2), Board.of_size(12)])
def test_other_boards(board):
    constraints = constraints_for("classic", board)
    full = satdoku.solve([0] * board.cells, constraints)
    cells = bytearray(full.cells)
    cells[::3] = bytes(len(cells[::3]))
    preamble, certificate = certify(list(cells), constraints)
    assert Judge(preamble).reject(certificate) is None


def test_many_keep_their_order():
    texts = [CLASSIC, NONE, INKALA, CLASH, "." * 81] * 3
    cells = np.stack([np.asarray(parse_grid(text)) for text in texts])
    made = certify_many(cells, constraints_for())
    claims = ["unique", "none", "unique", "none", "multiple"]
    assert [certificate.claim for certificate in made] == claims * 3
    assert [certificate.puzzle for certificate in made] == [parse_grid(text) for text in texts]
    assert certify_many(cells[:0], constraints_for()) == []


def test_hints_for_verified_checkers():
    preamble, certificate = certify(INKALA)
    hinted = with_hints(preamble, certificate)
    assert hinted.proof.format == "lrat"
    assert Judge(preamble).reject(hinted) is None
    assert with_hints(preamble, hinted) is hinted
    multiple = certify("." * 81)[1]
    assert with_hints(preamble, multiple) is multiple


def test_what_cannot_be_certified():
    with pytest.raises(ProverError):
        certify(CLASSIC, solver="minisat22")
    with pytest.raises(CertifyError, match="digit beyond"):
        certify_many(np.full((1, 16), 5, np.uint8), constraints_for("classic", FOUR))
    with pytest.raises(GridError):
        certify("123")


def test_too_many_solutions_to_list(monkeypatch):
    monkeypatch.setattr("satdoku.certificates.make.MAX_SOLUTIONS", 287)
    with pytest.raises(CertifyError, match="more than 287"):
        certify("." * 16, every=True)


def test_a_prover_that_lies_is_caught(monkeypatch):
    monkeypatch.setattr("satdoku.certificates.make.refute", lambda *_, **__: "0\n")
    with pytest.raises(WitnessError, match="proof step 1"):
        certify(INKALA)
    monkeypatch.setattr("satdoku.certificates.make.refute", lambda *_, **__: None)
    with pytest.raises(WitnessError, match="finds a solution"):
        certify(INKALA)


def test_an_engine_that_misses_a_solution_is_caught(monkeypatch):
    """A puzzle with two solutions passed off as unique has no refutation."""
    real = satdoku.batch.solve.solve_batch

    def lying(puzzles, constraints):
        result = real(puzzles, constraints)
        result.statuses[:] = satdoku.Status.UNIQUE
        return result

    monkeypatch.setattr("satdoku.certificates.make.solve_batch", lying)
    with pytest.raises(WitnessError, match="beyond the 1 known"):
        certify("." * 81)


def test_the_preamble_names_board_rules_and_makers():
    preamble = preamble_of(constraints_for("knight,jigsaw=1112122233334444"))
    assert preamble.rules == ("knight",)
    assert preamble.board.regions is not None
    assert preamble.made_by["satdoku"] == satdoku.__version__
    assert preamble.cnf.startswith("p cnf 64 ")
