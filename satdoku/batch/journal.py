"""A journal of finished chunks, so that a batch that was killed can continue where it stopped.

Invariant: a record counts only if it is complete, sealed by the key of this user, and belongs to
the current chunk; and its solutions pass the witness. The output is always rewritten from the
journal and the input, so an interruption does not change it.

The file is a header (magic number, SHA-256 of the settings, seal) and records. A record has its
number of puzzles, the digest of its chunk, a seal, and the arrays of the result: about 90 bytes per
9x9 puzzle. A seal is a keyed hash that covers the seal before it, so that records cannot change
places. Records reach the disk within a second.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import stat
import struct
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from typing import BinaryIO, NoReturn

import numpy as np
from numpy.typing import NDArray

from ..files.collection import Chunk, Puzzles
from ..files.outputs import SAFELY, create_whole, lock, remove_open
from ..files.streams import FileError
from ..ratings.scale import FIELDS
from ..runtime.errors import Status, WitnessError
from .decide import BatchResult, check_solutions
from .options import BatchOptions
from .seal import NO_KEY, SEAL_BYTES, seal
from .solve import constraints_of, options_on

_MAGIC = b"satdoku4"
_OLD = b"satdoku2"  # of version 0.1.0, without a key
_HEAD = struct.Struct(f"<I32s{SEAL_BYTES}s")  # puzzles, digest of the chunk, seal
SYNC_SECONDS = 1.0  # a power cut costs the work of this time at most
AGAIN = "remove it to start again"

Results = Generator[tuple[Chunk, BatchResult], None, None]


class JournalError(FileError):
    """A journal that this run cannot continue: other settings, other puzzles or another user."""


class Journal:
    """The journal of a run with these settings, a text that names everything the results depend on.

    Opens `path` or creates it. `replay` reads the records that are there; `append` adds one. key:
    see `seal`; with `NO_KEY` whoever can write the file can forge it.
    """

    def __init__(self, path: str, settings: str, key: bytes = NO_KEY) -> None:
        self.path, self._key = path, key
        start = _MAGIC + hashlib.sha256(settings.encode("utf-8", "surrogatepass")).digest()
        self._seal = seal(key, start)
        with self._errors_told():
            if not os.path.lexists(path):
                create_whole(path, start + self._seal)
            self._file = self._opened()
            try:
                self._check_header(start + self._seal)
            except BaseException:
                self._file.close()
                raise
        self._synced = time.monotonic()

    def _opened(self) -> BinaryIO:
        """The file, locked: two runs must not write to one journal."""
        try:
            file = open(os.open(self.path, os.O_RDWR | SAFELY), "r+b", buffering=0)  # noqa: SIM115
        except OSError:
            if os.path.islink(self.path):
                self._refuse(f"a link, expected a journal: {AGAIN}")
            raise
        if not lock(file.fileno()) or not os.path.samestat(
            os.fstat(file.fileno()), os.stat(self.path)
        ):
            file.close()
            self._refuse(
                "another run is using this journal: wait until it ends, or choose another OUT"
            )
        return file

    def _check_header(self, header: bytes) -> None:
        """Raise `JournalError` unless the journal is of this user and these settings."""
        if not stat.S_ISREG(os.fstat(self._file.fileno()).st_mode):
            self._refuse(f"no file, expected a journal: {AGAIN}")
        found = self._file.read(len(header))
        if hmac.compare_digest(found, header):
            return
        if found.startswith(_OLD):
            self._refuse(f"a journal of an older version, which anybody can forge: {AGAIN}")
        if len(found) < len(header) or not found.startswith(_MAGIC):
            self._refuse(f"not a journal of this program: {AGAIN}")
        if not hmac.compare_digest(seal(self._key, found[:-SEAL_BYTES]), found[-SEAL_BYTES:]):
            self._refuse(
                "of another user or machine, or forged: its seal does not fit the key of this "
                f"user: {AGAIN}"
            )
        if os.fstat(self._file.fileno()).st_size > len(header):
            self._refuse(f"a journal of a run with other options: {AGAIN}")
        self._file.seek(0)
        self._write(header)

    def replay(self, chunk: Chunk, options: BatchOptions) -> BatchResult | None:
        """The results of the next chunk, not verified; None at the end of the journal.

        A record that is not whole or not sealed is cut off, with all behind it.
        """
        with self._errors_told():
            place = self._file.tell()
            record = self._read_record(_row_bytes(chunk, options))
            if record is None:
                self._file.seek(place)
                self._file.truncate()
                return None
        count, digest, payload = record
        if count != len(chunk.lines) or digest != _digest(chunk):
            where = f"{chunk.source} has from line {chunk.lines[0]} on"
            self._refuse(f"a journal of other puzzles than {where}: {AGAIN}")
        return _unpacked(payload, chunk, options)

    def _read_record(self, row_bytes: int) -> tuple[int, bytes, bytes] | None:
        """Number of puzzles, digest and payload of the next record; None if it is not sealed."""
        head = self._file.read(_HEAD.size)
        if len(head) < _HEAD.size:
            return None
        count, digest, found = _HEAD.unpack(head)
        if count * row_bytes > os.fstat(self._file.fileno()).st_size - self._file.tell():
            return None
        payload = self._file.read(count * row_bytes)
        expected = self._next_seal(count, digest, payload)
        if not hmac.compare_digest(found, expected):
            return None
        self._seal = expected
        return count, digest, payload

    def _next_seal(self, count: int, digest: bytes, payload: bytes) -> bytes:
        return seal(self._key, self._seal, count.to_bytes(4, "little"), digest, payload)

    def append(self, chunk: Chunk, result: BatchResult) -> None:
        """Add the results of a chunk."""
        payload = b"".join(np.ascontiguousarray(column).tobytes() for column in result.arrays)
        count, digest = len(chunk.lines), _digest(chunk)
        self._seal = self._next_seal(count, digest, payload)
        with self._errors_told():
            self._write(_HEAD.pack(count, digest, self._seal) + payload)
            if time.monotonic() - self._synced >= SYNC_SECONDS:
                os.fsync(self._file.fileno())
                self._synced = time.monotonic()

    def refuse_forged(self) -> NoReturn:
        """Raise `JournalError` for results that cannot be those of any run."""
        self._refuse(f"holds results that are wrong, so it was forged: {AGAIN}")

    def close(self) -> None:
        """Close the file and keep it."""
        self._file.close()

    def remove(self) -> None:
        """Delete the file and close it: its results are in the output, and that is on the disk."""
        with self._errors_told():
            remove_open(self.path, self._file)

    def _write(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            rest = rest[self._file.write(rest) :]

    def _refuse(self, why: str) -> NoReturn:
        raise JournalError(f"{self.path}: {why}")

    @contextmanager
    def _errors_told(self) -> Iterator[None]:
        """Turn errors of the file system into a `FileError` that names the journal."""
        try:
            yield
        except OSError as error:
            raise FileError(f"{self.path}: {error.strerror or error}") from None


def journaled(
    chunks: Iterable[Chunk],
    solve: Callable[[Iterable[Chunk]], Results],
    journal: Journal,
    options: BatchOptions,
) -> Results:
    """Each chunk with its results: from the journal if it has them, else solved and added to it.

    Raises `JournalError` if the witness refutes what the journal holds.
    """
    stream = iter(chunks)
    for chunk in stream:
        result = journal.replay(chunk, options)
        if result is None:
            results = solve(chain([chunk], stream))
            try:
                for solved, answer in results:
                    journal.append(solved, answer)
                    yield solved, answer
            finally:
                results.close()
            return
        if not is_possible(chunk, result, options):
            journal.refuse_forged()
        yield chunk, result


def is_possible(chunk: Chunk, result: BatchResult, options: BatchOptions) -> bool:
    """Whether a run may have found this: known statuses, and solutions that the witness accepts.

    That a puzzle has no solution, or no other, is not examined: only a proof could show it.
    """
    decided = {Status.SOLVED} if options.limit == 1 else {Status.UNIQUE, Status.MULTIPLE}
    known = [Status.NONE, Status.INVALID, Status.UNKNOWN, *decided]
    solved = result.solutions.all(axis=1)
    denied = np.isin(result.statuses, [Status.NONE, Status.INVALID])
    return bool(
        np.isin(result.statuses, known).all()
        and result.solutions.max(initial=0) <= chunk.board.choices
        and not result.solutions[denied | ~solved].any()
        and (result.statuses[list(chunk.errors)] == Status.INVALID).all()
        and _are_solutions(chunk, result, options)
    )


def _are_solutions(chunk: Chunk, result: BatchResult, options: BatchOptions) -> bool:
    """Whether the witness accepts every solution, under the rules and pencil marks of its row."""
    here = options_on(chunk.board, options)
    try:
        for rules, rows, puzzles in _alike(chunk):
            part = result._replace(statuses=result.statuses[rows], solutions=result.solutions[rows])
            check_solutions(puzzles, part, constraints_of(rules, here))
    except WitnessError:
        return False
    return True


def _alike(chunk: Chunk) -> Iterator[tuple[str, NDArray[np.intp], Puzzles]]:
    """Rows under the same rules of their own, with their puzzles; pencil marks row by row."""
    own, marks = np.array(chunk.rules or [""] * len(chunk.lines)), chunk.marks or {}
    plain = np.ones(len(own), np.bool_)
    plain[list(marks)] = False
    for rules in dict.fromkeys(own.tolist()):
        rows = np.flatnonzero(plain & (own == rules))
        yield rules, rows, chunk.puzzles[rows]
    for row, allowed in marks.items():
        yield str(own[row]), np.array([row]), np.frombuffer(allowed, np.bool_)[None]


def _digest(chunk: Chunk) -> bytes:
    """The digest of what the results depend on: puzzles, errors, and rules of single rows."""
    digest = hashlib.sha256(np.ascontiguousarray(chunk.puzzles).tobytes())
    for row, marks in sorted((chunk.marks or {}).items()):
        digest.update(b"%d:" % row + marks)
    for row in sorted(chunk.errors):
        digest.update(row.to_bytes(8, "little"))
    digest.update("\n".join(chunk.rules or ()).encode("utf-8", errors="surrogateescape"))
    return digest.digest()


def _row_bytes(chunk: Chunk, options: BatchOptions) -> int:
    return 1 + chunk.cells + 4 + 4 + 1 + 4 * _fields(options)


def _fields(options: BatchOptions) -> int:
    return FIELDS if options.rated else 0


def _unpacked(payload: bytes, chunk: Chunk, options: BatchOptions) -> BatchResult:
    n, cells, fields = len(chunk.lines), chunk.cells, _fields(options)
    statuses = np.frombuffer(payload, np.uint8, n)
    solutions = np.frombuffer(payload, np.uint8, n * cells, n).reshape(n, cells)
    nodes = np.frombuffer(payload, np.uint32, n, n * (1 + cells))
    microseconds = np.frombuffer(payload, np.float32, n, n * (5 + cells))
    by_session = np.frombuffer(payload, np.bool_, n, n * (9 + cells))
    ratings = np.frombuffer(payload[n * (10 + cells) :], np.int32).reshape(n, fields)
    return BatchResult(
        statuses, solutions, nodes, microseconds, by_session, ratings, chunk.own_board
    )
