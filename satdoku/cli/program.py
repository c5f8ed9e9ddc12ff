"""From what was typed to a command: finds it, parses its options, runs it.

Invariant: nothing of satdoku is imported here but its version and the chosen command, so that
`satdoku --help` is instant.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from .. import __version__
from .commands import GROUPS, SUMMARIES, Command, load
from .options import EPILOG


def execute(words: Sequence[str]) -> int:
    """Run the command that the words name, with the rest as its options."""
    arguments, rest = _program_parser().parse_known_args(words[:1])
    command = load(arguments.command)
    return command.run(command_parser(arguments.command, command).parse_args([*rest, *words[1:]]))


def command_parser(name: str, command: Command) -> argparse.ArgumentParser:
    """The parser of a command's options, with its example in the help."""
    summary = SUMMARIES[name]
    parser = argparse.ArgumentParser(
        prog=f"satdoku {name}",
        description=f"{summary[0].upper()}{summary[1:]}.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_options(parser)
    parser.epilog = f"Example: {command.EXAMPLE}\n\n{parser.epilog or ''}".rstrip()
    return parser


def _program_parser() -> argparse.ArgumentParser:
    """The parser of `satdoku` itself: the first word must be a command, --help or --version."""
    parser = argparse.ArgumentParser(
        prog="satdoku",
        usage="satdoku [-h] [--version] COMMAND ...",
        description="Sudoku as SAT: solve, audit, enumerate, export and cross-check puzzles.",
        epilog=f"{_table()}\n\n{EPILOG}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print version and engine")
    parser.add_argument(
        "command", choices=SUMMARIES, metavar="COMMAND", help="satdoku COMMAND --help tells more"
    )
    return parser


def _table() -> str:
    """Every command with its summary, in groups."""
    groups = []
    for title, commands in GROUPS.items():
        lines = (f"  {name:<12}{summary}" for name, summary in commands.items())
        groups.append("\n".join([f"{title}:", *lines]))
    return "\n\n".join(groups)


class _Version(argparse.Action):
    """Print the version and the engine that runs here, imported only for that."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from ..engine import describe

        print(f"satdoku {__version__} (engine: {describe()})")
        parser.exit()
