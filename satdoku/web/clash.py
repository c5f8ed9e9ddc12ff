"""What clashes in a puzzle without solution: a small set, in words, for the page to highlight.

Invariant: what is named has no solution by itself. For a set of `explain` its witness has proved
that; for a set of whole clues and rules a solver has. The first set comes as soon as there is one,
and each that follows is smaller.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..answers.answer import solution_of
from ..explain import Reasons, Unit, clash_words, clashes_of
from ..explain.naming import listed
from ..explain.reasons import Parts
from ..model.board import Board
from ..model.grid import Grid
from ..model.kinds import clue_of
from ..model.puzzle import Puzzle
from ..runtime import limits
from ..runtime.errors import BudgetError
from .questions import Object

SECONDS = 2.5  # for a smallest set; half of it is spent only if the set is large
LARGE = 40  # reasons beyond which whole clues and rules are clearer


def clash(puzzle: Puzzle) -> Object:
    """The last and smallest of `clashes`."""
    *_, found = clashes(puzzle)
    return found


def clashes(puzzle: Puzzle) -> Iterator[Object]:
    """{"cells", "clues", "labels", "rules", "units", "around", "path", "smallest", "text"} of a
    puzzle without solution, each smaller than the one before. labels: the clues in short; around:
    their cells."""
    if puzzle.marks is not None and _is_possible(puzzle):
        yield from _of_marks(puzzle)
        return
    constraints = puzzle.constraints
    has_parts = bool(constraints.clues or constraints.names)
    known = False
    try:
        for found in clashes_of(puzzle.grid, constraints, SECONDS, LARGE if has_parts else None):
            if isinstance(found, Parts):
                yield _of_parts(puzzle, found)
            elif has_parts and len(found.units) > LARGE:
                continue
            else:
                yield told(puzzle, found) | {"text": clash_words(found)}
            known = True
    except BudgetError:
        if not known:
            yield _unknown()


def _unknown() -> Object:
    """That there was no time to find a set."""
    return _nothing() | {"text": "what is stated has no solution; there was no time to say why"}


def told(puzzle: Puzzle, reasons: Reasons) -> Object:
    """The givens' cells, the clues and rules of some reasons, the units with their cells, and what
    follows, sentence by sentence."""
    families = list(dict.fromkeys(unit.family for unit in reasons.units))
    clues = [name for name in families if name in {*puzzle.constraints.clue_texts}]
    labels = {unit.family: unit.label for unit in reversed(reasons.units)}
    return {
        "cells": list(reasons.cells),
        "clues": clues,
        "labels": [labels[name] for name in clues],
        "rules": [name for name in families if name not in clues],
        "units": [unit_told(unit) for unit in reasons.units],
        "around": _around(clues, puzzle.grid.board),
        "path": list(reasons.path),
        "smallest": reasons.is_smallest,
    }


def unit_told(unit: Unit) -> Object:
    """A unit as the page highlights it."""
    return {"text": unit.words, "label": unit.label, "cells": list(unit.cells)}


def _around(clues: list[str], board: Board) -> list[int]:
    """The cells of clues."""
    return sorted({cell for text in clues for cell in clue_of(text, board).cells})


def _nothing() -> Object:
    return {
        "cells": [], "clues": [], "labels": [], "rules": [], "units": [], "around": [], "path": [],
        "smallest": False, "text": "",
    }  # fmt: skip


def _is_possible(puzzle: Puzzle) -> bool:
    """Whether there is a solution without the pencil marks."""
    return solution_of(replace(puzzle, marks=None), timeout=SECONDS) is not None


def _of_marks(puzzle: Puzzle) -> Iterator[Object]:
    """Cells whose pencil marks leave no solution: all that have some, then those of which none can
    be left out, as far as the time goes."""
    assert puzzle.marks is not None
    board = puzzle.grid.board
    kept, domains = list(puzzle.marks), board.domains(tuple(range(board.cells)))
    marked = [c for c in range(board.cells) if len(kept[c]) < len(domains[c])]
    yield _marked(marked, board)
    needed = []
    try:
        with limits.within(SECONDS):
            for cell in marked:
                digits, kept[cell] = kept[cell], frozenset(range(1, 1 + len(domains[cell])))
                if solution_of(replace(puzzle, marks=tuple(kept))) is not None:
                    kept[cell] = digits
                    needed.append(cell)
    except BudgetError:
        return
    if len(needed) < len(marked):
        yield _marked(needed, board)


def _marked(cells: list[int], board: Board) -> Object:
    text = f"the pencil marks of {listed(map(board.name_of, cells))} leave no solution"
    return _nothing() | {"cells": cells, "text": text}


def _of_parts(puzzle: Puzzle, parts: Parts) -> Object:
    """Givens, whole clues and rules that have no common solution."""
    board, constraints = puzzle.grid.board, puzzle.constraints
    clues = [text for text in parts.families if text in {*constraints.clue_texts}]
    rules = [name for name in parts.families if name in constraints.names]
    cells = bytearray(board.cells)
    for cell, digit in parts.givens:
        cells[cell] = digit
    values = Grid(bytes(cells), board).values
    names = [f"{board.name_of(cell)}={d}" for cell, d in enumerate(values) if d is not None]
    said = listed([*names, *clues, *rules] or ["the rules of the board"])
    note = "; none can be left out" if parts.is_minimal else "; perhaps not all are needed"
    return _nothing() | {
        "cells": [cell for cell, _ in parts.givens],
        "clues": clues,
        "labels": clues,
        "rules": rules,
        "around": _around(clues, board),
        "text": f"{said} have no common solution{note}",
    }
