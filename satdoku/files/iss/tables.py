"""Texts in base 64: tables of the pairs of digits that go together, patterns, bits.

Invariant: a table states exactly the pairs whose bits are set, each pair of cells as a `regex` clue
of its own, whose pattern lists them.

A table has a bit for each digit of the first cell and each of the second, row by row, six bits a
character in base 64, the lowest first (js/solver/lookup_tables.js).
"""

from __future__ import annotations

from base64 import b64decode, urlsafe_b64encode
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from urllib.parse import unquote

from ...model.board import Board, Cells
from ...model.clue import Clue, ClueError
from ...model.kinds.patterns import one_of
from .names import cell_names, groups

_CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
_SWAPPED = str.maketrans("-_", "_-")  # as Binary and BinaryX have it

Digits = frozenset[int]


def read_pairs(
    args: tuple[str, ...], board: Board, *, every: bool, old: bool
) -> Iterator[tuple[tuple[Cells, ...], str]]:
    """The pairs of cells, and the pattern of what they may hold.

    every: whether any two cells of a group are related, or successive ones only; old: whether the
    table has its last two characters swapped.
    """
    allowed = _allowed(args[0].translate(_SWAPPED) if old else args[0], board.digits)
    both = {(second, first) for first, second in allowed}
    if every and allowed != both:
        raise ClueError("its table tells first from second, which any two cells have not")
    value = pattern_of(allowed, board.digits)
    for cells in groups(args[1:], board):
        for pair in combinations(cells, 2) if every else pairwise(cells):
            yield ((pair,), value)


def bytes_of(text: str, what: str, most: int = 0xFF) -> bytes:
    """The bytes that a text in base 64 stands for, none of them beyond `most`."""
    try:
        data = b64decode(text + "=" * (-len(text) % 4), b"-_", validate=True)
    except ValueError:
        data = None
    if data is None or max(data, default=0) > most:
        raise ClueError(f"{text[:20]!a}: expected {what} in base 64")
    return data


def text_of(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


def read_pattern(args: tuple[str, ...], board: Board) -> Iterator[tuple[tuple[Cells, ...], str]]:
    text = args[0] if "%" in args[0] else bytes_of(args[0], "a pattern", 0x7F).decode()
    yield from (((cells,), unquote(text)) for cells in groups(args[1:], board))


def write_pattern(clue: Clue, board: Board) -> list[tuple[str, ...]]:
    return [(text_of(clue.value.encode()), *cell_names(clue.cells, board))]


def _allowed(key: str, digits: Sequence[int]) -> set[tuple[int, int]]:
    """The pairs of digits whose bits are set."""
    bits, size = bits_of(key), len(digits)
    if any(bits[size * size :]):
        raise ClueError(f"its table is longer than {size} times {size} bits")
    pairs = ((first, second) for first in digits for second in digits)
    return {pair for pair, bit in zip(pairs, bits, strict=False) if bit}


def bits_of(key: str) -> list[int]:
    """Bits in base 64, six a character, the lowest first."""
    if strange := [character for character in key if character not in _CHARACTERS]:
        raise ClueError(f"{strange[0]!a} in its table: expected base 64")
    return [_CHARACTERS.index(character) >> i & 1 for character in key for i in range(6)]


def pattern_of(allowed: set[tuple[int, int]], digits: Sequence[int]) -> str:
    """A pattern of the pairs; first digits with the same second ones stand together."""
    seconds = {a: frozenset(b for x, b in allowed if x == a) for a, _ in sorted(allowed)}
    if not seconds:
        raise ClueError("its table allows no pair of digits")
    return "|".join(
        one_of(frozenset(_firsts(seconds, some)), digits) + one_of(some, digits)
        for some in dict.fromkeys(seconds.values())
    )


def _firsts(seconds: Mapping[int, Digits], some: Digits) -> Iterator[int]:
    return (first for first, these in seconds.items() if these == some)
