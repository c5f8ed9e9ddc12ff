"""Implied sums are true of every solution, and stronger than the clues one by one; a clue holds if
its switch is on."""

import random
from itertools import count

import pytest
from clue_examples import keeps, random_clue
from examples import FOUR
from pysat.solvers import Solver

from satdoku.answers.session import Session
from satdoku.cnf import clues as module
from satdoku.cnf.clues import stated, strengthened, switched
from satdoku.cnf.encodings import build, encode
from satdoku.cnf.encodings.formula import ClauseFamily, Formula
from satdoku.model.board import Board
from satdoku.model.clue import ClueError, read_clue
from satdoku.model.constraints import constraints_for
from satdoku.model.kinds import KINDS, clue_of

SUMS = sorted(name for name, kind in KINDS.items() if kind.sums)
KEPT_OUT = {"entropic", "entropy"}  # whose digits fall into three classes: not on 4x4


def strong(constraints):
    formula = build(constraints)
    fresh = count(formula.variables + 1).__next__
    clauses = tuple(strengthened(formula, fresh))
    return Formula(constraints, "strong", (ClauseFamily("all", clauses),), fresh() - 1)


@pytest.mark.parametrize("kind", SUMS)
def test_each_solution_is_one_model(kind, four_by_four):
    rng = random.Random(kind)
    for _ in range(6):
        texts = constraints_for(";".join(random_clue(rng, k, 4) for k in (kind, "sum")), FOUR)
        clues = [read_clue(text, FOUR) for text in texts.clue_texts]
        formula = strong(texts)
        unused = {*range(1, formula.variables + 1)} - {abs(x) for c in formula.clauses for x in c}
        clauses = [*formula.clauses, *((variable,) for variable in unused)]
        with Solver("glucose4", bootstrap_with=clauses) as solver:
            models = sorted(map(formula.decode, solver.enum_models()))
        assert models == sorted(
            grid for grid in four_by_four if all(keeps(grid, c, clues, 4) for c in clues)
        )


def models_of(formula):
    unused = {*range(1, formula.variables + 1)} - {abs(x) for c in formula.clauses for x in c}
    clauses = [*formula.clauses, *((variable,) for variable in unused)]
    with Solver("glucose4", bootstrap_with=clauses) as solver:
        return sorted(map(formula.decode, solver.enum_models()))


READ_BY_STATES = ["regex", "machine", "skyscraper", "sandwich", "sum", "or", "lunchbox"]


@pytest.mark.parametrize("kind", READ_BY_STATES)
def test_automata_by_states_have_the_same_models(kind, four_by_four):
    rng, read = random.Random(kind), 0
    for _ in range(12):
        try:
            text = random_clue(rng, kind, 4)
            constraints = constraints_for(text, FOUR)
        except ClueError:
            continue
        clues = [read_clue(each, FOUR) for each in constraints.clue_texts]
        formula = stated(constraints, "extended").formula
        wanted = sorted(g for g in four_by_four if all(keeps(g, c, clues, 4) for c in clues))
        assert models_of(formula) == wanted
        read += formula.families[-1].name.endswith("shapes")
    assert read > 3


@pytest.mark.parametrize("cells", ["r1c1,r1c2,r2c1", "r1c1,r1c2,r2c3"])
def test_automata_by_sets_of_digits_have_the_same_models(cells, four_by_four):
    """Of three cells one is the sum of the others: sets of digits say it if the cells differ, as
    those of a box do."""
    parts = cells.split(",")
    each = (f"(arrow:{a}>{','.join(b for b in parts if b != a)})" for a in parts)
    constraints = constraints_for(f"or:{','.join(each)}", FOUR)
    clues = [read_clue(text, FOUR) for text in constraints.clue_texts]
    formula = stated(constraints, "extended").formula
    assert models_of(formula) == sorted(
        grid for grid in four_by_four if all(keeps(grid, clue, clues, 4) for clue in clues)
    )
    (shapes,) = (part for part in formula.families if part.name.endswith("shapes"))
    (automaton,) = (shape for family in constraints.families for shape in family.shapes)
    fresh = count(10**4).__next__
    by_states = len([*module.by_states(automaton, 4, fresh)])
    assert (len(shapes.clauses) == by_states) == (cells != "r1c1,r1c2,r2c1")


@pytest.mark.parametrize("kind", ["count", "circles"])
def test_counters_in_place_of_automata_have_the_same_models(kind, four_by_four):
    rng, counted = random.Random(kind), 0
    for _ in range(30):
        text = random_clue(rng, kind, 4)
        try:
            constraints = constraints_for(text, FOUR)
        except ClueError:
            continue
        clue = read_clue(text, FOUR)
        formula = stated(constraints, "extended").formula
        wanted = sorted(grid for grid in four_by_four if keeps(grid, clue, [clue], 4))
        assert models_of(formula) == wanted
        counted += formula.families[-1].name == "tallies"  # not of two cells
    assert counted > 5


def test_cells_of_a_layer_are_counted_one_by_one():
    """Its rows may hold a digit several times, and each pair of cells may."""
    cells = "shade.r1c1,shade.r1c2,shade.r1c3,shade.r2c1"
    for times in range(5):
        text = f"shape=4x4;layer=shade:0-2;count=2x{times}:{cells}"
        constraints = constraints_for(text)
        with Session(constraints) as session:
            assert session.formula.families[-1].name == "tallies"
            found = session.solve("." * 16).cells[16:]
        assert [found[0], found[1], found[2], found[4]].count(3) == times


@pytest.fixture
def few_are_heavy(monkeypatch):
    monkeypatch.setattr(module, "HEAVY", 10)
    stated.cache_clear()
    yield
    stated.cache_clear()


def test_a_session_has_no_automata_of_heavy_sums(few_are_heavy, four_by_four, monkeypatch):
    """Nor are they made: the strengthened formula takes their place at once."""
    texts = "sum=9:r1c1,r2c2,r3c3,r4c4;sandwich=5:row1"
    constraints = constraints_for(texts, FOUR)
    whole = build(constraints)
    monkeypatch.setattr(module, "encode", None)
    for solver in ("cadical153", "lingeling"):
        with Session(constraints, solver=solver) as session, Session(encoding=whole) as weak:
            names = [family.name for family in session.formula.families]
            assert names[-1] == "sums"
            assert not any(name.endswith("shapes") for name in names)
            found = {grid.cells for grid in session.solutions("." * 16)}
            assert found == {grid.cells for grid in weak.solutions("." * 16)}
            assert found
            assert session.propagate("." * 16) == weak.propagate("." * 16)


def test_a_session_has_the_formula_of_encode_if_there_is_nothing_else_to_say():
    constraints = constraints_for("cage=9:r1c1,r1c2,r2c1", FOUR)
    assert stated(constraints, "pairwise") == (encode(constraints), False)


def test_the_45_rule_removes_candidates():
    """r1c9 holds 3, which no clue says by itself."""
    texts = "cage=11:r1c1,r1c2;cage=12:r1c3,r1c4;cage=9:r1c5,r1c6;cage=10:r1c7,r1c8"
    constraints = constraints_for(texts)
    with Session(encoding=build(constraints)) as weak:
        assert weak.propagate("." * 81)[8] == 0
    with Session(encoding=strong(constraints)) as session:
        assert session.propagate("." * 81)[8] == 3


def test_contradictions_are_no_empty_clauses():
    six = Board.of_size(6)
    for text in ("sum=110:row1,row2,row3,row4,row5", "sum=22:row1", "equal-sum:r1c1>row2"):
        formula = strong(constraints_for(text, six))
        assert all(formula.clauses)
        with Session(encoding=formula, solver="glucose4") as session:
            assert session.solve("." * 36) is None


@pytest.mark.parametrize("kind", sorted(k for k in KINDS.keys() - KEPT_OUT if not KINDS[k].denies))
def test_the_clues_that_are_switched_on_hold_and_no_others(kind, four_by_four):
    rng = random.Random(kind)
    try:
        constraints = constraints_for(";".join(random_clue(rng, kind, 4) for _ in range(2)), FOUR)
    except ClueError:
        pytest.skip("two random clues are none")
    base, clauses, switches = switched(constraints)
    assert switches.keys() == {*constraints.clue_texts}
    with Solver("glucose4", clauses) as solver:
        for number in range(len(switches) + 1):
            on = constraints.clue_texts[:number]
            clues = [clue_of(text, FOUR) for text in on]
            for grid in four_by_four:
                assumed = [*base.literals(grid), *(switches[text] for text in on)]
                said = all(keeps(grid, clue, constraints.clues, 4) for clue in clues)
                assert solver.solve(assumed) == said, (on, grid)


def test_a_clue_that_a_rule_says_too_has_a_switch_of_its_own():
    constraints = constraints_for("diagonal;region:falling", FOUR)
    _, clauses, switches = switched(constraints)
    (switch,) = switches.values()
    assert sum(-switch in clause for clause in clauses) == 4 + 4 * 6


def test_sums_of_the_same_cells_hold_one_without_the_other(four_by_four):
    texts = "sum=11:r1c1-r1c3,r3c4,r4c4;sum=12:r1c1-r1c3,r2c4,r3c3"
    base, clauses, switches = switched(constraints_for(texts, FOUR))
    with Solver("glucose4", clauses) as solver:
        for text, cells, total in zip(
            switches, ((0, 1, 2, 11, 15), (0, 1, 2, 7, 10)), (11, 12), strict=True
        ):
            for grid in four_by_four:
                said = sum(grid[cell] for cell in cells) == total
                assert solver.solve([*base.literals(grid), switches[text]]) == said
