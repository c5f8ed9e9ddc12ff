"""CNF files in place of puzzles: solved, and decoded if satdoku wrote them."""

from __future__ import annotations

import argparse
import os
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
from ..files.streams import (
    STANDARD,
    is_dimacs,
    peek,
    read_text,
)
from ..sat.solver import solve_clauses
from . import EXIT_DONE, EXIT_NO
from .output import grid_writer


def is_cnf(name: str) -> bool:
    """Whether a file is taken for a CNF: by its name, compressed or not, or by its beginning."""
    if re.search(r"\.cnf(\.(gz|xz|bz2|zst))?$", name):
        return True
    return (name == STANDARD or os.path.isfile(name)) and is_dimacs(peek(name))


def solve_cnf_files(arguments: argparse.Namespace) -> int:
    code = EXIT_DONE
    for name in arguments.puzzles:
        if not is_cnf(name):
            raise SatdokuError(f"{name}: not a CNF file; expected CNF files only, or puzzles only")
        cnf = parse_cnf(read_text(name), name)
        model = solve_clauses(cnf.clauses, solver=arguments.solver)
        if arguments.dimacs_output:
            status = SATISFIABLE if model is not None else UNSATISFIABLE
            literals = (model or [])[: cnf.variables]
            free = range(len(literals) + 1, cnf.variables + 1)  # in no clause: true will do
            print(format_answer(status, [*literals, *free]))
            code = EXIT_CODES[status]
        elif not _print_decoded(cnf, model, name, arguments):
            code = EXIT_NO
    return code


def _print_decoded(
    cnf: CnfFile, model: list[int] | None, name: str, arguments: argparse.Namespace
) -> bool:
    """The grid of a CNF's model, `none` where there is no model."""
    if cnf.constraints is None:
        raise SatdokuError(
            f"{name}: no satdoku comments in this CNF; use --dimacs-output to solve it"
        )
    if model is None:
        print(Status.NONE)
        return False
    formula = encode(cnf.constraints, cnf.encoding, cnf.puzzle)
    grid = decode_answer(SolverOutput(SATISFIABLE, model), formula, cnf.puzzle)
    assert grid is not None
    print(grid_writer(arguments)(grid, cnf.puzzle))
    return True
