"""Proof trees beside the answers of a batch: in a file whose row n is about row n of the
collection, or as texts in a column.

Invariant: a tree claims what the batch answered. One that claims anything else is an error. Rows
that are invalid or unknown have no claim.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from ..batch.decide import BatchResult
from ..batch.options import BatchOptions
from ..batch.solve import by_constraints, constraints_of, options_on
from ..files.collection import Chunk
from ..model.constraints import Constraints
from ..model.grid import Grid
from ..runtime.errors import Status, WitnessError
from ..runtime.workers import Workers, map_in_order
from .collection import SHARED, USUAL, Piece, Proving, block_of, certified_rows, head_of
from .make import CertifyError, sums_of
from .sample import certain_rows
from .tree import COMPILED
from .tree.files import BLOCK, Writer
from .tree.rows import claim_of
from .tree_texts import text_of

UNKNOWN = bytes([Status.UNKNOWN])


class TreeCertifier:
    """Takes chunks with their statuses and writes proof trees to a stream. A context manager.

    All rows must be under the same rules, those of the first chunk. workers: a number.
    """

    def __init__(self, out: BinaryIO, *, workers: int = 1) -> None:
        self.written = 0
        self._out = out
        self._usual: Constraints | None = None  # of the rows without a claim
        self._constraints: Constraints | None = None
        self._cells, self._statuses = bytearray(), bytearray()  # of the rows that wait
        self._workers = opened_workers(workers)

    def add(self, chunk: Chunk, statuses: NDArray[np.uint8], options: BatchOptions) -> None:
        """Prove the rows of one more chunk, which was solved with these options."""
        certain = certain_rows(chunk, statuses)
        here = options_on(chunk.board, options)
        self._usual = here.constraints
        for row, constraints in _each_rules(chunk, certain, here):
            if self._constraints is None:
                self._begin(constraints)
            if constraints != self._constraints:
                where = f"{chunk.source}: line {chunk.lines[row]}"
                raise CertifyError(
                    f"{where}: expected rules and a board as those of the first row: {SHARED}"
                )
        known = np.where(certain, statuses, np.uint8(Status.UNKNOWN)).tobytes()
        if self._constraints is None:
            self._statuses += known
            return
        puzzles = np.zeros((chunk.rows, self._constraints.board.cells), np.uint8)
        if certain.any():
            puzzles[certain] = chunk.puzzles[certain]
        self._add(puzzles, known, self._constraints)

    def add_unique(self, puzzles: NDArray[np.uint8], constraints: Constraints) -> None:
        """Prove (N, cells) puzzles that have one solution each, as all of the file."""
        if self._constraints is None:
            self._begin(constraints)
        self._add(puzzles, bytes([Status.UNIQUE]) * len(puzzles), constraints)

    def finish(self) -> int:
        """Write what is left; the number of rows that are proved."""
        if self._constraints is None and self._usual is not None:
            self._begin(self._usual)
        if self._constraints is not None:
            self._write(len(self._statuses), self._constraints)
            self._writer.finish()
        return self.written

    def __enter__(self) -> TreeCertifier:
        self._pool = self._workers.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self._workers.__exit__(*error)

    def _begin(self, constraints: Constraints) -> None:
        """Write the head; what waits are rows without a claim."""
        self._constraints = constraints
        self._writer = Writer(self._out, head_of(constraints))
        self._cells = bytearray(len(self._statuses) * constraints.board.cells)

    def _add(self, puzzles: NDArray[np.uint8], statuses: bytes, constraints: Constraints) -> None:
        """Rows that wait until there are enough for a block."""
        self._statuses += statuses
        self._cells += puzzles.tobytes()
        self._write(len(self._statuses) // BLOCK * BLOCK, constraints)

    def _write(self, rows: int, constraints: Constraints) -> None:
        """The first of the rows that wait, as blocks."""
        for statuses, made in map_in_order(self._pool, block_of, self._jobs(rows, constraints)):
            known = statuses.translate(None, UNKNOWN)
            if made.statuses != known:
                both = zip(made.statuses, known, strict=True)
                found, status = next((a, b) for a, b in both if a != b)
                raise WitnessError(
                    f"proof trees from row {self.written + 1} on: a puzzle is "
                    f"{Status(found)}, not {Status(status)}"
                )
            self._writer.add(made.rows, made.packed)
            self.written += len(known)
        del self._cells[: rows * constraints.board.cells], self._statuses[:rows]

    def _jobs(
        self, rows: int, constraints: Constraints
    ) -> Iterator[tuple[bytes, tuple[Piece, Constraints, Proving]]]:
        """The rows of each block: their statuses, and what `block_of` gets of them."""
        size = constraints.board.cells
        for start in range(0, rows, BLOCK):
            stop = min(start + BLOCK, rows)
            statuses = bytes(self._statuses[start:stop])
            unread = tuple(
                np.flatnonzero(np.frombuffer(statuses, np.uint8) == Status.UNKNOWN).tolist()
            )
            piece = Piece(bytes(self._cells[start * size : stop * size]), unread)
            yield statuses, (piece, constraints, USUAL)


def proof_texts(
    chunk: Chunk, result: BatchResult, options: BatchOptions, *, workers: int = 1
) -> list[str]:
    """The column `proof` of a chunk that was solved with these options (see `tree_texts`); empty
    for rows that are invalid or unknown. Rows may have rules of their own."""
    if options.limit != 2:
        raise CertifyError("the column 'proof' needs --limit 2: without it no second is looked for")
    texts = [""] * chunk.rows
    certain = certain_rows(chunk, result.statuses)
    with opened_workers(workers if chunk.rows > BLOCK else 1) as pool:
        jobs = _text_jobs(chunk, result, certain, options_on(chunk.board, options))
        for rows, made in map_in_order(pool, _texts, jobs):
            for row, text in zip(rows, made, strict=True):
                texts[row] = text
    return texts


def _text_jobs(
    chunk: Chunk, result: BatchResult, certain: NDArray[np.bool_], options: BatchOptions
) -> Iterator[tuple[list[int], tuple[bytes, bytes, bytes, Constraints]]]:
    """Rows under the same rules, at most BLOCK at a time: their places, and what `_texts` gets."""
    places = np.flatnonzero(certain)
    alike = [(options.constraints, np.arange(chunk.rows))]
    if chunk.rules is not None and len(places):
        alike = list(by_constraints(chunk.rules, options))
    for constraints, every in alike:
        rows = every[certain[every]]
        for start in range(0, len(rows), BLOCK):
            some = rows[start : start + BLOCK]
            columns = (chunk.puzzles, result.statuses, result.solutions)
            cells, statuses, solutions = (column[some].tobytes() for column in columns)
            yield some.tolist(), (cells, statuses, solutions, constraints)


def _texts(cells: bytes, statuses: bytes, solutions: bytes, constraints: Constraints) -> list[str]:
    """The texts of the proofs of some rows."""
    board, texts = constraints.board, []
    size = board.cells
    rows = certified_rows(cells, constraints).each(size)
    sums = sums_of(constraints)
    for at, (row, status) in enumerate(zip(rows, statuses, strict=True)):
        if claim_of(row.claim) != str(Status(status)):
            puzzle = Grid(row.puzzle, board)
            raise WitnessError(f"{puzzle} is {claim_of(row.claim)}, not {Status(status)}")
        texts.append(text_of(row, solutions[at * size : (at + 1) * size], board, sums))
    return texts


def opened_workers(count: int) -> AbstractContextManager[Workers | None]:
    """Threads, for C does the work; without it, processes; none for one."""
    return Workers("thread" if COMPILED else "process", count) if count > 1 else nullcontext()


def _each_rules(
    chunk: Chunk, rows: NDArray[np.bool_], options: BatchOptions
) -> Iterator[tuple[int, Constraints]]:
    """The constraints of these rows, each with the first row that has them."""
    if chunk.rules is None:
        yield from ((int(row), options.constraints) for row in np.flatnonzero(rows)[:1])
        return
    seen = set[str]()
    for row in np.flatnonzero(rows).tolist():
        if chunk.rules[row] not in seen:
            seen.add(chunk.rules[row])
            yield row, constraints_of(chunk.rules[row], options)
