"""Many puzzles: arrays in, arrays out; chunks in, results out, in order, over many workers.

Invariant: the answer to a puzzle depends on the puzzle, the rules and the limit alone, never on its
neighbours, the chunking, the backend or the number of workers; and every solution is verified.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..answers.session import close_sessions
from ..answers.solver import DEFAULT_SOLVER
from ..files.cells import PuzzlesLike, checked_cells
from ..files.collection import Chunk, Puzzles
from ..files.collection.chunk import parts
from ..model.board import Board
from ..model.constraints import MOST_RULE_SETS, Constraints, RulesLike, constraints_for
from ..model.grid import NO_VALUE, Grid
from ..runtime.errors import SatdokuError, Status, WitnessError
from ..runtime.progress import Progress, reporting
from ..witness.verify import all_solve, clash_many, first_violation
from .decide import (
    CLAIMING,
    BatchResult,
    ask_alone,
    ask_one,
    check_solutions,
    decide,
    unanswered,
)
from .options import BACKENDS, PIECE, BatchOptions
from .rated import ratings_for

if TYPE_CHECKING:
    from ..runtime.workers import Workers, WorkersLike


# A sixth of the rule sets that are kept, as two workers have six chunks under way.
ROWS_ALONE = MOST_RULE_SETS // 6
LEAST_PIECE = 1024  # puzzles whose results are reported together: smaller calls take longer
_Job = tuple[Chunk, tuple[Any, ...]]  # a chunk, and what `solve_job` gets of it


def solve_batch(
    puzzles: PuzzlesLike,
    rules: RulesLike = "classic",
    *,
    limit: int = 2,
    solver: str = DEFAULT_SOLVER,
    conflicts: int | None = None,
    backend: str = BACKENDS[0],
    progress: Progress = False,
) -> BatchResult:
    """Solve N puzzles, in any form that `as_cells` reads; all solutions are verified.

    (N, cells) uint8 as well as (N, variables) bool pencil marks are taken as they are. A mark is
    True if the candidate (cell-major, digit 1 first) is allowed: (N, 729) for 9x9. Statuses are
    NONE, UNIQUE, MULTIPLE (or SOLVED with limit 1), INVALID if givens clash or a number is no
    digit, UNKNOWN beyond the conflict budget. progress: True for a bar, or a function of (done,
    total) puzzles. Raises `SatdokuError` for a wrong shape, and `RowsError`, which names the rows,
    for values that are not puzzles.
    """
    kept, constraints = checked_cells(puzzles, rules)
    options = BatchOptions(constraints, limit, solver, conflicts, backend)
    if progress is False or not len(kept):
        return solve_cells(kept, options)
    pieces = list(_in_pieces(kept, options, progress))
    columns = zip(*(piece.arrays for piece in pieces), strict=True)
    return pieces[0].with_arrays(map(np.concatenate, columns))


def _in_pieces(
    puzzles: Puzzles, options: BatchOptions, progress: Progress
) -> Iterator[BatchResult]:
    """The results of about a hundred pieces, each reported."""
    size = max(LEAST_PIECE, -(-len(puzzles) // 100))
    with reporting(progress, len(puzzles)) as more:
        for start in range(0, len(puzzles), size):
            result = solve_cells(puzzles[start : start + size], options)
            more(len(result.statuses))
            yield result


def classify_batch(
    puzzles: PuzzlesLike,
    rules: RulesLike = "classic",
    *,
    conflicts: int | None = None,
    progress: Progress = False,
) -> NDArray[np.uint8]:
    """The statuses (N,) uint8, codes of `Status`, of N puzzles; arguments as for `solve_batch`."""
    return solve_batch(puzzles, rules, conflicts=conflicts, progress=progress).statuses


def solve_chunks(
    chunks: Iterable[Chunk],
    options: BatchOptions,
    *,
    workers: WorkersLike = 1,
) -> Generator[tuple[Chunk, BatchResult], None, None]:
    """Each chunk with its results, in order; the rows of a chunk's errors are INVALID.

    With `workers` above 1, threads do the work, or processes if threads would wait for each other;
    a kind of `workers.KINDS`, a Dask scheduler with its certificates or an executor of the caller's
    takes their place.
    Rules of a chunk's own replace the options' rules row by row, but not the options' clues. If
    the rules of a row cannot be understood, the row becomes one of the chunk's errors.
    """
    checked = (check_rules(chunk, options) for chunk in chunks)
    jobs = ((chunk, _job_of(chunk, options)) for chunk in checked)
    with open_workers(options, workers) as pool:
        for chunk, result in _solved(pool, jobs):
            yield chunk, mark_errors(chunk, result, options)


def _job_of(chunk: Chunk, options: BatchOptions) -> tuple[Any, ...]:
    return solvable(chunk), options_on(chunk.board, options), chunk.rules, chunk.marks


def _solved(pool: Workers | None, jobs: Iterable[_Job]) -> Iterable[tuple[Chunk, BatchResult]]:
    if pool is None:
        return ((chunk, solve_job(*arguments)) for chunk, arguments in jobs)
    from ..runtime.workers import map_in_order

    return map_in_order(pool, solve_job, jobs)


def open_workers(
    options: BatchOptions, workers: WorkersLike = 1
) -> AbstractContextManager[Workers | None]:
    """The workers for these options; None if this thread is enough."""
    if isinstance(workers, int) and workers <= 1:
        return nullcontext()
    from ..runtime.workers import (
        Workers,  # not above: processes, sockets and logs take a while to load
    )

    if isinstance(workers, int):
        return Workers("thread" if options.threads_suffice else "process", workers)
    return Workers(workers)


def shared_out(chunks: Iterable[Chunk], options: BatchOptions) -> Iterator[Chunk]:
    """The chunks; those whose rows mostly have rules of their own come in parts, for which
    constraints and clues are still at hand when a worker asks for them, and which several share. So
    do those that only sessions answer, in smaller parts."""
    for chunk in chunks:
        if options.constraints.needs_session:
            yield from parts(chunk, PIECE)
        elif are_alone(chunk):
            yield from parts(chunk, ROWS_ALONE)
        else:
            yield chunk


def are_alone(chunk: Chunk) -> bool:
    """Whether most rows have rules that few others share."""
    return chunk.rules is not None and 2 * len(set(chunk.rules)) > chunk.rows


def check_rules(chunk: Chunk, options: BatchOptions) -> Chunk:
    """The chunk, with an error for each row whose own rules cannot be understood."""
    if chunk.rules is None and chunk.board.row_form == options.constraints.board.row_form:
        return chunk
    stated, wrong = chunk.rules or [""] * chunk.rows, {}
    for rules in set(stated):
        try:
            constraints_of(rules, options, chunk.board)
        except SatdokuError as error:
            wrong[rules] = error
    errors = dict(chunk.errors)
    for row, rules in enumerate(stated):
        if rules in wrong:
            line = int(chunk.lines[row])
            found = SatdokuError(f"{chunk.source}: line {line}: {wrong[rules]}")
            errors.setdefault(row, found)
    named = [rules if rules not in wrong else "" for rules in stated]
    return chunk._replace(errors=errors, rules=named)


def options_on(board: Board, options: BatchOptions) -> BatchOptions:
    """The options for a chunk of a board, which may have other cells or digits than the first."""
    if board.row_form == options.constraints.board.row_form:
        return options
    try:
        constraints = _on(board, options.constraints)
    except SatdokuError:  # `check_rules` tells of rows that have no rules of their own
        constraints = constraints_for("classic", board)
    return replace(options, constraints=constraints)


def _on(board: Board, constraints: Constraints) -> Constraints:
    """The same rules and clues on another board."""
    return constraints_for(";".join(constraints.rules) or "classic", board)


def constraints_of_row(chunk: Chunk, row: int, options: BatchOptions) -> Constraints:
    """The constraints of a row, whose rules have been checked."""
    rules = chunk.rules[row] if chunk.rules is not None else ""
    return constraints_of(rules, options_on(chunk.board, options))


def constraints_of(rules: str, options: BatchOptions, board: Board | None = None) -> Constraints:
    """The constraints of a row's own rules, which the options' clues join; those of the options if
    it has none. board: of the row, by default that of the options."""
    here = board or options.constraints.board
    if not rules:
        is_same = here.row_form == options.constraints.board.row_form
        return options.constraints if is_same else _on(here, options.constraints)
    text = ";".join([rules, *options.constraints.clue_texts])
    constraints = constraints_for(text, default=here)
    if constraints.board.row_form != here.row_form:
        same = constraints.board.cells == here.cells
        other = f"{'with other digits' if same else 'of another size'}"
        raise SatdokuError(f"rules '{rules}' are for a board {other}")
    return constraints


def solvable(chunk: Chunk) -> Puzzles:
    """The puzzles, with a value that is refused at once in the rows of errors.

    Those rows hold zeros, and an empty grid takes the engine longer than ten thousand puzzles.
    """
    apart = [*chunk.errors, *(chunk.marks or ())]  # marks are solved by themselves
    if not apart:
        return chunk.puzzles
    puzzles: Puzzles = chunk.puzzles.copy()
    puzzles[apart] = False if puzzles.dtype == np.bool_ else NO_VALUE
    return puzzles


def describe_clash(chunk: Chunk, row: int, options: BatchOptions) -> str:
    """Two givens of a row that break a rule: `r1c1=5 and r1c7=5 break the row rule`.

    Empty if there are none, if the row could not be read, and for pencil marks.
    """
    if row in chunk.errors or chunk.puzzles.dtype == np.bool_:
        return ""
    constraints = constraints_of_row(chunk, row, options)
    grid = Grid(chunk.puzzles[row].tobytes(), constraints.board)
    broken = first_violation(grid, constraints.rules)
    return broken.describe(grid) if broken else ""


def mark_errors(chunk: Chunk, result: BatchResult, options: BatchOptions) -> BatchResult:
    """The result with the rows of the chunk's errors INVALID."""
    invalid = [*chunk.errors, *(r for r in chunk.marks or () if describe_clash(chunk, r, options))]
    if not invalid:
        return result
    statuses = result.statuses.copy()  # arrays from another machine may be read-only
    statuses[invalid] = Status.INVALID
    return result._replace(statuses=statuses)


def classify_grids(grids: Sequence[Grid], options: BatchOptions) -> list[tuple[Status, str]]:
    """The status of each grid, and what has decided it; all are on the board of the rules."""
    board = options.constraints.board
    cells = b"".join(grid.cells for grid in grids)
    puzzles = np.frombuffer(cells, dtype=np.uint8).reshape(-1, board.cells)
    result = solve_cells(puzzles, options)
    statuses = map(Status, result.statuses.tolist())
    return list(zip(statuses, result.solved_by(options.solver), strict=True))


def solve_job(
    puzzles: Puzzles,
    options: BatchOptions,
    rules: Sequence[str] | None = None,
    marks: Mapping[int, bytes] | None = None,
) -> BatchResult:
    """One chunk in this thread; rows with the same rules of their own are solved together.

    marks: by row, the pencil marks to solve instead of the puzzle in that row. What a session has
    learnt decides which of several solutions it finds, and what it finds within a budget. So each
    chunk has new sessions: a run that is resumed finds what it would have found at once.
    """
    close_sessions()
    result = _solve_by_rules(puzzles, options, rules)
    for row, allowed in (marks or {}).items():
        own = replace(options, constraints=constraints_of(rules[row] if rules else "", options))
        part = solve_cells(np.frombuffer(allowed, np.bool_)[None], own)
        for mine, theirs in zip(result.arrays, part.arrays, strict=True):
            mine[row] = theirs[0]
    return result


def _solve_by_rules(
    puzzles: Puzzles, options: BatchOptions, rules: Sequence[str] | None
) -> BatchResult:
    if rules is None or not any(rules):
        return solve_cells(puzzles, options)
    result = unanswered(puzzles, options.constraints)
    if options.rated:
        result = _rated(puzzles, result, options)
    are_digits = puzzles.dtype != np.bool_ and not options.rated
    for constraints, rows in by_constraints(rules, options):
        here = replace(options, constraints=constraints)
        if are_digits and len(rows) == 1 and constraints.is_wide:  # as `decide` asks it
            _settle_one(int(rows[0]), puzzles, result, here)
            continue
        part = solve_cells(puzzles[rows], here)
        for mine, theirs in zip(result.arrays, part.arrays, strict=True):
            mine[rows] = theirs
    return result


def _settle_one(row: int, puzzles: Puzzles, result: BatchResult, options: BatchOptions) -> None:
    """`settled` for the digits of one row, without numpy's calls."""
    if result.statuses[row] != Status.UNKNOWN:
        return
    constraints, cells = options.constraints, puzzles[row].tobytes()
    rules, board = constraints.rules, constraints.board
    status, solution = ask_one(row, cells, result, options)
    if status is Status.NONE and clash_many(puzzles[row : row + 1], rules, board)[0]:
        result.statuses[row] = Status.INVALID
    if solution is None:
        is_good = status not in CLAIMING
    else:
        is_good = all_solve(solution, cells, rules, board)
    if not is_good:
        raise WitnessError(f"a wrong solution for puzzle {row} of a chunk")


def by_constraints(
    rules: Sequence[str], options: BatchOptions
) -> Iterator[tuple[Constraints, NDArray[np.intp]]]:
    """The rows under each rule set, however it is written, in the order of their first rows."""
    rows_of: dict[str, list[int]] = {}
    for row, text in enumerate(rules):
        rows_of.setdefault(text, []).append(row)
    alike: dict[Constraints, list[int]] = {}
    for text, rows in rows_of.items():
        alike.setdefault(constraints_of(text, options), []).extend(rows)
    return ((constraints, np.array(rows)) for constraints, rows in alike.items())


def solve_cells(puzzles: Puzzles, options: BatchOptions) -> BatchResult:
    """One chunk under one rule set, as positions of digits (N, cells) or marks: decided, then
    verified."""
    result = _verified(puzzles, decide(puzzles, options), options.constraints)
    return _rated(puzzles, result, options) if options.rated else result


def _rated(puzzles: Puzzles, result: BatchResult, options: BatchOptions) -> BatchResult:
    """The result with ratings."""
    found = ratings_for(puzzles, result.statuses, options.constraints)
    return result._replace(ratings=found)


def settled(puzzles: Puzzles, result: BatchResult, options: BatchOptions) -> BatchResult:
    """The answers of the engine, completed one by one where it gave up or was not asked, and
    verified; its arrays are filled in."""
    ask_alone(puzzles, result, options)
    return _verified(puzzles, result, options.constraints)


def _verified(puzzles: Puzzles, result: BatchResult, constraints: Constraints) -> BatchResult:
    """The result, INVALID where givens clash; raises `WitnessError` for a wrong solution."""
    if Status.NONE in result.statuses.tobytes() and puzzles.dtype != np.bool_:
        none = np.flatnonzero(result.statuses == Status.NONE)
        clash = clash_many(puzzles[none], constraints.rules, constraints.board)
        result.statuses[none[clash]] = Status.INVALID
    check_solutions(puzzles, result, constraints)
    return result
