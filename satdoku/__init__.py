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
    "Grid": "grid",
    "GridError": "grid",
    "RULES": "rules",
    "SatdokuError": "errors",
    "Session": "session",
    "Status": "errors",
    "candidates": "api",
    "classify": "api",
    "constraints": "rules",
    "count": "api",
    "parse_grid": "grid",
    "propagate": "api",
    "read_puzzles": "entries",
    "solutions": "api",
    "solve": "api",
    "solve_batch": "batch",
}
__all__ = [
    "RULES", "Board", "Constraints", "Grid", "GridError", "SatdokuError", "Session", "Status",
    "__version__", "candidates", "classify", "constraints", "count", "parse_grid", "propagate",
    "read_puzzles", "solutions", "solve", "solve_batch",
]  # fmt: skip

if TYPE_CHECKING:
    from .api import candidates, classify, count, propagate, solutions, solve
    from .batch import solve_batch
    from .board import Board
    from .entries import read_puzzles
    from .errors import SatdokuError, Status
    from .grid import Grid, GridError, parse_grid
    from .rules import RULES, Constraints, constraints
    from .session import Session


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'satdoku' has no attribute '{name}'")
    value = getattr(import_module(f".{_HOME[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME])
