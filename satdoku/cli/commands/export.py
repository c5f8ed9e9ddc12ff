"""The command `export`: a puzzle or bare rules as DIMACS, SMT-LIB or a link."""

from __future__ import annotations

import argparse

from ...cnf.dimacs import (
    write_cnf,
)
from ...cnf.encodings import encode
from ...files.streams import (
    open_output,
)
from ...model.constraints import Constraints
from ...model.grid import Grid, empty_grid
from ...witness.smtlib import format_smtlib
from .. import EXIT_DONE
from ..inputs import puzzle_or_rules
from ..options import PUZZLE_HELP, add_encoding, add_output, add_rules

EXAMPLE = "satdoku export 1.....2....3.4.. -o puzzle.cnf"


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "puzzle",
        nargs="?",
        metavar="PUZZLE",
        help="text, link, file or -; without it: the rules alone",
    )
    parser.epilog = PUZZLE_HELP
    add_output(parser)
    add_rules(parser, solver=False)
    parser.add_argument(
        "-f",
        "--format",
        choices=("dimacs", "smtlib2", "fpuzzles"),
        default="dimacs",
        help="dimacs: CNF (default); smtlib2: integer constraints; fpuzzles: a link",
    )
    add_encoding(parser)


def run(arguments: argparse.Namespace) -> int:
    """A puzzle or bare rules as CNF, SMT-LIB or a link."""
    puzzle, constraints = puzzle_or_rules(arguments)
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
    from ...files.fpuzzles import format_fpuzzles  # CNF and answers do without

    return format_fpuzzles(puzzle or empty_grid(constraints.board), constraints)
