"""Rows as texts, there and back."""

from __future__ import annotations

import pytest
from sum_cases import long_sum

from satdoku.certificates.check_trees import checker_of
from satdoku.certificates.collection import certified_rows
from satdoku.certificates.fields import CertificateError
from satdoku.certificates.make import preamble_of
from satdoku.certificates.tree.rows import Row, columns
from satdoku.certificates.tree_texts import row_of, sums_in, text_of
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


@pytest.mark.parametrize("letter", "unUN")
def test_a_text_states_sums_behind_its_letter(letter: str) -> None:
    constraints = long_sum()[0]
    board, sums = constraints.board, preamble_of(constraints).sums
    solutions = (bytes(81),) if letter in "uU" else ()
    row = Row(ord(letter), bytes(81), solutions, b"{}")
    text = text_of(row, bytes(81), board, sums)
    plain = text_of(row, bytes(81), board)
    assert text.startswith(letter + '{"sums":[{"clues":[[1,0]],') and text.count(" ") == 1
    assert sums_in(text) == (plain, sums) and sums_in(plain) == (plain, ())
    for wrong in (
        text.replace(" ", ""),
        text.replace("houses", "more"),
        text.replace("[[1,0]]", "1"),
    ):
        with pytest.raises(CertificateError):
            sums_in(wrong)


def test_a_text_without_a_proof_states_no_sums() -> None:
    constraints = long_sum()[0]
    sums = preamble_of(constraints).sums
    row = Row(ord("m"), bytes(81), (bytes(81), b"\1" * 81), b"")
    assert text_of(row, bytes(81), constraints.board, sums) == "m" + "1" * 81
