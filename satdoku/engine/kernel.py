"""The C kernel as seen from Python: arrays in, filled arrays out; for one puzzle, bytes.

Invariant: the kernel checks every array that it gets, and copies and checks a plan once. So this
module only makes the arrays; a wrong one raises `TypeError`, `ValueError` or `BufferError`. During
a call signals are handled, and a limit of time (`runtime.limits`) raises `OutOfTime`.
"""

from __future__ import annotations

from array import array
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from ..runtime import limits
from ..runtime.errors import Status
from .plan import Plan
from .targets import TARGETS

if TARGETS:
    from . import _kernel

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Bytes = NDArray[np.uint8]


@lru_cache(maxsize=64)
def _compiled(plan: Plan) -> _kernel.Plan:
    """The plan as the kernel keeps it."""
    arrays = [array for part in plan.parts.values() for array in (part.starts, part.members)]
    return _kernel.plan(plan.cells, plan.digits, plan.classic, *arrays)


class Found(NamedTuple):
    """Answers as bytes: a status, a grid (zeros without a solution) and a count for each puzzle."""

    statuses: bytearray
    solutions: bytearray
    nodes: array[int]  # C unsigned ints


def solve_bytes(
    plan: Plan, puzzles: bytes | bytearray, limit: int, budget: int, target: str
) -> Found:
    """`solve` without numpy, for puzzles of as many digits as cells, one after the other."""
    count = len(puzzles) // plan.cells
    found = Found(bytearray(count), bytearray(len(puzzles)), array("I", bytes(4 * count)))
    grids = count, plan.cells
    _kernel.solve(
        _compiled(plan),
        memoryview(puzzles).cast("B", grids),
        limit,
        budget,
        found.statuses,
        memoryview(found.solutions).cast("B", grids),
        found.nodes,
        TARGETS[target],
        limits.check,
    )
    return found


class Search:
    """The search of one puzzle, which pauses and goes on; without numpy.

    puzzle: digits, or pencil marks. nodes, work: what it has cost so far, in nodes and in units of
    0.1 ns or so, by count of what was done; solution: one, if it is known.
    """

    def __init__(self, plan: Plan, puzzle: bytes, limit: int, target: str) -> None:
        row = memoryview(puzzle).cast("B", (1, len(puzzle)))
        self._search = _kernel.search(_compiled(plan), row, limit, TARGETS[target])
        self.nodes = self.work = 0
        self.solution: bytes | None = None

    def advance(self, work: int) -> Status | None:
        """The status, as `solve` tells it, if about so much more work suffices, else None.

        UNKNOWN: there is no memory for the nodes that are still to be tried.
        """
        final, status, solution, self.nodes, self.work = _kernel.advance(
            self._search, work, limits.check
        )
        if status not in (Status.NONE, Status.INVALID) and solution[0]:
            self.solution = solution
        return Status(status) if final else None


def solve(
    plan: Plan, puzzles: Bytes, limit: int, budget: int, target: str
) -> tuple[Bytes, Bytes, NDArray[np.uint32]]:
    """Statuses (N,), solutions (N, cells) and nodes (N,) of puzzles (N, cells or variables)."""
    import numpy as np

    count = len(puzzles)
    status = np.empty(count, np.uint8)
    solutions = np.empty((count, plan.cells), np.uint8)
    nodes = np.empty(count, np.uint32)
    _kernel.solve(
        _compiled(plan),
        puzzles,
        limit,
        budget,
        status,
        solutions,
        nodes,
        TARGETS[target],
        limits.check,
    )
    return status, solutions, nodes


def count(
    plan: Plan, puzzles: Bytes, budget: int, target: str
) -> tuple[Bytes, NDArray[np.uint64], NDArray[np.uint32]]:
    """Statuses (N,), numbers of solutions (N,) and nodes (N,); where the budget did not suffice the
    status is UNKNOWN, and the number a lower bound."""
    import numpy as np

    status = np.empty(len(puzzles), np.uint8)
    grids = np.empty(len(puzzles), np.uint64)
    nodes = np.empty(len(puzzles), np.uint32)
    compiled = _compiled(plan)
    _kernel.count(
        compiled, puzzles, 0, budget, status, grids, nodes, None, TARGETS[target], limits.check
    )
    return status, grids, nodes


def listed(
    plan: Plan, puzzles: Bytes, room: int, budget: int, target: str
) -> tuple[Bytes, NDArray[np.uint64], Bytes]:
    """Statuses (N,), numbers of solutions (N,) and the solutions (N, room, cells).

    Those of a puzzle are all, in ascending order, if the status is NONE; it is MULTIPLE where there
    is no room for all, UNKNOWN where the budget did not suffice.
    """
    import numpy as np

    status = np.empty(len(puzzles), np.uint8)
    grids = np.empty(len(puzzles), np.uint64)
    nodes = np.empty(len(puzzles), np.uint32)
    solutions = np.empty((len(puzzles), room * plan.cells), np.uint8)
    compiled = _compiled(plan)
    _kernel.count(
        compiled,
        puzzles,
        room,
        budget,
        status,
        grids,
        nodes,
        solutions,
        TARGETS[target],
        limits.check,
    )
    return status, grids, solutions.reshape(len(puzzles), room, plan.cells)


def list_bytes(
    plan: Plan, puzzle: bytes, room: int, budget: int, target: str
) -> list[bytes] | None:
    """All solutions of one puzzle in ascending order, without numpy; None if there is no room for
    all, or the budget did not suffice."""
    status, count, nodes = bytearray(1), array("Q", [0]), array("I", bytes(4))
    cells = plan.cells
    solutions = bytearray(room * cells)
    asked = memoryview(puzzle).cast("B", (1, cells))
    rows = memoryview(solutions).cast("B", (1, len(solutions)))
    compiled = _compiled(plan)
    _kernel.count(
        compiled, asked, room, budget, status, count, nodes, rows, TARGETS[target], limits.check
    )
    if status[0] != Status.NONE:
        return None
    return [bytes(solutions[i * cells : (i + 1) * cells]) for i in range(count[0])]


def propagate(plan: Plan, puzzles: Bytes, target: str) -> tuple[Bytes, Bytes]:
    """Candidates left (N, variables) and conflicts (N,), both 0 or 1."""
    import numpy as np

    candidates = np.empty((len(puzzles), plan.variables), np.uint8)
    conflict = np.empty(len(puzzles), np.uint8)
    _kernel.propagate(_compiled(plan), puzzles, candidates, conflict, TARGETS[target], limits.check)
    return candidates, conflict
