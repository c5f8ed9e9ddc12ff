"""The picture under the page's own digits: the grid with all that is printed on it.

Invariant: it is that of `render`, so a puzzle looks the same on the page and on paper.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..render.background import THEMES, render_background
from .asked import AskedError, asked_puzzle, text_of
from .questions import Object


def picture(asked: Object) -> Iterator[Object]:
    """{"svg", "width", "height", "left", "top", "cell", "crowded"}: lengths in user units;
    `crowded` are the cells that have something in their upper corners."""
    puzzle = asked_puzzle(asked)
    theme = text_of(asked, "theme", THEMES[0])
    if theme not in THEMES:
        raise AskedError(f"theme: found {theme[:20]!a}, expected {' or '.join(THEMES)}")
    yield render_background(puzzle.constraints, theme)._asdict()
