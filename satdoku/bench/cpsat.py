"""OR-tools CP-SAT as a backend of the lab (package ortools).

Invariant: its model is built from the board as `verify` restates it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version
from typing import Any

from ..model.constraints import Constraints
from ..witness.rules import checked_rules, houses, related_pairs
from .backends import (
    INTEGER,
    Backend,
    Gave,
    Query,
)
from .instances import (
    ENUMERATE,
    ONESHOT,
    UNIQUENESS,
    Instance,
)


@dataclass(frozen=True)
class CpSatBackend(Backend):
    """OR-tools CP-SAT, one worker: an integer a cell, AllDifferent for each house."""

    name: str = "cp-sat"
    extra = "ortools"
    modes = (ONESHOT, UNIQUENESS, ENUMERATE)

    def load(self) -> str:
        import_module("ortools.sat.python.cp_model")
        return f"ortools {version('ortools')}"

    def kind(self, encoding: str) -> str:
        return INTEGER

    def open(self, constraints: Constraints, encoding: str, fixed: Instance | None) -> Query:
        return CpSatQuery(constraints, fixed)


class CpSatQuery(Query):
    """A CP-SAT model; each question is a new search, for CP-SAT keeps nothing."""

    def __init__(self, constraints: Constraints, fixed: Instance | None) -> None:
        self._cp: Any = import_module("ortools.sat.python.cp_model")
        self._counts: dict[str, int] = {}
        size = constraints.board.size
        self._model = model = self._cp.CpModel()
        self._cells = cells = [
            model.new_int_var(1, size, constraints.board.name_of(c))
            for c in range(constraints.board.cells)
        ]
        for rule in checked_rules(constraints.rules):
            lines = houses(constraints.board, rule)
            for line in lines:
                model.add_all_different([cells[cell] for cell in line])
            for a, b in () if lines else related_pairs(constraints.board, rule):
                self._relate(rule, cells[a], cells[b], size)
        if fixed is not None:
            for x, digit in zip(cells, fixed.puzzle, strict=True):
                if digit:
                    model.add(x == digit)
            for candidate in fixed.struck:
                model.add(cells[candidate // size] != candidate % size + 1)

    def _relate(self, rule: str, x: Any, y: Any, size: int) -> None:
        if rule == "nonconsecutive":
            self._model.add(x - y != 1)
            self._model.add(y - x != 1)
        elif rule == "antiqueen":
            self._model.add_forbidden_assignments([x, y], [(size, size)])
        else:
            self._model.add(x != y)

    def solve(self, under: Instance | None = None) -> bytes | None:
        return next(self._search(1), None)

    def solutions(
        self, under: Instance | None = None, *, limit: int | None = None
    ) -> Iterator[bytes]:
        return self._search(limit)

    def _search(self, limit: int | None) -> Iterator[bytes]:
        solver = self._cp.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.enumerate_all_solutions = limit != 1
        found: list[bytes] = []
        cells, stop = self._cells, limit

        class Collect(self._cp.CpSolverSolutionCallback):  # type: ignore[name-defined, misc]
            def on_solution_callback(self) -> None:
                found.append(bytes(self.value(x) for x in cells))
                if len(found) == stop:
                    self.stop_search()

        status = solver.solve(self._model, Collect())
        self._counts = {"conflicts": solver.num_conflicts, "decisions": solver.num_branches}
        if status not in (self._cp.OPTIMAL, self._cp.FEASIBLE, self._cp.INFEASIBLE):
            raise Gave("unknown", solver.status_name(status))
        return iter(found)

    def candidates(self) -> frozenset[int]:
        raise NotImplementedError("CP-SAT has no such question; `modes` leaves it out")

    def counters(self) -> dict[str, int]:
        return self._counts
