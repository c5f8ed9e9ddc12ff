"""Many puzzles: arrays in, arrays out; chunks in, results out, in order, over many workers.

Law: the answer to a puzzle depends on the puzzle, the rules and the limit alone, never on its
neighbours, the chunking, the backend or the number of workers; and no solution leaves unverified.

The engine answers nearly everything; what exceeds its node budget goes to a CDCL session.
"""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import engine
from .api import WitnessError, shared_session
from .board import Board, board_for
from .collection import Chunk
from .errors import SatdokuError, Status
from .grid import Grid
from .rules import Constraints, constraints
from .session import DEFAULT_SOLVER
from .verify import clash_many, solves_many

Puzzles = NDArray[Any]  # (N, cells) uint8 digits, or (N, variables) bool marks

BACKENDS = ("engine", "session")
# Nodes that the engine may spend on a puzzle: hundreds of times what the hardest 9x9 puzzles known
# take, and a fraction of a second; beyond it learning clauses pays.
NODE_BUDGET = 50_000


class BatchResult(NamedTuple):
    """What is known of N puzzles.

    statuses: (N,) uint8, codes of `Status`; solutions: (N, cells) uint8, all 0 where none is known.
    """

    statuses: NDArray[np.uint8]
    solutions: NDArray[np.uint8]


@dataclass(frozen=True)
class BatchOptions:
    """How to solve a batch; small and picklable, it travels with every chunk.

    limit: 1 for the first solution, 2 to tell unique from multiple; backend: "engine", or "session"
    for CDCL alone; conflicts: the budget of each CDCL call, beyond which a puzzle is UNKNOWN.
    """

    law: Constraints
    limit: int = 2
    solver: str = DEFAULT_SOLVER
    conflicts: int | None = None
    backend: str = BACKENDS[0]
    node_budget: int = NODE_BUDGET

    def __post_init__(self) -> None:
        if self.limit not in (1, 2):
            raise SatdokuError(f"limit {self.limit}: expected 1 (solve) or 2 (uniqueness)")
        if self.backend not in BACKENDS:
            raise SatdokuError(f"no backend '{self.backend}': known are {', '.join(BACKENDS)}")

    @property
    def threads_suffice(self) -> bool:
        """Whether nearly all work is done in the C kernel, without the interpreter lock."""
        return self.backend == "engine" and engine.active() != engine.NUMPY


def solve_batch(
    puzzles: Puzzles,
    rules: str | Constraints = "classic",
    *,
    limit: int = 2,
    solver: str = DEFAULT_SOLVER,
    conflicts: int | None = None,
    backend: str = BACKENDS[0],
) -> BatchResult:
    """Solve (N, cells) puzzles, 0 for empty, or (N, variables) bool pencil marks; all verified.

    Marks are True where a candidate (cell-major, digit 1 first) may hold: (N, 729) for 9x9.
    Statuses are NONE, UNIQUE, MULTIPLE (or SOLVED with limit 1), INVALID where givens clash or a
    value is no digit, UNKNOWN beyond the conflict budget. Raises `SatdokuError` for a wrong shape.
    """
    puzzles = np.asarray(puzzles)
    if puzzles.dtype.kind not in "uib":
        raise SatdokuError(f"array of {puzzles.dtype}: expected integers, or bool for pencil marks")
    law = constraints(rules, _board_of(puzzles, rules))
    marked = puzzles.dtype == np.bool_
    if puzzles.ndim != 2 or puzzles.shape[1] != (law.variables if marked else law.board.cells):
        raise SatdokuError(
            f"array of shape {puzzles.shape}: expected (N, {law.board.cells}) digits "
            f"or (N, {law.variables}) bool"
        )
    if puzzles.min(initial=0) < 0 or puzzles.max(initial=0) > 255:
        raise SatdokuError("puzzle array with values outside 0..255")
    kept = np.ascontiguousarray(puzzles, dtype=np.bool_ if marked else np.uint8)
    return _solve(kept, BatchOptions(law, limit, solver, conflicts, backend))


def _board_of(puzzles: Puzzles, rules: str | Constraints) -> Board | None:
    """The usual board for the array's width; None where the rules have one, or none fits."""
    if isinstance(rules, Constraints) or "jigsaw" in rules or puzzles.ndim != 2:
        return None
    width = puzzles.shape[1]
    return board_for(round(width ** (2 / 3)) if puzzles.dtype == np.bool_ else width)


def solve_chunks(
    chunks: Iterable[Chunk],
    options: BatchOptions,
    *,
    workers: int = 1,
    executor: Executor | None = None,
) -> Generator[tuple[Chunk, BatchResult], None, None]:
    """Each chunk with its results, in order; the rows of a chunk's errors are INVALID.

    `workers` above 1 means threads of our own, or processes where threads would wait for each
    other; an `executor` of the caller's takes their place.
    Only a few chunks are under way at once, so memory does not grow with the collection.
    """
    if executor is None and workers <= 1:
        for chunk in chunks:
            yield chunk, _mark_errors(chunk, _solve(chunk.puzzles, options))
        return
    with _executor(executor, workers, options.threads_suffice) as pool:
        under_way: deque[tuple[Chunk, Future[BatchResult]]] = deque()
        for chunk in chunks:
            with _interrupts_held():  # submitting starts workers, which inherit this
                under_way.append((chunk, pool.submit(_solve, chunk.puzzles, options)))
            while len(under_way) > 2 * workers + 1:
                yield _finished(*under_way.popleft())
        while under_way:
            yield _finished(*under_way.popleft())


def available_workers() -> int:
    """Number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def _executor(executor: Executor | None, workers: int, threads: bool) -> Iterator[Executor]:
    if executor is not None:
        yield executor
        return
    pool: Executor = (
        ThreadPoolExecutor(workers)
        if threads
        # Spawned, not forked: the caller's threads (a progress bar has one) must not be copied.
        else ProcessPoolExecutor(workers, get_context("spawn"), initializer=_ignore_interrupt)
    )
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Ctrl-C waits till the end, for good in a process that is started meanwhile."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _ignore_interrupt() -> None:
    """Ctrl-C reaches every process of the terminal's group; only the parent acts on it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _finished(chunk: Chunk, future: Future[BatchResult]) -> tuple[Chunk, BatchResult]:
    return chunk, _mark_errors(chunk, future.result())


def _mark_errors(chunk: Chunk, result: BatchResult) -> BatchResult:
    for index in chunk.errors:
        result.statuses[index] = Status.INVALID
        result.solutions[index] = 0
    return result


def solve_grids(grids: Sequence[Grid], options: BatchOptions) -> list[tuple[Status, Grid | None]]:
    """Status and, where there is one, a solution of each grid (all on the law's board)."""
    board = options.law.board
    cells = b"".join(grid.cells for grid in grids)
    puzzles = np.frombuffer(cells, dtype=np.uint8).reshape(-1, board.cells)
    statuses, solutions = _solve(puzzles, options)
    return [
        (Status(status), Grid(row.tobytes(), board) if row[0] else None)
        for status, row in zip(statuses.tolist(), solutions, strict=True)
    ]


def _solve(puzzles: Puzzles, options: BatchOptions) -> BatchResult:
    """One chunk in this thread."""
    law = options.law
    marked = puzzles.dtype == np.bool_
    if options.backend == "engine":
        result = _ask_engine(puzzles, options)
    else:
        result = _unanswered(puzzles, law)
    unknown = np.flatnonzero(result.statuses == Status.UNKNOWN)
    _ask_session(puzzles, options, result, unknown.tolist())
    none = np.flatnonzero(result.statuses == Status.NONE)
    if len(none) and not marked:
        clash = clash_many(puzzles[none], law.rules, law.board)
        result.statuses[none[clash]] = Status.INVALID
    check_batch(puzzles, result, law)
    return result


def _unanswered(puzzles: Puzzles, law: Constraints) -> BatchResult:
    """Every puzzle UNKNOWN, or INVALID where a value is no digit."""
    readable = puzzles.max(axis=1, initial=0) <= law.board.size
    statuses = np.where(readable, Status.UNKNOWN, Status.INVALID).astype(np.uint8)
    return BatchResult(statuses, np.zeros((len(puzzles), law.board.cells), np.uint8))


def _ask_engine(puzzles: Puzzles, options: BatchOptions) -> BatchResult:
    answer = engine.solve(
        puzzles, options.law, limit=options.limit, node_budget=options.node_budget
    )
    return BatchResult(answer.status, answer.solutions)


def _ask_session(
    puzzles: Puzzles, options: BatchOptions, result: BatchResult, rows: list[int]
) -> None:
    """Fill in the rows of the result by CDCL, on this thread's session."""
    if not rows:
        return
    session = shared_session(options.law, options.solver)
    decide = session.decide_marks if puzzles.dtype == np.bool_ else session.decide_cells
    for row in rows:
        status, solution = decide(
            puzzles[row].tobytes(), limit=options.limit, conflicts=options.conflicts
        )
        result.statuses[row] = status
        if solution is not None:
            result.solutions[row] = np.frombuffer(solution, dtype=np.uint8)


def check_batch(puzzles: Puzzles, result: BatchResult, law: Constraints) -> None:
    """Raise `WitnessError` unless `verify` agrees with every solution of the result."""
    has_solution = result.solutions[:, 0] > 0
    claimed = np.isin(result.statuses, [Status.UNIQUE, Status.MULTIPLE, Status.SOLVED])
    solved = slice(None) if has_solution.all() else has_solution
    solutions, asked = result.solutions[solved], puzzles[solved]
    if asked.dtype == np.bool_:
        marks = asked.reshape(len(asked), law.board.cells, law.board.size)
        kept = np.take_along_axis(marks, (solutions - np.uint8(1))[:, :, None], axis=2)
        good = solves_many(solutions, np.zeros_like(solutions), law.rules, law.board)
        good &= kept.all(axis=(1, 2))
    else:
        good = solves_many(solutions, asked, law.rules, law.board)
    if not good.all() or (claimed & ~has_solution).any():
        wrong = np.flatnonzero(has_solution)[~good]
        raise WitnessError(f"wrong solutions for puzzles {wrong[:5].tolist()} of a chunk")
