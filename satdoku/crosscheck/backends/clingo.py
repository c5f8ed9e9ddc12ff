"""Answer set programming by clingo (package clingo): an atom for each candidate.

Invariant: the program is written from the witness's houses and relations.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from ...answers.query import Query
from ...model.constraints import Constraints
from ...model.puzzle import Puzzle
from ...runtime.errors import Unanswered
from ...witness.automata import layers_of
from ...witness.clues import WidePart
from ...witness.rules import stated
from . import UNLIMITED, Backend, Budget, require_no_layers, struck_in


@dataclass(frozen=True)
class ClingoBackend(Backend):
    """clingo: exactly one digit in a cell, exactly one cell in a house for each digit."""

    name: str = "clingo"
    extra = "clingo"
    incremental = True

    def load(self) -> str:
        return f"clingo {import_module('clingo').__version__}"

    def open(self, puzzle: Puzzle, encoding: str, budget: Budget = UNLIMITED) -> Query:
        require_no_layers(puzzle)
        return ClingoQuery(puzzle, budget)


# in(H, C): the house H holds the cell C; related(R, A, B): the rule R relates the cells A < B;
# forbidden(R, D, E): they may not hold the digits D and E. edge(A, S, C, D, T): reading the digit D
# in the cell C leads the automaton A from the state S to T; accepts(A, S): it must end in S.
PROGRAM = """
1 { x(C, D) : D = 1..n } 1 :- C = 0..cells-1.
1 { x(C, D) : in(H, C) } 1 :- in(H, _), D = 1..n.
:- related(R, A, B), forbidden(R, D, E), x(A, D), x(B, E).
at(A, (0, 0)) :- accepts(A, _).
at(A, T) :- at(A, S), edge(A, S, C, D, T), x(C, D).
:- accepts(A, S), not at(A, S).
#defined related/3. #defined forbidden/3. #defined edge/5. #defined accepts/2.
#show x/2.
"""


class ClingoQuery(Query):
    """A grounded program; givens of one question become assumptions."""

    def __init__(self, puzzle: Puzzle, budget: Budget) -> None:
        self._clingo: Any = import_module("clingo")
        self._counts: dict[str, int] = {}
        self._seconds = budget.timeout
        self._size = puzzle.constraints.board.choices
        self._cells = puzzle.constraints.board.cells
        self._control = self._clingo.Control([f"-c n={self._size}", f"-c cells={self._cells}"])
        program = PROGRAM + "".join(_facts(puzzle.constraints))
        program += "".join(
            f":- {'not ' * holds}x({cell},{digit}).\n" for cell, digit, holds in _literals(puzzle)
        )
        self._control.add("base", [], program)
        self._control.ground([("base", [])])

    def solutions(
        self, under: Puzzle | None = None, *, limit: int | None = None
    ) -> Iterator[bytes]:
        for atoms in self._models(under, limit or 0, "auto"):
            digits = dict(atoms)
            yield bytes(digits[cell] for cell in range(self._cells))

    def candidates(self, under: Puzzle | None = None) -> frozenset[int]:
        """By brave consequences: the last model is the union of all."""
        *_, union = [[], *self._models(under, 0, "brave")]
        return frozenset(self._size * cell + digit - 1 for cell, digit in union)

    def _models(
        self, under: Puzzle | None, limit: int, mode: str
    ) -> Iterator[list[tuple[int, int]]]:
        """(cell, digit) of the atoms of each model."""
        self._control.configuration.solve.models = limit
        self._control.configuration.solve.enum_mode = mode
        number, function = self._clingo.Number, self._clingo.Function
        assumptions = [
            (function("x", [number(cell), number(digit)]), holds)
            for cell, digit, holds in (_literals(under) if under else ())
        ]
        try:
            with self._control.solve(assumptions, yield_=True, async_=True) as handle:
                for model in self._found(handle):
                    atoms = (atom.arguments for atom in model.symbols(shown=True))
                    yield [(cell.number, digit.number) for cell, digit in atoms]
        finally:
            self._count_search()

    def _found(self, handle: Any) -> Iterator[Any]:
        """The models of a search, which must end in time."""
        end = None if self._seconds is None else time.monotonic() + self._seconds
        while True:
            handle.resume()
            if not handle.wait(None if end is None else max(0.0, end - time.monotonic())):
                handle.cancel()
                raise Unanswered("timeout", f"no answer within {self._seconds} seconds")
            model = handle.model()
            if model is None:
                return
            yield model

    def _count_search(self) -> None:
        """Add up what clingo says of its last search."""
        solver = self._control.statistics["solving"]["solvers"]
        for name, theirs in (("conflicts", "conflicts"), ("decisions", "choices")):
            self._counts[name] = self._counts.get(name, 0) + int(solver[theirs])

    def counters(self) -> dict[str, int]:
        return dict(self._counts)


def _literals(puzzle: Puzzle) -> Iterator[tuple[int, int, bool]]:
    """(cell, digit, whether it holds) for each given and each struck candidate."""
    size = puzzle.grid.board.choices
    yield from ((cell, digit, True) for cell, digit in enumerate(puzzle.grid) if digit)
    yield from ((c // size, c % size + 1, False) for c in struck_in(puzzle))


def _facts(constraints: Constraints) -> Iterator[str]:
    board = constraints.board
    for index, said in enumerate(stated(board, constraints.rules)):
        for number, line in enumerate(said.houses):
            yield from (f'in(("{said.rule}",{number}),{cell}).\n' for cell in line)
        for number, related in enumerate(said.told):
            name = f'("{said.rule}",{number})'
            yield from (f"related({name},{a},{b}).\n" for a, b in related.pairs)
            digits = related.forbidden(board.choices)
            yield from (f"forbidden({name},{x},{y}).\n" for x, y in digits)
        for number, part in enumerate(said.wide):
            yield from _automaton(f"({index},{number})", part, board.choices)


def _automaton(name: str, part: WidePart, size: int) -> Iterator[str]:
    """What a clue says of three cells or more; a state is (cells read before, number)."""
    steps = enumerate(zip(part.cells, layers_of(part, size) or (), strict=False))
    for read, (cell, edges) in steps:
        for state, digit, then in edges:
            yield f"edge({name},({read},{state}),{cell},{digit},({read + 1},{then})).\n"
    yield f"accepts({name},({len(part.cells)},0)).\n"


def backends() -> Iterator[Backend]:
    """The one of this module."""
    yield ClingoBackend()
