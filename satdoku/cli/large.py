"""Commands on puzzles beyond 25x25: which take them, and what they print.

Invariant: an argument is recognised by its content before a command reads it. A command that does
not take large puzzles, or an option that they do not have, is refused with the reason.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..files.notation import CNF_MARK, HEAD, LARGEST, is_large
from ..files.outputs import open_output
from ..files.streams import STANDARD, open_input, read_text
from ..model.board import MAX_SIZE, BoardError
from ..runtime.errors import BudgetError, SatdokuError, Status
from ..runtime.limits import within
from . import EXIT_BAD_INPUT, EXIT_DONE, EXIT_NO
from .output import grid_format, note, say, verdict

if TYPE_CHECKING:
    from ..answers.large import LargeSudoku
    from ..answers.large.board import Digits

Handler = Callable[[Any, "LargeSudoku"], bool]

# Options that mean nothing here; `--size` only has to agree.
REFUSED = {
    "clue": "no clues", "regions": "no regions", "column": "lines of numbers only",
    "input_format": "lines of numbers only", "candidates": "no pencil marks",
    "answer": "no answers to compare with", "all": "no list of all", "lrat": "DRAT proofs only",
    "solver_cmd": "`export` and `decode` instead", "dimacs_output": "`export` and `decode` instead",
}  # fmt: skip


def takes_large(name: str, arguments: Any) -> bool:
    """Whether the arguments of a command hold a large puzzle, or ask for a large board."""
    if name in ("generate", "bench"):
        return False
    size = getattr(arguments, "size", None)
    if size is not None and MAX_SIZE < size <= LARGEST:
        return True
    found: list[str] = []
    for option in ("puzzles", "puzzle", "collections", "inputs"):
        value = getattr(arguments, option, None) or []
        found += [value] if isinstance(value, str) else value
    if name not in HANDLERS:  # it may wait for its input with its outputs open
        found = [argument for argument in found if argument != STANDARD]
    cnf = getattr(arguments, "cnf", None)
    return any(is_large(_head(text)) for text in found) or bool(cnf and CNF_MARK in _head(cnf))


def _head(argument: str) -> bytes:
    """The beginning of a file, of standard input (which stays to be read), or of what was typed;
    nothing of what cannot be looked at."""
    if argument == STANDARD:
        peek = getattr(getattr(sys.stdin, "buffer", None), "peek", None)
        return bytes(peek(HEAD)) if peek else b""
    if os.path.isfile(argument):
        try:
            with open_input(argument) as stream:
                return stream.read(HEAD)
        except Exception:  # the command itself says what is wrong with it
            return b""
    return argument[:HEAD].encode(errors="replace")


def run_large(name: str, arguments: Any) -> int:
    """The command on large puzzles; exit codes as ever."""
    if name == "decode":
        return _decode(arguments)
    handler = HANDLERS.get(name)
    if handler is None:
        raise BoardError(
            f"a board beyond {MAX_SIZE}x{MAX_SIZE}: {', '.join(HANDLERS)} and decode take it, "
            f"`{name}` does not (docs/LARGE.md)"
        )
    for option, reason in REFUSED.items():
        if getattr(arguments, option, None):
            words = option.replace("_", "-")
            raise BoardError(f"--{words}: boards beyond {MAX_SIZE}x{MAX_SIZE} have {reason}")
    encoding = getattr(arguments, "encoding", None)
    if encoding not in (None, "extended", "reduced"):
        raise BoardError(f"--encoding {encoding}: boards beyond 25x25 have the extended one only")
    code = EXIT_DONE
    for sudoku in _asked(arguments):
        if isinstance(sudoku, SatdokuError):
            say(sudoku)
            code = EXIT_BAD_INPUT
        elif not handler(arguments, sudoku) and code == EXIT_DONE:
            code = EXIT_NO
        sys.stdout.flush()
    return code


def _asked(arguments: Any) -> Iterator[LargeSudoku | SatdokuError]:
    """Each puzzle of the arguments, or what is wrong with it."""
    from ..answers.large import LargePuzzle, parse_large, read_large

    named = getattr(arguments, "puzzles", None) or [arguments.puzzle]
    for argument in named:
        if not argument:
            raise BoardError(f"a board beyond {MAX_SIZE}x{MAX_SIZE}: expected a puzzle")
        typed = argument != STANDARD and not os.path.isfile(argument)
        if typed and not is_large(_head(argument)):
            raise SatdokuError(f"{argument[:40]}: expected a file or the numbers of a large puzzle")
        puzzles = [LargePuzzle(1, parse_large(argument))] if typed else read_large(argument)
        found = False
        for puzzle in puzzles:
            found = True
            if isinstance(puzzle, LargePuzzle):
                place = (None, None) if typed else (argument, puzzle.line)
                yield _sudoku(arguments, puzzle.cells, *place)
            else:
                yield puzzle
        if not found:
            raise SatdokuError(f"{argument}: holds no puzzle")


def _sudoku(arguments: Any, cells: Digits, source: str | None, line: int | None) -> LargeSudoku:
    from ..answers.large import LargeSudoku, large_rules

    rules = arguments.rules or "classic"
    known = {"solver": arguments.solver} if hasattr(arguments, "solver") else {}
    sudoku = LargeSudoku(cells, rules, source=source, line=line, **known)
    size = sudoku.rules.board.size
    if arguments.size not in (None, size):
        large_rules(rules, arguments.size)  # which may be wrong by itself
        raise BoardError(f"--size {arguments.size}: found a puzzle of {size}x{size}")
    return sudoku


# Commands ----------------------------------------------------------------------------------


def _solve(arguments: Any, sudoku: LargeSudoku) -> bool:
    if _clashes(arguments, sudoku):
        return _say(arguments, sudoku, Status.INVALID)
    try:
        solution = sudoku.solution(conflicts=arguments.conflicts)
    except BudgetError as error:
        note(arguments, error)
        return _say(arguments, sudoku, Status.UNKNOWN)
    if solution is None:
        return _say(arguments, sudoku, Status.NONE)
    _print_grid(arguments, sudoku, solution, status=str(Status.SOLVED))
    return True


def _check(arguments: Any, sudoku: LargeSudoku) -> bool:
    _clashes(arguments, sudoku)
    return _say(arguments, sudoku, sudoku.status(conflicts=arguments.conflicts))


def _enumerate(arguments: Any, sudoku: LargeSudoku) -> bool:
    for option in ("after", "count", "timeout"):
        if getattr(arguments, option):
            raise BoardError(f"--{option}: boards beyond {MAX_SIZE}x{MAX_SIZE} have --limit only")
    if arguments.output != STANDARD or arguments.backend == "engine":
        raise BoardError(f"boards beyond {MAX_SIZE}x{MAX_SIZE} are listed by a session, to stdout")
    if _clashes(arguments, sudoku):
        return False
    found = False
    for solution in sudoku.solutions(limit=arguments.limit):
        if found and not arguments.json and grid_format(arguments) == "pretty":
            print()
        _print_grid(arguments, sudoku, solution)
        found = True
    return found


def _export(arguments: Any, sudoku: LargeSudoku) -> bool:
    from ..answers.large.dimacs import format_cnf

    if arguments.format != "dimacs":
        raise BoardError(f"-f {arguments.format}: boards beyond {MAX_SIZE}x{MAX_SIZE} as dimacs")
    with open_output(arguments.output) as stream:
        for part in format_cnf(sudoku):
            stream.write(part.encode())
    return True


def _render(arguments: Any, sudoku: LargeSudoku) -> bool:
    from ..answers.large import format_rows

    if arguments.output != STANDARD:
        limit = f"{MAX_SIZE}x{MAX_SIZE}"
        raise BoardError(f"{arguments.output}: boards beyond {limit} are drawn as text only")
    clash = _clashes(arguments, sudoku)
    cells = sudoku.solution() if arguments.solve and not clash else sudoku.cells
    if cells is not None:
        print(format_rows(cells))
    return cells is not None and not (arguments.solve and clash)


def _certify(arguments: Any, sudoku: LargeSudoku) -> bool:
    from ..certificates.large import prove

    if not arguments.plain:
        limit = f"{MAX_SIZE}x{MAX_SIZE}"
        raise BoardError(
            f"certificates end at {limit}; --plain DIR writes a formula and its proof to DIR"
        )
    if _clashes(arguments, sudoku):
        return _say(arguments, sudoku, Status.INVALID)
    try:
        with within(arguments.timeout):
            proof = prove(sudoku, solver=arguments.solver)
    except BudgetError as error:
        note(arguments, error)
        return _say(arguments, sudoku, Status.UNKNOWN)
    if proof is None:
        return _say(arguments, sudoku, Status.MULTIPLE)
    Path(arguments.plain).mkdir(parents=True, exist_ok=True)
    line = sudoku.line or 1
    for suffix, parts in (("cnf", proof.cnf()), ("drat", iter([proof.drat]))):
        path = str(Path(arguments.plain) / f"{line:06}.{suffix}")
        with open_output(path) as stream:
            for part in parts:
                stream.write(part.encode())
    _say(arguments, sudoku, proof.status)
    return True


def _decode(arguments: Any) -> int:
    """Another solver's answer to what `export` wrote, as a grid."""
    from ..answers.large.dimacs import decode, read_notes
    from ..cnf.dimacs import UNKNOWN, parse_answer

    if arguments.cnf:
        sudoku: LargeSudoku | SatdokuError = read_notes(read_text(arguments.cnf).encode())
    else:
        sudoku = next(_asked(arguments))
    if isinstance(sudoku, SatdokuError):
        raise sudoku
    answer = parse_answer(read_text(arguments.answer), arguments.answer)
    grid = decode(answer, sudoku)
    if grid is None:
        _say(arguments, sudoku, Status.UNKNOWN if answer.status == UNKNOWN else Status.NONE)
        return EXIT_NO
    _print_grid(arguments, sudoku, grid, status=str(Status.SOLVED))
    return EXIT_DONE


HANDLERS: dict[str, Handler] = {
    "solve": _solve, "check": _check, "enumerate": _enumerate, "export": _export,
    "render": _render, "certify": _certify,
}  # fmt: skip


# Printing ----------------------------------------------------------------------------------


def _clashes(arguments: Any, sudoku: LargeSudoku) -> bool:
    if sudoku.clash:
        note(arguments, f"invalid: {sudoku.clash}")
    return bool(sudoku.clash)


def _say(arguments: Any, sudoku: LargeSudoku, status: Status) -> bool:
    """Print a status; whether it is a "yes" of `check`."""
    as_json = getattr(arguments, "json", False)
    print(json.dumps(sudoku.record(status=str(status))) if as_json else verdict(status))
    return status is Status.UNIQUE


def _print_grid(arguments: Any, sudoku: LargeSudoku, cells: Digits, **answer: Any) -> None:
    from ..answers.large import format_numbers, format_rows

    if arguments.json:
        print(json.dumps(sudoku.record(**answer, solution=format_numbers(cells))))
        return
    form, size = grid_format(arguments), sudoku.rules.board.size
    if form == "json":
        print(json.dumps({"size": size, "grid": cells.reshape(size, size).tolist()}))
    elif form == "pretty":
        print(format_rows(cells))
    else:
        print(format_numbers(cells).replace(" ", "," if form == "csv" else " "))
