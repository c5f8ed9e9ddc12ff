"""The fewest givens or clues that leave one solution.

Invariant: every suggestion has been found to have one solution, and needs all that it adds. Where
it says so, no smaller set of the givens and clues to choose from leaves the solution it aims at
alone: it is a smallest hitting set of what excludes each other solution.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..answers.answer import answer
from ..answers.listing import at_most
from ..answers.session import shared_session
from ..fewest.hitting import HittingSets
from ..generator.layout import Layout
from ..model.board import Board
from ..model.clue import Clue
from ..model.grid import Grid
from ..model.kinds import KINDS, clue_of
from ..model.puzzle import Puzzle
from ..runtime import limits
from ..runtime.errors import Status
from ..witness.verify import is_true
from .entries import GIVENS, Entry, Suggestion, given_at, with_entries

LISTED = 100  # solutions of the puzzle that are known from the start
TARGETS = 8  # solutions that one aims at
AT_ONCE = 20  # other solutions that are noted where there still are some
CLUES = 40  # of each kind to choose from
SECONDS = 10.0  # for a list of solutions
EXACT_SECONDS = 3.0  # for a smallest set, for each solution that one aims at

Grids = NDArray[np.uint8]


class _Choice(NamedTuple):
    """What may be added to leave one solution, and the clues as they are checked."""

    entries: list[Entry]
    clues: dict[str, Clue]

    def hits(self, other: Sequence[int], board: Board) -> set[int]:
        """The entries that another solution breaks."""
        full = Grid(bytes(other), board)
        return {
            number
            for number, entry in enumerate(self.entries)
            if (
                not is_true(self.clues[entry.clue], full)
                if entry.clue
                else other[entry.cell] != entry.digit
            )
        }


def completions(puzzle: Puzzle, kinds: Sequence[str], seed: int) -> Iterator[Suggestion]:
    """Suggestions with fewer and fewer entries, then others with as few; each for another
    solution, the first ones quickly found, then those of which no smaller one exists."""
    rng = Random(seed)
    grids = _solutions(puzzle, LISTED)
    best = len(puzzle.grid.cells)
    aims: list[_Aim] = []
    denies = any(KINDS[clue.kind].denies for clue in puzzle.constraints.clues)
    for target in rng.sample(range(len(grids)), min(TARGETS, len(grids))):
        aim = _Aim(puzzle, grids, grids[target], _choice(puzzle, grids[target], kinds, rng))
        added = aim.greedy()
        if added is not None:
            aims.append(aim)
            if len(added) < best:
                best = len(added)
                yield _suggestion(puzzle, added, "")
    for aim in aims:
        added = aim.smallest(best)
        if added is not None:
            best = len(added)
            note = "" if denies else "; no fewer will do for this solution"
            yield _suggestion(puzzle, added, note)


def _suggestion(puzzle: Puzzle, added: Sequence[Entry], note: str) -> Suggestion:
    names = tuple(entry.name for entry in added)
    words = f"unique with {len(names)} more: {', '.join(names)}{note}"
    return Suggestion(words, with_entries(puzzle, added), added=names, solutions=1)


def _solutions(puzzle: Puzzle, most: int) -> Grids:
    session = shared_session(puzzle.constraints)
    return at_most(most, puzzle, session, limits.left(SECONDS) or SECONDS)[0]


def _choice(puzzle: Puzzle, target: Grids, kinds: Sequence[str], rng: Random) -> _Choice:
    """The givens of a solution, and clues that are true of it."""
    board = puzzle.grid.board
    entries: list[Entry] = []
    clues: dict[str, Clue] = {}
    own = {*puzzle.constraints.clue_texts}
    for kind in kinds:
        if kind == GIVENS:
            empty = [cell for cell in range(board.grid_cells) if not puzzle.grid[cell]]
            entries += [given_at(puzzle, cell, int(target[cell])) for cell in empty]
            continue
        everywhere = [tuple(range(board.grid_cells))]
        layout = Layout(Grid(target.tobytes(), board), rng, everywhere)
        for _ in range(CLUES):
            limits.check()
            placed = layout.place(kind)
            if not placed:
                break
            for clue in placed:
                text = clue_of(clue.text(board), board).text(board)
                if text not in own and text not in clues:
                    clues[text] = clue
                    entries.append(Entry(text, clue=text))
    return _Choice(entries, clues)


class _Aim:
    """A solution that is to be the only one."""

    def __init__(self, puzzle: Puzzle, grids: Grids, target: Grids, choice: _Choice) -> None:
        self._puzzle, self._choice = puzzle, choice
        self._board = puzzle.grid.board
        self._digits = target[: self._board.grid_cells]
        self._sets: list[set[int]] = []  # for each other solution what breaks it
        self._note(grids)

    def greedy(self) -> list[Entry] | None:
        """Entries that suffice and are all needed, each time one that breaks most of the other
        solutions; None if there are none."""
        chosen: list[int] = []
        while True:
            limits.check()
            if not all(self._sets):
                return None  # nothing to choose from tells one of them from the target
            left = [hits for hits in self._sets if hits.isdisjoint(chosen)]
            if left:
                numbers = Counter(number for hits in left for number in sorted(hits))
                chosen.append(max(numbers, key=numbers.__getitem__))
                continue
            before = len(self._sets)
            if self._leaves_one(chosen):
                break
            if len(self._sets) == before:
                return None  # other solutions differ in layers alone
        for number in list(chosen):
            fewer = [other for other in chosen if other != number]
            if all(not hits.isdisjoint(fewer) for hits in self._sets) and self._leaves_one(fewer):
                chosen = fewer
        return self._entries(chosen)

    def smallest(self, most: int) -> list[Entry] | None:
        """The fewest entries; None if these are more than `most`, or take too long."""
        with closing(HittingSets(range(len(self._choice.entries)))) as sets:
            done, end = 0, limits.until(EXACT_SECONDS)
            while time.monotonic() < end:
                for hits in self._sets[done:]:
                    sets.hit(hits)
                done = len(self._sets)
                chosen = sets.smallest(end)
                if chosen is None or len(chosen) > most:
                    return None
                if self._leaves_one(sorted(chosen)):
                    return self._entries(sorted(chosen))
                if len(self._sets) == done:
                    return None
        return None

    def _leaves_one(self, chosen: Sequence[int]) -> bool:
        """Whether the target is the only solution then; if not, other ones are noted."""
        tried = with_entries(self._puzzle, self._entries(chosen))
        found = answer(tried)
        if found.status is Status.MULTIPLE:
            self._note(_solutions(tried, AT_ONCE))
        elif found.status is Status.UNKNOWN:
            raise limits.late()
        return found.status is Status.UNIQUE

    def _entries(self, chosen: Sequence[int]) -> list[Entry]:
        return [self._choice.entries[number] for number in chosen]

    def _note(self, grids: Grids) -> None:
        others = (grids[:, : self._board.grid_cells] != self._digits).any(axis=1)
        self._sets += [self._choice.hits(row, self._board) for row in grids[others].tolist()]
