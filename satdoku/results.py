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


def format_lines(chunk: Chunk, result: BatchResult) -> bytes:
    """`STATUS SOLUTION`, or `STATUS` alone, or `invalid REASON`."""
    symbols = _symbols(result.solutions)
    kinds = 2 * result.statuses + (result.solutions[:, 0] > 0)  # is there a solution to print?
    present = np.flatnonzero(np.bincount(kinds, minlength=1)).tolist()
    if len(present) == 1 and not chunk.errors:
        return _alike(present[0], symbols).tobytes()
    rows = np.zeros((len(symbols), _WIDEST + symbols.shape[1] + 2), dtype=np.uint8)
    for kind in present:
        here = kinds == kind
        block = _alike(kind, symbols[here])
        rows[here, : block.shape[1] - 1] = block[:, :-1]
    # A bytes array leaves out the zeros behind each row's end.
    lines = rows.view(f"S{rows.shape[1]}").ravel().tolist()
    for index, error in chunk.errors.items():
        lines[index] = _bytes(f"{Status.INVALID} {error}")
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


_WIDEST = max(len(str(status)) for status in Status)


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
    solution = _line(result.solutions[index]) if result.solutions[index, 0] else ""
    return puzzle, str(Status(result.statuses[index])), solution


def _bytes(text: str) -> bytes:
    """UTF-8; a file name in an error that is none comes out as the bytes it had."""
    return text.encode("utf-8", errors="surrogateescape")


def _line(cells: NDArray[np.uint8]) -> str:
    return cells.tobytes().translate(LINE_BYTES).decode("ascii")
