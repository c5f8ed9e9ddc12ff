"""The command `decode`: another solver's answer, checked, as a grid."""

from __future__ import annotations

import argparse
import re

from ...cnf.dimacs import (
    UNKNOWN,
    DecodeError,
    decode_answer,
    parse_answer,
    parse_cnf,
)
from ...cnf.encodings import encode
from ...errors import Status
from ...files.streams import (
    read_text,
)
from ...model.constraints import Constraints
from ...model.grid import Grid
from ...witness.smtlib import parse_smt_answer
from .. import EXIT_DONE, EXIT_NO
from ..inputs import puzzle_or_rules
from ..options import add_encoding, add_format, add_rules
from ..output import grid_writer

EXAMPLE = "satdoku solve --dimacs-output 1.....2....3.4.. | satdoku decode - --size 4"


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("answer", metavar="OUTPUT", help="the solver's output: file or -")
    parser.add_argument("--cnf", metavar="FILE", help="the CNF that `export` wrote")
    parser.add_argument("--puzzle", metavar="PUZZLE", help="the puzzle, where there is no --cnf")
    add_encoding(parser)
    add_rules(parser, solver=False)
    add_format(parser)


def run(arguments: argparse.Namespace) -> int:
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


def _question(arguments: argparse.Namespace) -> tuple[Constraints, Grid | None, str]:
    """What the answer is to, and the encoding: the CNF's comments, or --puzzle and --rules."""
    if arguments.cnf:
        cnf = parse_cnf(read_text(arguments.cnf), arguments.cnf)
        if cnf.constraints is None:
            raise DecodeError(f"{arguments.cnf}: has no satdoku comments; use --puzzle and --rules")
        return cnf.constraints, cnf.puzzle, cnf.encoding
    puzzle, constraints = puzzle_or_rules(arguments)
    return constraints, puzzle, arguments.encoding
