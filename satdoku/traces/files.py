"""Traces of collections, from files to a file.

Invariant: OUT has the lines of each row, in order; it appears whole at the end, or after an
interruption with the lines that are finished, unless a journal keeps these. A journal does not
change OUT.
"""

from __future__ import annotations

import hashlib
import zlib
from base64 import b64decode, b64encode
from collections.abc import Generator, Iterable, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar

from ..batch.file_run import FileRun
from ..batch.options import PIECE, BatchOptions
from ..batch.task_journal import TaskJournal
from ..files.collection import Chunk, Part, Plain
from ..files.formats import AS_IT_IS, ReadOptions
from ..files.outputs import endings, journal_path, open_output
from ..files.streams import MEMBERS, File, Files
from ..model.constraints import RulesLike
from ..runtime.package import VERSION
from ..runtime.progress import Progress
from ..runtime.workers import available_workers
from .traces import FEW, USUAL, Rows, Traced, Tracing, pieces, rows_of, trace_chunks

if TYPE_CHECKING:
    from ..runtime.workers import WorkersLike

Results = Generator[tuple[Chunk, Traced], None, None]


def explain_files(
    paths: Files,
    output: File,
    rules: RulesLike | None = None,
    *,
    tracing: Tracing = USUAL,
    reading: ReadOptions = AS_IT_IS,
    workers: WorkersLike | None = None,
    progress: Progress = False,
) -> dict[str, Any]:
    """Write the traces of files of puzzles as JSON lines, in order; return the counts.

    The traces are those of `explain_batch`, each with "file", "line" and, if it has one, "id".
    A row that cannot be read has a line with "error". output: a file, compressed if it ends in .gz,
    .xz, .bz2 or .zst. workers: None for one a core, or one if the files are small. The counts are
    those of `solve_files`. Raises `FileError` for files without a puzzle.
    """
    return Run.asked(
        paths, output, rules, progress, tracing=tracing, reading=reading, workers=workers
    )


@dataclass
class Run(FileRun):
    """Files traced to a file, once."""

    forms: ClassVar[Sequence[str]] = ("traces",)
    tracing: Tracing = USUAL

    def go(self) -> dict[str, Any]:
        """Trace all; the counts."""
        first, parts = self.begin(PIECE)
        options = BatchOptions(self.usual(first))
        chunks = (part.chunk() if isinstance(part, Plain) else part for part in parts)
        some = chain.from_iterable(pieces(chunk, options) for chunk in chunks)
        with closing(self._journal(options)) if self.tracing.resume else nullcontext() as journal:
            with (
                open_output(self.output, keep=journal is None, packed=self._packs) as out,
                closing(self._traced(some, options, self._workers(first), journal)) as traced,
            ):
                for chunk, (lines, statuses) in traced:
                    for _, error in sorted(chunk.errors.items()):
                        self.on_message(error)
                    out.write(lines)
                    self.tally.add(statuses, len(chunk.errors))
                    self.on_rows(chunk.rows)
            if journal is not None:
                journal.remove()
        return self.tally.as_data()

    def _workers(self, first: Part) -> WorkersLike:
        """Those asked for; by default one for a small file, whose end is in its first part."""
        is_small = first.rows <= FEW or (first.rows < PIECE and isinstance(first, Plain))
        return self.workers or (1 if is_small else available_workers())

    @property
    def _packs(self) -> bool:
        """Whether the traces come compressed."""
        return endings(self.output)[1] in MEMBERS

    def _journal(self, options: BatchOptions) -> TaskJournal:
        """The journal of a run to resume; only the same call of the same program may continue."""
        settings = [VERSION, options, self.tracing, self.reading, list(self.paths), self._packs]
        return TaskJournal(journal_path(self.output), repr(settings))

    def _traced(
        self,
        some: Iterable[Chunk],
        options: BatchOptions,
        workers: WorkersLike,
        journal: TaskJournal | None,
    ) -> Results:
        """The traces of the parts, those of a journal first."""
        stream = iter(some)
        for record in journal.replay() if journal else ():
            chunk = next(stream, None)
            if chunk is None or record["of"] != _digest(rows_of(chunk)):
                assert journal is not None
                journal.refuse("a journal of other puzzles")
            kept = b64decode(record["lines"])
            lines = kept if self._packs else zlib.decompress(kept)
            yield chunk, Traced(lines, bytes(record["statuses"]))
        made = trace_chunks(stream, options, self.tracing, workers, packs=self._packs)
        with closing(made) as traced:
            for chunk, found in traced:
                if journal is not None:
                    kept = found.lines if self._packs else zlib.compress(found.lines, 1)
                    of, statuses = _digest(rows_of(chunk)), list(found.statuses)
                    journal.append(
                        {"of": of, "statuses": statuses, "lines": b64encode(kept).decode()}
                    )
                yield chunk, found


def _digest(rows: Rows) -> str:
    """The digest of what the traces of rows depend on."""
    told = repr((rows.board.row_form, rows.rules, rows.places, rows.wrong)).encode()
    return hashlib.sha256(rows.puzzles.tobytes() + told).hexdigest()
