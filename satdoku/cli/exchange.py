"""The commands that talk to other solvers: DIMACS and SMT-LIB out, answers in."""

from __future__ import annotations

import argparse
import os
import re

from ..cnf.dimacs import (
    EXIT_CODES,
    SATISFIABLE,
    UNKNOWN,
    UNSATISFIABLE,
    Answer,
    CnfFile,
    DecodeError,
    decode_answer,
    format_answer,
    parse_answer,
    parse_cnf,
    write_cnf,
)
from ..cnf.encodings import encode
from ..errors import SatdokuError, Status
from ..files.streams import (
    STANDARD,
    is_dimacs,
    open_output,
    peek,
    read_text,
)
from ..model.constraints import Constraints
from ..model.grid import Grid, empty_grid
from ..sat.solver import solve_clauses
from ..witness.smtlib import format_smtlib, parse_smt_answer
from . import EXIT_DONE, EXIT_NO
from .inputs import asked_constraints, grid_writer, one_puzzle

Arguments = argparse.Namespace


def is_cnf(name: str) -> bool:
    """Whether a file is taken for a CNF: by its name, compressed or not, or by its beginning."""
    if re.search(r"\.cnf(\.(gz|xz|bz2|zst))?$", name):
        return True
    return (name == STANDARD or os.path.isfile(name)) and is_dimacs(peek(name))


def export(arguments: Arguments) -> int:
    """A puzzle or bare rules as CNF, SMT-LIB or a link."""
    puzzle, constraints = _puzzle_and_constraints(arguments)
    if arguments.format != "dimacs":
        link = arguments.format == "fpuzzles"
        text = f"{_link(constraints, puzzle)}\n" if link else format_smtlib(constraints, puzzle)
        with open_output(arguments.output) as stream:
            stream.write(text.encode())
        return EXIT_DONE
    formula = encode(constraints, arguments.encoding, puzzle)
    with open_output(arguments.output) as stream:
        write_cnf(stream, formula, puzzle)
    return EXIT_DONE


def _link(constraints: Constraints, puzzle: Grid | None) -> str:
    from ..files.fpuzzles import format_fpuzzles  # CNF and answers do without

    return format_fpuzzles(puzzle or empty_grid(constraints.board), constraints)


def _puzzle_and_constraints(arguments: Arguments) -> tuple[Grid | None, Constraints]:
    """The puzzle, if one is given, and its law."""
    if arguments.puzzle:
        return one_puzzle(arguments, arguments.puzzle)
    return None, asked_constraints(arguments)


def decode(arguments: Arguments) -> int:
    """Another solver's output as a grid, checked."""
    constraints, puzzle, encoding = _question(arguments)
    text = read_text(arguments.answer)
    if re.match(r"\s*(sat|unsat|unknown)\b", text):
        grid = parse_smt_answer(text, constraints, puzzle)
    else:
        answer = parse_answer(text, arguments.answer)
        if answer.status == UNKNOWN:
            print(Status.UNKNOWN)
            return EXIT_NO
        grid = decode_answer(answer, encode(constraints, encoding, puzzle), puzzle)
    if grid is None:
        print(Status.NONE)
        return EXIT_NO
    print(grid_writer(arguments)(grid, puzzle))
    return EXIT_DONE


def _question(arguments: Arguments) -> tuple[Constraints, Grid | None, str]:
    """What the answer is to, and the encoding: the CNF's comments, or --puzzle and --rules."""
    if arguments.cnf:
        cnf = parse_cnf(read_text(arguments.cnf), arguments.cnf)
        if cnf.constraints is None:
            raise DecodeError(f"{arguments.cnf}: has no satdoku comments; use --puzzle and --rules")
        return cnf.constraints, cnf.puzzle, cnf.encoding
    puzzle, constraints = _puzzle_and_constraints(arguments)
    return constraints, puzzle, arguments.encoding


def solve_cnf_files(arguments: Arguments) -> int:
    code = EXIT_DONE
    for name in arguments.puzzles:
        if not is_cnf(name):
            raise SatdokuError(f"{name}: CNF files and puzzles do not mix in one call")
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


def _print_decoded(cnf: CnfFile, model: list[int] | None, name: str, arguments: Arguments) -> bool:
    """The grid of a CNF's model, `none` where there is no model."""
    if cnf.constraints is None:
        raise SatdokuError(f"{name}: has no satdoku comments, expected --dimacs-output with it")
    if model is None:
        print(Status.NONE)
        return False
    formula = encode(cnf.constraints, cnf.encoding, cnf.puzzle)
    grid = decode_answer(Answer(SATISFIABLE, model), formula, cnf.puzzle)
    assert grid is not None
    print(grid_writer(arguments)(grid, cnf.puzzle))
    return True
