"""The command `export`: a puzzle or bare rules as DIMACS, SMT-LIB, JSON or for another program."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from ...cnf.dimacs import write_cnf
from ...cnf.encodings import DEFAULT_ENCODING, EncodingError, encode, encodings_named
from ...cnf.opb import format_opb
from ...errors import SatdokuError
from ...files.foreign import WRITTEN
from ...files.outputs import open_output
from ...files.record import Record
from ...model.constraints import Constraints
from ...model.grid import Grid, empty_grid
from ...model.puzzle import Puzzle
from ...witness.smtlib import format_smtlib
from .. import EXIT_DONE
from ..answers import exit_code
from ..inputs import Asked, Unreadable, asked_constraints, marked_digits, numbered, puzzles_of
from ..options import (
    FILE_HELP,
    NUMBERED_HELP,
    PUZZLE_HELP,
    add_input,
    add_output,
    add_rules,
    to_read,
)
from ..programs import add_model

EXAMPLE = "satdoku export 1.....2....3.4.. -o puzzle.cnf"


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "puzzle",
        nargs="?",
        type=to_read,
        metavar="PUZZLE",
        help="text, link, file or -; without it: the rules alone",
    )
    parser.epilog = PUZZLE_HELP
    add_output(parser, FILE_HELP + NUMBERED_HELP)
    add_rules(parser, solver=False)
    parser.add_argument(
        "-f",
        "--format",
        choices=("dimacs", "smtlib2", "opb", *WRITTEN),
        metavar="FORM",
        default="dimacs",
        help="dimacs: CNF (default); smtlib2: for SMT solvers (--model); opb: for pseudo-boolean "
        f"solvers; {'; '.join(f'{form.name}: {form.says}' for form in WRITTEN.values())}",
    )
    parser.add_argument(
        "--encoding",
        metavar="E",
        help=f"CNF encoding (default {DEFAULT_ENCODING}); `satdoku encodings` lists them",
    )
    add_model(parser, "-f smtlib2")
    add_input(parser, "a file")


def run(arguments: argparse.Namespace) -> int:
    """Each puzzle, or the bare rules, as CNF, SMT-LIB, JSON or for another program."""
    if arguments.encoding is not None:
        _check_encoding(arguments)
    if arguments.model is not None and arguments.format != "smtlib2":
        raise SatdokuError(f"--model {arguments.model}: expected -f smtlib2 with it")
    if arguments.puzzle is None:
        _write(arguments, arguments.output, asked_constraints(arguments), None)
        return EXIT_DONE
    puzzles = puzzles_of(arguments, arguments.puzzle, marks=_takes_marks(arguments.format))

    def answers() -> Iterator[bool | Unreadable]:
        for asked in numbered(puzzles, arguments.output, arguments.puzzle):
            if isinstance(asked, Unreadable):
                yield asked
                continue
            _write(arguments, asked.output, asked.constraints, asked)
            yield True

    return exit_code(arguments, answers())


def _takes_marks(form: str) -> bool:
    """Whether a format states pencil marks."""
    return form in WRITTEN and "marks" in WRITTEN[form].states.values()


def _check_encoding(arguments: argparse.Namespace) -> None:
    """Raise `SatdokuError` for an encoding that is unknown, or without a CNF to encode."""
    names = encodings_named(arguments.encoding)
    if arguments.format != "dimacs":
        raise EncodingError(
            f"--encoding {', '.join(names)}: the format {arguments.format} has no encoding; "
            "expected -f dimacs with it"
        )


def _write(
    arguments: argparse.Namespace, output: str, constraints: Constraints, asked: Asked | None
) -> None:
    """One file, in the format that is asked for."""
    puzzle = asked and asked.grid
    if arguments.format == "dimacs":
        formula = encode(constraints, arguments.encoding or DEFAULT_ENCODING, puzzle)
        with open_output(output) as stream:
            write_cnf(stream, formula, puzzle)
        return
    if arguments.format == "smtlib2":
        text = format_smtlib(constraints, puzzle, model=arguments.model or "int")
    elif arguments.format == "opb":
        text = format_opb(constraints, puzzle)
    else:
        empty = empty_grid(constraints.board)
        stated = _stated(asked) if asked else Puzzle(empty, constraints)
        text = WRITTEN[arguments.format].write(stated) + "\n"
    with open_output(output) as stream:
        stream.write(text.encode())


def _stated(asked: Asked) -> Puzzle:
    """All that is known of a puzzle."""
    source = asked.source or Record(0, asked.grid)
    return Puzzle(
        asked.grid,
        asked.constraints,
        marked_digits(asked),
        source.answer if isinstance(source.answer, Grid) else None,
        source.id,
        source.title,
        source.author,
    )
