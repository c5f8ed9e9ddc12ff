"""How hard a puzzle is, in the words that a sheet prints.

Invariant: the words go by the rating of the hardest step alone (docs/RATINGS.md), so that two
puzzles with the same rating have the same word.
"""

from __future__ import annotations

from ..explain.rating import RatingError, rate
from ..model.puzzle import Puzzle
from ..runtime.errors import BudgetError

# Upper limits of the scale of Sudoku Explainer: singles; pairs and locked candidates; triples, fish
# and wings; chains of one kind.
WORDS = ((2.3, "easy"), (3.0, "medium"), (4.5, "hard"), (7.0, "very hard"))
HARDEST = "extreme"


def difficulty_of(puzzle: Puzzle, timeout: float | None = None) -> tuple[str, str]:
    """`Difficulty: hard (3.4)`, and a problem: why nothing is said; one of both is empty."""
    if puzzle.marks is not None:
        return "", "no difficulty: a puzzle with pencil marks has no rating"
    try:
        er: float = rate(puzzle, scale="logic", timeout=timeout).er  # type: ignore[union-attr]
    except (RatingError, BudgetError) as error:
        return "", f"no difficulty: {error}"
    return f"Difficulty: {word_of(er)} ({er:.1f})", ""


def word_of(er: float) -> str:
    """The word for a rating."""
    return next((word for limit, word in WORDS if er <= limit), HARDEST)
