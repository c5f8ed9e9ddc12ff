"""The options that several commands share, and the texts that explain them."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

from ..errors import SatdokuError
from .output import say

if TYPE_CHECKING:
    from ..batch.cluster import Dask
    from ..batch.workers import WorkersLike

PUZZLE_HELP = """\
PUZZLE is a grid as text (81 characters for 9x9; any of . 0 * _ % ? is an empty cell), a link of
f-puzzles or SudokuPad that holds the whole puzzle, JSON as `export -f json` writes it, a file of
puzzles in any format that `batch` reads, compressed or not, or - for standard input.
"""
COLLECTION_HELP = """\
The format of IN is recognised by its content: one puzzle a line (text after it is ignored; .sdm),
one row a line (.sdk), fields with or without a header (CSV; columns puzzle, quizzes or question;
solution, solutions or answer; id; rules; clues), pencil marks (729 characters), JSON lines,
Parquet, Arrow, .npy or .npz. Files may be compressed: .gz, .xz, .bz2 or .zst. A `rules` column sets
the rules of each row, a `clues` column adds clues to them.
"""
FILE_HELP = "file to write; .gz, .xz, .bz2 or .zst compresses it"
NUMBER = "{n}"  # in an output's name: the number of the puzzle
NUMBERED_HELP = f"; {NUMBER} in its name is the number of the puzzle, one file each"
PICTURE_HELP = f"picture to write: .svg, or .png (extra: 'satdoku[png]'){NUMBERED_HELP}"
EXIT_HELP = """\
Exit codes: 0 done, 1 the answer is "no", 2 bad usage or input, 70 internal fault, 130 interrupted.
"""


# Types of options whose values name files; `cli.files` compares these before a command runs.


def to_read(text: str) -> str:
    """The name of a file to read, or a text in place of one."""
    return text


def names_to_read(text: str) -> str:
    """Several of them, separated by commas."""
    return text


def command_line(text: str) -> str:
    """A program with its options, each of which may name a file that it reads."""
    return text


def to_write(text: str) -> str:
    """The name of a file to write."""
    return text


def folder_to_write(text: str) -> str:
    """The name of a folder to write files in, which is made if there is none."""
    return text


def file_or_folder(text: str) -> str:
    """The name of either, to write."""
    return text


# Options ------------------------------------------------------------------------------------------


def add_puzzles(parser: argparse.ArgumentParser, *, none: str = "") -> None:
    """Positional puzzles; `none` says what the command does without any, if that is allowed."""
    text = f"text, link, file or -; without any: {none}" if none else "text, link, file or -"
    nargs = "*" if none else "+"
    parser.add_argument("puzzles", nargs=nargs, type=to_read, metavar="PUZZLE", help=text)
    parser.epilog = PUZZLE_HELP
    add_input(parser, "a file")


def add_input(parser: argparse.ArgumentParser, what: str) -> None:
    """How files of puzzles are read."""
    from ..files.formats import FORMATS  # `verify` reads none

    parser.add_argument(
        "--input-format",
        choices=FORMATS,
        help=f"format of {what} (default: recognised by its content); lines: a puzzle a line; "
        "whole: one puzzle, on however many lines",
    )
    parser.add_argument(
        "--column",
        action="append",
        default=[],
        metavar="ROLE=NAME",
        help="column that holds the puzzle, answer, id, rules or clues, by name or number, if it "
        "has none of the usual names: --column puzzle=board",
    )
    add_ruleset(parser)


def add_ruleset(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--ignore-ruleset",
        action="store_true",
        help="ignore rules that a link states only in words or drawings",
    )


def add_json(
    parser: argparse.ArgumentParser, what: str = "one object a line for each puzzle"
) -> None:
    parser.add_argument("--json", action="store_true", help=f"print JSON: {what}")


def add_quiet(parser: argparse.ArgumentParser, what: str = "no progress, no remarks") -> None:
    parser.add_argument(
        "-q", "--quiet", action="store_true", help=f"{what}: print only errors on stderr"
    )


def add_rules(parser: argparse._ActionsContainer, *, solver: bool = True) -> None:
    from ..model.rules import ALIASES, BOXES, JIGSAW, LATIN, RULES  # `verify` must not read them

    names = ", ".join([*RULES, LATIN, f"{BOXES}=RxC", f"{JIGSAW}=MAP"])
    aliases = "; ".join(f"{name} stands for {','.join(of)}" for name, of in ALIASES.items() if of)
    parser.add_argument(
        "-r",
        "--rules",
        metavar="R",
        help="rules, separated by commas (default: those of the link, else classic): "
        f"{names}; {aliases}",
    )
    parser.add_argument(
        "--clue",
        action="append",
        type=to_read,
        default=[],
        metavar="TEXT",
        help="clue to add to the rules of each puzzle, such as thermo:r1c1,r2c1,r3c2 (may be "
        "repeated); several separated by semicolons; or a file with one a line, where # begins a "
        "comment. `satdoku clues` lists the kinds. If cells that should touch lie apart (a "
        "thermometer that leaps), a warning names them; -q suppresses it",
    )
    parser.set_defaults(warned=set())  # each warning of a clue is printed once
    parser.add_argument(
        "--regions",
        type=to_read,
        metavar="MAP",
        help="jigsaw regions, as text or a file: one character a cell, the same within a region",
    )
    parser.add_argument(
        "--size",
        type=board_size,
        metavar="N",
        help="size of the board, if it cannot be inferred from the puzzle",
    )
    if solver:
        parser.add_argument(
            "--solver",
            default="cadical153",
            metavar="S",
            help="SAT solver of PySAT (default cadical153; cadical195, glucose4, glucose42, ...)",
        )


def add_format(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-f",
        "--format",
        choices=("line", "pretty", "json", "csv"),
        help="format of the grids (default: pretty on a terminal, else line)",
    )


def add_encoding(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--encoding",
        default="extended",
        metavar="E",
        help="CNF encoding (default extended); `satdoku encodings` lists them",
    )


def positive(text: str) -> int:
    """A whole number from 1 on; `ValueError` or `ArgumentTypeError` for anything else."""
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{value}: expected 1 or more")
    return value


def board_size(text: str) -> int:
    """A whole number; `ArgumentTypeError` for anything else."""
    try:
        return int(text)
    except ValueError:
        from ..model.board import NOT_SQUARE  # here, so that --version does without boards

        problem = f"{text}: expected a number such as 9; {NOT_SQUARE}"
        raise argparse.ArgumentTypeError(problem) from None


def seconds(text: str) -> float:
    """Seconds, more than 0; `ValueError` or `ArgumentTypeError` for anything else."""
    value = float(text)
    if not 0 < value < 1e6:
        raise argparse.ArgumentTypeError(
            f"{text}: expected seconds, more than 0, less than a million"
        )
    return value


def add_backend(parser: argparse._ActionsContainer, when: str = "") -> None:
    parser.add_argument(
        "--backend",
        choices=("engine", "session"),
        default="engine",
        help=f"engine: bit-parallel search{when}, in turn with CDCL for hard puzzles (default); "
        "session: CDCL alone",
    )


def add_time(parser: argparse._ActionsContainer, default: float | None, then: str) -> None:
    default_text = f" (default {default:g})" if default else ""
    parser.add_argument(
        "--timeout",
        type=seconds,
        default=default,
        metavar="S",
        help=f"after S seconds {then}{default_text}",
    )


def add_conflicts(parser: argparse._ActionsContainer, then: str) -> None:
    parser.add_argument(
        "--conflicts", type=positive, metavar="N", help=f"after N conflicts of the solver {then}"
    )


def add_symmetry(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--no-symmetry",
        action="store_true",
        help="look only for exact duplicates, not for relabelled, rotated or permuted ones",
    )


def add_kinds(parser: argparse.ArgumentParser) -> None:
    """What of an audit's findings is a fault."""
    parser.add_argument(
        "--allow",
        metavar="KIND,...",
        help="kinds of findings that do not count as faults: leak, grid-leak, exact-duplicate, "
        "symmetric-duplicate, several-solutions, no-solution, clashing-givens, malformed-row, "
        "wrong-answer, givens-changed, unreadable-answer, undecided",
    )
    parser.add_argument(
        "--forbid",
        metavar="KIND",
        help="a kind that counts as a fault though it usually does not: repeated-grid (several "
        "puzzles of a file have the same solution)",
    )


def listed(text: str | None) -> list[str]:
    """The names in a list with commas."""
    return list(filter(None, (text or "").split(",")))


def add_limit(parser: argparse.ArgumentParser, then: str) -> None:
    parser.add_argument(
        "--timeout",
        "--limit",
        dest="timeout",
        type=seconds,
        metavar="S",
        help=f"after S seconds {then}",
    )


def add_output(
    parser: argparse.ArgumentParser,
    what: str = FILE_HELP,
    kind: Callable[[str], str] = to_write,
) -> None:
    text = f"{what} (default: standard output)"
    parser.add_argument("-o", "--output", type=kind, default="-", metavar="OUT", help=text)


def add_workers(
    parser: argparse._ActionsContainer,
    what: str = "number of workers (default: one a core)",
    default: int | None = None,
) -> None:
    parser.add_argument("-w", "--workers", type=positive, default=default, metavar="N", help=what)


def workers_for(arguments: argparse.Namespace, *, is_small: bool) -> int:
    """The number asked for; by default one for what is small, else one a core."""
    if arguments.workers is not None:
        return int(arguments.workers)
    if is_small:
        return 1
    from ..batch.workers import available_workers

    return available_workers()


def add_collections(parser: argparse.ArgumentParser) -> None:
    """Options of the commands that read collections."""
    text = "file of puzzles, or -"
    parser.add_argument("collections", nargs="+", type=to_read, metavar="IN", help=text)
    add_input(parser, "IN")
    parser.epilog = COLLECTION_HELP


def add_executor(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--executor",
        metavar="E",
        help="thread, process, dask://HOST:PORT or, encrypted, dask+tls://HOST:PORT (default: "
        "threads if the C kernel runs)",
    )
    for name, what in (
        ("ca", "certificate of the authority of a Dask cluster"),
        ("cert", "our certificate in a Dask cluster"),
        ("key", "the key of our certificate"),
    ):
        parser.add_argument(
            f"--dask-{name}",
            type=to_read,
            metavar="FILE",
            help=f"{what}, PEM (default: Dask's configuration)",
        )
    parser.add_argument(
        "--dask-timeout",
        type=seconds,
        metavar="S",
        help="give up if a Dask scheduler has no worker for S seconds (default 60)",
    )


def asked_executor(arguments: argparse.Namespace) -> str | Dask | None:
    """What --executor and the options for Dask ask for."""
    asked = {
        name: value
        for name in ("ca", "cert", "key", "timeout")
        if (value := getattr(arguments, f"dask_{name}")) is not None
    }
    executor: str | None = arguments.executor
    scheme = (executor or "").partition("://")[0]
    for name in asked:
        if scheme not in (("dask", "dask+tls") if name == "timeout" else ("dask+tls",)):
            kind = "dask" if name == "timeout" else "dask+tls"
            raise SatdokuError(f"--dask-{name} needs --executor {kind}://HOST:PORT")
    if executor is None or scheme not in ("dask", "dask+tls"):
        return executor
    from ..batch.cluster import Dask

    return Dask(executor, **asked, on_line=say)


def asked_workers(arguments: argparse.Namespace, count: int) -> WorkersLike:
    """So many workers, of the kind that --executor asks for."""
    executor = asked_executor(arguments)
    if executor is None:
        return count
    return f"{executor}:{count}" if executor in ("thread", "process") else executor


def add_certificates(parser: argparse.ArgumentParser, beside: str) -> None:
    parser.add_argument(
        "--certify",
        metavar="N|all",
        help="certify all answers, or those of N puzzles drawn at random",
    )
    parser.add_argument(
        "--certificates",
        type=to_write,
        metavar="FILE",
        help=f"file for the certificates (default: {beside})",
    )
