"""How a puzzle is solved and why: steps, rating, "why not 5 here?", symmetry of the pattern.

Invariant: every sentence comes from `explain`, which has proved it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np

from ..answers.answer import solution_of
from ..answers.api import classify, true_candidates
from ..explain import Candidate, Step, clash_of, clash_words, explain_cell, rated
from ..explain.hints import TECHNIQUE, WHERE, Hint
from ..explain.logic.scale import BEYOND, BEYOND_NAME
from ..explain.naming import listed
from ..generator.givens import SYMMETRIES
from ..model.board import Board
from ..model.grid import Grid
from ..model.puzzle import Puzzle
from ..ratings import scale
from ..render.chains import labels
from ..runtime.errors import BudgetError, Status
from .asked import AskedError, asked_puzzle, flag_of, number_of
from .clash import clash, told, unit_told
from .paths import path_of
from .questions import LOOKING, Object

STEPS_SECONDS, WHY_SECONDS, STATUS_SECONDS, POSSIBLE_SECONDS = 50.0, 6.0, 5.0, 15.0
MOST_STEPS = 1 << 20
LIT = {"house": "house", "cover": "cover", "reason": "reasons"}  # highlights, as a step has them
BRIEF_SECONDS, MOST_REASONS = 1.5, 9  # for a set of reasons that a person follows at once
NAMES = {
    "rot180": "half a turn",
    "rot90": "a quarter turn",
    "mirror": "a mirror image, left to right",
    "flip": "a mirror image, top to bottom",
    "diagonal": "a mirror image in the falling diagonal",
    "antidiagonal": "a mirror image in the rising diagonal",
}


def steps(asked: Object) -> Iterator[Object]:
    """{"step"} for the next step, or for all, then {"rating", "solved", "short", "done"}, and
    {"late"} before it if the time was over. after: only what follows so many steps; beyond: go on
    with the smallest contradiction where no technique finds a step; short: it may."""
    puzzle = asked_puzzle(asked, marks=False)
    wants_all, beyond = flag_of(asked, "all"), flag_of(asked, "beyond")
    after = number_of(asked, "after", 0, MOST_STEPS, 0)
    grid, constraints = puzzle.grid, puzzle.constraints
    path = path_of(grid, constraints, beyond)
    told, late = after, False
    try:
        for step in path.behind(after, STEPS_SECONDS):
            if step is None:
                yield LOOKING
                continue
            told += 1
            yield {"step": step_told(step)}
            if not wants_all:
                break
    except BudgetError as error:
        late = True
        yield {"late": str(error)}
    board, taken = grid.board, path.steps[:told]
    known = {cell for cell in range(board.cells) if grid[cell]}
    known.update(step.placed[0] for step in taken if step.placed)
    solved = known.issuperset(range(board.grid_cells))  # several ways of a layer are one
    ended = not (late or solved) and (wants_all or told == after)
    yield {
        "rating": _rating(puzzle, taken, wants_all, late) if wants_all or not after else None,
        "solved": solved,
        "short": ended and not (beyond or constraints.is_beyond_steps),
        "done": True,
    }


def _is_unique(puzzle: Puzzle) -> bool:
    status = classify(puzzle.grid, puzzle.constraints, timeout=STATUS_SECONDS)
    return status is Status.UNIQUE


def step_told(step: Step) -> Object:
    """A step as the page draws it; candidates are [cell, digit]."""
    lights = step.highlights
    return {
        "technique": step.technique,
        "text": step.words,
        "brief": step.caption.partition("\n")[0],  # without the chain that the notes tell
        "notes": step.pattern.notes if step.pattern else "",
        "rating": step.rating,
        "size": step.size,
        "placed": [] if step.placed is None else [list(step.placed)],
        "eliminated": list(map(list, step.eliminated)),
        **{name: list(map(_item, lights[kind])) for kind, name in LIT.items()},
        "units": [unit_told(unit) for unit in step.units],
        "links": [
            [list(a), list(b), holds, name]
            for links, names in zip(step.links, labels(step.links), strict=True)
            for (a, b, holds), name in zip(links, names, strict=True)
        ],
        "chain": list(step.chain),
        "marks": [sorted(digits) for digits in step.candidates],
        "hints": [_hint(step.hint(strength)) for strength in (WHERE, TECHNIQUE)],
    }


def _item(item: int | Candidate) -> int | list[int]:
    """A cell, or a candidate as the page has it."""
    return item if isinstance(item, int) else list(item)


def _hint(hint: Hint) -> Object:
    """A hint that is less than the step: its words, and the cells to light."""
    return {"text": hint.words, "house": list(hint.highlights["house"])}


def _rating(puzzle: Puzzle, taken: list[Step], whole: bool, late: bool) -> Object | None:
    """Of a puzzle with one solution: that of Sudoku Explainer if it is classic; else ours, once all
    steps are known."""
    is_classic = scale.serves(puzzle.constraints)
    if not (is_classic or whole) or not _is_unique(puzzle):
        return None
    if is_classic:
        found = scale.rating_of(puzzle.grid.cells)
        return found.as_data() | {"scale": "Sudoku Explainer", "text": found.words}
    if late:
        return None
    ours = rated.of_steps(_rated_steps(puzzle, taken))
    return ours.as_data() | {"scale": "satdoku", "text": ours.words}


def _rated_steps(puzzle: Puzzle, taken: list[Step]) -> Iterator[rated.Taken]:
    """The steps until the grid is full, as `rate` takes them; the last one says if it is not."""
    cells = puzzle.grid.board.grid_cells
    left = cells - sum(map(bool, bytes(puzzle.grid)[:cells]))
    for step in taken:
        if not left:
            return
        places = step.placed is not None and step.placed[0] < cells
        left -= places
        yield rated.Taken(step.rating or BEYOND, step.technique, places)
    if left:
        yield rated.Taken(BEYOND, BEYOND_NAME, places=False)


def why(asked: Object) -> Iterator[Object]:
    """Why a cell does not hold a digit, or must: {"text", "possible", "cells", "clues", "rules",
    "units"}."""
    puzzle = asked_puzzle(asked)
    board = puzzle.grid.board
    cell = number_of(asked, "cell", 0, board.cells - 1, -1)
    digit = number_of(asked, "digit", 1, len(*board.domains((max(cell, 0),))), -1)
    if cell < 0 or digit < 0:
        raise AskedError("expected a cell and a digit")
    yield {"cell": cell, "digit": digit, **_why(puzzle, cell, digit)}


def _why(puzzle: Puzzle, cell: int, digit: int) -> Object:
    name = _named(puzzle, cell, digit)
    given = puzzle.grid[cell]
    if given:
        known = puzzle.grid.values[cell]
        text = f"{name}: given" if given == digit else f"{name} is not possible: {known} is given"
        return {"text": text, "possible": given == digit, **_nothing(cell)}
    if puzzle.marks is not None and digit not in puzzle.marks[cell]:
        text = f"{name} is not possible: the pencil marks of the puzzle exclude it"
        return {"text": text, "possible": False, **_nothing(cell)}
    supposed = bytearray(puzzle.grid.cells)
    supposed[cell] = digit
    tried = replace(puzzle, grid=Grid(bytes(supposed), puzzle.grid.board))
    if solution_of(tried, timeout=WHY_SECONDS) is not None:
        return _possible(puzzle, cell, digit)
    found = _briefly(tried) or _by_step(puzzle, (cell, digit)) or clash(tried)
    return found | {"text": f"not {name}: {found['text']}", "possible": False}


def _named(puzzle: Puzzle, cell: int, digit: int) -> str:
    """The candidate as people write it."""
    board = puzzle.grid.board
    (digits,) = board.domains((cell,))
    return f"{board.name_of(cell)}={digits[digit - 1]}"


def _briefly(puzzle: Puzzle) -> Object | None:
    """A smallest set that clashes, if it is found soon and small enough to follow."""
    if puzzle.marks is not None:  # which `explain` does not take
        return None
    try:
        reasons = clash_of(puzzle.grid, puzzle.constraints, BRIEF_SECONDS)
    except BudgetError:
        return None
    if reasons.size > MOST_REASONS:
        return None
    return told(puzzle, reasons) | {"text": clash_words(reasons)}


def _by_step(puzzle: Puzzle, candidate: Candidate) -> Object | None:
    """The step of the solution that places or strikes a candidate, if steps come so far in time."""
    if puzzle.marks is not None:
        return None
    found = path_of(puzzle.grid, puzzle.constraints, False).behind(0, WHY_SECONDS)
    try:
        for number, step in enumerate(filter(None, found), 1):
            if candidate in (step.placed, *step.eliminated):
                units = [unit_told(unit) for unit in step.units]
                return {
                    "text": f"step {number} of the solution says so: {step.words}",
                    "step": step_told(step),
                    **_nothing(*step.reason_cells),
                    "units": units,
                }
    except BudgetError:
        pass
    return None


def _possible(puzzle: Puzzle, cell: int, digit: int) -> Object:
    """It is in some solution; if it is in all, why."""
    name = _named(puzzle, cell, digit)
    digits = true_candidates(puzzle, timeout=WHY_SECONDS)[cell]
    if len(digits) > 1:
        (words,) = puzzle.grid.board.domains((cell,))
        others = listed([words[each - 1] for each in sorted(digits)])
        text = f"{name} is possible: {others} occur there in solutions"
        return {"text": text, "possible": True, **_nothing(cell)}
    if puzzle.marks is not None:
        text = f"{name} is in every solution that keeps to the pencil marks"
        return {"text": text, "possible": True, **_nothing(cell)}
    try:
        found = explain_cell(puzzle.grid, cell, puzzle.constraints, timeout=BRIEF_SECONDS)
    except BudgetError:
        step = _by_step(puzzle, (cell, digit))
        said = f": {step['text']}" if step else " is in every solution"
        return (step or _nothing(cell)) | {"text": f"{name}{said}", "possible": True}
    assert found.reasons is not None
    if found.reasons.size > MOST_REASONS and (step := _by_step(puzzle, (cell, digit))):
        return step | {"text": f"{name}: {step['text']}", "possible": True}
    return told(puzzle, found.reasons) | {"text": found.words, "possible": True}


def _nothing(*cells: int) -> Object:
    """Cells to highlight, and no set of reasons."""
    return {"cells": list(cells), "clues": [], "rules": [], "units": [], "smallest": True}


def possible(asked: Object) -> Iterator[Object]:
    """{"possible", "left", "wrong"}: whether a solution has the digits `tried`, one for each cell
    and 0 for none, how many cells are left, and the cells of wrong digits where there is one
    solution."""
    puzzle = asked_puzzle(asked)
    board, tried = puzzle.grid.board, asked.get("tried")
    domains = board.domains(tuple(range(board.cells)))
    if (
        not isinstance(tried, list)
        or len(tried) != len(domains)
        or not all(
            type(digit) is int and 0 <= digit <= len(every)
            for digit, every in zip(tried, domains, strict=True)
        )
    ):
        raise AskedError(f"tried: expected a list of {board.cells} digits, 0 for none")
    cells = bytes(mine or other for mine, other in zip(puzzle.grid.cells, tried, strict=True))
    found = solution_of(replace(puzzle, grid=Grid(cells, board)), timeout=POSSIBLE_SECONDS)
    left = cells[: board.grid_cells].count(0)
    wrong = [] if found is not None else _wrong(puzzle, tried)
    yield {"possible": found is not None, "left": left, "wrong": wrong}


def _wrong(puzzle: Puzzle, tried: list[int]) -> list[int]:
    """The cells of the grids whose digit the only solution does not have; none if there are more.
    Values of layers may differ where the digits do not."""
    if classify(puzzle, timeout=POSSIBLE_SECONDS) is not Status.UNIQUE:
        return []
    solution = solution_of(puzzle, timeout=POSSIBLE_SECONDS)
    assert solution is not None
    count = puzzle.grid.board.grid_cells
    return [cell for cell in range(count) if tried[cell] and tried[cell] != solution[cell]]


def symmetry(asked: Object) -> Iterator[Object]:
    """{"names", "text"}: under which moves of the square the givens and clues fall on themselves,
    values apart."""
    puzzle = asked_puzzle(asked)
    board = puzzle.grid.board
    here = _shapes(puzzle, list(range(board.cells)))
    names = []
    for name in NAMES:
        moved = _moved(SYMMETRIES[name][0], board)
        if moved and _shapes(puzzle, moved) == here:
            names.append(name)
    yield {"names": names, "text": _symmetry_words(puzzle, names)}


def _moved(move: Callable[[Any], Any], board: Board) -> list[int]:
    """For each cell the cell that takes its place; empty if the board has another shape then."""
    rectangle = np.full(board.extent, -1)
    rectangle[tuple(np.transpose(board.places))] = np.arange(board.grid_cells)
    after = move(rectangle)
    if after.shape != board.extent or not ((after < 0) == (rectangle < 0)).all():
        return []
    found: list[int] = after[rectangle >= 0].tolist()
    layers = ((board.first_of[layer.name], layer.free) for layer in board.layers)
    inside = (
        range(first, first + free) if free else [first + c for c in found] for first, free in layers
    )
    return [*found, *chain.from_iterable(inside)]


def _shapes(puzzle: Puzzle, moved: list[int]) -> set[object]:
    """What stands where, after a move: the givens' cells, regions, and each clue's cells."""
    board = puzzle.grid.board
    shapes: set[object] = {moved[cell] for cell, digit in enumerate(puzzle.grid) if digit}
    if board.regions is not None:
        shapes |= {frozenset(moved[cell] for cell in box) for box in board.boxes}
    for clue in puzzle.constraints.clues:
        shapes.add((clue.kind, frozenset(moved[cell] for cell in clue.cells)))
    return shapes


def _symmetry_words(puzzle: Puzzle, names: list[str]) -> str:
    if not puzzle.grid.givens and not puzzle.constraints.clues:
        return "nothing is placed yet"
    what = "the pattern of givens" + (" and clues" if puzzle.constraints.clues else "")
    if not names:
        return f"{what} has no symmetry"
    if len(names) == len(NAMES):
        return f"{what} has the full symmetry of the square"
    return f"{what} looks the same after {', '.join(NAMES[name] for name in names)}"
