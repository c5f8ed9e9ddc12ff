"""Refutations of every proof-writing solver; their proofs are checked in proof/test_rup."""

import pytest

from satdoku.certificates.prover import PROVERS, ProverError, refute

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
        def solve_limited(self, _):
            return False

        def get_proof(self):
            return ["1 0"]

    monkeypatch.setattr("satdoku.certificates.prover.open_solver", Forgetful)
    with pytest.raises(ProverError, match="no empty clause"):
        refute(SQUARE)
