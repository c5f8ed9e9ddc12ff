"""What a generator refuses.

Invariant: both say what was found and what was asked for.
"""

from __future__ import annotations

from ..errors import SatdokuError


class GeneratorError(SatdokuError):
    """Puzzles that cannot be made, or that were not found within the tries allowed."""


class NotUniqueError(SatdokuError):
    """A puzzle to be made minimal that has no solution, or several."""
