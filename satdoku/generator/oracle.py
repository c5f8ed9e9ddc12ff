"""The questions that a generator asks, each with exactly one right answer, and their errors.

Invariant: nothing here depends on which of several solutions is found first. The status of a
puzzle, the solution of a unique one, its rating and the set of all solutions are facts. So the same
seed gives the same puzzles with the C kernel, with numpy and with any CDCL solver. An error says
what was found and what was asked for.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import engine
from ..batch.decide import BatchResult, decide
from ..batch.options import BatchOptions
from ..explain.rated import codes_of, rate_rows, techniques_under
from ..model.constraints import Constraints
from ..ratings.scale import FIELDS
from ..runtime import limits
from ..runtime.errors import SatdokuError, Status, no_such
from .watch import deadline


class GeneratorError(SatdokuError):
    """Puzzles that cannot be made, or that were not found within the tries allowed."""


class NotUniqueError(SatdokuError):
    """A puzzle that cannot be minimized because it has no solution, or several."""


# Search nodes before CDCL is asked; nearly all puzzles take fewer. No answer depends on it.
NODE_BUDGET = 20_000

Grids = NDArray[np.uint8]
Mask = NDArray[np.bool_]
Ints = NDArray[np.intp]


class Completions(NamedTuple):
    """All solutions of N puzzles: those of puzzle i are grids[starts[i]:starts[i] + counts[i]].

    grids (K, cells) uint8, in lexicographic order for each puzzle; starts and counts (N,) intp;
    too_many (N,) bool: more than asked for, and then none are kept.
    """

    grids: Grids
    starts: Ints
    counts: Ints
    too_many: Mask


def answers(puzzles: Grids | Mask, constraints: Constraints) -> BatchResult:
    """Statuses NONE, UNIQUE or MULTIPLE of puzzles, as digits (N, cells) or marks (N, variables).

    Only the solutions of unique puzzles may be used: which of several is found is not promised.
    They are not verified here; `make_block` checks every puzzle that is kept.
    """
    return _decided(puzzles, constraints, limit=2)


def solvable(puzzles: Grids | Mask, constraints: Constraints) -> Mask:
    """Which puzzles, as digits (N, cells) or marks (N, variables), have a solution."""
    some: Mask = _decided(puzzles, constraints, limit=1).statuses != Status.NONE
    return some


def _decided(puzzles: Grids | Mask, constraints: Constraints, limit: int) -> BatchResult:
    options = BatchOptions(constraints, limit, node_budget=NODE_BUDGET)
    found = decide(puzzles, options, deadline())
    if Status.UNKNOWN in found.statuses.tobytes():
        raise limits.late()
    return found


def unique(puzzles: Grids, constraints: Constraints, listed: Grids | None = None) -> Mask:
    """Which puzzles (N, cells) have exactly one solution; `listed` are all grids, where known."""
    if listed is None:
        one: Mask = answers(puzzles, constraints).statuses == Status.UNIQUE
    else:
        empty = puzzles == 0
        fitting = [((puzzles == grid) | empty).all(axis=1) for grid in listed]
        one = np.sum(fitting, axis=0) == 1
    return one


def completions(puzzles: Grids, constraints: Constraints, limit: int) -> Completions:
    """All solutions of puzzles (N, cells), where there are at most `limit`.

    A puzzle with several is split by the digits of a cell with the fewest candidates, its parts
    again, until each has one; all puzzles' parts are solved together.
    """
    owners, nodes = np.arange(len(puzzles)), puzzles
    too_many = np.zeros(len(puzzles), np.bool_)
    known = np.zeros(len(puzzles), np.intp)
    found = [(owners[:0], puzzles[:0])]
    while len(nodes):
        status, solutions, *_ = answers(nodes, constraints)
        one, several = status == Status.UNIQUE, status == Status.MULTIPLE
        found.append((owners[one], solutions[one]))
        known += np.bincount(owners[one], minlength=len(puzzles))
        too_many |= known + 2 * np.bincount(owners[several], minlength=len(puzzles)) > limit
        several &= ~too_many[owners]
        nodes, owners = _split(nodes[several], owners[several], constraints)
    return _sorted(found, too_many)


def candidates_left(marks: Mask) -> Grids:
    """How many candidates each cell has, (N, cells), in marks (N, cells, size)."""
    widths: Grids = np.einsum("ncd->nc", marks.view(np.uint8))  # three times as quick as `sum`
    return widths


def _split(nodes: Grids, owners: Ints, constraints: Constraints) -> tuple[Grids, Ints]:
    """Each node once for every digit of one of its cells, and whose parts they are."""
    if not len(nodes):
        return nodes, owners
    board = constraints.board
    marks = engine.propagate(nodes, constraints)[0].reshape(-1, board.cells, board.choices)
    widths = candidates_left(marks)
    cells = np.where(widths > 1, widths, np.uint8(255)).argmin(axis=1)
    parents, digits = np.nonzero(marks[np.arange(len(nodes)), cells])
    children = nodes[parents]
    children[np.arange(len(parents)), cells[parents]] = digits + 1
    return children, owners[parents]


def _sorted(found: list[tuple[Ints, Grids]], too_many: Mask) -> Completions:
    owners = np.concatenate([part for part, _ in found])
    grids = np.concatenate([part for _, part in found])
    kept = ~too_many[owners]
    owners, grids = owners[kept], grids[kept]
    keys = np.ascontiguousarray(grids).view(f"S{grids.shape[1]}").ravel()  # no cell is 0
    order = np.lexsort((keys, owners))
    counts = np.bincount(owners, minlength=len(too_many))
    return Completions(grids[order], np.cumsum(counts) - counts, counts, too_many)


class Difficulty(NamedTuple):
    """What is asked for on the scale of `rate`; None for any.

    er: (least, most) rating of the hardest step, both included; technique: the name of that step.
    """

    er: tuple[float, float] | None = None
    technique: str | None = None

    @property
    def words(self) -> list[str]:
        """What is asked for, for messages: `ER 7.0 to 8.0`, `technique XY-wing`."""
        words = [f"ER {self.er[0]:.1f} to {self.er[1]:.1f}"] if self.er else []
        return words + ([f"technique {self.technique}"] if self.technique else [])

    def check(self, constraints: Constraints, *, clues: bool = False) -> None:
        """Raise `GeneratorError` if there are no such puzzles; clues: with further clues."""
        if self.er and not 0 <= self.er[0] <= self.er[1]:
            raise GeneratorError(f"{self.words[0]}: expected LO-HI, such as 2-5")
        known = techniques_under(None if clues else constraints)
        if self.technique and self.technique.strip().lower() not in map(str.lower, known):
            raise GeneratorError(no_such("technique", self.technique, dict.fromkeys(known)))

    def has(self, puzzles: Grids, constraints: Constraints) -> Mask:
        """Which of the puzzles (N, cells), each with one solution, are of this difficulty."""
        fits = np.ones(len(puzzles), np.bool_)
        if self == ANY:
            return fits
        rows = rate_rows(puzzles.tobytes(), constraints)
        found = np.frombuffer(rows, np.int32).reshape(-1, FIELDS)
        if self.er:
            low, high = (round(10 * bound) for bound in self.er)
            fits &= (found[:, 0] >= low) & (found[:, 0] <= high)
        if self.technique:
            fits &= np.isin(found[:, 3], codes_of(self.technique))
        return fits


ANY = Difficulty()
