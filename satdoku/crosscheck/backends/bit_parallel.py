"""The bit-parallel engine, one backend for each implementation that runs here.

Invariant: the engine alone decides a puzzle. It shows one solution of several, so further solutions
are those of the parts that the puzzle is split into.
"""

from __future__ import annotations

import platform
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ...answers.query import Query
from ...model.puzzle import Puzzle
from ...runtime.errors import BudgetError, Status
from ..splitting import split
from .protocol import UNLIMITED, Backend, Budget

PREFIX = "engine-"  # and the name of an implementation
BATCH = 64  # puzzles decided in one call
NO_LIMIT = 2**32 - 1  # nodes: the largest budget that the engine takes


@dataclass(frozen=True)
class EngineBackend(Backend):
    """One implementation of the engine: a vector target of the C kernel, or numpy."""

    name: str

    def load(self) -> str:
        import numpy as np

        from ... import engine  # noqa: F401  the import is what `load` is for

        return f"numpy {np.__version__}; {platform.machine()}"

    def open(self, puzzle: Puzzle, encoding: str, budget: Budget = UNLIMITED) -> Query:
        return EngineQuery(puzzle, budget, self.name.removeprefix(PREFIX))


class EngineQuery(Query):
    """The plan of a rule set; each question is a new search."""

    def __init__(self, puzzle: Puzzle, budget: Budget, implementation: str) -> None:
        from ...engine.plan import plan_for

        self._fixed, self._implementation = puzzle, implementation
        self._constraints = puzzle.constraints
        plan_for(self._constraints, True)
        self._nodes = NO_LIMIT if budget.nodes is None else budget.nodes

    def solutions(
        self, under: Puzzle | None = None, *, limit: int | None = None
    ) -> Iterator[bytes]:
        found: set[bytes] = set()
        waiting = [under or self._fixed]
        while waiting:
            batch, waiting = waiting[-BATCH:], waiting[:-BATCH]
            for part, status, solution in self._decided(batch, 1 if limit == 1 else 2):
                if status is Status.UNKNOWN:
                    raise BudgetError(f"no answer within {self._nodes} nodes")
                if any(solution) and solution not in found:
                    found.add(solution)
                    yield solution
                if len(found) == limit:
                    return
                if status is Status.MULTIPLE:
                    parts = split(part.grid, self._constraints)
                    waiting += [replace(part, grid=grid) for grid in parts]

    def status(self, under: Puzzle | None = None, *, limit: int = 2) -> Status | None:
        ((_, status, _),) = self._decided([under or self._fixed], limit)
        return status

    def _decided(
        self, parts: Sequence[Puzzle], limit: int
    ) -> Iterator[tuple[Puzzle, Status, bytes]]:
        """Status and solution of each part, in one call; zeros where there is no solution."""
        import numpy as np

        from ... import engine

        marked = parts[0].marks is not None  # of all parts alike
        rows = b"".join(part.mark_bytes or part.grid.cells for part in parts)
        puzzles = np.frombuffer(rows, np.bool_ if marked else np.uint8).reshape(len(parts), -1)
        result = engine.solve(
            puzzles,
            self._constraints,
            limit=limit,
            node_budget=self._nodes,
            implementation=self._implementation,
        )
        for part, status, solution in zip(parts, result.status, result.solutions, strict=True):
            yield part, Status(status), solution.tobytes()


def backends() -> Iterator[Backend]:
    """One for each implementation that can run here."""
    from ... import engine

    for implementation in engine.implementations():
        yield EngineBackend(PREFIX + implementation)
