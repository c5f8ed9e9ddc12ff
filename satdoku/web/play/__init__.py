"""Puzzles to play in any browser, from a file or in a notebook, without a server.

Invariant: a page holds no answer; the kernel in it finds them, and a browser without it still shows
the puzzle.

    satdoku.play(puzzle)                              # in a notebook
    Path("puzzle.html").write_text(satdoku.play_page([puzzle]))
"""

from __future__ import annotations

import html
from collections.abc import Iterable
from dataclasses import dataclass

from ...files.one import PuzzleLike, Rules, as_puzzle
from .page import page
from .told import told

HEIGHT = 780  # pixels of a frame in a notebook


def play_page(
    puzzles: Iterable[PuzzleLike],
    rules: Rules = None,
    *,
    title: str = "",
    with_path: bool = False,
    timeout: float | None = None,
) -> str:
    """Puzzles as one HTML page to play, which needs no server, no network and no other file.

    Each puzzle is drawn as `render_svg` draws it, with its title, its author and its rules in
    words. The page holds the engine, which says whether there is still a solution, which entry
    broke it, and which cell is next; it holds no solution. title: of the page, else that of the
    first puzzle. with_path: also the steps of a solve path in words, which name digits. timeout:
    seconds for each puzzle; the path ends there.

    Raises `SatdokuError` for what is no puzzle, for none and for more than 500; `BoardError` where
    the engine has no plan: layers, ranks and connected cells; `OutOfTime` if there was no time for
    the plan; `EngineError` where the kernel for browsers was not built, with what to install.
    """
    found = [as_puzzle(puzzle, rules) for puzzle in puzzles]
    return page([told(puzzle, path=with_path, timeout=timeout) for puzzle in found], title)


@dataclass(frozen=True)
class Player:
    """A puzzle to play in a notebook; `page` is its whole page in HTML."""

    page: str
    height: int = HEIGHT

    def _repr_html_(self) -> str:
        """The frame that a notebook shows."""
        style = f"width:100%;height:{self.height}px;border:0"
        return f'<iframe title="Sudoku" style="{style}" srcdoc="{html.escape(self.page)}"></iframe>'

    def __repr__(self) -> str:
        return f"<Player: a page of {len(self.page):,} characters>"


def play(
    puzzle: PuzzleLike,
    rules: Rules = None,
    *,
    with_path: bool = False,
    timeout: float | None = None,
) -> Player:
    """A puzzle to play in a notebook, in a frame of its own. Arguments and errors: `play_page`."""
    return Player(play_page([puzzle], rules, with_path=with_path, timeout=timeout))


__all__ = ["Player", "play", "play_page"]
