"""Puzzles in, answers out: arrays checked, an implementation chosen, work shared among threads.

Invariant: every implementation gets the same plan and contiguous bytes of the right shape.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Event
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..model.constraints import Constraints
from ..runtime import limits
from ..runtime.errors import Status
from . import kernel
from .plan import plan_for, plan_of_all, refusal
from .targets import NUMPY, EngineError, active, checked, fastest, widest

Bytes = NDArray[np.uint8]

NODE_BUDGET = 100_000
MOST_LISTED = 1 << 16  # solutions of a puzzle at a time, as in c/kernel.h
PUZZLES_PER_TASK = 8192  # of a thread: many times the lanes, so that few blocks run half empty


class EngineResult(NamedTuple):
    """What `solve` found.

    status (N,) uint8: codes of `Status`; solutions (N, cells) uint8: a solution, or zeros;
    nodes (N,) uint32: search nodes propagated.
    """

    status: Bytes
    solutions: Bytes
    nodes: NDArray[np.uint32]


def solve(
    puzzles: NDArray[Any],
    constraints: Constraints,
    *,
    limit: int = 2,
    node_budget: int = NODE_BUDGET,
    box_line: bool = True,
    threads: int = 1,
    implementation: str | None = None,
) -> EngineResult:
    """Solve (N, cells) uint8 digits, 0 for empty, or (N, variables) bool pencil marks.

    With limit 1 the first solution is enough (SOLVED); with 2 the answer is UNIQUE or MULTIPLE.
    A puzzle without a solution is NONE, one with a digit that is too large INVALID, and one that
    needs more than `node_budget` nodes UNKNOWN. Raises `EngineError` for wrong arguments.
    """
    if limit not in (1, 2):
        raise EngineError(f"limit {limit}: expected 1 or 2")
    if not 1 <= node_budget < 2**32:
        raise EngineError(f"node budget {node_budget}: expected 1 to 4294967295")
    bytes_ = as_bytes(puzzles, constraints)
    plan = plan_for(constraints, box_line)
    name = checked(implementation or fastest(plan.classic, not plan.groups, len(bytes_)))

    def task(part: Bytes) -> EngineResult:
        if name == NUMPY:
            from . import reference

            return EngineResult(*reference.solve(plan, part, limit, node_budget))
        return EngineResult(*kernel.solve(plan, part, limit, node_budget, name))

    parts = _parts(bytes_, threads)
    if len(parts) == 1:
        return task(parts[0])
    results = _in_threads(task, parts, threads)
    return EngineResult(*(np.concatenate(column) for column in zip(*results, strict=True)))


def _in_threads(
    task: Callable[[Bytes], EngineResult], parts: list[Bytes], threads: int
) -> list[EngineResult]:
    """The results of the task for the parts; if an error or a signal ends the wait for them, all
    threads end soon."""
    from concurrent.futures import ThreadPoolExecutor

    given_up = Event()
    with ThreadPoolExecutor(threads, "", limits.stop_when, (given_up,)) as pool:
        try:
            return list(pool.map(limits.bounded(task), parts))
        except BaseException:
            given_up.set()
            raise


class Counted(NamedTuple):
    """What `count` found.

    grids (N,) uint64: solutions; whole (N,) bool: whether these are all; nodes (N,) uint32: search
    nodes propagated.
    """

    grids: NDArray[np.uint64]
    whole: NDArray[np.bool_]
    nodes: NDArray[np.uint32]


def count(
    puzzles: NDArray[Any],
    constraints: Constraints,
    *,
    node_budget: int = NODE_BUDGET,
    implementation: str | None = None,
) -> Counted:
    """Count the solutions of puzzles, given as for `solve`.

    Of a puzzle that needs more than `node_budget` nodes some are counted. Raises `EngineError` for
    wrong arguments.
    """
    if not 1 <= node_budget < 2**32:
        raise EngineError(f"node budget {node_budget}: expected 1 to 4294967295")
    name = checked(implementation or widest())
    bytes_ = as_bytes(puzzles, constraints)
    plan = plan_of_all(constraints)
    if name == NUMPY:
        from . import reference

        status, grids, nodes = reference.count(plan, bytes_, node_budget)
    else:
        status, grids, nodes = kernel.count(plan, bytes_, node_budget, name)
    return Counted(grids, status != Status.UNKNOWN, nodes)


class Listed(NamedTuple):
    """What `listed` found.

    status (N,) uint8: NONE where all solutions are listed, MULTIPLE where there is no room for all,
    UNKNOWN where the budget did not suffice; grids (N,) uint64: how many are listed; solutions (N,
    room, cells) uint8: they come first, the rest means nothing.
    """

    status: Bytes
    grids: NDArray[np.uint64]
    solutions: Bytes


def listed(
    puzzles: NDArray[Any],
    constraints: Constraints,
    room: int,
    *,
    node_budget: int = NODE_BUDGET,
    implementation: str | None = None,
) -> Listed:
    """The first solutions of each puzzle, given as for `solve`, at most `room`; not verified.

    Raises `EngineError` for wrong arguments.
    """
    if not 1 <= node_budget < 2**32:
        raise EngineError(f"node budget {node_budget}: expected 1 to 4294967295")
    if not 1 <= room <= MOST_LISTED:
        raise EngineError(f"room {room}: expected 1 to {MOST_LISTED}")
    name = checked(implementation or widest())
    bytes_ = as_bytes(puzzles, constraints)
    plan = plan_of_all(constraints)
    if name == NUMPY:
        from . import reference

        status, grids, solutions = reference.listed(plan, bytes_, room, node_budget)
    else:
        status, grids, solutions = kernel.listed(plan, bytes_, room, node_budget, name)
    return Listed(status, np.minimum(grids, np.uint64(room)), solutions)


def propagate(
    puzzles: NDArray[Any],
    constraints: Constraints,
    *,
    box_line: bool = True,
    implementation: str | None = None,
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """The fixpoint of unit propagation: candidates left (N, variables), conflicts (N,), both bool.

    With `box_line` it propagates as on the triads encoding, without as on the extended encoding; of
    clues it strikes more with `box_line`, and of ranks always. If there is a conflict, the
    candidates mean nothing.
    Raises `EngineError` for wrong arguments.
    """
    name = checked(implementation or active())
    bytes_ = as_bytes(puzzles, constraints)
    if (bytes_ > constraints.board.choices).any():
        raise EngineError("a digit is too large")
    plan = plan_for(constraints, box_line)
    if name == NUMPY:
        from . import reference

        candidates, conflict = reference.propagate(plan, bytes_)
    else:
        candidates, conflict = kernel.propagate(plan, bytes_, name)
    return candidates.view(np.bool_), conflict.view(np.bool_)


def as_bytes(puzzles: NDArray[Any], constraints: Constraints) -> Bytes:
    """Digits or marks as the kernel takes them; raises `EngineError` for another shape, and
    `BoardError` where only a session tells all solutions."""
    board = constraints.board
    if constraints.needs_session:
        raise refusal(constraints)
    shapes = {np.dtype(np.uint8): board.cells, np.dtype(np.bool_): board.variables}
    width = shapes.get(puzzles.dtype)
    if puzzles.ndim != 2 or width != puzzles.shape[1]:
        found = f"{puzzles.dtype} of shape {puzzles.shape}"
        wanted = f"uint8 (N, {board.cells}) or bool (N, {board.variables})"
        raise EngineError(f"puzzles are {found}: expected {wanted}")
    return np.ascontiguousarray(puzzles).view(np.uint8)


def _parts(puzzles: Bytes, threads: int) -> list[Bytes]:
    if threads <= 1:
        return [puzzles]
    tasks = max(1, min(-(-len(puzzles) // PUZZLES_PER_TASK), 8 * threads))
    return np.array_split(puzzles, tasks)
