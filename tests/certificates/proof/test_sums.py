"""Sums that certificates state: derived again, true of every solution, and nothing else passes."""

import io
import json
import random
import time
from collections import Counter
from dataclasses import replace

import pytest
from clue_examples import keeps
from examples import FOUR
from pysat.solvers import Solver
from sum_cases import KINDS_OF_FALSE, ROWS, clues_of, derivation, forgeries, long_sum, segments_of
from wide_puzzles import wide_puzzles

from satdoku.certificates import make
from satdoku.certificates.check import SectionChecker
from satdoku.certificates.fields import CertificateError, parse_json
from satdoku.certificates.format import (
    Certificate,
    Proof,
    read_certificates,
    write_section,
)
from satdoku.certificates.proof import ProofError
from satdoku.certificates.proof.formula import (
    difference,
    restated,
)
from satdoku.certificates.proof.sums import Derived
from satdoku.cnf import clues
from satdoku.cnf.encodings import encode
from satdoku.model.clue import read_clue
from satdoku.model.constraints import constraints_for
from satdoku.model.kinds import KINDS

SUMS = sorted(name for name, kind in KINDS.items() if kind.sums)
CACHES = (clues.summed, make.preamble_of, make._clauses_of, make._checker_of)


@pytest.fixture
def every_sum(monkeypatch):
    """However few clauses the automata of sums have, certificates have none of them."""
    monkeypatch.setattr(clues, "HEAVY", 0)
    for cached in CACHES:
        cached.cache_clear()
    yield
    for cached in CACHES:
        cached.cache_clear()


@pytest.mark.parametrize("kind", SUMS)
def test_the_encoder_and_the_derivation_give_the_same_clauses(kind, every_sum):
    summed = 0
    for constraints in wide_puzzles(kind, 4, 6) + wide_puzzles(kind, 4, 9):
        preamble = make.preamble_of(constraints)
        clauses = make._clauses_of(constraints)
        variables = clues.summed(constraints)[0].variables
        stated = constraints.board, constraints.rules, preamble.sums
        assert difference(variables, clauses, *stated) is None
        summed += len(preamble.sums)
    assert summed or kind in UNSUMMED


# Their totals are of stretches, or cages say them by sets of digits.
UNSUMMED = {"cage", "magic-square", "sandwich", "x-sum"}


def kept(grid, rules):
    told = [read_clue(text, FOUR) for text in rules]
    return all(keeps(grid, clue, told, 4) for clue in told)


def models(clauses):
    """The 4x4 grids of the models, one for each model."""
    used = {abs(literal) for clause in clauses for literal in clause}
    unused = [[variable] for variable in range(1, max(used)) if variable not in used]
    with Solver("glucose4", bootstrap_with=[*map(list, clauses), *unused]) as solver:
        for model in solver.enum_models():
            yield bytes((x - 1) % 4 + 1 for x in model[:64] if x > 0)


def test_each_solution_is_one_model_whatever_is_derived(four_by_four):
    """Sums of the maker's choice or not: nothing is lost, and if each clue is one, all is said."""
    rng = random.Random(3)
    for case in range(30):
        rules = clues_of(rng.choice(four_by_four), rng, rng.randint(1, 3))
        stated = [derivation(rng, rules) for _ in range(case % 3)]
        for number in range(len(rules)):
            named = ((1, number),)
            stated.append(Derived(named, (), segments_of(rng, rules, named, ())))
        expected = sorted(grid for grid in four_by_four if kept(grid, rules))
        assert sorted(models(restated(FOUR, rules, tuple(stated)))) == expected


EMPTY = make.preamble_of(constraints_for("classic", FOUR))


@pytest.mark.parametrize("each", [30, pytest.param(250, marks=pytest.mark.slow)])
def test_no_falsified_sum_is_accepted(four_by_four, monkeypatch, each):
    """Each certificate claims that a puzzle with solutions has none, and has a whole proof of that,
    by sums that do not follow; so many of each sort."""
    refused = Counter()
    for one in forgeries(four_by_four, monkeypatch, each):
        preamble = replace(EMPTY, rules=one.rules, cnf=one.text, sums=(one.named,))
        made = Certificate(one.puzzle, "none", (), "cadical153", Proof(one.proof))
        assert SectionChecker(preamble).refusal(made), one
        refused[one.kind] += 1
    assert refused == dict.fromkeys(KINDS_OF_FALSE, each)


TOLD = "sum=20:r1c1,r2c2,r3c3,r4c4,r1c4,r2c3,r3c2,r4c1", "sum=9:r1c1,r2c2,r4c3,r3c3"
SEGMENTS = ((0, 5), (10,), (14,))
FALSE = {
    "which is no clue that is an equation": Derived(((1, 2),), (), SEGMENTS),
    "which are no house": Derived(((1, 1),), ((1, (0, 1, 2, 4)),), SEGMENTS),
    "are not its cells": Derived(((1, 1),), ((1, ROWS[0]),), SEGMENTS),
    "do not count alike": Derived(((1, 1),), ((1, ROWS[0]),), ((0, 5), (10, 14), (1, 2, 3))),
    "may hold the same digit": Derived(((1, 1),), (), ((0, 10), (5, 14))),
}


@pytest.mark.parametrize("reason", FALSE)
def test_why_a_sum_does_not_follow_is_told(reason):
    good = Derived(((1, 1),), (), SEGMENTS)
    assert restated(FOUR, TOLD, (good,)) != restated(FOUR, TOLD)
    with pytest.raises(ProofError, match=reason):
        restated(FOUR, TOLD, (FALSE[reason],))


def test_what_is_made_is_bounded_before_it_is_made():
    """Sums of huge multipliers have as many values as there are ways to add their digits."""
    texts = tuple(f"sum={n}:r1c1,r2c2,r3c3,r4c4,r{1 + n % 4}c2,r1c3" for n in range(13, 17))
    named = tuple((7 ** (3 * number) * 11, number) for number in range(len(texts)))
    board = FOUR
    rng = random.Random(1)
    segments = segments_of(rng, texts, named, ())
    start = time.process_time()
    with pytest.raises(ProofError, match="more than 500,000 clauses"):
        restated(board, texts, (Derived(named, (), segments),) * 2_000)
    assert time.process_time() - start < 30


def written(preamble, *certificates):
    stream = io.BytesIO()
    write_section(stream, preamble, certificates)
    return stream.getvalue()


def test_a_long_sum_is_written_read_and_checked(tmp_path):
    constraints, puzzle = long_sum()
    preamble, made = make.certify(puzzle, constraints)
    (tmp_path / "made").write_bytes(written(preamble, made))
    (entry,) = read_certificates(str(tmp_path / "made"))
    head = parse_json(written(preamble).splitlines()[0])
    assert head["version"] == 4 and len(head["sums"]) == 1
    assert entry.preamble.sums == preamble.sums
    assert SectionChecker(entry.preamble).refusal(entry.certificate) is None
    assert len(encode(constraints).clauses) > int(preamble.cnf.split()[3])


@pytest.mark.parametrize("spoil", [
    lambda head: head.pop("sums"),
    lambda head: head.update(version=2),
    lambda head: head.update(sums=[]),
    lambda head: head["sums"].append({}),
    lambda head: head["sums"][0].update(more=[]),
    lambda head: head["sums"][0]["clues"][0].append(1),
    lambda head: head["sums"][0].update(clues=[[True, 0]]),
    lambda head: head["sums"][0].update(segments=[["a"]]),
    lambda head: head["sums"][0].update(houses=[[1, "ab"]]),
])  # fmt: skip
def test_a_preamble_with_other_fields_of_sums_is_refused(spoil, tmp_path):
    preamble = make.preamble_of(long_sum()[0])
    head, *rest = written(preamble).splitlines(keepends=True)
    fields = parse_json(head)
    spoil(fields)
    (tmp_path / "spoilt").write_bytes(b"".join([json.dumps(fields).encode() + b"\n", *rest]))
    with pytest.raises(CertificateError, match=r"sums|version|unknown field"):
        list(read_certificates(str(tmp_path / "spoilt")))
