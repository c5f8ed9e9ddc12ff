"""Results as lines.

Invariant: a chunk is formatted as a whole, so that writing takes less time than solving.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...files.collection import Chunk
from ...files.spans import utf8
from ...model.board import Board
from ...model.grid import notation_of
from ...runtime.errors import Status
from ..decide import BatchResult
from ..options import BatchOptions
from .columns import reasons, solution_spans

_WIDEST = max(len(str(status)) for status in Status)


def format_lines(chunk: Chunk, result: BatchResult, options: BatchOptions) -> bytes:
    """`STATUS SOLUTION`, or `STATUS` alone, or `invalid REASON`."""
    solutions = result.solutions[:, : result.board.grid_cells]
    if not notation_of(result.board.digits).line:
        return _in_words(chunk, result, options)
    symbols = _symbols(solutions, result.board)
    kinds = 2 * result.statuses + (result.solutions[:, 0] > 0)  # is there a solution to print?
    present = np.flatnonzero(np.bincount(kinds, minlength=1)).tolist()
    why = reasons(chunk, result, options)
    if len(present) == 1 and not why:
        return _alike(present[0], symbols).tobytes()
    rows = np.zeros((len(symbols), _WIDEST + symbols.shape[1] + 2), dtype=np.uint8)
    for kind in present:
        here = kinds == kind
        block = _alike(kind, symbols[here])
        rows[here, : block.shape[1] - 1] = block[:, :-1]
    # A bytes array leaves out the zeros behind each row's end.
    lines = rows.view(f"S{rows.shape[1]}").ravel().tolist()
    for index, reason in why.items():
        lines[index] = utf8(f"{Status.INVALID} {reason}")
    return b"\n".join([*lines, b""])


def _in_words(chunk: Chunk, result: BatchResult, options: BatchOptions) -> bytes:
    """The same lines where cells are words."""
    texts = solution_spans(result).tolist()
    pairs = zip(map(Status, result.statuses.tolist()), texts, strict=True)
    lines = [f"{status} {text}" if text else str(status) for status, text in pairs]
    for index, reason in reasons(chunk, result, options).items():
        lines[index] = f"{Status.INVALID} {reason}"
    return b"\n".join([*map(utf8, lines), b""])


def _alike(kind: int, symbols: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Lines of one status, all with a solution or all without one, as rows of a byte table."""
    status, solved = divmod(kind, 2)
    head = f"{Status(status)}{' ' * solved}".encode()
    width = len(head) + solved * symbols.shape[1] + 1
    rows = np.empty((len(symbols), width), dtype=np.uint8)
    rows[:, : len(head)] = np.frombuffer(head, dtype=np.uint8)
    if solved:
        rows[:, len(head) : -1] = symbols
    rows[:, -1] = ord("\n")
    return rows


def _symbols(solutions: NDArray[np.uint8], board: Board) -> NDArray[np.uint8]:
    """The characters of the digits; rows without a solution are undefined."""
    if board.digits[0] == 1 and board.digits[-1] == len(board.digits) <= 9:
        digits: NDArray[np.uint8] = solutions + np.uint8(ord("0"))
        return digits
    text = solutions.tobytes().translate(notation_of(board.digits).line)
    return np.frombuffer(text, dtype=np.uint8).reshape(solutions.shape)
