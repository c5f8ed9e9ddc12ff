"""Collections solved from files to a file: read, solved, verified and written part by part.

Invariant: OUT has one result for each row, in order; it appears whole at the end, or after an
interruption with the results that are finished, unless a journal keeps these. No numpy is loaded
where plain lists become lines.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, nullcontext, suppress
from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, BinaryIO

from .. import __version__, engine
from ..errors import SatdokuError, Status
from ..files.collection.parts import read_parts
from ..files.collection.plain import Part, Plain
from ..files.outputs import check_outputs, open_output
from ..files.streams import FileError, check_inputs
from ..model.board import Board
from ..model.constraints import Constraints, constraints_for, tells_board
from ..sat.solver import DEFAULT_SOLVER
from .options import BACKENDS, BatchOptions, format_for

if TYPE_CHECKING:
    from concurrent.futures import Executor

    import numpy as np
    from numpy.typing import NDArray

    from ..files.collection import Chunk
    from .cluster import Dask
    from .journal import Journal, Results

FORMATS = ("line", "csv", "jsonl", "parquet", "npz")  # those of `batch.results`, not imported yet
# Puzzles in a chunk: about 0.1 s of work for a session, so that progress moves and workers end
# together; enough for the engine to fill its lanes many times.
CHUNK_PUZZLES = {"engine": 1 << 15, "session": 512}
MANY_ALONE = 1_000  # rows with rules of their own from which on the start of processes pays
IGNORE = "; use --ignore-ruleset to go on without it"  # rules in words
Each = Callable[["Chunk", "NDArray[np.uint8]"], None]


class Tally:
    """Counts of a run so far: puzzles, statuses, rows that could not be read, seconds."""

    def __init__(self) -> None:
        self.statuses: Counter[Status] = Counter()
        self.unreadable = self.rows_read = 0
        self.start = time.perf_counter()

    @property
    def puzzles(self) -> int:
        return sum(self.statuses.values())

    @property
    def seconds(self) -> float:
        return time.perf_counter() - self.start

    def add(self, statuses: bytes | bytearray, unreadable: int) -> None:
        """Count some more rows, given by the codes of their statuses."""
        for status in Status:
            if count := statuses.count(status):
                self.statuses[status] += count
        self.unreadable += unreadable

    def as_data(self) -> dict[str, Any]:
        """The counts as plain data."""
        seconds = self.seconds
        return {
            "puzzles": self.puzzles,
            "statuses": {str(status): n for status, n in sorted(self.statuses.items())},
            "rows_read": self.rows_read,
            "rows_written": self.puzzles,
            "unreadable": self.unreadable,
            "seconds": round(seconds, 3),
            "puzzles_per_second": round(self.puzzles / seconds, 1) if seconds else 0.0,
        }


def solve_files(
    paths: str | Sequence[str],
    output: str,
    rules: str | Constraints | None = None,
    *,
    output_format: str | None = None,
    results: Sequence[str] = (),
    keep: Sequence[str] = (),
    csv_safe: bool = False,
    resume: bool = False,
    limit: int = 2,
    solver: str = DEFAULT_SOLVER,
    conflicts: int | None = None,
    backend: str = BACKENDS[0],
    format: str | None = None,
    columns: Mapping[str, str] | None = None,
    ignore_ruleset: bool = False,
    workers: int | None = None,
    executor: str | Dask | Executor | None = None,
    board: Board | None = None,
    constraints: Callable[[Board], Constraints] | None = None,
    tally: Tally | None = None,
    beside: AbstractContextManager[Each] | None = None,
    update: Callable[[int], None] = lambda rows: None,
    opened: Callable[[BinaryIO], None] | None = None,
    tell: Callable[[object], None] = lambda message: None,
) -> dict[str, Any]:
    """Solve files of puzzles and write one result for each row, in order; return the counts.

    output: a file, compressed if it ends in .gz, .xz, .bz2 or .zst; output_format: one of
    `FORMATS`, by default what the ending of `output` says, else "line" (status and solution).
    results: names of columns (those of `satdoku batch --columns`), the usual ones by default; keep:
    columns of the input to write before them, "all" for every one. csv_safe: no text that a
    spreadsheet takes for a formula. resume: keep a journal beside `output` and go on where an
    interrupted run stopped. limit, solver, conflicts, backend: see `BatchOptions`. format, columns,
    ignore_ruleset: how files are read, see `clean_files`. workers: None for one a core, or one if
    the files are small. executor: "thread", "process", a cluster or an `Executor`.

    board, constraints: the board and what makes the constraints on it, by default those of `rules`.
    tally: counts to add to. beside: gives, while it is entered, what is called with every chunk and
    its statuses; a journal is kept until it ends. update is called with numbers of rows written,
    opened with each file, tell with every message.

    The counts are "puzzles", "statuses", "rows_read", "rows_written", "unreadable", "seconds" and
    "puzzles_per_second". Raises `FileError` for files without a puzzle.
    """
    names = [paths] if isinstance(paths, str) else list(paths)
    check_inputs(names)
    check_outputs([output], names)
    if isinstance(rules, Constraints):
        board, rules = rules.board, rules.name
    if board is None and rules and tells_board(rules):
        board = constraints_for(rules).board
    rated = _needs_ratings(results)
    size = _chunk_size(backend, rated=rated)
    tally = tally or Tally()
    parts = _counted(
        parts_of(
            names, board, rules, size, format=format, columns=columns, opened=opened,
            keep=bool(keep), ignore_ruleset=ignore_ruleset,
        ),
        tally,
    )  # fmt: skip
    first = next(parts, None)
    if first is None:
        raise FileError(f"{', '.join(names)}: holds no puzzle")
    found = board or first.board
    make = constraints or (lambda on: constraints_for(rules or "classic", on))
    options = BatchOptions(make(found), limit, solver, conflicts, backend, rated=rated)
    reading = (board, format, columns or {}, ignore_ruleset)
    few = min(size, CHUNK_PUZZLES["session"])
    run = _Run(
        names, output, output_format or format_for(output, FORMATS), tuple(results), tuple(keep),
        csv_safe, resume, reading, options, first, _workers(workers, first, few), executor, tally,
        beside, update, tell,
    )  # fmt: skip
    more = (resume, beside, results, csv_safe, keep)
    if run.form == "line" and executor is None and options.threads_suffice and not any(more):
        alone = first.rows < CHUNK_PUZZLES["session"] and workers in (None, 1)
        run.answer(chain([first], parts), 0 if alone else run.workers)
    else:
        run.solve(chain([first], parts))
    return tally.as_data()


def parts_of(
    paths: Iterable[str],
    board: Board | None,
    rules: str | None,
    size: int,
    *,
    format: str | None = None,
    columns: Mapping[str, str] | None = None,
    opened: Callable[[BinaryIO], None] | None = None,
    keep: bool = False,
    ignore_ruleset: bool = False,
) -> Iterator[Part]:
    """The parts of collections, without numpy as far as lists are plain; see `read_chunks`.

    The board of the first holds for all. Rules in words only are errors of their rows, unless these
    are ignored.
    """
    for path in paths:
        parts = read_parts(
            path, board, rules, size=size, format=format, columns=columns or {}, opened=opened,
            keep=keep,
        )  # fmt: skip
        for part in parts:
            board = board or part.board
            if isinstance(part, Plain) or ignore_ruleset:
                yield part
            else:
                yield part.warnings_as_errors(IGNORE)


@dataclass
class _Run:
    """One call of `solve_files`; reading: board, format, columns and whether rules in words are
    ignored."""

    paths: list[str]
    output: str
    form: str
    results: tuple[str, ...]
    keep: tuple[str, ...]
    csv_safe: bool
    resume: bool
    reading: tuple[Board | None, str | None, Mapping[str, str], bool]
    options: BatchOptions
    first: Part
    workers: int
    executor: str | Dask | Executor | None
    tally: Tally
    beside: AbstractContextManager[Each] | None
    update: Callable[[int], None]
    tell: Callable[[object], None]

    def answer(self, parts: Iterable[Part], workers: int) -> None:
        """Solve all parts and write their lines."""
        from .plain import answer_parts

        executor = self._processes(workers) or "thread"
        with (
            open_output(self.output, keep=True) as out,
            closing(
                answer_parts(parts, self.options, workers=workers, executor=executor)
            ) as answers,
        ):
            for answered in answers:
                for error in answered.errors:
                    self.tell(error)
                out.write(answered.lines)
                self.tally.add(answered.statuses, len(answered.errors))
                self.update(len(answered.statuses))

    def solve(self, parts: Iterable[Part]) -> None:
        """Solve all parts and write them in any format."""
        from .solve import shared_out

        chunks = shared_out(map(_as_chunk, parts))
        with self._journal() as journal:
            with (
                self.beside or nullcontext() as each,
                self._opened(_as_chunk(self.first)) as write,
                closing(self._solved(chunks, journal)) as results,
            ):
                for chunk, result in results:
                    for _, error in sorted(chunk.errors.items()):
                        self.tell(error)
                    write(chunk, result)
                    if each:
                        each(chunk, result.statuses)
                    self.tally.add(result.statuses.tobytes(), len(chunk.errors))
                    self.update(chunk.rows)
            if journal is not None:
                journal.remove()
        if self.keep and (lost := write.left_out):
            names = ", ".join(lost)
            self.tell(f"left out, as the first rows do not have them: {names}; jsonl keeps them")

    def _opened(self, first: Chunk) -> Any:
        """What writes the results, with columns of the input where these are asked for."""
        from .results import open_results
        from .results.carried import check_kept, open_carried

        more = {"keep": not self.resume, "csv_safe": self.csv_safe}
        if first.beside is None:
            return open_results(self.output, self.form, self._columns(first), self.options, **more)
        check_kept(self.keep, first.beside)
        # the input has the puzzle, its id and its rules
        usual = ("file",) * (len(self.paths) > 1) + ("status", "solution", "reason")
        columns = self.results or usual
        return open_carried(self.output, self.form, self.keep, columns, self.options, **more)

    def _columns(self, first: Chunk) -> tuple[str, ...]:
        """The columns that were asked for, or the usual ones."""
        from .results import npz_columns
        from .results.columns import usual_columns

        if self.form == "line":
            if self.results:
                raise FileError("the line format has no columns: choose csv, jsonl, parquet or npz")
            return ()  # and no file needs a look ahead
        if self.results:
            return self.results
        names = usual_columns(first, *self._first_rows(), files=len(self.paths))
        if self.form != "npz":
            return names
        if lost := [name for name in ("file", "id", "rules") if name in names]:
            self.tell(f"npz has no {', '.join(lost)}; csv, jsonl and parquet have")
        return npz_columns(names)

    def _first_rows(self) -> Iterator[Chunk]:
        """The first row of each further file, if it can be read: a file may have ids or rules that
        the first does not have."""
        from ..files.collection import read_chunks

        board, form, columns, _ = self.reading
        for path in filter(os.path.isfile, self.paths[1:]):
            with suppress(SatdokuError):
                yield from islice(read_chunks(path, board, size=1, format=form, columns=columns), 1)

    def _journal(self) -> closing[Journal] | nullcontext[None]:
        """The journal of a run to resume; only the same call of the same program may continue."""
        if not self.resume:
            return nullcontext()
        from .journal import Journal

        board = self.options.constraints.board
        settings = [
            __version__,
            engine.active(),
            self.options,
            board,
            *self.reading[1:],
            self.paths,
        ]
        return closing(Journal(journal_path(self.output), repr(settings), self._key()))

    def _key(self) -> bytes:
        """The key of this user; without one, a warning says what is trusted then."""
        from .seal import NO_KEY, key_path, own_key

        try:
            return own_key()
        except OSError as error:
            self.tell(
                f"{key_path()}: {error.strerror or error}: no key can be kept here, so the journal "
                f"has no seal; if others can write {journal_path(self.output)}, its answers 'none' "
                "and 'unique' cannot be trusted (set XDG_STATE_HOME to a folder that you can write)"
            )
            return NO_KEY

    def _solved(self, chunks: Iterable[Chunk], journal: Journal | None) -> Results:
        from .solve import check_rules, solve_chunks

        executor = self.executor or self._processes(self.workers)

        def solve(some: Iterable[Chunk]) -> Results:
            return solve_chunks(some, self.options, workers=self.workers, executor=executor)

        if journal is None:
            return solve(chunks)
        from .journal import journaled

        checked = (check_rules(chunk, self.options) for chunk in chunks)
        return journaled(checked, solve, journal, self.options)

    def _processes(self, workers: int) -> str | None:
        """The kind of workers for many rows with rules of their own: to read these, threads would
        wait for each other."""
        if isinstance(self.first, Plain) or workers < 2 or self.first.rows < MANY_ALONE:
            return None
        from .solve import are_alone

        return "process" if are_alone(self.first) else None


def journal_path(output: str) -> str:
    """The journal of a run that can be resumed."""
    return f"{output}.journal"


def _counted(parts: Iterable[Part], tally: Tally) -> Iterator[Part]:
    """The parts, whose rows are counted as they are read."""
    for part in parts:
        tally.rows_read += part.rows
        yield part


def _as_chunk(part: Part) -> Chunk:
    return part.chunk() if isinstance(part, Plain) else part


def _needs_ratings(results: Sequence[str]) -> bool:
    """Whether a column is asked for that needs ratings."""
    if not results:
        return False
    from .results.columns import RATED

    return not set(RATED).isdisjoint(results)


def _workers(asked: int | None, first: Part, few: int) -> int:
    """The number asked for; by default one if there is only one chunk to solve, else one a core."""
    if asked is not None or first.rows < few:
        return asked or 1
    from .workers import available_workers

    return available_workers()


def _chunk_size(backend: str, *, rated: bool) -> int:
    """Puzzles in a chunk; few if they are rated."""
    if not rated:
        return CHUNK_PUZZLES[backend]
    from ..ratings.scale import PIECE

    return PIECE
