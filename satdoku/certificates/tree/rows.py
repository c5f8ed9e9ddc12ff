"""Rows of a collection: claims about puzzles, their solutions and their trees, column by column.

Invariant: `Rows.each` and `columns` are inverse to each other.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from enum import IntEnum
from typing import NamedTuple

TOO_LARGE = 1 << 28  # for a number that does not end: no clause and no split has it
NO_CLAIM = ord("-")  # of a row that could not be read
CLAIMS = {ord(name[0]): name for name in ("unique", "none", "multiple", "all")}


UNREAD = "unread"
LOWER = ord("a") ^ ord("A")


def claim_of(letter: int) -> str:
    """What a letter claims, with a tree or with a certificate; `UNREAD` if nothing."""
    return CLAIMS.get(letter | LOWER, UNREAD)


class Verdict(IntEnum):
    """Whether a row holds; if not, the first thing that is wrong."""

    HOLDS = 0
    NO_CLAIM = 1
    NO_PUZZLE = 2
    NO_SOLUTION = 3
    OPEN = 4
    NO_CLAUSE = 5
    TOO_SHORT = 6
    TOO_LONG = 7
    TOO_DEEP = 8

    @property
    def reason(self) -> str:
        """What is wrong, in words."""
        return REASONS[self]


REASONS = {
    Verdict.HOLDS: "nothing is wrong",
    Verdict.NO_CLAIM: "no such claim, or not of so many solutions",
    Verdict.NO_PUZZLE: "a digit in the puzzle that the board does not have",
    Verdict.NO_SOLUTION: "a grid that is no solution, or solutions that do not ascend",
    Verdict.OPEN: "a leaf of the tree is another solution",
    Verdict.NO_CLAUSE: "a split of the tree names no open clause",
    Verdict.TOO_SHORT: "the tree ends before its last leaf",
    Verdict.TOO_LONG: "the tree goes on behind its last leaf",
    Verdict.TOO_DEEP: "the tree is deeper than the board has cells",
}


class Row(NamedTuple):
    """A claim, by its first letter; puzzle and solutions have a digit a cell, 0 for none."""

    claim: int
    puzzle: bytes
    solutions: tuple[bytes, ...]
    tree: bytes


class Rows(NamedTuple):
    """Many rows; the numbers of solutions and the lengths of trees are int32."""

    claims: bytes
    puzzles: bytes
    counts: array[int]
    solutions: bytes
    lengths: array[int]
    trees: bytes

    def each(self, cells: int) -> Iterator[Row]:
        """Row by row."""
        solved = written = 0
        for at, claim in enumerate(self.claims):
            ends = solved + self.counts[at] * cells
            found = tuple(self.solutions[x : x + cells] for x in range(solved, ends, cells))
            tree = self.trees[written : written + self.lengths[at]]
            yield Row(claim, self.puzzles[at * cells : (at + 1) * cells], found, tree)
            solved, written = ends, written + len(tree)

    def is_whole(self, cells: int) -> bool:
        """Whether the columns belong together."""
        return (
            len(self.claims) == len(self.counts) == len(self.lengths)
            and min(self.counts, default=0) >= 0
            and min(self.lengths, default=0) >= 0
            and len(self.puzzles) == len(self.claims) * cells
            and len(self.solutions) == sum(self.counts) * cells
            and len(self.trees) == sum(self.lengths)
        )


def columns(rows: Iterable[Row]) -> Rows:
    """Column by column what `Rows.each` yields."""
    every = list(rows)
    return Rows(
        bytes(row.claim for row in every),
        b"".join(row.puzzle for row in every),
        array("i", (len(row.solutions) for row in every)),
        b"".join(solution for row in every for solution in row.solutions),
        array("i", (len(row.tree) for row in every)),
        b"".join(row.tree for row in every),
    )


def numbers(tree: bytes) -> Iterator[int]:
    """Seven bits a byte, the lowest first; `TOO_LARGE` for one that does not end."""
    number = shift = 0
    for byte in tree:
        number, shift = number | (byte & 127) << shift, shift + 7
        if byte < 128 or shift == 28:
            yield number if byte < 128 else TOO_LARGE
            number = shift = 0
    if shift:
        yield TOO_LARGE


def number_bytes(number: int) -> bytes:
    """What `numbers` reads."""
    parts = bytearray()
    while number > 127:
        parts.append(number % 128 + 128)
        number //= 128
    return bytes([*parts, number])
