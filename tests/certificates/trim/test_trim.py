"""What is left of a refutation refutes what is left of the clauses, and little else is left."""

from __future__ import annotations

from itertools import chain
from random import Random

import pytest
from proof_cases import pigeons, refutations

from satdoku.answers.solver import solve_clauses
from satdoku.certificates import trim as trimming
from satdoku.certificates.make import refute
from satdoku.certificates.proof import parse_drat
from satdoku.certificates.proof.formula import flat
from satdoku.certificates.proof.rup import check
from satdoku.certificates.trim import COMPILED, Trimmed, trim

WAYS = [False, True] if COMPILED else [False]


@pytest.mark.parametrize("compiled", WAYS)
def test_what_is_left_is_a_refutation_and_nothing_in_it_is_new(compiled):
    before = after = 0
    for clauses, text in refutations(Random(1), 60):
        trimmed = trim(clauses, text, compiled=compiled)
        left = [clauses[place] for place in trimmed.needed]
        variables = max(map(abs, chain.from_iterable(clauses)))
        assert check(variables, flat(left), parse_drat(trimmed.text)).good
        assert solve_clauses(left) is None
        assert trimmed.steps[-1] == []
        assert all(trimmed.steps[:-1])
        told = [set(map(int, line.replace("d ", "").split()[:-1])) for line in text.splitlines()]
        assert all(any(set(step) <= one for one in told) for step in trimmed.steps)
        before, after = before + len(told), after + len(trimmed.steps)
    assert after < before / 2


@pytest.mark.parametrize("compiled", WAYS)
def test_steps_and_clauses_that_nothing_needs_go(compiled):
    clauses = [[5, 6], [1, 2], [-1, 2], [1, -2], [3, 4], [-1, -2]]
    text = "3 5 0\n2 3 5 0\nd 3 5 0\n2 6 0\n2 5 0\n0\n".replace("3 5 0\n", "", 1)
    text = "2 7 8 0\n2 3 0\nd 2 7 8 0\n2 4 0\n2 0\n0\n"
    clauses.append([7, 8])
    trimmed = trim(clauses, text, compiled=compiled)
    assert trimmed.needed == [1, 2, 3, 5]
    assert set(map(tuple, trimmed.steps)) <= {(2,), ()}


@pytest.mark.parametrize("compiled", WAYS)
def test_a_refutation_by_unit_propagation_alone(compiled):
    clauses = [[9, 8], [1], [-1, 2], [3, -2], [-3, -1], [4]]
    assert trim(clauses, "0\n", compiled=compiled) == Trimmed([1, 2, 3, 4], [[]])
    assert trim([[2], []], "0\n", compiled=compiled) == Trimmed([1], [[]])


@pytest.mark.parametrize("compiled", WAYS)
def test_what_is_no_refutation_is_not_cut_down(compiled):
    clauses = [[1, 2], [-1, 2], [1, -2], [-1, -2]]
    assert trim(clauses, "2 0\n0\n", compiled=compiled)
    for wrong in ("0\n", "", "9 0\n0\n", "1\n", "-9 2 0\n0\n"):
        assert trim(clauses, wrong, compiled=compiled) is None
    satisfiable = [[1, 2, 3]]
    assert trim(satisfiable, "1 0\n-1 0\n0\n", compiled=compiled) is None


@pytest.mark.parametrize("compiled", WAYS)
def test_steps_lose_the_literals_that_they_do_not_need(compiled):
    clauses = [[1, 4], [1, -4], [-1, 5], [-1, -5], [2, 3]]
    text = "1 2 3 0\n1 2 -3 0\n1 2 0\n1 -2 0\n1 0\n0\n"
    assert trim(clauses, text, compiled=compiled) == Trimmed([0, 1, 2, 3], [[1], []])


@pytest.mark.parametrize("compiled", WAYS)
def test_it_gives_up(compiled, monkeypatch):
    clauses = pigeons(4)
    text = refute(clauses)
    assert trim(clauses, text, compiled=compiled).needed == list(range(len(clauses)))
    monkeypatch.setattr(trimming, "BUDGET", 0)
    assert trim(clauses, text, compiled=compiled) is None
