"""Rules as data.

Invariant: a rule is an entry in `RULES`; it may add houses (every digit exactly once), pairs of
cells that differ, and pairs of candidates that cannot both hold. Nothing else in satdoku knows a
rule by name, except the two witnesses, which restate them on purpose, and `fpuzzles`, which says
how another program calls them.

Candidates are 0-based here: size*size*row + size*column + digit-1. DIMACS variables, one higher,
begin in `encodings`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from ..errors import SatdokuError
from .board import Board, CellPair, Cells

CandidatePair = tuple[int, int]


class RuleError(SatdokuError):
    """A rule set that names no rule, or a rule that the board cannot have."""


@dataclass(frozen=True)
class Rule:
    """One rule beyond the classic ones. Each function reads a board and may be left out.

    `noun` is what a person calls one of its houses ("window") or what relates two of its cells
    ("knight's move"); without it the name serves.
    """

    name: str
    summary: str
    houses: Callable[[Board], Iterable[Cells]] | None = None
    unequal: Callable[[Board], Iterable[CellPair]] | None = None
    excludes: Callable[[Board], Iterable[CandidatePair]] | None = None
    noun: str = ""


def _diagonals(board: Board) -> Iterator[Cells]:
    n = board.size
    yield tuple((n + 1) * i for i in range(n))
    yield tuple((n - 1) * (i + 1) for i in range(n))


def _windows(board: Board) -> Iterator[Cells]:
    """The boxes between the boxes, one line in from each box border: four on the 9x9 board."""
    side = board.box_rows
    if board.regions is not None or side != board.box_columns:
        raise RuleError("windoku needs square boxes")
    starts = range(1, board.size - side, side + 1)
    for top in starts:
        for left in starts:
            yield tuple(
                board.size * row + column
                for row in range(top, top + side)
                for column in range(left, left + side)
            )


def _same_place_in_box(board: Board) -> Iterator[Cells]:
    if board.regions is not None:
        raise RuleError("disjoint needs rectangular boxes")
    yield from zip(*board.boxes, strict=True)


def _consecutive_neighbours(board: Board) -> Iterator[CandidatePair]:
    n = board.size
    for a, b in board.adjacent_pairs:
        for digit in range(n - 1):
            yield n * a + digit, n * b + digit + 1
            yield n * a + digit + 1, n * b + digit


def _attacking_queens(board: Board) -> Iterator[CandidatePair]:
    n = board.size
    slides = [(step, sign * step) for step in range(1, n) for sign in (-1, 1)]
    for a, b in board.leaps(slides):
        yield n * a + n - 1, n * b + n - 1


RULES: dict[str, Rule] = {
    rule.name: rule
    for rule in (
        Rule(
            "knight",
            "cells a knight's move apart differ",
            unequal=lambda board: board.knight_pairs,
            noun="knight's move",
        ),
        Rule(
            "king",
            "cells that touch at a corner differ",
            unequal=lambda board: board.king_pairs,
            noun="king's move",
        ),
        Rule(
            "nonconsecutive",
            "cells that share an edge do not hold consecutive digits",
            excludes=_consecutive_neighbours,
            noun="neighbours",
        ),
        Rule("diagonal", "both main diagonals hold every digit once", houses=_diagonals),
        Rule(
            "windoku",
            "the windows between the boxes hold every digit once",
            houses=_windows,
            noun="window",
        ),
        Rule(
            "disjoint",
            "cells at the same place of their boxes hold every digit once",
            houses=_same_place_in_box,
            noun="place",
        ),
        Rule(
            "antiqueen",
            "the highest digit moves as a queen: no two of it on a diagonal",
            excludes=_attacking_queens,
            noun="queen's move",
        ),
    )
}

# Not a rule but a board: in a rule set `jigsaw=MAP` says which regions take the place of the boxes.
JIGSAW = "jigsaw"
JIGSAW_SUMMARY = "regions of a map (jigsaw=MAP) take the place of the boxes"

ALIASES: dict[str, tuple[str, ...]] = {
    "classic": (),
    "miracle": ("knight", "king", "nonconsecutive"),
}
