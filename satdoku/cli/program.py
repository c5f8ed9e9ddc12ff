"""From what was typed to a command: finds it, parses its options, runs it.

Invariant: nothing of satdoku is imported here but its version and the chosen command, so that
`satdoku --help` is instant.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from ..runtime.errors import nearest, shown
from ..runtime.interrupts import Raised
from ..runtime.package import VERSION
from . import EXIT_BAD_INPUT
from .commands import GROUPS, SUMMARIES, load
from .options import EXIT_HELP
from .output import note
from .parsers import ABOUT, command_parser, no_option, print_help

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

            print(f"satdoku {VERSION} (engine: {describe()})")
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
            from .files import find_files, kept_apart

            find_files(arguments)
            # `Raised` not before: `argparse` makes another error of an exception.
            with kept_apart(parser, arguments), Raised():
                code = command.run(arguments)
            for option in arguments.unheeded(parser) if code != EXIT_BAD_INPUT else ():
                note(arguments, f"{option} has no effect here")
            return code
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
