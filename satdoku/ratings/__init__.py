"""Ratings of classic puzzles on the scale of Sudoku Explainer, and the steps behind them.

Invariant: a rating is that of Sukaku Explainer 1.18.1 with its default settings, to the tenth. Two
implementations give one answer: `reference` is there to be read, and serves where there was no
compiler; the C extension is there to be fast.

    er  the hardest step (a puzzle's rating)
    ep  the hardest step up to the first placed digit ("pearl")
    ed  the first step ("diamond")

docs/RATINGS.md has the techniques, their order and their ratings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .api import FIELDS, TECHNIQUES, Node, Step, rate_grids, steps_of

__all__ = ["FIELDS", "TECHNIQUES", "Node", "Step", "rate_grids", "steps_of"]


def __getattr__(name: str) -> Any:
    """What needs numpy is imported on first use."""
    if name not in __all__:
        raise AttributeError(f"module 'satdoku.ratings' has no attribute '{name}'")
    from . import api

    globals()[name] = value = getattr(api, name)
    return value
