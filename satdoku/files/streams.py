"""Files in: names, open files, folders and patterns; compression, standard input, and errors that
name the file.

Invariant: a file is recognised by its first bytes, never by its name. Whoever opened a file closes
it.
"""

from __future__ import annotations

import bz2
import codecs
import glob
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
from typing import IO, Any, BinaryIO, TypeAlias, cast

from ..runtime.errors import SatdokuError
from .columns import find_columns

STANDARD = "-"  # stands for standard input or output
# What is not streamed may be so large once it is unpacked, in bytes: a whole text, whole arrays.
MAX_TEXT = 256 << 20
MAX_WHOLE = 1 << 30
MAX_DICTIONARY = 256 << 20  # of an .xz file; that of `xz -9` has 64 MiB
BLOCK_BYTES = 1 << 20
MAX_LINE_BYTES = 1 << 20


File: TypeAlias = "str | os.PathLike[str] | IO[Any]"  # its name, or the file itself, open
Files: TypeAlias = "File | Iterable[File]"


class FileError(SatdokuError):
    """A file that cannot be read or written."""


class Opened(str):
    """The name of a file that is open, with the file: what takes a name reads or writes the file.

    What is read is what stands behind the place where it was, however often, if it can be wound
    back. A file of text is read and written in UTF-8.
    """

    file: IO[Any]
    start: int | None  # None if it cannot be wound back

    def __new__(cls, file: IO[Any]) -> Opened:
        name = getattr(file, "name", None)
        opened = super().__new__(cls, name if isinstance(name, str) else f"<{type(file).__name__}>")
        if file.closed:
            raise FileError(f"{opened}: is closed, expected an open file")
        opened.file = file
        opened.start = file.tell() if file.seekable() else None
        return opened

    @contextmanager
    def reading(self) -> Iterator[BinaryIO]:
        """Its bytes, from the start."""
        if not self.file.readable():
            raise FileError(f"{self}: is open for writing only")
        if self.start is not None:
            self.file.seek(self.start)
        file: Any = self.file
        if isinstance(file, io.TextIOBase):
            file = getattr(file, "buffer", None) or io.BytesIO(file.read().encode())
        if hasattr(file, "peek"):
            yield file
            return
        stream = io.BufferedReader(file)
        yield stream
        stream.detach()  # or it would close the file

    def writing(self) -> BinaryIO:
        """What takes its bytes."""
        if not self.file.writable():
            raise FileError(f"{self}: is open for reading only")
        self.file.flush()
        if not isinstance(self.file, io.TextIOBase):
            return cast("BinaryIO", self.file)
        return cast("BinaryIO", getattr(self.file, "buffer", None) or _AsText(self.file))


class _AsText(io.RawIOBase):
    """Bytes in UTF-8 for a file in memory that takes text only."""

    def __init__(self, file: IO[str]) -> None:
        self._file, self._decoder = file, codecs.getincrementaldecoder("utf-8")()

    def write(self, data: Any) -> int:
        self._file.write(self._decoder.decode(bytes(data)))
        return len(data)


def named(file: File) -> str:
    """The name of a file; of one that is open, a name that reads and writes that file."""
    if hasattr(file, "read") or hasattr(file, "write"):
        return Opened(cast("IO[Any]", file))
    try:
        name = os.fspath(file)
    except TypeError:
        raise FileError(f"{type(file).__name__} {str(file)[:40]}: expected a file") from None
    return name.decode(errors="surrogateescape") if isinstance(name, bytes) else name


def files_named(files: Files) -> list[str]:
    """The names of files, each given as `named` takes it, or as a folder or a pattern such as
    `*.csv`, which stand for the files in it or of it in the order of their names.

    A folder stands for none of its folders, and for no file whose name begins with a dot; `**` in a
    pattern for folders of any depth. Raises `FileError` for one that stands for no file.
    """
    is_one = isinstance(files, str) or hasattr(files, "read") or not isinstance(files, Iterable)
    given = [files] if is_one else files
    return [name for file in cast("Iterable[File]", given) for name in _each_named(named(file))]


def _each_named(name: str) -> list[str]:
    if isinstance(name, Opened) or name == STANDARD or "\0" in name:
        return [name]
    if arrays_in(name):  # a folder that is one collection
        return [name]
    if os.path.isdir(name):
        with os.scandir(name) as entries:
            found = [e.path for e in entries if e.is_file() and not e.name.startswith(".")]
    elif is_pattern(name):
        found = [path for path in glob.glob(name, recursive=True) if os.path.isfile(path)]
    else:
        return [name]
    if not found:
        is_folder = os.path.isdir(name)
        raise FileError(
            f"{name}: holds no file{_instead(name)}" if is_folder else f"{name}: no such file"
        )
    return sorted(found)


def _instead(folder: str) -> str:
    """The folders in a folder that are collections, for a message."""
    within = [name for name in sorted(os.listdir(folder)) if arrays_in(os.path.join(folder, name))]
    return f", but there is {', '.join(within[:5])}" if within else ""


def is_pattern(name: str) -> bool:
    """Whether a name stands for several: it has signs of a pattern, and no file has it."""
    return glob.has_magic(name) and not os.path.exists(name)


_MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"\x1f\x8b", ".gz"),
    (b"\xfd7zXZ\0", ".xz"),
    (b"BZh", ".bz2"),
    (b"\x28\xb5\x2f\xfd", ".zst"),
)
_BYTE_ORDER_MARKS: tuple[tuple[bytes, str], ...] = (
    (codecs.BOM_UTF32_LE, "utf-32"),  # which begins as UTF-16's does
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
OPENERS: dict[str, Callable[[Any, Any], Any]] = {
    ".gz": lambda raw, mode: gzip.GzipFile(filename="", fileobj=raw, mode=mode, mtime=0),
    ".xz": lambda raw, mode: _open_xz(raw, mode),
    ".bz2": bz2.BZ2File,
    ".zst": lambda raw, mode: _open_zst(raw, mode),
}
COMPRESSED = tuple(OPENERS)  # endings of names
MEMBERS = (".gz",)  # of these, files that are made piece by piece: `member`
MEMBER_LEVEL = (
    4  # of compression: of traces it takes a tenth of the time of 9, and a fifth more room
)
_ZSTD_MODULES = ("compression.zstd", "backports.zstd")


def member(data: bytes) -> bytes:
    """Some data as a part of a .gz file, which may have many, one behind the other."""
    return gzip.compress(data, MEMBER_LEVEL, mtime=0)


class _XzReader(io.RawIOBase):
    """What one .xz stream after the other holds, as `lzma.LZMAFile` reads them, but in bounded
    memory: a stream may ask for a dictionary of 4 GiB."""

    def __init__(self, raw: Any) -> None:
        self._raw, self._decoder = raw, lzma.LZMADecompressor(memlimit=MAX_DICTIONARY)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = b""
        while not data:
            ended, packed = self._decoder.eof, self._decoder.unused_data
            if (ended or self._decoder.needs_input) and not packed:
                packed = self._raw.read(BLOCK_BYTES)
                if not packed and ended:
                    return 0
                if not packed:
                    raise EOFError("the file ends before its data does")
            decoder = lzma.LZMADecompressor(memlimit=MAX_DICTIONARY) if ended else self._decoder
            try:
                data = decoder.decompress(packed, len(buffer))
            except lzma.LZMAError:
                if ended:  # what stands behind the last stream is none
                    return 0
                raise
            self._decoder = decoder
        buffer[: len(data)] = data
        return len(data)


def _open_xz(raw: Any, mode: str) -> Any:
    return io.BufferedReader(_XzReader(raw)) if mode == "rb" else lzma.LZMAFile(raw, "wb")


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


class Source:
    """An input that has been opened, decompressed, and read as far as its first block.

    Whatever reads puzzles or text takes one in place of a path: a file is opened once, also where
    its beginning tells what is done with it. Text in UTF-16 becomes UTF-8.
    """

    def __init__(self, path: str, stream: BinaryIO) -> None:
        self.path = path
        self._stream = stream
        self.head = read_block(stream, BLOCK_BYTES, path)

    @property
    def is_dimacs(self) -> bool:
        """Whether it is a CNF."""
        return is_dimacs(self.text_head)

    @property
    def text_head(self) -> bytes:
        """The first block, as `text_blocks` gives it."""
        return next(_as_utf8([self.head], self.head))

    def blocks(self) -> Iterator[bytes]:
        """All its bytes, once."""
        yield self.head
        while block := read_block(self._stream, BLOCK_BYTES, self.path):
            yield block

    def text_blocks(self) -> Iterator[bytes]:
        """All its bytes as UTF-8 without a byte order mark, once."""
        return _as_utf8(self.blocks(), self.head)

    def text(self) -> str:
        """All of it as text; bytes that are no UTF-8 come out as replacement characters.

        Raises `FileError` where there is more than `MAX_TEXT`: a small compressed file may hold
        much.
        """
        parts, size = [], 0
        for block in self.text_blocks():
            parts.append(block)
            size += len(block)
            if size > MAX_TEXT:
                raise FileError(f"{self.path}: more than {MAX_TEXT >> 20} MiB of text")
        return b"".join(parts).decode("utf-8", errors="replace")

    def rewound(self) -> BinaryIO:
        """Its bytes from the beginning, in memory where the stream cannot be wound back."""
        if isinstance(self._stream, io.BufferedReader) and self._stream.seekable():
            self._stream.seek(0)
            return self._stream
        whole = io.BytesIO()
        for block in self.blocks():
            whole.write(block)
            if whole.tell() > MAX_WHOLE:
                limit = f"more than {MAX_WHOLE >> 20} MiB that can only be read whole"
                raise FileError(f"{self.path}: {limit}")
        whole.seek(0)
        return whole


class Folder(Source):
    """A folder that is one collection: it holds arrays, a file each."""

    def __init__(self, path: str) -> None:
        self.path, self.head = path, b""


def arrays_in(folder: str) -> list[str]:
    """The files of arrays of a folder that is one collection, in the order of their names.

    It is if one of them has a name for puzzles, and nothing but JSON stands beside them.
    """
    if not os.path.isdir(folder):
        return []
    try:
        names = sorted(os.listdir(folder))
    except OSError as error:
        raise FileError(f"{folder}: {error.strerror or error}") from None
    arrays = [name for name in names if name.endswith(".npy")]
    is_alone = all(name.endswith((".npy", ".json")) or name.startswith(".") for name in names)
    is_one = is_alone and "puzzle" in find_columns(map(array_name, arrays))
    return arrays if is_one else []


def array_name(file: str) -> str:
    """The name of the array in a file: `inputs` of `all__inputs.npy`."""
    return file.removesuffix(".npy").rpartition("__")[2]


@contextmanager
def open_source(
    path: File | Source, on_open: Callable[[BinaryIO], None] | None = None
) -> Iterator[Source]:
    """The input of that name; one that is open already stays so for whoever opened it.

    `on_open` gets the file as it lies on disk: its position tells how much of it was read.
    """
    if isinstance(path, Source):
        yield path
        return
    name = named(path)
    if not isinstance(name, Opened) and arrays_in(name):
        yield Folder(name)
        return
    with open_input(name, on_open) as stream:
        yield Source(str(name), stream)


def _as_utf8(blocks: Iterable[bytes], head: bytes) -> Iterator[bytes]:
    """Text in UTF-8, or in UTF-16 or UTF-32 as its beginning tells, as UTF-8 without its mark."""
    coding = _coding(head)
    if coding is None:
        blocks = iter(blocks)
        yield next(blocks, b"").removeprefix(codecs.BOM_UTF8)
        yield from blocks
        return
    decoder = codecs.getincrementaldecoder(coding)(errors="replace")
    for block in blocks:
        yield decoder.decode(block).encode()
    yield decoder.decode(b"", final=True).encode()


def _coding(head: bytes) -> str | None:
    """UTF-16 or UTF-32 by their byte order mark, UTF-16 also by the NULs in plain text."""
    for mark, coding in _BYTE_ORDER_MARKS:
        if head.startswith(mark):
            return coding
    even, odd = head[:64:2], head[1:64:2]
    if len(odd) < 8 or any(even) == any(odd) or not (all(even) or all(odd)):
        return None
    return "utf-16-le" if all(even) else "utf-16-be"


@contextmanager
def open_input(path: File, on_open: Callable[[BinaryIO], None] | None = None) -> Iterator[BinaryIO]:
    """The plain bytes of a file, or of standard input for `-`, decompressed by content.

    `on_open` gets the file as it lies on disk: its position tells how much of it was read.
    """
    path = named(path)
    if isinstance(path, Opened):
        with path.reading() as raw:
            yield _decompressed(raw)
        return
    if path == STANDARD:
        yield _decompressed(sys.stdin.buffer)
        return
    with _open(path, "rb") as raw:
        if on_open:
            on_open(raw)
        with _decompressed(raw) as stream:
            yield stream


def peeked(size: int) -> bytes:
    """The first bytes of standard input, which stay there; not decompressed."""
    return cast("io.BufferedReader", sys.stdin.buffer).peek(size)[:size]


def check_inputs(paths: Iterable[str]) -> None:
    """Raise `FileError` for the first of the files that could not be read: now, not after an hour.

    A file is opened, and closed again; of standard input, a pipe or a device nothing is taken.
    """
    for path in paths:
        if isinstance(path, Opened):
            continue
        if os.path.isfile(path):
            with open_input(path):
                pass
        elif (
            path != STANDARD
            and not arrays_in(path)
            and not (_is_stream(path) and os.access(path, os.R_OK))
        ):
            _open(path, "rb").close()  # which says why not


def is_dimacs(head: bytes) -> bool:
    """Whether a text that begins so is a CNF: comments, as far as they go, then `p cnf`;
    or an incremental one, which nothing reads, but no puzzle either."""
    return bool(_DIMACS.match(head.lstrip()))


# Each line can be taken in one way only: else a text of many comments would take for ever.
_DIMACS = re.compile(rb"(?:c(?:[ \t\r][^\n]*)?\n\s*)*(?:p[ \t]+(?:inc)?cnf\b|c[ \t][^\n]*\Z)")


def _is_stream(path: str) -> bool:
    """Whether a path is there and is neither file nor folder: opening it might block, or take."""
    return os.path.exists(path) and not os.path.isdir(path)


def _open(path: str, mode: str) -> BinaryIO:
    """Open the file; errors name it."""
    if os.path.isdir(path):
        raise FileError(f"{path}: is a directory, expected a file{_instead(path)}")
    try:
        return cast("BinaryIO", open(path, mode))
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise FileError(
            f"{path or 'empty name'}: {getattr(error, 'strerror', None) or error}"
        ) from None


def _decompressed(raw: BinaryIO) -> BinaryIO:
    start = cast("io.BufferedReader", raw).peek(8)
    for magic, suffix in _MAGIC:
        if start.startswith(magic):
            return cast("BinaryIO", OPENERS[suffix](raw, "rb"))
    return raw


def read_block(stream: BinaryIO, size: int, path: str) -> bytes:
    """Up to `size` bytes, empty at the end; a broken compressed file raises `FileError`."""
    return _read(stream.read, size, path)


def read_line(stream: BinaryIO, size: int, path: str) -> bytes:
    """The next line, at most `size` bytes of it, empty at the end; errors as `read_block`."""
    return _read(stream.readline, size, path)


def _read(take: Callable[[int], bytes], size: int, path: str) -> bytes:
    try:
        return take(size)
    except _broken_errors() as error:
        raise FileError(f"{path}: broken file: {error}") from None


def read_text(path: File | Source) -> str:
    """A whole text file, as `Source.text` gives it."""
    with open_source(path) as source:
        return source.text()
