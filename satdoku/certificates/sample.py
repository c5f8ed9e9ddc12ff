"""Certificates of collections: of every puzzle, or of a sample that anyone can draw again.

Invariant: what is certified is what the batch answered: a certificate that claims anything else
than the status of its row is an error, never a file.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import closing
from typing import Any, BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..batch.solve import BatchOptions, constraints_of
from ..batch.workers import Workers, map_in_order
from ..errors import SatdokuError, Status, WitnessError
from ..files.collection import Chunk
from ..model.constraints import Constraints
from .format import Certificate, write_section
from .make import certify_many, preamble_of

EVERY = "all"
PART = 128  # puzzles certified at a time, about a second's work
_CLAIMS = {Status.UNIQUE: "unique", Status.MULTIPLE: "multiple", Status.NONE: "none"}


class BulkError(SatdokuError):
    """A sample that is none, or puzzles that cannot be certified."""


class _Row(NamedTuple):
    """A puzzle to certify: its law, its cells, and what the batch said of it."""

    constraints: Constraints
    cells: bytes
    status: Status


class BulkCertifier:
    """Takes chunks with their statuses, and writes certificates to a stream. A context manager.

    sample: "all", or how many puzzles: then they are drawn from the whole stream, each with the
    same chance (Vitter's reservoir, algorithm R, 1985; `seed` makes it repeatable), and certified
    by `finish`. Rows that are invalid or unknown have no certificate.
    """

    def __init__(self, out: BinaryIO, sample: str, *, seed: int = 0, workers: int = 1) -> None:
        if sample != EVERY and not (sample.isascii() and sample.isdigit() and int(sample)):
            raise BulkError(f"sample '{sample}': expected {EVERY}, or a number of puzzles")
        self.written = 0
        self._out = out
        self._size = None if sample == EVERY else int(sample)
        self._random = random.Random(seed)
        self._seen = 0
        self._kept: list[_Row] = []
        # Solvers hold the interpreter lock: threads would wait for each other.
        self._workers = Workers("process", workers) if workers > 1 else None

    def add(self, chunk: Chunk, statuses: NDArray[np.uint8], options: BatchOptions) -> None:
        """Certify or sample the rows of one more chunk, which was solved with these options."""
        if chunk.puzzles.dtype == np.bool_:
            raise BulkError(f"{chunk.source}: pencil marks cannot be certified")
        certain = np.isin(statuses, list(_CLAIMS))
        certain[list(chunk.errors)] = False
        rows = np.flatnonzero(certain).tolist()
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
        """Certify what was sampled; the number of certificates written in all."""
        self._write(self._kept)
        self._kept = []
        return self.written

    def __enter__(self) -> BulkCertifier:
        return self

    def __exit__(self, *error: Any) -> None:
        if self._workers is not None:
            self._workers.__exit__(*error)

    def _write(self, rows: list[_Row]) -> None:
        """A section for each law among the rows."""
        for constraints in dict.fromkeys(row.constraints for row in rows):
            some = [row for row in rows if row.constraints == constraints]
            write_section(self._out, preamble_of(constraints), self._certified(some, constraints))

    def _certified(self, rows: list[_Row], constraints: Constraints) -> Iterator[Certificate]:
        parts = [rows[start : start + PART] for start in range(0, len(rows), PART)]
        jobs = ((part, (_array(part), constraints)) for part in parts)
        with closing(map_in_order(self._workers, certify_many, jobs)) as results:
            for part, made in results:
                for row, certificate in zip(part, made, strict=True):
                    if certificate.claim != _CLAIMS[row.status]:
                        claim = f"{certificate.puzzle} is {certificate.claim}"
                        raise WitnessError(f"{claim}, not {row.status}")
                    self.written += 1
                    yield certificate


def _row(chunk: Chunk, statuses: NDArray[np.uint8], row: int, options: BatchOptions) -> _Row:
    constraints = constraints_of(chunk.rules[row] if chunk.rules is not None else "", options)
    return _Row(constraints, chunk.puzzles[row].tobytes(), Status(statuses[row]))


def _array(rows: list[_Row]) -> NDArray[np.uint8]:
    return np.frombuffer(b"".join(row.cells for row in rows), np.uint8).reshape(len(rows), -1)
