"""Trees of a board and its rules: what is refused, and why."""

from __future__ import annotations

import pytest
from tree_cases import trees_for, trees_of_formula

from satdoku.certificates.tree import COMPILED, Row, Verdict, columns
from satdoku.certificates.tree.formula import Positive
from satdoku.model.constraints import constraints_for


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


@pytest.mark.parametrize("compiled", [True, False])
def test_a_tree_is_no_deeper_than_the_board_has_cells(compiled: bool) -> None:
    """Other variables that nothing joins are split before the two cells are."""
    own, others = ((0, 1), (2, 3)), ((4, 5), (6, 7))
    form = Positive(8, 2, 2, own + others, ((0, 1), (2, 3), (4, 5), (6, 7)))
    trees = trees_of_formula(form, compiled=compiled)
    grids = tuple(bytes([one, other]) for one in (1, 2) for other in (1, 2))
    trees_of = {b"\2\3": Verdict.TOO_DEEP, b"\0\1": Verdict.OPEN, b"\0\1\1": Verdict.NO_SOLUTION}
    for tree, verdict in trees_of.items():
        solutions = grids if verdict == Verdict.NO_SOLUTION else ()
        assert trees.check(columns([Row(ord("a"), bytes(2), solutions, tree)])) == bytes([verdict])


def test_columns_that_do_not_belong_together_are_refused() -> None:
    trees = trees_for(constraints_for("boxes=2x2"), compiled=COMPILED)
    rows = trees.make(bytes(16))
    with pytest.raises(ValueError, match="belong together"):
        trees.check(rows._replace(puzzles=bytes(15)))
