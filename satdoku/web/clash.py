"""What clashes in a puzzle without solution: a smallest set, in words, for the page to highlight.

Invariant: what is named has no solution by itself. For a set of `explain` its witness has proved
that; for a set of whole clues and rules a solver has, after each of them was tried to be left out.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

from ..answers.answer import answer, solution_of
from ..explain import Reasons, Unit, clash_of, clash_words
from ..explain.naming import listed
from ..model.constraints import Constraints, constraints_for
from ..model.grid import Grid
from ..model.puzzle import Puzzle, of_cells
from ..runtime import limits
from ..runtime.errors import BudgetError, Status
from .questions import Object

SECONDS = 2.5  # for a smallest set; half of it is spent only if the set is large
PART_SECONDS = 6.0  # for a set of whole clues and rules
LARGE = 40  # reasons beyond which whole clues and rules are clearer


def clash(puzzle: Puzzle) -> Object:
    """{"cells", "clues", "rules", "units", "smallest", "text"} of a puzzle without solution."""
    if puzzle.marks is not None and _is_possible(puzzle.grid, puzzle.constraints):
        return _of_marks(puzzle)
    try:
        reasons = clash_of(puzzle.grid, puzzle.constraints, SECONDS)
    except BudgetError:
        return _of_parts(puzzle)
    if len(reasons.units) > LARGE and puzzle.constraints.clues:
        return _of_parts(puzzle)
    return told(puzzle, reasons) | {"text": clash_words(reasons)}


def told(puzzle: Puzzle, reasons: Reasons) -> Object:
    """The givens' cells, the clues and rules of some reasons, and the units with their cells."""
    clues = set(puzzle.constraints.clue_texts)
    families = list(dict.fromkeys(unit.family for unit in reasons.units))
    return {
        "cells": list(reasons.cells),
        "clues": [name for name in families if name in clues],
        "rules": [name for name in families if name not in clues],
        "units": [unit_told(unit) for unit in reasons.units],
        "smallest": reasons.is_smallest,
    }


def unit_told(unit: Unit) -> Object:
    """A unit as the page highlights it."""
    return {"text": unit.words, "label": unit.label, "cells": list(unit.cells)}


def _is_possible(grid: Grid, constraints: Constraints) -> bool:
    return solution_of(Puzzle(grid, constraints), timeout=SECONDS) is not None


def _of_marks(puzzle: Puzzle) -> Object:
    """Cells whose pencil marks leave no solution; none of them can be left out."""
    assert puzzle.marks is not None
    board = puzzle.grid.board
    kept, domains = list(puzzle.marks), board.domains(tuple(range(board.cells)))
    cells = []
    for cell, (digits, every) in enumerate(zip(puzzle.marks, domains, strict=True)):
        if len(digits) == len(every):
            continue
        kept[cell] = frozenset(range(1, 1 + len(every)))
        if solution_of(replace(puzzle, marks=tuple(kept)), timeout=SECONDS) is not None:
            kept[cell] = digits
            cells.append(cell)
    text = f"the pencil marks of {listed(map(board.name_of, cells))} leave no solution"
    return _set(cells, [], [], text)


def _of_parts(puzzle: Puzzle) -> Object:
    """Givens, whole clues and rules that have no common solution; none can be left out, unless the
    time was too short to try."""
    end = time.monotonic() + PART_SECONDS
    board, constraints = puzzle.grid.board, puzzle.constraints
    texts = [*constraints.clue_texts, *constraints.names]
    cells = bytearray(puzzle.grid.cells)
    for text in list(texts):
        fewer = [other for other in texts if other != text]
        if _refuted(cells, _under(fewer, constraints), end):
            texts = fewer
    kept = _under(texts, constraints)
    for cell in range(board.cells):
        if digit := cells[cell]:
            cells[cell] = 0
            if not _refuted(cells, kept, end):
                cells[cell] = digit
    kept_grid = Grid(bytes(cells), board).values
    names = [f"{board.name_of(cell)}={d}" for cell, d in enumerate(kept_grid) if d is not None]
    clues = [text for text in texts if text in constraints.clue_texts]
    rules = [text for text in texts if text not in clues]
    said = listed([*names, *clues, *rules] or ["the rules of the board"])
    late = time.monotonic() > end
    note = "; perhaps not all are needed" if late else "; none can be left out"
    given = [cell for cell, digit in enumerate(cells) if digit]
    return _set(given, clues, rules, f"{said} have no common solution{note}")


def _under(texts: Sequence[str], constraints: Constraints) -> Constraints:
    """The board with some of the rules and clues."""
    named = ",".join(text for text in texts if text in constraints.names) or "classic"
    clues = [text for text in texts if text not in constraints.names]
    return constraints_for(";".join([named, *clues]), constraints.board)


def _refuted(cells: bytearray, constraints: Constraints, end: float) -> bool:
    """Whether a solver finds in time that there is no solution."""
    seconds = min(1.0, end - time.monotonic())
    if seconds <= 0:
        return False
    with limits.within(seconds):
        found = answer(of_cells(bytes(cells), constraints), limit=1)
    return found.status in (Status.NONE, Status.INVALID)


def _set(cells: list[int], clues: list[str], rules: list[str], text: str) -> Object:
    return {
        "cells": cells,
        "clues": clues,
        "rules": rules,
        "units": [],
        "smallest": False,
        "text": text,
    }
