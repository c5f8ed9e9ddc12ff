"""Traces: the steps of many puzzles as lines of JSON, for programs that learn from them.

Invariant: the line of a puzzle depends on the puzzle, its rules and the options alone, not on its
neighbours or the number of workers. A step in it is `Step.as_data` (or `Step.in_brief`) and
`Step.state`. A bad row has a line that says what is wrong, and costs no other.

Most steps of most puzzles are singles, which read the same wherever they stand, except for what
they eliminate and the candidates left. So their text is made once, and joined with these.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..answers.answer import answer
from ..answers.api import classify
from ..batch.options import PIECE, BatchOptions
from ..batch.solve import check_rules, constraints_of, options_on, solve_cells
from ..explain import explain_steps
from ..explain.named import named_steps
from ..explain.readings import Mask
from ..explain.step import Step, candidate_data
from ..files.cells import PuzzlesLike, checked_cells
from ..files.collection import Chunk, Puzzles
from ..files.collection.chunk import own, parts
from ..files.streams import member
from ..model.board import Board, bits
from ..model.constraints import Constraints, RulesLike
from ..model.grid import Grid
from ..model.puzzle import Puzzle, Unreadable, placed
from ..ratings.scale import serves
from ..runtime.errors import BudgetError, SatdokuError, Status
from ..runtime.progress import Progress, reporting
from ..runtime.workers import Workers, map_in_order
from ..witness.verify import first_violation

if TYPE_CHECKING:
    from ..runtime.workers import WorkersLike

FEW = 2  # puzzles with clues or rules that a worker takes in turn: some take seconds each
dumps = json.JSONEncoder(separators=(",", ":")).encode


@dataclass(frozen=True)
class Tracing:
    """How traces are made; small and picklable, since every job takes it to its worker.

    compact: steps without words and with candidates as numbers, and the candidates left only before
    the first; by_step: a line a step; verify: whether the witness proves each step; units: the
    smallest explanations instead of named steps; beyond: the smallest where these end; timeout:
    seconds for each puzzle. resume: of files, keep a journal beside the output and go on where an
    interrupted run stopped.
    """

    compact: bool = False
    by_step: bool = False
    verify: bool = False
    units: bool = False
    timeout: float | None = None
    resume: bool = False
    beyond: bool = False


USUAL = Tracing()


class Traced(NamedTuple):
    """Some traces: their lines, maybe compressed, and the statuses of their puzzles."""

    lines: bytes
    statuses: bytes


class Rows(NamedTuple):
    """Some rows of a collection, on their way to a worker. places: file, line and id of each row;
    wrong: by row, the record of an unreadable one."""

    puzzles: Puzzles
    board: Board
    rules: Sequence[str] | None
    places: Sequence[Mapping[str, object]]
    wrong: Mapping[int, Mapping[str, object]]


def explain_batch(
    puzzles: PuzzlesLike,
    rules: RulesLike = "classic",
    *,
    tracing: Tracing = USUAL,
    workers: WorkersLike = 1,
    progress: Progress = False,
) -> Generator[dict[str, Any], None, None]:
    """The trace of each of N puzzles, in any form that `as_cells` reads, in order, as it is made.

    A trace holds "puzzle", "rules", "status", and of a puzzle with one solution "solved" (whether
    the steps lead to it), "er", "ep" and "ed" if the steps are rated, and "steps". These are the
    named steps of `explain_steps`. tracing: how steps are written, see
    `Tracing`; with `by_step` there is a value for each step, and "step" is its number; a puzzle
    without steps has one. workers: processes, or another kind of worker (docs/CLUSTER.md).
    progress: True for a bar, or a function of (done, total) puzzles.
    """
    digits, constraints = checked_cells(puzzles, rules)
    if digits.dtype == np.bool_:
        raise SatdokuError("pencil marks have no steps here: expected (N, cells) digits")
    lines = np.arange(len(digits), dtype=np.int64)
    chunk = Chunk(lines, digits, {}, source="", own_board=own(constraints.board))
    options = BatchOptions(constraints)
    with (
        reporting(progress, len(digits)) as more,
        closing(trace_chunks(pieces(chunk, options), options, tracing, workers)) as traced,
    ):
        for some, found in traced:
            yield from map(json.loads, found.lines.splitlines())
            more(some.rows)


def trace_chunks(
    chunks: Iterable[Chunk],
    options: BatchOptions,
    tracing: Tracing,
    workers: WorkersLike = 1,
    *,
    packs: bool = False,
) -> Generator[tuple[Chunk, Traced], None, None]:
    """Each chunk, one of `pieces`, with its traces, in order; packs: these as a part of a .gz file,
    which takes the workers less time than this process."""
    jobs = ((chunk, (rows_of(chunk), options, tracing, packs)) for chunk in chunks)
    with (
        open_processes(workers) as pool,
        closing(map_in_order(pool, trace_rows, jobs)) as traced,
    ):
        yield from traced


def open_processes(workers: WorkersLike) -> AbstractContextManager[Workers | None]:
    """The workers; None if this process is enough. Threads would wait for each other."""
    if not isinstance(workers, int):
        return Workers(workers)
    return nullcontext() if workers <= 1 else Workers("process", workers)


def pieces(chunk: Chunk, options: BatchOptions) -> Iterator[Chunk]:
    """The chunk, its rules and puzzles checked, in parts that a worker takes in turn."""
    chunk = check_rules(chunk, options).marks_as_errors()
    is_quick = chunk.rules is None and serves(options_on(chunk.board, options).constraints)
    return parts(chunk, PIECE if is_quick else FEW)


def trace_puzzle(puzzle: Puzzle | Unreadable, tracing: Tracing) -> Traced:
    """The trace of one puzzle without marks, or of one that could not be read."""
    if isinstance(puzzle, Unreadable):
        return Traced(f"{dumps(puzzle.record())}\n".encode(), bytes([Status.INVALID]))
    grid, constraints, known = puzzle.grid, puzzle.constraints, None
    if serves(constraints):
        found = answer(puzzle)
        known = found.status, found.solution or grid
    text, status = _trace(grid, constraints, puzzle.place, tracing, known)
    return Traced(text.encode(), bytes([status]))


def rows_of(chunk: Chunk) -> Rows:
    """What a worker needs of a chunk."""
    ids = chunk.ids or [""] * chunk.rows
    source = chunk.source or None
    places = [placed(source, *row) for row in zip(chunk.lines.tolist(), ids, strict=True)]
    errors = dict(chunk.errors)
    if chunk.puzzles.dtype == np.bool_:
        for row in range(chunk.rows):
            where = f"{chunk.source}: line {chunk.lines[row]}"
            errors.setdefault(row, SatdokuError(f"{where}: pencil marks, expected digits alone"))
    wrong = {row: Unreadable(error, places[row]).record() for row, error in errors.items()}
    return Rows(chunk.puzzles, chunk.board, chunk.rules, places, wrong)


def trace_rows(rows: Rows, options: BatchOptions, tracing: Tracing, packs: bool = False) -> Traced:
    """The traces of some rows; packs: compressed."""
    here = options_on(rows.board, options)
    stated = rows.rules or [""] * len(rows.puzzles)
    good = [row for row in range(len(rows.puzzles)) if row not in rows.wrong]
    held = {row: constraints_of(stated[row], here, rows.board) for row in good}
    quick = [row for row in good if serves(held[row])]
    known = _decided(rows.puzzles[quick], held[quick[0]]) if quick else []
    answers = dict(zip(quick, known, strict=True))
    lines, statuses = [], bytearray()
    for row, place in enumerate(rows.places):
        if row in rows.wrong:
            lines.append(f"{dumps(rows.wrong[row])}\n")
            statuses.append(Status.INVALID)
            continue
        grid = Grid(rows.puzzles[row].tobytes(), held[row].board)
        text, status = _trace(grid, held[row], place, tracing, answers.get(row))
        lines.append(text)
        statuses.append(status)
    told = "".join(lines).encode()
    return Traced(member(told) if packs else told, bytes(statuses))


def _decided(puzzles: Puzzles, constraints: Constraints) -> list[tuple[Status, Grid]]:
    """The status of each classic puzzle, and a solution if there is one."""
    result = solve_cells(puzzles, BatchOptions(constraints))
    board = constraints.board
    solutions = (Grid(cells.tobytes(), board) for cells in result.solutions)
    return list(zip(map(Status, result.statuses.tolist()), solutions, strict=True))


def _trace(
    grid: Grid,
    constraints: Constraints,
    place: Mapping[str, object],
    tracing: Tracing,
    known: tuple[Status, Grid] | None,
) -> tuple[str, Status]:
    """The lines of one puzzle, and its status."""
    head: dict[str, object] = {**place, "puzzle": str(grid), "rules": constraints.name}
    limit = tracing.timeout
    status = known[0] if known else classify(grid, constraints, timeout=limit)
    if broken := first_violation(grid, constraints.rules) if status is Status.INVALID else None:
        head["reason"] = broken.describe(grid)
    if status is not Status.UNIQUE:
        return f"{dumps({**head, 'status': str(status)})}\n", status
    if known and not tracing.units:
        steps = named_steps(grid, constraints, limit, solution=known[1], verify=tracing.verify)
    else:
        steps = _steps(grid, constraints, tracing)
    return _told(grid, head, steps, _texts_of(constraints, tracing.compact), tracing), status


def _steps(grid: Grid, constraints: Constraints, tracing: Tracing) -> Iterator[Step]:
    named, limit, verify = not tracing.units, tracing.timeout, tracing.verify
    beyond = tracing.beyond
    return explain_steps(
        grid, constraints, timeout=limit, named=named, verify=verify, beyond=beyond
    )


def _told(
    grid: Grid, head: dict[str, object], steps: Iterator[Step], texts: Texts, tracing: Tracing
) -> str:
    """The lines of a puzzle with one solution."""
    told: list[str] = []
    known, ratings, late = grid.givens, _Ratings(), ""
    states = _States()
    try:
        for step in steps:
            cells = states.before(step)
            has_state = tracing.by_step or not tracing.compact or not told
            state = f'"state":[{",".join(cells)}],' if has_state else ""
            told.append(f"{{{state}{texts.text(step, states.struck)}")
            known += step.put is not None and step.put < grid.board.grid_cells * grid.board.choices
            ratings.add(step)
    except BudgetError as error:
        late = str(error)
    end: dict[str, object] = {"status": "unique", "solved": known == grid.board.grid_cells}
    end |= ratings.as_data() | ({"error": late} if late else {})
    if tracing.by_step and told:
        begin = dumps(head)[:-1]
        return "".join(f'{begin},"step":{n},{text[1:]}\n' for n, text in enumerate(told, 1))
    line = dumps({**head, **end})
    return f"{line}\n" if tracing.by_step else f'{line[:-1]},"steps":[{",".join(told)}]}}\n'


class _Ratings:
    """ER, EP and ED of the steps so far; nothing if one has no rating."""

    def __init__(self) -> None:
        self.er = self.ep = self.ed = 0.0
        self._is_rated = True

    def add(self, step: Step) -> None:
        """One more step."""
        if step.rating is None:
            self._is_rated = False
            return
        self.er = max(self.er, step.rating)
        self.ed = self.ed or self.er
        if step.put is not None:
            self.ep = self.ep or self.er

    def as_data(self) -> dict[str, float]:
        return {"er": self.er, "ep": self.ep, "ed": self.ed} if self._is_rated else {}


class _States:
    """The candidates left in each cell before each step, as texts of bit masks."""

    def __init__(self) -> None:
        self._cells: list[str] = []
        self._live: Mask = 0
        self._last: Mask = 0
        self.struck: list[int] = []  # the candidates that the step eliminates

    def before(self, step: Step) -> list[str]:
        """Those before the step, which follows the one asked for last."""
        gone, n = self._live & ~step.live, step.board.choices
        if not self._cells:
            self._cells = list(map(str, step.state))
        elif gone:
            mask = (1 << n) - 1
            for cell in {c // n for c in (self.struck if gone == self._last else bits(gone))}:
                self._cells[cell] = str(step.live >> n * cell & mask)
        self._live, self._last, self.struck = step.live, step.struck, list(bits(step.struck))
        return self._cells


class _Names(dict[int, str]):
    """The texts of candidates by number."""

    def __init__(self, board: Board) -> None:
        super().__init__()
        self._board = board

    def __missing__(self, candidate: int) -> str:
        cell, digit = divmod(candidate, self._board.choices)
        text = self[candidate] = dumps(candidate_data((cell, digit + 1), self._board))
        return text


class Texts:
    """The texts of steps under some constraints, without their first brace and the state."""

    def __init__(self, constraints: Constraints, *, compact: bool) -> None:
        self._compact = compact
        self._names = _Names(constraints.board)
        self._singles: dict[tuple[object, ...], tuple[str, str]] = {}

    def text(self, step: Step, struck: Sequence[int]) -> str:
        """The text of a step that eliminates these candidates."""
        start, end = self._around(step)
        if self._compact:
            return start + ",".join(map(str, struck)) + end
        names = self._names
        return start + ",".join([names[candidate] for candidate in struck]) + end

    def _around(self, step: Step) -> tuple[str, str]:
        """The text before and behind what a step eliminates."""
        units = step.units
        if step.put is None or len(units) != 1 or units[0].candidates & step.live != 1 << step.put:
            return self._made(step)
        key = (step.technique, step.rating, step.put, units[0].number, step.words, step.because)
        if key not in self._singles:
            self._singles[key] = self._made(step)
        return self._singles[key]

    def _made(self, step: Step) -> tuple[str, str]:
        data = step.in_brief() if self._compact else step.as_data()
        at = list(data).index("eliminated")
        start, end = dict(list(data.items())[:at]), dict(list(data.items())[at + 1 :])
        return f'{dumps(start)[1:-1]},"eliminated":[', f"],{dumps(end)[1:]}"


@lru_cache(maxsize=16)
def _texts_of(constraints: Constraints, compact: bool) -> Texts:
    return Texts(constraints, compact=compact)
