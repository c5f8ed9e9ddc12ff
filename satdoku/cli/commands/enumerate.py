"""The command `enumerate`: all solutions, most often in ascending order."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any

from ...files.outputs import form_of
from ...files.solutions import FORMS, SolutionWriter, open_solutions
from ...files.streams import STANDARD
from ...model.grid import Grid, GridError, as_grid, parse_grid
from ...model.puzzle import Puzzle
from ...runtime.errors import SatdokuError, counted
from .. import options as opt
from ..answers import clash, for_each_puzzle
from ..inputs import asked_puzzles
from ..output import grid_format, grid_writer, note, show
from ..programs import Program, asked_program
from ..progress import terminal_bar

if TYPE_CHECKING:
    from ...answers.external.solver import SolverCommand

EXAMPLE = "satdoku enumerate --limit 3 12.............."


class Arguments(opt.Puzzles, opt.Solver, opt.Format, opt.Encoding, Program):
    description = (
        "Print all solutions, each verified, in ascending order of their digits, row by row.\n"
        "On one core the engine lists a million grids of the empty board a second, in constant\n"
        "memory. A session slows down as it goes: it needs a clause to exclude each solution found."
    )
    json = opt.json_option("one object a line for each solution")
    output = opt.output_option(opt.Written(*FORMS), "file to write, without an ending a line each")
    timeout = opt.timeout_option(
        "stop with the solutions found by then, exit code 1; a run of --solver-cmd "
        "is killed: the answer is unknown"
    )
    limit = opt.option(type=opt.positive, metavar="N", help="stop after N solutions")
    after = opt.option(
        metavar="GRID",
        help="print only the solutions after this full grid, to continue another run",
    )
    count = opt.flag(help="print only the number of solutions listed and verified")
    backend = opt.option(
        choices=("auto", "engine", "session"),
        default="auto",
        help="engine: bit-parallel search, in ascending order; session: a SAT solver, in the order "
        "in which it finds them; auto (default): the engine, except with --solver, with --encoding "
        "and on boards above 16x16",
    )


def run(arguments: Arguments) -> int:
    """All solutions of each puzzle; exit 1 if one has none, or time ends."""
    program = asked_program(arguments)
    with _opened(arguments) as write, _Bar(arguments) as bar:

        def answer(asked: Puzzle) -> bool:
            if clash(arguments, asked):
                return False
            write.begin(asked.grid, asked.record)
            bar.begin()
            blocks = _blocks(arguments, asked, program)
            whole = _list(arguments, asked, blocks, write, bar)
            if arguments.count:
                known = bar.puzzle if whole and bar.puzzle != arguments.limit else None
                shown = str(known) if known is not None else f">={bar.puzzle}"
                kind = "exact" if known is not None else "at least"
                show(arguments, shown, asked.record, count=bar.puzzle, kind=kind)
            return whole and bar.puzzle > 0

        return for_each_puzzle(arguments, answer, asked_puzzles(arguments, marks=True, large=True))


def _list(
    arguments: Arguments,
    asked: Puzzle,
    blocks: Iterator[bytes],
    write: SolutionWriter,
    bar: _Bar,
) -> bool:
    """Write the solutions of a puzzle; False if time ended before all or the limit was there."""
    from ...runtime.errors import BudgetError

    last = b""
    try:
        for cells in blocks:
            bar.hide()
            write.write(cells)
            write.out.flush()
            bar.update(len(cells) // len(asked.grid.cells))
            last = cells[-len(asked.grid) :]
    except BudgetError:
        if arguments.timeout is None:
            raise
        known = counted(bar.puzzle, "solution")
        if last and _is_ordered(arguments, asked):
            known += f"; go on with --after {Grid(last, asked.grid.board)}"
        note(arguments, f"timed out after {arguments.timeout:g} s: {known}")
        return False
    return True


def _blocks(arguments: Arguments, asked: Puzzle, program: SolverCommand | None) -> Iterator[bytes]:
    """The solutions, some at a time, a byte a cell."""
    if program is not None:
        if arguments.after or arguments.backend != "auto":
            raise SatdokuError("a program lists as it finds: no --after, no --backend")
        return (found.cells for found in program.solutions(asked, limit=arguments.limit))
    from ...answers.api import blocks

    return blocks(
        asked,
        limit=arguments.limit,
        after=_after(arguments, asked),
        backend=arguments.backend,
        solver=arguments.solver,
        encoding=arguments.encoding,
        timeout=arguments.timeout,
    )


def _is_ordered(arguments: Arguments, asked: Puzzle) -> bool:
    """Whether the solutions come in ascending order."""
    from ...answers.listing import chosen_backend
    from ...answers.session import shared_session

    if arguments.solver_cmd or asked.constraints.board.is_large:
        return False
    session = shared_session(asked.constraints, arguments.solver, arguments.encoding)
    return chosen_backend(arguments.backend, session) == "engine"


def _after(arguments: Arguments, asked: Puzzle) -> Grid | None:
    """The grid of --after; an error says that it is that one."""
    if not arguments.after:
        return None
    try:
        return as_grid(parse_grid(arguments.after, source="--after"), asked.grid.board)
    except GridError as error:
        raise SatdokuError(f"--after: {error}") from None


@contextmanager
def _opened(arguments: Arguments) -> Iterator[SolutionWriter]:
    """What writes the solutions, as the options say."""
    if arguments.count:
        if arguments.output != STANDARD:
            raise SatdokuError("--count writes no solutions: leave out -o")
        yield _Nothing(sys.stdout.buffer)
        return
    form = arguments.format or (
        grid_format(arguments)
        if arguments.output == STANDARD
        else form_of(arguments.output, tuple(FORMS))
    )
    each = not arguments.json and (arguments.format not in (None, "line") or form == "pretty")
    form = "jsonl" if arguments.json else "line" if each else form
    with open_solutions(arguments.output, form) as write:
        yield _Each(write, arguments) if each else write


class _Nothing(SolutionWriter):
    """Solutions that are counted only."""

    def begin(self, puzzle: Grid, record: Any) -> None: ...
    def write(self, cells: bytes) -> None: ...


class _Each(SolutionWriter):
    """Solutions in a format of grids, one by one."""

    def __init__(self, write: SolutionWriter, arguments: Arguments) -> None:
        super().__init__(write.out)
        self.text = grid_writer(arguments)
        self.between = "\n\n" if grid_format(arguments) == "pretty" else "\n"

    def begin(self, puzzle: Grid, record: Any) -> None:
        self.puzzle = puzzle

    def write(self, cells: bytes) -> None:
        n, coding = len(self.puzzle.cells), sys.stdout.encoding or "utf-8"
        for start in range(0, len(cells), n):
            grid = Grid(cells[start : start + n], self.puzzle.board)
            self.out.write(f"{self.text(grid, self.puzzle)}{self.between}".encode(coding))


class _Bar(AbstractContextManager["_Bar"]):
    """How many solutions were listed, on the terminal; what became of them in the end."""

    def __init__(self, arguments: Arguments) -> None:
        self.arguments, self.start = arguments, time.perf_counter()
        self.puzzle = self.all = 0  # solutions of this puzzle, of all puzzles
        self.bar = terminal_bar(
            quiet=arguments.quiet, total=arguments.limit, unit=" grids", unit_scale=True, delay=1
        )

    def begin(self) -> None:
        """The next puzzle."""
        self.puzzle = 0

    def hide(self) -> None:
        """Make room on the terminal."""
        self.bar.clear()

    def update(self, count: int) -> None:
        """So many solutions more."""
        self.puzzle += count
        self.all += count
        self.bar.update(count)

    def __exit__(self, *_: object) -> None:
        self.bar.close()
        if self.arguments.output != STANDARD:
            seconds = time.perf_counter() - self.start
            rate = f"{seconds:.2f} s, {self.all / seconds:,.0f} grids/s"
            note(self.arguments, f"{counted(self.all, 'grid')} in {rate}, each verified")
