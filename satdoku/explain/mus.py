"""Minimal unsatisfiable sets, by PySAT: the only part of the explanations that asks a solver.

Invariant: whatever may be named in an explanation, a unit or a given, is one literal: its selector,
an assumption that switches its clauses on. So an explanation is a set of literals.

    minimal   no proper subset will do: deletion, one literal after the other. Only the solver's yes
              or no is used, so the answer depends on the order of the literals alone, as long as
              each question is answered in `PATIENCE` and none meets the deadline.
    smallest  no smaller set will do: implicit hitting sets, A. Ignatiev, A. Previti, M. Liffiton,
              J. Marques-Silva, Smallest MUS Extraction with Minimal Hitting Set Dualization,
              CP 2015 (PySAT's OptUx). Units without their fellows are pigeonhole problems, which
              may keep any solver busy for hours: hence the clock.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from functools import partial
from math import inf
from typing import Any, NamedTuple

from pysat.solvers import Solver

from ..sat.solver import (
    BudgetError,
    limited,
    solve_in_slices,
    undisturbed,
)
from .units import (
    Mask,
    Unit,
    Units,
    bits,
)

Clause = list[int]
Literals = tuple[int, ...]
SOLVER = "minisat22"
OPTUX_SOLVER = "glucose3"  # of those that can be interrupted the one that OptUx was made with
REDUCE = 100  # conflicts that OptUx may spend on each step of making a correction set smaller
AGAIN = 0.2  # seconds between two interrupts
PATIENCE = 20_000  # conflicts after which a literal is kept, needed or not
CHUNK = 1000  # of these between two looks at the clock


class Oracle:
    """The units of a rule set in a solver; candidates may be struck for good.

    Candidate c is variable c + 1; a unit's selector comes after all candidates. `clauses`, where
    given, take the place of the units' own. deadline: of `time.monotonic`; once it is over, every
    question is left open.
    """

    def __init__(
        self, units: Units, clauses: Sequence[Clause] | None = None, deadline: float = inf
    ) -> None:
        self.deadline = deadline
        self._left = (1 << units.constraints.variables) - 1
        self._solver = Solver(SOLVER, bootstrap_with=clauses or selected_clauses(units))

    def keep_only(self, live: Mask) -> None:
        """Strike every candidate that is not in the set."""
        for candidate in bits(self._left & ~live):
            self._solver.add_clause([-candidate - 1])
        self._left &= live

    def contradict(self, literals: Sequence[int]) -> bool:
        """Whether the literals cannot all hold; False if that is not found out in PATIENCE."""
        return self._answer(list(literals)) is False

    def _answer(self, literals: list[int]) -> bool | None:
        """Whether the literals can hold; None if that is not found out."""
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
        """A subset that still contradicts `fixed`, and none of whose proper subsets does.

        The last literals are tried first, so the first ones tend to stay.
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
        """Some of the literals that contradict `fixed`, in their order; None if all can hold.

        Which ones is the solver's choice. Raises `BudgetError` beyond the deadline.
        """
        answer = solve_in_slices(self._solver, SOLVER, [*fixed, *literals], self.deadline)
        if answer is None:
            raise BudgetError("no contradiction found within the time limit")
        if answer:
            return None
        used = set(self._solver.get_core() or ())
        return tuple(literal for literal in literals if literal in used)

    def close(self) -> None:
        """Free the solver."""
        self._solver.delete()


class Minimal(NamedTuple):
    """A contradicting set, and whether it is proved that none of its literals can be left out."""

    literals: Literals
    proved: bool


class Smallest(NamedTuple):
    """What hitting sets found: a smallest set, None if time was over; and a proven lower bound."""

    literals: Literals | None
    at_least: int


def selector(units: Units, unit: int) -> int:
    """The literal that switches a unit on."""
    return units.constraints.variables + 1 + unit


def selected_clauses(units: Units) -> Iterator[Clause]:
    """The clauses of all units, each with its unit's selector."""
    for unit in units.all:
        off = -selector(units, unit.number)
        yield from ([off, *clause] for clause in unit_clauses(unit))


def unit_clauses(unit: Unit) -> Iterator[Clause]:
    """One candidate of a group, and no two; or just the pairs that exclude each other."""
    if unit.candidates:
        yield [candidate + 1 for candidate in bits(unit.candidates)]
    yield from ([-a - 1, -b - 1] for a, b in unit.exclusions)


def smallest(
    hard: Sequence[Clause], literals: Sequence[int], seconds: float, known: int
) -> Smallest:
    """A smallest subset of the literals that contradicts the clauses `hard`; all of them do.

    known: the size of a contradicting set at hand; proof that none is smaller ends the search, too.
    """
    from pysat.examples.optux import OptUx
    from pysat.formula import WCNF

    formula = WCNF()
    formula.extend(hard)
    formula.extend([[literal] for literal in literals], weights=[1] * len(literals))
    with OptUx(formula, solver=OPTUX_SOLVER, nodisj=True, reduce=REDUCE) as optux:
        sets = _HittingSets(optux.hitman, time.monotonic() + seconds, known)
        clock = _Clock(seconds, (optux.oracle, optux.hitman.oracle))
        optux.oracle, optux.hitman = _Interruptible(optux.oracle), sets
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
    """Interrupts solvers once time is over, and again until it is stopped.

    Again, because OptUx has two solvers and an interrupt between two of their calls may be lost.
    """

    def __init__(self, seconds: float, solvers: Sequence[Any]) -> None:
        self._seconds, self._solvers = seconds, solvers
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        if self._stopped.wait(self._seconds):
            return
        while True:
            for solver in self._solvers:
                solver.interrupt()
            if self._stopped.wait(AGAIN):
                return

    def stop(self) -> None:
        """After this nothing touches the solvers: they may be freed."""
        self._stopped.set()
        self._thread.join()


class _Interruptible:
    """A solver whose `solve` can be interrupted, and then ends by `_TimeIsUpError`."""

    def __init__(self, solver: Any) -> None:
        self._solver = solver

    def solve(self, assumptions: Sequence[int]) -> bool:
        """Whether the assumptions can hold."""
        answer = self._solver.solve_limited(assumptions=assumptions, expect_interrupt=True)
        if answer is None:
            raise _TimeIsUpError
        return bool(answer)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._solver, name)


class _HittingSets:
    """OptUx's hitting sets, smallest first, as long as there is time and anything to gain."""

    def __init__(self, hitman: Any, deadline: float, known: int) -> None:
        self._hitman, self._deadline, self._known = hitman, deadline, known
        maxsat = hitman.oracle
        maxsat.compute = partial(maxsat.compute, expect_interrupt=True)
        self.at_least = 0

    def get(self) -> list[int] | None:
        """The next one; None says that there are no more, and ends OptUx's search."""
        if time.monotonic() > self._deadline:
            return None
        found: list[int] | None = self._hitman.get()
        if found is None or time.monotonic() > self._deadline:
            return None  # what comes out of an interrupted call is not to be trusted
        self.at_least = len(found)
        return None if len(found) >= self._known else found

    def __getattr__(self, name: str) -> Any:
        return getattr(self._hitman, name)
