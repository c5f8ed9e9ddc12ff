"""Write a puzzle as an SMT-LIB 2 integer model for z3, cvc5, Yices or any other SMT solver.

Invariant: the model comes from `witness.rules` and not from our CNF, so an SMT solver that runs on
it is an independent witness.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..errors import SatdokuError
from ..model.constraints import Constraints
from ..model.grid import Grid
from .rules import (
    checked_rules,
    differ,
    forbidden_digits,
    houses,
    not_both_highest,
    not_consecutive,
    related_pairs,
    relation,
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
    yield f"; Sudoku {board.size}x{board.size}, rules {constraints.name}, integer model by satdoku"
    yield "(set-option :produce-models true)"
    yield "(set-logic QF_LIA)"
    for name in names:
        yield f"(declare-const {name} Int)"
        yield f"(assert (<= 1 {name} {board.size}))"
    for rule in checked_rules(constraints.rules):
        yield f"; {rule}"
        for house in houses(board, rule):
            yield f"(assert (distinct {' '.join(names[cell] for cell in house)}))"
        if not houses(board, rule):
            for a, b in related_pairs(board, rule):
                yield f"(assert {_relation(rule, names[a], names[b], board.size)})"
    if puzzle is not None:
        yield "; givens"
        for cell, digit in enumerate(puzzle.cells):
            if digit:
                yield f"(assert (= {names[cell]} {digit}))"
    yield "(check-sat)"
    yield f"(get-value ({' '.join(names)}))"


def _relation(rule: str, a: str, b: str, size: int) -> str:
    said = relation(rule)
    if said in _SHORTER:
        return _SHORTER[said].format(a=a, b=b, size=size)
    cases = (f"(not (and (= {a} {x}) (= {b} {y})))" for x, y in forbidden_digits(rule, size))
    return f"(and true {' '.join(cases)})"


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
