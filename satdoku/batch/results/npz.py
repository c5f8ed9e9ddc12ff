"""Results as a numpy archive.

Invariant: memory stays flat, and equal results give equal bytes. Arrays grow in temporary files
beside the output, because an array's header states its length, and every date is the same.
"""

from __future__ import annotations

import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from ...files.cells import digits_of
from ...files.collection import Chunk
from ..decide import BatchResult
from ..options import BatchOptions
from ..rated import ratings_of_each, scales
from .columns import SCALES, ResultsError, Write, count_givens

# Every cell of a puzzle that could not be read, so that it is not taken for an empty grid; where
# digits are not 1 to n, and cells int8.
UNREADABLE, NO_DIGIT = 255, 127
_PLURALS = {"line": "lines", "puzzle": "puzzles", "status": "statuses", "solution": "solutions"}


@contextmanager
def npz_writer(
    out: IO[bytes], path: str, columns: Sequence[str], options: BatchOptions
) -> Iterator[Write]:
    """The writer of these columns."""
    folder = Path(path).parent
    with ExitStack() as stack:
        parts = [stack.enter_context(tempfile.TemporaryFile(dir=folder)) for _ in columns]
        shapes: list[NDArray[Any]] = []

        def write(chunk: Chunk, result: BatchResult) -> None:
            arrays = [_array(name, chunk, result) for name in columns]
            if any(_row(a) != _row(b) for a, b in zip(shapes, arrays, strict=False)):
                found = "givens and pencil marks, or several boards,"
                raise ResultsError(f"{found} do not go into one array: choose csv")
            shapes[:] = [array[:0] for array in arrays]
            for part, array in zip(parts, arrays, strict=True):
                part.write(np.ascontiguousarray(array).tobytes())

        def finish() -> None:
            with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
                for name, part, empty in zip(columns, parts, shapes, strict=bool(shapes)):
                    _store(archive, name, part, empty)

        try:
            yield write
        except KeyboardInterrupt:  # what was finished is kept
            finish()
            raise
        finish()


def _row(array: NDArray[Any]) -> tuple[object, ...]:
    """What the rows of an array must have in common."""
    return array.dtype, array.shape[1:]


def _array(name: str, chunk: Chunk, result: BatchResult) -> NDArray[Any]:
    puzzles = chunk.puzzles
    if puzzles.dtype == np.uint8:
        puzzles = digits_of(puzzles, chunk.board)
    if name == "puzzle" and chunk.errors and puzzles.dtype != np.bool_:
        puzzles = puzzles.copy()
        puzzles[list(chunk.errors)] = UNREADABLE if puzzles.dtype == np.uint8 else NO_DIGIT
    if name in SCALES:
        scale: NDArray[np.float64] = scales(ratings_of_each(result.ratings))[SCALES.index(name)]
        return scale
    arrays = {
        "line": chunk.lines,
        "puzzle": puzzles,
        "status": result.statuses,
        "solution": digits_of(result.solutions, result.board),
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
