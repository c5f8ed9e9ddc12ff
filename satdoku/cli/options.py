"""The options that several commands take, and the words that explain them."""

from __future__ import annotations

import argparse

EPILOG = """\
PUZZLE is a grid as text (81 characters for 9x9; . 0 * _ % ? for an empty cell), a link of f-puzzles
or SudokuPad with a whole puzzle in it, a file with one puzzle a line or one row a line (.gz, .xz,
.bz2, .zst too), or - for standard input.
Exit codes: 0 done, 1 the answer is "no", 2 bad usage or input, 70 a fault, 130 interrupted.
"""
COLLECTIONS = """\
IN is recognised by its content: puzzles a line (anything behind them is passed over, .sdm too), a
row a line (.sdk), fields with or without a header (CSV: puzzle, quizzes or question; solution,
solutions or answer; id; rules), pencil marks (729 characters), JSON lines, Parquet, Arrow, .npy,
.npz; compressed or not (.gz, .xz, .bz2, .zst). A column of rules gives each row its own.
Exit codes: 0 done, 2 some puzzle could not be read, 130 interrupted.
"""
RULES_HELP = (
    "rule set, comma-separated (default classic, or the link's): knight, king, nonconsecutive, "
    "diagonal, windoku, disjoint, antiqueen, jigsaw=MAP; miracle is knight,king,nonconsecutive"
)


def add_puzzles(parser: argparse.ArgumentParser, *, none: str = "") -> None:
    """Positional puzzles; `none` says what it means to name no puzzle, if that is allowed."""
    text = f"text, file or -; none: {none}" if none else "text, file or -"
    parser.add_argument("puzzles", nargs="*" if none else "+", metavar="PUZZLE", help=text)
    parser.epilog = EPILOG


def add_rules(parser: argparse._ActionsContainer, *, solver: bool = True) -> None:
    parser.add_argument("-r", "--rules", metavar="R", help=RULES_HELP)
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


def add_format(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-f",
        "--format",
        choices=("line", "pretty", "json", "csv"),
        help="how to write grids (default: pretty on a terminal, else line)",
    )


def add_encoding(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--encoding",
        default="extended",
        metavar="E",
        help="CNF encoding (default extended); `satdoku encodings` lists them",
    )


def positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{value}: expected 1 or more")
    return value


def add_backend(parser: argparse.ArgumentParser, what: str) -> None:
    parser.add_argument(
        "--backend",
        choices=("engine", "session"),
        default="engine",
        help=f"engine: bit-parallel search{what}, CDCL for what is left (default); "
        "session: CDCL alone",
    )


def add_time(parser: argparse.ArgumentParser, default: float | None, then: str) -> None:
    told = f" (default {default:g})" if default else ""
    parser.add_argument(
        "--timeout",
        type=seconds,
        default=default,
        metavar="S",
        help=f"seconds, then {then}{told}",
    )


def add_conflicts(parser: argparse.ArgumentParser, then: str) -> None:
    parser.add_argument(
        "--conflicts", type=positive, metavar="N", help=f"{then} after so many conflicts"
    )


def add_output(parser: argparse.ArgumentParser, what: str = "file (.gz, .xz ... compress)") -> None:
    parser.add_argument(
        "-o", "--output", default="-", metavar="OUT", help=f"{what}; default stdout"
    )


def add_pool(
    parser: argparse.ArgumentParser,
    what: str = "workers (default: one a core)",
    default: int | None = None,
    silent: str = "no progress",
) -> None:
    parser.add_argument("-w", "--workers", type=positive, default=default, metavar="N", help=what)
    parser.add_argument("-q", "--quiet", action="store_true", help=silent)


def add_collections(parser: argparse.ArgumentParser) -> None:
    """Options of the commands that read collections."""
    parser.add_argument("collections", nargs="+", metavar="IN", help="file of puzzles, or -")
    parser.add_argument(
        "--input-format",
        choices=("lines", "csv", "rows", "marks", "jsonl", "parquet", "arrow", "npy", "npz"),
        help="how IN is written (default: its content tells)",
    )
    parser.add_argument(
        "--column",
        action="append",
        default=[],
        metavar="ROLE=NAME",
        help="which column holds the puzzle, answer, id or rules, by name or number, where the "
        "usual names do not tell (--column puzzle=board)",
    )


def add_workers(parser: argparse.ArgumentParser) -> None:
    add_pool(parser, silent="no progress, no summary")
    parser.add_argument(
        "--executor",
        metavar="E",
        help="thread, process, or dask://HOST:PORT (default: threads where the C kernel runs)",
    )


def add_certificates(parser: argparse.ArgumentParser, beside: str) -> None:
    parser.add_argument(
        "--certify",
        metavar="N|all",
        help="certify the answers, all or those of N puzzles drawn at random",
    )
    parser.add_argument(
        "--certificates", metavar="FILE", help=f"where certificates go (default: {beside})"
    )


def add_data_and_limit(parser: argparse.ArgumentParser, what: str) -> None:
    parser.add_argument("--json", action="store_true", help="a JSON object a line for each puzzle")
    parser.add_argument("--limit", type=seconds, metavar="S", help=f"after S seconds: {what}")


def seconds(text: str) -> float:
    value = float(text)
    if not 0 < value < 1e6:
        raise argparse.ArgumentTypeError(
            f"{text}: expected seconds, more than 0, less than a million"
        )
    return value
