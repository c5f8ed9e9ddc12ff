"""Many puzzles decided: by the engine together, then one by one the puzzles that it gives up on.

Invariant: the answer to a puzzle depends on the puzzle, the rules and the limit alone, never on its
neighbours or on the source of the answer. If there are several solutions, any may be found.

`decide` does not verify. The generator asks about thousands of puzzles for one that it keeps, and
would take half as long again. If you pass solutions on, call `check_solutions` first.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from math import inf, isqrt
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import engine
from ..files.collection.beside import grid_texts
from ..files.collection.chunk import own
from ..files.frames import as_frame, status_texts
from ..model.board import Board
from ..model.constraints import Constraints
from ..runtime.errors import Status, WitnessError
from ..witness.verify import solves_many
from .options import BatchOptions
from .rated import rating_columns

if TYPE_CHECKING:
    from ..files.collection import Puzzles

CLAIMING = Status.UNIQUE, Status.MULTIPLE, Status.SOLVED  # of which there must be a solution
_CLAIMS = np.zeros(256, np.bool_)  # by status: whether it is one of these
_CLAIMS[[*CLAIMING]] = True


class BatchResult(NamedTuple):
    """The results for N puzzles.

    statuses: (N,) uint8, codes of `Status`; solutions: (N, cells) uint8, all 0 if none is known;
    nodes: (N,) uint32, search nodes of the engine, 0 if only CDCL was asked; microseconds: (N,)
    float32, the puzzle's share (by nodes) of the time that the engine took for all of them
    together, plus the time that CDCL took for this one; by_session: (N,) bool, whether CDCL was
    asked last; ratings: (N, 4) int32 as `ratings.scale` gives them, `NOT_RATED` for puzzles that
    are not classic or not unique; (N, 0) if they were not asked for. own_board: the board, where it
    is no usual one; solutions hold positions of its digits, from 1, and the cells of layers last.
    proofs: N texts, if they were asked for; see `certificates.beside`.
    """

    statuses: NDArray[np.uint8]
    solutions: NDArray[np.uint8]
    nodes: NDArray[np.uint32]
    microseconds: NDArray[np.float32]
    by_session: NDArray[np.bool_]
    ratings: NDArray[np.int32]
    own_board: Board | None = None
    proofs: Sequence[str] | None = None

    def __repr__(self) -> str:
        from .in_short import in_short  # which draws

        return f"<BatchResult: {in_short(self.statuses)}>"

    def _repr_html_(self) -> str:
        """The table that a notebook shows: how many puzzles have which status."""
        from .in_short import status_table

        return status_table(self.statuses, self.nodes)

    @property
    def board(self) -> Board:
        """The board of all puzzles, or the usual one of so many cells."""
        return self.own_board or Board.of_size(isqrt(self.solutions.shape[1]))

    @property
    def arrays(self) -> tuple[NDArray[Any], ...]:
        """The fields that have a row for each puzzle."""
        return self[:6]

    def with_arrays(self, arrays: Iterable[NDArray[Any]]) -> BatchResult:
        """The result with other `arrays`."""
        statuses, solutions, nodes, microseconds, by_session, ratings = arrays
        return BatchResult(
            statuses, solutions, nodes, microseconds, by_session, ratings, self.own_board
        )

    def solved_by(self, solver: str) -> list[str]:
        """What has decided each puzzle: `engine`, or the name of a solver; empty for INVALID and
        UNKNOWN."""
        decided = ~np.isin(self.statuses, [Status.INVALID, Status.UNKNOWN])
        names = np.array(["", "engine", solver])
        found: list[str] = names[decided * (1 + self.by_session)].tolist()
        return found

    def columns(self) -> dict[str, Any]:
        """N values each: status, solution (a text, empty if none is known), nodes, microseconds,
        by_session; and er, ep, ed, technique if ratings were asked for."""
        columns = {
            "status": status_texts(self.statuses),
            "solution": grid_texts(self.solutions, self.solutions[:, 0] > 0, self.board),
            "nodes": self.nodes,
            "microseconds": self.microseconds,
            "by_session": self.by_session,
        }
        return columns | rating_columns(self.ratings) if self.ratings.shape[1] else columns

    def as_frame(self, kind: str = "pandas") -> Any:
        """The columns as a frame of `pandas` or `polars`, or as a table of `pyarrow`."""
        return as_frame(self, kind)


def decide(puzzles: Puzzles, options: BatchOptions, deadline: float = inf) -> BatchResult:
    """Statuses and solutions, not verified yet, of (N, cells) digits or (N, variables) bool marks.

    The statuses are those of the engine: NONE also if givens clash, INVALID if a value is no
    digit, UNKNOWN beyond `conflicts` in one call of the solver, SOLVED if limit is 1. deadline: a
    time of `time.monotonic`, by which CDCL leaves puzzles UNKNOWN.
    """
    constraints = options.constraints
    slow = constraints.is_wide and engine.active() == engine.NUMPY  # under clues CDCL is quicker
    slow |= constraints.needs_session
    alone = constraints.is_wide and len(puzzles) == 1  # and in turn with a session at once
    if options.backend == "engine" and not (slow or alone):
        result = _ask_engine(puzzles, options)
    else:
        result = unanswered(puzzles, constraints)
    ask_alone(puzzles, result, options, deadline)
    return result


def unanswered(puzzles: Puzzles, constraints: Constraints) -> BatchResult:
    """Every puzzle UNKNOWN, or INVALID if a value is no digit."""
    readable = puzzles.max(axis=1, initial=0) <= constraints.board.choices
    statuses = np.where(readable, Status.UNKNOWN, Status.INVALID).astype(np.uint8)
    count = len(puzzles)
    board = constraints.board
    solutions = np.zeros((count, board.cells), np.uint8)
    return engine_result(statuses, solutions, np.zeros(count, np.uint32), board)


def engine_result(
    statuses: NDArray[np.uint8],
    solutions: NDArray[np.uint8],
    nodes: NDArray[np.uint32],
    board: Board | None = None,
    seconds: float = 0.0,
) -> BatchResult:
    """What the engine has answered in that time."""
    shares = (1e6 * seconds / max(int(nodes.sum()), 1) * nodes).astype(np.float32)
    count = len(nodes)
    none = np.zeros(count, np.bool_), np.zeros((count, 0), np.int32)
    return BatchResult(statuses, solutions, nodes, shares, *none, board and own(board))


def _ask_engine(puzzles: Puzzles, options: BatchOptions) -> BatchResult:
    start, constraints = time.perf_counter(), options.constraints
    status, solutions, nodes = engine.solve(
        puzzles, constraints, limit=options.limit, node_budget=options.node_budget
    )
    seconds = time.perf_counter() - start
    return engine_result(status, solutions, nodes, constraints.board, seconds)


def ask_alone(
    puzzles: Puzzles, result: BatchResult, options: BatchOptions, deadline: float = inf
) -> None:
    """Fill in the rows of the result that are UNKNOWN, one by one; see `turns.decide`."""
    if Status.UNKNOWN not in result.statuses.tobytes():
        return
    for row in np.flatnonzero(result.statuses == Status.UNKNOWN).tolist():
        ask_one(row, puzzles[row].tobytes(), result, options, deadline)


def ask_one(
    row: int, cells: bytes, result: BatchResult, options: BatchOptions, deadline: float = inf
) -> tuple[Status, bytes | None]:
    """The same for one puzzle, whose row of the result is filled in: its status and solution."""
    from ..answers.sides import ENGINE  # few batches need it
    from ..answers.turns import decide
    from ..model.puzzle import of_cells

    start = time.perf_counter()
    status, solution, by, nodes = decide(
        of_cells(cells, options.constraints),
        limit=options.limit,
        deadline=deadline,
        solver=options.solver,
        conflicts=options.conflicts,
        alone=options.backend == "session",
    )
    result.microseconds[row] += 1e6 * (time.perf_counter() - start)
    result.statuses[row] = status
    result.nodes[row] += nodes
    result.by_session[row] = by != ENGINE
    if solution is not None:
        result.solutions[row] = np.frombuffer(solution, dtype=np.uint8)
    return status, solution


def check_solutions(puzzles: Puzzles, result: BatchResult, constraints: Constraints) -> None:
    """Raise `WitnessError` unless `verify` accepts every solution of the result."""
    has_solution = result.solutions[:, 0] > 0
    whole = bool(has_solution.all())
    solved = slice(None) if whole else has_solution
    solutions, asked = result.solutions[solved], puzzles[solved]
    good = solves_many(solutions, asked, constraints.rules, constraints.board)
    lost = not whole and (_CLAIMS[result.statuses] & ~has_solution).any()
    if lost or not good.all():
        wrong = np.flatnonzero(has_solution)[~good]
        raise WitnessError(f"wrong solutions for puzzles {wrong[:5].tolist()} of a chunk")
