"""Constraints of Interactive Sudoku Solver that hold a table or a pattern in base 64.

Invariant: a table is read as the pairs of digits that it allows, no others. Each pair of cells that
a table relates is a `regex` clue of its own, whose pattern lists these pairs of digits.

A table has a bit for each digit of the first cell and each of the second, row by row, six bits a
character, the lowest first (js/solver/lookup_tables.js). Groups of cells stand between empty
arguments; an argument that begins with `_` is a name, for people.
"""

from __future__ import annotations

import binascii
from base64 import b64decode, urlsafe_b64encode
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations, pairwise
from urllib.parse import unquote

from ...model.board import Board, Cells
from ...model.clue import Clue, ClueError
from ...model.grid import LETTERS
from .cells import cell_names, cells_named

_CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
_SWAPPED = str.maketrans("-_", "_-")  # as Binary and BinaryX have it
_MOST_DIGITS = 9  # of a board with patterns: beyond, both programs write digits in other ways

Digits = frozenset[int]


def read_pairs(
    args: tuple[str, ...], board: Board, *, every: bool, old: bool
) -> Iterator[tuple[tuple[Cells, ...], str]]:
    """The pairs of cells, and the pattern of what they may hold.

    every: whether any two cells of a group are related, or successive ones only; old: whether the
    table has its last two characters swapped.
    """
    check_size(board)
    allowed = _allowed(args[0].translate(_SWAPPED) if old else args[0], board.size)
    both = {(second, first) for first, second in allowed}
    if every and allowed != both:
        raise ClueError("its table tells first from second, which any two cells have not")
    value = pattern_of(allowed, board.size)
    for cells in groups(args[1:], board):
        for pair in combinations(cells, 2) if every else pairwise(cells):
            yield ((pair,), value)


def groups(args: Iterable[str], board: Board) -> Iterator[Cells]:
    """The groups of cells, without their names."""
    return (cells_named(names, board) for names in cell_groups(args))


def cell_groups(args: Iterable[str]) -> Iterator[list[str]]:
    """The names of cells, group by group, without the names of these."""
    names: list[str] = []
    for arg in (*args, ""):
        if arg and not arg.startswith("_"):
            names.append(arg)
        elif names:
            yield names
            names = []


def read_pattern(args: tuple[str, ...], board: Board) -> Iterator[tuple[tuple[Cells, ...], str]]:
    check_size(board)
    text = args[0]
    if "%" not in text:
        try:
            text = b64decode(text + "=" * (-len(text) % 4), b"-_", validate=True).decode("ascii")
        except (binascii.Error, UnicodeError):
            raise ClueError(f"{args[0][:20]!a}: expected a pattern in base 64") from None
    yield from (((cells,), unquote(text)) for cells in groups(args[1:], board))


def write_pattern(clue: Clue, board: Board) -> list[tuple[str, ...]]:
    if board.size > _MOST_DIGITS:
        return []
    encoded = urlsafe_b64encode(clue.value.encode()).decode().rstrip("=")
    return [(encoded, *cell_names(clue.cells, board))]


def check_size(board: Board) -> None:
    if board.size > _MOST_DIGITS:
        raise ClueError(f"supported on boards up to {_MOST_DIGITS}x{_MOST_DIGITS}")


def _allowed(key: str, size: int) -> set[tuple[int, int]]:
    """The pairs of digits whose bits are set."""
    bits = bits_of(key)
    if any(bits[size * size :]):
        raise ClueError(f"its table is longer than {size} times {size} bits")
    return {(place // size + 1, place % size + 1) for place, bit in enumerate(bits) if bit}


def bits_of(key: str) -> list[int]:
    """Bits in base 64, six a character, the lowest first."""
    if strange := [character for character in key if character not in _CHARACTERS]:
        raise ClueError(f"{strange[0]!a} in its table: expected base 64")
    return [_CHARACTERS.index(character) >> i & 1 for character in key for i in range(6)]


def pattern_of(allowed: set[tuple[int, int]], size: int) -> str:
    """A pattern of the pairs; first digits with the same second ones stand together."""
    seconds = {a: frozenset(b for x, b in allowed if x == a) for a, _ in sorted(allowed)}
    if not seconds:
        raise ClueError("its table allows no pair of digits")
    return "|".join(
        one_of(frozenset(_firsts(seconds, some)), size) + one_of(some, size)
        for some in dict.fromkeys(seconds.values())
    )


def _firsts(seconds: Mapping[int, Digits], some: Digits) -> Iterator[int]:
    return (first for first, these in seconds.items() if these == some)


def one_of(digits: Digits, size: int) -> str:
    """The part of a pattern that matches any of the digits."""
    others = frozenset(range(1, size + 1)) - digits
    if not others:
        return "."
    if len(digits) == 1:
        return _listed(digits)
    sign, few = ("^", others) if len(others) < len(digits) else ("", digits)
    return f"[{sign}{_listed(few)}]"


def _listed(digits: Digits) -> str:
    return "".join((*"0123456789", *LETTERS)[digit] for digit in sorted(digits))
