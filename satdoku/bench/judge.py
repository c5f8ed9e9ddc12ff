"""Is the answer right?

Invariant: an answer is compared with the instance's known solutions and checked by `verify`; what a
backend says of its own answer is not read.
"""

from __future__ import annotations

from ..answers.query import candidates_of
from ..crosscheck.answers import Answer
from ..errors import Status
from ..model.constraints import Constraints
from ..model.grid import Grid
from ..witness.verify import solves
from .instances import (
    CANDIDATES,
    ENUMERATE,
    INCREMENTAL,
    ONESHOT,
    PARALLEL,
    Instance,
)


def status_of(mode: str, answer: Answer, constraints: Constraints) -> Status:
    """The answer in a word; true candidates tell it too: one a cell in a unique puzzle."""
    if answer.candidates is not None:
        found = len(answer.candidates) / constraints.board.cells
        return Status.NONE if not found else Status.UNIQUE if found == 1 else Status.MULTIPLE
    if mode in (ONESHOT, INCREMENTAL):
        return Status.SOLVED if answer.solutions else Status.NONE
    return (Status.NONE, Status.UNIQUE, Status.MULTIPLE)[min(len(answer.solutions), 2)]


def fault(mode: str, instance: Instance, constraints: Constraints, answer: Answer) -> str | None:
    """What is wrong with the answer, in words; None if it is right."""
    for cells in answer.solutions:
        if not solves(Grid(cells, constraints.board), instance.puzzle, constraints.rules):
            return f"{Grid(cells, constraints.board)} is no solution"
        if struck := _struck(cells, instance, constraints):
            return f"{Grid(cells, constraints.board)} holds {struck}, which is struck"
    if len(set(answer.solutions)) != len(answer.solutions):
        return "the same solution twice"
    if mode == CANDIDATES:
        return _wrong_candidates(instance, answer)
    return _wrong_number(mode, instance, len(answer.solutions))


def _struck(cells: bytes, instance: Instance, constraints: Constraints) -> str | None:
    n = constraints.board.size
    for candidate in instance.struck:
        cell, digit = divmod(candidate, n)
        if cells[cell] == digit + 1:
            return f"{constraints.board.name_of(cell)}={digit + 1}"
    return None


def _wrong_number(mode: str, instance: Instance, found: int) -> str | None:
    """Every solution found is one; so with the right number of them, they are the right ones."""
    if instance.solutions is None:
        wanted, words = (1, "1") if mode in (ONESHOT, INCREMENTAL) else (2, "2 or more")
    else:
        limit = {ONESHOT: 1, INCREMENTAL: 1}.get(mode, 2)
        exact = mode in (ENUMERATE, PARALLEL)
        wanted = len(instance.solutions) if exact else min(limit, len(instance.solutions))
        words = str(wanted)
    return None if found == wanted else f"{found} solutions found, {words} expected"


def _wrong_candidates(instance: Instance, answer: Answer) -> str | None:
    true = {c for solution in instance.solutions or () for c in candidates_of(solution)}
    claimed = answer.candidates or frozenset()
    if claimed == true:
        return None
    return f"{len(true - claimed)} true candidates missing, {len(claimed - true)} false ones"
