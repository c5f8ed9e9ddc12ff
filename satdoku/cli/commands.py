"""The commands that ask about puzzles, each a thin call of public functions.

A command takes the parsed arguments and returns its exit code.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby, islice

from ..cnf.dimacs import (
    EXIT_CODES,
    SATISFIABLE,
    UNKNOWN,
    UNSATISFIABLE,
    format_answer,
)
from ..cnf.encodings import DEFAULT_ENCODING, encode
from ..errors import Status
from ..model.constraints import Constraints
from ..model.grid import Grid, GridError
from ..model.puzzle import Puzzle
from ..model.rules import ALIASES, JIGSAW, JIGSAW_SUMMARY, RULES
from ..sat import api
from ..sat.session import Session
from ..sat.solver import DEFAULT_SOLVER, BudgetError
from ..witness.verify import violations
from . import EXIT_BAD_INPUT, EXIT_DONE, EXIT_NO
from .exchange import is_cnf, solve_cnf_files
from .inputs import (
    asked_puzzles,
    complain,
    grid_format,
    grid_writer,
)

Arguments = argparse.Namespace
RUN = 4096  # puzzles that are decided together


# Questions about puzzles --------------------------------------------------------------------------


def solve(arguments: Arguments) -> int:
    """A solution of each puzzle, `none`, `invalid` or `unknown`."""
    if any(is_cnf(name) for name in arguments.puzzles):
        return solve_cnf_files(arguments)
    if arguments.dimacs_output:
        return _solve_as_dimacs(arguments)
    write = grid_writer(arguments)

    def answer(puzzle: Grid, session: Session) -> bool:
        solution = _solution(puzzle, session, arguments.conflicts)
        if isinstance(solution, Status):
            print(solution)
            return False
        print(write(solution, puzzle))
        return True

    return for_each(arguments, answer)


def check(arguments: Arguments) -> int:
    """The status of each puzzle."""
    words = {status: str(status) for status in Status}
    return print_statuses(arguments, arguments.conflicts, words, {Status.UNIQUE})


def print_statuses(
    arguments: Arguments, conflicts: int | None, words: Mapping[Status, str], good: set[Status]
) -> int:
    """A word for each puzzle's status; the exit code is "no" if any is not among the good ones."""

    def answers() -> Iterator[bool | GridError]:
        for grid, status in _statuses(arguments, conflicts):
            if isinstance(grid, GridError):
                yield grid
            else:
                print(words[status])
                yield status in good

    return _exit_code(answers())


def _statuses(
    arguments: Arguments, conflicts: int | None
) -> Iterator[tuple[Grid | GridError, Status]]:
    """Each puzzle with its status, verified, in order; clashes are explained on stderr."""
    stream = asked_puzzles(arguments)
    while run := list(islice(stream, RUN)):
        for constraints, group in groupby(
            run, key=lambda question: getattr(question, "constraints", None)
        ):
            if constraints is None:
                yield from ((error, Status.INVALID) for error in group)  # type: ignore[misc]
                continue
            grids = [question.grid for question in group if isinstance(question, Puzzle)]
            answers = _decide(grids, constraints, arguments, conflicts)
            for grid, (status, solution) in zip(grids, answers, strict=True):
                if status is Status.INVALID:
                    clashes(grid, constraints)
                elif solution is not None:
                    api.verified(solution, grid, constraints)
                yield grid, status


def _decide(
    grids: list[Grid], constraints: Constraints, arguments: Arguments, conflicts: int | None
) -> Iterable[tuple[Status, Grid | None]]:
    """By the engine; but numpy, which it needs, takes longer to load than one puzzle to solve."""
    if len(grids) == 1 or arguments.backend == "session":
        session = api.shared_session(constraints, arguments.solver)
        return (session.decide(grid, conflicts=conflicts) for grid in grids)
    from ..batch.solve import BatchOptions, solve_grids

    return solve_grids(grids, BatchOptions(constraints, 2, arguments.solver, conflicts))


def enumerate(arguments: Arguments) -> int:
    """All solutions of each puzzle, as they are found."""
    write = grid_writer(arguments)
    between = "\n\n" if grid_format(arguments) == "pretty" else "\n"

    def answer(puzzle: Grid, session: Session) -> bool:
        if clashes(puzzle, session.constraints):
            return False
        found = False
        for solution in verified_solutions(puzzle, session, arguments.limit):
            found = True
            print(write(solution, puzzle), end=between)
        return found

    return for_each(arguments, answer)


def candidates(arguments: Arguments) -> int:
    """Each cell's digits over all solutions, a row a line."""

    def answer(puzzle: Grid, session: Session) -> bool:
        true = session.candidates(puzzle)
        n = puzzle.board.size
        separator = "" if n <= 9 else ","
        words = [separator.join(map(str, sorted(digits))) or "-" for digits in true]
        width = max(map(len, words))
        for row in range(n):
            print(" ".join(word.ljust(width) for word in words[n * row : n * row + n]).rstrip())
        return all(true)

    return for_each(arguments, answer)


def propagate(arguments: Arguments) -> int:
    """The grid as far as unit propagation alone fixes it."""
    write = grid_writer(arguments)

    def answer(puzzle: Grid, session: Session) -> bool:
        fixed = session.propagate(puzzle)
        print("conflict" if fixed is None else write(fixed, puzzle))
        return fixed is not None

    return for_each(arguments, answer)


def for_each(arguments: Arguments, answer: Callable[[Grid, Session], bool]) -> int:
    """Answer every good puzzle."""
    solver = getattr(arguments, "solver", DEFAULT_SOLVER)
    encoding = getattr(arguments, "encoding", DEFAULT_ENCODING)

    def answers() -> Iterator[bool | GridError]:
        for question in asked_puzzles(arguments):
            if isinstance(question, GridError):
                yield question
                continue
            try:
                yield answer(
                    question.grid, api.shared_session(question.constraints, solver, encoding)
                )
            except BudgetError as error:
                complain(error)
                yield False

    return _exit_code(answers())


def _exit_code(answers: Iterable[bool | GridError]) -> int:
    """2 if any puzzle was bad, which is said, else 1 if any answer was "no", else 0."""
    code = EXIT_DONE
    for good in answers:
        if isinstance(good, GridError):
            complain(good)
            code = EXIT_BAD_INPUT
        elif not good and code == EXIT_DONE:
            code = EXIT_NO
    return code


def _solution(puzzle: Grid, session: Session, conflicts: int | None) -> Grid | Status:
    """A verified solution, or the status that says why there is none."""
    if clashes(puzzle, session.constraints):
        return Status.INVALID
    try:
        solution = session.solve(puzzle, conflicts=conflicts)
    except BudgetError as error:
        complain(error)
        return Status.UNKNOWN
    if solution is None:
        return Status.NONE
    return api.verified(solution, puzzle, session.constraints)


def verified_solutions(
    puzzle: Grid, session: Session, limit: int | None, *, seconds: float | None = None
) -> Iterator[Grid]:
    """All solutions, at most `limit`, each one checked; `BudgetError` beyond the seconds."""
    for solution in session.solutions(puzzle, limit=limit, seconds=seconds):
        yield api.verified(solution, puzzle, session.constraints)


def clashes(puzzle: Grid, constraints: Constraints) -> bool:
    """Whether two givens clash; says on stderr which and by which rule."""
    broken = violations(puzzle, constraints.rules)
    if broken:
        complain(f"invalid: {broken[0].describe(puzzle)}")
    return bool(broken)


def _solve_as_dimacs(arguments: Arguments) -> int:
    """The `s` and `v` lines for each puzzle, then the last one's code.

    The literals are those of the candidates as the default encoding numbers them.
    """
    status = UNKNOWN

    def answer(puzzle: Grid, session: Session) -> bool:
        nonlocal status
        solution = _solution(puzzle, session, arguments.conflicts)
        if isinstance(solution, Status):
            status = UNKNOWN if solution is Status.UNKNOWN else UNSATISFIABLE
            print(format_answer(status))
            return True
        status = SATISFIABLE
        true = set(encode(session.constraints).literals(solution.cells))
        variables = range(1, session.constraints.variables + 1)
        print(format_answer(status, (v if v in true else -v for v in variables)))
        return True

    code = for_each(arguments, answer)
    return EXIT_CODES[status] if code == EXIT_DONE else code


# Witnesses and rules ------------------------------------------------------------------------------


def crosscheck(arguments: Arguments) -> int:
    """A line for each witness, and whether they agree."""
    from ..crosscheck import WITNESSES, ask, disagreements

    names = arguments.witnesses.split(",") if arguments.witnesses else WITNESSES
    limit = arguments.limit

    def answer(puzzle: Grid, session: Session) -> bool:
        constraints = session.constraints
        findings = []
        print(f"{'witness':<16} {'status':<9} {'solutions':>9} {'build s':>8} {'solve s':>8}")
        for name in names:
            said = ask(name, puzzle, constraints, limit=limit, timeout=arguments.timeout)
            findings.append(said)
            number = len(said.solutions)
            shown = f">={number}" if number == limit or not said.complete else str(number)
            times = f"{said.build_seconds:8.3f} {said.solve_seconds:8.3f}"
            print(f"{name:<16} {said.status(limit)!s:<9} {shown:>9} {times}", flush=True)
        problems = disagreements(findings, puzzle, constraints, limit)
        for problem in problems:
            print(f"DISAGREE: {problem}")
        finished = sum(said.complete for said in findings)
        if finished < 2:
            print(f"{finished or 'no'} witness finished: nothing to compare")
        elif not problems:
            print(f"all {finished} finished witnesses agree")
        return finished > 1 and not problems

    return for_each(arguments, answer)


def rules(arguments: Arguments) -> int:
    """The rules and aliases with what they mean."""
    for rule in RULES.values():
        print(f"{rule.name:<16}{rule.summary}")
    print(f"{JIGSAW:<16}{JIGSAW_SUMMARY}")
    for alias, names in ALIASES.items():
        print(f"{alias:<16}{', '.join(names) or 'rows, columns and boxes only'}")
    return EXIT_DONE
