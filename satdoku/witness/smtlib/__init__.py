"""Write a puzzle as SMT-LIB 2 for z3, cvc5, Bitwuzla, Yices or any other SMT solver.

Invariant: the model comes from `witness.rules` and not from our CNF, so an SMT solver that runs on
it is an independent witness.

    format_smtlib(constraints, puzzle, model="onehot")
    parse_smt_answer(output, constraints, puzzle)       # the values of any model, as a checked grid
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ...model.board import Board
from ...model.constraints import Constraints
from ...model.grid import Grid
from ...model.notes import notes_of
from ...runtime.errors import SatdokuError, counted, no_such
from ..rules import stated
from ..verify import violations
from .models import MODELS, binary_width

__all__ = ["MODELS", "SmtError", "format_smtlib", "parse_smt_answer", "smt_cells"]

# (r1c1 5), (define-fun r1c1 () Int 5), (= r1c1 5); 5, #b101, #x5 or (_ bv5 9)
_VALUE = re.compile(
    r"\((?:define-fun\s+|=\s+)?r(\d{1,3})c(\d{1,3})\s+(?:\(\)\s+(?:Int|\(_ BitVec \d+\))\s+)?"
    r"(\d{1,3}(?=\s*\))|#b[01]+|#x[\da-fA-F]+|\(_ bv\d{1,99} \d{1,3}\))"
)


class SmtError(SatdokuError):
    """The output of an SMT solver that does not contain a grid, or a model that is unknown."""


def format_smtlib(
    constraints: Constraints,
    puzzle: Grid | None = None,
    *,
    model: str = "int",
    marks: bytes = b"",
    excluded: Sequence[bytes] = (),
) -> str:
    """The SMT-LIB text: a constant per cell (r1c1 ...), the rules, and the givens.

    model: `int`, integers; `bv`, the digit minus 1 in ceil(log2 size) bits; `onehot`, a bit for
    each digit. marks: a byte for each candidate (cell-major), 0 if it is struck. excluded:
    solutions that are ruled out. Raises `SmtError` for another model.
    """
    if model not in MODELS:
        raise SmtError(no_such("SMT-LIB model", model, MODELS))
    return "\n".join(_commands(constraints, puzzle, model, marks, excluded)) + "\n"


def _commands(
    constraints: Constraints,
    puzzle: Grid | None,
    name: str,
    marks: bytes,
    excluded: Sequence[bytes],
) -> Iterator[str]:
    board = constraints.board
    model = MODELS[name](board)
    names = model.names
    title = f"Sudoku {board.shape}, rules {constraints.name}"
    yield f"; {title}, {model.words} model by satdoku"
    yield from (f"; {line}" for line in notes_of(constraints, puzzle))
    yield "(set-option :produce-models true)"
    yield f"(set-logic {model.logic})"
    for x in names:
        yield f"(declare-const {x} {model.sort})"
        yield from (f"(assert {said})" for said in model.domain(x))
    for said in stated(board, constraints.rules):
        yield f"; {said.rule}"
        yield from model.commands(said)
    if puzzle is not None:
        yield "; givens"
        for x, digit in zip(names, puzzle.cells, strict=True):
            if digit:
                yield f"(assert {model.is_digit(x, digit)})"
    for candidate, mark in enumerate(marks):
        if not mark:
            cell, digit = divmod(candidate, board.choices)
            yield f"(assert (not {model.is_digit(names[cell], digit + 1)}))"
    for cells in excluded:
        same = (model.is_digit(x, digit) for x, digit in zip(names, cells, strict=True))
        yield f"(assert (not (and {' '.join(same)})))"
    yield "(check-sat)"
    yield f"(get-value ({' '.join(names)}))"


def parse_smt_answer(
    text: str, constraints: Constraints, puzzle: Grid | None = None
) -> Grid | None:
    """The checked grid if the answer is `sat` with the `get-value` or `get-model` output; None if
    it is `unsat`.

    Raises `SmtError` for other text, a broken rule, or a given that the grid does not keep.
    """
    board = constraints.board
    cells = smt_cells(text, board)
    if cells is None:
        return None
    grid = Grid(cells, board)
    if broken := violations(grid, constraints.rules):
        raise SmtError(broken[0].describe(grid))
    for cell, given in enumerate(puzzle or ()):
        if given not in (0, grid[cell]):
            raise SmtError(f"{board.name_of(cell)}={grid[cell]}, but the puzzle has {given} there")
    return grid


def smt_cells(text: str, board: Board) -> bytes | None:
    """The cells of an answer, a digit each, not checked; None if it is `unsat`.

    Which model it was follows from the values: one with a bit a digit is as wide as the board.
    """
    answer = text.split(None, 1)[0] if text.strip() else ""
    if len(set(re.findall(r"^(sat|unsat)\s*$", text, re.MULTILINE))) > 1:
        raise SmtError("found both 'sat' and 'unsat', expected one of them")
    if answer == "unsat":
        return None
    values = {
        board.cell_at.get((int(row) - 1, int(column) - 1)): _digit(value, board.choices)
        for row, column, value in _VALUE.findall(text)
    }
    cells = [values.get(cell, 0) for cell in range(board.cells)]
    if answer != "sat" or not all(1 <= digit <= board.choices for digit in cells):
        found = f"'{answer[:20]}' and {counted(sum(map(bool, cells)), 'value')}"
        raise SmtError(f"found {found}, expected sat and a value for each of {board.cells} cells")
    return bytes(cells)


def _digit(value: str, size: int) -> int:
    """The digit of a value; 0 if it is none."""
    if value[0] == "#":
        radix, width = (2, 1) if value[1] == "b" else (16, 4)
        number, width = int(value[2:], radix), width * len(value[2:])
    elif value[0] == "(":
        number, width = map(int, re.findall(r"\d+", value))
    else:
        return int(value)
    if width == size:
        return number.bit_length() if number.bit_count() == 1 else 0
    return number + 1 if width == binary_width(size) else 0
