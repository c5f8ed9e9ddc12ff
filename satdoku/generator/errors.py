"""The errors of the generator.

Invariant: each says what was found and what was asked for.
"""

from __future__ import annotations

from ..errors import SatdokuError


class GeneratorError(SatdokuError):
    """Puzzles that cannot be made, or that were not found within the tries allowed."""


class NotUniqueError(SatdokuError):
    """A puzzle that cannot be minimized because it has no solution, or several."""
