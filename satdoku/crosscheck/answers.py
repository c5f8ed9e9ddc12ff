"""What backends say of a puzzle, and whether it fits together.

Invariant: a solution counts if the witness accepts it, whichever backend found it. A backend that
finds fewer is wrong, unless it gave up.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import closing
from typing import NamedTuple

from ..answers.query import Query, candidates_of
from ..cnf.encodings import EncodingError
from ..model.board import Board
from ..model.constraints import Constraints
from ..model.grid import Grid
from ..model.puzzle import Puzzle, empty_puzzle
from ..runtime import limits
from ..runtime.errors import BudgetError, SatdokuError, Status, WitnessError, counted
from ..witness.verify import solves, violations
from .backends import UNLIMITED, Budget, Configuration, configuration_named


class Answer(NamedTuple):
    """What a backend says of a puzzle.

    solutions: in the order found; complete: False if it gave up, so that there may be more;
    candidates: those that hold in some solution (0-based), if it was asked; status: its own word,
    if it has one; problem: how it contradicts itself, or what it raised; build_s, solve_s: seconds.
    """

    solutions: tuple[bytes, ...] = ()
    complete: bool = True
    candidates: frozenset[int] | None = None
    status: Status | None = None
    problem: str = ""
    build_s: float = 0.0
    solve_s: float = 0.0

    @property
    def found(self) -> int:
        """The number of different solutions."""
        return len(set(self.solutions))

    def is_bound(self, limit: int) -> bool:
        """Whether there may be more solutions than were found."""
        return not self.complete or self.found >= limit

    def verdict(self, limit: int) -> Status:
        """NONE, UNIQUE, MULTIPLE, or SOLVED where the limit is one; UNKNOWN if it gave up."""
        if self.found >= 2:
            return Status.MULTIPLE
        if not self.complete:
            return Status.UNKNOWN
        if self.found == 1:
            return Status.SOLVED if limit == 1 else Status.UNIQUE
        return Status.NONE


def ask(
    chosen: str | Configuration,
    puzzle: Grid,
    constraints: Constraints,
    *,
    limit: int = 2,
    budget: Budget = UNLIMITED,
) -> Answer:
    """At most `limit` solutions, by a query built for the puzzle.

    Raises `BackendMissing` if the backend is unknown or not installed.
    """
    backend, encoding = _installed(chosen)
    start = time.perf_counter()
    try:
        with limits.within(budget.timeout):
            query = backend.open(Puzzle(puzzle, constraints), encoding, budget)
    except BudgetError:
        return Answer((), False, build_s=time.perf_counter() - start)
    built = time.perf_counter()
    problem = ""
    with closing(query):
        try:
            solutions, complete = _solutions(query, None, limit)
        except WitnessError as error:  # it claims what it cannot show
            solutions, complete = (), False
            problem = str(error).removeprefix(f"{backend.name} ")
        end = time.perf_counter()
    return Answer(solutions, complete, problem=problem, build_s=built - start, solve_s=end - built)


def ask_everything(
    chosen: str | Configuration,
    puzzle: Grid,
    constraints: Constraints,
    *,
    limit: int = 2,
    budget: Budget = UNLIMITED,
) -> Answer:
    """Every question to one query that was built without the puzzle.

    Solutions and the status; an incremental backend also counts and finds the candidates, and
    `problem` says if these do not fit.
    """
    backend, encoding = _installed(chosen)
    under, rules_alone = Puzzle(puzzle, constraints), empty_puzzle(constraints)
    with closing(backend.open(rules_alone, encoding, budget)) as query:
        solutions, complete = _solutions(query, under, limit)
        if not complete:
            return Answer(solutions, complete)
        try:
            status = query.status(under, limit=min(limit, 2))
            count = query.count(under, limit=limit) if backend.incremental else len(solutions)
            candidates = query.candidates(under) if backend.incremental else None
        except BudgetError:
            return Answer(solutions, False)
    problem = _contradiction(solutions, count, limit, candidates, constraints.board)
    return Answer(solutions, status is not Status.UNKNOWN, candidates, status, problem)


def is_beyond(error: SatdokuError, constraints: Constraints) -> bool:
    """Whether an error of `ask` says that a backend cannot state the constraints; it is no answer,
    and no fault: some encodings take no clues on several cells, and few backends all that needs a
    session."""
    wide = constraints.is_wide and isinstance(error, EncodingError)
    return (wide or constraints.needs_session) and not isinstance(error, WitnessError)


def _installed(chosen: str | Configuration) -> Configuration:
    configuration = configuration_named(chosen) if isinstance(chosen, str) else chosen
    configuration.backend.require()
    return configuration


def _solutions(query: Query, under: Puzzle | None, limit: int) -> tuple[tuple[bytes, ...], bool]:
    """Solutions, at most `limit`, and whether the backend came to the end."""
    found: list[bytes] = []
    try:
        for solution in query.solutions(under, limit=limit):
            found.append(solution)
    except BudgetError:  # what was found before that stays
        return tuple(found), False
    return tuple(found), True


def _contradiction(
    solutions: tuple[bytes, ...],
    count: int,
    limit: int,
    candidates: frozenset[int] | None,
    board: Board,
) -> str:
    """How the answers of one query to several questions contradict each other, in words."""
    different = set(solutions)
    if len(different) != len(solutions):
        return f"lists {counted(len(solutions), 'solution')}, {len(different)} of them different"
    if count != len(solutions):
        return f"counts {counted(count, 'solution')}, lists {len(solutions)}"
    if candidates is not None:
        shown = {c for solution in different for c in candidates_of(solution, board.choices)}
        if board.layers:  # of whose values solutions show some
            behind = frozenset(range(board.choices * board.grid_cells, board.variables))
            shown, candidates = shown - behind, candidates - behind
        if not shown <= candidates or (len(solutions) < limit and shown != candidates):
            return "has other true candidates than its solutions"
    return ""


def disagreements(
    said: Mapping[str, Answer], puzzle: Grid, constraints: Constraints, limit: int
) -> list[str]:
    """What does not fit, in words; an empty list if all answers agree.

    An answer of a backend that gave up is a lower bound.
    """
    problems = [f"{name} {answer.problem}" for name, answer in said.items() if answer.problem]
    shown = frozenset(cells for answer in said.values() for cells in answer.solutions)
    wrong = {
        cells
        for cells in shown
        if not solves(Grid(cells, constraints.board), puzzle, constraints.rules)
    }
    problems += [
        f"{name} gives a solution that breaks the rules"
        for name, answer in said.items()
        if wrong.intersection(answer.solutions)
    ]
    digits = constraints.board.grid_cells  # layers may have several ways beside the same
    there = min(len({cells[:digits] for cells in shown - wrong}), limit)
    for name, answer in said.items():
        if answer.complete and answer.found < there:
            problems.append(
                f"{name} finds {counted(answer.found, 'solution')}, there are at least {there}"
            )
        if answer.complete and answer.status is not None:
            problems += _wrong_status(name, answer, puzzle, constraints, limit)
    return problems


def _wrong_status(
    name: str, answer: Answer, puzzle: Grid, constraints: Constraints, limit: int
) -> Iterator[str]:
    """Whether a status fits the backend's own solutions, which are compared with the others'."""
    fitting = [answer.verdict(limit)]
    if answer.found == 0 and violations(puzzle, constraints.rules):
        fitting.append(Status.INVALID)
    if answer.status not in fitting:
        yield f"{name} says {answer.status} where it finds {counted(answer.found, 'solution')}"
