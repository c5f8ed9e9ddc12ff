"""OR-tools CP-SAT (package ortools): an integer for each cell.

Invariant: the model is stated from the witness's houses and relations.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version
from typing import Any

from ...answers.query import Query
from ...model.puzzle import Puzzle
from ...runtime.errors import Unanswered
from ...witness.automata import layers_of
from ...witness.clues import WidePart
from ...witness.rules import stated
from . import INTEGER, UNLIMITED, Backend, Budget, require_no_layers, struck_in


@dataclass(frozen=True)
class CpSatBackend(Backend):
    """CP-SAT with one worker: AllDifferent for each house, a table for each related pair, tables
    of steps for what a clue says of more cells.
    """

    name: str = "cp-sat"
    extra = "ortools"
    slow = True

    def load(self) -> str:
        import_module("ortools.sat.python.cp_model")
        return f"ortools {version('ortools')}"

    def kind(self, encoding: str) -> str:
        return INTEGER

    def open(self, puzzle: Puzzle, encoding: str, budget: Budget = UNLIMITED) -> Query:
        require_no_layers(puzzle)
        return CpSatQuery(puzzle, budget)


class CpSatQuery(Query):
    """A CP-SAT model; each question is a new search, because CP-SAT keeps nothing."""

    def __init__(self, puzzle: Puzzle, budget: Budget) -> None:
        self._cp: Any = import_module("ortools.sat.python.cp_model")
        self._counts: dict[str, int] = {}
        self._seconds = budget.timeout
        board, rules = puzzle.constraints.board, puzzle.constraints.rules
        self._size = size = board.choices
        self._model = model = self._cp.CpModel()
        self._cells = cells = [
            model.new_int_var(1, size, board.name_of(c)) for c in range(board.cells)
        ]
        for said in stated(board, rules):
            for line in said.houses:
                model.add_all_different([cells[cell] for cell in line])
            for related in said.told:
                for a, b in related.pairs:
                    model.add_forbidden_assignments([cells[a], cells[b]], related.forbidden(size))
            for part in said.wide:
                self._tell(part)
        self._fix(model, puzzle)

    def _tell(self, part: WidePart) -> None:
        """What a clue says of three cells or more: a table for each step of its automaton.

        The states are variables, which the digits determine. CP-SAT's own automata leave variables
        open and so find a solution many times.
        """
        model, layers = self._model, layers_of(part, self._size)
        if layers is None:
            model.add_bool_or([])
            return
        state: Any = 0
        for cell, edges in zip(part.cells, layers, strict=True):
            after = model.new_int_var(0, max(then for _, _, then in edges), "")
            model.add_allowed_assignments([state, self._cells[cell], after], edges)
            state = after

    def _fix(self, model: Any, puzzle: Puzzle) -> None:
        for index, digit in enumerate(puzzle.grid):
            if digit:
                model.add(model.get_int_var_from_proto_index(index) == digit)
        for candidate in struck_in(puzzle):
            index, digit = divmod(candidate, self._size)
            model.add(model.get_int_var_from_proto_index(index) != digit + 1)

    def solutions(
        self, under: Puzzle | None = None, *, limit: int | None = None
    ) -> Iterator[bytes]:
        model = self._model
        if under is not None:
            model = model.clone()
            self._fix(model, under)
        return self._search(model, limit)

    def _search(self, model: Any, limit: int | None) -> Iterator[bytes]:
        solver = self._cp.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.enumerate_all_solutions = limit != 1
        if self._seconds is not None:
            solver.parameters.max_time_in_seconds = self._seconds
        found: list[bytes] = []
        cells = [model.get_int_var_from_proto_index(i) for i in range(len(self._cells))]

        class Collect(self._cp.CpSolverSolutionCallback):  # type: ignore[name-defined, misc]
            def on_solution_callback(self) -> None:
                found.append(bytes(self.value(x) for x in cells))
                if len(found) == limit:
                    self.stop_search()

        start = time.monotonic()
        status = solver.solve(model, Collect())
        took = time.monotonic() - start
        self._counts = {"conflicts": solver.num_conflicts, "decisions": solver.num_branches}
        yield from found
        finished = self._cp.OPTIMAL, self._cp.INFEASIBLE
        if status not in finished and len(found) != limit:
            if self._seconds is not None and took >= self._seconds:  # it only says UNKNOWN
                raise Unanswered("timeout", f"no answer within {self._seconds} seconds")
            raise Unanswered("unknown", solver.status_name(status))

    def counters(self) -> dict[str, int]:
        return self._counts


def backends() -> Iterator[Backend]:
    """The one of this module."""
    yield CpSatBackend()
