"""What can be typed: commands, options and their help.

Law: this module imports nothing of satdoku but its version, so that `satdoku --help` is instant.
"""

from __future__ import annotations

import argparse

from .. import __version__

_EPILOG = """\
PUZZLE is a grid as text (81 characters for 9x9; . 0 * _ % ? for an empty cell), a file with one
puzzle a line or one row a line (.gz, .xz, .bz2, .zst too), or - for standard input.
Exit codes: 0 done, 1 the answer is "no", 2 bad usage or input, 130 interrupted.
"""
_RULES_HELP = (
    "rule set, comma-separated (default classic): knight, king, nonconsecutive, diagonal, windoku, "
    "disjoint, antiqueen, jigsaw=MAP; miracle is knight,king,nonconsecutive"
)


def build_parser() -> argparse.ArgumentParser:
    """The parser of the whole command line."""
    parser = argparse.ArgumentParser(
        prog="satdoku",
        description="Sudoku as SAT: solve, audit, enumerate, export and cross-check puzzles.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print version and engine")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for add in (_solve, _check, _count, _enumerate, _candidates, _propagate, _batch):
        add(commands)
    for add in (_export, _decode, _crosscheck, _rules):
        add(commands)
    return parser


class _Version(argparse.Action):
    """Print the version and which engine runs here; imported only when asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from ..engine import describe

        print(f"satdoku {__version__} (engine: {describe()})")
        parser.exit()


Commands = argparse._SubParsersAction  # argparse has no public name for it


def _command(
    commands: Commands[argparse.ArgumentParser], name: str, summary: str, *, puzzles: bool = True
) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        name,
        help=summary,
        description=summary[0].upper() + summary[1:] + ".",
        epilog=_EPILOG if puzzles else None,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    if puzzles:
        parser.add_argument("puzzles", nargs="+", metavar="PUZZLE", help="text, file or -")
    return parser


def _add_law(parser: argparse.ArgumentParser, *, solver: bool = True) -> None:
    parser.add_argument("-r", "--rules", default="classic", metavar="R", help=_RULES_HELP)
    parser.add_argument(
        "--regions",
        metavar="MAP",
        help="jigsaw regions: one character a cell (text or file), the same within a region",
    )
    parser.add_argument(
        "--size", type=int, metavar="N", help="board size, where the puzzle does not tell"
    )
    if solver:
        parser.add_argument(
            "--solver",
            default="cadical153",
            metavar="S",
            help="PySAT solver (default cadical153; cadical195, glucose4, glucose42, ...)",
        )


def _add_format(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-f",
        "--format",
        choices=("line", "pretty", "json", "csv"),
        help="how to write grids (default: pretty on a terminal, else line)",
    )


def _add_encoding(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--encoding", default="extended", metavar="E", help="CNF encoding (default extended)"
    )


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{value}: expected 1 or more")
    return value


def _add_backend(parser: argparse.ArgumentParser, what: str) -> None:
    parser.add_argument(
        "--backend",
        choices=("engine", "session"),
        default="engine",
        help=f"engine: bit-parallel search{what}, CDCL for what is left (default); "
        "session: CDCL alone",
    )


def _solve(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = _command(commands, "solve", "print a solution of each puzzle")
    _add_law(parser)
    _add_format(parser)
    parser.add_argument(
        "--conflicts", type=_positive, metavar="N", help="give up after so many conflicts"
    )
    parser.add_argument(
        "--dimacs-output",
        action="store_true",
        help="print s and v lines and exit 10 or 20; PUZZLE may also be any .cnf file",
    )


def _check(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = _command(commands, "check", "say unique, multiple, none or invalid of each puzzle")
    _add_law(parser)
    _add_backend(parser, " where there are many puzzles")
    parser.add_argument(
        "--conflicts", type=_positive, metavar="N", help="say unknown after so many conflicts"
    )


def _count(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = _command(commands, "count", "count the solutions of each puzzle")
    _add_law(parser)
    _add_backend(parser, " for --limit 2 and many puzzles")
    parser.add_argument("--limit", type=_positive, metavar="N", help="stop there and print >=N")


def _enumerate(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = _command(commands, "enumerate", "print all solutions of each puzzle")
    _add_law(parser)
    _add_format(parser)
    parser.add_argument("--limit", type=_positive, metavar="N", help="stop after N solutions")


def _candidates(commands: Commands[argparse.ArgumentParser]) -> None:
    summary = "print the true candidates: each cell's digits over all solutions"
    _add_law(_command(commands, "candidates", summary))


def _propagate(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = _command(commands, "propagate", "print what unit propagation alone fixes")
    _add_law(parser, solver=False)
    _add_format(parser)


def _batch(commands: Commands[argparse.ArgumentParser]) -> None:
    summary = "solve a collection, one result a puzzle, in order"
    parser = _command(commands, "batch", summary, puzzles=False)
    parser.epilog = _EPILOG
    parser.add_argument("collection", metavar="IN", help="file of puzzles, or -")
    parser.add_argument(
        "-o", "--output", default="-", metavar="OUT", help="file to write (default stdout)"
    )
    _add_law(parser)
    _add_backend(parser, "")
    parser.add_argument(
        "-f",
        "--format",
        choices=("line", "csv", "jsonl"),
        default="line",
        help="line: 'STATUS SOLUTION' (default); csv; jsonl",
    )
    parser.add_argument(
        "--limit",
        type=int,
        choices=(1, 2),
        default=2,
        help="1: first solution only; 2: unique or multiple (default)",
    )
    parser.add_argument(
        "--conflicts", type=_positive, metavar="N", help="unknown after so many conflicts"
    )
    parser.add_argument(
        "-w", "--workers", type=_positive, metavar="N", help="processes (default: one a core)"
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress, no summary")


def _export(commands: Commands[argparse.ArgumentParser]) -> None:
    summary = "write a puzzle, or bare rules, for other solvers"
    parser = _command(commands, "export", summary, puzzles=False)
    parser.epilog = _EPILOG
    parser.add_argument("puzzle", nargs="?", metavar="PUZZLE", help="text, file or -; none: rules")
    parser.add_argument(
        "-o", "--output", default="-", metavar="OUT", help="file (.gz, .xz ... compress)"
    )
    _add_law(parser, solver=False)
    parser.add_argument(
        "-f",
        "--format",
        choices=("dimacs", "smtlib2"),
        default="dimacs",
        help="dimacs: CNF (default); smtlib2: integers",
    )
    _add_encoding(parser)


def _decode(commands: Commands[argparse.ArgumentParser]) -> None:
    summary = "turn another solver's output (s and v lines, or SMT values) back into a grid"
    parser = _command(commands, "decode", summary, puzzles=False)
    parser.add_argument("answer", metavar="OUTPUT", help="the solver's output: file or -")
    parser.add_argument("--cnf", metavar="FILE", help="the CNF that `export` wrote")
    parser.add_argument("--puzzle", metavar="PUZZLE", help="the puzzle, where there is no --cnf")
    _add_encoding(parser)
    _add_law(parser, solver=False)
    _add_format(parser)


def _crosscheck(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = _command(commands, "crosscheck", "ask every backend and witness; they must agree")
    _add_law(parser, solver=False)
    parser.add_argument(
        "--witnesses", metavar="W,...", help="only these (default: every solver, every Z3 model)"
    )
    parser.add_argument(
        "--limit", type=_positive, default=2, metavar="N", help="solutions to compare (default 2)"
    )
    parser.add_argument(
        "--timeout",
        type=float,
        default=60.0,
        metavar="S",
        help="seconds for each Z3 call, then unknown (default 60)",
    )


def _rules(commands: Commands[argparse.ArgumentParser]) -> None:
    _command(commands, "rules", "list the rules", puzzles=False)
