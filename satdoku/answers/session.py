"""A long-lived solver for the puzzles of one rule set.

Invariant: givens are assumptions, and every clause that a query adds has an activation literal,
which is retired when the query ends, or the `with` statement around it. So no query changes the
answer of a later one. Every grid that a session returns as a solution has passed `witness.verify`,
which shares no code with the encoder.
A rule or a kind of clue that the witness does not state is an error when this module is imported.
No two threads share a session.

    session = Session("knight")
    session.solve(puzzle)             # Grid, or None if there is no solution
    session.classify(puzzle)          # Status.UNIQUE, MULTIPLE, NONE or INVALID
    list(session.solutions(puzzle, limit=10))
    session.count(puzzle, limit=1000)
    session.propagate(puzzle)         # what unit propagation alone fixes
    session.candidates(puzzle)        # digits of each cell over all solutions
    session.core(puzzle)              # givens that no solution has together
    with session.under(clauses): ...  # with clauses and assumptions of your own
    session.close()                   # or use it in a `with` statement

Every encoding works: the formula tells which literals state a candidate, and solutions are counted
by their grids, not by auxiliary variables. A formula of the `reduced` encoding belongs to one
puzzle, so its solver is rebuilt for each puzzle; any other solver serves all puzzles.

Learnt clauses and retired activation literals pile up, so the solver is rebuilt from the formula
every `recycle` queries. An enumeration that is under way keeps the solver that it began with.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from math import inf, isqrt
from typing import TYPE_CHECKING, Self

from ..cnf.encodings import DEFAULT_ENCODING, Formula, encode
from ..cnf.encodings.formula import CodedFormula
from ..model.board import Board
from ..model.constraints import Constraints, RulesLike, constraints_for
from ..model.grid import Grid, GridLike, as_grid
from ..model.kinds import KINDS
from ..model.rules import RULES
from ..runtime import limits, package
from ..runtime.errors import Status, WitnessError, counted, no_such
from ..witness.rules import require_statements
from ..witness.verify import refusal, violations
from .solver import (
    DEFAULT_SOLVER,
    NO_BUDGET,
    SHORT_SLICE,
    SOLVERS,
    Deciding,
    Images,
    Literals,
    LoadedSolver,
    Propagator,
    SolverError,
    itself,
)

if TYPE_CHECKING:
    from .solver import Solver

require_statements((*RULES, *KINDS))


class Candidates(tuple[frozenset[int], ...]):
    """For each cell, row by row, the digits that it has in some solution."""

    __slots__ = ()

    def __repr__(self) -> str:
        fixed = sum(len(digits) == 1 for digits in self)
        cells = counted(len(self), "cell")
        return f"<Candidates: {sum(map(len, self)):,} in {cells}, {fixed} with one>"

    def _repr_html_(self) -> str:
        """The picture that a notebook shows, with the usual boxes; what is certain is large."""
        certain = bytes(min(digits) if len(digits) == 1 else 0 for digits in self)
        return package.svg(bytes(len(self)), _rules(len(self)), solution=certain, candidates=self)


def _rules(cells: int) -> str:
    size = isqrt(cells)
    return "classic" if Board.of_size(size).has_boxes else f"latin={size}"


DEFAULT_RECYCLE = 2000


class Session:
    """One rule set, one solver, any number of puzzles. Use one session per thread.

    rules: a rule set or `Constraints`; solver: a name of SOLVERS; encoding: a name of ENCODINGS, or
    a `Formula`, whose constraints then replace `rules`; recycle: queries between two rebuilds;
    verify: False returns solutions unchecked, for callers that compare or time solvers.

    The argument `conflicts` of a query bounds the conflicts of each solver call; beyond it
    `classify` answers UNKNOWN and the other queries raise `BudgetError`. Glucose checks its budget
    only when it restarts, so it may exceed a small one. `timeout` bounds the seconds of a query in
    the same way; the solver may overrun it a little.
    """

    def __init__(
        self,
        rules: RulesLike = "classic",
        *,
        solver: str = DEFAULT_SOLVER,
        encoding: str | Formula = DEFAULT_ENCODING,
        recycle: int = DEFAULT_RECYCLE,
        verify: bool = True,
    ) -> None:
        if solver not in SOLVERS:
            raise SolverError(no_such("solver", solver, SOLVERS))
        if isinstance(encoding, Formula):
            self.constraints, self.formula = encoding.constraints, encoding
            self._grows, self._encoding = False, ""
        else:
            self.constraints = constraints_for(rules)
            self.formula, is_strong = _stated(self.constraints, encoding)
            self._grows = self.constraints.has_sums and not is_strong
            self._grows &= not isinstance(self.formula, CodedFormula)
            self._encoding = self.formula.encoding
        self.solver = solver
        self.recycle = recycle
        self.verify = verify
        self._closed = False
        self._core: LoadedSolver | None = None
        self._propagator: Propagator | None = None
        self._marks: bytes | None = None  # within `restricted`
        self._struck: tuple[_Held, ...] = ()
        self._own: tuple[_Held, ...] = ()  # within `under`
        self._variables: set[int] = set()  # of `new_variable`

    # Life ------------------------------------------------------------------------------------

    def prepare(self, puzzle: GridLike | None = None) -> None:
        """Build the solver now, not at the first query; `reduced` needs to know the puzzle."""
        self._adopt(
            bytes(self.constraints.board.cells) if puzzle is None else self._read(puzzle).cells
        )
        self._core = self._core or self._loaded()

    @property
    def pysat(self) -> Solver:
        """The PySAT solver itself, with all that it has learnt; loaded now if there is none.

        Its variables beyond those of `formula` and `new_variable` are activation literals. What you
        add to it holds for later queries, too. A new one comes every `recycle` queries, and for a
        hard question about sums: ask again each time.
        """
        self.prepare()
        assert self._core is not None
        return self._core.pysat

    def new_variable(self) -> int:
        """A variable for clauses of your own: no clause has it, and it is yours in this session."""
        self.prepare()
        assert self._core is not None
        variable = self._core.new_variable()
        self._variables.add(variable)
        return variable

    def close(self) -> None:
        """Free the solver; a later query is an error."""
        self._core = self._propagator = None
        self._closed = True

    @property
    def is_open(self) -> bool:
        """Whether a solver is loaded."""
        return self._core is not None

    def statistics(self) -> dict[str, int]:
        """The solver's own counts since it was built: conflicts, decisions, propagations.

        Counts that the solver does not keep are left out (some report 0 propagations).
        """
        counts = {} if self._core is None else self._core.statistics()
        return {name: count for name, count in counts.items() if count or name != "propagations"}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Queries -----------------------------------------------------------------------------------

    def solve(
        self, puzzle: GridLike, *, conflicts: int | None = None, timeout: float | None = None
    ) -> Grid | None:
        """A solution, or None if there is none."""
        grid = self._read(puzzle)
        core, givens = self._ask(grid.cells)
        return self._solution(core.find(givens, conflicts, self._until(timeout)), grid)

    def classify(
        self, puzzle: GridLike, *, conflicts: int | None = None, timeout: float | None = None
    ) -> Status:
        """INVALID if givens clash, else NONE, UNIQUE, MULTIPLE, or UNKNOWN beyond the budget."""
        return self.decide(puzzle, conflicts=conflicts, timeout=timeout)[0]

    def decide(
        self,
        puzzle: GridLike,
        *,
        limit: int = 2,
        conflicts: int | None = None,
        timeout: float | None = None,
    ) -> tuple[Status, Grid | None]:
        """`classify` together with a solution if there is one; limit 1 stops at SOLVED."""
        grid = self._read(puzzle)
        status, cells = _decide(*self._ask(grid.cells), limit, conflicts, self._until(timeout))
        if status is Status.NONE and violations(grid, self.constraints.rules):
            status = Status.INVALID
        return status, self._solution(cells, grid)

    def decide_cells(
        self,
        cells: bytes,
        *,
        limit: int = 2,
        conflicts: int | None = None,
        timeout: float | None = None,
    ) -> tuple[Status, bytes | None]:
        """`decide` on bytes, for a batch: nothing is checked, and clashing givens are just NONE."""
        return _decide(*self._ask(cells), limit, conflicts, self._until(timeout))

    @contextmanager
    def deciding(
        self, cells: bytes, marks: bytes | None = None, *, limit: int = 2
    ) -> Iterator[Deciding]:
        """`decide_cells` and `decide_marks` in slices, so that others can take turns."""
        with self.restricted(marks), closing(Deciding(*self._ask(cells), limit)) as deciding:
            yield deciding

    def decide_marks(
        self,
        marks: bytes,
        *,
        limit: int = 2,
        conflicts: int | None = None,
        timeout: float | None = None,
    ) -> tuple[Status, bytes | None]:
        """`decide_cells` for pencil marks: one byte per candidate, 0 if the digit is excluded."""
        with self.restricted(marks):
            empty = bytes(self.constraints.board.cells)
            return self.decide_cells(empty, limit=limit, conflicts=conflicts, timeout=timeout)

    @contextmanager
    def restricted(self, marks: bytes | None) -> Iterator[None]:
        """Restrict every query within this context to pencil marks; None restricts nothing.

        marks: one byte per candidate (cell-major, digit 1 first), 0 if the digit is excluded.
        Take all solutions of `solutions` before the context ends. `propagate` raises `SolverError`.
        """
        struck = () if marks is None else (_Held(lambda solver: solver.struck(marks)),)
        before = self._marks, self._struck
        self._marks, self._struck = marks, struck
        try:
            yield
        finally:
            self._marks, self._struck = before
            for each in struck:
                each.end()

    @contextmanager
    def under(
        self, clauses: Iterable[Sequence[int]] = (), assumptions: Iterable[int] = ()
    ) -> Iterator[None]:
        """Make every query within this context obey these clauses, and assume these literals.

        Literals are those of `formula` (`Formula.says`, `Formula.literals`) and of `new_variable`.
        Contexts add up. A clause of one literal counts as an assumption, which `core` may name.
        Take all solutions of `solutions` before the context ends. `propagate` raises `SolverError`;
        so does the encoding `reduced`.
        """
        given = [*map(tuple, clauses), *((literal,) for literal in assumptions)]
        self._require_literals()
        self._require_known(given)
        own = _Held(lambda solver: solver.holding(given))
        before, self._own = self._own, (*self._own, own)
        try:
            yield
        finally:
            self._own = before
            own.end()

    def solutions(
        self,
        puzzle: GridLike,
        *,
        limit: int | None = None,
        conflicts: int | None = None,
        timeout: float | None = None,
        images: Images = itself,
    ) -> Iterator[Grid]:
        """All solutions, each once, as they are found; at most `limit`.

        images: maps a solution to its distinct images under the symmetries of the puzzle, itself
        included; the solver need not find these.
        """
        grid = self._read(puzzle)
        core, givens = self._ask(grid.cells)
        found = core.enumerate(givens, limit, conflicts, self._until(timeout), images)
        return (self._checked(cells, grid) for cells in found)

    def count(
        self, puzzle: GridLike, *, limit: int | None = None, conflicts: int | None = None
    ) -> int:
        """Number of solutions, or `limit` if there are at least that many."""
        return sum(1 for _ in self.solutions(puzzle, limit=limit, conflicts=conflicts))

    def propagate(self, puzzle: GridLike) -> Grid | None:
        """The grid with every cell that unit propagation alone fixes; None if it conflicts.

        How much that is depends on the encoding, not on earlier queries.
        """
        if self._marks is not None or self._own:
            what = "pencil marks" if self._marks is not None else "clauses of your own"
            raise SolverError(f"unit propagation of {what} is not supported")
        cells = self._read(puzzle).cells
        self._adopt(cells)
        if self._propagator is None:
            is_own = self.formula.puzzle is not None or not self._encoding
            as_encoded = self.formula if is_own else encode(self.constraints, self._encoding)
            self._propagator = Propagator(as_encoded)
        implied = self._propagator.implied(self.formula.literals(cells))
        board = self.constraints.board
        return None if implied is None else Grid(self.formula.fixed(implied), board)

    def candidates(
        self, puzzle: GridLike, *, conflicts: int | None = None, timeout: float | None = None
    ) -> Candidates:
        """The true candidates: for each cell the digits that it has in some solution."""
        digits: list[set[int]] = [set() for _ in range(self.constraints.board.cells)]
        for solution in self.covering(puzzle, conflicts=conflicts, timeout=timeout):
            for seen, digit in zip(digits, solution, strict=True):
                seen.add(digit)
        return Candidates(map(frozenset, digits))

    def covering(
        self,
        puzzle: GridLike,
        wanted: Container[int] | None = None,
        *,
        conflicts: int | None = None,
        timeout: float | None = None,
    ) -> Iterator[Grid]:
        """Solutions that together have every candidate that some solution has, of those `wanted`
        (cell-major, from 0) if these are named."""
        grid = self._read(puzzle)
        core, givens = self._ask(grid.cells)
        deadline = self._until(timeout)
        found = core.solutions_with_every_candidate(givens, conflicts, deadline, wanted)
        return (self._checked(cells, grid) for cells in found)

    def core(
        self,
        puzzle: GridLike,
        *,
        minimal: bool = False,
        conflicts: int | None = None,
        timeout: float | None = None,
    ) -> tuple[int, ...] | None:
        """Givens, struck candidates and assumptions that no solution has together, as literals of
        the formula in ascending order; None if the puzzle has a solution.

        It is empty if the rules and the clauses of `under` have no solution at all. minimal: no
        literal can be left out. `formula.in_words(literal)` names one. The encoding `reduced`
        raises `SolverError`.
        """
        self._require_literals()
        grid = self._read(puzzle)
        solver, givens = self._ask(grid.cells)
        deadline = self._until(timeout)
        if (solution := solver.find(givens, conflicts, deadline)) is not None:
            self._checked(solution, grid)
            return None
        named = {literal for literal in givens if self._is_known(literal)}
        held = [literal for literal in givens if literal not in named]
        left = sorted(named & solver.refuted())
        needed: list[int] = []
        while minimal and left:
            tried = left.pop()
            if solver.find([*held, *needed, *left], conflicts, deadline) is None:
                left = sorted(solver.refuted().intersection(left))
            else:
                needed.append(tried)
        return tuple(sorted([*left, *needed]))

    # Inside ------------------------------------------------------------------------------------

    def _read(self, puzzle: GridLike) -> Grid:
        return as_grid(puzzle, self.constraints.board)

    def _solution(self, cells: bytes | None, puzzle: Grid) -> Grid | None:
        return None if cells is None else self._checked(cells, puzzle)

    def _checked(self, cells: bytes, puzzle: Grid) -> Grid:
        """The solver's solution as a grid, verified unless that is switched off."""
        solution = Grid(cells, self.constraints.board)
        if not self.verify:
            return solution
        return verified(solution, puzzle, self.constraints, self._marks)

    def _ask(self, cells: bytes) -> tuple[LoadedSolver, Literals]:
        """The solver for one more query, a new one every `recycle` queries, and the givens."""
        self._adopt(cells)
        core = self._core
        if core is None or core.queries >= self.recycle:
            core = self._core = self._loaded()
        core.queries += 1
        givens = self.formula.literals(cells)
        for held in (*self._struck, *self._own):
            givens += held.assumptions(core)
        return core, givens

    def _is_known(self, literal: int) -> bool:
        """Whether a literal is the formula's or of `new_variable`."""
        return 0 < abs(literal) <= self.formula.variables or abs(literal) in self._variables

    def _require_literals(self) -> None:
        """Raise `SolverError` if the givens are no literals, but built into the clauses."""
        if self.formula.puzzle is not None:
            raise SolverError(
                f"encoding {self.formula.encoding}: givens are built into its clauses; "
                "expected another one for cores and clauses of your own"
            )

    def _require_known(self, clauses: Sequence[Sequence[int]]) -> None:
        """Raise `SolverError` if a literal of the clauses has no meaning."""
        for clause in clauses:
            for literal in clause:
                if not self._is_known(literal):
                    top = self.formula.variables
                    raise SolverError(
                        f"clause {list(clause)}: found {literal}, "
                        f"expected literals -{top}..{top} without 0, or of `new_variable`"
                    )

    def _until(self, timeout: float | None) -> float:
        """When a query has to end; a limit around it binds no solver that cannot be limited."""
        free = timeout is None and self.solver in NO_BUDGET
        return inf if free else limits.until(timeout)

    def _loaded(self) -> LoadedSolver:
        own = max(self._variables, default=0)
        return LoadedSolver(self.formula, self.solver, grows=self._grows, own=own)

    def _adopt(self, cells: bytes) -> None:
        """Replace the formula by the one of this puzzle, if the encoding is of a single puzzle;
        raises `SolverError` if the session is closed."""
        if self._closed:
            raise SolverError("the session is closed: open another one")
        if self.formula.puzzle is not None and self.formula.puzzle != cells:
            self.formula = encode(self.constraints, self.formula.encoding, cells)
            self._core = self._propagator = None


def _stated(constraints: Constraints, encoding: str) -> tuple[Formula, bool]:
    """The formula of a session, and whether it has the sums that follow."""
    if not constraints.is_wide:
        return encode(constraints, encoding), False
    from ..cnf.clues import stated  # few puzzles have sums or ranks

    return stated(constraints, encoding)


class _Held:
    """Clauses that hold for a while, added once to each solver that is asked meanwhile."""

    def __init__(self, holds: Callable[[LoadedSolver], AbstractContextManager[Literals]]) -> None:
        self._holds, self._until = holds, ExitStack()
        self._solver: LoadedSolver | None = None
        self._assumptions: Literals = []

    def assumptions(self, solver: LoadedSolver) -> Literals:
        """The assumptions under which they hold in this solver."""
        if self._solver is not solver:
            self._assumptions = self._until.enter_context(self._holds(solver))
            self._solver = solver
        return self._assumptions

    def end(self) -> None:
        """They hold no longer."""
        self._until.close()


def verified(
    solution: Grid,
    puzzle: Grid,
    constraints: Constraints,
    marks: bytes | None = None,
    by: str = "the solver",
) -> Grid:
    """The solution itself if `witness.verify` accepts it and it keeps to the pencil marks, if there
    are any; else raises `WitnessError`, which says who claims it and what it breaks."""
    if why := refusal(solution, puzzle, constraints.rules, marks):
        problem = f"{solution} is no solution of {puzzle} under {constraints.name}"
        raise WitnessError(f"{by} claims a solution, but {why}: {problem}")
    return solution


def _decide(
    core: LoadedSolver,
    givens: Literals,
    limit: int,
    conflicts: int | None,
    deadline: float = inf,
) -> tuple[Status, bytes | None]:
    """Status and solution under the assumptions."""
    slice_ = conflicts or (None if deadline == inf else SHORT_SLICE)
    with closing(Deciding(core, givens, limit)) as deciding:
        status = deciding.advance(slice_)
        while status is None and conflicts is None and time.monotonic() < deadline:
            status = deciding.advance(slice_)
    return (Status.UNKNOWN if status is None else status), deciding.first


# Sessions that are kept, one for each thread, rule set, solver and encoding.

MOST_SESSIONS = 128  # per thread, about 2 MB each: a file may state other rules in every row
_local = threading.local()


def shared_session(
    constraints: Constraints, solver: str = DEFAULT_SOLVER, encoding: str = DEFAULT_ENCODING
) -> Session:
    """This thread's session for the constraints, built on first use and kept while in use."""
    sessions: dict[tuple[Constraints, str, str], Session]
    sessions = _local.__dict__.setdefault("sessions", {})
    key = constraints, solver, encoding
    session = sessions.pop(key, None) or Session(constraints, solver=solver, encoding=encoding)
    while len(sessions) >= MOST_SESSIONS:
        del sessions[next(iter(sessions))]
    sessions[key] = session  # last: the first ones have not been used for longest
    return session


def is_open(constraints: Constraints, solver: str, encoding: str) -> bool:
    """Whether this thread has the session at hand, with its solver loaded."""
    session = _local.__dict__.get("sessions", {}).get((constraints, solver, encoding))
    return session is not None and session.is_open


def winners() -> dict[Constraints, str]:
    """By constraints, what decided the last puzzle in this thread; the most recent ones last."""
    known: dict[Constraints, str] = _local.__dict__.setdefault("winners", {})
    return known


def close_sessions() -> None:
    """Free this thread's sessions with all they have learnt, and forget the winners; the next call
    opens new ones."""
    _local.__dict__.clear()
