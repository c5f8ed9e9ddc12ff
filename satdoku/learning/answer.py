"""The grid in an answer as language models write them: between words, rulings and code fences.

Invariant: whatever the text is, the answer is a grid or None. Of several grids the last one counts,
so that to write more of them gains nothing. The time is linear in the text.

If the text has `<answer>` tags, only what the last of them holds is read, and nothing before
`</think>`. In what is left, a grid is one of these:

    as many successive lines as the board has rows, each with as many cells; between and around the
    cells may stand anything of `_BETWEEN`, bold digits (`**5**`) count as digits, and before them
    `Row 1:`, `1.` or other words that end in a colon. Empty lines, rulings and code fences between
    rows are passed over.
    all cells in one line, with or without separators: `[[1, 2, ...], ...]`, or one character a cell
    within a sentence.

A cell is a digit, a letter or a number beyond 9, or one of `. 0 _ * ? %` if it is left empty.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from ..model.board import Board
from ..model.grid import BYTE_VALUES, DRAWN, NO_VALUE, Grid

_BETWEEN = re.compile(rf"[\s,;|+/\\\[\](){{}}<>\"'`&=:#$\-{DRAWN}]+")
_TAGGED = re.compile(r"<answer>(.*?)(?:</answer>|\Z)", re.DOTALL | re.IGNORECASE)
_THOUGHT = re.compile(r"</think>", re.IGNORECASE)
_LINE_END = re.compile(r"\r\n|\r|\n|\\n|\\\\|<br\s*/?>|</tr>", re.IGNORECASE)
_COMMAND = re.compile(
    r"\\(?:begin|end){\w+}(?:{\w*})?|\\[a-z]+|"
    r"</?(?:t[adhr]|table|tbody|pre|code)\b[^<>]*>",
    re.IGNORECASE,
)
_BOLD = re.compile(r"\*\*\s*(\w+)\s*\*\*")
_NUMBERED = re.compile(r"\A[\W_]*(?:(?:row|line|r)\s*)?\d+\s*[.):]\s", re.IGNORECASE)


def find_answer(text: str, board: Board) -> Grid | None:
    """The last grid of a text, None if there is none."""
    tagged: list[str] = _TAGGED.findall(text)
    text = _THOUGHT.split(tagged[-1] if tagged else text)[-1]
    size, found = board.size, b""
    rows: list[bytes] = []
    for line in _LINE_END.split(text):
        plain = _COMMAND.sub(" ", line)
        if not _BETWEEN.sub("", plain):
            continue
        cells = _cells_of(plain, board)
        rows = [*rows[1 - size :], cells] if len(cells) == size else []
        if len(cells) == board.cells or len(rows) == size:
            found = cells if not rows else b"".join(rows)
    return Grid(found, board) if found else None


def _cells_of(line: str, board: Board) -> bytes:
    """The cells of a line that holds a row or a whole grid; none if it holds neither."""
    for reading in _readings(line):
        cells = _values(reading, board)
        if len(cells) in (board.size, board.cells):
            return cells
    whole = _whole(board).findall(line)
    return whole[-1].encode().translate(BYTE_VALUES) if whole else b""


def _readings(line: str) -> Iterator[str]:
    """The line as it is, without bold marks, and without what may stand before its cells."""
    yield line
    plain = _BOLD.sub(r" \1 ", line)
    yield plain
    yield plain.rpartition(":")[2]
    yield _NUMBERED.sub("", plain, count=1)


def _values(text: str, board: Board) -> bytes:
    """The values of all words of a text, nothing if any of them is no cell."""
    words = _BETWEEN.split(text)
    if "-" in text and len(text.strip()) in (board.size, board.cells):
        words = [text.strip().replace("-", ".")]
    values = bytearray()
    for word in words:
        if board.size > 9 and len(word) == 2 and word.isdecimal() and word.isascii():
            values.append(int(word))
        elif word.isascii():
            values += word.encode().translate(BYTE_VALUES)
        else:
            return b""
    return bytes(values) if max(values, default=NO_VALUE) <= board.size else b""


@lru_cache(16)
def _whole(board: Board) -> re.Pattern[str]:
    """A whole grid within a sentence."""
    known = "".join(chr(code) for code in range(128) if BYTE_VALUES[code] <= board.size)
    cell = f"[{re.escape(known)}]"
    return re.compile(rf"(?<![\w.*?%]){cell}{{{board.cells}}}(?![\w*?%]|\.\.)")
