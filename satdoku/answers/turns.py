"""The bit-parallel engine and a CDCL session take turns on one puzzle until one has the answer.

Invariant: the side that has done less work continues where it stopped. So an answer costs about
twice the work of the quicker side, whatever the rules, and no budget has to be known. Work is
counted in passes over clues, nodes, propagations and conflicts, weighted by their average seconds,
and not by the clock: the same sequence of questions gets the same answers from the same sides, on a
busy machine too.

On a tie the first side continues: the one that decided the last puzzle under the same constraints,
or the engine. A session that is not open yet starts with the estimated cost of opening it, because
most puzzles under clues are answered before it is worth opening one. Nothing is verified here:
`answer` and `batch` verify the solutions that they return.
"""

from __future__ import annotations

import time
from contextlib import closing
from math import inf
from typing import NamedTuple

from ..cnf.encodings import DEFAULT_ENCODING
from ..engine.targets import NUMPY, active
from ..model.constraints import MOST_RULE_SETS, Constraints
from ..model.puzzle import Puzzle
from ..runtime import limits
from ..runtime.errors import BudgetError, Status, Unanswered
from .query import Query
from .session import winners
from .sides import EngineQuery, FewQuery, SessionQuery
from .solver import DEFAULT_SOLVER

# Seconds of work: a first turn; the longest; and of what was done until then a turn is a part, so
# that few turns are needed and the last one is not much too long.
FIRST, LONGEST, PART = 0.00125, 0.25, 0.4


class Decision(NamedTuple):
    """The decision about a puzzle: a status, a solution if one is known, what has decided it
    (`engine`, or the name of a solver or a program, empty if nothing has), and the nodes that the
    engine took."""

    status: Status
    solution: bytes | None = None
    by: str = ""
    nodes: int = 0


def decide(
    puzzle: Puzzle,
    *,
    limit: int = 2,
    deadline: float = inf,
    solver: str = DEFAULT_SOLVER,
    encoding: str = DEFAULT_ENCODING,
    conflicts: int | None = None,
    alone: bool = False,
) -> Decision:
    """Whether a puzzle has a solution (limit 1: SOLVED or NONE), and another one (limit 2).

    No digit may be too large. Givens that clash are NONE. The answer is UNKNOWN behind the
    deadline, a time of `time.monotonic`, or the end of a `limits.within`; but a first turn is
    always taken. The session answers `alone`, also if a solver or an encoding is not the usual one,
    and if its calls are bounded by `conflicts`, beyond which the answer is UNKNOWN.
    """
    if puzzle.constraints.board.is_large:
        from .large.solve import LargeQuery  # with numpy

        deadline = min(deadline, limits.until(None))
        large = LargeQuery(
            puzzle, limit, solver=solver, encoding=encoding, conflicts=conflicts, deadline=deadline
        )
        with closing(large):
            return in_turn([large], deadline)
    opened = SessionQuery(puzzle, limit, solver=solver, encoding=encoding, conflicts=conflicts)
    with closing(opened) as session:
        if not is_usual(solver, encoding, conflicts) or alone or active() == NUMPY:
            return in_turn([session], deadline)
        if puzzle.constraints.is_unplanned:
            return in_turn([FewQuery(puzzle, limit), session], deadline)
        constraints, engine = puzzle.constraints, EngineQuery(puzzle, limit)
        first = winners().get(constraints) == session.name
        found = in_turn([session, engine] if first else [engine, session], deadline)
        _note_winner(constraints, found.by)
        return found


def is_usual(solver: str, encoding: str, conflicts: int | None = None) -> bool:
    """Whether the engine may answer, because no particular session was requested."""
    return (solver, encoding, conflicts) == (DEFAULT_SOLVER, DEFAULT_ENCODING, None)


def _note_winner(constraints: Constraints, by: str) -> None:
    """The winner has the first turn at the next puzzle."""
    known = winners()
    if by:
        known.pop(constraints, None)
        known[constraints] = by
    while len(known) > MOST_RULE_SETS:
        del known[next(iter(known))]


def in_turn(queries: list[Query], deadline: float = inf) -> Decision:
    """The first answer, if one comes before the deadline and the end of a `limits.within`; raises
    `Unanswered` where a program gives none."""
    with limits.within(None if deadline == inf else deadline - time.monotonic()):
        return _in_turn(queries)


def _least(queries: list[Query]) -> Query:
    """The query that has done less; what the others are due is not asked where that is nothing."""
    first = queries[0]
    if first.done + first.due == 0:
        return first
    return min(queries, key=lambda each: each.done + each.due)


def _in_turn(queries: list[Query]) -> Decision:
    known, nodes, deadline = None, 0, limits.until(None)
    while queries:
        query = _least(queries)
        try:
            status = query.advance(min(max(FIRST, PART * query.done), LONGEST))
        except Unanswered:  # by a program, which says why
            raise
        except BudgetError:  # within the turn
            known = query.solution or known
            break
        known = query.solution or known
        nodes = max(nodes, query.nodes)
        if status is Status.UNKNOWN:  # there will be no answer
            queries.remove(query)
        elif status is not None:
            return Decision(status, known, query.name, nodes)
        limits.rest()
        if time.monotonic() > deadline:
            break
    return Decision(Status.UNKNOWN, known, nodes=nodes)
