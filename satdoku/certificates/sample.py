"""Certificates of collections: of every puzzle, or of a random sample that can be drawn again.

Invariant: a certificate claims what the batch answered. One that claims anything else is an error
and is never written.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing
from typing import Any, BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..batch.options import BatchOptions
from ..batch.solve import constraints_of_row
from ..files.collection import Chunk
from ..model.constraints import Constraints
from ..model.grid import Grid
from ..runtime.errors import Status, WitnessError
from ..runtime.workers import Workers, map_in_order
from .format import Certificate, write_section
from .make import CertifyError, certify_batch, preamble_of

EVERY = "all"
PART = 128  # puzzles certified at a time: about a second of work
_CLAIMS = {Status.UNIQUE: "unique", Status.MULTIPLE: "multiple", Status.NONE: "none"}


class _Row(NamedTuple):
    """A puzzle to certify: its constraints, its cells, and the status that the batch gave it."""

    constraints: Constraints
    cells: bytes
    status: Status


class CollectionCertifier(AbstractContextManager["CollectionCertifier"]):
    """Takes chunks with their statuses and writes certificates to a stream. A context manager.

    sample: "all" or a number of puzzles. A number of puzzles is drawn from the whole stream, each
    with the same probability, and certified by `finish`; `seed` makes the sample repeatable. Rows
    that are invalid or unknown get no certificate.

    Source: the reservoir is algorithm R of J. Vitter, Random Sampling with a Reservoir, ACM TOMS
    11, 1985.
    """

    def __init__(self, out: BinaryIO, sample: str, *, seed: int = 0, workers: int = 1) -> None:
        if sample != EVERY and not (sample.isascii() and sample.isdigit() and int(sample)):
            raise CertifyError(f"sample '{sample}': expected {EVERY}, or a number of puzzles")
        self.written = 0
        self._out = out
        self._size = None if sample == EVERY else int(sample)
        self._random = random.Random(seed)
        self._seen = 0
        self._kept: list[_Row] = []
        # Solvers keep the interpreter lock, so threads would wait for each other.
        self._workers = Workers("process", workers) if workers > 1 else None

    def add(self, chunk: Chunk, statuses: NDArray[np.uint8], options: BatchOptions) -> None:
        """Certify or sample the rows of one more chunk, which was solved with these options."""
        rows = np.flatnonzero(certain_rows(chunk, statuses)).tolist()
        if self._size is None:
            self._write([_row(chunk, statuses, row, options) for row in rows])
            return
        for row in rows:
            self._seen += 1
            place = len(self._kept)
            if place == self._size:
                place = self._random.randrange(self._seen)
                if place >= self._size:
                    continue
                self._kept[place] = _row(chunk, statuses, row, options)
            else:
                self._kept.append(_row(chunk, statuses, row, options))

    def finish(self) -> int:
        """Certify the sample; the number of all certificates that were written."""
        self._write(self._kept)
        self._kept = []
        return self.written

    def __exit__(self, *error: Any) -> None:
        if self._workers is not None:
            self._workers.__exit__(*error)

    def _write(self, rows: list[_Row]) -> None:
        """Write one section for each rule set among the rows."""
        for constraints in dict.fromkeys(row.constraints for row in rows):
            some = [row for row in rows if row.constraints == constraints]
            write_section(self._out, preamble_of(constraints), self._certified(some, constraints))

    def _certified(self, rows: list[_Row], constraints: Constraints) -> Iterator[Certificate]:
        parts = [rows[start : start + PART] for start in range(0, len(rows), PART)]
        jobs = ((part, (_grids(part), constraints)) for part in parts)
        with closing(map_in_order(self._workers, certify_batch, jobs)) as results:
            for part, made in results:
                for row, certificate in zip(part, made, strict=True):
                    if certificate.claim != _CLAIMS[row.status]:
                        claim = f"{certificate.puzzle} is {certificate.claim}"
                        raise WitnessError(f"{claim}, not {row.status}")
                    self.written += 1
                    yield certificate


def certain_rows(chunk: Chunk, statuses: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """The rows (N,) whose answers can be certified; raises `CertifyError` for pencil marks."""
    if chunk.puzzles.dtype == np.bool_ or chunk.marks:
        raise CertifyError(f"{chunk.source}: pencil marks cannot be certified")
    certain = np.isin(statuses, list(_CLAIMS))
    certain[list(chunk.errors)] = False
    return certain


def _row(chunk: Chunk, statuses: NDArray[np.uint8], row: int, options: BatchOptions) -> _Row:
    return _Row(
        constraints_of_row(chunk, row, options), chunk.puzzles[row].tobytes(), Status(statuses[row])
    )


def _grids(rows: list[_Row]) -> list[Grid]:
    return [Grid(row.cells, row.constraints.board) for row in rows]
