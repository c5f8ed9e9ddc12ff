"""Results of a batch as lines of text.

Law: one line a puzzle, in order, whatever its status; whole chunks are laid out as byte tables, so
printing costs less than solving.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from .batch import BatchResult
from .collection import Chunk
from .errors import Status
from .grid import LINE_BYTES

_SYMBOLS = np.frombuffer(LINE_BYTES, dtype=np.uint8)


def format_lines(chunk: Chunk, result: BatchResult) -> bytes:
    """`STATUS SOLUTION`, or `STATUS` alone, or `invalid REASON`."""
    solved = (result.solutions.max(axis=1, initial=0) > 0)[:, None]
    names = _status_column(result)
    space = np.full((len(chunk.lines), 1), ord(" "), dtype=np.uint8)
    end = np.full_like(space, ord("\n"))
    table = np.concatenate((names, space, _SYMBOLS[result.solutions], end), axis=1)
    keep = np.repeat(solved, table.shape[1], axis=1)
    keep[:, : names.shape[1]] = names > 0
    keep[:, -1] = True
    text = table[keep].tobytes()
    return _with_reasons(text, chunk) if chunk.errors else text


def _with_reasons(text: bytes, chunk: Chunk) -> bytes:
    rows = text.split(b"\n")
    for index, error in chunk.errors.items():
        rows[index] = _bytes(f"{Status.INVALID} {error}")
    return b"\n".join(rows)


def format_csv(chunk: Chunk, result: BatchResult) -> bytes:
    """Rows of `CSV_HEADER`: line number, puzzle, status, solution, and the reason if invalid."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    for index, line in enumerate(chunk.lines.tolist()):
        writer.writerow([line, *_texts(chunk, result, index), chunk.errors.get(index, "")])
    return _bytes(buffer.getvalue())


CSV_HEADER = b"line,puzzle,status,solution,reason\n"


def format_jsonl(chunk: Chunk, result: BatchResult) -> bytes:
    """One JSON object a line: line, puzzle, status, and solution or reason where there is one."""
    rows = []
    for index, line in enumerate(chunk.lines.tolist()):
        puzzle, status, solution = _texts(chunk, result, index)
        row = {"line": line, "puzzle": puzzle, "status": status}
        if solution:
            row["solution"] = solution
        if index in chunk.errors:
            row["reason"] = str(chunk.errors[index])
        rows.append(json.dumps(row))
    return "".join(f"{row}\n" for row in rows).encode()


Formatter = Callable[[Chunk, BatchResult], bytes]
FORMATTERS: dict[str, tuple[bytes, Formatter]] = {
    "line": (b"", format_lines),
    "csv": (CSV_HEADER, format_csv),
    "jsonl": (b"", format_jsonl),
}


def _texts(chunk: Chunk, result: BatchResult, index: int) -> tuple[str, str, str]:
    """Puzzle, status and solution of one row; empty where there is none."""
    puzzle = "" if index in chunk.errors else _line(chunk.puzzles[index])
    solution = _line(result.solutions[index]) if result.solutions[index].any() else ""
    return puzzle, str(Status(result.statuses[index])), solution


def _bytes(text: str) -> bytes:
    """UTF-8; a file name in an error that is none comes out as the bytes it had."""
    return text.encode("utf-8", errors="surrogateescape")


def _line(cells: NDArray[np.uint8]) -> str:
    return cells.tobytes().translate(LINE_BYTES).decode("ascii")


def _status_column(result: BatchResult) -> NDArray[np.uint8]:
    """(N, width) uint8: the status names, 0 behind the shorter ones."""
    names = [str(status).encode() for status in Status]
    width = max(map(len, names))
    table = np.frombuffer(b"".join(name.ljust(width, b"\0") for name in names), dtype=np.uint8)
    return table.reshape(-1, width)[result.statuses]
