"""The formula of a large puzzle as DIMACS, and another solver's answer back as a grid.

Invariant: the comments state the rules and the puzzle, from which `decode` makes the formula again;
an answer counts only if `check` accepts the grid.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from ...cnf.dimacs import SATISFIABLE, DecodeError, SolverOutput
from ...files.notation import CNF_MARK
from .board import Digits
from .check import solves
from .formula import Block
from .solve import LargeSudoku
from .text import format_numbers, parse_large


def format_cnf(sudoku: LargeSudoku) -> Iterator[str]:
    """The text of the formula in large pieces, comments first."""
    rules, formula = sudoku.rules, sudoku.formula
    yield "c Sudoku as SAT, written by satdoku: variable i is the i-th candidate that propagation\n"
    yield "c leaves open, cell by cell; `satdoku decode --cnf` reads an answer\n"
    yield f"c satdoku-size {rules.board.size}\nc satdoku-rules {rules.name}\n{CNF_MARK.decode()}"
    yield f"c satdoku-puzzle {format_numbers(sudoku.cells)}\n"
    if sudoku.clash or sudoku.propagated.conflict:
        yield "p cnf 1 2\n1 0\n-1 0\n"
        return
    yield f"p cnf {formula.variables} {formula.clause_count}\n"
    yield from clause_lines(formula.clauses())


def clause_lines(blocks: Iterable[Block]) -> Iterator[str]:
    """Each block of clauses as lines that end with 0."""
    for block in blocks:
        ended: NDArray[np.int32] = np.pad(block, ((0, 0), (0, 1)))
        yield " ".join(map(str, ended.ravel().tolist())).replace(" 0 ", " 0\n") + "\n"


def read_notes(text: bytes) -> LargeSudoku:
    """The puzzle and the rules that the comments of such a formula state."""
    notes = dict[str, str]()
    for line in text.splitlines():
        if not line.startswith(b"c"):
            break
        name, _, value = line.decode(errors="replace").removeprefix("c satdoku-").partition(" ")
        notes[name] = value
    if not notes.keys() >= {"rules", "puzzle"}:
        raise DecodeError("no satdoku comments in this CNF: expected its rules and its puzzle")
    return LargeSudoku(parse_large(notes["puzzle"]), notes["rules"])


def decode(answer: SolverOutput, sudoku: LargeSudoku) -> Digits | None:
    """The grid of an answer, None if it says that there is none; raises `DecodeError`."""
    if answer.status != SATISFIABLE:
        return None
    literals = np.array(answer.literals, np.int64)
    true = np.zeros(sudoku.formula.variables + 1, np.bool_)
    true[literals[(literals > 0) & (literals < len(true))]] = True
    cells = sudoku.formula.cells_of(true[1:])
    if not solves(cells, sudoku.cells, sudoku.rules):
        raise DecodeError("the answer is no solution: expected a model of the puzzle's formula")
    return cells
