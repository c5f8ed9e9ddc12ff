"""The batch engine: unit propagation and search over many puzzles at once, a bit per puzzle.

Invariant: two implementations give one answer. The numpy one, `reference`, is there to be read, and
serves where there was no compiler; the C kernel is there to be fast. Statuses and the solutions of
unique puzzles are bit-identical. Which of several solutions is found, and how many nodes that
takes, may differ.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .targets import NUMPY, EngineError, active, describe, implementations

if TYPE_CHECKING:
    from .api import (
        MOST_LISTED,
        NODE_BUDGET,
        Counted,
        EngineResult,
        Listed,
        count,
        listed,
        propagate,
        solve,
    )
    from .listing import enumerate_grids

__all__ = [
    "MOST_LISTED", "NODE_BUDGET", "NUMPY", "Counted", "EngineError", "EngineResult", "Listed",
    "active", "count", "describe", "enumerate_grids", "implementations", "listed", "propagate",
    "solve",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """What needs numpy is imported on first use."""
    if name not in __all__:
        raise AttributeError(f"module 'satdoku.engine' has no attribute '{name}'")
    from . import api, listing

    home = listing if name == "enumerate_grids" else api
    globals()[name] = value = getattr(home, name)
    return value
