"""Paths of steps that a worker keeps, so that the next step goes on from those before it.

Invariant: no step is looked for twice. A search that nobody waits for stands still where it is, in
a thread of its own, and goes on there; it ends when its path is forgotten.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from queue import Empty, SimpleQueue

from ..explain import Step, explain_steps
from ..model.constraints import Constraints
from ..model.grid import Grid
from ..runtime import limits

KEPT = 4  # puzzles, those asked about last
PULSE = 0.02  # seconds of a search between two looks at whether anybody still waits

_Found = Step | BaseException | None  # a step, a fault, or the end
_paths: dict[tuple[Grid, Constraints, bool], Path] = {}  # those asked about last are last


class Path:
    """The steps of a puzzle, as far as anybody has asked for them: `steps`."""

    def __init__(self, grid: Grid, constraints: Constraints, beyond: bool) -> None:
        self.steps: list[Step] = []
        self.is_whole = False
        self._search = _Search(grid, constraints, beyond)

    def behind(self, number: int, seconds: float) -> Iterator[Step | None]:
        """The steps behind the first `number`, as they are found, and None as long as none is;
        after so many seconds `BudgetError` in place of the next."""
        end = time.monotonic() + seconds
        while True:
            if number < len(self.steps):
                yield self.steps[number]
                number += 1
            elif self.is_whole:
                return
            elif time.monotonic() >= end:
                raise limits.late(seconds)
            else:
                yield from self._looked()

    def close(self) -> None:
        """End the search."""
        self._search.close()

    def _looked(self) -> Iterator[None]:
        """Let the search go on for a pulse, and keep what it has found; None if that is nothing."""
        try:
            found = self._search.wait(PULSE)
        except Empty:
            yield None
            return
        if isinstance(found, BaseException):  # the same question finds the same fault again
            forget(self)
            raise found
        if found is None:
            self.is_whole = True
        else:
            self.steps.append(found)


class _Search:
    """What looks for the steps of a puzzle while somebody waits."""

    def __init__(self, grid: Grid, constraints: Constraints, beyond: bool) -> None:
        self._found: SimpleQueue[_Found] = SimpleQueue()
        self._wanted, self._over = threading.Event(), threading.Event()
        arguments = grid, constraints, beyond
        self._thread = threading.Thread(target=self._run, args=arguments, daemon=True)
        self._thread.start()

    def wait(self, seconds: float) -> _Found:
        """What it finds within these seconds; raises `Empty`."""
        self._wanted.set()
        try:
            return self._found.get(timeout=seconds)
        finally:
            self._wanted.clear()

    def close(self) -> None:
        """End it at the next look at the clock."""
        self._over.set()
        self._wanted.set()

    def _run(self, grid: Grid, constraints: Constraints, beyond: bool) -> None:
        limits.stop_when(self._over)
        limits.rest_until(self._wanted)
        try:
            limits.check()
            for step in explain_steps(grid, constraints, named=True, beyond=beyond):
                self._found.put(step)
                limits.check()
            self._found.put(None)
        except BaseException as error:
            self._found.put(error)


def path_of(grid: Grid, constraints: Constraints, beyond: bool) -> Path:
    """The path of `explain_steps`, which says what `beyond` is."""
    key = grid, constraints, beyond
    path = _paths.pop(key, None) or Path(grid, constraints, beyond)
    _paths[key] = path
    while len(_paths) > KEPT:
        forget(next(iter(_paths.values())))
    return path


def forget(path: Path) -> None:
    """End the search of a path, which is begun anew if anybody asks again."""
    path.close()
    for key in [key for key, other in _paths.items() if other is path]:
        del _paths[key]
