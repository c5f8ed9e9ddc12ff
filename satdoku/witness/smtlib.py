"""Write a puzzle as an SMT-LIB 2 integer model for z3, cvc5, Yices or any other SMT solver.

Invariant: the model comes from `witness.rules` and not from our CNF, so an SMT solver that runs on
it is an independent witness.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count
from typing import Any

from ..errors import SatdokuError
from ..model.constraints import Constraints
from ..model.grid import Grid
from .clues import Holds, WidePart, formula
from .rules import (
    Related,
    differ,
    not_both_highest,
    not_consecutive,
    stated,
)
from .verify import violations

# Relations that are shorter as integer formulas than as lists of forbidden digit pairs.
_SHORTER = {
    differ: "(distinct {a} {b})",
    not_consecutive: "(and (distinct (- {a} {b}) 1) (distinct (- {b} {a}) 1))",
    not_both_highest: "(not (and (= {a} {size}) (= {b} {size})))",
}


class SmtError(SatdokuError):
    """The output of an SMT solver that does not contain a grid."""


def format_smtlib(constraints: Constraints, puzzle: Grid | None = None) -> str:
    """The SMT-LIB text: an Int constant per cell (r1c1 ...), the rules, and the givens."""
    return "\n".join(_commands(constraints, puzzle)) + "\n"


def _commands(constraints: Constraints, puzzle: Grid | None) -> Iterator[str]:
    board = constraints.board
    names = [board.name_of(cell) for cell in range(board.cells)]
    shared = count(1)
    yield f"; Sudoku {board.size}x{board.size}, rules {constraints.name}, integer model by satdoku"
    yield "(set-option :produce-models true)"
    yield "(set-logic QF_LIA)"
    for name in names:
        yield f"(declare-const {name} Int)"
        yield f"(assert (<= 1 {name} {board.size}))"
    for said in stated(board, constraints.rules):
        yield f"; {said.rule}"
        for house in said.houses:
            yield f"(assert (distinct {' '.join(names[cell] for cell in house)}))"
        for related in said.told:
            for a, b in related.pairs:
                yield f"(assert {_relation(related, names[a], names[b], board.size)})"
        for part in said.wide:
            yield from _wide(part, names, shared)
    if puzzle is not None:
        yield "; givens"
        for cell, digit in enumerate(puzzle.cells):
            if digit:
                yield f"(assert (= {names[cell]} {digit}))"
    yield "(check-sat)"
    yield f"(get-value ({' '.join(names)}))"


def _wide(part: WidePart, names: list[str], numbers: Iterator[int]) -> Iterator[str]:
    """The assertion of a part; what it says several times is defined before."""
    digits = [SmtTerm(names[cell]) for cell in part.cells]
    defined: list[str] = []

    def share(said: SmtTerm | bool) -> SmtTerm | bool:
        if isinstance(said, bool):
            return said
        name = f"left{next(numbers)}"
        defined.append(f"(define-fun {name} () Bool {said})")
        return SmtTerm(name, is_formula=True)

    said = formula(part.holds, digits, share)
    yield from defined
    yield f"(assert {_smt(said)})"


def _relation(related: Related, a: str, b: str, size: int) -> str:
    if related.relation is None:
        holds: Holds = related.holds
        return _smt(holds(SmtTerm(a), SmtTerm(b)))
    if related.relation in _SHORTER:
        return _SHORTER[related.relation].format(a=a, b=b, size=size)
    cases = (f"(not (and (= {a} {x}) (= {b} {y})))" for x, y in related.forbidden(size))
    return f"(and true {' '.join(cases)})"


class SmtTerm:
    """A term or a formula of SMT-LIB as text, so that the witness's statements write it."""

    def __init__(self, text: str, *, is_formula: bool = False) -> None:
        self.text, self.is_formula = text, is_formula

    def __str__(self) -> str:
        return self.text

    def __mul__(self, other: object) -> SmtTerm:
        """The product; of a formula, its value if it is true, else 0."""
        if self.is_formula:
            return SmtTerm(f"(ite {self.text} {_smt(other)} 0)")
        return SmtTerm(f"(* {self.text} {_smt(other)})")

    __rmul__ = __mul__
    __hash__ = None  # type: ignore[assignment]  # equality of terms is a formula


def _operator(name: str, *, is_swapped: bool = False) -> Any:
    def apply(one: SmtTerm, other: object) -> SmtTerm:
        first, second = (_smt(other), one.text) if is_swapped else (one.text, _smt(other))
        return SmtTerm(f"({name} {first} {second})", is_formula=name not in ("+", "-", "mod"))

    return apply


def _smt(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f"(- {-value})" if isinstance(value, int) and value < 0 else str(value)


for _method, _name in (
    ("add", "+"), ("sub", "-"), ("mod", "mod"), ("eq", "="), ("ne", "distinct"),
    ("lt", "<"), ("le", "<="), ("gt", ">"), ("ge", ">="), ("and", "and"), ("or", "or"),
):  # fmt: skip
    setattr(SmtTerm, f"__{_method}__", _operator(_name))
    if _method in ("add", "sub", "and", "or"):
        setattr(SmtTerm, f"__r{_method}__", _operator(_name, is_swapped=True))


def parse_smt_answer(
    text: str, constraints: Constraints, puzzle: Grid | None = None
) -> Grid | None:
    """The checked grid if the answer is `sat` with the `get-value` output; None if it is `unsat`.

    Raises `SmtError` for other text, a broken rule, or a given that the grid does not keep.
    """
    answer = text.split(None, 1)[0] if text.strip() else ""
    if answer == "unsat":
        return None
    board = constraints.board
    values = {name: int(digit) for name, digit in re.findall(r"\((r\d+c\d+)\s+(\d{1,3})\)", text)}
    cells = [values.get(board.name_of(cell), 0) for cell in range(board.cells)]
    if answer != "sat" or not all(1 <= digit <= board.size for digit in cells):
        found = f"'{answer[:20]}' and {sum(map(bool, cells))} values"
        raise SmtError(f"found {found}, expected sat and a value for each of {board.cells} cells")
    grid = Grid(bytes(cells), board)
    if broken := violations(grid, constraints.rules):
        raise SmtError(broken[0].describe(grid))
    for cell, given in enumerate(puzzle or ()):
        if given not in (0, grid[cell]):
            raise SmtError(f"{board.name_of(cell)}={grid[cell]}, but the puzzle has {given} there")
    return grid
