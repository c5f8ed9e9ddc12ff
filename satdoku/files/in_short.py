"""Puzzles of other programs in one line, and as pictures in notebooks.

Invariant: a title or an author cannot act on a terminal or a page: they are escaped.
"""

from __future__ import annotations

from typing import Protocol

from ..errors import shown
from ..model.constraints import constraints_for
from ..model.grid import Grid


class Stated(Protocol):
    """A grid with its rules."""

    @property
    def grid(self) -> Grid: ...
    @property
    def rules(self) -> str: ...


def in_short(puzzle: Stated) -> str:
    """`<FPuzzle 'Title' by 'Author': 9x9, 3 digits, rules knight, clues: 12>`."""
    constraints = constraints_for(puzzle.rules, puzzle.grid.board)
    size, clues = puzzle.grid.board.size, len(constraints.clue_texts)
    names = constraints.name.partition(";")[0]
    facts = [f"{size}x{size}", f"{puzzle.grid.givens} digits", f"rules {names}", f"clues: {clues}"]
    return f"<{type(puzzle).__name__}{_by_whom(puzzle)}: {', '.join(facts)}>"


def drawn(puzzle: Stated) -> str:
    """The picture that a notebook shows, an SVG element."""
    from satdoku import render_svg  # by the top package: `files` must not import `render`

    stated = getattr(puzzle, "marks", getattr(puzzle, "candidates", None))
    every = frozenset(range(1, puzzle.grid.board.size + 1))
    marks = stated and [() if digits == every else digits for digits in stated]
    words = _by_whom(puzzle).strip()
    return render_svg(puzzle.grid, puzzle.rules, candidates=marks, caption=words)


def _by_whom(puzzle: Stated) -> str:
    title, author = (shown(str(getattr(puzzle, name, ""))) for name in ("title", "author"))
    return (f" '{title}'" if title else "") + (f" by '{author}'" if author else "")
