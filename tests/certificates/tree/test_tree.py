"""Trees in C and in Python: the same bytes, the same verdicts, of every rule set."""

from __future__ import annotations

import random

import pytest

from satdoku import Session
from satdoku.certificates.make import preamble_of
from satdoku.certificates.tree import COMPILED, Row, Trees, Verdict, columns
from satdoku.model.constraints import Constraints, constraints_for
from satdoku.model.grid import Grid

RULES = (
    "latin=4",
    "boxes=2x2",
    "boxes=2x3",
    "boxes=2x3;knight",
    "boxes=2x2;thermo:r1c1,r1c2,r2c2",
    "boxes=2x3;cage=9:r1c1,r1c2,r2c2",
    "boxes=2x3;arrow:r1c1>r1c2,r1c3",
    "shape=5x5;boxes=1x5;digits=0-4",
)


def trees_for(constraints: Constraints, *, compiled: bool) -> Trees:
    preamble = preamble_of(constraints)
    return Trees(preamble.board, preamble.rules, compiled=compiled)


def some_puzzles(constraints: Constraints, seed: int, count: int) -> bytes:
    """Full grids without some of their digits, and a few givens at random."""
    draw, cells = random.Random(seed), constraints.board.cells
    with Session(constraints) as session:
        full = [
            bytes(grid)
            for grid in session.solutions(Grid(bytes(cells), constraints.board), limit=8)
        ]
    puzzles = b""
    for _ in range(count):
        kept = draw.randint(cells // 2, cells - 1)
        places = {*draw.sample(range(cells), kept)}
        grid = draw.choice(full)
        puzzles += bytes(digit if at in places else 0 for at, digit in enumerate(grid))
    return puzzles


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("short", [False, True])
@pytest.mark.parametrize("every", [False, True])
def test_c_and_python_make_the_same_trees_and_accept_them(
    rules: str, every: bool, short: bool
) -> None:
    constraints = constraints_for(rules)
    one, other = (trees_for(constraints, compiled=compiled) for compiled in (True, False))
    puzzles = some_puzzles(constraints, 1, 12)
    rows = one.make(puzzles, most=200 if every else 1, every=every, short=short)
    assert other.make(puzzles, most=200 if every else 1, every=every, short=short) == rows
    assert not any(one.check(rows)) and not any(other.check(rows))
    assert ord("a" if every else "u") in rows.claims


def test_short_trees_are_shorter() -> None:
    trees = trees_for(constraints_for("classic"), compiled=COMPILED)
    hard = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
    puzzle = bytes(int(digit) if digit != "." else 0 for digit in hard)
    plain, short = (trees.make(puzzle, short=short) for short in (False, True))
    assert 2 * len(short.trees) < len(plain.trees)
    assert not any(trees.check(short))


@pytest.mark.parametrize("compiled", [True, False])
def test_a_tree_that_is_cut_longer_or_changed_is_refused(compiled: bool) -> None:
    trees = trees_for(constraints_for("boxes=2x2"), compiled=compiled)
    (row,) = trees.make(bytes([1, *[0] * 15]), most=99, every=True).each(16)
    assert len(row.tree) > 1 and len(row.solutions) > 1

    def verdict(changed: Row) -> Verdict:
        return Verdict(trees.check(columns([changed]))[0])

    assert verdict(row) == Verdict.HOLDS
    assert verdict(row._replace(tree=row.tree[:-1])) == Verdict.TOO_SHORT
    assert verdict(row._replace(tree=row.tree + b"\0")) == Verdict.TOO_LONG
    assert verdict(row._replace(tree=b"\xff" * 4 + row.tree)) == Verdict.NO_CLAUSE
    assert verdict(row._replace(solutions=row.solutions[1:])) == Verdict.OPEN
    assert verdict(row._replace(solutions=row.solutions[::-1])) == Verdict.NO_SOLUTION
    assert verdict(row._replace(solutions=row.solutions * 2)) == Verdict.NO_SOLUTION
    assert verdict(row._replace(claim=ord("u"))) == Verdict.NO_CLAIM
    assert verdict(row._replace(claim=ord("m"), solutions=row.solutions[:2])) == Verdict.NO_CLAIM
    assert verdict(row._replace(puzzle=b"\5" + row.puzzle[1:])) == Verdict.NO_PUZZLE


def test_columns_that_do_not_belong_together_are_refused() -> None:
    trees = trees_for(constraints_for("boxes=2x2"), compiled=COMPILED)
    rows = trees.make(bytes(16))
    with pytest.raises(ValueError, match="belong together"):
        trees.check(rows._replace(puzzles=bytes(15)))
