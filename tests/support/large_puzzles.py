"""Puzzles of 36x36 for tests of commands: one with one solution, one with several."""

from __future__ import annotations

from satdoku.generator.holes import puzzles_with_holes
from satdoku.model.grid import as_grid, format_pretty

UNIQUE, SEVERAL = (
    as_grid(puzzles_with_holes(1, size=36, holes=share, seed=1)[0]) for share in (0.3, 0.4)
)


def file_of_both(folder):
    """The name of a file with both: one on a line, one in rows."""
    path = folder / "large.txt"
    path.write_text(f"{UNIQUE}\n{format_pretty(SEVERAL)}\n")
    return str(path)
