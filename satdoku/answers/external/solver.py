"""Questions to a program: a solution, all solutions, a status, or a model of any CNF.

Invariant: the witness verifies every solution before it is returned; a wrong solution raises
`WitnessError`, which names the clause or the rule that it violates. The claim that there is no
solution is not checked.

    solver = SolverCommand("kissat -q {cnf}", timeout=10, memory_mb=2000)
    solver.solve(puzzle, "knight")         # a Grid or None
"""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from itertools import islice

from ...cnf.dimacs import (
    EXIT_CODES,
    SATISFIABLE,
    UNKNOWN,
    UNSATISFIABLE,
    format_clauses,
    parse_answer,
)
from ...files.one import PuzzleLike, Rules, asked
from ...model.grid import Grid
from ...model.puzzle import Puzzle
from ...runtime.errors import SatdokuError, Status, Unanswered, WitnessError
from ...runtime.supervised import Folder
from ...witness.verify import first_violation
from ..answer import Answer, answer_of
from ..query import Query
from ..session import verified
from .forms import FORMS
from .program import UNLIMITED, Command, Limits, Output, ProgramError, run

_NO_MEMORY = re.compile(r"memory|bad_alloc", re.IGNORECASE)


class ProgramQuery(Query):
    """A puzzle in a file of its own, and a command that runs on it for each solution.

    Each run has a file and a folder of its own, so that no run finds the files of an earlier one.
    """

    def __init__(
        self,
        command: Command,
        puzzle: Puzzle,
        way: str,
        limits: Limits = UNLIMITED,
        limit: int = 2,
    ) -> None:
        self.name, self.limit, self._puzzle = command.text, limit, puzzle
        self._form = form = FORMS[command.form](way, puzzle)
        self.variables, self.clauses = form.variables, form.clauses
        self._asked = command, way, limits
        self._command, self._limits = command, limits.for_values(form.values)
        self._folder = self._written(())

    def close(self) -> None:
        """Remove the file."""
        self._folder.close()

    def solutions(
        self, under: Puzzle | None = None, *, limit: int | None = None
    ) -> Iterator[bytes]:
        """All solutions, not verified; each run excludes those before."""
        if under is None:
            yield from islice(self._solutions(), limit)
            return
        command, way, limits = self._asked
        with closing(ProgramQuery(command, under, way, limits)) as query:
            yield from query.solutions(limit=limit)

    def _solutions(self) -> Iterator[bytes]:
        found: list[bytes] = []
        while (cells := self._next()) is not None:
            if cells in found:
                raise WitnessError("gives a solution that was excluded")
            found.append(cells)
            yield cells
            if 0 not in self._puzzle.grid.cells:
                return
            self._folder.close()
            self._folder = self._written(found)

    def _next(self) -> bytes | None:
        with _answer(self._command, self._limits, self._folder) as output:
            cells = self._form.cells(output.text)
            _agree(output, cells is not None)
            return cells

    def _written(self, excluded: Sequence[bytes]) -> Folder:
        return _written(self._command, self._form.text(excluded))


def _written(command: Command, text: Iterator[str]) -> Folder:
    """A folder with the file of a command."""
    folder = Folder()
    try:
        with open(folder.path / f"problem.{command.form}", "w", encoding="utf-8") as stream:
            stream.writelines(text)
    except BaseException:
        folder.close()
        raise
    return folder


@contextmanager
def _answer(command: Command, limits: Limits, folder: Folder) -> Iterator[Output]:
    """Run the command, and name it in what goes wrong while its answer is read."""
    output = run(command, folder.path, limits)
    try:
        if output.signal:
            raise ProgramError("what it says before it is killed does not count")
        yield output
    except WitnessError as error:
        raise WitnessError(f"{command.text} {error}") from None
    except Unanswered as error:
        raise Unanswered(error.status, f"{command.program}: {error}") from None
    except SatdokuError as error:
        raise _failure(command, limits, output, error) from None


def _agree(output: Output, satisfiable: bool) -> None:
    """The exit codes that the SAT competition agreed on: a program that uses them means them."""
    other = EXIT_CODES[UNSATISFIABLE if satisfiable else SATISFIABLE]
    if output.code == other:
        raise ProgramError("its answer is not that of its exit code")


def _failure(command: Command, limits: Limits, output: Output, error: SatdokuError) -> SatdokuError:
    """Why there is no answer to read: the memory, a crash, or words of another language."""
    said = output.errors or output.text
    if limits.memory_mb and (output.signal or _NO_MEMORY.search(said)):
        reason = f"{command.program}: no answer within {limits.memory_mb} MB"
        return Unanswered("memory", reason)
    if not output.code and (not said.strip() or UNKNOWN in said):
        return Unanswered("unknown", f"{command.program}: gives no answer")
    last = ([*filter(str.strip, said.splitlines())] or ["nothing"])[-1].strip()
    ended = f"exit code {output.code}"
    if output.signal:
        with suppress(ValueError):
            ended = signal.Signals(output.signal).name
    return ProgramError(f"{command.text}: {error} ({ended}; its last words: {last[:200]})")


_WAYS = {"encoding": "cnf", "model": "smt2"}  # the form of which each is an option


def _way(command: Command, asked: Mapping[str, str | None]) -> str:
    """The encoding or the model that is asked for; raises `ProgramError` for one that there is not,
    or where the command reads another form."""
    names = FORMS[command.form].names
    for option, name in asked.items():
        if name is None:
            continue
        if _WAYS[option] != command.form:
            needed = f"{option} {name} needs {{{_WAYS[option]}}}"
            raise ProgramError(f"solver command {command.text}: {needed}")
        if name not in names:
            expected = f"found {option} '{name}', expected one of {', '.join(names)}"
            raise ProgramError(f"solver command {command.text}: {expected}")
        return name
    return names[0]


class SolverCommand:
    """An outside solver as a command line: `{cnf}` stands for a DIMACS file, `{smt2}` for one in
    SMT-LIB, `{opb}` for one with pseudo-boolean constraints.

    encoding: that of the CNF; model: that of SMT-LIB, `int`, `bv` or `onehot`. timeout (seconds),
    memory_mb: limits of each run, beyond which a question raises `Unanswered`.
    """

    def __init__(
        self,
        command: str,
        *,
        encoding: str | None = None,
        model: str | None = None,
        timeout: float | None = None,
        memory_mb: int | None = None,
    ) -> None:
        self.command = Command.of(command)
        self._limits = Limits(timeout, memory_mb)
        self._name = _way(self.command, {"encoding": encoding, "model": model})

    def solve(self, puzzle: PuzzleLike, rules: Rules = None) -> Grid | None:
        """A solution of the puzzle, verified, or None."""
        return next(iter([*self.solutions(puzzle, rules, limit=1)]), None)

    def solutions(
        self, puzzle: PuzzleLike, rules: Rules = None, *, limit: int | None = None
    ) -> Iterator[Grid]:
        """All solutions, verified, each once; at most `limit`. Each takes a run of the program."""
        found = asked(puzzle, rules)
        with closing(self._query(found)) as query:
            for cells in query.solutions(limit=limit):
                solution = Grid(cells, found.grid.board)
                yield verified(
                    solution, found.grid, found.constraints, found.mark_bytes, query.name
                )

    def classify(self, puzzle: PuzzleLike, rules: Rules = None) -> Status:
        """UNIQUE, MULTIPLE or NONE, INVALID if two givens clash, UNKNOWN beyond a limit."""
        try:
            return self.answer(asked(puzzle, rules)).status
        except Unanswered:
            return Status.UNKNOWN

    def answer(self, puzzle: Puzzle, limit: int = 2) -> Answer:
        """What `answers.answer` gives; raises `Unanswered` beyond a limit of the program."""
        if first_violation(puzzle.grid, puzzle.constraints.rules):
            return Answer(Status.INVALID, None, "")
        return answer_of(self._query(puzzle, limit), puzzle)

    def _query(self, puzzle: Puzzle, limit: int = 2) -> ProgramQuery:
        return ProgramQuery(self.command, puzzle, self._name, self._limits, limit)

    def model(self, clauses: Sequence[Sequence[int]], variables: int) -> list[int] | None:
        """A model of any CNF, a literal for each variable that the program gives; None if there is
        none. It is checked against the clauses."""
        if self.command.form != "cnf":
            raise ProgramError(f"solver command {self.command.text}: expected {{cnf}} for a CNF")
        limits = self._limits.for_values(variables)
        with (
            _written(self.command, format_clauses(clauses, variables)) as folder,
            _answer(self.command, limits, folder) as output,
        ):
            status, literals = parse_answer(output.text)
            if status == UNKNOWN:
                raise Unanswered("unknown", "says UNKNOWN")
            _agree(output, status == SATISFIABLE)
            if status == SATISFIABLE and (why := _no_model(literals, clauses, variables)):
                raise WitnessError(f"claims SATISFIABLE, but its values {why}")
        return sorted(literals, key=abs) if status == SATISFIABLE else None


def _no_model(
    literals: Sequence[int], clauses: Sequence[Sequence[int]], variables: int
) -> str | None:
    """Why values are no model of clauses, in words; None if they are one."""
    true = set(literals)
    if both := next((literal for literal in literals if -literal in true), None):
        return f"hold both {abs(both)} and {-abs(both)}"
    if beyond := next((literal for literal in literals if abs(literal) > variables), None):
        return f"hold {beyond}, and there are {variables} variables"
    if broken := next((clause for clause in clauses if true.isdisjoint(clause)), None):
        return f"break clause {' '.join(map(str, (*broken, 0)))}"
    return None
