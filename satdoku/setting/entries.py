"""What a setter enters, one by one: givens and clues; and a suggestion made of them.

Invariant: an entry is named as people and files write it, r1c1=5 or the text of a clue.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from ..model.constraints import Constraints, constraints_for
from ..model.grid import Grid
from ..model.puzzle import Puzzle

GIVENS = "givens"


class Entry(NamedTuple):
    """A given (cell and digit), or a clue (its canonical text)."""

    name: str
    cell: int = -1
    digit: int = 0
    clue: str = ""


class Suggestion(NamedTuple):
    """words: what it is about. puzzle: as it is when the suggestion is taken, without what is
    `gone` and with what is `added`, each by name. solutions: how many it has, `more` if at least
    so many; rating: its ER; None if not asked for."""

    words: str
    puzzle: Puzzle
    gone: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    solutions: int | None = None
    more: bool = False
    rating: float | None = None

    def as_data(self) -> dict[str, object]:
        """Plain values for JSON."""
        return {
            "words": self.words,
            "puzzle": str(self.puzzle.grid),
            "rules": self.puzzle.constraints.name,
            "gone": list(self.gone),
            "added": list(self.added),
            "solutions": self.solutions,
            "more": self.more,
            "rating": self.rating,
        }


def entries_of(puzzle: Puzzle) -> list[Entry]:
    """The givens, then the clues."""
    given = [given_at(puzzle, cell, digit) for cell, digit in enumerate(puzzle.grid) if digit]
    return [*given, *(Entry(text, clue=text) for text in puzzle.constraints.clue_texts)]


def given_at(puzzle: Puzzle, cell: int, digit: int) -> Entry:
    """A given as an entry."""
    board = puzzle.grid.board
    (digits,) = board.domains((cell,))
    return Entry(f"{board.name_of(cell)}={digits[digit - 1]}", cell, digit)


def without(puzzle: Puzzle, gone: Iterable[Entry]) -> Puzzle:
    """The puzzle without some entries."""
    cells, names = bytearray(puzzle.grid.cells), set()
    for entry in gone:
        if entry.clue:
            names.add(entry.clue)
        else:
            cells[entry.cell] = 0
    kept = [text for text in puzzle.constraints.clue_texts if text not in names]
    return _made(puzzle, cells, kept)


def with_entries(puzzle: Puzzle, added: Iterable[Entry]) -> Puzzle:
    """The puzzle with more entries."""
    cells, clues = bytearray(puzzle.grid.cells), list(puzzle.constraints.clue_texts)
    for entry in added:
        if entry.clue:
            clues.append(entry.clue)
        else:
            cells[entry.cell] = entry.digit
    return _made(puzzle, cells, clues)


def _made(puzzle: Puzzle, cells: bytearray, clues: list[str]) -> Puzzle:
    constraints: Constraints = puzzle.constraints
    if len(clues) != len(constraints.clue_texts):
        named = ",".join(constraints.names)
        constraints = constraints_for(";".join([named, *clues]), constraints.board)
    return replace(puzzle, grid=Grid(bytes(cells), constraints.board), constraints=constraints)
