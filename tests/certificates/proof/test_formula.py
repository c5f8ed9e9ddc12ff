"""Clauses restated from the witness's statements of clues, against the encoder's."""

import random
from array import array
from dataclasses import replace

import pytest
from wide_puzzles import WIDE, wide_puzzles

from satdoku.certificates.proof.formula import difference, restated
from satdoku.cnf.encodings import encode
from satdoku.cnf.encodings.groups import extended
from satdoku.model.clue import ClueError
from satdoku.model.constraints import constraints_for
from satdoku.model.shapes import Alike, Automaton, Connected, DigitSets, Ranked


@pytest.mark.parametrize("kind", WIDE)
def test_the_encoder_and_the_sentence_give_the_same_clauses(kind):
    """Two ways that share nothing: functions of states, and derivatives of the statement."""
    for constraints in wide_puzzles(kind, 2, 6):
        clauses = {tuple(sorted(clause)) for clause in encode(constraints).clauses}
        assert clauses == restated(constraints.board, constraints.rules)


@pytest.mark.covering
@pytest.mark.parametrize("values", ["0-1", "0,2", "2-3", "-1,1,3", "1-9"])
@pytest.mark.parametrize("board", [
    "latin,shape=2x3", "shape=4x4,nonconsecutive", "shape=4x4,no-rows,digits=0-3",
    "shape=4x4,digits=0,2,5,7,8,9",
])  # fmt: skip
def test_cells_of_layers_have_their_own_digits(board, values):
    told = 0
    for clue in READ_LAYERS:
        try:
            constraints = constraints_for(f"{board};layer=shade:{values};{clue}".rstrip(";"))
        except ClueError:  # a sum out of reach, or a digit without a character
            continue
        clauses = {tuple(sorted(clause)) for clause in encode(constraints).clauses}
        assert clauses == restated(constraints.board, constraints.rules), clue
        told += 1
    assert told > 4


READ_LAYERS = (
    "", "sum=5:r1c1,shade.r1c1,shade.r2c3", "weighted=2,-1=3:r1c1,shade.r1c2",
    "thermo:shade.r1c1,r1c1,r2c1", "clone:r1c1>shade.r2c2", "count=1x2:shade.row1",
    "count-distinct:r1c1>shade.row1", "count-distinct:shade.r1c1>shade.row2",
    "count-distinct:r1c1>shade.row1,r2c2", "circles:shade.row1,shade.row2",
    "or:(sum=0:shade.r1c1),(sum=6:r1c1,r2c1,shade.r1c1)", "cage=4:r1c1,shade.r1c1",
    "cage=6:r1c1,r2c2,shade.r1c2", "cage=3:shade.r1c1,shade.r1c2", "regex=1.*:shade.row1",
    "machine=a-1>b,a-[^1]>a,b-2>b,b*:shade.r1c1,shade.r1c2,r1c1,r2c1",
)  # fmt: skip


@pytest.mark.parametrize("kind", WIDE)
def test_a_clause_more_or_less_is_told(kind):
    (constraints,) = wide_puzzles(kind, 1, 6)
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
    able = (c for c in wide_puzzles(kind, 9, 6) if any(map(accepts_something, shapes_of(c))))
    constraints = next(able)
    expected = restated(constraints.board, constraints.rules)
    family = next(f for f in constraints.families if f.shapes)
    for shape in filter(accepts_something, family.shapes):
        wrong = spoil(shape)
        shapes = tuple(wrong if other is shape else other for other in family.shapes)
        spoilt = tuple(replace_shapes(f, family, shapes) for f in constraints.families)
        formula = extended(replace(constraints, _families=spoilt))
        assert {tuple(sorted(clause)) for clause in formula.clauses} != expected


def shapes_of(constraints):
    return next(family.shapes for family in constraints.families if family.shapes)


def accepts_something(shape):
    return not isinstance(shape, Automaton) or all(shape.layers)


def spoil(shape):
    """The first edge, set or candidate gone."""
    if isinstance(shape, Ranked):
        return shape._replace(less=(shape.less + 1) % 4)
    if isinstance(shape, Connected):
        return shape._replace(held=shape.held ^ {1})
    if isinstance(shape, Alike):
        return shape._replace(less=1 - shape.less)
    if isinstance(shape, Automaton):
        return Automaton(shape.cells, (shape.layers[0][1:], *shape.layers[1:]))
    if isinstance(shape, DigitSets):
        return shape._replace(sets=shape.sets[1:])
    return shape._replace(candidates=shape.candidates[1:])


def replace_shapes(family, which, shapes):
    if family is not which:
        return family
    said = replace(family.said, shapes=shapes)
    return replace(family, said=said, at=range(1000))
