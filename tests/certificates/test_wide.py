"""Automata derived from the witness's statements, against brute force and against the encoder's."""

import random
from array import array
from dataclasses import replace
from itertools import product

import pytest
from clue_examples import random_clue
from examples import FOUR

from satdoku.certificates.proof.formula import difference, restated
from satdoku.certificates.proof.wide import layers_of
from satdoku.cnf.encodings import encode, extended
from satdoku.model.board import Board
from satdoku.model.clue import ClueError
from satdoku.model.constraints import constraints_for
from satdoku.model.kinds import KINDS
from satdoku.model.shapes import Automaton, DigitSets
from satdoku.witness.clues import Part
from satdoku.witness.rules import stated

WIDE = sorted(kind for kind in KINDS if KINDS[kind].shapes or KINDS[kind].joins)


def drawn(kind, count, size):
    """Random clues of the kind that say something of three cells or more."""
    rng, board, found = random.Random(f"{kind} {size}"), Board.of_size(size), []
    while len(found) < count:
        try:
            constraints = constraints_for(random_clue(rng, kind, size), board)
        except ClueError:
            continue
        found += [constraints] if constraints.is_wide else []
    return found


def words(layers):
    """Every sequence of digits that the edges accept."""
    ways = [((), 0)]
    for edges in layers or [()]:
        ways = [((*w, d), after) for w, s in ways for before, d, after in edges if before == s]
    return {word for word, _ in ways}


@pytest.mark.parametrize("kind", sorted(set(WIDE) - {"entropy"}))
def test_the_automaton_accepts_what_the_statement_allows(kind):
    for constraints in drawn(kind, 6, 4):
        for said in stated(FOUR, constraints.rules):
            for part in (p for p in said.wide if isinstance(p, Part) and len(p.cells) < 8):
                every = product(range(1, 5), repeat=len(part.cells))
                assert words(layers_of(part, 4)) == {w for w in every if part.holds(*w)}


@pytest.mark.parametrize("kind", WIDE)
def test_the_encoder_and_the_sentence_give_the_same_clauses(kind):
    """Two ways that share nothing: functions of states, and derivatives of the statement."""
    for constraints in drawn(kind, 4, 6):
        clauses = {tuple(sorted(clause)) for clause in encode(constraints).clauses}
        assert clauses == restated(constraints.board, constraints.rules)


@pytest.mark.parametrize("kind", WIDE)
def test_a_clause_more_or_less_is_told(kind):
    (constraints,) = drawn(kind, 1, 6)
    formula = encode(constraints)
    shaped = next(f for f in formula.families if f.name.endswith(": shapes")).clauses
    lost = random.Random(kind).choice(shaped)
    fewer = [clause for clause in formula.clauses if clause != lost]
    stronger = [*formula.clauses, (*lost[1:], lost[0], -formula.variables)]
    for clauses, problem in ((fewer, "lacks 1"), (stronger, "has 1 clause")):
        flat = array("i", (literal for clause in clauses for literal in (*clause, 0)))
        told = difference(formula.variables, flat, constraints.board, constraints.rules)
        assert told is not None
        assert problem in told


@pytest.mark.parametrize("kind", WIDE)
def test_a_wrong_automaton_is_told(kind):
    """One edge less in an automaton, or one set less, changes the encoder's clauses."""
    able = (c for c in drawn(kind, 9, 6) if any(map(accepts_something, shapes_of(c))))
    constraints = next(able)
    expected = restated(constraints.board, constraints.rules)
    family = next(f for f in constraints.families if f.shapes)
    for shape in filter(accepts_something, family.shapes):
        wrong = spoil(shape)
        shapes = tuple(wrong if other is shape else other for other in family.shapes)
        spoilt = tuple(replace_shapes(f, family, shapes) for f in constraints.families)
        formula = extended.encode(replace(constraints, families=spoilt))
        assert {tuple(sorted(clause)) for clause in formula.clauses} != expected


def shapes_of(constraints):
    return next(family.shapes for family in constraints.families if family.shapes)


def accepts_something(shape):
    return not isinstance(shape, Automaton) or all(shape.layers)


def spoil(shape):
    """The first edge, set or candidate gone."""
    if isinstance(shape, Automaton):
        return shape._replace(layers=(shape.layers[0][1:], *shape.layers[1:]))
    if isinstance(shape, DigitSets):
        return shape._replace(sets=shape.sets[1:])
    return shape._replace(candidates=shape.candidates[1:])


def replace_shapes(family, which, shapes):
    return family._replace(shapes=shapes) if family is which else family
