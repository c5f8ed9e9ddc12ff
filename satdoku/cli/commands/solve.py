"""The command `solve`: a solution of each puzzle, or the model of a CNF file."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...cnf.dimacs import (
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
from ...cnf.encodings import encode
from ...files.streams import Source
from ...model.puzzle import Puzzle, Unreadable
from ...runtime.errors import BudgetError, SatdokuError, Status
from .. import EXIT_BAD_INPUT, EXIT_DONE, EXIT_NO
from .. import options as opt
from ..answers import answerer, for_each_puzzle, solution_of
from ..inputs import open_argument, puzzles_of
from ..output import grid_writer, note, show, verdict
from ..programs import Program, asked_program

EXAMPLE = "satdoku solve 1.....2....3.4.."


class Arguments(opt.Puzzles, opt.Solver, opt.Format, Program, opt.Encoding):
    json = opt.json_option()
    conflicts = opt.conflicts_option("the answer is unknown")
    timeout = opt.timeout_option("the answer is unknown")
    dimacs_output = opt.flag(
        help="print s and v lines, a model of all variables that `export` writes without "
        "--encoding, and exit with code 10 or 20; PUZZLE may also be any .cnf file"
    )


def run(arguments: Arguments) -> int:
    """A solution of each puzzle, `none`, `invalid` or `unknown`."""
    codes = list(_codes(arguments))
    if arguments.dimacs_output and EXIT_BAD_INPUT not in codes:
        return codes[-1]
    return max(codes)


def _codes(arguments: Arguments) -> Iterator[int]:
    """The exit code of each argument; a file is opened once and tells what it is."""
    kinds = set()
    for argument in arguments.puzzles:
        with open_argument(arguments, argument) as opened:
            kinds.add(_is_cnf(opened))
            if len(kinds) > 1:
                expected = "expected CNF files only, or puzzles only"
                raise SatdokuError(f"{argument}: CNF files and puzzles are mixed; {expected}")
            if isinstance(opened, Source) and _is_cnf(opened):
                yield _solve_cnf(opened, arguments)
            else:
                solve = _solve_as_dimacs if arguments.dimacs_output else _solve_puzzles
                yield solve(arguments, puzzles_of(arguments, opened, marks=True, large=True))


def _solve_puzzles(arguments: Arguments, puzzles: Iterator[Puzzle | Unreadable]) -> int:
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

    return for_each_puzzle(arguments, answer, puzzles)


def _solve_as_dimacs(arguments: Arguments, puzzles: Iterator[Puzzle | Unreadable]) -> int:
    """The `s` and `v` lines for each puzzle, then the last one's code.

    The model is that of the default encoding, whatever --encoding says: the candidates, then the
    auxiliary variables of clues.
    """
    from ...answers.solver import solve_clauses

    status, solve = UNKNOWN, answerer(arguments, arguments.conflicts)

    def answer(asked: Puzzle) -> bool:
        nonlocal status
        found, _ = solution_of(arguments, asked, solve)
        if isinstance(found, Status):
            status = UNKNOWN if found is Status.UNKNOWN else UNSATISFIABLE
            print(format_answer(status))
            return True
        formula = encode(asked.constraints)
        formula.require_whole()
        digits = [(literal,) for literal in formula.literals(found.cells)]
        model = solve_clauses([*formula.clauses, *digits], solver=arguments.solver)
        status = _print_model(model, formula.variables)
        return True

    code = for_each_puzzle(arguments, answer, puzzles)
    return EXIT_CODES[status] if code == EXIT_DONE else code


def _is_cnf(argument: str | Source) -> bool:
    """Whether an argument is a CNF: by its file's name, compressed or not, or by its beginning."""
    if isinstance(argument, str):
        return False
    named = re.search(r"\.cnf(\.(gz|xz|bz2|zst))?$", argument.path)
    return bool(named) or argument.is_dimacs


def _solve_cnf(source: Source, arguments: Arguments) -> int:
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
    return EXIT_CODES[_print_model(model, cnf.variables)]


def _model(cnf: CnfFile, arguments: Arguments) -> list[int] | None:
    if program := asked_program(arguments):
        return program.model(cnf.clauses, cnf.variables)
    from ...answers.solver import solve_clauses

    return solve_clauses(cnf.clauses, solver=arguments.solver)


def _print_model(model: list[int] | None, variables: int) -> str:
    """Print the `s` and `v` lines of a model, a literal for each variable; the status."""
    status = SATISFIABLE if model is not None else UNSATISFIABLE
    said = {abs(literal): literal for literal in model or ()}
    literals = (said.get(variable, variable) for variable in range(1, variables + 1))
    print(format_answer(status, literals))  # a variable in no clause: true will do
    return status


def _print_decoded(cnf: CnfFile, model: list[int] | None, name: str, arguments: Arguments) -> bool:
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
