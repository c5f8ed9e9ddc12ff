"""Trees by search: in C and in Python the same bytes, and they hold."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from soak import share
from tree_cases import RULES, random_formula, some_puzzles, trees_for, trees_of_formula

from satdoku.certificates.tree import NO_TREE, Trees, Verdict
from satdoku.certificates.tree.rows import columns
from satdoku.model.constraints import constraints_for


def same(one: Trees, puzzles: bytes, most: int, every: bool, room: int, *may: int) -> set[int]:
    """The claims that C and Python make, with trees that hold."""
    other = trees_of_formula(one.formula, compiled=False)
    for short in (True, False):
        rows = one.make(puzzles, most=most, every=every, room=room, short=short)
        assert other.make(puzzles, most=most, every=every, room=room, short=short) == rows
    for claim, verdict in zip(rows.claims, one.check(rows), strict=True):
        assert claim in (NO_TREE, ord("m")) or verdict in (Verdict.HOLDS, *may)
    return {*rows.claims}


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("every", [False, True])
def test_c_and_python_make_the_same_trees_and_accept_them(rules: str, every: bool) -> None:
    constraints = constraints_for(rules)
    puzzles = some_puzzles(constraints, 1, 12)
    trees = trees_for(constraints, compiled=True)
    assert ord("a" if every else "u") in same(trees, puzzles, 200 if every else 1, every, 1 << 16)


@pytest.mark.parametrize("rules", ["classic", "diagonal;knight", "windoku", "nonconsecutive"])
def test_they_do_of_boards_of_nine(rules: str) -> None:
    constraints = constraints_for(rules)
    trees = trees_for(constraints, compiled=True)
    same(trees, some_puzzles(constraints, 1, 6, 0.3), 3, False, 200)


@pytest.mark.parametrize("rules", ["classic", "diagonal"])
def test_the_tree_of_a_puzzle_does_not_depend_on_the_others(rules: str) -> None:
    constraints = constraints_for(rules)
    trees = trees_for(constraints, compiled=True)
    puzzles = some_puzzles(constraints, 1, 700, 0.25)
    together = list(trees.make(puzzles, most=3).each(81))
    assert len(together) == 700
    assert sum(1 for row in together if row.tree) > 40
    for row in together:
        assert trees.make(row.puzzle, most=3) == columns([row])


@given(st.integers(0, 2**32))
@settings(max_examples=share(100), deadline=None)
def test_they_do_of_random_formulas(seed: int) -> None:
    draw = random.Random(seed)
    trees = trees_of_formula(random_formula(draw), compiled=True)
    digits = trees.formula.digits
    cells = bytes(draw.choice((0, 0, draw.randint(1, digits))) for _ in range(6 * trees.cells))
    # Cells may leave another variable open, as those of a puzzle under rules never do.
    may = [Verdict.NO_SOLUTION] if trees.formula.variables > digits * trees.cells else []
    most, room = draw.choice((1, 1, 3, 99)), draw.choice((0, 1, 99))
    same(trees, cells, most, draw.random() < 0.3, room, *may)


@pytest.mark.parametrize("compiled", [True, False])
def test_a_tree_without_room_is_not_made(compiled: bool) -> None:
    trees = trees_for(constraints_for("boxes=2x2"), compiled=compiled)
    (row,) = trees.make(bytes([1, *[0] * 15]), most=99, every=True).each(16)
    (cut,) = trees.make(row.puzzle, most=99, every=True, room=len(row.tree) - 1).each(16)
    (fits,) = trees.make(row.puzzle, most=99, every=True, room=len(row.tree)).each(16)
    assert cut == (NO_TREE, row.puzzle, (), b"") and fits == row


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("puzzles", [bytes([5, *[0] * 15]), bytes([255]) * 16, bytes(17)])
def test_puzzles_of_other_boards_are_refused(compiled: bool, puzzles: bytes) -> None:
    trees = trees_for(constraints_for("boxes=2x2"), compiled=compiled)
    with pytest.raises(ValueError, match="another size or with other digits"):
        trees.make(puzzles)
