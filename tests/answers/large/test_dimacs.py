"""Formulas of large puzzles as DIMACS; tests/cli/test_large.py reads answers back."""

from __future__ import annotations

import numpy as np
import pytest

from satdoku.answers.large import LargeSudoku
from satdoku.answers.large.dimacs import format_cnf, read_notes
from satdoku.cnf.dimacs import DecodeError
from satdoku.generator.holes import puzzles_with_holes

PUZZLE = puzzles_with_holes(1, "boxes=4x9", size=36, holes=0.45, seed=1)[0]


def test_the_comments_give_puzzle_and_rules_back():
    sudoku = LargeSudoku(PUZZLE, "boxes=4x9")
    text = "".join(format_cnf(sudoku))
    read = read_notes(text.encode())
    assert (read.cells == PUZZLE).all()
    assert read.rules == sudoku.rules
    assert "c satdoku-rules boxes=4x9\n" in text
    lines = [line for line in text.splitlines() if not line.startswith("c")]
    assert lines[0] == f"p cnf {sudoku.formula.variables} {len(lines) - 1}"


def test_a_conflict_is_a_formula_without_model():
    clashing = PUZZLE.copy()
    clashing[:2] = 3
    assert "".join(format_cnf(LargeSudoku(clashing))).endswith("p cnf 1 2\n1 0\n-1 0\n")
    with pytest.raises(DecodeError, match="no satdoku comments"):
        read_notes(b"p cnf 1 1\n1 0\n")
    assert np.count_nonzero(PUZZLE)
