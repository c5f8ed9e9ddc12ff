"""The command `decode`: another solver's answer, checked, as a grid."""

from __future__ import annotations

import re

from ...cnf.dimacs import (
    UNKNOWN,
    DecodeError,
    SolverOutput,
    decode_answer,
    parse_answer,
    parse_cnf,
)
from ...cnf.encodings import encode
from ...cnf.opb import parse_opb_answer
from ...files.streams import (
    read_text,
)
from ...model.constraints import Constraints
from ...model.grid import Grid
from ...model.notes import notes_in, read_notes
from ...model.puzzle import Puzzle
from ...runtime.errors import Status
from ...witness.smtlib import parse_smt_answer
from .. import EXIT_DONE, EXIT_NO
from ..inputs import puzzle_or_rules
from ..options import Encoding, Format, Rules, argument, json_option, option, to_read
from ..output import grid_writer, show, verdict

EXAMPLE = "satdoku solve --dimacs-output 1.....2....3.4.. | satdoku decode - --size 4"


class Arguments(Encoding, Rules, Format):
    answer = argument("OUTPUT", "output of the solver: file or -")
    cnf = option(
        "--export",
        "--cnf",
        type=to_read,
        metavar="FILE",
        help="file that `export` wrote: DIMACS, SMT-LIB or OPB",
    )
    puzzle = option(type=to_read, metavar="PUZZLE", help="the puzzle, if there is no --export")
    json = json_option("one object")


def run(arguments: Arguments) -> int:
    """Another solver's output as a grid, checked."""
    constraints, puzzle, encoding = _puzzle_and_encoding(arguments)
    text = read_text(arguments.answer)
    if puzzle is not None and constraints.board.is_large:
        return _decode_large(arguments, parse_answer(text, arguments.answer), puzzle, constraints)
    if re.search(r"^v .*x\d|^\(define-fun k!", text, re.MULTILINE):
        grid = parse_opb_answer(text, constraints, puzzle)
    elif re.match(r"\s*(sat|unsat|unknown)\b", text) and not re.search(
        r"^(-?\d|[sv]\s)", text, re.MULTILINE
    ):
        grid = parse_smt_answer(text, constraints, puzzle)
    else:
        answer = parse_answer(text, arguments.answer)
        if answer.status == UNKNOWN:
            show(arguments, verdict(Status.UNKNOWN), status=str(Status.UNKNOWN))
            return EXIT_NO
        grid = decode_answer(answer, encode(constraints, encoding, puzzle), puzzle)
    return _show(arguments, grid, puzzle, constraints)


def _decode_large(
    arguments: Arguments, answer: SolverOutput, puzzle: Grid, constraints: Constraints
) -> int:
    """By the formula of what propagation leaves open."""
    from ...answers.large.dimacs import decode
    from ...answers.large.solve import LargeQuery

    if answer.status == UNKNOWN:
        show(arguments, verdict(Status.UNKNOWN), status=str(Status.UNKNOWN))
        return EXIT_NO
    return _show(
        arguments, decode(answer, LargeQuery(Puzzle(puzzle, constraints))), puzzle, constraints
    )


def _show(
    arguments: Arguments, grid: Grid | None, puzzle: Grid | None, constraints: Constraints
) -> int:
    """The grid of an answer, or that there is none."""
    if grid is None:
        show(arguments, verdict(Status.NONE), status=str(Status.NONE))
        return EXIT_NO
    text = "" if arguments.json else grid_writer(arguments)(grid, puzzle)
    about = {"puzzle": str(puzzle)} if puzzle else {}
    show(
        arguments, text, **about, rules=constraints.name, status=str(Status.SOLVED),
        solution=str(grid),
    )  # fmt: skip
    return EXIT_DONE


def _puzzle_and_encoding(arguments: Arguments) -> tuple[Constraints, Grid | None, str]:
    """What was asked, and the encoding: from the file's comments, or --puzzle and --rules."""
    if arguments.cnf:
        text = read_text(arguments.cnf)
        if text.lstrip()[:1] in (";", "*"):  # comments of SMT-LIB and OPB
            said = read_notes(notes_in(text.splitlines()))
            if said is None:
                raise DecodeError(f"{arguments.cnf}: no satdoku comments; use --puzzle and --rules")
            return *said, arguments.encoding
        cnf = parse_cnf(text, arguments.cnf)
        if cnf.constraints is None:
            raise DecodeError(
                f"{arguments.cnf}: no satdoku comments in this CNF; use --puzzle and --rules"
            )
        return cnf.constraints, cnf.puzzle, cnf.encoding
    puzzle, constraints = puzzle_or_rules(arguments, arguments.puzzle, large=True)
    return constraints, puzzle, arguments.encoding
