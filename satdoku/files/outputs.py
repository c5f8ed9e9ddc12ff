"""Files out: a written file appears under its name whole or not at all, in the form of its ending.

Invariant: only the file that OUT names is replaced, and only by a complete one. Its form is the one
asked for, else the one that its ending names (`form_of`); an ending that names none is an error.

The bytes go to a new file beside OUT, `OUT.<16 hexadecimal digits>.part`. It is created exclusively
and locked while it is written. It takes the name OUT when it lies on the disk. If OUT is a link,
the link is replaced, and the file that it points to stays as it is. A lock ends with its process.
Where the system has no locks (Windows, some network file systems), two runs that write one OUT do
not refuse each other: the last to finish wins, whole.
"""

from __future__ import annotations

import codecs
import errno
import io
import os
import re
import stat
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import IO, Any, BinaryIO, cast

from ..runtime.errors import nearest, shown
from .streams import OPENERS, STANDARD, File, FileError, Opened, named

# The forms of tables, each with its writer in `tables`, which needs numpy.
TABLE_FORMS = {
    "line": "_Lines",
    "csv": "_Csv",
    "tsv": "_Tsv",
    "jsonl": "_JsonLines",
    "parquet": "_Parquet",
}
WITH_COLUMNS = tuple(form for form in TABLE_FORMS if form != "line")
ARRAY_FORMS = {"npy": "_Npy", "npz": "_Npz"}  # the same, of tables of arrays of numbers
# The formats of results, each with its writer in `batch.results`; "" where that of tables does.
RESULT_FORMS = {"line": "_line_writer", **dict.fromkeys((*WITH_COLUMNS, "npz"), "")}
TREES = ".trees"  # what a file of proof trees is called
# The endings of forms that have others than their own name; "" is a name without an ending.
_ENDINGS = {
    "line": ("", "txt", "sdm"),
    "html": ("", "html", "htm"),
    "json": ("", "json"),
    "pdf": ("", "pdf"),
    "traces": ("", "jsonl"),
    "certificate": ("", "jsonl", "json", "cert"),
    "dimacs": ("", "cnf"),
    "smtlib2": ("smt2",),
}
_BINARY = ("parquet", "npz", "npy")
# What is not packed: one is already, one is written from its end, one is read from anywhere.
_UNPACKED = ("npz", "npy", "trees")
_ENDING = re.compile(r"\.[0-9a-f]{16}\.part")
_PATIENCE = 100  # times 10 ms that a run waits for others that start in the same folder
# What folders answer where they cannot be synced.
_CANNOT_SYNC = (errno.EINVAL, errno.EBADF, errno.ENOTSUP)


_kept: frozenset[object] = frozenset()  # the files that `open_output` refuses


class Named(str):
    """A name of a file, or `-`, that says by which option it was typed."""

    option: str

    def __new__(cls, path: str, option: str) -> Named:
        named = super().__new__(cls, path)
        named.option = option
        return named


def _told(path: str) -> str:
    """A name for a message, behind its option; a standard stream has a name of its own."""
    option = getattr(path, "option", "")
    return option if option and path == STANDARD else f"{option} {path}".strip()


def form_of(path: File, forms: Sequence[str], asked: str | None = None) -> str:
    """The form of a file to write: the one asked for, else the one of `forms` whose ending it has.

    A further ending may say how the file is packed. A name without an ending, and `-`, get the form
    that needs none, or for `-` the first one. Raises `FileError` for an ending of no form, and for
    a form that cannot be written there.
    """
    path = named(path)
    ending, packing = endings(path)
    form = asked or next((form for form in forms if ending in _endings_of(form)), None)
    if form is None and path == STANDARD:
        form = forms[0]
    if form is None:
        raise FileError(f"{_told(path)}: {_no_form(ending, forms)}")
    if form in _BINARY and path == STANDARD:
        raise FileError(f"{form} cannot be written to standard output: give a file with -o")
    if form in _UNPACKED and packing:
        raise FileError(f"{_told(path)}: {form} files are not packed: leave out {packing}")
    return form


def endings(path: str) -> tuple[str, str]:
    """The ending of a name that tells the form, and the one behind it that packs (`.gz`); "" where
    there is none."""
    name = os.path.basename(path)
    stem, packing = os.path.splitext(name)
    if packing.lower() not in OPENERS:
        stem, packing = name, ""
    return os.path.splitext(stem)[1].lower().lstrip("."), packing.lower()


def _endings_of(form: str) -> tuple[str, ...]:
    return _ENDINGS.get(form, (form,))


def _no_form(ending: str, forms: Sequence[str]) -> str:
    """What is wrong with an ending, and which ones there are."""
    known = listed_endings(forms)
    hint = len(ending) > 3 and nearest(
        f".{ending}", [f".{each}" for form in forms for each in _endings_of(form)]
    )
    found = f"ending .{ending}" if ending else "no ending"
    return f"{found}: {f'{hint} ' if hint else ''}expected {known}"


def listed_endings(forms: Sequence[str]) -> str:
    """The endings of some forms in words: `.csv, .jsonl or .parquet, also packed (.gz, ...)`."""
    names = [f".{ending}" for form in forms for ending in _endings_of(form) if ending]
    names += ["none"] * any("" in _endings_of(form) for form in forms)
    *most, last = dict.fromkeys(names)
    words = f"{', '.join(most)} or {last}" if most else last
    return words if set(forms) <= {*_UNPACKED, "png", "pdf"} else f"{words}, also packed (.gz, ...)"


def check_outputs(outputs: Iterable[str | None], inputs: Iterable[str] = ()) -> None:
    """Raise `FileError` if two outputs, or an output and an input, are one file.

    None, devices and pipes do not count. Two names of one file are one file, also if one of them is
    `-` and a shell has opened it. An error names the option of each `Named`.
    """
    read = {_identity(path, sys.stdin): path for path in inputs}
    written: dict[object, str] = {}
    for path in outputs:
        if path is None or _is_in_place(path):
            continue
        place = _identity(path, sys.stdout)
        for kind, taken in (("input", read), ("another output", written)):
            other = taken.get(place) if place else None
            twice = taken is written and path == other == STANDARD  # one stream, which is no harm
            if other is not None and not twice:
                same = f": {_told(other)} is the same file" if _told(other) != _told(path) else ""
                raise FileError(f"{_told(path)}: would be {kind} and output at once{same}")
        written[place] = path


@contextmanager
def inputs_kept(inputs: Iterable[str]) -> Iterator[None]:
    """While the block runs, `open_output` refuses to write these files, whatever name it is given:
    names that are made of others (numbered ones) are known only then."""
    global _kept
    before = _kept
    _kept |= {place for path in inputs if (place := _identity(path, sys.stdin))}
    try:
        yield
    finally:
        _kept = before


def check_kept(path: str) -> None:
    """Raise `FileError` if a file is one of those that `inputs_kept` keeps."""
    if not _is_in_place(path) and _identity(path) in _kept:
        raise FileError(f"{path}: would be input and output at once")


def _identity(path: str, standard: Any = None) -> object:
    """The same for all names of a file, which need not exist; `standard` is the stream that `-`
    stands for, None if that is no file."""
    with suppress(OSError, ValueError, AttributeError):
        if path == STANDARD and standard is not None:
            status = os.fstat(standard.fileno())
            return (status.st_dev, status.st_ino) if stat.S_ISREG(status.st_mode) else None
        status = os.stat(path)
        if status.st_ino:  # 0 where there are no such numbers
            return status.st_dev, status.st_ino
    with suppress(ValueError):
        return None if path == STANDARD else os.path.normcase(os.path.realpath(path))
    return None


def _is_in_place(path: str) -> bool:
    """Whether something is there that no file may take the place of: a device, a pipe, a stream
    that is open already."""
    if isinstance(path, Opened):
        return True
    return os.path.exists(path) and (not os.path.isfile(path) or _descriptor(path) is not None)


def _descriptor(path: str) -> int | None:
    """The open file that a name such as /dev/stdout or /dev/fd/1 stands for.

    Where it is a file on disk, nothing else tells: the link that leads to it must stay.
    """
    folder, name = os.path.split(os.path.abspath(path))
    if folder == "/dev" and name in ("stdin", "stdout", "stderr"):
        return ("stdin", "stdout", "stderr").index(name)
    ours = os.path.realpath(folder) in ("/dev/fd", f"/proc/{os.getpid()}/fd")
    return int(name) if ours and name.isdecimal() else None


def check_output(path: str) -> None:
    """Raise `FileError` if a file could not be written: now, not after an hour.

    Nothing is opened. What only the attempt can tell (a full disk) stays for `open_output`.
    """
    if path == STANDARD:
        return
    _check_name(path)
    if _is_in_place(path):
        _check_access(path, path, os.W_OK)
        return
    with _errors_named(path), suppress(FileNotFoundError):
        os.lstat(_fresh_name(path))  # raises for a name that is too long, or below a file
    folder = os.path.dirname(path) or "."
    if not os.path.isdir(folder):
        raise FileError(f"{_told(path)}: No such file or directory")
    _check_access(path, folder, os.W_OK | os.X_OK)


def check_folder(path: str) -> None:
    """Raise `FileError` if no folder of that name is there, or could be made, to write files in."""
    _check_name(path, folder=True)
    place = os.path.abspath(path)
    while not os.path.lexists(place):
        place = os.path.dirname(place)
    if not os.path.isdir(place):
        where = "" if place == os.path.abspath(path) else f"{place} "
        raise FileError(f"{_told(path)}: {where}is no directory, expected one")
    _check_access(path, place, os.W_OK | os.X_OK)


def _check_access(path: str, place: str, mode: int) -> None:
    if not os.access(place, mode):
        raise FileError(f"{_told(path)}: {os.strerror(errno.EACCES)}")


@contextmanager
def open_output(
    path: File, *, keep: bool = False, safe: bool = False, packed: bool = False
) -> Iterator[BinaryIO]:
    """A file to write, compressed by its ending, or standard output for `-`. One that is open gets
    the bytes as they are, and stays open.

    On a terminal, characters that it would act on are escaped, as `shown` does, unless what is
    written is safe: made by us, with colours. A file or a pipe gets the bytes as they are.
    It gets the name PATH at the end. If the writer is interrupted (Ctrl-C), what was written so far
    stays in the temporary file if `keep` is true, as for a list whose beginning is of use; a note
    of the exception names that file. After any other error, and otherwise, it is removed.
    packed: what is written is compressed already, by `streams.member`.
    A device or a pipe is written as it is: nothing may take its place.
    Raises `FileError` if the file cannot be written, or if another run is writing it.
    """
    path = named(path)
    if isinstance(path, Opened):
        yield path.writing()
        path.file.flush()
        return
    if path == STANDARD:
        sys.stdout.flush()
        with _whole_writes(sys.stdout.buffer) as stream:
            if safe or not sys.stdout.isatty():
                yield stream
                return
            terminal = _Terminal(stream)
            yield cast("BinaryIO", terminal)
            terminal.write(b"", last=True)
        return
    _check_name(path)
    check_kept(path)
    with (
        _errors_named(path),
        _in_place(path) if _is_in_place(path) else _replacing(path, keep) as raw,
        nullcontext(raw) if packed else _packed(raw, path) as stream,
    ):
        yield stream


def _in_place(path: str) -> BinaryIO:
    """A device, a pipe, or a stream that is open already, which goes on where it is."""
    descriptor = _descriptor(path)
    if descriptor is None:
        return open(path, "wb")
    sys.stdout.flush()
    return os.fdopen(os.dup(descriptor), "wb")


def _check_name(path: str, *, folder: bool = False) -> None:
    expected = "directory" if folder else "file"
    if not path:
        raise FileError(f"{_told(path)}: empty name, expected a {expected}".lstrip(": "))
    if "\0" in path:
        raise FileError(f"{_told(path)}: a name of a {expected} holds no NUL")
    if not folder and os.path.isdir(path):
        raise FileError(f"{_told(path)}: is a directory, expected a file")


@contextmanager
def _errors_named(path: str) -> Iterator[None]:
    """Turn errors of the file system into a `FileError` that names the output.

    An error that names another file, or standard output, stays as it is.
    """
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        name = path if error.filename is None else str(error.filename)
        ours = name.startswith(path) or name == (os.path.dirname(path) or ".")
        if not ours:
            raise
        raise FileError(f"{_told(path)}: {error.strerror or error}") from None


@contextmanager
def _packed(raw: BinaryIO, path: str) -> Iterator[BinaryIO]:
    """A stream that compresses if the name says so."""
    _, packing = endings(path)
    stream = OPENERS[packing](raw, "wb") if packing else raw
    try:
        yield stream
    finally:
        if stream is not raw:
            stream.close()


class _Terminal:
    """Text for a terminal: only breaks of lines and tabs act on it.

    It is decoded as the terminal does: in Latin-1 the second half of a letter may be a control.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream, self._coding = stream, sys.stdout.encoding or "utf-8"
        self._decoder = codecs.getincrementaldecoder(self._coding)("backslashreplace")

    def write(self, data: Any, *, last: bool = False) -> int:
        """Write some bytes; half a letter at their end waits for the rest, unless they are the
        last."""
        parts = re.split(r"([\n\t])", self._decoder.decode(bytes(data), last))
        safe = "".join(part if part in "\n\t" else shown(part) for part in parts)
        self._stream.write(safe.encode(self._coding, "backslashreplace"))
        return len(data)

    def flush(self) -> None:
        self._stream.flush()


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


def remove_open(path: str, file: IO[bytes]) -> None:
    """Delete a file that is open, and close it, so that it stays gone."""
    try:
        os.unlink(path)  # while it is locked: behind that, it may be another run's
    except PermissionError:  # Windows deletes no open file
        file.close()
        os.unlink(path)
    file.close()
    sync_folder(path)


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


def journal_path(output: str) -> str:
    """The journal of a run that can be resumed; raises `FileError` beside an open file."""
    if isinstance(output, Opened):
        raise FileError(f"{output}: is open, expected the name of a file to resume")
    return f"{output}.journal"
