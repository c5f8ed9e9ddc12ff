"""Find the smallest number of givens with which a grid is the only solution.

Invariant: every bound is proved. The lower bound is the size of a smallest set of cells that hits
all known unavoidable sets; the upper bound is a puzzle with exactly one solution.

Cells form an unavoidable set if they can be filled in another way while all other cells of the grid
stay the same. A puzzle has exactly one solution if and only if its givens hit every unavoidable
set. The search takes a smallest hitting set as givens. If these have another solution, it adds one
more unavoidable set and repeats. For a full grid of up to 81 cells, under rules that are houses,
it excludes one number of givens after the other instead (`exact`), if the C code is there.

Sources: G. McGuire, B. Tugemann, G. Civario, There is no 16-Clue Sudoku, Experimental Mathematics
23 (2014); for the loop, J. Davies, F. Bacchus, Solving MAXSAT by Solving a Sequence of Simpler SAT
Instances, CP 2011.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from .. import engine
from ..answers.session import Session
from ..certificates.hitting import COMPILED as HITTING_COMPILED
from ..certificates.hitting import as_cells, numbers, serves
from ..files.one import PuzzleLike, Rules, without_marks
from ..model.constraints import Constraints
from ..model.grid import Grid
from ..runtime import limits
from ..runtime.errors import BudgetError, SatdokuError, Status
from .exact import Late, Puzzles, Search, puzzles_with_givens
from .hitting import HittingSets
from .others import COMPILED, thirds

__all__ = ["Fewest", "FewestError", "Puzzles", "Report", "fewest_givens", "puzzles_with_givens"]

Cells = frozenset[int]
Report = Callable[[int, int], None]

_WITHIN = 30  # solutions to look at when shrinking an unavoidable set
_NODES = 1000  # node budget of the engine for each candidate puzzle
_REGION = 200  # solutions to look at in each region at the start


class FewestError(SatdokuError):
    """The puzzle does not have exactly one solution; `status` is what it has instead."""

    def __init__(self, message: str, status: Status) -> None:
        super().__init__(message, status)
        self.status = status

    def __str__(self) -> str:
        return str(self.args[0])


class Fewest(NamedTuple):
    """At least `low` givens are needed, and the `high` givens of `puzzle` suffice.

    sets: unavoidable sets, restricted to the cells that the original puzzle gives. No set of fewer
    than `low` cells hits all of them.
    """

    low: int
    high: int
    puzzle: Grid
    sets: tuple[Cells, ...]

    def __repr__(self) -> str:
        bounds = str(self.high) if self.proven else f"{self.low} to {self.high}"
        return f"<Fewest: {bounds} givens, {len(self.sets):,} unavoidable sets: {self.puzzle}>"

    @property
    def proven(self) -> bool:
        """Whether it is proved that no puzzle has fewer givens."""
        return self.low == self.high

    def tells(self, enough: int | None) -> bool:
        """Whether the minimum is proved, or whether `enough` givens suffice is known."""
        return _tells(self.low, self.high, enough)

    @property
    def words(self) -> str:
        """The bounds and the puzzle, on one line."""
        bounds = str(self.low) if self.proven else f"{self.low}..{self.high}"
        return f"{bounds} {self.puzzle}"

    def as_data(self) -> dict[str, Any]:
        """The bounds, the puzzle and the unavoidable sets as plain values for JSON."""
        return {
            "low": self.low,
            "high": self.high,
            "proven": self.proven,
            "fewest": str(self.puzzle),
            "unavoidable_sets": [sorted(cells) for cells in self.sets],
        }


def _tells(low: int, high: int, enough: int | None) -> bool:
    return low == high or (enough is not None and not low <= enough < high)


def fewest_givens(
    puzzle: PuzzleLike,
    rules: Rules = None,
    *,
    enough: int | None = None,
    timeout: float | None = None,
    on_bounds: Report | None = None,
) -> Fewest:
    """The fewest givens of a grid, or of a puzzle with one solution, that keep its solution unique.

    The search stops when the minimum is proved, when it is known whether `enough` givens suffice,
    or after `timeout` seconds; the result then contains bounds. `on_bounds(low, high)` is called
    whenever a bound improves. Grids of 4x4 and 6x6 take seconds at most; for a classic 9x9 grid 16
    givens are excluded in about a second and 17 in half a minute. Raises
    `FewestError` if the puzzle does not have one solution.
    """
    deadline = None if limits.left(timeout) is None else limits.until(timeout)
    with ExitStack() as stack:
        try:
            with limits.within(timeout):
                grid, constraints = without_marks(puzzle, rules)
                session = stack.enter_context(Session(constraints))
                solution = _only_solution(grid, session)
        except BudgetError as error:
            raise FewestError(str(error), Status.UNKNOWN) from None
        search = _Search(grid, solution, session, deadline)
        for low, high in search.improve(enough):
            if on_bounds:
                on_bounds(low, high)
            if _tells(low, high, enough):
                break
        search.close()
    return Fewest(search.low, len(search.best), search.puzzle_of(search.best), tuple(search.sets))


def _only_solution(grid: Grid, session: Session) -> Grid:
    status, solution = session.decide(grid)
    if status is not Status.UNIQUE or solution is None:
        text = f"{grid} has no unique solution ({status}), so no set of its givens has one"
        raise FewestError(text, status)
    return solution


def _suits(constraints: Constraints, grid: Grid) -> bool:
    """Whether `exact` is the quicker way."""
    houses_alone = not constraints.pairs and not constraints.clue_texts
    return COMPILED and HITTING_COMPILED and houses_alone and serves(thirds(grid, columns=False))


class _Search:
    """Unavoidable sets of one solution, a lower bound from them, and the best puzzle so far.

    Givens may be chosen only among the cells that the puzzle gives, so the sets hold no other
    cells.
    """

    def __init__(
        self, puzzle: Grid, solution: Grid, session: Session, deadline: float | None
    ) -> None:
        self.solution, self.session, self.deadline = solution, session, deadline
        self.cells = frozenset(cell for cell, digit in enumerate(puzzle.cells) if digit)
        self.low, self.best = 0, self.cells
        self.sets: list[Cells] = []
        self._hitting = HittingSets(self.cells)
        self._exact: Search | None = None
        if puzzle == solution and _suits(session.constraints, solution):
            self._exact = Search(solution, session, deadline)

    def close(self) -> None:
        """Free the MaxSAT solver."""
        self._hitting.close()

    def improve(self, enough: int | None) -> Iterator[tuple[int, int]]:
        """Yield the bounds whenever they improve; ends when they meet or the time is over, and may
        end when it is known whether `enough` givens suffice."""
        yield self.low, len(self.best)
        for region in self._regions():
            if self._over():
                return
            self._learn(self._others(region, _REGION))
        before = self.low, len(self.best)
        while self.low < len(self.best) and not self._over():
            self._step()
            now = self.low, len(self.best)
            if now != before:
                yield now
            before = now
            if self._exact:
                yield from self._exclude(self._exact, enough)
                return

    def _exclude(self, exact: Search, enough: int | None) -> Iterator[tuple[int, int]]:
        """Ask for a puzzle with one number of givens after the other, or with `enough` alone."""
        with suppress(Late):
            for givens in range(self.low, len(self.best)) if enough is None else [enough]:
                exact.choose_parts(givens)
                cells = exact.first(givens)
                if cells is None:
                    self.low = givens + 1
                    self.sets = [frozenset(as_cells(cells)) for cells in numbers(exact.sets)]
                else:
                    self.best = frozenset(as_cells(cells))
                yield self.low, len(self.best)

    def _step(self) -> None:
        """Compute a smallest hitting set: either its puzzle is unique, or it gives more sets."""
        smallest = self._hitting.smallest(self.deadline)
        self.low = max(self.low, self._hitting.bound)
        if smallest is None or self._over():
            return
        other = self._other(smallest)
        if other is None:
            self.best = smallest
            return
        self._learn(self._smallest_within(other))
        self._lower_high(smallest)

    # Unavoidable sets

    def _regions(self) -> Iterator[Cells]:
        """Regions that often contain small unavoidable sets: two digits, two lines, two boxes."""
        digits = self.solution.cells
        board = self.session.constraints.board
        same = [tuple(c for c, d in enumerate(digits) if d == n) for n in sorted(set(digits))]
        for kind in (same, board.rows, board.columns, board.boxes):
            for one, other in combinations(kind, 2):
                yield frozenset(one + other)

    def _others(self, region: Cells, limit: int) -> list[Cells]:
        """Unavoidable sets inside a region, from other solutions that differ only there."""
        kept = self.puzzle_of(frozenset(range(len(self.solution.cells))) - region)
        found = self.session.solutions(kept, limit=limit)
        return [cells for cells in map(self._difference, found) if cells]

    def _smallest_within(self, region: Cells) -> list[Cells]:
        """Small unavoidable sets inside a larger one."""
        while True:
            found = self._others(region, _WITHIN)
            smallest = min(found, key=len)
            if len(found) < _WITHIN - 1 or smallest == region:
                return found
            region = smallest

    def _learn(self, sets: list[Cells]) -> None:
        """Restrict the sets to the puzzle's givens and keep those that contain no known set."""
        for cells in sorted((found & self.cells for found in sets), key=len):
            if not any(known <= cells for known in self.sets):
                self.sets.append(cells)
                self._hitting.hit(cells)

    def _other(self, givens: Cells) -> Cells | None:
        """The cells in which another solution with these givens differs; None if there is none."""
        found = self.session.solutions(self.puzzle_of(givens), limit=2)
        return next((cells for cells in map(self._difference, found) if cells), None)

    def _difference(self, other: Grid) -> Cells:
        pairs = enumerate(zip(self.solution.cells, other.cells, strict=True))
        return frozenset(cell for cell, (mine, theirs) in pairs if mine != theirs)

    # Puzzles

    def puzzle_of(self, givens: Cells) -> Grid:
        """The puzzle that gives only these cells of the solution."""
        cells = bytes(d if c in givens else 0 for c, d in enumerate(self.solution.cells))
        return Grid(cells, self.solution.board)

    def _lower_high(self, start: Cells) -> None:
        """Make a puzzle with few givens from a hitting set: add givens, remove some, exchange."""
        givens = start
        while (other := self._other(givens)) is not None:
            sets = self._smallest_within(other)
            self._learn(sets)
            givens |= {self._busiest(min(sets, key=len) & self.cells)}
        givens = self._thinned(givens)
        while len(givens) > self.low and not self._over():
            fewer = self._exchanged(givens)
            if fewer is None:
                break
            givens = self._thinned(fewer)
        if len(givens) < len(self.best):
            self.best = givens

    def _busiest(self, cells: Cells) -> int:
        """The cell that is in the largest number of sets."""
        return max(sorted(cells), key=lambda cell: sum(cell in known for known in self.sets))

    def _thinned(self, givens: Cells) -> Cells:
        """Remove givens one after the other as long as the solution stays unique."""
        for cell in sorted(givens, key=lambda c: sum(c in known for known in self.sets)):
            if self._other(givens - {cell}) is None:
                givens -= {cell}
        return givens

    def _exchanged(self, givens: Cells) -> Cells | None:
        """Replace two givens by one if the solution stays unique; None if no exchange does.

        The known sets rule out most exchanges without a search.
        """
        options = []
        for pair in combinations(sorted(givens), 2):
            kept = givens.difference(pair)
            unhit = [known for known in self.sets if not known & kept]
            able = frozenset.intersection(*unhit) if unhit else self.cells
            options += [kept | {cell} for cell in able - givens]
        if not options:
            return None
        digits = np.array(self.solution)
        puzzles = np.zeros((len(options), len(digits)), np.uint8)
        for row, option in zip(puzzles, options, strict=True):
            row[list(option)] = digits[list(option)]
        status = engine.solve(puzzles, self.session.constraints, node_budget=_NODES).status
        unique = np.flatnonzero(status == Status.UNIQUE)
        return options[unique[0]] if len(unique) else None

    def _over(self) -> bool:
        return self.deadline is not None and time.monotonic() > self.deadline
