"""Rate how hard a puzzle is for a person: by named steps (`rated`), or, on the scale "mus", from
its smallest explanations and from search.

Invariant: a rating depends only on the puzzle and the rules. The steps come from `explain`, which
decides without a clock; the nodes come from the engine's numpy reference, whose search is the same
on every machine. The number of "mus":

    number = log2(hardest) + log2(1 + beyond) / 2 + log2(nodes) / 4

    hardest   units in the largest explanation that the solution needs (1: a single)
    beyond    steps that are not singles
    nodes     nodes of the engine's search for a second solution (1: propagation suffices), up to
              10,000, with clues of several cells 1,000; 1 where no engine searches: with layers,
              ranks and connected cells

A puzzle of singles alone has the number 0. The number grows by one if the hardest step is twice as
large, if there are about four times as many steps beyond singles, or if there are sixteen times as
many nodes. So the difficulty of a single step weighs most, the number of such steps less, and the
work of a machine least. The limits in WORDS separate the kinds of hardest steps on public
collections; bench/RATING.md shows the distributions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, log2
from typing import Any

from ..answers.api import classify
from ..files.one import PuzzleLike, Rules, without_marks
from ..model.constraints import Constraints
from ..model.grid import Grid
from ..ratings import scale as se
from ..runtime import limits
from ..runtime.errors import BudgetError, SatdokuError, Status, no_such
from . import Step, explain_steps, rated

SCALES = ("se", "logic", "mus")
WORDS = ((1.0, "easy"), (4.5, "medium"), (7.0, "hard"), (9.0, "very hard"))  # upper limits
HARDEST_WORD = "extreme"
MOST_NODES, MOST_UNDER_CLUES = 10_000, 1_000  # that are counted: a second or two


class RatingError(SatdokuError):
    """A puzzle that cannot be rated because it does not have exactly one solution."""


@dataclass(frozen=True)
class Rating:
    """A difficulty and the figures that it is computed from.

    steps: the number of steps. beyond: the number of steps that are not singles. hardest,
    technique: size and technique of the largest step. nodes: search nodes of the engine. complete:
    False if the time was over before the last step; the rating is then a lower bound.
    """

    steps: int
    beyond: int
    hardest: int
    technique: str
    nodes: int
    complete: bool

    @property
    def number(self) -> float:
        """The difficulty: 0 for singles alone, 11 and more for the hardest known."""
        return log2(self.hardest) + log2(1 + self.beyond) / 2 + log2(max(1, self.nodes)) / 4

    @property
    def word(self) -> str:
        """easy, medium, hard, very hard or extreme."""
        return next((word for bound, word in WORDS if self.number < bound), HARDEST_WORD)

    @property
    def words(self) -> str:
        """One line: `5.2 hard: 71 steps, 12 beyond singles, hardest chain (9 units), 5 nodes`."""
        shown = floor(10 * self.number) / 10  # rounding up could reach the range of the next word
        start = f"{shown:.1f} {self.word}" + ("" if self.complete else " at least")
        hardest = f"hardest {self.technique} ({_counted(self.hardest, 'unit')})"
        parts = [_counted(self.steps, "step"), f"{self.beyond} beyond singles", hardest]
        return f"{start}: {', '.join(parts)}, {_counted(self.nodes, 'node')}"

    def _repr_html_(self) -> str:
        import html  # 2 ms, for notebooks alone

        return html.escape(self.words)

    def as_data(self) -> dict[str, Any]:
        """The rating as plain values for JSON."""
        return {
            "number": round(self.number, 3),
            "word": self.word,
            "steps": self.steps,
            "beyond_singles": self.beyond,
            "hardest": self.hardest,
            "technique": self.technique,
            "nodes": self.nodes,
            "complete": self.complete,
        }


def rate(
    puzzle: PuzzleLike,
    rules: Rules = None,
    *,
    scale: str | None = None,
    timeout: float | None = None,
) -> Rating | rated.Rating | se.Rating:
    """The difficulty of a puzzle with one solution; raises `RatingError` for any other.

    scale: "logic", ER, EP and ED of named steps (docs/RATINGS.md), the default; classic 9x9 is
    rated by Sudoku Explainer's. "se" is the same, but refuses all other rules. "mus" goes by the
    sizes of the smallest explanations. `timeout`: seconds, then `BudgetError`; if they do not
    suffice for the steps of "mus", its rating is a lower bound.
    """
    if scale not in (*SCALES, None):
        raise RatingError(no_such("scale", scale, SCALES))
    with limits.within(timeout):
        grid, constraints = without_marks(puzzle, rules)
        if scale == "se" and not se.serves(constraints):
            raise RatingError(f"{se.CLASSIC_ONLY}: choose scale 'logic'")
        status = classify(grid, constraints)
        if status is not Status.UNIQUE:
            raise RatingError(f"a puzzle with status '{status}' has no rating: expected unique")
        if scale != "mus":
            return rated.rating_of(grid, constraints)
    return _by_size(grid, constraints, timeout)


def _by_size(grid: Grid, constraints: Constraints, timeout: float | None) -> Rating:
    """By the sizes of the smallest explanations."""
    steps: list[Step] = []
    try:
        steps.extend(explain_steps(grid, constraints, timeout=timeout))
        complete = True
    except BudgetError:
        complete = False
    return rating_of(steps, nodes_of(grid, constraints), complete)


def rating_of(steps: Sequence[Step], nodes: int, complete: bool = True) -> Rating:
    """The rating of a solution, from its steps and the engine's nodes."""
    hardest = max(steps, key=lambda step: step.size, default=None)
    sizes = Counter(step.size > 1 for step in steps)
    size, technique = (1, "nothing") if hardest is None else (hardest.size, hardest.technique)
    return Rating(len(steps), sizes[True], size, technique, nodes, complete)


def nodes_of(puzzle: PuzzleLike, rules: Rules = None) -> int:
    """Search nodes of the numpy reference, which searches in the same order on every machine; at
    most `MOST_NODES`, or `MOST_UNDER_CLUES` with clues of several cells, where one takes it
    longer; 1 where only sessions answer."""
    import numpy as np

    from .. import engine

    grid, constraints = without_marks(puzzle, rules)
    if constraints.needs_session:
        return 1
    most = MOST_UNDER_CLUES if constraints.is_wide else MOST_NODES
    cells = np.frombuffer(grid.cells, np.uint8)[None]
    result = engine.solve(cells, constraints, node_budget=most, implementation=engine.NUMPY)
    return int(result.nodes[0])


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
