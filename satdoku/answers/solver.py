"""One PySAT solver loaded with a formula, and queries on it in terms of literals.

Invariant: every clause that a query adds has an activation literal, which is retired when the query
ends, so the solver's formula stays the same. Signals are handled only between two calls of the
solver, and every call returns to Python often enough for that.

PySAT is imported when the first solver is opened: it takes as long as a hundred puzzles.
"""

from __future__ import annotations

import atexit
import threading
import time
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from itertools import chain, islice, repeat
from math import inf
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from ..runtime import limits
from ..runtime.errors import BudgetError as BudgetError
from ..runtime.errors import SatdokuError, Status, WitnessError, counted, no_such

if TYPE_CHECKING:
    from pysat.solvers import Solver as Solver

    from ..cnf.encodings import Formula
    from .flooding import Flooding

# PySAT's solvers that answered every query below correctly, fastest first. Left out: kissat404
# ignores assumptions, and maplechrono took 12 s for the 72 miracle grids (the others: 0.2 s).
SOLVERS = (
    "cadical153",
    "cadical195",
    "glucose4",
    "glucose42",
    "glucose3",
    "minisat22",
    "minicard",
    "gluecard3",
    "gluecard4",
    "maplecm",
    "maplesat",
    "mergesat3",
    "cadical103",
    "lingeling",
)
DEFAULT_SOLVER = SOLVERS[0]
# Answers in place of the default where cells must be connected: see `flooding`.
FLOODED = "cadical195"
# Its options there: to simplify the clauses between restarts costs more than it saves, and most of
# the time goes to refutations, for which it need not keep its phases for long.
FLOODED_OPTIONS = {"inprocessing": 0, "stabilize": 0}
# Those of the default: what it does between conflicts takes up to a second where clauses are many,
# and no budget ends that; over the puzzles that need it, it saves nothing.
OPTIONS = {DEFAULT_SOLVER: {"inprocessing": 0, "lucky": 0}}
# Solvers whose `propagate` is missing or slower than a solve: they do without the shortcut.
_SLOW_PROPAGATORS = frozenset({"cadical195", "cadical103", "lingeling"})

NO_BUDGET = frozenset({"lingeling"})  # a call of these returns only with an answer
# Conflicts (about a second) after which a solver returns to Python and is called again: signals
# are handled only there.
SLICE = 5000
SHORT_SLICE = 500  # the same if there is a time limit
# Propagations that a call is to make, 12 to 50 ms, by which its conflicts are chosen; and the
# conflicts of a first call, of whose propagations nothing is known.
A_CALL, FIRST_CALL = 200_000, 50
# Conflicts after which sums are worth a stronger formula, which takes some 20 ms to make and load.
EASY = 300

Literals = list[int]
Images = Callable[[bytes], Iterable[bytes]]


class SolverError(SatdokuError):
    """An unknown solver, or one that cannot do what was asked."""


def itself(solution: bytes) -> Iterable[bytes]:
    """The one image of a solution where no symmetry is known."""
    return (solution,)


def open_solver(
    name: str,
    clauses: Iterable[Sequence[int]],
    *,
    settings: Mapping[str, int] | None = None,
    **options: bool,
) -> Solver:
    """A PySAT solver of that name, loaded with the clauses; the options are PySAT's own. Raises
    `BudgetError` if a limit on the time ends before.

    settings: its own options, such as FLOODED_OPTIONS if it is FLOODED and will obey a `Flooding`.
    """
    from pysat.solvers import Solver

    solver = Solver(name, **options)
    _open.add(solver)
    if settings:
        solver.configure(settings)
    try:
        _load(solver, name, limits.watched(clauses))
    except BudgetError:
        solver.delete()
        raise
    return solver


def _load(solver: Solver, name: str, clauses: Iterable[Sequence[int]]) -> None:
    """Add the clauses; to CaDiCaL without the two functions of Python that PySAT calls for each."""
    import pysolvers  # type: ignore[import-not-found]

    add, inner = getattr(pysolvers, f"{name}_add_cl", None), solver.solver
    if add is None or (handle := getattr(inner, "cadical", None)) is None:
        solver.append_formula(clauses)
        return
    told = map(add, repeat(handle), clauses)
    while False in told:
        inner.status = False


# PySAT cannot free a solver once its own module is gone, and complains when the process ends.
_open: WeakSet[Solver] = WeakSet()


@atexit.register
def _free_solvers() -> None:
    for solver in list(_open):
        solver.delete()


class LoadedSolver:
    """One PySAT solver loaded with a formula, and the queries on it in terms of literals.

    Solutions are bytes, a digit for each cell. grows: the formula is strengthened by the sums that
    it implies, in a new solver, when a question turns out hard. own: the last variable of the
    caller's own, 0 if there is none.
    """

    def __init__(self, formula: Formula, solver: str, *, grows: bool = False, own: int = 0) -> None:
        self.queries = 0
        self.name = solver
        self._formula = formula
        self._last_variable = max(formula.variables, own)
        self._has_own = own > 0
        self._selectors: dict[int, int] = {}
        self._grows = grows and solver not in NO_BUDGET
        self._added: list[Literals] = []  # what a new solver has to know as well
        self._flooding: Flooding | None = None
        if formula.areas:
            from . import flooding  # few puzzles have any

            self._flooding = flooding.Flooding.of_areas(formula.areas, self._never)
            if solver == DEFAULT_SOLVER:
                self.name = FLOODED
        self._solver = self._opened(formula.clauses)

    def _opened(self, clauses: Iterable[Sequence[int]]) -> Solver:
        is_flooded = self._flooding is not None and self.name == FLOODED
        settings = FLOODED_OPTIONS if is_flooded else OPTIONS.get(self.name)
        solver = open_solver(self.name, chain(clauses, self._added), settings=settings)
        if self._flooding is not None and is_flooded:
            self._flooding.connect(solver)
        return solver

    def _never(self) -> int:
        """A new literal that is false."""
        literal = self.activate()
        self._added.append([-literal])
        return literal

    def statistics(self) -> dict[str, int]:
        """The solver's own counts, as far as PySAT gives them."""
        counts = counts_of(self._solver)
        names = ("conflicts", "decisions", "propagations")
        return {name: counts[name] for name in names} if counts else {}

    @property
    def pysat(self) -> Solver:
        """PySAT's solver, until another one takes its place."""
        return self._solver

    def new_variable(self) -> int:
        """A variable of the caller's own."""
        self._has_own = True
        return self.activate()

    def forced(self, givens: Literals) -> bytes | None:
        """The unique solution if unit propagation alone finds it, as in half of all easy puzzles.

        Learnt clauses take part. The formula implies them, so they can only help. Whether
        variables of the caller's own have values then, propagation does not tell.
        """
        if self.name in _SLOW_PROPAGATORS or self._flooding or self._has_own:
            return None
        consistent, implied = undisturbed(self._solver.propagate, givens)
        variables = self._formula.variables
        if not consistent or len(implied) < variables:
            return None
        # Activation literals and selectors, which the formula does not know, are implied, too.
        implied = [literal for literal in implied if abs(literal) <= variables]
        return self._formula.decode(implied) if len(implied) == variables else None

    def find(
        self, assumptions: Literals, conflicts: int | None, deadline: float = inf
    ) -> bytes | None:
        """A solution under the assumptions, or None; `deadline` is a time of `time.monotonic`."""
        if (conflicts is not None or deadline < inf) and self.name in NO_BUDGET:
            raise SolverError(f"solver {self.name} cannot be limited in conflicts or seconds")
        answer = self._answer(assumptions, conflicts, deadline)
        if answer is None:
            if conflicts is None:
                raise limits.late()
            raise BudgetError(f"no answer within {counted(conflicts, 'conflict')}")
        return self._decode() if answer else None

    def refuted(self) -> set[int]:
        """The assumptions that `find`, whose last answer was None, has shown to be too many."""
        return set(self._solver.get_core() or ())

    def _answer(self, assumptions: Literals, conflicts: int | None, deadline: float) -> bool | None:
        """The answer, in which every area is connected: where a model breaks one, the clauses that
        say so are added for good."""
        while answer := self._answer_of_clauses(assumptions, conflicts, deadline):
            cuts = self._flooding.cuts(self._solver.get_model()) if self._flooding else ()
            if not cuts:
                break
            self._add(cuts)
            if conflicts is None and time.monotonic() > deadline:
                return None
        return answer

    def _answer_of_clauses(
        self, assumptions: Literals, conflicts: int | None, deadline: float
    ) -> bool | None:
        if self.grows(conflicts):
            if (answer := self._within(EASY, assumptions)) is not None:
                return answer
            self._grow()
        if conflicts is None:
            return solve_in_slices(self._solver, self.name, assumptions, deadline)
        return self._within(conflicts, assumptions)

    def grows(self, conflicts: int | None) -> bool:
        """Whether a question with so many conflicts makes a new solver if it is hard."""
        return self._grows and (conflicts is None or conflicts > EASY)

    def _within(self, conflicts: int, assumptions: Literals) -> bool | None:
        """The answer, None if it takes more conflicts; what is asked next has no limit."""
        answer = limited(self._solver, assumptions, conflicts)
        self._solver.conf_budget(-1)
        return answer

    def _grow(self) -> None:
        from ..cnf.clues import strengthened

        self._grows = False
        clauses = strengthened(self._formula, self.activate)
        weak, self._solver = self._solver, self._opened(clauses)
        weak.delete()

    def _decode(self) -> bytes:
        """The cells of the solver's model, not verified yet."""
        try:
            return self._formula.decode(self._solver.get_model() or ())
        except SatdokuError as error:
            raise WitnessError(f"solver {self.name} gave a {error}") from None

    def enumerate(
        self,
        givens: Literals,
        limit: int | None,
        conflicts: int | None,
        deadline: float = inf,
        images: Images = itself,
    ) -> Iterator[bytes]:
        """Solutions with these givens; each is blocked once it is found, with its images."""
        active = self.activate()
        assumptions = [*givens, active]
        found, before = 0, None
        try:
            while limit is None or found < limit:
                solution = self.find(assumptions, conflicts, deadline)
                if solution is None:
                    return
                if solution == before:
                    raise WitnessError(f"solver {self.name} gave a solution that was excluded")
                before = solution
                for image in islice(images(solution), None if limit is None else limit - found):
                    found += 1
                    self.queries += 1  # what was blocked weighs on the solver until it is rebuilt
                    self.block(active, givens, image)
                    yield image
                    _check_deadline(deadline)
        finally:
            self.retire(active)

    def solutions_with_every_candidate(
        self,
        givens: Literals,
        conflicts: int | None,
        deadline: float = inf,
        wanted: Container[int] | None = None,
    ) -> Iterator[bytes]:
        """Solutions that together contain every true candidate, of those wanted if they are named;
        each one adds a new candidate.

        Source: backbone computation with one disjunction of the open literals, J. Marques-Silva,
        M. Janota, I. Lynce, On Computing Backbones of Propositional Theories, ECAI 2010.
        """
        n = self._formula.constraints.board.choices
        every = self._candidate_selectors().items()
        unseen = {c: literal for c, literal in every if wanted is None or c in wanted}
        if not unseen and wanted is not None:
            return
        active = self.activate()
        try:
            if wanted is not None:
                self._add([(-active, *unseen.values())])
            while solution := self.find([*givens, active], conflicts, deadline):
                yield solution
                for cell, digit in enumerate(solution):
                    unseen.pop(n * cell + digit - 1, None)
                _check_deadline(deadline)
                self._add([(-active, *unseen.values())])
        finally:
            self.retire(active)

    def _candidate_selectors(self) -> dict[int, int]:
        """For each candidate that the formula leaves open, a literal that implies it.

        If a candidate is stated by several literals, its selector is a new variable, which has no
        effect while it is false.
        """
        from ..cnf.encodings.formula import NEVER

        if not self._selectors:
            for candidate in range(self._formula.constraints.variables):
                said = self._formula.says(candidate)
                if len(said) == 1 and said != NEVER:
                    self._selectors[candidate] = said[0]
                elif len(said) > 1:
                    self._selectors[candidate] = selector = self.activate()
                    self._add((-selector, literal) for literal in said)
        return self._selectors

    def struck(self, marks: bytes) -> AbstractContextManager[Literals]:
        """Assumptions that exclude every candidate whose mark is 0."""
        return self.holding(self._formula.struck(marks))

    @contextmanager
    def holding(self, clauses: Sequence[Sequence[int]]) -> Iterator[Literals]:
        """Assumptions under which the clauses hold."""
        units = [clause[0] for clause in clauses if len(clause) == 1]
        if len(units) == len(clauses):
            yield units
            return
        active = self.activate()
        self._add((-active, *clause) for clause in clauses if len(clause) != 1)
        try:
            yield [*units, active]
        finally:
            self.retire(active)

    def _add(self, clauses: Iterable[Iterable[int]]) -> None:
        for literals in map(list, clauses):
            self._solver.add_clause(literals)
            if self._grows:
                self._added.append(literals)

    def activate(self) -> int:
        """A new literal, under which clauses hold until it is retired."""
        self._last_variable += 1
        return self._last_variable

    def block(self, active: int, givens: Literals, solution: bytes) -> None:
        """Forbid the solution while `active` holds: a cell without a given must differ.

        Only the literals that state the candidates are blocked, so that solutions are not counted
        once for each value of the auxiliary variables; the clause is far shorter, too.
        """
        given, board = set(givens), self._formula.constraints.board
        digits = solution[: board.grid_cells].ljust(board.cells, b"\0")  # nothing of layers
        opened = [-literal for literal in self._formula.literals(digits) if literal not in given]
        self._add([(-active, *opened)])

    def retire(self, active: int) -> None:
        """Withdraw the clauses under the literal."""
        self._solver.add_clause([-active])
        self._added = [clause for clause in self._added if -active not in clause]


def _check_deadline(deadline: float) -> None:
    if time.monotonic() > deadline:
        raise limits.late()


class Deciding:
    """Whether there is a solution, and another one, found in slices of conflicts.

    Invariant: what was learnt in a slice is there in the next, so slices cost no more than one
    call. `first` is a solution, not verified, as soon as one is known. Close it when it is over.
    """

    def __init__(self, core: LoadedSolver, givens: Literals, limit: int) -> None:
        self.first: bytes | None = None
        self._core, self._givens, self._limit = core, givens, limit
        self._active: int | None = None  # while the first solution is blocked
        self._is_begun = False

    def advance(self, conflicts: int | None) -> Status | None:
        """The status with as many conflicts in each call of the solver; None where they do not
        suffice. NONE, SOLVED (with limit 1), UNIQUE or MULTIPLE."""
        core = self._core
        if not self._is_begun:
            self._is_begun = True
            if self._limit > 1 and (forced := core.forced(self._givens)):
                self.first = forced
                return Status.UNIQUE
        try:
            if self.first is None:
                self.first = core.find(self._givens, conflicts)
            if self.first is None:
                return Status.NONE
            if self._limit < 2:
                return Status.SOLVED
            return Status.UNIQUE if self._another(conflicts) is None else Status.MULTIPLE
        except BudgetError:
            return None

    def _another(self, conflicts: int | None) -> bytes | None:
        """A solution that is not the first."""
        core, first = self._core, self.first
        assert first is not None
        if self._active is None:
            self._active = core.activate()
            core.block(self._active, self._givens, first)
        second = core.find([*self._givens, self._active], conflicts)
        if second == first:
            raise WitnessError(f"solver {core.name} gave a solution that was excluded")
        return second

    def grows(self, conflicts: int | None) -> bool:
        """Whether a call with so many conflicts may make a new solver, with the implied sums."""
        return self._core.grows(conflicts)

    def counts(self) -> tuple[int, int]:
        """Propagations and conflicts of the solver since it was made; 0 where it counts none."""
        counts = self._core.statistics()
        return counts.get("propagations", 0), counts.get("conflicts", 0)

    def close(self) -> None:
        """Forget that the first solution was excluded."""
        if self._active is not None:
            self._core.retire(self._active)
            self._active = None


class Propagator:
    """Unit propagation on a formula, by a solver that never solves and so learns no clauses."""

    def __init__(self, formula: Formula) -> None:
        # PySAT leaves out what follows without an assumption, so unit clauses get one.
        self._always = formula.variables + 1
        clauses = ((*c, -self._always) if len(c) == 1 else c for c in formula.clauses)
        self._solver = open_solver("glucose4", clauses)

    def implied(self, assumptions: Literals) -> list[int] | None:
        """The literals that follow from the assumptions; None on a conflict."""
        arguments = [self._always, *assumptions]
        consistent, literals = undisturbed(self._solver.propagate, arguments)
        return literals if consistent else None


def solve_clauses(
    clauses: Sequence[Sequence[int]], *, solver: str = DEFAULT_SOLVER
) -> list[int] | None:
    """A model of any CNF as literals in order of variables, or None if it is unsatisfiable."""
    if solver not in SOLVERS:
        raise SolverError(no_such("solver", solver, SOLVERS))
    if not clauses:
        return []  # maplesat crashes where there is no variable
    with open_solver(solver, clauses) as engine:
        model: list[int] | None = (
            engine.get_model() if solve_in_slices(engine, solver, []) else None
        )
        return model


def solve_in_slices(
    engine: Any, name: str, assumptions: Literals, deadline: float = inf
) -> bool | None:
    """The answer of a PySAT solver, which returns to Python every `SLICE` conflicts.

    None beyond the deadline, a time of `time.monotonic`, to which not every solver can be held.
    """
    if name in NO_BUDGET:
        if deadline < inf:
            raise SolverError(f"solver {name} cannot be limited in conflicts or seconds")
        return bool(undisturbed(engine.solve, assumptions))
    most = SLICE if deadline == inf else SHORT_SLICE
    conflicts, before = FIRST_CALL, counts_of(engine).get("propagations", 0)
    while (answer := limited(engine, assumptions, conflicts)) is None:
        if time.monotonic() > deadline:
            return None
        made = counts_of(engine).get("propagations", 0)
        conflicts, before = next_conflicts(conflicts, made - before, most), made
    return answer


def counts_of(engine: Any) -> dict[str, int]:
    """What a PySAT solver has counted, by name; empty if it counts nothing."""
    try:
        counts: dict[str, int] | None = engine.accum_stats()
    except NotImplementedError:
        return {}
    return counts or {}


def next_conflicts(before: int, propagations: int, most: int) -> int:
    """The conflicts of the next call, if the last one had so many and so many propagations: twice
    as many, unless they would take too long. Solvers that count no propagations get the most."""
    fit = before * A_CALL // propagations if propagations else most
    return max(1, min(2 * before, fit, most))


def limited(engine: Any, assumptions: Literals, conflicts: int) -> bool | None:
    """The answer of a PySAT solver within that many conflicts, None beyond."""
    engine.conf_budget(conflicts)
    answer: bool | None = undisturbed(engine.solve_limited, assumptions)
    return answer


class _MainThread:
    """Takes the place of PySAT's `MainThread` while a call of ours runs, and only then.

    Before a call, PySAT asks it whether this is the main thread. If so, Ctrl-C leaves the call by
    `longjmp`, from any point of the solver or of `malloc`, and the process may abort when either is
    used again. So the answer is no for our calls, and PySAT's own for everyone else's.
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()  # a signal handler may call a solver, too
        self._callers: set[int] = set()
        self._theirs: Any = None

    def check(self) -> bool:
        """What PySAT asks."""
        return threading.get_ident() not in self._callers and bool(self._theirs.check())

    def is_calling(self) -> bool:
        """Whether this thread is in a call of ours."""
        return threading.get_ident() in self._callers

    def begin(self) -> None:
        """This thread begins a call."""
        import pysat.solvers

        with self._lock:
            self._callers.add(threading.get_ident())
            if pysat.solvers.MainThread is not self:
                self._theirs, pysat.solvers.MainThread = pysat.solvers.MainThread, self

    def end(self) -> None:
        """This thread's call is over; after the last one PySAT is as it was."""
        import pysat.solvers

        with self._lock:
            self._callers.discard(threading.get_ident())
            if not self._callers and pysat.solvers.MainThread is self:
                pysat.solvers.MainThread = self._theirs


_main_thread = _MainThread()


def undisturbed(call: Callable[..., Any], *arguments: Any) -> Any:
    """The result of a solver's call; Ctrl-C, like any other signal, is handled after it.

    Calls may be nested: the outermost one decides.
    """
    is_nested = _main_thread.is_calling()
    try:
        _main_thread.begin()
        return call(*arguments)
    finally:
        if not is_nested:
            _main_thread.end()
