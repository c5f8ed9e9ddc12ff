"""Formulas of large puzzles as DIMACS; tests/cli/commands/test_decode.py reads answers back."""

from __future__ import annotations

from satdoku.answers.large.dimacs import format_cnf
from satdoku.answers.large.solve import LargeQuery
from satdoku.generator.holes import puzzles_with_holes
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import Grid, as_grid
from satdoku.model.notes import notes_in, read_notes
from satdoku.model.puzzle import Puzzle

RULES = constraints_for("boxes=4x9")
PUZZLE = as_grid(puzzles_with_holes(1, "boxes=4x9", size=36, holes=0.45, seed=1)[0], RULES.board)


def test_the_comments_give_puzzle_and_rules_back():
    query = LargeQuery(Puzzle(PUZZLE, RULES))
    text = "".join(format_cnf(query))
    assert read_notes(notes_in(text.splitlines())) == (RULES, PUZZLE)
    assert "c satdoku-rules boxes=4x9\n" in text
    lines = [line for line in text.splitlines() if not line.startswith("c")]
    assert lines[0] == f"p cnf {query.formula.variables} {len(lines) - 1}"


def test_a_conflict_is_a_formula_without_model():
    clashing = Grid(b"\3\3" + PUZZLE.cells[2:], PUZZLE.board)
    assert "".join(format_cnf(LargeQuery(Puzzle(clashing, RULES)))).endswith(
        "p cnf 1 2\n1 0\n-1 0\n"
    )
