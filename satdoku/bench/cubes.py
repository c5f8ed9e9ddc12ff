"""Parallel search: a puzzle cut into cubes, each a puzzle with more givens, over processes.

Invariant: the cubes are disjoint and together the puzzle, so the union of their solutions is its
own.

Source of the idea: M. Heule, O. Kullmann, S. Wieringa, A. Biere, Cube and Conquer, HVC 2011; here
a cube is made by splitting the most constrained cell, not by look-ahead.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator
from multiprocessing.connection import Connection, wait

from ..model.board import Board
from ..model.constraints import Constraints, constraints_for
from ..model.grid import Grid
from ..model.marks import pencil_marks
from .backends import Backend, Gave
from .instances import Instance

CUBES_A_PROCESS = 4  # so that all end about together, though cubes differ in effort


def processes() -> int:
    """One a core that this process may use, at least two."""
    affinity = getattr(os, "sched_getaffinity", None)
    return max(2, len(affinity(0)) if affinity else os.cpu_count() or 2)


def cubes(puzzle: Grid, constraints: Constraints, wanted: int) -> list[Grid]:
    """The puzzle split until there are so many puzzles, or nothing is left to split.

    Each step splits the cell with fewest open digits, at least two, in all puzzles so far; a puzzle
    with a cell without any is dropped. Open digits are those that givens do not exclude.
    """
    parts, done = [puzzle], False
    while len(parts) < wanted and not done:
        before = len(parts)
        parts = [part for whole in parts for part in _split(whole, constraints)]
        done = len(parts) <= before
    return parts


def _split(puzzle: Grid, constraints: Constraints) -> Iterator[Grid]:
    digits = pencil_marks(puzzle, constraints)
    if not all(digits):
        return
    choices = [(len(each), cell) for cell, each in enumerate(digits) if len(each) > 1]
    if not choices:
        yield puzzle
        return
    _, cell = min(choices)
    for digit in sorted(digits[cell]):
        cells = bytearray(puzzle.cells)
        cells[cell] = digit
        yield Grid(bytes(cells), puzzle.board)


class Conquest:
    """Processes that each hold the puzzle's query and are handed cubes as they get free.

    Plain processes and pipes: a pool's semaphores would outlive one that is killed.
    """

    def __init__(
        self, backend: Backend, constraints: Constraints, encoding: str, instance: Instance
    ) -> None:
        count = processes()
        self._cubes = [
            Instance("cube", cube, instance.struck, None)
            for cube in cubes(instance.puzzle, constraints, CUBES_A_PROCESS * count)
        ]
        context = multiprocessing.get_context("spawn")
        self._links: list[Connection] = []
        self._processes = []
        for _ in range(count):
            mine, theirs = context.Pipe()
            arguments = (theirs, backend, constraints.name, constraints.board, encoding, instance)
            process = context.Process(target=_serve, args=arguments)
            process.start()
            theirs.close()
            self._links.append(mine)
            self._processes.append(process)
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
            process.kill()
            process.join()


def _received(link: Connection) -> list[bytes]:
    """What a process answers; what went wrong there is raised here."""
    try:
        answer = link.recv()
    except EOFError:
        raise Gave("error", "a process of the parallel search died") from None
    if isinstance(answer, Exception):
        raise answer
    assert isinstance(answer, list)
    return answer


def _serve(
    link: Connection,
    backend: Backend,
    rules: str,
    board: Board,
    encoding: str,
    instance: Instance,
) -> None:
    """In each process: build the query, tell that it stands, then solve cube after cube."""
    try:
        query = backend.open(constraints_for(rules, board), encoding, instance)
        link.send([])
        while True:
            link.send(list(query.solutions(link.recv())))
    except EOFError:
        return  # nobody asks any more
    except Exception as error:
        link.send(error)
