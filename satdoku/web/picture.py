"""The picture under the page's own digits: the grid with all that is printed on it.

Invariant: it is that of `render`, so a puzzle looks the same on the page and on paper.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..model.board import Board
from ..model.kinds import KINDS, clue_of
from ..model.nearness import clue_warning
from ..render.svg import THEMES, render_background
from .asked import AskedError, asked_puzzle, text_of
from .questions import Object


def picture(asked: Object) -> Iterator[Object]:
    """{"svg", "width", "height", "left", "top", "cell", "crowded", "clues"}: lengths in user units;
    `crowded` are the cells that have something in their upper corners; `clues` says of each stated
    clue {"text", "says", "cells", "warning"}, the warning if its cells lie apart and should not."""
    puzzle = asked_puzzle(asked)
    theme = text_of(asked, "theme", THEMES[0])
    if theme not in THEMES:
        raise AskedError(f"theme: found {theme[:20]!a}, expected {' or '.join(THEMES)}")
    drawn = render_background(puzzle.constraints, theme)._asdict()
    yield {**drawn, "clues": [_clue(text, puzzle.constraints.board) for text in _texts(asked)]}


def _texts(asked: Object) -> list[str]:
    """The clues as they are stated, one by one."""
    stated = asked["puzzle"].get("clues") or []
    return (
        stated if isinstance(stated, list) else [*filter(None, map(str.strip, stated.split(";")))]
    )


def _clue(text: str, board: Board) -> Object:
    clue = clue_of(text, board)
    return {
        "text": text,
        "says": KINDS[clue.kind].sentence.replace("{value}", clue.value or "N"),
        "cells": sorted(set(clue.cells)),
        "warning": clue_warning(text, board),
    }
