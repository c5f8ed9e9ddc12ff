"""Suggestions for the puzzle on the page, as `setting` finds them.

Invariant: a suggestion is a puzzle that the page can take as it is.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..model.kinds import clue_of
from ..model.puzzle import Puzzle
from ..runtime.errors import BudgetError
from ..setting import WANTS, Suggestion
from ..setting import suggest as suggestions
from .asked import HIGHEST_SEED, AskedError, asked_puzzle, clue_texts, number_of, stated, text_of
from .questions import Object

SECONDS = 30.0


def suggest(asked: Object) -> Iterator[Object]:
    """A stream of {"suggestion": {"words", "puzzle", "cells", "digits", "gone", "added",
    "solutions", "more", "rating"}}, then {"done"}. cells: of givens and clues that go or come;
    digits: what is in these then."""
    puzzle = asked_puzzle(asked, marks=False)
    want = text_of(asked, "want", "needs")
    if want not in WANTS:
        raise AskedError(f"want: found {want[:20]!a}, expected {', '.join(WANTS)}")
    kinds = asked.get("kinds") or ["givens"]
    if not isinstance(kinds, list) or not all(isinstance(kind, str) for kind in kinds):
        raise AskedError("kinds: expected a list of names")
    seed = number_of(asked, "seed", 0, HIGHEST_SEED, 0)
    try:
        found = suggestions(puzzle, want=want, kinds=kinds, seed=seed, timeout=SECONDS)
        for one in found:
            yield {"suggestion": _told(puzzle, one, clue_texts(asked))}
    except BudgetError as error:
        yield {"late": str(error)}
    yield {"done": True}


def _told(puzzle: Puzzle, one: Suggestion, texts: list[str]) -> Object:
    """A suggestion as the page shows and takes it; clues that stay are written as they were."""
    board = puzzle.grid.board
    before = {clue.text(board): clue for clue in puzzle.constraints.clues}
    after = {clue.text(board): clue for clue in one.puzzle.constraints.clues}
    changed = [
        clue for text, clue in (before | after).items() if (text in before) != (text in after)
    ]
    pairs = enumerate(zip(puzzle.grid, one.puzzle.grid, strict=True))
    cells = {cell for cell, (old, new) in pairs if old != new}
    cells.update(cell for clue in changed for cell in clue.cells)
    made = stated(one.puzzle)
    kept = [text for text in texts if clue_of(text, board).text(board) in after]
    new = [text for text in after if text not in before]
    clues = {"clues": [*kept, *new]} if kept or new else {}
    return {
        "words": one.words,
        "puzzle": {key: value for key, value in made.items() if key != "clues"} | clues,
        "cells": sorted(cells),
        "digits": [[c, int(one.puzzle.grid[c])] for c in sorted(cells) if one.puzzle.grid[c]],
        "gone": list(one.gone),
        "added": list(one.added),
        "solutions": one.solutions,
        "more": one.more,
        "rating": one.rating,
    }
