"""Collections solved from files to a file: read, solved, verified and written part by part.

Invariant: OUT has one result for each row, in order; it appears whole at the end, or after an
interruption with the results that are finished, unless a journal keeps these. No numpy is loaded
where plain lists become lines.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, nullcontext, suppress
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar

from .. import engine
from ..answers.solver import DEFAULT_SOLVER
from ..files.collection import Part, Plain
from ..files.formats import AS_IT_IS, ReadOptions
from ..files.outputs import RESULT_FORMS, WITH_COLUMNS, form_of, journal_path, open_output
from ..files.streams import File, FileError, Files
from ..model.constraints import RulesLike
from ..runtime.errors import SatdokuError
from ..runtime.package import VERSION
from ..runtime.progress import Progress
from .file_run import FileRun
from .options import BACKENDS, PIECE, PROOF, BatchOptions

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..files.collection import Chunk
    from ..runtime.workers import WorkersLike
    from .decide import BatchResult
    from .journal import Journal, Results

# Puzzles in a chunk: about 0.1 s of work for a session, so that progress moves and workers end
# together; enough for the engine to fill its lanes many times.
CHUNK_PUZZLES = {"engine": 1 << 15, "session": 512}
MANY_ALONE = 1_000  # rows with rules of their own from which on the start of processes pays
Each = Callable[["Chunk", "NDArray[np.uint8]"], None]
Prove = Callable[["Chunk", "BatchResult", BatchOptions], Sequence[str]]


@dataclass(frozen=True)
class Solving:
    """Options for solving collections; see `BatchOptions`."""

    limit: int = 2
    solver: str = DEFAULT_SOLVER
    conflicts: int | None = None
    backend: str = BACKENDS[0]


@dataclass(frozen=True)
class Writing:
    """How results are written.

    form: one of `RESULT_FORMS`, by default what the ending of the output says: "line" (status and
    solution) without one. results: names of columns (those of `satdoku batch --columns`), the usual
    ones by default; keep: columns of the input to write before them, "all" for every one. csv_safe:
    no text that a spreadsheet takes for a formula. resume: keep a journal beside the output and go
    on where an interrupted run stopped. prove: makes the column `proof` of a chunk (`proof_texts`).
    """

    form: str | None = None
    results: Sequence[str] = ()
    keep: Sequence[str] = ()
    csv_safe: bool = False
    resume: bool = False
    prove: Prove | None = None


def solve_files(
    paths: Files,
    output: File,
    rules: RulesLike | None = None,
    *,
    solving: Solving = Solving(),
    writing: Writing = Writing(),
    reading: ReadOptions = AS_IT_IS,
    workers: WorkersLike | None = None,
    progress: Progress = False,
) -> dict[str, Any]:
    """Solve files of puzzles and write one result for each row, in order; return the counts.

    output: a file, compressed if it ends in .gz, .xz, .bz2 or .zst. workers: None for one a core,
    or one if the files are small.

    The counts are "puzzles", "statuses", "rows_read", "rows_written", "unreadable", "seconds" and
    "puzzles_per_second". Raises `FileError` for files without a puzzle.
    """
    return Run.asked(
        paths,
        output,
        rules,
        progress,
        solving=solving,
        writing=writing,
        reading=reading,
        workers=workers,
    )


@dataclass
class Run(FileRun):
    """Files solved to a file, once.

    rated: whether the usual columns have ratings in place of solutions. beside: gives, while it is
    entered, what is called with every chunk and its statuses; a journal is kept until it ends.
    """

    forms: ClassVar[Sequence[str]] = tuple(RESULT_FORMS)
    solving: Solving = Solving()
    writing: Writing = Writing()
    beside: AbstractContextManager[Each] | None = None
    rated: bool = False

    def go(self) -> dict[str, Any]:
        """Solve all; the counts of `solve_files`."""
        rated = self.rated or _needs_ratings(self.writing.results)
        size = _chunk_size(self.solving.backend, rated=rated)
        first, parts = self.begin(size, keep=bool(self.writing.keep))
        options = BatchOptions(
            self.usual(first),
            self.solving.limit,
            self.solving.solver,
            self.solving.conflicts,
            self.solving.backend,
            rated=rated,
        )
        self._work(parts, first, options)
        return self.tally.as_data()

    @property
    def form(self) -> str:
        """The requested format, or the one of the output's name."""
        return form_of(self.output, self.forms, self.writing.form)

    def _work(self, parts: Iterable[Part], first: Part, options: BatchOptions) -> None:
        """Solve all in the quickest way that supports the options."""
        wish, counted = self.writing, self.workers is None or isinstance(self.workers, int)
        more = (wish.resume, self.beside, wish.results, wish.csv_safe, wish.keep)
        size = _chunk_size(self.solving.backend, rated=options.rated)
        workers = self._workers(first, PIECE if options.constraints.needs_session else size)
        if self.form == "line" and counted and options.threads_suffice and not any(more):
            alone = first.rows < CHUNK_PUZZLES["session"] and self.workers in (None, 1)
            self._answer(parts, options, 0 if alone else workers)
        else:
            self._solve(parts, first, options, workers)

    def _workers(self, first: Part, size: int) -> WorkersLike:
        """Those asked for; by default one if there is only one chunk to solve, else one a core, in
        processes for many rows with rules of their own: to read these, threads would wait for each
        other."""
        few = min(size, CHUNK_PUZZLES["session"])
        asked = self.workers or (1 if first.rows < few else None)
        if asked is None:
            from ..runtime.workers import available_workers

            asked = available_workers()
        if not isinstance(asked, int) or asked < 2:
            return asked
        if isinstance(first, Plain) or first.rows < MANY_ALONE:
            return asked
        from .solve import are_alone

        return f"process:{asked}" if are_alone(first) else asked

    def _answer(self, parts: Iterable[Part], options: BatchOptions, workers: WorkersLike) -> None:
        """Solve all parts and write their lines."""
        from .plain import answer_parts

        assert isinstance(workers, int | str)
        with (
            open_output(self.output, keep=True) as out,
            closing(answer_parts(parts, options, workers=workers)) as answers,
        ):
            for answered in answers:
                for error in answered.errors:
                    self.on_message(error)
                out.write(answered.lines)
                self.tally.add(answered.statuses, len(answered.errors))
                self.on_rows(len(answered.statuses))

    def _solve(
        self, parts: Iterable[Part], first: Part, options: BatchOptions, workers: WorkersLike
    ) -> None:
        """Solve all parts and write them in any format."""
        from .solve import shared_out

        chunks = shared_out(map(_as_chunk, parts), options)
        with self._journal(options) as journal:
            with (
                self.beside or nullcontext() as each,
                self._opened(_as_chunk(first), options) as write,
                closing(_solved(chunks, options, workers, journal)) as results,
            ):
                for chunk, result in results:
                    for _, error in sorted(chunk.errors.items()):
                        self.on_message(error)
                    write(chunk, self._proved(chunk, result, options))
                    if each:
                        each(chunk, result.statuses)
                    self.tally.add(result.statuses.tobytes(), len(chunk.errors))
                    self.on_rows(chunk.rows)
            if journal is not None:
                journal.remove()
        if self.writing.keep and (lost := write.left_out):
            names = ", ".join(lost)
            message = f"left out, as the first rows do not have them: {names}; jsonl keeps them"
            self.on_message(message)

    def _proved(self, chunk: Chunk, result: BatchResult, options: BatchOptions) -> BatchResult:
        """The result with proofs, if a column is to have them."""
        if self.writing.prove is None or PROOF not in self.writing.results:
            return result
        return result._replace(proofs=self.writing.prove(chunk, result, options))

    def _opened(self, first: Chunk, options: BatchOptions) -> Any:
        """What writes the results, with columns of the input where these are asked for."""
        from .results import open_results
        from .results.carried import check_kept

        wish = self.writing
        if first.beside is None:
            columns = self._columns(first)
        else:
            check_kept(wish.keep, first.beside)
            # the input has the puzzle, its id and its rules
            usual = ("file",) * (len(self.paths) > 1) + ("status", "solution", "reason")
            columns = tuple(wish.results) or usual
        return open_results(
            self.output, self.form, columns, options, kept=wish.keep, keep=not wish.resume,
            csv_safe=wish.csv_safe,
        )  # fmt: skip

    def _columns(self, first: Chunk) -> tuple[str, ...]:
        """The requested columns, or the usual ones."""
        from .results import npz_columns
        from .results.columns import usual_columns

        if self.form == "line":
            if self.writing.results:
                known = ", ".join(form for form in RESULT_FORMS if form != "line")
                raise FileError(f"the line format has no columns: choose from {known}")
            return ()  # and no file needs a look ahead
        if self.writing.results:
            return tuple(self.writing.results)
        names = usual_columns(first, *self._first_rows(), files=len(self.paths), rated=self.rated)
        if self.form != "npz":
            return names
        if lost := [name for name in ("file", "id", "rules") if name in names]:
            self.on_message(f"npz has no {', '.join(lost)}; {', '.join(WITH_COLUMNS)} have")
        return npz_columns(names)

    def _first_rows(self) -> Iterator[Chunk]:
        """The first row of each further file, if it can be read: a file may have ids or rules that
        the first does not have."""
        from ..files.collection import read_chunks

        for path in filter(os.path.isfile, self.paths[1:]):
            with suppress(SatdokuError):
                chunks = read_chunks(path, None, self.board, size=1, reading=self.reading)
                yield from islice(chunks, 1)

    def _journal(self, options: BatchOptions) -> closing[Journal] | nullcontext[None]:
        """The journal of a run to resume; only the same call of the same program may continue."""
        if not self.writing.resume:
            return nullcontext()
        from .journal import Journal

        board = options.constraints.board
        settings = [VERSION, engine.active(), options, board, self.reading, list(self.paths)]
        return closing(Journal(journal_path(self.output), repr(settings), self._key()))

    def _key(self) -> bytes:
        """The key of this user; without one, a warning says what is trusted then."""
        from .seal import NO_KEY, key_path, own_key

        try:
            return own_key()
        except OSError as error:
            self.on_message(
                f"{key_path()}: {error.strerror or error}: no key can be kept here, so the journal "
                f"has no seal; if others can write {journal_path(self.output)}, its answers 'none' "
                "and 'unique' cannot be trusted (set XDG_STATE_HOME to a folder that you can write)"
            )
            return NO_KEY


def _solved(
    chunks: Iterable[Chunk], options: BatchOptions, workers: WorkersLike, journal: Journal | None
) -> Results:
    """The results of all chunks, those of a journal first."""
    from .solve import check_rules, solve_chunks

    def solve(some: Iterable[Chunk]) -> Results:
        return solve_chunks(some, options, workers=workers)

    if journal is None:
        return solve(chunks)
    from .journal import journaled

    return journaled((check_rules(chunk, options) for chunk in chunks), solve, journal, options)


def _as_chunk(part: Part) -> Chunk:
    return part.chunk() if isinstance(part, Plain) else part


def _needs_ratings(results: Sequence[str]) -> bool:
    """Whether a requested column needs ratings."""
    if not results:
        return False
    from .results.columns import RATED

    return not set(RATED).isdisjoint(results)


def _chunk_size(backend: str, *, rated: bool) -> int:
    """Puzzles in a chunk; few if they are rated."""
    return PIECE if rated else CHUNK_PUZZLES[backend]
