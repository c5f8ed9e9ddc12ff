"""The command `solve`: a solution of each puzzle, or the model of a CNF file."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from ...cnf.dimacs import EXIT_CODES, UNKNOWN, UNSATISFIABLE, format_answer
from ...cnf.encodings import encode
from ...errors import SatdokuError, Status
from ...files.streams import Source
from ...model.puzzle import Puzzle
from .. import EXIT_BAD_INPUT, EXIT_DONE
from ..answers import answerer, for_each_puzzle, solution_of
from ..inputs import asked_puzzles, open_argument
from ..options import add_conflicts, add_encoding, add_format, add_json, add_puzzles, add_rules
from ..output import grid_writer, show, verdict
from ..programs import add_program

EXAMPLE = "satdoku solve 1.....2....3.4.."


def add_options(parser: argparse.ArgumentParser) -> None:
    add_puzzles(parser)
    add_rules(parser)
    add_format(parser)
    add_json(parser)
    add_conflicts(parser, "the answer is unknown")
    add_program(parser)
    parser.add_argument(
        "--dimacs-output",
        action="store_true",
        help="print s and v lines, a model of all variables that `export` writes without "
        "--encoding, and exit with code 10 or 20; PUZZLE may also be any .cnf file",
    )
    add_encoding(parser)


def run(arguments: argparse.Namespace) -> int:
    """A solution of each puzzle, `none`, `invalid` or `unknown`."""
    codes = list(_codes(arguments))
    if arguments.dimacs_output and EXIT_BAD_INPUT not in codes:
        return codes[-1]
    return max(codes)


def _codes(arguments: argparse.Namespace) -> Iterator[int]:
    """The exit code of each argument; a file is opened once and tells what it is."""
    from ..cnf_files import is_cnf, solve_cnf

    kinds = set()
    for argument in arguments.puzzles:
        with open_argument(argument) as opened:
            kinds.add(is_cnf(opened))
            if len(kinds) > 1:
                expected = "expected CNF files only, or puzzles only"
                raise SatdokuError(f"{argument}: CNF files and puzzles are mixed; {expected}")
            if isinstance(opened, Source) and is_cnf(opened):
                yield solve_cnf(opened, arguments)
            else:
                one = argparse.Namespace(**{**vars(arguments), "puzzles": [opened]})
                yield _solve_as_dimacs(one) if arguments.dimacs_output else _solve_puzzles(one)


def _solve_puzzles(arguments: argparse.Namespace) -> int:
    write, solve = grid_writer(arguments), answerer(arguments, arguments.conflicts)

    def answer(asked: Puzzle) -> bool:
        found, decider = solution_of(arguments, asked, solve)
        if isinstance(found, Status):
            by = {"solved_by": decider} if found is Status.NONE else {}
            show(arguments, verdict(found), asked.record, status=str(found), **by)
            return False
        text = "" if arguments.json else write(found, asked.grid)
        said = {"status": str(Status.SOLVED), "solution": str(found)}
        show(arguments, text, asked.record, **said, solved_by=decider)
        return True

    return for_each_puzzle(arguments, answer, asked_puzzles(arguments, marks=True))


def _solve_as_dimacs(arguments: argparse.Namespace) -> int:
    """The `s` and `v` lines for each puzzle, then the last one's code.

    The model is that of the default encoding, whatever --encoding says: the candidates, then the
    auxiliary variables of clues.
    """
    from ...sat.solver import solve_clauses
    from ..cnf_files import print_model

    status, solve = UNKNOWN, answerer(arguments, arguments.conflicts)

    def answer(asked: Puzzle) -> bool:
        nonlocal status
        found, _ = solution_of(arguments, asked, solve)
        if isinstance(found, Status):
            status = UNKNOWN if found is Status.UNKNOWN else UNSATISFIABLE
            print(format_answer(status))
            return True
        formula = encode(asked.constraints)
        digits = [(literal,) for literal in formula.literals(found.cells)]
        model = solve_clauses([*formula.clauses, *digits], solver=arguments.solver)
        status = print_model(model, formula.variables)
        return True

    code = for_each_puzzle(arguments, answer, asked_puzzles(arguments, marks=True))
    return EXIT_CODES[status] if code == EXIT_DONE else code
