"""Files in and out: compression, standard streams, and errors that name the file.

Invariant: what is read is recognised by its first bytes, what is written by its name's ending; a
file that is written either appears whole under its name or not at all.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import re
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO, cast

from ..errors import SatdokuError

STANDARD = "-"  # stands for standard input or output
# What is not streamed may be so large once it is unpacked, in bytes: a whole text, whole arrays.
MAX_TEXT = 256 << 20
MAX_WHOLE = 1 << 30


class FileError(SatdokuError):
    """A file that cannot be read or written."""


_MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"\x1f\x8b", ".gz"),
    (b"\xfd7zXZ\0", ".xz"),
    (b"BZh", ".bz2"),
    (b"\x28\xb5\x2f\xfd", ".zst"),
)
_OPENERS: dict[str, Callable[[Any, Any], Any]] = {
    ".gz": lambda raw, mode: gzip.GzipFile(filename="", fileobj=raw, mode=mode, mtime=0),
    ".xz": lzma.LZMAFile,
    ".bz2": bz2.BZ2File,
    ".zst": lambda raw, mode: _open_zst(raw, mode),
}
COMPRESSED = tuple(_OPENERS)  # endings of names
_ZSTD_MODULES = ("compression.zstd", "backports.zstd")


def _open_zst(raw: Any, mode: str) -> Any:
    """By the standard library from Python 3.14 on, by its backport before."""
    for name in _ZSTD_MODULES:
        try:
            return import_module(name).ZstdFile(raw, mode)
        except ImportError:
            continue
    raise FileError(".zst files need the extra: pip install 'satdoku[zst]'")


def _broken_errors() -> tuple[type[Exception], ...]:
    """What the decompressors raise on broken data, that of zstd only once it is loaded."""
    loaded = [sys.modules[name].ZstdError for name in _ZSTD_MODULES if sys.modules.get(name)]
    return (EOFError, lzma.LZMAError, zlib.error, OSError, *loaded)


@contextmanager
def open_input(path: str, opened: Callable[[BinaryIO], None] | None = None) -> Iterator[BinaryIO]:
    """The plain bytes of a file, or of standard input for `-`, decompressed by content.

    `opened` gets the file as it lies on disk: its position tells how much of it was read.
    """
    if path == STANDARD:
        yield _decompressed(sys.stdin.buffer)
        return
    with _open(path, "rb") as raw:
        if opened:
            opened(raw)
        with _decompressed(raw) as stream:
            yield stream


def check_inputs(paths: Iterable[str]) -> None:
    """Raise `FileError` for the first of the files that could not be read: now, not after an hour.

    A file is opened, and closed again; of standard input, a pipe or a device nothing is taken.
    """
    for path in paths:
        if os.path.isfile(path):
            with open_input(path):
                pass
        elif path != STANDARD and not (_is_stream(path) and os.access(path, os.R_OK)):
            _open(path, "rb").close()  # which says why not


def is_dimacs(head: bytes) -> bool:
    """Whether a text that begins so is a CNF: comments, as far as they go, then `p cnf`."""
    return bool(_DIMACS.match(head.lstrip()))


# Each line can be taken in one way only: else a text of many comments would take for ever.
_DIMACS = re.compile(rb"(?:c(?:[ \t\r][^\n]*)?\n\s*)*(?:p[ \t]+cnf\b|c[ \t][^\n]*\Z)")


def refuse_dimacs(head: bytes, path: str) -> None:
    """Raise `FileError` where puzzles are wanted and a CNF begins: read on, its numbers would be
    thousands of bad puzzles, and its comments one good one."""
    if is_dimacs(head):
        raise FileError(f"{path}: a CNF, expected puzzles (`satdoku solve` reads CNF)")


def peek(path: str) -> bytes:
    """The first bytes of a file or of standard input, which stay there to be read."""
    if path == STANDARD:
        return cast("io.BufferedReader", sys.stdin.buffer).peek(_PEEKED)
    with open_input(path) as stream:
        return read_block(stream, _PEEKED, path)


_PEEKED = 1 << 16


def check_outputs(outputs: Iterable[str | None], inputs: Iterable[str] = ()) -> None:
    """Raise `FileError` if two outputs, or an output and an input, are one file.

    None and devices do not count, standard output neither.
    """
    taken = {os.path.realpath(path): "input" for path in inputs if path != STANDARD}
    for path in outputs:
        if path is None or path == STANDARD or _is_in_place(path):
            continue
        place = os.path.realpath(path)
        if place in taken:
            raise FileError(f"{path}: would be {taken[place]} and output at once")
        taken[place] = "another output"


def _is_in_place(path: str) -> bool:
    """Whether something is there that no file may take the place of: a device, a pipe."""
    return os.path.exists(path) and not os.path.isfile(path)


def _is_stream(path: str) -> bool:
    """Whether a path is there and is neither file nor folder: opening it might block, or take."""
    return os.path.exists(path) and not os.path.isdir(path)


def _open(path: str, mode: str, *, part: str = "") -> BinaryIO:
    """Open the file, or `part` in its stead; errors name the file."""
    if os.path.isdir(path):
        raise FileError(f"{path}: is a directory, expected a file")
    try:
        return cast("BinaryIO", open(part or path, mode))
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise FileError(
            f"{path or 'empty name'}: {getattr(error, 'strerror', None) or error}"
        ) from None


def _decompressed(raw: BinaryIO) -> BinaryIO:
    start = cast("io.BufferedReader", raw).peek(8)
    for magic, suffix in _MAGIC:
        if start.startswith(magic):
            return cast("BinaryIO", _OPENERS[suffix](raw, "rb"))
    return raw


def read_block(stream: BinaryIO, size: int, path: str) -> bytes:
    """Up to `size` bytes, empty at the end; a broken compressed file raises `FileError`."""
    try:
        return stream.read(size)
    except _broken_errors() as error:
        raise FileError(f"{path}: broken file: {error}") from None


def read_line(stream: BinaryIO, size: int, path: str) -> bytes:
    """The next line, at most `size` bytes of it, empty at the end; errors as `read_block`."""
    try:
        return stream.readline(size)
    except _broken_errors() as error:
        raise FileError(f"{path}: broken file: {error}") from None


def read_text(path: str) -> str:
    """A whole text file; bytes that are no UTF-8 come out as replacement characters.

    Raises `FileError` where there is more than `MAX_TEXT`: a small compressed file may hold much.
    """
    with open_input(path) as stream:
        data = read_block(stream, MAX_TEXT + 1, path)
    if len(data) > MAX_TEXT:
        raise FileError(f"{path}: more than {MAX_TEXT >> 20} MiB of text")
    return data.decode("utf-8", errors="replace")


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


def _size_of(path: str) -> int:
    return os.path.getsize(path) if os.path.exists(path) else 0


@contextmanager
def open_output(path: str) -> Iterator[BinaryIO]:
    """A file to write, compressed by its ending, or standard output for `-`.

    The bytes go to PATH.part, which takes the name PATH at the end. If the writer is interrupted
    (Ctrl-C) what was written so far stays in PATH.part, if anything was; after any other error it
    is removed.
    A device or a pipe is written as it is: nothing may take its place.
    """
    if path == STANDARD:
        sys.stdout.flush()
        with _whole_writes(sys.stdout.buffer) as stream:
            yield stream
        return
    in_place = _is_in_place(path)
    part = path if in_place else f"{path}.part"
    suffix = Path(path).suffix
    raw = _open(path, "wb", part=part)
    try:
        with raw:
            stream = _OPENERS[suffix](raw, "wb") if suffix in _OPENERS else raw
            try:
                yield stream
            finally:
                if stream is not raw:
                    stream.close()
        if not in_place:
            os.replace(part, path)
    except BaseException as error:
        if not in_place and (isinstance(error, Exception) or not _size_of(part)):
            Path(part).unlink(missing_ok=True)
        if isinstance(error, OSError) and not isinstance(error, BrokenPipeError):
            raise FileError(f"{path}: {error.strerror or error}") from None
        raise
