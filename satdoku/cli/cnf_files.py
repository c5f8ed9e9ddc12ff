"""CNF files in place of puzzles: solved, and decoded if satdoku wrote them."""

from __future__ import annotations

import argparse
import re

from ..cnf.dimacs import (
    EXIT_CODES,
    SATISFIABLE,
    UNKNOWN,
    UNSATISFIABLE,
    CnfFile,
    SolverOutput,
    decode_answer,
    format_answer,
    parse_cnf,
)
from ..cnf.encodings import encode
from ..errors import BudgetError, SatdokuError, Status
from ..files.streams import Source
from ..sat.solver import solve_clauses
from . import EXIT_DONE, EXIT_NO
from .output import grid_writer, note, show, verdict
from .programs import asked_program


def is_cnf(argument: str | Source) -> bool:
    """Whether an argument is a CNF: by its file's name, compressed or not, or by its beginning."""
    if isinstance(argument, str):
        return False
    named = re.search(r"\.cnf(\.(gz|xz|bz2|zst))?$", argument.path)
    return bool(named) or argument.is_dimacs


def solve_cnf(source: Source, arguments: argparse.Namespace) -> int:
    """Print the model of a CNF, or its grid if satdoku wrote it."""
    cnf = parse_cnf(source.text(), source.path)
    try:
        model = _model(cnf, arguments)
    except BudgetError as error:
        note(arguments, error)
        if arguments.dimacs_output:
            print(format_answer(UNKNOWN))
            return EXIT_CODES[UNKNOWN]
        show(arguments, verdict(Status.UNKNOWN), file=source.path, status=str(Status.UNKNOWN))
        return EXIT_NO
    if not arguments.dimacs_output:
        return EXIT_DONE if _print_decoded(cnf, model, source.path, arguments) else EXIT_NO
    return EXIT_CODES[print_model(model, cnf.variables)]


def _model(cnf: CnfFile, arguments: argparse.Namespace) -> list[int] | None:
    if program := asked_program(arguments):
        return program.model(cnf.clauses, cnf.variables)
    return solve_clauses(cnf.clauses, solver=arguments.solver)


def print_model(model: list[int] | None, variables: int) -> str:
    """Print the `s` and `v` lines of a model, a literal for each variable; the status."""
    status = SATISFIABLE if model is not None else UNSATISFIABLE
    said = {abs(literal): literal for literal in model or ()}
    literals = (said.get(variable, variable) for variable in range(1, variables + 1))
    print(format_answer(status, literals))  # a variable in no clause: true will do
    return status


def _print_decoded(
    cnf: CnfFile, model: list[int] | None, name: str, arguments: argparse.Namespace
) -> bool:
    """Print the grid of a CNF's model, or `none`; whether there is a model."""
    if cnf.constraints is None:
        raise SatdokuError(
            f"{name}: no satdoku comments in this CNF; use --dimacs-output to solve it"
        )
    if model is None:
        show(arguments, verdict(Status.NONE), file=name, status=str(Status.NONE))
        return False
    formula = encode(cnf.constraints, cnf.encoding, cnf.puzzle)
    grid = decode_answer(SolverOutput(SATISFIABLE, model), formula, cnf.puzzle)
    assert grid is not None
    text = "" if arguments.json else grid_writer(arguments)(grid, cnf.puzzle)
    show(arguments, text, file=name, status=str(Status.SOLVED), solution=str(grid))
    return True
