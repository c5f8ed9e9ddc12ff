"""The solutions at the end of a sheet.

Invariant: each is verified, as the batch engine verifies all its solutions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..batch.solve import solve_batch
from ..model.constraints import constraints_for
from ..model.grid import Grid
from ..model.puzzle import Puzzle
from ..runtime.errors import Status
from ..witness.verify import first_violation

SAID = {
    Status.MULTIPLE: "several solutions, this is one",
    Status.NONE: "no solution",
}


class Solved(NamedTuple):
    """The status of a puzzle, a solution if it has any, and what a sheet says of it: nothing if
    the solution is the only one."""

    status: Status
    solution: Grid | None
    said: str


def solve_sheet(puzzles: Sequence[Puzzle]) -> list[Solved]:
    """What is known of each puzzle; puzzles under the same rules are solved together."""
    alike: dict[tuple[object, ...], list[int]] = {}
    for number, puzzle in enumerate(puzzles):
        key = puzzle.rules, puzzle.grid.board, puzzle.marks is None
        alike.setdefault(key, []).append(number)
    found: dict[int, Solved] = {}
    for numbers in alike.values():
        for number, solved in zip(numbers, _solved([puzzles[n] for n in numbers]), strict=True):
            found[number] = solved
    return [found[number] for number in range(len(puzzles))]


def _solved(puzzles: Sequence[Puzzle]) -> list[Solved]:
    """The same of puzzles under the same rules, all with marks or none."""
    # Not those that the puzzle keeps: what solving adds to them is a thousand times as large.
    constraints = constraints_for(puzzles[0].rules, puzzles[0].grid.board)
    stated: list[Grid] | NDArray[np.bool_] = [puzzle.grid for puzzle in puzzles]
    if puzzles[0].marks is not None:
        marks = b"".join(puzzle.mark_bytes or b"" for puzzle in puzzles)
        stated = np.frombuffer(marks, np.bool_).reshape(len(puzzles), -1)
    result = solve_batch(stated, constraints)
    statuses = map(Status, result.statuses.tolist())
    return [
        _said(puzzle, status, cells.tobytes())
        for puzzle, status, cells in zip(puzzles, statuses, result.solutions, strict=True)
    ]


def _said(puzzle: Puzzle, status: Status, cells: bytes) -> Solved:
    solution = Grid(cells, puzzle.grid.board) if any(cells) else None
    said = SAID.get(status, "")
    if status is Status.INVALID:
        clash = first_violation(puzzle.grid, puzzle.constraints.rules)
        said = f"no solution: {clash.describe(puzzle.grid)}" if clash else SAID[Status.NONE]
    return Solved(status, solution, said)
