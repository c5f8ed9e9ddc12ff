"""The formula of a large puzzle as DIMACS, and another solver's answer back as a grid.

Invariant: the comments state the rules and the puzzle, from which `decode` makes the formula again;
an answer counts only if the witness accepts the grid.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from ...cnf.dimacs import SATISFIABLE, DecodeError, SolverOutput
from ...model.grid import Grid
from ...model.notes import notes_of
from ...witness.verify import solves
from .formula import Block
from .solve import LargeQuery

ENCODING = "open"  # in the comments: of the candidates that are open


def format_cnf(query: LargeQuery) -> Iterator[str]:
    """The text of the formula in large pieces, comments first."""
    yield "c Sudoku as SAT, written by satdoku: variable i is the i-th candidate that propagation\n"
    yield "c leaves open, cell by cell; `satdoku decode --cnf` reads an answer\n"
    for line in notes_of(query.puzzle.constraints, query.puzzle.grid, encoding=ENCODING):
        yield f"c {line}\n"
    if query.propagated.conflict:
        yield "p cnf 1 2\n1 0\n-1 0\n"
        return
    formula = query.formula
    yield f"p cnf {formula.variables} {formula.clause_count}\n"
    yield from clause_lines(formula.clauses())


def clause_lines(blocks: Iterable[Block]) -> Iterator[str]:
    """Each block of clauses as lines that end with 0."""
    for block in blocks:
        ended: NDArray[np.int32] = np.pad(block, ((0, 0), (0, 1)))
        yield " ".join(map(str, ended.ravel().tolist())).replace(" 0 ", " 0\n") + "\n"


def decode(answer: SolverOutput, query: LargeQuery) -> Grid | None:
    """The grid of an answer, None if it says that there is none; raises `DecodeError`."""
    if answer.status != SATISFIABLE:
        return None
    literals = np.array(answer.literals, np.int64)
    true = np.zeros(query.formula.variables + 1, np.bool_)
    true[literals[(literals > 0) & (literals < len(true))]] = True
    grid = query.grid_of(query.formula.cells_of(true[1:]))
    if not solves(grid, query.puzzle.grid, query.puzzle.constraints.rules):
        raise DecodeError("the answer is no solution: expected a model of the puzzle's formula")
    return grid
