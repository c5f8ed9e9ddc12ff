"""A journal of finished tasks, so that work of hours can continue where it stopped.

Invariant: a line counts only if it is whole and sealed by the key of this user; a seal covers the
seals before it. So a journal that somebody else wrote cannot make a puzzle disappear or forge a
trace.
"""

from __future__ import annotations

import hmac
import json
import os
import time
from collections.abc import Iterator
from typing import Any, NoReturn

from ..files.outputs import SAFELY, create_whole, lock, remove_open
from ..files.streams import FileError
from .journal import SYNC_SECONDS, JournalError
from .seal import NO_KEY, own_key, seal

Record = dict[str, Any]


class TaskJournal:
    """Opens `path` or creates it, for a run with these settings, a text.

    Raises `JournalError` for a file that this run cannot continue, `FileError` for one that cannot
    be read or written.
    """

    def __init__(self, path: str, settings: str) -> None:
        self.path = path
        try:
            self._key = own_key()
        except OSError:
            self._key = NO_KEY
        self._seal = seal(self._key, settings.encode("utf-8", "surrogatepass"))
        self._synced = time.monotonic()
        try:
            create_whole(path, self._line({"settings": settings}, self._seal))
            descriptor = os.open(path, os.O_RDWR | SAFELY)
            self._file = open(descriptor, "r+b")  # noqa: SIM115
        except OSError as error:
            raise FileError(f"{path}: {error.strerror or error}") from None
        if not lock(self._file.fileno()):
            self.refuse("another run is using this journal")

    def replay(self) -> Iterator[Record]:
        """The records that are there; what is torn or not sealed is cut off."""
        head = self._read()
        if head is None or "settings" not in head:
            self.refuse("not a journal of the same task, with the same options, and of this user")
        while True:
            place = self._file.tell()
            record = self._read()
            if record is None:
                break
            yield record
        self._file.seek(place)
        self._file.truncate()

    def append(self, record: Record) -> None:
        """Add a record; it reaches the disk within a second of work."""
        self._seal = self._next_seal(record)
        self._file.write(self._line(record, self._seal))
        self._file.flush()
        if time.monotonic() - self._synced >= SYNC_SECONDS:
            os.fsync(self._file.fileno())
            self._synced = time.monotonic()

    def close(self) -> None:
        """Close the file and keep it."""
        self._file.close()

    def remove(self) -> None:
        """Delete the file and close it: what it holds is elsewhere, on the disk."""
        remove_open(self.path, self._file)

    def _read(self) -> Record | None:
        """The next record, None if it is not whole or not sealed."""
        line = self._file.readline()
        try:
            told, record = json.loads(line)
            expected = self._seal if "settings" in record else self._next_seal(record)
            sealed = line.endswith(b"\n") and hmac.compare_digest(bytes.fromhex(told), expected)
        except (ValueError, TypeError):
            return None
        if not sealed:
            return None
        self._seal = expected
        return dict(record)

    def _next_seal(self, record: Record) -> bytes:
        return seal(self._key, self._seal, json.dumps(record, sort_keys=True).encode())

    @staticmethod
    def _line(record: Record, sealed: bytes) -> bytes:
        return json.dumps([sealed.hex(), record]).encode() + b"\n"

    def refuse(self, why: str) -> NoReturn:
        """Raise `JournalError`: the run cannot continue it."""
        self._file.close()
        raise JournalError(f"{self.path}: {why}: remove it to start again, or choose another")
