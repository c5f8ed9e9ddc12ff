"""Files out: what a command writes appears under its name whole or not at all.

Invariant: nothing is destroyed but the file that OUT names, and that only by a complete one.

The bytes go to a new file beside OUT, `OUT.<16 hexadecimal digits>.part`. It is created exclusively
and locked while it is written. It takes the name OUT when it lies on the disk. If OUT is a link,
the link is replaced, and the file that it points to stays as it is. A lock ends with its process.
Where the system has no locks (Windows, some network file systems), two runs that write one OUT do
not refuse each other: the last to finish wins, whole.
"""

from __future__ import annotations

import errno
import io
import os
import re
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from .streams import OPENERS, STANDARD, FileError

_ENDING = re.compile(r"\.[0-9a-f]{16}\.part")
_PATIENCE = 100  # times 10 ms that a run waits for others that start in the same folder
# What folders answer where they cannot be synced.
_CANNOT_SYNC = (errno.EINVAL, errno.EBADF, errno.ENOTSUP)


def check_outputs(outputs: Iterable[str | None], inputs: Iterable[str] = ()) -> None:
    """Raise `FileError` if two outputs, or an output and an input, are one file.

    None and devices do not count, standard output neither. Two names of one file are one file.
    """
    taken = {_identity(path): "input" for path in inputs if path != STANDARD}
    for path in outputs:
        if path is None or path == STANDARD or _is_in_place(path):
            continue
        place = _identity(path)
        if place in taken:
            raise FileError(f"{path}: would be {taken[place]} and output at once")
        taken[place] = "another output"


def _identity(path: str) -> object:
    """The same for all names of a file, which need not exist."""
    with suppress(OSError, ValueError):
        status = os.stat(path)
        if status.st_ino:  # 0 where there are no such numbers
            return status.st_dev, status.st_ino
    return os.path.realpath(path)


def _is_in_place(path: str) -> bool:
    """Whether something is there that no file may take the place of: a device, a pipe."""
    return os.path.exists(path) and not os.path.isfile(path)


@contextmanager
def open_output(path: str, *, keep: bool = False) -> Iterator[BinaryIO]:
    """A file to write, compressed by its ending, or standard output for `-`.

    It gets the name PATH at the end. If the writer is interrupted (Ctrl-C), what was written so far
    stays in the temporary file if `keep` is true, as for a list whose beginning is of use; a note
    of the exception names that file. After any other error, and otherwise, it is removed.
    A device or a pipe is written as it is: nothing may take its place.
    Raises `FileError` if the file cannot be written, or if another run is writing it.
    """
    if path == STANDARD:
        sys.stdout.flush()
        with _whole_writes(sys.stdout.buffer) as stream:
            yield stream
        return
    _check_name(path)
    with (
        _errors_named(path),
        open(path, "wb") if _is_in_place(path) else _replacing(path, keep) as raw,
        _packed(raw, path) as stream,
    ):
        yield stream


def _check_name(path: str) -> None:
    if "\0" in path:
        raise FileError(f"{path}: a name of a file holds no NUL")
    if os.path.isdir(path):
        raise FileError(f"{path}: is a directory, expected a file")


@contextmanager
def _errors_named(path: str) -> Iterator[None]:
    """Turn errors of the file system into a `FileError` that names the output."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise FileError(f"{path or 'empty name'}: {error.strerror or error}") from None


@contextmanager
def _packed(raw: BinaryIO, path: str) -> Iterator[BinaryIO]:
    """A stream that compresses if the name says so."""
    suffix = Path(path).suffix
    stream = OPENERS[suffix](raw, "wb") if suffix in OPENERS else raw
    try:
        yield stream
    finally:
        if stream is not raw:
            stream.close()


@contextmanager
def _whole_writes(stream: BinaryIO) -> Iterator[BinaryIO]:
    """The stream, buffered even where Python is told not to (PYTHONUNBUFFERED): a raw stream may
    write a part of what it gets and say so only in a number that nobody reads.
    """
    if not isinstance(stream, io.RawIOBase):
        yield stream
        stream.flush()
        return
    buffered = io.BufferedWriter(stream)
    try:
        yield buffered
        buffered.flush()
    finally:
        buffered.detach()


# Temporary files ----------------------------------------------------------------------------------


@contextmanager
def _replacing(path: str, keep: bool) -> Iterator[BinaryIO]:
    """A temporary file that lies on the disk before it gets the name PATH."""
    raw = _temporary(path)
    try:
        with raw:
            yield raw
            raw.flush()
            os.fsync(raw.fileno())
        os.replace(raw.name, path)
        sync_folder(path)
    except BaseException as error:
        _clear(raw.name, error if keep else None)
        raise


def _clear(part: str, error: BaseException | None) -> None:
    """Remove a temporary file, unless an interrupt left something in it."""
    if isinstance(error, KeyboardInterrupt) and os.path.exists(part) and os.path.getsize(part):
        error.add_note(f"what was written so far is kept in {part}")
    else:
        Path(part).unlink(missing_ok=True)


def _temporary(path: str) -> BinaryIO:
    """A new file beside PATH, locked; raises `FileError` if another run writes PATH."""
    with _folder_locked(path):
        raw = open(_fresh_name(path), "xb")  # noqa: SIM115  never what is there, nor through a link
        try:
            # Locked first, looked around then: of two runs one at least sees the other.
            if not lock(raw.fileno()) or _written_parts(path, but=raw.name):
                raise FileError(
                    f"{path}: another run is writing this file: wait until it ends, or choose "
                    "another name"
                )
        except BaseException:
            raw.close()
            os.unlink(raw.name)
            raise
    return raw


def _fresh_name(path: str) -> str:
    # As `secrets` makes them, whose import takes longer than a puzzle.
    return f"{path}.{os.urandom(8).hex()}.part"


def leftovers(path: str) -> list[str]:
    """The temporary files of PATH that nobody writes: those of killed runs, and kept ones."""
    with _folder_locked(path):  # or a run that starts now could find its own file locked by us
        written = _written_parts(path)
    return [part for part in _parts(path) if part not in written]


def _parts(path: str) -> list[str]:
    """The temporary files of PATH."""
    folder, name = os.path.split(path)
    with suppress(OSError), os.scandir(folder or ".") as entries:
        found = (entry.name for entry in entries if entry.name.startswith(name))
        ours = (other for other in found if _ENDING.fullmatch(other, len(name)))
        return sorted(os.path.join(folder, other) for other in ours)
    return []  # a folder that we may not read


def _written_parts(path: str, but: str = "") -> list[str]:
    """Those of the temporary files of PATH that another run writes now."""
    return [part for part in _parts(path) if part != but and _is_locked(part)]


def _is_locked(path: str) -> bool:
    try:
        descriptor = os.open(path, os.O_RDONLY | SAFELY)
    except OSError:  # gone, a link, or not ours to read
        return False
    try:
        return not lock(descriptor, shared=True)
    finally:
        os.close(descriptor)


# To open what others may have put there: never through a link, never waiting for a pipe.
SAFELY = sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY"))


def lock(descriptor: int, *, shared: bool = False) -> bool:
    """Whether an open file is ours until it is closed; True also where there are no locks.

    The system frees the lock of a killed run. Nobody waits.
    """
    try:
        import fcntl
    except ImportError:  # Windows
        return True
    try:
        fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # this file system has none
        return True
    return True


@contextmanager
def _folder_locked(path: str) -> Iterator[None]:
    """Of two runs that start at the same moment one shall go on: they look around in turn."""
    try:
        descriptor = os.open(os.path.dirname(path) or ".", os.O_RDONLY | SAFELY)
    except OSError:  # Windows, a folder that we may not read, or none
        yield
        return
    try:
        for _ in range(_PATIENCE):
            if lock(descriptor):
                break
            time.sleep(0.01)
        yield
    finally:
        os.close(descriptor)


# On the disk --------------------------------------------------------------------------------------


def sync_folder(path: str) -> None:
    """Bring the names in the folder of PATH to the disk: what is there, what is gone."""
    try:
        descriptor = os.open(os.path.dirname(path) or ".", os.O_RDONLY)
    except PermissionError:  # Windows, or a folder that we may not read
        return
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in _CANNOT_SYNC:
            raise
    finally:
        os.close(descriptor)


def create_whole(path: str, data: bytes, mode: int = 0o666) -> None:
    """Make a file that holds these bytes from its first moment on, also after a power cut.

    Does nothing if the name is taken. Raises `OSError` if the file cannot be written.
    """
    part = _fresh_name(path)
    try:
        with open(part, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):
            _name_once(part, path)
        sync_folder(path)
    finally:
        Path(part).unlink(missing_ok=True)


def _name_once(part: str, path: str) -> None:
    """Give a file a name that must be free; raises `FileExistsError`."""
    try:
        os.link(part, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without links: there a moment passes between look and name
        if os.path.lexists(path):
            raise FileExistsError(path) from None
        os.rename(part, path)
