"""clingo, answer set programming, as a backend of the lab (package clingo).

Invariant: its program is written from the board as `verify` restates it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from ..model.constraints import Constraints
from ..witness.rules import checked_rules, houses, related_pairs
from .backends import BOOLEAN, Backend, Query
from .instances import Instance


@dataclass(frozen=True)
class ClingoBackend(Backend):
    """clingo: an atom a candidate, exactly one a cell, exactly one a house and digit."""

    name: str = "clingo"
    extra = "clingo"

    def load(self) -> str:
        return f"clingo {import_module('clingo').__version__}"

    def kind(self, encoding: str) -> str:
        return BOOLEAN

    def open(self, constraints: Constraints, encoding: str, fixed: Instance | None) -> Query:
        return ClingoQuery(constraints, fixed)


CLINGO_RULES = """
1 { x(C, D) : D = 1..n } 1 :- C = 0..n*n-1.
1 { x(C, D) : in(H, C) } 1 :- in(H, _), D = 1..n.
:- differ(A, B), x(A, D), x(B, D).
:- nonconsecutive(A, B), x(A, D), x(B, E), |D - E| = 1.
:- antiqueen(A, B), x(A, n), x(B, n).
#defined differ/2. #defined nonconsecutive/2. #defined antiqueen/2.
#show x/2.
"""


class ClingoQuery(Query):
    """A grounded program; what an instance says for one question becomes assumptions."""

    def __init__(self, constraints: Constraints, fixed: Instance | None) -> None:
        self._clingo: Any = import_module("clingo")
        self._counts: dict[str, int] = {}
        self._size = constraints.board.size
        self._control = self._clingo.Control([f"-c n={self._size}"])
        program = CLINGO_RULES + "".join(_clingo_facts(constraints))
        if fixed is not None:
            program += "".join(
                f":- {'not ' * holds}x({cell},{digit}).\n"
                for cell, digit, holds in _said(fixed, self._size)
            )
        self._control.add("base", [], program)
        self._control.ground([("base", [])])

    def solve(self, under: Instance | None = None) -> bytes | None:
        return next(self.solutions(under, limit=1), None)

    def solutions(
        self, under: Instance | None = None, *, limit: int | None = None
    ) -> Iterator[bytes]:
        for atoms in self._models(under, limit or 0, "auto"):
            digits = dict(atoms)
            yield bytes(digits[cell] for cell in range(self._size**2))

    def candidates(self) -> frozenset[int]:
        """By brave consequences: the last model is the union of all."""
        models = [[], *self._models(None, 0, "brave")]
        union = models[-1]
        return frozenset(self._size * cell + digit - 1 for cell, digit in union)

    def _models(
        self, under: Instance | None, limit: int, mode: str
    ) -> Iterator[list[tuple[int, int]]]:
        """(cell, digit) of the atoms of each model."""
        self._control.configuration.solve.models = limit
        self._control.configuration.solve.enum_mode = mode
        number, function = self._clingo.Number, self._clingo.Function
        assumptions = [
            (function("x", [number(cell), number(digit)]), holds)
            for cell, digit, holds in (_said(under, self._size) if under else ())
        ]
        try:
            with self._control.solve(assumptions=assumptions, yield_=True) as handle:
                for model in handle:
                    atoms = (atom.arguments for atom in model.symbols(shown=True))
                    yield [(cell.number, digit.number) for cell, digit in atoms]
        finally:
            self._count()

    def _count(self) -> None:
        """Add up what clingo tells of its last search."""
        solver = self._control.statistics["solving"]["solvers"]
        for name, theirs in (("conflicts", "conflicts"), ("decisions", "choices")):
            self._counts[name] = self._counts.get(name, 0) + int(solver[theirs])

    def counters(self) -> dict[str, int]:
        return dict(self._counts)


def _said(instance: Instance, size: int) -> Iterator[tuple[int, int, bool]]:
    """(cell, digit, whether it holds) for each given and each struck candidate."""
    yield from ((cell, digit, True) for cell, digit in enumerate(instance.puzzle) if digit)
    yield from ((c // size, c % size + 1, False) for c in instance.struck)


def _clingo_facts(constraints: Constraints) -> Iterator[str]:
    for rule in checked_rules(constraints.rules):
        lines = houses(constraints.board, rule)
        for number, line in enumerate(lines):
            yield "".join(f"in({rule}({number}),{cell}).\n" for cell in line)
        if not lines:
            name = rule if rule in ("nonconsecutive", "antiqueen") else "differ"
            yield "".join(f"{name}({a},{b}).\n" for a, b in related_pairs(constraints.board, rule))
