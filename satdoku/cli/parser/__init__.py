"""What can be typed: commands, options and their help.

Invariant: nothing of satdoku is imported here but its version, so that `satdoku --help` is instant.
"""

from __future__ import annotations

import argparse

from ... import __version__
from . import (
    ask,
    bulk,
    exchange,
    lab,
    study,
)
from .options import EPILOG


def build_parser() -> argparse.ArgumentParser:
    """The parser of the whole command line."""
    parser = argparse.ArgumentParser(
        prog="satdoku",
        description="Sudoku as SAT: solve, audit, enumerate, export and cross-check puzzles.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print version and engine")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for add in (*ask.ADDS, *bulk.ADDS, *study.ADDS, *exchange.ADDS, *lab.ADDS):
        add(commands)
    return parser


class _Version(argparse.Action):
    """Print the version and which engine runs here; imported only when asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from ...engine import describe

        print(f"satdoku {__version__} (engine: {describe()})")
        parser.exit()
