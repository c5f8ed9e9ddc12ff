"""Programs of others in place of our solvers: `--solver-cmd` and what limits it."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ..errors import SatdokuError
from .options import add_time, command_line, positive

if TYPE_CHECKING:
    from ..external.solver import SolverCommand

COMMAND_HELP = (
    "such as 'kissat -q {cnf}': {cnf} stands for a DIMACS file, {smt2} for SMT-LIB, {opb} for "
    "pseudo-boolean constraints, {out} for the file that the program writes its answer to, if it "
    "does not print it (docs/SOLVERS.md)"
)


def add_program(parser: argparse.ArgumentParser, then: str = "") -> None:
    """The options of a command that asks one program; then: what --timeout means without it, if
    anything."""
    parser.add_argument(
        "--solver-cmd",
        type=command_line,
        metavar="CMD",
        help=f"ask this program instead of PySAT, {COMMAND_HELP}",
    )
    add_model(parser, "{smt2} of --solver-cmd")
    killed = "a run of --solver-cmd is killed: the answer is unknown"
    add_time(parser, None, f"{then}; {killed}" if then else killed)
    parser.set_defaults(of_program=("memory", "model") if then else ("timeout", "memory", "model"))
    add_memory(parser)


def add_programs(parser: argparse._ActionsContainer) -> None:
    """The option of a command that compares solvers."""
    parser.add_argument(
        "--solver-cmd",
        action="append",
        type=command_line,
        default=[],
        dest="programs",
        metavar="CMD",
        help=f"ask this program too (may be repeated), {COMMAND_HELP}; /ENCODING or /MODEL after "
        "the command chooses how to state the puzzle",
    )


def add_model(parser: argparse.ArgumentParser, what: str) -> None:
    """How SMT-LIB states a cell; the names are those of `witness.smtlib`."""
    parser.add_argument(
        "--model",
        choices=("int", "bv", "onehot"),
        help=f"what a cell is in {what}: int, an integer (default); bv, a binary number, 4 bits on "
        "9x9; onehot, a bit for each digit",
    )


def add_memory(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--memory",
        type=positive,
        metavar="MB",
        help="memory limit of each process of --solver-cmd, and of all of them together: beyond it "
        "the answer is unknown",
    )


def asked_program(arguments: argparse.Namespace) -> SolverCommand | None:
    """The program that --solver-cmd names; raises `SatdokuError` if there is none of that name."""
    if not hasattr(arguments, "solver_cmd"):
        return None
    command: str | None = arguments.solver_cmd
    if command is None:
        for name in arguments.of_program:
            if getattr(arguments, name) is not None:
                raise SatdokuError(f"--{name} is for a program: expected --solver-cmd with it")
        return None
    if getattr(arguments, "conflicts", None) is not None:
        raise SatdokuError("--conflicts limits no program: expected --timeout with --solver-cmd")
    from ..cnf.encodings import DEFAULT_ENCODING
    from ..external.solver import SolverCommand

    encoding = getattr(arguments, "encoding", DEFAULT_ENCODING)
    program = SolverCommand(
        command,
        encoding=None if encoding == DEFAULT_ENCODING else encoding,
        model=arguments.model,
        timeout=arguments.timeout,
        memory_mb=arguments.memory,
    )
    program.command.require()
    return program
