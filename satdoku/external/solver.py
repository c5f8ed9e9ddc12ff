"""Questions to a program: a solution, all solutions, a status, or a model of any CNF.

Invariant: every solution is verified by the witness before it is returned; a program that claims a
wrong one raises `WitnessError`, which says what the values break. That there is no solution is
the program's word.

    solver = SolverCommand("kissat -q {cnf}", seconds=10, memory_mb=2000)
    solver.solve(puzzle, "knight")         # a Grid or None
"""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from ..cnf.dimacs import SATISFIABLE, UNKNOWN, format_clauses, parse_answer
from ..errors import SatdokuError, Status, WitnessError
from ..model.constraints import Constraints
from ..model.grid import Grid, GridLike
from ..model.puzzle import as_puzzle
from ..witness.verify import first_violation
from .forms import FORMS, Form, Posed
from .program import UNLIMITED, Command, Limits, Output, ProgramError, Unanswered, run

_NO_MEMORY = re.compile(r"memory|bad_alloc", re.IGNORECASE)


class Asking:
    """A puzzle in a file of its own, and a command that is run on it; a context."""

    def __init__(self, command: Command, form: Form, limits: Limits = UNLIMITED) -> None:
        self.form = form
        self._command, self._limits = command, limits
        self._folder = TemporaryDirectory(prefix="satdoku-")
        self._write(())

    def __enter__(self) -> Asking:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Remove the file."""
        self._folder.cleanup()

    def solutions(self) -> Iterator[bytes]:
        """All solutions, a digit for each cell, not verified; each run excludes those before."""
        found: list[bytes] = []
        while (cells := self._next()) is not None:
            if cells in found:
                raise WitnessError("gives a solution that was excluded")
            found.append(cells)
            yield cells
            self._write(found)

    def _next(self) -> bytes | None:
        with _answer(self._command, self._limits, Path(self._folder.name)) as output:
            cells = self.form.cells(output.text)
            if output.code in (10, 20) and (cells is None) != (output.code == 20):
                raise ProgramError("its answer is not that of its exit code")
            return cells

    def _write(self, excluded: Sequence[bytes]) -> None:
        _write(self._folder.name, self._command, self.form.text(excluded))


def _write(folder: str, command: Command, text: Iterator[str]) -> None:
    with open(Path(folder, f"problem.{command.form}"), "w", encoding="utf-8") as stream:
        stream.writelines(text)


@contextmanager
def _answer(command: Command, limits: Limits, folder: Path) -> Iterator[Output]:
    """Run the command, and name it in what goes wrong while its answer is read."""
    output = run(command, folder, limits)
    try:
        yield output
    except WitnessError as error:
        raise WitnessError(f"{command.text} {error}") from None
    except Unanswered as error:
        raise Unanswered(error.status, f"{command.program}: {error}") from None
    except SatdokuError as error:
        raise _failure(command, limits, output, error) from None


def _failure(command: Command, limits: Limits, output: Output, error: SatdokuError) -> SatdokuError:
    """Why there is no answer to read: the memory, a crash, or words of another language."""
    said = output.errors or output.text
    if limits.memory_mb and (output.code < 0 or _NO_MEMORY.search(said)):
        reason = f"{command.program}: no answer within {limits.memory_mb} MB"
        return Unanswered("memory", reason)
    if not output.code and (not said.strip() or UNKNOWN in said):
        return Unanswered("unknown", f"{command.program}: gives no answer")
    last = ([*filter(str.strip, said.splitlines())] or ["nothing"])[-1].strip()
    ended = f"exit code {output.code}"
    if output.code < 0:
        with suppress(ValueError):
            ended = signal.Signals(-output.code).name
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
    """A command line that solves: `{cnf}` stands for a file in DIMACS, `{smt2}` in SMT-LIB, `{opb}`
    in that of pseudo-boolean solvers.

    encoding: that of the CNF; model: that of SMT-LIB, `int`, `bv` or `onehot`. seconds, memory_mb:
    limits of each run, beyond which a question raises `Unanswered`.
    """

    def __init__(
        self,
        command: str,
        *,
        encoding: str | None = None,
        model: str | None = None,
        seconds: float | None = None,
        memory_mb: int | None = None,
    ) -> None:
        self.command = Command.of(command)
        self._limits = Limits(seconds, memory_mb)
        self._name = _way(self.command, {"encoding": encoding, "model": model})

    def solve(
        self,
        puzzle: GridLike,
        rules: str | Constraints = "classic",
        *,
        marks: bytes | None = None,
    ) -> Grid | None:
        """A solution of the puzzle, verified, or None. marks: see `solutions`."""
        return next(iter([*self.solutions(puzzle, rules, marks=marks, limit=1)]), None)

    def solutions(
        self,
        puzzle: GridLike,
        rules: str | Constraints = "classic",
        *,
        marks: bytes | None = None,
        limit: int | None = None,
    ) -> Iterator[Grid]:
        """All solutions, verified, each once; at most `limit`; a run of the program for each.

        marks: a byte for each candidate (cell-major, digit 1 first), 0 if it is excluded.
        """
        grid, constraints = as_puzzle(puzzle, rules)
        posed = Posed.of(constraints, grid, marks)
        form = FORMS[self.command.form](self._name, posed)
        with Asking(self.command, form, self._limits) as asking:
            for cells in islice(asking.solutions(), limit):
                yield self._verified(Grid(cells, grid.board), posed)
                if 0 not in grid.cells:
                    return

    def classify(
        self,
        puzzle: GridLike,
        rules: str | Constraints = "classic",
        *,
        marks: bytes | None = None,
    ) -> Status:
        """UNIQUE, MULTIPLE or NONE, INVALID if two givens clash, UNKNOWN beyond a limit."""
        grid, constraints = as_puzzle(puzzle, rules)
        if first_violation(grid, constraints.rules):
            return Status.INVALID
        try:
            found = sum(1 for _ in self.solutions(grid, constraints, marks=marks, limit=2))
        except Unanswered:
            return Status.UNKNOWN
        return (Status.NONE, Status.UNIQUE, Status.MULTIPLE)[found]

    def model(self, clauses: Sequence[Sequence[int]], variables: int) -> list[int] | None:
        """A model of any CNF, a literal for each variable that the program gives; None if there is
        none. It is checked against the clauses."""
        if self.command.form != "cnf":
            raise ProgramError(f"solver command {self.command.text}: expected {{cnf}} for a CNF")
        with TemporaryDirectory(prefix="satdoku-") as folder:
            _write(folder, self.command, format_clauses(clauses, variables))
            with _answer(self.command, self._limits, Path(folder)) as output:
                status, literals = parse_answer(output.text)
                if status == UNKNOWN:
                    raise Unanswered("unknown", "says UNKNOWN")
                true = set(literals)
                broken = next((c for c in clauses if true.isdisjoint(c)), None)
                if status == SATISFIABLE and broken is not None:
                    words = " ".join(map(str, (*broken, 0)))
                    raise WitnessError(f"claims SATISFIABLE, but its values break clause {words}")
        return sorted(literals, key=abs) if status == SATISFIABLE else None

    def _verified(self, solution: Grid, posed: Posed) -> Grid:
        if why := _refusal(solution, posed):
            raise WitnessError(f"{self.command.text} claims a solution, but {why}")
        return solution


def _refusal(solution: Grid, posed: Posed) -> str | None:
    """What a full grid breaks, in words: a rule, a given or a struck candidate; None if nothing."""
    constraints, puzzle, marks = posed
    if broken := first_violation(solution, constraints.rules):
        return broken.describe(solution)
    size = solution.board.size
    for cell, (digit, given) in enumerate(zip(solution, puzzle, strict=True)):
        said = f"{solution.board.name_of(cell)}={digit}"
        if given not in (0, digit):
            return f"{said}, where the puzzle has {given}"
        if not marks[size * cell + digit - 1]:
            return f"{said}, which its pencil marks exclude"
    return None


class ProgramSession:
    """The questions of a `Session` that a program answers, under one set of constraints."""

    def __init__(self, program: SolverCommand, constraints: Constraints) -> None:
        self._program, self._constraints = program, constraints
        self._marks: bytes | None = None

    @contextmanager
    def restricted(self, marks: bytes | None) -> Iterator[None]:
        """Keep to pencil marks inside a `with` block; see `SolverCommand.solutions`."""
        self._marks = marks
        try:
            yield
        finally:
            self._marks = None

    def solve(self, puzzle: Grid, *, conflicts: int | None = None) -> Grid | None:
        return self._program.solve(puzzle, self._constraints, marks=self._marks)

    def solutions(self, puzzle: Grid, *, limit: int | None = None) -> Iterator[Grid]:
        return self._program.solutions(puzzle, self._constraints, marks=self._marks, limit=limit)

    def classify(self, puzzle: Grid, *, conflicts: int | None = None) -> Status:
        return self._program.classify(puzzle, self._constraints, marks=self._marks)
