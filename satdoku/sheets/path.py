"""The solution path of a puzzle for a sheet: its key steps, and what is said of those between.

Invariant: key steps are those with the highest ratings; of equal ones, those that the longest run
of easier steps follows, and then the earliest. A single is one only where a path has nothing else.
All others are counted, technique by technique, between the key steps in whose place they stand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..explain import Step, UnexplainableError, explain_steps
from ..explain.naming import listed
from ..explain.step import ARROWS
from ..model.puzzle import Puzzle
from ..runtime.errors import BudgetError, Status

SINGLES = "hidden single", "naked single"
COLOURS = (
    "A step looks at what is coloured, rules out what is crossed out, and places what is ringed."
)
NO_FURTHER = "no technique finds a further step"


class Words(NamedTuple):
    """A paragraph: what is concluded, which may be empty, and the text behind it."""

    bold: str
    text: str


class KeyStep(NamedTuple):
    """A step with its number from 1, and the paragraphs about the steps before and after it that
    have no picture, and itself."""

    number: int
    step: Step
    words: Sequence[Words]

    @property
    def title(self) -> str:
        """`Step 12: naked pair`."""
        return f"Step {self.number}: {self.step.technique}"


class Path(NamedTuple):
    """The key steps in order, one line about the whole path, and what is wrong with it, if anything
    is: that it has no step, or ends before the solution. status: of a puzzle without solution, or
    without a whole path in time."""

    steps: Sequence[KeyStep]
    words: str
    problem: str = ""
    status: Status | None = None

    @property
    def legend(self) -> str:
        """How to read the pictures."""
        return f"{COLOURS} {ARROWS}" if any(key.step.links for key in self.steps) else COLOURS


def path_of(puzzle: Puzzle, most: int, timeout: float | None = None) -> Path:
    """The path of a puzzle with its `most` key steps: those that are found in so many seconds."""
    if puzzle.marks is not None:
        return Path((), "", "no path: a puzzle with pencil marks has no steps")
    steps: list[Step] = []
    end, status = NO_FURTHER, None
    try:
        steps.extend(explain_steps(puzzle.grid, puzzle.constraints, timeout=timeout, named=True))
    except UnexplainableError:
        return Path((), "", "no path: no solution", Status.NONE)
    except BudgetError as late:
        end, status = str(late), Status.UNKNOWN
    known = {cell for cell, digit in enumerate(puzzle.grid) if digit}
    known.update(step.placed[0] for step in steps if step.placed)
    is_whole = known.issuperset(range(puzzle.grid.board.grid_cells))
    if not steps:
        return Path((), "", f"no path: {'every cell is given' if is_whole else end}", status)
    keys, cut = _key_numbers(steps, most), f"the path ends early: {end}"
    return Path(_told(steps, keys), _summary(steps), "" if is_whole else cut, status)


def _key_numbers(steps: Sequence[Step], most: int) -> list[int]:
    """The numbers from 0 of the key steps, in order."""
    ratings, runs = [step.rating or 0.0 for step in steps], _runs(steps)
    plain = {number for number, step in enumerate(steps) if step.technique in SINGLES}
    left = [number for number in range(len(steps)) if number not in plain]
    left.sort(key=lambda number: (-ratings[number], -runs[number], number))
    first = max(range(len(steps)), key=lambda number: (ratings[number], -number))
    return sorted(left[:most]) or [first]


def _runs(steps: Sequence[Step]) -> list[int]:
    """For each step how many follow until one that is as hard, or harder."""
    ratings = [step.rating or 0.0 for step in steps]
    runs, waiting = [0] * len(steps), list[int]()
    for number in reversed(range(len(steps))):
        while waiting and ratings[waiting[-1]] < ratings[number]:
            waiting.pop()
        runs[number] = (waiting[-1] if waiting else len(steps)) - number - 1
        waiting.append(number)
    return runs


def _told(steps: Sequence[Step], keys: Sequence[int]) -> list[KeyStep]:
    """The key steps with their paragraphs."""
    told = []
    for place, (number, after) in enumerate(zip(keys, (*keys[1:], len(steps)), strict=True)):
        said = steps[number].caption.replace(ARROWS, "")  # which stands above the pictures
        first, *more = (line for line in said.splitlines() if line.strip())
        what, colon, why = first.partition(": ")
        words = [Words(what + colon.strip(), why), *(Words("", line) for line in more)]
        if not place and number:
            words.insert(0, Words("", f"First {_counted(steps[:number])}."))
        if after > number + 1:
            words.append(Words("", f"Then {_counted(steps[number + 1 : after])}."))
        told.append(KeyStep(number + 1, steps[number], words))
    return told


def _counted(steps: Iterable[Step]) -> str:
    """`12 singles, pointing (2) and naked pair`, in the order in which they first occur."""
    counts = Counter("single" if s.technique in SINGLES else s.technique for s in steps)
    singles = counts.pop("single", 0)
    said = [f"{singles} single{'s' * (singles > 1)}"] if singles else []
    return listed([*said, *(f"{name} ({n})" if n > 1 else name for name, n in counts.items())])


def _summary(steps: Sequence[Step]) -> str:
    """How many steps there are, and the hardest: the first of the highest rating."""
    hardest = max(steps, key=lambda step: step.rating or 0.0)
    number = f"{len(steps)} step{'s' * (len(steps) > 1)}"
    return f"{number}; the hardest: {hardest.technique} ({hardest.rating or 0.0:.1f})"
