"""What a statement of a clue yields, and the usual statements: each cell, pairs along a line, all.

Invariant: nothing here reads `model.kinds`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from ...model.board import Board, Cells
from ...model.clue import Clue
from .connectives import any_of, implies
from .geometry import with_distance

Candidate = tuple[int, int]  # cell (0-based), digit (from 1)
Holds = Callable[..., Any]  # digits, or terms: true if they are right


class Part(NamedTuple):
    """Cells, and what their digits must satisfy; a cell that is named again is read again."""

    cells: Cells
    holds: Holds


class Among(NamedTuple):
    """One of the candidates (cell, digit) holds; with `given`, if that one holds."""

    candidates: tuple[Candidate, ...]
    given: Candidate | None = None

    @property
    def cells(self) -> Cells:
        """The cells of all candidates, each once."""
        given = () if self.given is None else (self.given,)
        return tuple(dict.fromkeys(cell for cell, _ in (*self.candidates, *given)))

    def holds(self, *digits: Any) -> Any:
        """On the digits of `cells`."""
        at = dict(zip(self.cells, digits, strict=True))
        said = any_of(at[cell] == digit for cell, digit in self.candidates)
        if self.given is None:
            return said
        cell, digit = self.given
        return implies(at[cell] == digit, said)


class Distinct(NamedTuple):
    """Cells that other parts keep different; `holds` asks only which digits they are."""

    cells: Cells
    holds: Holds


class House(NamedTuple):
    """Cells that hold every digit once."""

    cells: Cells


WidePart = Part | Among | Distinct
Parts = Iterator[WidePart | House]
Statement = Callable[[Board, Clue, tuple[Clue, ...]], Parts]


def each(holds: Callable[[Board, str], Holds]) -> Statement:
    """Every cell of the clue by itself."""

    def parts(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
        return (Part((cell,), holds(board, clue.value)) for cell in clue.cells)

    return parts


def along(holds: Callable[[Board, str, int], Holds | None]) -> Statement:
    """Every two cells of the line, by how many steps they are apart on it."""

    def parts(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
        for a, b, distance in with_distance(clue.cells):
            said = holds(board, clue.value, distance)
            if said is not None:
                yield Part((a, b), said)

    return parts


def together(holds: Callable[[str], Holds]) -> Statement:
    """All cells of the clue, in its order."""
    return lambda board, clue, clues: iter((Part(clue.cells, holds(clue.value)),))
