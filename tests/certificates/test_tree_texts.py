"""Rows as texts, there and back."""

from __future__ import annotations

import pytest

from satdoku.certificates.check_trees import checker_of
from satdoku.certificates.collection import certified_rows
from satdoku.certificates.fields import CertificateError
from satdoku.certificates.tree.rows import columns
from satdoku.certificates.tree_texts import row_of, text_of
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import parse_grid

LAYERED = "shape=4x4;boxes=2x2;layer=shade:0-1;connected=1:shade"
LINES = ("1234341221434321", "." * 16, "11" + "." * 14, "....3412..434321")


@pytest.mark.parametrize(("rules", "letters"), [("boxes=2x2", "umnm"), (LAYERED, "UMNM")])
def test_a_text_says_what_its_row_says(rules: str, letters: str) -> None:
    constraints = constraints_for(rules)
    board = constraints.board
    puzzles = b"".join(bytes(parse_grid(line).cells).ljust(board.cells, b"\0") for line in LINES)
    rows = [*certified_rows(puzzles, constraints).each(board.cells)]
    for row, letter in zip(rows, letters, strict=True):
        solution = row.solutions[-1] if row.solutions else bytes(board.cells)
        stated = solution[: board.grid_cells].ljust(board.cells, b"\0")  # nothing of layers
        text = text_of(row, solution, board)
        assert text[0] == letter and row_of(text, row.puzzle, stated, board) == row
    assert not checker_of(board, constraints.rules).refusals(columns(rows))


def test_a_certificate_is_about_the_stated_solution() -> None:
    constraints = constraints_for(LAYERED)
    board = constraints.board
    puzzle = bytes(parse_grid(LINES[0]).cells).ljust(board.cells, b"\0")
    (row,) = certified_rows(puzzle, constraints).each(board.cells)
    text = text_of(row, row.solutions[0], board)
    with pytest.raises(CertificateError, match="about another solution"):
        row_of(text, puzzle, puzzle[::-1], board)
