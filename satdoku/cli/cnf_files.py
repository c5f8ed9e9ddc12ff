"""CNF files in place of puzzles: solved, and decoded if satdoku wrote them."""

from __future__ import annotations

import argparse
import re

from ..cnf.dimacs import (
    EXIT_CODES,
    SATISFIABLE,
    UNSATISFIABLE,
    CnfFile,
    SolverOutput,
    decode_answer,
    format_answer,
    parse_cnf,
)
from ..cnf.encodings import encode
from ..errors import SatdokuError, Status
from ..files.streams import Source
from ..sat.solver import solve_clauses
from . import EXIT_DONE, EXIT_NO
from .output import grid_writer, show, verdict


def is_cnf(argument: str | Source) -> bool:
    """Whether an argument is a CNF: by its file's name, compressed or not, or by its beginning."""
    if isinstance(argument, str):
        return False
    named = re.search(r"\.cnf(\.(gz|xz|bz2|zst))?$", argument.path)
    return bool(named) or argument.is_dimacs


def solve_cnf(source: Source, arguments: argparse.Namespace) -> int:
    """Print the model of a CNF, or its grid if satdoku wrote it."""
    cnf = parse_cnf(source.text(), source.path)
    model = solve_clauses(cnf.clauses, solver=arguments.solver)
    if not arguments.dimacs_output:
        return EXIT_DONE if _print_decoded(cnf, model, source.path, arguments) else EXIT_NO
    return EXIT_CODES[print_model(model, cnf.variables)]


def print_model(model: list[int] | None, variables: int) -> str:
    """Print the `s` and `v` lines of a model, a literal for each variable; the status."""
    status = SATISFIABLE if model is not None else UNSATISFIABLE
    literals = (model or [])[:variables]
    free = range(len(literals) + 1, variables + 1)  # in no clause: true will do
    print(format_answer(status, [*literals, *free]))
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
