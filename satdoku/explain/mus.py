"""Find minimal and smallest unsatisfiable sets with PySAT.

Invariant: every unit or given that an explanation may name is one literal, its selector: an
assumption that switches its clauses on. So an explanation is a set of literals. Only this module of
the explanations uses a solver.

    minimal   No proper subset contradicts. Literals are deleted one after the other. Only the
              solver's yes or no is used, so the result depends on the order of the literals alone,
              unless a question exceeds `PATIENCE` or the deadline.
    smallest  No smaller set contradicts. Method: implicit hitting sets, A. Ignatiev, A. Previti,
              M. Liffiton, J. Marques-Silva, Smallest MUS Extraction with Minimal Hitting Set
              Dualization, CP 2015 (PySAT's OptUx). If some units are missing, the rest may be a
              pigeonhole problem, which can keep a solver busy for hours, so a clock interrupts it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import count
from math import inf
from typing import Any, NamedTuple

from ..answers.solver import limited, open_solver, solve_in_slices, undisturbed
from ..model.board import bits, mask_of
from ..runtime import limits
from .readings import Mask
from .units import Unit, Units

Clause = list[int]
Literals = tuple[int, ...]
SOLVER = "minisat22"
OPTUX_SOLVER = "glucose3"  # it can be interrupted, and OptUx was developed with it
REDUCE = 100  # conflicts that OptUx may spend on each step of shrinking a correction set
AGAIN = 0.2  # seconds between two interrupts
PATIENCE = 20_000  # after so many conflicts a literal is kept, whether it is needed or not
CHUNK = 1000  # conflicts between two looks at the clock


class Oracle:
    """The units of a rule set in a solver; candidates can be struck permanently.

    Candidate c is variable c + 1; the selectors of the units follow the candidates. `clauses`, if
    given, replace the clauses of the units. deadline: a time of `time.monotonic`; after it, every
    question is left open. No clause says that cells are connected: where a model breaks that,
    clauses that say so are added.
    """

    def __init__(
        self, units: Units, clauses: Sequence[Clause] | None = None, deadline: float = inf
    ) -> None:
        self.deadline, self.decided = deadline, True
        self._left, self._units = units.every, units
        self._solver = open_solver(SOLVER, clauses or selected_clauses(units))

    def keep_only(self, live: Mask) -> None:
        """Strike every candidate outside the set."""
        for candidate in bits(self._left & ~live):
            self._solver.add_clause([-candidate - 1])
        self._left &= live

    def contradict(self, literals: Sequence[int]) -> bool:
        """Whether the literals cannot all be true; False if PATIENCE does not suffice to decide."""
        return self._answer(list(literals)) is False

    def _answer(self, literals: list[int]) -> bool | None:
        """Whether the literals can all be true; None if this was not decided."""
        while answer := self._answer_of_clauses(literals):
            if not add_cuts(self._units, self._solver):
                break
        return answer

    def _answer_of_clauses(self, literals: list[int]) -> bool | None:
        if self.deadline == inf:
            return limited(self._solver, literals, PATIENCE)
        for _ in range(0, PATIENCE, CHUNK):
            if time.monotonic() > self.deadline:
                return None
            answer = limited(self._solver, literals, CHUNK)
            if answer is not None:
                return answer
        return None

    def minimal(self, literals: Sequence[int], fixed: Sequence[int] = ()) -> Minimal:
        """A minimal subset of the literals that still contradicts `fixed`.

        Deletion tries the last literals first, so the first ones tend to stay.
        """
        kept, proved = list(literals), True
        for literal in reversed(literals):
            fewer = [other for other in kept if other != literal]
            answer = self._answer([*fixed, *fewer])
            if answer is False:
                kept = fewer
            proved &= answer is not None
        return Minimal(tuple(kept), proved)

    def core(self, literals: Sequence[int], fixed: Sequence[int] = ()) -> Literals | None:
        """Some literals that contradict `fixed`, in their order; None if all can be true.

        The solver chooses which ones. Raises `BudgetError` after the deadline.
        """
        asked = [*fixed, *literals]
        while answer := solve_in_slices(self._solver, SOLVER, asked, self.deadline):
            if not add_cuts(self._units, self._solver):
                return None
        if answer is None:
            raise limits.late()
        used = set(self._solver.get_core() or ())
        return tuple(literal for literal in literals if literal in used)

    def needed(self, literals: Sequence[int]) -> Literals | None:
        """Of literals that cannot all be true, some that cannot either; None if they can, or if
        this was not decided: then `decided` is false from now on."""
        answer = self._answer(list(literals))
        self.decided &= answer is not None
        if answer is not False:
            return None
        used = set(self._solver.get_core() or ())
        return tuple(literal for literal in literals if literal in used)

    def close(self) -> None:
        """Free the solver."""
        self._solver.delete()


class Minimal(NamedTuple):
    """A contradicting set, and whether it is proved that every one of its literals is needed."""

    literals: Literals
    proved: bool


class Smallest(NamedTuple):
    """A smallest set (None if the time was over) and a proved lower bound on its size."""

    literals: Literals | None
    at_least: int


def selector(units: Units, unit: int) -> int:
    """The literal that switches a unit on."""
    return units.constraints.variables + 1 + unit


def add_cuts(units: Units, solver: Any) -> bool:
    """Add clauses, each with its unit's selector, that the solver's model breaks: cells that its
    units say are connected are not. False if there are none."""
    if not units.floods:
        return False
    true = {literal for literal in solver.get_model() if literal > 0}
    model = mask_of(x - 1 for x in true if x <= units.constraints.variables) & units.every
    cuts = [
        [-selector(units, unit), *cut]
        for unit, flood in units.floods
        if selector(units, unit) in true
        for cut in flood.cuts(model)
    ]
    for cut in cuts:
        solver.add_clause(cut)
    return bool(cuts)


def selected_clauses(units: Units) -> Iterator[Clause]:
    """The clauses of all units, each with its unit's selector; no value of a layer is beyond its
    own.

    The auxiliary variables of clues follow the selectors of the units and of a given in each cell.
    """
    fresh = count(selector(units, len(units.all)) + units.board.cells).__next__
    yield from ([-c - 1] for c in range(units.constraints.variables) if not units.every >> c & 1)
    for unit in units.all:
        off = -selector(units, unit.number)
        yield from ([off, *clause] for clause in unit_clauses(unit, fresh))


def unit_clauses(unit: Unit, fresh: Callable[[], int]) -> Iterator[Clause]:
    """For a group: one candidate is true, and no two are. For others: exclusions and supports, and
    what a clue reads, with auxiliary variables."""
    if unit.candidates:
        yield [candidate + 1 for candidate in bits(unit.candidates)]
    yield from ([-a - 1, -b - 1] for a, b in unit.exclusions)
    for candidate, others in unit.supports:
        yield [-candidate - 1, *(other + 1 for other in bits(others))]
    for reading in unit.readings:
        yield from reading.clauses(fresh)


def smallest(
    hard: Sequence[Clause],
    literals: Sequence[int],
    seconds: float,
    known: int,
    repaired: Callable[[Any], bool] = lambda solver: False,
) -> Smallest:
    """A smallest subset of the literals that contradicts the clauses `hard`.

    All literals together must contradict them. known: the size of a contradicting set that is
    already known; the search also ends with a proof that no set is smaller than this. repaired:
    whether clauses had to be added to a solver because of its model, such as by `add_cuts`.
    """
    from pysat.examples.optux import OptUx
    from pysat.formula import WCNF

    class Deletable(OptUx):  # type: ignore[misc]  # PySAT has no types
        """Also if an interrupt leaves half of it."""

        hitman = oracle = None

    formula = WCNF()
    formula.extend(hard)
    formula.extend([[literal] for literal in literals], weights=[1] * len(literals))
    with Deletable(formula, solver=OPTUX_SOLVER, nodisj=True, reduce=REDUCE) as optux:
        sets = _HittingSets(optux.hitman, time.monotonic() + seconds, known)
        clock = _Clock(seconds, (optux.oracle, optux.hitman.oracle))
        optux.oracle, optux.hitman = _Interruptible(optux.oracle, repaired), sets
        try:
            found = undisturbed(optux.compute)
        except _TimeIsUpError:
            found = None
        finally:
            clock.stop()
    chosen = None if found is None else tuple(literals[number - 1] for number in found)
    return Smallest(chosen, sets.at_least)


class _TimeIsUpError(Exception):
    """The clock has interrupted the solver."""


class _Clock:
    """Interrupts solvers when the time is over, repeatedly until it is stopped.

    OptUx has two solvers, and an interrupt between two of their calls may be lost. So one interrupt
    is not enough.
    """

    def __init__(self, seconds: float, solvers: Sequence[Any]) -> None:
        self._seconds, self._solvers = seconds, solvers
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        if self._stopped.wait(None if self._seconds == inf else self._seconds):
            return
        while True:
            for solver in self._solvers:
                solver.interrupt()
            if self._stopped.wait(AGAIN):
                return

    def stop(self) -> None:
        """Stop the clock; after this it does not use the solvers, so you may free them."""
        self._stopped.set()
        self._thread.join()


class _Interruptible:
    """A solver whose `solve` can be interrupted; it then raises `_TimeIsUpError`. A model that
    needs it is repaired."""

    def __init__(self, solver: Any, repaired: Callable[[Any], bool]) -> None:
        self._solver, self._repaired = solver, repaired

    def solve(self, assumptions: Sequence[int]) -> bool:
        """Whether the assumptions can all be true."""
        while True:
            answer = self._solver.solve_limited(assumptions=assumptions, expect_interrupt=True)
            if answer is None:
                raise _TimeIsUpError
            if not answer or not self._repaired(self._solver):
                return bool(answer)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._solver, name)


class _HittingSets:
    """OptUx's hitting sets, smallest first, until time is over or they cannot help any more."""

    def __init__(self, hitman: Any, deadline: float, known: int) -> None:
        self._hitman, self._deadline, self._known = hitman, deadline, known
        maxsat = hitman.oracle
        maxsat.compute = partial(maxsat.compute, expect_interrupt=True)
        self.at_least = 0

    def get(self) -> list[int] | None:
        """The next hitting set; None ends OptUx's search."""
        if time.monotonic() > self._deadline:
            return None
        found: list[int] | None = self._hitman.get()
        if found is None or time.monotonic() > self._deadline:
            return None  # the result of an interrupted call cannot be trusted
        self.at_least = len(found)
        return None if len(found) >= self._known else found

    def __getattr__(self, name: str) -> Any:
        return getattr(self._hitman, name)
