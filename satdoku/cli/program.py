"""From what was typed to a command: finds it, parses its options, runs it; help, usage and errors.

Invariant: nothing of satdoku is imported here but its version and the chosen command, so that
`satdoku --help` is instant.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Collection, Sequence
from typing import Any, NoReturn

from .. import __version__
from ..errors import nearest, shown
from ..interrupts import Raised
from .commands import GROUPS, SUMMARIES, Command, load
from .options import EXIT_HELP
from .output import BOLD, CYAN, painted

ABOUT = "Sudoku as SAT: solve, audit, enumerate, export and cross-check puzzles."
USAGE = "usage: satdoku COMMAND [OPTION ...] [PUZZLE ...]"
MORE = """\
satdoku COMMAND --help or satdoku help COMMAND explains a command and shows an example.
satdoku --version prints the version and the engine. satdoku --print-completion SHELL prints what
bash, zsh, fish, tcsh or powershell needs to complete commands and options.
"""


def execute(words: Sequence[str]) -> int:
    """Run the command that the words name, with the rest as its options."""
    match list(words):
        case []:
            _refuse("expected a command")
        case ["-h" | "--help", *_] | ["help"]:
            print_help(_program_help())
        case ["--version", *_]:
            from ..engine import describe

            print(f"satdoku {__version__} (engine: {describe()})")
        case ["--print-completion", *rest]:
            from .shell import completion

            print(completion(rest[0] if rest else ""), end="")
        case ["help", name, *_]:
            return execute([name, "--help"])
        case [name, *_] if name not in SUMMARIES:
            _refuse(_no_command(name))
        case [name, *rest]:
            command = load(name)
            parser = command_parser(name, command)
            arguments = command.Arguments(parser.parsed(rest))
            from .files import kept_apart
            from .large import run_large, takes_large

            # `Raised` not before: `argparse` makes another error of an exception.
            with kept_apart(parser, arguments), Raised():
                if takes_large(name, arguments):
                    return run_large(name, arguments)
                return command.run(arguments)
    return 0


def _program_help() -> str:
    """Every command with its summary, in groups."""
    groups = (
        "\n".join([f"{title}:", *(f"  {name:<12}{text}" for name, text in commands.items())])
        for title, commands in GROUPS.items()
    )
    return "\n\n".join([USAGE, ABOUT, *groups, MORE + EXIT_HELP])


def _refuse(message: str) -> NoReturn:
    print(f"{USAGE}\nsatdoku: error: {shown(message)}", file=sys.stderr)
    raise SystemExit(2)


def _no_command(word: str) -> str:
    """What is wrong with a first word that is no command, and what may have been meant."""
    if word.startswith("-"):
        return no_option(word, ("--help", "--version", "--print-completion"))
    if os.path.exists(word):
        return f"expected a command before '{word}': satdoku solve {word}"
    hint = nearest(word, [*SUMMARIES, "help"]) or "`satdoku help` lists the commands"
    return f"no command '{word}': {hint}"


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
