"""Sudoku as SAT: solve, audit, enumerate, export and cross-check puzzles, chess rules included.

Vocabulary, used everywhere:
    cell        0..80, row-major; people read r1c1..r9c9
    digit       1..9; 0 is an empty cell
    grid        81 digits: `Grid`, bytes with a board; (81,) uint8 where arrays are wanted
    given       a digit the puzzle states
    candidate   a pair (cell, digit), 0-based index 81*row + 9*column + digit-1
    variable    candidate + 1, as DIMACS counts: positive means "this digit is in this cell"
    house       a row, column or box
    peers       of a cell: the cells that share a house with it
    group       a set of candidates of which exactly one holds
    pair        two candidates that cannot both hold
    rule set    names such as `knight,diagonal`; `classic` is none of them,
                `miracle` is knight, king and nonconsecutive
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

# Where each public name lives: imported on first use, so that `import satdoku` costs nothing.
_HOME = {
    "Board": "board",
    "Constraints": "rules",
    "FPuzzle": "fpuzzles",
    "Grid": "grid",
    "GridError": "grid",
    "RULES": "rules",
    "SatdokuError": "errors",
    "Session": "session",
    "Status": "errors",
    "audit_files": "audit",
    "automorphisms": "symmetry",
    "candidates": "api",
    "canonical": "symmetry",
    "certify": "certifier",
    "certify_many": "certifier",
    "check_certificates": "recheck",
    "classify": "api",
    "constraints": "rules",
    "count": "api",
    "count_exact": "counting",
    "explain_cell": "explain",
    "explain_conflict": "explain",
    "explain_steps": "explain",
    "fewest_givens": "fewest",
    "format_fpuzzles": "fpuzzles",
    "generate": "generator",
    "minimize": "generator",
    "orbits": "symmetry",
    "parse_fpuzzles": "fpuzzles",
    "parse_grid": "grid",
    "pencil_marks": "pencil",
    "propagate": "api",
    "rate": "rating",
    "read_puzzles": "entries",
    "render_png": "render",
    "render_svg": "render",
    "render_terminal": "render",
    "report_page": "report",
    "report_text": "report",
    "solutions": "api",
    "solve": "api",
    "solve_batch": "batch",
}
__all__ = [
    "RULES", "Board", "Constraints", "FPuzzle", "Grid", "GridError", "SatdokuError", "Session",
    "Status", "__version__", "audit_files", "automorphisms", "candidates", "canonical", "certify",
    "certify_many", "check_certificates", "classify", "constraints", "count", "count_exact",
    "explain_cell", "explain_conflict", "explain_steps", "fewest_givens", "format_fpuzzles",
    "generate", "minimize", "orbits", "parse_fpuzzles", "parse_grid", "pencil_marks", "propagate",
    "rate", "read_puzzles", "render_png", "render_svg", "render_terminal", "report_page",
    "report_text", "solutions", "solve", "solve_batch",
]  # fmt: skip

if TYPE_CHECKING:
    from .api import candidates, classify, count, propagate, solutions, solve
    from .audit import audit_files
    from .batch import solve_batch
    from .board import Board
    from .certifier import certify, certify_many
    from .counting import count_exact
    from .entries import read_puzzles
    from .errors import SatdokuError, Status
    from .explain import explain_cell, explain_conflict, explain_steps
    from .fewest import fewest_givens
    from .fpuzzles import FPuzzle, format_fpuzzles, parse_fpuzzles
    from .generator import generate, minimize
    from .grid import Grid, GridError, parse_grid
    from .pencil import pencil_marks
    from .rating import rate
    from .recheck import check_certificates
    from .render import render_png, render_svg, render_terminal
    from .report import report_page, report_text
    from .rules import RULES, Constraints, constraints
    from .session import Session
    from .symmetry import automorphisms, canonical, orbits


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'satdoku' has no attribute '{name}'")
    value = getattr(import_module(f".{_HOME[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME])
