"""Trees in words, and as proofs for other checkers."""

from __future__ import annotations

import random

import pytest

from satdoku import Session
from satdoku.certificates.check import SectionChecker
from satdoku.certificates.check_trees import formula_of
from satdoku.certificates.collection import Proving, certified_rows
from satdoku.certificates.format import Preamble
from satdoku.certificates.make import preamble_of, with_hints
from satdoku.certificates.proof import parse_drat
from satdoku.certificates.walk_trees import Walker, certificate_of, steps_of
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import Grid, parse_grid

RULES = (
    "boxes=2x2",
    "boxes=2x3;knight",
    "boxes=2x2;thermo:r1c1,r1c2,r2c2",
    "boxes=2x3;arrow:r1c1>r1c2,r1c3",
    "boxes=2x3;cage=9:r1c1,r1c2,r2c2",
    "shape=5x5;boxes=1x5;digits=0-4",
    "shape=4x4;boxes=2x2;layer=shade:0-1;connected=1:shade",
)


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("every", [False, True])
def test_other_checkers_accept_a_tree(rules: str, every: bool) -> None:
    constraints = constraints_for(rules)
    board, names = constraints.board, preamble_of(constraints).rules
    _, clauses, text = formula_of(board, names)
    preamble = Preamble(board, names, text)
    checker, draw = SectionChecker(preamble, clauses), random.Random(3)
    with Session(constraints) as session:
        (full,) = session.solutions(Grid(bytes(board.cells), board), limit=1)
    whole = bytes(full)[: board.grid_cells].ljust(board.cells, b"\0")
    puzzles = b"".join(
        bytes(digit * (draw.random() < 0.45) for digit in whole) for _ in range(12)
    )  # fmt: skip
    proofs = 0
    for row in certified_rows(puzzles, constraints, Proving(every)).each(board.cells):
        made = certificate_of(row, board, names)
        assert checker.refusal(made) is None
        if made.proof is not None:
            proofs += 1
            assert checker.refusal(with_hints(preamble, made)) is None
    assert proofs


def test_words_of_candidates_and_of_variables_of_clues() -> None:
    constraints = constraints_for("boxes=2x3;arrow:r1c1>r1c2,r1c3")
    walker = Walker(constraints.board, preamble_of(constraints).rules)
    assert walker.words(8) == "r1c2 = 3"
    assert walker.words(216) == "x217"
    denied = {walker.literal(variable) for variable in range(walker.variables)}
    assert min(denied) < 0 < max(denied)
    assert "r1c2 is not 3" in {walker.words(variable) for variable in range(walker.variables)}


def test_a_tree_in_words() -> None:
    constraints = constraints_for("boxes=2x2")
    puzzle = bytes(parse_grid("1234341221434321").cells)
    empty = bytes(4) + puzzle[4:8] + bytes(2) + puzzle[10:]
    rows = [*certified_rows(puzzle + empty, constraints, Proving(every=True)).each(16)]
    told = [[step.text for step in steps_of(row, constraints.board, ())] for row in rows]
    assert told[0] == ["propagation alone: the solution"]
    assert told[1] == ["r1c1 = 1: solution 1", "r1c1 = 2: solution 2"]
    (clash,) = certified_rows(b"\1\1" + bytes(14), constraints).each(16)
    (none,) = steps_of(clash, constraints.board, ())
    assert none.text == "propagation alone: contradiction"
    (several,) = certified_rows(bytes(16), constraints).each(16)
    assert steps_of(several, constraints.board, ()) == []


def test_a_lemma_for_each_node_children_first() -> None:
    constraints = constraints_for("boxes=2x2")
    puzzle = bytes(parse_grid("1..........2....").cells)
    (row,) = certified_rows(puzzle, constraints, Proving(every=True)).each(16)
    walker = Walker(constraints.board, ())
    nodes = list(walker.nodes(row))
    steps = list(parse_drat(walker.proof(row)))
    assert sum(node.solution is not None for node in nodes) == len(row.solutions) > 3
    lemmas = [line for line in walker.proof(row).splitlines() if not line.startswith("d ")]
    assert len(lemmas) == len(nodes) and lemmas[-1] == "0" and steps
    assert max(len(node.path) for node in nodes) > 1
