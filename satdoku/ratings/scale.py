"""Ratings of many puzzles and the steps of one, in C or, without a compiler, by the reference.

Invariant: both give the same. No numpy, so that the rating of one puzzle costs no import of it.

A puzzle may take seconds, and a pool waits for its threads. So C works in slices of time, and
between two of them `runtime.limits` may end the work.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import Any, NamedTuple

from ..model.constraints import Constraints
from ..runtime import limits
from .step import TECHNIQUES, Step, decode

try:
    from . import _ratings
except ImportError:  # built without a compiler: the reference serves
    AVAILABLE = False
else:
    AVAILABLE = True

CELLS = 81
FIELDS = 4  # er, ep and ed in tenths, and the code of the hardest step's technique
NOT_RATED = -1  # in each of the fields
SLICE = 0.1  # seconds
CLASSIC_ONLY = "Sudoku Explainer rates classic 9x9 only"


class Rating(NamedTuple):
    """ER, EP and ED of a puzzle, and the technique of the hardest step (the first of these).

    They are 0.0, and the technique is empty, if there is nothing to do.
    """

    er: float
    ep: float
    ed: float
    technique: str

    @property
    def words(self) -> str:
        """One line: `7.1 (EP 7.1, ED 2.6): forcing chain`."""
        scales = f"{self.er:.1f} (EP {self.ep:.1f}, ED {self.ed:.1f})"
        return f"{scales}: {self.technique}" if self.technique else scales

    def _repr_html_(self) -> str:
        import html  # 2 ms, for notebooks alone

        return html.escape(self.words)

    def as_data(self) -> dict[str, Any]:
        """The rating as plain values for JSON."""
        return self._asdict()


def serves(constraints: Constraints) -> bool:
    """Whether puzzles under these rules can be rated: classic 9x9 without clues."""
    return constraints.name == "classic" and constraints.board.size == 9


def rate_cells(puzzles: bytes) -> array[int]:
    """`FIELDS` numbers for each puzzle of 81 digits, each with one solution; raises
    `OutOfTime` if the limits on the time end it."""
    found = array("i", [NOT_RATED]) * (FIELDS * len(puzzles) // CELLS)
    if puzzles:
        rows = memoryview(found).cast("B").cast("i", (len(puzzles) // CELLS, FIELDS))
        (_in_c if AVAILABLE else _by_reference)(puzzles, rows)
    return found


def rating_of(cells: bytes) -> Rating:
    """The rating of one puzzle."""
    er, ep, ed, technique = rate_cells(cells)
    return Rating(er / 10, ep / 10, ed / 10, TECHNIQUES[technique] if er else "")


def _in_c(puzzles: bytes, ratings: memoryview) -> None:
    grids = memoryview(puzzles).cast("B", (len(ratings), CELLS))
    done = 0
    while done < len(ratings):
        limits.check()
        done += _ratings.rate(grids[done:], SLICE, ratings[done:])


def _by_reference(puzzles: bytes, ratings: memoryview) -> None:
    from .reference.rating import rate

    for row in range(len(ratings)):
        limits.check()
        er, ep, ed, technique, _ = rate(puzzles[CELLS * row : CELLS * (row + 1)])
        tenths = (round(10 * rating) for rating in (er, ep, ed))
        for field, number in enumerate((*tenths, technique)):
            ratings[row, field] = number


def steps_of(puzzle: bytes) -> Iterator[Step]:
    """The steps of a puzzle of 81 digits with one solution, in the order of the rating."""
    if AVAILABLE:
        return decode(array("i", _ratings.steps(memoryview(puzzle).cast("B", (1, CELLS)))))
    from .reference.rating import records_of

    return records_of(puzzle)
