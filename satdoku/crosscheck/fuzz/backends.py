"""Everything here that can answer a puzzle, as functions of one form.

Invariant: a backend gets a case and returns what it found, from a fresh start; what it raises is
its answer too.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from ... import engine
from ...cnf.encodings import DEFAULT_ENCODING, ENCODINGS
from ...errors import SatdokuError, Status
from ...sat.session import Session
from ...sat.solver import (
    DEFAULT_SOLVER,
    NO_BUDGET,
    SOLVERS,
    BudgetError,
)
from .. import Z3_MODELS, ask
from .cases import Case
from .plain import search

PLAIN = "plain"
ENGINE = "engine-"  # and an implementation
NODES = 2_000  # that plain search and the engines may spend on a case
CONFLICTS = 2_000  # a solver, in each of its calls
Z3_SECONDS = 2.0  # Z3, in each of its calls


class Answer(NamedTuple):
    """What a backend says of a case.

    found: number of solutions, where the counting stops at `cap`; shown: those of them that can be
    seen; complete: False where it gave up, and `found` is a lower bound; status: as it words it, if
    it does; trouble: how it contradicts itself, or what it raised.
    """

    found: int
    cap: int
    shown: frozenset[bytes]
    complete: bool = True
    status: Status | None = None
    trouble: str = ""


Backend = Callable[[Case], Answer]


class BackendMissing(SatdokuError):
    """A backend that is not known."""


def backend_names() -> tuple[str, ...]:
    """Plain search, every solver, every encoding, every engine, every Z3 model."""
    encodings = (name for name in ENCODINGS if name != DEFAULT_ENCODING)
    engines = (ENGINE + name for name in engine.implementations())
    return (PLAIN, *SOLVERS, *encodings, *engines, *Z3_MODELS)


def backend_named(name: str) -> Backend:
    """The backend of that name; SOLVER/ENCODING are two that meet."""
    solver, _, encoding = name.partition("/")
    if name == PLAIN:
        return _plain
    if name in Z3_MODELS:
        return partial(_z3, model=name)
    if name.startswith(ENGINE) and name[len(ENGINE) :] in engine.implementations():
        return partial(_engine, implementation=name[len(ENGINE) :])
    if name in ENCODINGS:
        return partial(_session, solver=DEFAULT_SOLVER, encoding=name)
    if solver in SOLVERS and (not encoding or encoding in ENCODINGS):
        return partial(_session, solver=solver, encoding=encoding or DEFAULT_ENCODING)
    known = ", ".join(backend_names())
    raise BackendMissing(f"no backend '{name}': known are {known}, and SOLVER/ENCODING")


def _plain(case: Case) -> Answer:
    found, complete = search(case.puzzle, case.constraints.rules, case.limit, NODES)
    return Answer(len(found), case.limit, found, complete)


def _engine(case: Case, implementation: str) -> Answer:
    import numpy as np

    puzzles = np.frombuffer(case.puzzle.cells, np.uint8).reshape(1, -1)
    cap = min(case.limit, 2)
    result = engine.solve(
        puzzles, case.constraints, limit=cap, node_budget=NODES, implementation=implementation
    )
    status = Status(result.status[0])
    found = result.solutions[0].tobytes()
    shown = frozenset([found] if any(found) else [])
    count = 2 if status is Status.MULTIPLE else int(status in (Status.UNIQUE, Status.SOLVED))
    return Answer(count, cap, shown, status is not Status.UNKNOWN, status)


def _z3(case: Case, model: str) -> Answer:
    said = ask(model, case.puzzle, case.constraints, limit=case.limit, timeout=Z3_SECONDS)
    return Answer(len(said.solutions), case.limit, said.solutions, said.complete)


def _session(case: Case, solver: str, encoding: str) -> Answer:
    conflicts = None if solver in NO_BUDGET else CONFLICTS
    puzzle, limit = case.puzzle, case.limit
    found: list[bytes] = []
    with Session(case.constraints, solver=solver, encoding=encoding) as session:
        try:
            found += (g.cells for g in session.solutions(puzzle, limit=limit, conflicts=conflicts))
            count = session.count(puzzle, limit=limit, conflicts=conflicts)
            status = session.decide(puzzle, limit=min(limit, 2), conflicts=conflicts)[0]
            candidates = session.candidates(puzzle, conflicts=conflicts)
        except BudgetError:
            return Answer(len(set(found)), limit, frozenset(found), False)
    shown = frozenset(found)
    trouble = _contradiction(shown, len(found), count, limit, candidates)
    complete = status is not Status.UNKNOWN
    return Answer(len(shown), limit, shown, complete, status, trouble)


def _contradiction(
    shown: frozenset[bytes],
    listed: int,
    count: int,
    limit: int,
    candidates: tuple[frozenset[int], ...],
) -> str:
    """What a session's answers to several questions have against each other, in words."""
    if len(shown) != listed:
        return f"lists {listed} solutions, {len(shown)} of them different"
    if count != listed:
        return f"counts {count} solutions, lists {listed}"
    seen = [{solution[cell] for solution in shown} for cell in range(len(candidates))]
    fits = all(map(frozenset.issuperset, candidates, seen))
    if not fits or (listed < limit and any(map(frozenset.__ne__, candidates, seen))):
        return "has other true candidates than its solutions"
    return ""
