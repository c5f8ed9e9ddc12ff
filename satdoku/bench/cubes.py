"""Parallel search: a puzzle split into cubes, puzzles with more givens, over processes.

Invariant: the cubes are disjoint and together the puzzle, so the union of their solutions is the
puzzle's.

Source of the idea: M. Heule, O. Kullmann, S. Wieringa, A. Biere, Cube and Conquer, HVC 2011; here
a cube is made by splitting the most constrained cell, not by look-ahead.
"""

from __future__ import annotations

from dataclasses import replace
from multiprocessing.connection import Connection, wait

from ..answers.sides import split
from ..crosscheck.backends import Backend
from ..model.constraints import Constraints
from ..model.grid import Grid
from ..model.puzzle import Puzzle
from ..runtime.child import Child
from ..runtime.errors import Unanswered
from ..runtime.workers import available_workers

CUBES_A_PROCESS = 4  # so that all end about together, though cubes differ in effort


def processes() -> int:
    """One for each core that this process may use, at least two."""
    return max(2, available_workers())


def cubes(puzzle: Grid, constraints: Constraints, wanted: int) -> list[Grid]:
    """The puzzle split until there are that many puzzles, or none can be split."""
    parts, done = [puzzle], False
    while len(parts) < wanted and not done:
        before = len(parts)
        parts = [part for whole in parts for part in split(whole, constraints)]
        done = len(parts) <= before
    return parts


class Conquest:
    """Processes that each hold the puzzle's query and take the next cube when they are free.

    Plain processes and pipes: the semaphores of a pool would outlive a killed process.
    """

    def __init__(self, backend: Backend, encoding: str, puzzle: Puzzle) -> None:
        count = processes()
        self._cubes = cubes(puzzle.grid, puzzle.constraints, CUBES_A_PROCESS * count)
        self._processes = [Child(_serve, backend, encoding, puzzle) for _ in range(count)]
        self._links = [process.pipe for process in self._processes]
        for link in self._links:
            _received(link)

    def solutions(self) -> list[bytes]:
        """All solutions of the instance, in the order found."""
        found: list[bytes] = []
        waiting = list(self._cubes)
        busy = []
        for link in self._links[: len(waiting)]:
            link.send(waiting.pop())
            busy.append(link)
        while busy:
            ready = wait(busy)
            for link in [link for link in busy if link in ready]:
                found += _received(link)
                if waiting:
                    link.send(waiting.pop())
                else:
                    busy.remove(link)
        return found

    def close(self) -> None:
        """End the processes."""
        for process in self._processes:
            process.close()


def _received(link: Connection) -> list[bytes]:
    """The answer of a process; an exception of the process is raised here."""
    try:
        answer = link.recv()
    except EOFError:
        raise Unanswered("error", "a process of the parallel search died") from None
    if isinstance(answer, Exception):
        raise answer
    assert isinstance(answer, list)
    return answer


def _serve(link: Connection, backend: Backend, encoding: str, puzzle: Puzzle) -> None:
    """In each process: build the query, report that it is built, then solve cube after cube."""
    try:
        query = backend.open(puzzle, encoding)
        link.send([])
        while True:
            link.send(list(query.solutions(replace(puzzle, grid=link.recv()))))
    except EOFError:
        return  # the parent is gone
    except Exception as error:
        link.send(error)
