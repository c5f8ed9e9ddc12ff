"""Measurements in a child process that may be killed at any time.

Invariant: building and solving are timed apart, and between the ticks only the backend runs:
garbage is collected before, answers are sent and judged after. The library is imported and a small
puzzle solved beforehand, so that no puzzle pays for what is done once.

Seconds are processor time, of the child and of the programs that it ran: solving takes one thread,
and other processes of the machine do not count. Parallel search alone is timed by the wall clock.

The child sends Ready. It then takes one measurement after the other from the connection, and sends
for each Begun, Built, and Done or Failed.
"""

from __future__ import annotations

import gc
import os
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

from ..answers.query import Query
from ..crosscheck.answers import Answer
from ..crosscheck.backends import Backend
from ..model.board import Board
from ..model.constraints import constraints_for, whole
from ..model.grid import parse_grid
from ..model.puzzle import Puzzle, empty_puzzle
from ..runtime.errors import BudgetError, SatdokuError
from ..runtime.supervisor import bound_memory
from ..witness.verify import violations
from .cubes import Conquest
from .instances import (
    CANDIDATES,
    ENUMERATE,
    INCREMENTAL,
    ONESHOT,
    PARALLEL,
    UNIQUENESS,
    Instance,
    fault,
)


class Measurement(NamedTuple):
    """One puzzle in one mode."""

    mode: str
    instance: Instance


class Work(NamedTuple):
    """What one child measures: a backend and encoding under one rule set, in so much memory."""

    backend: Backend
    encoding: str
    rules: str
    board: Board
    memory_mb: int


class Ready(NamedTuple):
    """The library is imported and has answered a small puzzle correctly."""

    import_s: float
    version: str


class Begun(NamedTuple):
    """The clock of the next measurement starts."""


class Built(NamedTuple):
    """Everything up to the search is built; 0 seconds if an earlier measurement built it."""

    build_s: float
    variables: int | None
    clauses: int | None


class Done(NamedTuple):
    """The backend has answered."""

    solve_s: float
    answer: Answer
    counters: dict[str, int]


class Failed(NamedTuple):
    """No answer: `memory`, `unknown`, `timeout` or `error`, and why."""

    status: str
    note: str


WARM_UP = "1234341221......"  # 4x4, one solution
WARM_UP_SOLUTION = parse_grid("1234341221434321").cells


class WarmUpError(SatdokuError):
    """The backend is wrong about a 4x4 puzzle, so it is not measured."""


def run(connection: Connection, work: Work, log: str) -> None:
    """What the child does. What solvers print goes to the file `log`."""
    _confine(work.memory_mb, log)
    try:
        start = time.perf_counter()
        version = work.backend.load()
        imported = time.perf_counter() - start
        _warm_up(work.backend, work.encoding)
    except Exception as error:
        connection.send(_failure(error))
        return
    connection.send(Ready(imported, version))
    bench = Bench(connection.send, work)
    with suppress(EOFError):  # the runner has no more
        while bench.measure(connection.recv()) != "memory":
            pass  # after that, the next measurement would start with less memory


def processor_seconds() -> float:
    """Of this process and of its children that have ended."""
    import resource

    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def _confine(memory_mb: int, log: str) -> None:
    """Limit memory; send output to a file, beside which all other files of the child lie, to be
    removed with it."""
    tempfile.tempdir = os.path.dirname(log)
    descriptor = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    os.dup2(descriptor, 1)
    os.dup2(descriptor, 2)
    bound_memory(memory_mb << 20)


def _warm_up(backend: Backend, encoding: str) -> None:
    constraints = constraints_for("classic", Board.of_size(4))
    instance = Instance("warm-up", parse_grid(WARM_UP), (), frozenset({WARM_UP_SOLUTION}))
    query = backend.open(instance.under(constraints), encoding)
    answer = Answer(tuple(query.solutions(limit=2)))
    if problem := fault(UNIQUENESS, instance, constraints, answer):
        raise WarmUpError(f"on the 4x4 puzzle {WARM_UP}: {problem}")
    query.close()


class Bench:
    """Measures for one backend and encoding; keeps the query of the incremental mode."""

    def __init__(self, send: Callable[[Any], None], work: Work) -> None:
        self._send = send
        self._work = work
        self._constraints = whole(constraints_for(work.rules, work.board))
        self._constraints.groups, self._constraints.pairs  # noqa: B018  cached: every encoding's common input
        self._kept: Query | None = None

    def measure(self, measurement: Measurement) -> str | None:
        """Take one measurement and send its result; returns the status of a failure."""
        mode, instance = measurement
        violations(instance.puzzle, self._constraints.rules)  # fills the caches of the geometry
        gc.collect()
        self._send(Begun())
        timed = self._timed_parallel if mode == PARALLEL else self._timed
        try:
            self._send(timed(mode, instance))
        except Exception as error:
            failure = _failure(error)
            self._send(failure)
            return failure.status
        return None

    def _timed(self, mode: str, instance: Instance) -> Done:
        keep = mode == INCREMENTAL
        puzzle = instance.under(self._constraints)
        start = processor_seconds()
        if keep:
            query = self._kept = self._kept or self._open(empty_puzzle(self._constraints))
        else:
            query = self._open(puzzle)
        built = processor_seconds()
        self._send(Built(built - start, query.variables, query.clauses))
        before = query.counters() if keep else {}
        start = processor_seconds()
        answer = _ask(query, mode, puzzle if keep else None)
        end = processor_seconds()
        counts = {name: n - before.get(name, 0) for name, n in query.counters().items()}
        if not keep:
            query.close()
        return Done(end - start, answer, counts)

    def _timed_parallel(self, _: str, instance: Instance) -> Done:
        puzzle = instance.under(self._constraints)
        start = time.perf_counter()
        conquest = Conquest(self._work.backend, self._work.encoding, puzzle)
        built = time.perf_counter()
        self._send(Built(built - start, None, None))
        start = time.perf_counter()
        try:
            solutions = conquest.solutions()
            end = time.perf_counter()
        finally:
            conquest.close()
        return Done(end - start, Answer(tuple(solutions)), {})

    def _open(self, puzzle: Puzzle) -> Query:
        return self._work.backend.open(puzzle, self._work.encoding)


def _ask(query: Query, mode: str, under: Puzzle | None) -> Answer:
    if mode in (ONESHOT, INCREMENTAL):
        solution = query.solve(under)
        return Answer(() if solution is None else (solution,))
    if mode == CANDIDATES:
        return Answer(candidates=query.candidates())
    return Answer(tuple(query.solutions(limit=None if mode == ENUMERATE else 2)))


def _failure(error: Exception) -> Failed:
    """An exception as a status and a note; Z3 and others report memory in texts of their own."""
    note = f"{type(error).__name__}: {error}"
    if isinstance(error, BudgetError):
        return Failed(error.status, str(error))
    if isinstance(error, MemoryError) or reports_memory(note):
        return Failed("memory", note)
    return Failed("wrong" if isinstance(error, WarmUpError) else "error", note)


def reports_memory(text: str) -> bool:
    """Whether a message reports exhausted memory, as Python, C++, Z3 or the loader word it."""
    words = (
        "memoryerror",
        "bad_alloc",
        "out of memory",
        "cannot allocate",
        "failed to map segment",
    )
    return any(word in text.lower() for word in words)
