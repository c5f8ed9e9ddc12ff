"""Programs of others in place of our solvers: `--solver-cmd` and what limits it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..runtime.errors import SatdokuError
from .options import Options, Question, command_line, model_option, option, positive, several

if TYPE_CHECKING:
    from ..answers.external.solver import SolverCommand

COMMAND_HELP = (
    "such as 'kissat -q {cnf}': {cnf} stands for a DIMACS file, {smt2} for SMT-LIB, {opb} for "
    "pseudo-boolean constraints, {out} for the file that the program writes its answer to, if it "
    "does not print it (docs/SOLVERS.md)"
)


class Memory(Options):
    memory = option(
        type=positive,
        metavar="MB",
        help="memory limit of each process of --solver-cmd, and of all of them together: beyond it "
        "the answer is unknown",
    )


class Program(Question):
    """The options of a command that asks one program."""

    of_program = ("memory", "model")
    solver_cmd = option(
        type=command_line,
        metavar="CMD",
        help=f"ask this program instead of PySAT, {COMMAND_HELP}",
    )
    model = model_option("{smt2} of --solver-cmd")
    memory = Memory.memory


class Programs(Options):
    """The option of a command that compares solvers."""

    programs = several(
        "--solver-cmd",
        type=command_line,
        metavar="CMD",
        help=f"ask this program too (may be repeated), {COMMAND_HELP}; /ENCODING or /MODEL after "
        "the command chooses how to state the puzzle",
    )


def asked_program(arguments: Question) -> SolverCommand | None:
    """The program that --solver-cmd names; raises `SatdokuError` if there is none of that name."""
    command = arguments.solver_cmd
    if command is None:
        for name in arguments.of_program:
            if getattr(arguments, name) is not None:
                raise SatdokuError(f"--{name} is for a program: expected --solver-cmd with it")
        return None
    if arguments.conflicts is not None:
        raise SatdokuError("--conflicts limits no program: expected --timeout with --solver-cmd")
    from ..answers.external.solver import SolverCommand
    from ..cnf.encodings import DEFAULT_ENCODING

    program = SolverCommand(
        command,
        encoding=None if arguments.encoding == DEFAULT_ENCODING else arguments.encoding,
        model=arguments.model,
        timeout=arguments.timeout,
        memory_mb=arguments.memory,
    )
    program.command.require()
    return program
