"""One puzzle, asked of the bit-parallel engine and a CDCL session in turn until one has the answer.

Invariant: whoever has done less work goes on, from where it stopped. So an answer costs about twice
what the quicker of the two takes alone, whatever the rules, and no budget has to be known. Work is
counted in lanes swept, propagations and conflicts, at the seconds that they cost on average, and
not by the clock: the same question after the same ones gets the same answer, by the same side, on a
busy machine too.

Of equals the first goes on: who decided the last puzzle under the same constraints, or the engine.
A session that is not open yet is charged in advance with what opening it costs, as far as the
constraints tell: most puzzles under clues are answered before that is worth while. Nothing is
verified here: `answer` and `batch` do that for what they pass on.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from contextlib import ExitStack
from math import inf
from typing import TYPE_CHECKING, NamedTuple

from ..answers.session import is_open, shared_session, winners
from ..answers.solver import DEFAULT_SOLVER, NO_BUDGET
from ..cnf.encodings import DEFAULT_ENCODING
from ..engine import kernel
from ..engine.plan import plan_for
from ..engine.targets import NUMPY, active, fastest
from ..model.constraints import MOST_RULE_SETS, Constraints
from ..runtime import limits
from ..runtime.errors import BudgetError, Status

if TYPE_CHECKING:
    from ..answers.solver import Deciding

ENGINE = "engine"
# Seconds of work: a first turn; the longest; and of what was done until then a turn is a part, so
# that few turns are needed and the last one is not much too long.
FIRST, LONGEST, PART = 0.00125, 0.25, 0.4
# What costs how many seconds, fitted to published puzzles of 36 to 256 cells: a lane swept,
# and more for each number that the plan lists of these parts (90 % of 72 puzzles within 1.4 times);
# a propagation, and a conflict for the root of the number of clauses (26 puzzles within 1.5 times);
# a clause of a session that is opened, and of one that grows by implied sums. Before there is a
# formula, opening is estimated by the size^4 literals of a family's groups and by the clues, up to
# a bound, as many clues are small ones.
PER_LANE = 2.5e-8
PER_LISTED = {
    "pairs": 1.7e-12, "clauses": 1.3e-11, "overlaps": 1.9e-11, "relations": 4.5e-11,
    "sums": 1.7e-10, "automata": 6e-10, "machines": -4e-10, "cages": 3.1e-10,
}  # fmt: skip
PER_PROPAGATION, PER_CONFLICT, PER_CLAUSE, PER_GROWN = 6.2e-8, 1.24e-7, 3e-7, 7e-7
PER_LITERAL, PER_CLUE, MOST_PER_CLUES = 9e-7, 5e-4, 8e-3
CONFLICTS = 100, 400  # of a call of a session: the first, then twice as many each time; the last
PROPAGATIONS = 3  # where they are not counted: what they add to the conflicts, as a factor


class Decision(NamedTuple):
    """What is known of a puzzle: a status, a solution if one is known, what has decided it
    (`engine` or a solver's name, empty if nothing has), and the nodes that the engine took."""

    status: Status
    solution: bytes | None = None
    by: str = ""
    nodes: int = 0


def decide(
    asked: bytes,
    constraints: Constraints,
    *,
    limit: int = 2,
    deadline: float = inf,
    solver: str = DEFAULT_SOLVER,
    encoding: str = DEFAULT_ENCODING,
    conflicts: int | None = None,
    alone: bool = False,
) -> Decision:
    """Whether a puzzle has a solution (limit 1: SOLVED or NONE), and another one (limit 2).

    asked: a digit for each cell, 0 for none, none too large; or pencil marks, one byte for each
    candidate, 0 if it is excluded. Givens that clash are NONE. The answer is UNKNOWN behind the
    deadline, a time of `time.monotonic`, or the end of a `limits.within`; but a first turn is
    always taken. The session answers `alone`, also if a solver or an encoding is not the usual one,
    and if its calls are bounded by `conflicts`, beyond which the answer is UNKNOWN.
    """
    deadline = min(deadline, limits.until(None))
    usual = is_usual(solver, encoding, conflicts)
    with ExitStack() as stack:
        session = SessionSide(stack, asked, constraints, limit, solver, encoding)
        session.bound = conflicts
        if not usual or alone or active() == NUMPY:
            return _in_turn([session], deadline)
        engine = EngineSide(asked, constraints, limit)
        first = winners().get(constraints) == session.name
        found = _in_turn([session, engine] if first else [engine, session], deadline)
        _note_winner(constraints, found.by)
        return found


def is_usual(solver: str, encoding: str, conflicts: int | None = None) -> bool:
    """Whether nobody asked for a session of a certain kind, so that the engine may answer."""
    return (solver, encoding, conflicts) == (DEFAULT_SOLVER, DEFAULT_ENCODING, None)


def _note_winner(constraints: Constraints, by: str) -> None:
    """Who won has the first turn at the next puzzle."""
    known = winners()
    if by:
        known.pop(constraints, None)
        known[constraints] = by
    while len(known) > MOST_RULE_SETS:
        del known[next(iter(known))]


def _in_turn(sides: list[Side], deadline: float) -> Decision:
    """The first answer, if one comes before the deadline."""
    known, nodes = None, 0
    while sides:
        side = min(sides, key=lambda each: each.done + each.due)
        try:
            status = side.advance(min(max(FIRST, PART * side.done), LONGEST))
        except BudgetError:  # while a plan or clauses were made
            break
        known = side.solution or known
        nodes = max(nodes, side.nodes)
        if status is Status.UNKNOWN:  # there will be no answer
            sides.remove(side)
        elif status is not None:
            return Decision(status, known, side.name, nodes)
        if time.monotonic() > deadline:
            break
    return Decision(Status.UNKNOWN, known, nodes=nodes)


class Side(ABC):
    """One that searches for a while and pauses.

    name: of what it is, for `Decision.by`; done: its work until now, in seconds; due: that of the
    next turn before anything is searched; solution: one, if it is known; nodes: of the engine.
    """

    nodes = 0

    def __init__(self, name: str) -> None:
        self.name = name
        self.done = self.due = 0.0
        self.solution: bytes | None = None

    @abstractmethod
    def advance(self, work: float) -> Status | None:
        """Search on for about so many seconds of work; the answer if it is found, UNKNOWN if there
        will be none."""


class EngineSide(Side):
    """The engine, all lanes on one puzzle."""

    def __init__(self, asked: bytes, constraints: Constraints, limit: int) -> None:
        super().__init__(ENGINE)
        self._question = asked, constraints, limit
        self._search: kernel.Search | None = None
        self._per_lane = PER_LANE

    def advance(self, work: float) -> Status | None:
        """Search on; the plan is made for the first turn."""
        search = self._search = self._search or self._opened()
        status = search.advance(max(1, int(work / self._per_lane)))
        self.solution, self.nodes = search.solution, search.nodes
        self.done = self._per_lane * search.swept
        return status

    def _opened(self) -> kernel.Search:
        asked, constraints, limit = self._question
        plan = plan_for(constraints, True)
        self._per_lane += sum(
            cost * len(plan.parts[name].members) for name, cost in PER_LISTED.items()
        )
        return kernel.Search(plan, asked, limit, fastest(plan.classic, not plan.groups, 1))


class SessionSide(Side):
    """This thread's session for the constraints."""

    def __init__(
        self,
        stack: ExitStack,
        asked: bytes,
        constraints: Constraints,
        limit: int,
        solver: str,
        encoding: str,
    ) -> None:
        super().__init__(solver)
        self.bound: int | None = None  # conflicts of a call, behind which there is no answer
        self._stack, self._question = stack, (asked, constraints, limit, solver, encoding)
        self._deciding: Deciding | None = None
        self._conflicts, self._clauses, self._per_conflict = CONFLICTS[0], 0, 0.0
        self._counted = 0.0  # of the solver's own counts
        if not is_open(constraints, solver, encoding):
            clues = len(constraints.rules) - len(constraints.names)
            self.due = PER_LITERAL * constraints.board.size**4
            self.due += min(PER_CLUE * clues, MOST_PER_CLUES)

    def advance(self, work: float) -> Status | None:
        """Call the solver until so much is done; the session is opened for the first turn."""
        until = self.done + self.due + work
        if self._deciding is None:
            self._deciding = self._opened()
        else:
            self.done += self.due
        self.due = 0.0
        status = self._call(self._deciding)
        while status is None and not self._is_expensive(self._deciding) and self.done < until:
            status = self._call(self._deciding)
        self.solution = self._deciding.first
        return status

    def _is_expensive(self, deciding: Deciding) -> bool:
        """Whether the next call makes a new solver: that is charged first."""
        if deciding.grows(self._conflicts):
            self.due = PER_GROWN * self._clauses
        return self.due > 0

    def _call(self, deciding: Deciding) -> Status | None:
        """One call of the solver; without a bound if it knows none."""
        if self.bound is not None:
            status = deciding.advance(self.bound)
            return Status.UNKNOWN if status is None else status
        most = None if self.name in NO_BUDGET else self._conflicts
        status = deciding.advance(most)
        before, self._counted = self._counted, self._counts(deciding)
        if self._counted > before:
            self.done += self._counted - before
        else:  # a solver made anew, or one that does not count
            self.done += PROPAGATIONS * self._per_conflict * self._conflicts
        self._conflicts = min(2 * self._conflicts, CONFLICTS[1])
        return status

    def _counts(self, deciding: Deciding) -> float:
        """The seconds that the solver's own counts amount to, since it was made."""
        propagations, conflicts = deciding.counts()
        return PER_PROPAGATION * propagations + self._per_conflict * conflicts

    def _opened(self) -> Deciding:
        asked, constraints, limit, solver, encoding = self._question
        session = shared_session(constraints, solver, encoding)
        marked = len(asked) == constraints.board.variables
        cells, marks = (bytes(constraints.board.cells), asked) if marked else (asked, None)
        deciding = self._stack.enter_context(session.deciding(cells, marks, limit=limit))
        self._clauses = len(session.formula.clauses)
        self._per_conflict = PER_CONFLICT * self._clauses**0.5
        self._counted = self._counts(deciding)
        if self.due:  # it was not open
            loaded = PER_CLAUSE + deciding.is_grown * PER_GROWN
            self.done = max(self.due, loaded * self._clauses)
        return deciding
