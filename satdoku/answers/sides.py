"""The engine and a session as queries, in slices or in one call.

Invariant: each answers alone. The engine finds one solution of several, so the puzzle is split into
parts to find further ones. A session takes givens and marks as assumptions, so one session serves
many puzzles. The work of a slice is counted, not timed: passes, nodes, propagations, conflicts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from ..cnf.encodings import DEFAULT_ENCODING
from ..engine import kernel
from ..engine.plan import plan_for
from ..engine.single import list_few
from ..engine.targets import NUMPY, fastest
from ..model.constraints import Constraints
from ..model.grid import Grid
from ..model.lowering import Said
from ..model.marks import pencil_marks
from ..model.puzzle import Puzzle
from ..model.shapes import Automaton, Ranked, Tally, clauses_of
from ..runtime import limits
from ..runtime.errors import BudgetError, Status
from ..witness.verify import solves
from .query import Query
from .session import Session, is_open, shared_session
from .solver import DEFAULT_SOLVER, NO_BUDGET, next_conflicts

if TYPE_CHECKING:
    from .solver import Deciding

ENGINE = "engine"
PER_WORK = 1e-10  # seconds of what the engine counts of its work
BATCH = 64  # parts decided in one call
NO_LIMIT = 2**32 - 1  # nodes: the largest budget that the engine takes
# What costs how many seconds, fitted to published puzzles of 36 to 256 cells: a propagation and a
# conflict (of easy puzzles 6e-6, of long searches more; 85 % of 330 come within 1.5 times);
# to make and load a clause when a session opens, and when it grows by implied sums. Before there is
# a formula, the cost of opening is estimated from the size^4 literals of the groups; from the
# clues, up to a bound, because where there are many they are small; and from the clauses that their
# shapes become.
PER_PROPAGATION, PER_CONFLICT, PER_CLAUSE, PER_GROWN = 1.3e-7, 1e-5, 8e-7, 7e-7
OPENING, PER_LITERAL, PER_CLUE, MOST_PER_CLUES, PER_SHAPED = 2e-3, 1.2e-6, 3e-4, 4e-3, 7e-7
PER_EDGE = 1.7  # clauses of an automaton by its states
HEAVY_SUMS, OTHERS = 8_000, 25_000  # of automata; what a session has in place of more (`cnf.clues`)
LATE = 1.6  # times the cost of opening: the engine soon answers most puzzles that took that long
CONFLICTS = 50, 400  # of a session: in its first call, and at most; each may have twice as many
PROPAGATIONS = 4  # where they are not counted: what they add to the conflicts, as a factor


class EngineQuery(Query):
    """The engine, all lanes on one puzzle.

    implementation: which, the fastest if none is named; most: nodes, of a call or in all turns.
    """

    name = ENGINE

    def __init__(
        self, puzzle: Puzzle, limit: int = 2, *, implementation: str = "", most: int = NO_LIMIT
    ) -> None:
        self.limit = limit
        self._puzzle, self._implementation, self._most = puzzle, implementation, most
        self._search: kernel.Search | None = None

    def advance(self, work: float) -> Status | None:
        """Search on; the plan is made for the first turn."""
        if self._implementation == NUMPY:  # which cannot pause
            return super().advance(work)
        search = self._search = self._search or self._opened()
        status = search.advance(max(1, int(work / PER_WORK)))
        self.solution, self.nodes = search.solution, search.nodes
        self.done = PER_WORK * search.work
        is_late = status is None and self.nodes > self._most
        return Status.UNKNOWN if is_late or self._differs_in_layers(status) else status

    def _differs_in_layers(self, status: Status | None) -> bool:
        """Whether the two solutions that were found may be the same but for layers."""
        return status is Status.MULTIPLE and bool(self._puzzle.constraints.board.layers)

    def _opened(self) -> kernel.Search:
        plan = plan_for(self._puzzle.constraints, True)
        target = self._implementation or fastest(plan.classic, not plan.groups, 1)
        asked = self._puzzle.mark_bytes or self._puzzle.grid.cells
        return kernel.Search(plan, asked, self.limit, target)

    def solutions(
        self, under: Puzzle | None = None, *, limit: int | None = None
    ) -> Iterator[bytes]:
        found: set[bytes] = set()
        waiting = [under or self._puzzle]
        while waiting:
            batch, waiting = waiting[-BATCH:], waiting[:-BATCH]
            for part, status, solution in self._decided(batch, 1 if limit == 1 else 2):
                if status is Status.UNKNOWN:
                    raise BudgetError(f"no answer within {self._most} nodes")
                if any(solution) and solution not in found:
                    found.add(solution)
                    yield solution
                if len(found) == limit:
                    return
                if status is Status.MULTIPLE:
                    parts = split(part.grid, part.constraints)
                    waiting += [replace(part, grid=grid) for grid in parts]

    def status(self, under: Puzzle | None = None, *, limit: int = 2) -> Status | None:
        ((_, status, _),) = self._decided([under or self._puzzle], limit)
        return status

    def _decided(
        self, parts: Sequence[Puzzle], limit: int
    ) -> Iterator[tuple[Puzzle, Status, bytes]]:
        """Status and solution of each part, in one call; zeros where there is no solution."""
        import numpy as np  # which turns do without

        from .. import engine

        marked = parts[0].marks is not None  # of all parts alike
        rows = b"".join(part.mark_bytes or part.grid.cells for part in parts)
        puzzles = np.frombuffer(rows, np.bool_ if marked else np.uint8).reshape(len(parts), -1)
        result = engine.solve(
            puzzles,
            parts[0].constraints,
            limit=limit,
            node_budget=self._most,
            implementation=self._implementation or None,
        )
        for part, status, solution in zip(parts, result.status, result.solutions, strict=True):
            yield part, Status(status), solution.tobytes()


class FewQuery(Query):
    """For puzzles with rules that the engine does not know: it lists the solutions of the others,
    and the witness keeps those that obey all rules. No answer if there are too many to list."""

    name = ENGINE

    def __init__(self, puzzle: Puzzle, limit: int = 2) -> None:
        self.limit = limit
        self._puzzle = puzzle

    def solutions(
        self, under: Puzzle | None = None, *, limit: int | None = None
    ) -> Iterator[bytes]:
        puzzle = under or self._puzzle
        grid, constraints = puzzle.grid, puzzle.constraints
        few = None if puzzle.marks else list_few(grid.cells, constraints)
        if few is None:
            raise BudgetError("more solutions than are listed")
        kept = (cells for cells in few if solves(Grid(cells, grid.board), grid, constraints.rules))
        grids = {cells[: grid.board.grid_cells]: cells for cells in kept}
        yield from islice(grids.values(), limit)

    def advance(self, work: float) -> Status | None:
        try:
            found = [*self.solutions(limit=self.limit)]
        except BudgetError:
            return Status.UNKNOWN
        self.solution = next(iter(found), None)
        alone = Status.UNIQUE if self.limit == 2 else Status.SOLVED
        return (Status.NONE, alone, Status.MULTIPLE)[len(found)]


def split(puzzle: Grid, constraints: Constraints) -> list[Grid]:
    """The puzzle with each digit of the cell that has the fewest left, at least two. These parts
    share out its solutions.

    A digit is left unless a given excludes it. No part if a cell has no digit left; the puzzle
    itself if every cell has one.
    """
    digits = pencil_marks(puzzle, constraints)
    if not all(digits):
        return []
    choices = [(len(each), cell) for cell, each in enumerate(digits) if len(each) > 1]
    if not choices:
        return [puzzle]
    _, cell = min(choices)
    before, after = puzzle.cells[:cell], puzzle.cells[cell + 1 :]
    return [Grid(before + bytes([digit]) + after, puzzle.board) for digit in sorted(digits[cell])]


def opening(constraints: Constraints) -> float:
    """The seconds that a session takes to open, by estimate."""
    clues = len(constraints.rules) - len(constraints.names)
    size = constraints.board.choices
    shaped = sum(_loaded(said, size) for said in constraints.said if not said.is_sums_alone)
    summed = sum(_loaded(said, size) for said in constraints.said if said.is_sums_alone)
    shaped += OTHERS if summed > HEAVY_SUMS else summed
    known = PER_LITERAL * constraints.variables * constraints.board.choices
    return OPENING + known + min(PER_CLUE * clues, MOST_PER_CLUES) + PER_SHAPED * shaped


def _loaded(said: Said, size: int) -> int:
    """About how many clauses a session has of what a clue says of three cells or more."""
    known = said.size.clauses - said.forbids
    for shape in said.shapes:
        if isinstance(shape, Tally | Ranked):
            known -= clauses_of(shape, size)
        elif isinstance(shape, Automaton):
            known -= clauses_of(shape, size) - int(PER_EDGE * shape.moves)
    return known


class SessionQuery(Query):
    """A session that is asked about a puzzle.

    session: one of its own, which closes with it; else this thread's for the constraints, the
    solver and the encoding, opened at the first question. conflicts: of each call of the solver,
    beyond which there is no answer.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        limit: int = 2,
        *,
        solver: str = DEFAULT_SOLVER,
        encoding: str = DEFAULT_ENCODING,
        conflicts: int | None = None,
        session: Session | None = None,
    ) -> None:
        self.name, self.limit = solver if session is None else session.solver, limit
        self._puzzle, self._encoding, self._bound = puzzle, encoding, conflicts
        self._session, self._own, self._stack = session, session, ExitStack()
        self._deciding: Deciding | None = None
        self._conflicts, self._clauses = CONFLICTS[0], 0
        self._counts = 0, 0  # propagations and conflicts, as the solver counts them
        self._due: float | None = None  # not asked yet

    @property
    def due(self) -> float:
        """At first what it costs to open a session, if there is none, and more."""
        if self._due is None:
            constraints, own = self._puzzle.constraints, self._session
            is_there = own is not None or is_open(constraints, self.name, self._encoding)
            self._due = 0.0 if is_there else LATE * opening(constraints)
        return self._due

    @due.setter
    def due(self, seconds: float) -> None:
        self._due = seconds

    def solve(self, under: Puzzle | None = None) -> bytes | None:
        with self._about(under) as (session, grid):
            found = session.solve(grid, conflicts=self._bound)
        return None if found is None else found.cells

    def solutions(
        self, under: Puzzle | None = None, *, limit: int | None = None
    ) -> Iterator[bytes]:
        with self._about(under) as (session, grid):
            for found in session.solutions(grid, limit=limit, conflicts=self._bound):
                yield found.cells

    def count(self, under: Puzzle | None = None, *, limit: int | None = None) -> int:
        with self._about(under) as (session, grid):
            return session.count(grid, limit=limit, conflicts=self._bound)

    def candidates(self, under: Puzzle | None = None) -> frozenset[int]:
        with self._about(under) as (session, grid):
            digits = session.candidates(grid, conflicts=self._bound)
        n = grid.board.choices
        return frozenset(n * cell + d - 1 for cell, each in enumerate(digits) for d in each)

    def status(self, under: Puzzle | None = None, *, limit: int = 2) -> Status | None:
        with self._about(under) as (session, grid):
            return session.decide(grid, limit=limit, conflicts=self._bound)[0]

    def counters(self) -> dict[str, int]:
        return self._opened().statistics()

    def close(self) -> None:
        """Forget the puzzle; a session of its own is freed."""
        self._stack.close()
        if self._own is not None:
            self._own.close()

    def _opened(self) -> Session:
        if self._session is None:
            self._session = shared_session(self._puzzle.constraints, self.name, self._encoding)
        return self._session

    @contextmanager
    def _about(self, under: Puzzle | None) -> Iterator[tuple[Session, Grid]]:
        """The session, restricted to the marks of a puzzle, and its givens."""
        puzzle, session = under or self._puzzle, self._opened()
        with session.restricted(puzzle.mark_bytes):
            yield session, puzzle.grid

    # Turns -----------------------------------------------------------------------------------

    def advance(self, work: float) -> Status | None:
        """Call the solver until so much is done; the session is opened for the first turn."""
        until = self.done + self.due + work
        if self._deciding is None:
            self._deciding = self._begun()
        else:
            self.done += self.due
        self.due = 0.0
        status = self._call(self._deciding)
        while status is None and not self._is_expensive(self._deciding) and self.done < until:
            limits.check()
            status = self._call(self._deciding)
        return status

    def _is_expensive(self, deciding: Deciding) -> bool:
        """Whether the next call makes a new solver: that is charged first."""
        if deciding.grows(self._conflicts):
            self.due = PER_GROWN * self._clauses
        return self.due > 0

    def _call(self, deciding: Deciding) -> Status | None:
        """One call of the solver; without a bound if it knows none."""
        if self._bound is not None:
            status = deciding.advance(self._bound)
            self.solution = deciding.first
            return Status.UNKNOWN if status is None else status
        most = None if self.name in NO_BUDGET else self._conflicts
        status = deciding.advance(most)
        self.solution = deciding.first
        before, self._counts = self._counts, deciding.counts()
        if (spent := self._seconds(self._counts) - self._seconds(before)) > 0:
            self.done += spent
        else:  # a solver made anew, or one that does not count
            self.done += PROPAGATIONS * PER_CONFLICT * self._conflicts
        made = max(self._counts[0] - before[0], 0)
        self._conflicts = next_conflicts(self._conflicts, made, CONFLICTS[1])
        return status

    @staticmethod
    def _seconds(counts: tuple[int, int]) -> float:
        """What the solver's own counts amount to, since it was made."""
        propagations, conflicts = counts
        return PER_PROPAGATION * propagations + PER_CONFLICT * conflicts

    def _begun(self) -> Deciding:
        session, cells = self._opened(), self._puzzle.grid.cells
        turns = session.deciding(cells, self._puzzle.mark_bytes, limit=self.limit)
        deciding = self._stack.enter_context(turns)
        self._clauses = len(session.formula.clauses)
        self._counts = deciding.counts()
        if self.due:  # it was not open
            is_strong = session.constraints.has_sums and not deciding.grows(None)
            loaded = (PER_CLAUSE + is_strong * PER_GROWN) * self._clauses
            self.done = max(self.due / LATE, loaded)
        return deciding
