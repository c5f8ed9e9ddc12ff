"""Whether a text holds puzzles beyond 25x25, which are written in numbers.

Invariant: a text of ordinary puzzles is never taken for large ones; no numpy is needed to tell.
"""

from __future__ import annotations

from ..model.board import MAX_SIZE

LARGEST = 256
HEAD = 8192  # bytes of a text that tell
CNF_MARK = b"c satdoku-encoding open\n"  # in the comments of a large puzzle's formula
_DIGITS = b"0123456789 "
_BLANK = bytes.maketrans(b"|+-,\t\r\n.", b"       0")


def plain_numbers(line: bytes) -> bytes:
    """The line with blanks for separators and rulings, and 0 for an empty cell."""
    return line.translate(_BLANK)


def is_plain(line: bytes) -> bool:
    """Whether nothing but numbers and blanks is left of such a line."""
    return not line.translate(None, _DIGITS)


def is_large(head: bytes) -> bool:
    """Whether text that begins so holds large puzzles: whole lines of more than 625 numbers, or
    rows of 26 to 256 numbers, one of them beyond 25 (81 digits may be a puzzle of 9x9)."""
    rows = [line for line in head.split(b"\n") if not line.startswith(b"#")]
    # The last one may go on, so it tells only where it is alone.
    lines = [plain for plain in map(plain_numbers, rows[:-1] or rows) if plain.strip()]
    if not lines or not is_plain(lines[0]):
        return False
    count = len(lines[0].split())
    if count > MAX_SIZE**2:
        return True
    words = (word for line in lines if is_plain(line) for word in line.split())
    return MAX_SIZE < count <= LARGEST and any(len(w) <= 3 and int(w) > MAX_SIZE for w in words)
