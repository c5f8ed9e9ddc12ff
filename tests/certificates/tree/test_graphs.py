"""Decision graphs: in C and in Python the same bytes, the same verdicts, and the true number."""

from __future__ import annotations

import random
import time
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from soak import share
from tree_cases import changed_bytes, random_formula, trees_of_formula

from satdoku.certificates.tree import Trees
from satdoku.certificates.tree.formula import Positive
from satdoku.certificates.tree.graphs import GraphVerdict, is_countable, is_relabelled
from satdoku.cli import main
from satdoku.model.constraints import constraints_for
from satdoku.runtime import limits
from satdoku.runtime.errors import OutOfTime


def solutions(formula: Positive, puzzle: bytes) -> int:
    """By trying every grid."""
    found = 0
    for grid in product(range(formula.digits), repeat=formula.cells):
        true = {formula.digits * cell + digit for cell, digit in enumerate(grid)}
        kept = all(given in (0, digit + 1) for given, digit in zip(puzzle, grid, strict=True))
        some = all(not true.isdisjoint(clause) for clause in formula.clauses)
        found += kept and some and not any({*pair} <= true for pair in formula.pairs)
    return found


@given(st.integers(0, 2**32))
@settings(max_examples=share(150), deadline=None)
def test_a_graph_proves_the_true_number_alone(seed: int) -> None:
    draw = random.Random(seed)
    formula = random_formula(draw, extra=0)
    one, other = (trees_of_formula(formula, compiled=compiled) for compiled in (True, False))
    digits = [0, 0, 0, *range(1, formula.digits + 1)]
    puzzle = bytes(draw.choices(digits, k=formula.cells))
    graph, count = one.graph(puzzle, 1000)
    assert other.graph(puzzle, 1000) == (graph, count)
    assert count == solutions(formula, puzzle)
    for wrong in [graph, *(changed_bytes(draw, graph, graph) for _ in range(20))]:
        verdict, found = one.count(puzzle, wrong)
        assert other.count(puzzle, wrong)[0] == verdict
        assert verdict != GraphVerdict.HOLDS or found == count


def test_other_variables_cannot_be_counted() -> None:
    form = Positive(3, 1, 2, ((0, 1), (1, 2)), ((0, 1),))
    assert not is_countable(form) and is_countable(form._replace(variables=2))


def test_digits_are_relabelled_only_where_all_are_alike() -> None:
    own, pairs = ((0, 1), (2, 3)), ((0, 1), (0, 2), (1, 3), (2, 3))
    form = Positive(4, 2, 2, own, pairs)
    assert is_relabelled(form, bytes(2))
    assert not is_relabelled(form, b"\1\0")
    assert not is_relabelled(form._replace(pairs=(*pairs[:2], pairs[3])), bytes(2))
    assert not is_relabelled(form._replace(clauses=(*own, (0, 3))), bytes(2))


@pytest.mark.compiled
@pytest.mark.parametrize("compiled", [True, False])
def test_time_ends_the_search_and_the_check_of_a_graph(compiled: bool) -> None:
    board = constraints_for("boxes=2x3").board
    trees = Trees(board, (), compiled=compiled)
    graph, _ = Trees(board, ()).graph(bytes(36), 1 << 20)
    with limits.within(0):
        with pytest.raises(OutOfTime):
            trees.graph(bytes(36), 1 << 20)
        with pytest.raises(OutOfTime):
            trees.count(bytes(36), graph)


def test_a_count_with_a_certificate_ends_in_time(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    start = time.process_time()
    asked = ["count", "--rules", "boxes=2x4", "--certificate", str(tmp_path / "8x8.json")]
    assert main([*asked, "--timeout", "1"]) == 1
    assert "timed out after 1 s" in capsys.readouterr().err
    assert time.process_time() - start < 10
