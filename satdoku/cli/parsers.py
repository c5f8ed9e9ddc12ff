"""The parsers of the commands: their options, help, usage and errors.

Invariant: nothing of satdoku is imported here but the chosen command, so that help is instant.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Collection, Sequence
from typing import Any, NoReturn

from ..runtime.errors import nearest, no_such, shown
from .commands import SUMMARIES, Command
from .options import EXIT_HELP
from .output import BOLD, CYAN, painted

ABOUT = "Sudoku as SAT: solve, audit, enumerate, export and cross-check puzzles."


class HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """Help whose words can be copied: none is broken at its hyphens."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        import textwrap  # only help pays for it

        return textwrap.wrap(text, width, break_on_hyphens=False)


class CommandParser(argparse.ArgumentParser):
    """Parses the options of one command; options and puzzles may alternate."""

    def parsed(self, words: Sequence[str]) -> dict[str, Any]:
        """The options and puzzles typed; exits with code 2 and the usage if any is wrong."""
        typed, unknown = self.parse_known_intermixed_args(words)
        if unknown:
            options = [word for word in unknown if word.startswith("-")]
            self.error(no_option([*options, *unknown][0], self._option_string_actions))
        return vars(typed)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            names = map(str, action.choices)
            name = action.dest.replace("_", " ")
            raise argparse.ArgumentError(action, no_such(name, str(value), names))

    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        self.exit(2, f"{self.prog}: error: {shown(message)}\n")

    def print_help(self, file: Any = None) -> None:
        print_help(self.format_help())


def command_parser(name: str, command: Command) -> CommandParser:
    """The parser of a command's options; its help ends with an example."""
    options = command.Arguments
    notes = f"{options.epilog}\n" if options.epilog else ""
    parser = CommandParser(
        prog=f"satdoku {name}",
        usage=options.usage or None,
        description=options.description or _sentence(SUMMARIES[name]),
        epilog=f"example:\n  {command.EXAMPLE}\n\n{notes}{EXIT_HELP}",
        formatter_class=HelpFormatter,
    )
    options.add_to(parser)
    return parser


def _sentence(summary: str) -> str:
    return f"{summary[0].upper()}{summary[1:]}."


def print_help(text: str) -> None:
    """Headings and the names of options and commands are coloured on a terminal."""
    text = re.sub(r"^\w[\w ,]*:(?=$| satdoku)", lambda m: painted(m[0], BOLD), text, flags=re.M)
    text = re.sub(r"^  -?[\w-]+(, --[\w-]+)?", lambda m: painted(m[0], CYAN), text, flags=re.M)
    print(text.rstrip())


def no_option(word: str, known: Collection[str]) -> str:
    """What is wrong with a word that no option or argument takes."""
    if not word.startswith("-"):
        return f"unexpected argument '{word}'"
    name = word.partition("=")[0]
    hint = nearest(name, known)
    return f"no option '{name}'" + (f": {hint}" if hint else "")
