"""A journal of finished chunks, so that a batch that was killed can continue where it stopped.

Invariant: a record counts only if it is complete and belongs to the chunk that is read now. The
output is always rewritten from the journal and the input, so an interruption does not change it.

The file is a header (magic number, SHA-256 of the settings) and records. A record has its number of
puzzles, the digest of its chunk, a checksum, and the statuses, solutions, nodes and microseconds as
raw arrays: about 90 bytes per 9x9 puzzle.
"""

from __future__ import annotations

import hashlib
import os
import struct
import zlib
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from typing import BinaryIO, NoReturn, cast

import numpy as np

from ..files.collection import Chunk
from ..files.streams import FileError
from .decide import BatchResult

_MAGIC = b"satdoku2"
_HEAD = struct.Struct("<I32sI")  # puzzles, digest of the chunk, checksum of the rest

Results = Generator[tuple[Chunk, BatchResult], None, None]


class JournalError(FileError):
    """A journal of a run with other settings or other puzzles."""


class Journal:
    """The journal of a run with these settings, a text that names everything the results depend on.

    Opens `path` or creates it. `replay` reads the records that are there; `append` adds one.
    """

    def __init__(self, path: str, settings: str) -> None:
        self.path = path
        header = _MAGIC + hashlib.sha256(settings.encode("utf-8", "surrogatepass")).digest()
        with self._errors_told():
            mode = "r+b" if os.path.exists(path) else "w+b"
            self._file = cast("BinaryIO", open(path, mode, buffering=0))  # noqa: SIM115
            self._lock()
            start = self._file.read(len(header))
            if start == header:
                return
            is_bare = start.startswith(_MAGIC) and os.path.getsize(path) == len(header)
            if not is_bare and not header.startswith(start):
                self._refuse("a journal of a run with other options: remove it to start again")
            self._file.seek(0)
            self._write(header)

    def replay(self, chunk: Chunk) -> BatchResult | None:
        """The results of the next chunk, or None at the end of the journal.

        A record that a killed run left incomplete is cut off.
        """
        with self._errors_told():
            place = self._file.tell()
            record = self._read_record(_row_bytes(chunk))
            if record is None:
                self._file.seek(place)
                self._file.truncate()
                return None
        count, digest, payload = record
        if count != len(chunk.lines) or digest != _digest(chunk):
            where = f"{chunk.source} has from line {chunk.lines[0]} on"
            self._refuse(f"a journal of other puzzles than {where}: remove it to start again")
        return _unpacked(payload, chunk)

    def _read_record(self, row_bytes: int) -> tuple[int, bytes, bytes] | None:
        """Number of puzzles, digest and payload of the next record; None if it is not complete."""
        head = self._file.read(_HEAD.size)
        if len(head) < _HEAD.size:
            return None
        count, digest, checksum = _HEAD.unpack(head)
        if count * row_bytes > os.path.getsize(self.path) - self._file.tell():
            return None
        payload = self._file.read(count * row_bytes)
        return (count, digest, payload) if _checksum(count, digest, payload) == checksum else None

    def append(self, chunk: Chunk, result: BatchResult) -> None:
        """Add the results of a chunk."""
        payload = b"".join(np.ascontiguousarray(column).tobytes() for column in result)
        count, digest = len(chunk.lines), _digest(chunk)
        with self._errors_told():
            self._write(_HEAD.pack(count, digest, _checksum(count, digest, payload)) + payload)

    def close(self) -> None:
        """Close the file and keep it."""
        self._file.close()

    def remove(self) -> None:
        """Close and delete the file: its results are in the output."""
        self.close()
        with self._errors_told():
            os.unlink(self.path)

    def _write(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            rest = rest[self._file.write(rest) :]

    def _lock(self) -> None:
        """Keep two runs from writing to one journal; the system frees the lock of a killed run."""
        try:
            import fcntl
        except ImportError:  # Windows
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._refuse("another run is using this journal")

    def _refuse(self, why: str) -> NoReturn:
        self.close()
        raise JournalError(f"{self.path}: {why}")

    @contextmanager
    def _errors_told(self) -> Iterator[None]:
        """Turn errors of the file system into a `FileError` that names the journal."""
        try:
            yield
        except OSError as error:
            raise FileError(f"{self.path}: {error.strerror or error}") from None


def journaled(
    chunks: Iterable[Chunk], solve: Callable[[Iterable[Chunk]], Results], journal: Journal
) -> Results:
    """Each chunk with its results: from the journal if it has them, else solved and added to it."""
    stream = iter(chunks)
    for chunk in stream:
        result = journal.replay(chunk)
        if result is None:
            results = solve(chain([chunk], stream))
            try:
                for solved, answer in results:
                    journal.append(solved, answer)
                    yield solved, answer
            finally:
                results.close()
            return
        yield chunk, result


def _digest(chunk: Chunk) -> bytes:
    """The digest of what the results depend on: puzzles, errors, and rules of single rows."""
    digest = hashlib.sha256(np.ascontiguousarray(chunk.puzzles).tobytes())
    for row, marks in sorted((chunk.marks or {}).items()):
        digest.update(b"%d:" % row + marks)
    for row in sorted(chunk.errors):
        digest.update(row.to_bytes(8, "little"))
    digest.update("\n".join(chunk.rules or ()).encode("utf-8", errors="surrogateescape"))
    return digest.digest()


def _checksum(count: int, digest: bytes, payload: bytes) -> int:
    return zlib.crc32(payload, zlib.crc32(digest, count))


def _row_bytes(chunk: Chunk) -> int:
    return 1 + chunk.cells + 4 + 4


def _unpacked(payload: bytes, chunk: Chunk) -> BatchResult:
    n, cells = len(chunk.lines), chunk.cells
    statuses = np.frombuffer(payload, np.uint8, n)
    solutions = np.frombuffer(payload, np.uint8, n * cells, n).reshape(n, cells)
    nodes = np.frombuffer(payload, np.uint32, n, n * (1 + cells))
    microseconds = np.frombuffer(payload, np.float32, n, n * (5 + cells))
    return BatchResult(statuses, solutions, nodes, microseconds)
