"""Ranks at once say what they say one by one, in far fewer clauses."""

import random

import pytest
from clue_examples import keeps
from examples import FOUR
from pysat.solvers import Solver
from rank_clues import KINDS, WORDS, true_clues

from satdoku.answers.api import solve
from satdoku.answers.session import Session
from satdoku.cnf.clues import stated
from satdoku.cnf.encodings import build
from satdoku.model.board import Board
from satdoku.model.clue import read_clue
from satdoku.model.constraints import constraints_for


def models(formula):
    used = {abs(x) for clause in formula.clauses for x in clause}
    free = [(v,) for v in {*range(1, formula.variables + 1)} - used]
    with Solver("glucose4", bootstrap_with=[*formula.clauses, *free]) as solver:
        return sorted(map(formula.decode, solver.enum_models()))


@pytest.mark.parametrize("seed", range(40))
def test_each_solution_is_one_model(seed, four_by_four):
    """Ranks of one grid, and one that is drawn, which may contradict them."""
    rng = random.Random(seed)
    texts = [*true_clues(rng, rng.choice(four_by_four), 4, rng.randint(1, 9))]
    if seed % 2:
        texts.append(f"{rng.choice(KINDS)}={rng.randint(1, 16)}:{rng.choice(WORDS)}")
    constraints = constraints_for(";".join(texts), FOUR)
    clues = [read_clue(text, FOUR) for text in texts]
    wanted = [g for g in four_by_four if all(keeps(g, clue, clues, 4) for clue in clues)]
    assert seed % 2 or wanted
    formula = stated(constraints, "extended").formula
    assert all(formula.clauses)
    assert models(formula) == sorted(wanted)


def test_lines_of_two_cells_which_have_no_second_place():
    two = Board.of_size(2)
    grids = [b"\x01\x02\x02\x01", b"\x02\x01\x01\x02"]
    for kind in KINDS:
        for rank in range(1, 9):
            constraints = constraints_for(f"latin=2;{kind}={rank}:row1", two)
            clue = read_clue(f"{kind}={rank}:row1", two)
            wanted = [grid for grid in grids if keeps(grid, clue, [clue], 2)]
            assert models(stated(constraints, "extended").formula) == wanted


@pytest.mark.parametrize("encoding", ["extended", "triads", "minimal"])
def test_every_encoding_with_candidates_has_them(encoding):
    rng, board = random.Random(encoding), Board.of_size(6)
    grid = solve("." * 36, "classic").cells
    texts = ";".join(true_clues(rng, grid, 6, 7))
    constraints = constraints_for(texts, board)
    one_by_one = build(constraints, encoding)
    puzzle = bytes(d if rng.random() < 0.2 else 0 for d in grid)
    with Session(constraints, encoding=encoding) as session, Session(encoding=one_by_one) as other:
        assert len(session.formula.clauses) < len(one_by_one.clauses) / 2
        found = sorted(g.cells for g in session.solutions(puzzle))
        assert grid in found
        assert found == sorted(g.cells for g in other.solutions(puzzle))
        assert session.propagate(puzzle) == other.propagate(puzzle)
