"""The positive form of a formula: its models, and what unit propagation finds in it."""

from __future__ import annotations

import random
from collections.abc import Iterable
from itertools import islice

import pytest
import sixty_lines
from clue_examples import random_clue
from pysat.solvers import Cadical153
from tree_cases import RULES, some_puzzles, trees_for

from satdoku.certificates.make import preamble_of
from satdoku.certificates.proof import ProofError
from satdoku.certificates.proof.formula import Clause, restated
from satdoku.certificates.tree.formula import Positive, positive, positive_form
from satdoku.model.constraints import constraints_for
from satdoku.model.kinds import KINDS
from satdoku.runtime.errors import SatdokuError

WIDE = (
    *RULES,
    "boxes=2x2;zipper:r1c1,r2c2,r3c3",
    "boxes=2x2;or:(thermo:r1c1,r1c2),(cage=7:r1c1,r1c2)",
    "boxes=2x2;full-rank=3:row1",
    "boxes=2x2;region-sum:r1c1,r1c2,r1c3",
    "boxes=2x2;rellik=1:r1c2,r1c3,r2c1",
)


WITHOUT = {"chaos", "formula", "connected", "edge-connected", "single-loop"}


def form_of(rules: str) -> tuple[list[Clause], Positive]:
    preamble = preamble_of(constraints_for(rules))
    clauses = restated(preamble.board, preamble.rules)
    return sorted(clauses), positive(preamble.board, preamble.rules)


def signed(form: Positive) -> list[list[int]]:
    """The form as clauses of a solver."""
    pairs = [sorted({-one - 1, -other - 1}) for one, other in form.pairs]
    return [[x + 1 for x in clause] for clause in form.clauses] + pairs


def negations(form: Positive, variables: int) -> dict[int, int]:
    """Of each variable "not x" beyond those of the clauses the x, both from 1."""
    pairs = {(one + 1, other + 1) for one, other in form.pairs}
    binary = {(x[0] + 1, x[1] + 1) for x in form.clauses if len(x) == 2}
    found = {other: one for one, other in pairs & binary if one <= variables < other}
    assert {*found} == {*range(variables + 1, form.variables + 1)}
    return found


@pytest.mark.parametrize("rules", WIDE)
def test_it_says_what_the_clauses_say(rules: str) -> None:
    clauses, form = form_of(rules)
    known = {abs(x) for clause in clauses for x in clause}
    negated = negations(form, max([form.cells * form.digits, *known]))
    both = {**{x: -y for x, y in negated.items()}, **{-x: y for x, y in negated.items()}}
    told = {tuple(sorted({both.get(x, x) for x in clause})) for clause in signed(form)}
    assert {clause for clause in told if not any(-x in clause for x in clause)} == {*clauses}


@pytest.mark.parametrize("rules", WIDE)
def test_it_has_the_same_models(rules: str) -> None:
    clauses, form = form_of(rules)
    last = max([form.cells * form.digits, *(abs(x) for clause in clauses for x in clause)])
    negated = negations(form, last)
    assert all(solves(clauses, model[:last]) for model in models(signed(form)))
    for model in models(clauses):
        told = {*model}
        assert solves(
            signed(form), [*model, *(y if -x in told else -y for y, x in negated.items())]
        )


def models(clauses: Iterable[Iterable[int]]) -> list[list[int]]:
    """Some of their models."""
    with Cadical153(bootstrap_with=clauses) as solver:
        return [*islice(solver.enum_models(), 100)]


def solves(clauses: Iterable[Iterable[int]], literals: Iterable[int]) -> bool:
    true = {*literals}
    return all(not true.isdisjoint(clause) for clause in clauses)


def propagated(clauses: list[Clause], start: set[int]) -> set[int] | None:
    """All literals that follow; None for a contradiction."""
    true, before = {*start}, -1
    while len(true) != before:
        before = len(true)
        for clause in clauses:
            left = [x for x in clause if -x not in true]
            if not left:
                return None
            if len(left) == 1:
                true.add(left[0])
    return true


@pytest.mark.parametrize("rules", WIDE)
def test_propagation_finds_the_same(rules: str) -> None:
    draw, (clauses, form) = random.Random(1), form_of(rules)
    last = max([form.cells * form.digits, *(abs(x) for clause in clauses for x in clause)])
    found = 0
    for _ in range(12):
        chosen = draw.sample(range(1, last + 1), draw.randint(0, 6))
        start = {draw.choice((x, x, -x)) for x in chosen}
        true = {x - 1 for x in start if x > 0}
        false = {-x - 1 for x in start if x < 0}
        wanted = propagated(clauses, start)
        holds = sixty_lines.propagates(form.clauses, form.pairs, true, false)
        assert holds == (wanted is not None)
        if wanted is not None:
            found += 1
            assert {x + 1 for x in true if x < last} == {x for x in wanted if x > 0}
            assert {x + 1 for x in false if x < last} == {-x for x in wanted if x < 0}
    assert found or () in clauses


def test_a_literal_of_a_mixed_clause_has_a_variable_of_its_own() -> None:
    form = positive_form([(1, 2), (-1, -2), (-1, 3, 4), (-4,), (3,)], 1, 2)
    clauses, pairs = ((0, 1), (2,), (0, 4), (2, 3, 4)), ((0, 1), (0, 4), (3, 3))
    assert (form.variables, form.cells, form.digits) == (5, 1, 2)
    assert form.clauses == (clauses[0], *sorted(clauses[1:])) and form.pairs == pairs
    assert [*form.flat[0]] == [2, 0, 1, 2, 0, 4, 1, 2, 3, 2, 3, 4]
    assert [*form.flat[1]] == [0, 1, 0, 4, 3, 3]


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_clues_of_every_kind_have_trees_or_say_why_not(kind: str) -> None:
    draw, made = random.Random(kind), 0
    boxes, size = ("2x3", 6) if "entrop" in kind else ("2x2", 4)
    for _ in range(20):
        try:
            constraints = constraints_for(f"boxes={boxes};{random_clue(draw, kind, size)}")
            trees = trees_for(constraints, compiled=True)
            puzzles = some_puzzles(constraints, 1, 4)
        except ProofError as error:
            assert "trees" in str(error)
        except (SatdokuError, IndexError):
            continue  # no clue for this board, or no grid for the clue
        else:
            rows = trees.make(puzzles, most=99, every=True)
            assert {*rows.claims} == {ord("a")} and not any(trees.check(rows))
            made += 1
            if made == 2:
                return
    assert kind in WITHOUT, kind


def test_a_board_of_more_cells_is_refused_before_its_formula_is_stated() -> None:
    with pytest.raises(ProofError, match="at most 4096 cells"):
        positive(constraints_for("latin=65").board, ("latin",))
