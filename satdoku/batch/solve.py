"""Many puzzles: arrays in, arrays out; chunks in, results out, in order, over many workers.

Invariant: the answer to a puzzle depends on the puzzle, the rules and the limit alone, never on its
neighbours, the chunking, the backend or the number of workers; and no solution leaves unverified.

The engine answers nearly everything; what exceeds its node budget goes to a CDCL session.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Iterable, Sequence
from concurrent.futures import Executor
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import engine
from ..errors import SatdokuError, Status, WitnessError
from ..files.collection import Chunk, Puzzles
from ..model.board import Board, board_for
from ..model.constraints import Constraints, constraints_for, tells_board
from ..model.grid import NO_VALUE, Grid
from ..sat.api import shared_session
from ..sat.solver import DEFAULT_SOLVER
from ..witness.verify import clash_many, first_violation, solves_many
from .workers import Workers, map_in_order

BACKENDS = ("engine", "session")
# Nodes that the engine may spend on a puzzle: hundreds of times what the hardest 9x9 puzzles known
# take, and a fraction of a second; beyond it learning clauses pays.
NODE_BUDGET = 50_000


class BatchResult(NamedTuple):
    """What is known of N puzzles.

    statuses: (N,) uint8, codes of `Status`; solutions: (N, cells) uint8, all 0 where none is known;
    nodes: (N,) uint32, search nodes of the engine, 0 where CDCL alone was asked; microseconds: (N,)
    float32, the puzzle's share of its chunk's time (by nodes: puzzles are solved together), plus
    what CDCL took for it.
    """

    statuses: NDArray[np.uint8]
    solutions: NDArray[np.uint8]
    nodes: NDArray[np.uint32]
    microseconds: NDArray[np.float32]


@dataclass(frozen=True)
class BatchOptions:
    """How to solve a batch; small and picklable, it travels with every chunk.

    limit: 1 for the first solution, 2 to tell unique from multiple; backend: "engine", or "session"
    for CDCL alone; conflicts: the budget of each CDCL call, beyond which a puzzle is UNKNOWN.
    """

    constraints: Constraints
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
    constraints = constraints_for(rules, _board_of(puzzles, rules))
    marked = puzzles.dtype == np.bool_
    if puzzles.ndim != 2 or puzzles.shape[1] != (
        constraints.variables if marked else constraints.board.cells
    ):
        raise SatdokuError(
            f"array of shape {puzzles.shape}: expected (N, {constraints.board.cells}) digits "
            f"or (N, {constraints.variables}) bool"
        )
    if puzzles.min(initial=0) < 0 or puzzles.max(initial=0) > 255:
        raise SatdokuError("puzzle array with values outside 0..255")
    kept = np.ascontiguousarray(puzzles, dtype=np.bool_ if marked else np.uint8)
    return _solve(kept, BatchOptions(constraints, limit, solver, conflicts, backend))


def _board_of(puzzles: Puzzles, rules: str | Constraints) -> Board | None:
    """The usual board for the array's width; None where the rules have one, or none fits."""
    if tells_board(rules) or puzzles.ndim != 2:
        return None
    width = puzzles.shape[1]
    return board_for(round(width ** (2 / 3)) if puzzles.dtype == np.bool_ else width)


def solve_chunks(
    chunks: Iterable[Chunk],
    options: BatchOptions,
    *,
    workers: int = 1,
    executor: str | Executor | None = None,
) -> Generator[tuple[Chunk, BatchResult], None, None]:
    """Each chunk with its results, in order; the rows of a chunk's errors are INVALID.

    `workers` above 1 means threads of our own, or processes where threads would wait for each
    other; `executor` names another kind (see `workers.KINDS`) or is one of the caller's.
    A chunk's own rules, where it has any, take the place of the options' row by row; rows whose
    rules mean nothing come back among the errors.
    """
    checked = (check_rules(chunk, options) for chunk in chunks)
    jobs = ((chunk, (solvable(chunk), options, chunk.rules)) for chunk in checked)
    with open_workers(options, workers, executor) as pool:
        for chunk, result in map_in_order(pool, solve_job, jobs):
            yield chunk, _mark_errors(chunk, result)


def open_workers(
    options: BatchOptions, workers: int = 1, executor: str | Executor | None = None
) -> AbstractContextManager[Workers | None]:
    """The workers for these options; None, this thread alone, where one is enough."""
    if executor is None and workers <= 1:
        return nullcontext()
    kind = "thread" if options.threads_suffice else "process"
    return Workers(executor or kind, workers)


def check_rules(chunk: Chunk, options: BatchOptions) -> Chunk:
    """The chunk with rows whose own rules mean nothing among its errors."""
    if chunk.rules is None:
        return chunk
    wrong = {}
    for rules in set(chunk.rules):
        try:
            constraints_of(rules, options)
        except SatdokuError as error:
            wrong[rules] = error
    errors = dict(chunk.errors)
    for row, rules in enumerate(chunk.rules):
        if rules in wrong:
            line = int(chunk.lines[row])
            found = SatdokuError(f"{chunk.source}: line {line}: {wrong[rules]}")
            errors.setdefault(row, found)
    named = [rules if rules not in wrong else "" for rules in chunk.rules]
    return chunk._replace(errors=errors, rules=named)


def constraints_of(rules: str, options: BatchOptions) -> Constraints:
    """The constraints that a row's own rules name, the options' where they name none."""
    if not rules:
        return options.constraints
    constraints = constraints_for(rules, None if tells_board(rules) else options.constraints.board)
    if constraints.board.cells != options.constraints.board.cells:
        raise SatdokuError(f"rules '{rules}' are for a board of another size")
    return constraints


def solvable(chunk: Chunk) -> Puzzles:
    """The puzzles with something at once refused in the rows of errors.

    There are zeros in them, and an empty grid takes the engine longer than ten thousand puzzles.
    """
    if not chunk.errors:
        return chunk.puzzles
    puzzles: Puzzles = chunk.puzzles.copy()
    puzzles[list(chunk.errors)] = False if puzzles.dtype == np.bool_ else NO_VALUE
    return puzzles


def describe_clash(chunk: Chunk, row: int, options: BatchOptions) -> str:
    """Two givens of a row that break a rule: `r1c1=5 and r1c7=5 break the row rule`; or nothing.

    Of rows that cannot be read and of pencil marks nothing is said.
    """
    if row in chunk.errors or chunk.puzzles.dtype == np.bool_:
        return ""
    constraints = constraints_of(chunk.rules[row] if chunk.rules else "", options)
    grid = Grid(chunk.puzzles[row].tobytes(), constraints.board)
    broken = first_violation(grid, constraints.rules)
    return broken.describe(grid) if broken else ""


def _mark_errors(chunk: Chunk, result: BatchResult) -> BatchResult:
    if not chunk.errors:
        return result
    statuses = result.statuses.copy()  # what comes from another machine may be read-only
    statuses[list(chunk.errors)] = Status.INVALID
    return result._replace(statuses=statuses)


def solve_grids(grids: Sequence[Grid], options: BatchOptions) -> list[tuple[Status, Grid | None]]:
    """Status and, where there is one, a solution of each grid (all on the law's board)."""
    board = options.constraints.board
    cells = b"".join(grid.cells for grid in grids)
    puzzles = np.frombuffer(cells, dtype=np.uint8).reshape(-1, board.cells)
    result = _solve(puzzles, options)
    return [
        (Status(status), Grid(row.tobytes(), board) if row[0] else None)
        for status, row in zip(result.statuses.tolist(), result.solutions, strict=True)
    ]


def solve_job(
    puzzles: Puzzles, options: BatchOptions, rules: Sequence[str] | None = None
) -> BatchResult:
    """One chunk in this thread; rows with rules of their own are solved together, law by law."""
    if rules is None or not any(rules):
        return _solve(puzzles, options)
    result = _unanswered(puzzles, options.constraints)
    for name in dict.fromkeys(rules):
        rows = np.array([row for row, own in enumerate(rules) if own == name])
        part = _solve(puzzles[rows], replace(options, constraints=constraints_of(name, options)))
        for mine, theirs in zip(_columns(result), _columns(part), strict=True):
            mine[rows] = theirs
    return result


def _columns(result: BatchResult) -> list[NDArray[Any]]:
    return list(result)


def _solve(puzzles: Puzzles, options: BatchOptions) -> BatchResult:
    """One chunk under one law."""
    constraints = options.constraints
    marked = puzzles.dtype == np.bool_
    if options.backend == "engine":
        result = _ask_engine(puzzles, options)
    else:
        result = _unanswered(puzzles, constraints)
    unknown = np.flatnonzero(result.statuses == Status.UNKNOWN)
    _ask_session(puzzles, options, result, unknown.tolist())
    none = np.flatnonzero(result.statuses == Status.NONE)
    if len(none) and not marked:
        clash = clash_many(puzzles[none], constraints.rules, constraints.board)
        result.statuses[none[clash]] = Status.INVALID
    check_batch(puzzles, result, constraints)
    return result


def _unanswered(puzzles: Puzzles, constraints: Constraints) -> BatchResult:
    """Every puzzle UNKNOWN, or INVALID where a value is no digit."""
    readable = puzzles.max(axis=1, initial=0) <= constraints.board.size
    statuses = np.where(readable, Status.UNKNOWN, Status.INVALID).astype(np.uint8)
    count = len(puzzles)
    solutions = np.zeros((count, constraints.board.cells), np.uint8)
    return BatchResult(statuses, solutions, np.zeros(count, np.uint32), np.zeros(count, np.float32))


def _ask_engine(puzzles: Puzzles, options: BatchOptions) -> BatchResult:
    start = time.perf_counter()
    status, solutions, nodes = engine.solve(
        puzzles, options.constraints, limit=options.limit, node_budget=options.node_budget
    )
    spent = 1e6 * (time.perf_counter() - start)
    shares = (spent / max(int(nodes.sum()), 1) * nodes).astype(np.float32)
    return BatchResult(status, solutions, nodes, shares)


def _ask_session(
    puzzles: Puzzles, options: BatchOptions, result: BatchResult, rows: list[int]
) -> None:
    """Fill in the rows of the result by CDCL, on this thread's session."""
    if not rows:
        return
    session = shared_session(options.constraints, options.solver)
    decide = session.decide_marks if puzzles.dtype == np.bool_ else session.decide_cells
    for row in rows:
        start = time.perf_counter()
        status, solution = decide(
            puzzles[row].tobytes(), limit=options.limit, conflicts=options.conflicts
        )
        result.microseconds[row] += 1e6 * (time.perf_counter() - start)
        result.statuses[row] = status
        if solution is not None:
            result.solutions[row] = np.frombuffer(solution, dtype=np.uint8)


def check_batch(puzzles: Puzzles, result: BatchResult, constraints: Constraints) -> None:
    """Raise `WitnessError` unless `verify` agrees with every solution of the result."""
    has_solution = result.solutions[:, 0] > 0
    claimed = np.isin(result.statuses, [Status.UNIQUE, Status.MULTIPLE, Status.SOLVED])
    solved = slice(None) if has_solution.all() else has_solution
    solutions, asked = result.solutions[solved], puzzles[solved]
    if asked.dtype == np.bool_:
        marks = asked.reshape(len(asked), constraints.board.cells, constraints.board.size)
        kept = np.take_along_axis(marks, (solutions - np.uint8(1))[:, :, None], axis=2)
        good = solves_many(
            solutions, np.zeros_like(solutions), constraints.rules, constraints.board
        )
        good &= kept.all(axis=(1, 2))
    else:
        good = solves_many(solutions, asked, constraints.rules, constraints.board)
    if not good.all() or (claimed & ~has_solution).any():
        wrong = np.flatnonzero(has_solution)[~good]
        raise WitnessError(f"wrong solutions for puzzles {wrong[:5].tolist()} of a chunk")
