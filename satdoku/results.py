"""Results of a batch as files: lines, CSV, JSON lines, Parquet, numpy archives.

Law: one row a puzzle, in order, whatever its status; a row that is invalid says why. Columns are
laid out for whole chunks at once, so that writing costs less than solving.

The functions here that take `options`, those of the results, need them to tell which givens clash.
"""

from __future__ import annotations

import csv
import io
import json
import re
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from .batch import BatchOptions, BatchResult, describe_clash
from .collection import Chunk
from .collection.arrow import pyarrow
from .errors import SatdokuError, Status
from .files import COMPRESSED, STANDARD, FileError, open_output
from .grid import LINE_BYTES

Write = Callable[[Chunk, BatchResult], None]
Texts = list[str]
Reasons = dict[int, str]  # by row of the chunk

DEFAULT_COLUMNS = ("line", "puzzle", "status", "solution", "reason")
_NUMBERS = ("line", "givens", "nodes", "microseconds")
# What an .npz file holds: these as arrays, statuses as codes, grids as digits.
_ARRAYS = ("line", "puzzle", "status", "solution", "givens", "nodes", "microseconds")


class ResultsError(SatdokuError):
    """A format or a column that results cannot have."""


# Lines -------------------------------------------------------------------------------------------


def format_lines(chunk: Chunk, result: BatchResult, options: BatchOptions) -> bytes:
    """`STATUS SOLUTION`, or `STATUS` alone, or `invalid REASON`."""
    symbols = _symbols(result.solutions)
    kinds = 2 * result.statuses + (result.solutions[:, 0] > 0)  # is there a solution to print?
    present = np.flatnonzero(np.bincount(kinds, minlength=1)).tolist()
    reasons = _reasons(chunk, result, options)
    if len(present) == 1 and not reasons:
        return _alike(present[0], symbols).tobytes()
    rows = np.zeros((len(symbols), _WIDEST + symbols.shape[1] + 2), dtype=np.uint8)
    for kind in present:
        here = kinds == kind
        block = _alike(kind, symbols[here])
        rows[here, : block.shape[1] - 1] = block[:, :-1]
    # A bytes array leaves out the zeros behind each row's end.
    lines = rows.view(f"S{rows.shape[1]}").ravel().tolist()
    for index, reason in reasons.items():
        lines[index] = _bytes(f"{Status.INVALID} {reason}")
    return b"\n".join([*lines, b""])


def _alike(kind: int, symbols: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Lines of one status, all with a solution or all without, as rows of a byte table."""
    status, solved = divmod(kind, 2)
    head = f"{Status(status)}{' ' * solved}".encode()
    width = len(head) + solved * symbols.shape[1] + 1
    rows = np.empty((len(symbols), width), dtype=np.uint8)
    rows[:, : len(head)] = np.frombuffer(head, dtype=np.uint8)
    if solved:
        rows[:, len(head) : -1] = symbols
    rows[:, -1] = ord("\n")
    return rows


def _symbols(solutions: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The characters of the digits; rows without a solution mean nothing."""
    if solutions.shape[1] <= 81:
        digits: NDArray[np.uint8] = solutions + np.uint8(ord("0"))
        return digits
    text = solutions.tobytes().translate(LINE_BYTES)
    return np.frombuffer(text, dtype=np.uint8).reshape(solutions.shape)


def _reasons(chunk: Chunk, result: BatchResult, options: BatchOptions) -> Reasons:
    """Why rows are invalid, on one line each: what could not be read, or two givens that clash."""
    # In an error there may be any file name.
    reasons = {row: _CONTROL.sub(" ", str(error)) for row, error in chunk.errors.items()}
    for row in np.flatnonzero(result.statuses == Status.INVALID).tolist():
        if row not in reasons and (clash := describe_clash(chunk, row, options)):
            reasons[row] = clash
    return reasons


_CONTROL = re.compile("[\0-\x1f\x7f]+")
_WIDEST = max(len(str(status)) for status in Status)


# Columns -----------------------------------------------------------------------------------------


def _grids(cells: NDArray[Any], there: NDArray[np.bool_]) -> Texts:
    """One line of text a row, empty where there is none; pencil marks with a digit a candidate."""
    if cells.dtype == np.bool_:
        size = round(cells.shape[1] ** (1 / 3))
        cells = cells * np.tile(np.arange(1, size + 1, dtype=np.uint8), size * size)
    width = cells.shape[1]
    text = np.ascontiguousarray(cells, dtype=np.uint8).tobytes().translate(LINE_BYTES).decode()
    lines = [text[start : start + width] for start in range(0, len(text), width)]
    for row in np.flatnonzero(~there).tolist():
        lines[row] = ""
    return lines


def _readable(chunk: Chunk) -> NDArray[np.bool_]:
    there = np.ones(len(chunk.lines), dtype=np.bool_)
    there[list(chunk.errors)] = False
    return there


def count_givens(chunk: Chunk) -> NDArray[np.int64]:
    """Number of givens of each puzzle; of pencil marks, of cells with a single one."""
    fixed = chunk.puzzles > 0
    if chunk.puzzles.dtype == np.bool_:
        size = round(chunk.puzzles.shape[1] ** (1 / 3))
        fixed = chunk.puzzles.reshape(len(fixed), -1, size).sum(axis=2) == 1
    counts: NDArray[np.int64] = np.count_nonzero(fixed, axis=1)
    return counts


def _statuses(result: BatchResult) -> Texts:
    names = [str(status) for status in Status]
    return [names[code] for code in result.statuses.tolist()]


def _reason_texts(chunk: Chunk, result: BatchResult, options: BatchOptions) -> Texts:
    texts = [""] * len(chunk.lines)
    for row, reason in _reasons(chunk, result, options).items():
        texts[row] = reason
    return texts


_COLUMNS: dict[str, Callable[[Chunk, BatchResult, BatchOptions], Sequence[Any]]] = {
    "file": lambda chunk, *_: [chunk.source] * len(chunk.lines),
    "line": lambda chunk, *_: chunk.lines.tolist(),
    "id": lambda chunk, *_: chunk.ids if chunk.ids is not None else [""] * len(chunk.lines),
    "puzzle": lambda chunk, *_: _grids(chunk.puzzles, _readable(chunk)),
    "rules": lambda chunk, *_: chunk.rules if chunk.rules is not None else [""] * len(chunk.lines),
    "status": lambda _, result, __: _statuses(result),
    "solution": lambda _, result, __: _grids(result.solutions, result.solutions[:, 0] > 0),
    "reason": _reason_texts,
    "givens": lambda chunk, *_: count_givens(chunk).tolist(),
    "nodes": lambda _, result, __: result.nodes.tolist(),
    "microseconds": lambda _, result, __: result.microseconds.round(3).tolist(),
}
COLUMNS = tuple(_COLUMNS)


def usual_columns(chunk: Chunk, files: int = 1) -> tuple[str, ...]:
    """The columns for results of such chunks: those of the input that tell rows apart, too."""
    names = list(DEFAULT_COLUMNS)
    if chunk.rules is not None:
        names.insert(names.index("puzzle") + 1, "rules")
    if chunk.ids is not None:
        names.insert(names.index("puzzle"), "id")
    return ("file", *names) if files > 1 else tuple(names)


def _values(
    names: Sequence[str], chunk: Chunk, result: BatchResult, options: BatchOptions
) -> list[Sequence[Any]]:
    return [_COLUMNS[name](chunk, result, options) for name in names]


def format_csv(
    chunk: Chunk, result: BatchResult, names: Sequence[str], options: BatchOptions
) -> bytes:
    """Rows of these columns."""
    buffer = io.StringIO()
    rows = zip(*_values(names, chunk, result, options), strict=True)
    csv.writer(buffer, lineterminator="\n").writerows(rows)
    return _bytes(buffer.getvalue())


def format_jsonl(
    chunk: Chunk, result: BatchResult, names: Sequence[str], options: BatchOptions
) -> bytes:
    """One JSON object a line; solution, reason, id and rules only where there are such."""
    rows = zip(*_values(names, chunk, result, options), strict=True)
    dumps = json.JSONEncoder().encode
    always = ("puzzle", *_NUMBERS)
    kept = (
        {name: v for name, v in zip(names, row, strict=True) if v != "" or name in always}
        for row in rows
    )
    return "".join(f"{dumps(row)}\n" for row in kept).encode()


def _bytes(text: str) -> bytes:
    """UTF-8; a file name in an error that is none comes out as the bytes it had."""
    return text.encode("utf-8", errors="surrogateescape")


# Files -------------------------------------------------------------------------------------------


@contextmanager
def open_results(
    path: str, form: str, columns: Sequence[str], options: BatchOptions
) -> Iterator[Write]:
    """A function that writes chunks with their results to a file, in one of `FORMATS`.

    The file appears whole under its name, at the end. Raises `ResultsError` for columns that the
    format cannot hold.
    """
    if form not in FORMATS:
        raise ResultsError(f"no format '{form}': known are {', '.join(FORMATS)}")
    known = _ARRAYS if form == "npz" else COLUMNS
    if wrong := [name for name in columns if name not in known]:
        raise ResultsError(f"no column '{wrong[0]}' in {form}: known are {', '.join(known)}")
    if twice := [name for name in columns if columns.count(name) > 1]:
        raise ResultsError(f"column '{twice[0]}' twice")
    if form == "npz" and Path(path).suffix in COMPRESSED:
        raise ResultsError(f"{path}: npz is compressed already")
    if form in ("parquet", "npz") and path == STANDARD:
        raise FileError(f"{form} goes to a file: give one with -o")
    with open_output(path) as out, FORMATS[form](out, path, columns, options) as write:
        yield write


@contextmanager
def _line_writer(
    out: IO[bytes], path: str, columns: Sequence[str], options: BatchOptions
) -> Iterator[Write]:
    yield lambda chunk, result: _write(out, format_lines(chunk, result, options))


@contextmanager
def _csv_writer(
    out: IO[bytes], path: str, columns: Sequence[str], options: BatchOptions
) -> Iterator[Write]:
    out.write(f"{','.join(columns)}\n".encode())
    yield lambda chunk, result: _write(out, format_csv(chunk, result, columns, options))


@contextmanager
def _jsonl_writer(
    out: IO[bytes], path: str, columns: Sequence[str], options: BatchOptions
) -> Iterator[Write]:
    yield lambda chunk, result: _write(out, format_jsonl(chunk, result, columns, options))


def _write(out: IO[bytes], data: bytes) -> None:
    out.write(data)


@contextmanager
def _parquet_writer(
    out: IO[bytes], path: str, columns: Sequence[str], options: BatchOptions
) -> Iterator[Write]:
    """Row groups of a chunk each; numbers as integers or floats, all else as strings."""
    arrow = pyarrow()
    kinds = {"line": arrow.int64(), "givens": arrow.int32(), "nodes": arrow.int64()}
    kinds["microseconds"] = arrow.float32()
    schema = arrow.schema([(name, kinds.get(name, arrow.string())) for name in columns])
    with arrow.parquet.ParquetWriter(out, schema, compression="zstd") as writer:

        def write(chunk: Chunk, result: BatchResult) -> None:
            values = [_storable(column) for column in _values(columns, chunk, result, options)]
            writer.write_table(arrow.table(dict(zip(columns, values, strict=True)), schema))

        yield write


def _storable(column: Sequence[Any]) -> list[Any]:
    """The column, its texts such that UTF-8 can hold them: file names need not be."""
    if not column or not isinstance(column[0], str) or all(map(str.isascii, column)):
        return list(column)
    return [text.encode("utf-8", errors="backslashreplace").decode() for text in column]


@contextmanager
def _npz_writer(
    out: IO[bytes], path: str, columns: Sequence[str], options: BatchOptions
) -> Iterator[Write]:
    """Arrays grow in temporary files beside the output, for a header tells an array's length."""
    folder = Path(path).parent
    with ExitStack() as stack:
        parts = [stack.enter_context(tempfile.TemporaryFile(dir=folder)) for _ in columns]
        shapes: list[NDArray[Any]] = []

        def write(chunk: Chunk, result: BatchResult) -> None:
            arrays = [_array(name, chunk, result) for name in columns]
            if any(_row(a) != _row(b) for a, b in zip(shapes, arrays, strict=False)):
                raise ResultsError("givens and pencil marks do not go into one array: choose csv")
            shapes[:] = [array[:0] for array in arrays]
            for part, array in zip(parts, arrays, strict=True):
                part.write(np.ascontiguousarray(array).tobytes())

        yield write
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            for name, part, empty in zip(columns, parts, shapes, strict=True):
                _store(archive, name, part, empty)


def _row(array: NDArray[Any]) -> tuple[object, ...]:
    """What the rows of an array must have in common."""
    return array.dtype, array.shape[1:]


def _array(name: str, chunk: Chunk, result: BatchResult) -> NDArray[Any]:
    arrays = {
        "line": chunk.lines,
        "puzzle": chunk.puzzles,
        "status": result.statuses,
        "solution": result.solutions,
        "nodes": result.nodes,
        "microseconds": result.microseconds,
    }
    return count_givens(chunk) if name == "givens" else arrays[name]


def _store(archive: zipfile.ZipFile, name: str, part: IO[bytes], empty: NDArray[Any]) -> None:
    """Copy one array into the archive, behind its header."""
    row_bytes = empty.dtype.itemsize * int(np.prod(empty.shape[1:], dtype=np.int64))
    rows = part.tell() // row_bytes
    header = {
        "descr": np.lib.format.dtype_to_descr(empty.dtype),
        "fortran_order": False,
        "shape": (rows, *empty.shape[1:]),
    }
    # A fixed date, so that the same results are the same bytes.
    entry = zipfile.ZipInfo(f"{_PLURALS.get(name, name)}.npy", (1980, 1, 1, 0, 0, 0))
    entry.compress_type = zipfile.ZIP_DEFLATED
    part.seek(0)
    with archive.open(entry, "w", force_zip64=True) as target:
        np.lib.format.write_array_header_2_0(target, header)
        while data := part.read(1 << 20):
            target.write(data)


_PLURALS = {"line": "lines", "puzzle": "puzzles", "status": "statuses", "solution": "solutions"}

FORMATS: dict[str, Callable[[IO[bytes], str, Sequence[str], BatchOptions], Any]] = {
    "line": _line_writer,
    "csv": _csv_writer,
    "jsonl": _jsonl_writer,
    "parquet": _parquet_writer,
    "npz": _npz_writer,
}


def format_for(path: str) -> str:
    """The format that a file's name asks for; lines where it asks for none."""
    suffixes = [suffix.lstrip(".") for suffix in Path(path).suffixes[-2:]]
    return next((suffix for suffix in suffixes if suffix in FORMATS), "line")


def npz_columns(columns: Sequence[str]) -> tuple[str, ...]:
    """Those of the columns that an .npz file can hold."""
    return tuple(name for name in columns if name in _ARRAYS)
