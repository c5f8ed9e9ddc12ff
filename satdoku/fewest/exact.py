"""Every puzzle with K givens of a grid, or the proof that there is none.

Invariant: a result that says it is complete lists every puzzle with K givens whose only solution is
the grid, and no other.

The givens of such a puzzle hit every unavoidable set, so they are among the hitting sets of K cells
of those that are known. The search (`hitting`) begins with the small ones. Wherever it has hit all
sets that it knows, the other grids are asked: the cells in which one differs are one more set, and
the search goes on at the same place. So few sets are made and no puzzle is tried twice.

It splits into tasks, which a journal remembers. The board falls into thirds, of its rows or of its
columns: the way that takes fewer nodes for three givens less.

Sources: G. McGuire, B. Tugemann, G. Civario, There is no 16-Clue Sudoku, Experimental Mathematics
23 (2014); for asking, E. Moreno-Centeno, R. Karp, The Implicit Hitting Set Approach, Operations
Research 61 (2013).
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import closing, nullcontext, suppress
from hashlib import sha256
from typing import NamedTuple

from ..answers.session import Session
from ..batch.task_journal import Record, TaskJournal
from ..certificates import hitting
from ..certificates.givens import GivensCertificate, refusal
from ..certificates.hitting import Sets, Task
from ..files.one import PuzzleLike, Rules, without_marks
from ..model.constraints import Constraints
from ..model.grid import Grid
from ..runtime import limits
from ..runtime.errors import BudgetError, SatdokuError, Status, WitnessError, counted
from ..runtime.package import VERSION
from ..runtime.progress import Progress, reporting
from .others import Others, kept, small_sets, thirds

_DEPTH = 3  # cells that a task has at least: some 200 tasks for a 9x9 grid
_PROBE = 3  # givens less, to find out which way is shorter
_CHECK_BUDGET = 1 << 40  # nodes


class Late(Exception):
    """The time is over."""


class Search:
    """The unavoidable sets of a grid, more with each question.

    sets: unavoidable sets, each hit by every puzzle whose only solution is the grid. parts: the
    part of the board of each cell. deadline: of `time.monotonic`.
    """

    def __init__(self, grid: Grid, session: Session, deadline: float | None = None) -> None:
        self.grid, self.others, self.deadline = grid, Others(grid, session), deadline
        self.sets = self._start = small_sets(self.others)
        self.parts = thirds(grid, columns=False)

    def choose_parts(self, givens: int) -> None:
        """Take the way, by rows or by columns, that is shorter for fewer givens."""
        nodes = {}
        for columns in (False, True):
            self.parts = thirds(self.grid, columns=columns)
            run = (self.run(max(0, givens - _PROBE), Task(last, 0, 0)) for last in range(3))
            nodes[columns] = sum(found.nodes for found in run)
        self.parts = thirds(self.grid, columns=nodes[True] < nodes[False])

    def tasks(self, givens: int) -> list[Task]:
        """The search in pieces, always the same ones for the same parts."""
        return hitting.tasks(self._start, self.parts, givens, _DEPTH)

    def run(self, givens: int, task: Task, enough: int | None = None) -> hitting.Found:
        """The puzzles of a task as sets of cells. Raises `Late` after the deadline."""
        found = hitting.search(
            self.sets, self.parts, givens, task, ask=self.others.ask, poll=self._poll, enough=enough
        )
        self.learn(found.learnt)
        return found

    def learn(self, sets: Sets) -> None:
        """Add unavoidable sets."""
        self.sets += sets

    def first(self, givens: int) -> int | None:
        """The cells of a puzzle with so many givens, None if there is none."""
        for task in (Task(last, 0, 0) for last in range(3)):
            if found := self.run(givens, task, enough=1).hitting:
                return found[0]
        return None

    def _poll(self) -> None:
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise Late


class Puzzles(NamedTuple):
    """Puzzles with `givens` givens whose only solution is `grid`, all of them if `complete`.

    done, tasks: how much of the search is behind us. sets: the unavoidable sets that prove
    that there are no others, numbers whose bit i stands for cell i. parts: the part of the
    board, 0 to 2, in which each cell lies, for the search.
    """

    grid: Grid
    constraints: Constraints
    givens: int
    puzzles: tuple[Grid, ...]
    done: int
    tasks: int
    sets: tuple[int, ...]
    parts: tuple[int, ...]

    def __repr__(self) -> str:
        count = f"{len(self.puzzles):,}" if self.complete else f"{len(self.puzzles):,} or more"
        givens = counted(self.givens, "given")
        return f"<Puzzles: {count} with {givens}, {len(self.sets):,} unavoidable sets>"

    @property
    def complete(self) -> bool:
        """Whether all tasks are done, so that these are all puzzles."""
        return self.done == self.tasks

    def certificate(self) -> GivensCertificate:
        """A certificate that there are no other puzzles, checked.

        Raises `ValueError` if the search is not complete.
        """
        if not self.complete:
            raise ValueError(f"{self.done} of {self.tasks} tasks: expected a complete search")
        with Session(self.constraints) as session:
            others = Others(self.grid, session)
            fillings = tuple(map(others.filling, self.sets))
        made = GivensCertificate(
            self.grid, self.constraints.rules, self.givens, self.puzzles, fillings,
            self.parts, {"satdoku": VERSION},
        )  # fmt: skip
        if reason := refusal(made, _CHECK_BUDGET):
            raise WitnessError(f"a certificate that does not hold: {reason}")
        return made


def puzzles_with_givens(
    givens: int,
    grid: PuzzleLike,
    rules: Rules = None,
    *,
    timeout: float | None = None,
    resume: str | os.PathLike[str] | None = None,
    progress: Progress = False,
) -> Puzzles:
    """Every puzzle with `givens` givens whose only solution is this full grid.

    timeout: seconds; the result then says that it is not complete. resume: a journal; if the file
    exists, the search continues where it stopped. progress: a bar, or a function of tasks done and
    all tasks. Raises `SatdokuError` for a grid that is not full or breaks the rules, or a board of
    more than 81 cells. A 9x9 grid takes about a second for 16 givens, half a minute for 17.

        puzzles_with_givens(16, grid).puzzles == ()
    """
    deadline = None if limits.left(timeout) is None else limits.until(timeout)
    with limits.within(timeout):
        full, constraints = without_marks(grid, rules)
        try:
            check_grid(full, constraints, givens)
            session = Session(constraints)
        except BudgetError:
            return Puzzles(full, constraints, givens, (), 0, 1, (), ())
    with session:
        search, found = Search(full, session, deadline), set[int]()
        done, tasks = 0, 1
        with suppress(Late):
            search.choose_parts(givens)
            todo = search.tasks(givens)
            tasks = len(todo)
            settings = f"{full} {constraints.name} {givens} {_digest(todo)}"
            opened = (
                nullcontext()
                if resume is None
                else closing(TaskJournal(os.fspath(resume), settings))
            )
            with opened as journal, reporting(progress, tasks, " tasks") as tell:
                for cells in _found(search, givens, todo, journal):
                    found.update(cells)
                    done += 1
                    tell(1)
        puzzles = tuple(sorted((kept(search.grid, cells) for cells in found), key=str))
        sets, parts = tuple(hitting.numbers(search.sets)), tuple(search.parts)
        return Puzzles(full, constraints, givens, puzzles, done, tasks, sets, parts)


def _digest(tasks: list[Task]) -> str:
    """Tells whether a journal is about the same tasks: their numbers say nothing else."""
    return sha256(repr(tasks).encode()).hexdigest()


def check_grid(grid: Grid, constraints: Constraints, givens: int) -> None:
    """Raise `SatdokuError` unless the grid is a solution and the search can take it."""
    if grid.givens < len(grid.cells):
        raise SatdokuError(f"{grid}: expected a full grid, found {counted(grid.givens, 'digit')}")
    with Session(constraints) as session:
        if session.classify(grid) is not Status.UNIQUE:
            raise SatdokuError(f"{grid}: breaks the rules")
    if not hitting.serves(thirds(grid, columns=False)):
        raise SatdokuError(f"a board of {len(grid.cells)} cells: expected 81 at most")
    if not 0 <= givens <= len(grid.cells):
        raise SatdokuError(f"{givens} givens: expected 0 to {len(grid.cells)}")


def _found(
    search: Search, givens: int, todo: list[Task], journal: TaskJournal | None
) -> Iterator[list[int]]:
    """The puzzles of each task, of those in the journal first."""
    behind: set[int] = set()
    for record in journal.replay() if journal else ():
        behind.add(record["task"])
        search.learn(bytes.fromhex(record["sets"]))
        yield list(record["puzzles"])
    for number, task in enumerate(todo):
        if number in behind:
            continue
        found = search.run(givens, task)
        if journal:
            journal.append(_record(number, found))
        yield found.hitting


def _record(number: int, found: hitting.Found) -> Record:
    return {"task": number, "sets": found.learnt.hex(), "puzzles": found.hitting}
