"""Output for shells and `man`: completion of words, and the manual page.

Invariant: all of it is made of the parsers of the commands, when it is asked for.
"""

from __future__ import annotations

import argparse
from typing import Any

from ..runtime.errors import SatdokuError, shown
from ..runtime.package import VERSION
from .commands import SUMMARIES, load
from .files import READ, WRITTEN, kind_of
from .options import EXIT_HELP
from .parsers import ABOUT, CommandParser, HelpFormatter, command_parser

# Where the packages of Linux and Homebrew look for the completion of a shell, below their prefix.
COMPLETIONS = {
    "bash": "share/bash-completion/completions/satdoku",
    "zsh": "share/zsh/site-functions/_satdoku",
    "fish": "share/fish/vendor_completions.d/satdoku.fish",
}
MANUAL = "share/man/man1/satdoku.1"


def whole_parser() -> argparse.ArgumentParser:
    """One parser of the whole program. The program itself parses the chosen command only."""
    whole = argparse.ArgumentParser("satdoku", description=ABOUT, formatter_class=HelpFormatter)
    whole.add_argument(
        "--version", action="version", version=VERSION, help="print the version and the engine"
    )
    commands = whole.add_subparsers(metavar="COMMAND", parser_class=CommandParser)
    for name, summary in SUMMARIES.items():
        parser = command_parser(name, load(name))
        words = [str(a.metavar or a.dest) for a in parser._actions if not a.option_strings]
        commands.add_parser(
            name,
            help=summary,
            usage=" ".join([parser.prog, "[OPTION ...]", *words]),  # options are listed below it
            parents=[parser],
            add_help=False,  # the parent has it
            description=parser.description,
            epilog=parser.epilog,
            formatter_class=HelpFormatter,
        )
    return whole


def completion(shell: str) -> str:
    """The script by which a shell completes commands, options, their values and files.

    Raises `SatdokuError` if the shell is not known or shtab is not installed.
    """
    try:
        import shtab
    except ImportError:
        message = "completion needs the extra: pip install 'satdoku[completion]'"
        raise SatdokuError(message) from None
    if shell not in shtab.SUPPORTED_SHELLS:
        known = ", ".join(shtab.SUPPORTED_SHELLS)
        raise SatdokuError(f"no completion for shell '{shown(shell)}'; there is one for {known}")
    parser = whole_parser()
    for action in _actions(parser):
        if kind_of(action) in READ or kind_of(action) in WRITTEN:
            action.complete = shtab.FILE
    return str(shtab.complete(parser, shell))


def _actions(parser: argparse.ArgumentParser) -> list[Any]:
    """The arguments of a parser and of its commands."""
    found: list[Any] = []
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            found += [a for command in action.choices.values() for a in _actions(command)]
        else:
            found.append(action)
    return found


def manual() -> str:
    """The manual page, in roff; argparse-manpage makes it. Only the build of a wheel needs it."""
    from argparse_manpage.manpage import Manpage

    data = {
        "project_name": "satdoku",
        "prog": "satdoku",
        "version": VERSION,
        "description": ABOUT[0].lower() + ABOUT[1:-1],
        "manual_title": "satdoku",
    }
    page = Manpage(whole_parser(), _data=data)
    examples = "\n".join(load(name).EXAMPLE for name in SUMMARIES)
    page.add_section("exit status", ">", _roff(EXIT_HELP))
    page.add_section("examples", ">", f".nf\n{_roff(examples)}\n.fi")
    return str(page)


def _roff(text: str) -> str:
    """Text that roff prints as it is: its signs escaped, and no line a request."""
    lines = text.strip().replace("\\", "\\e").replace("-", "\\-").splitlines()
    return "\n".join(f"\\&{line}" for line in lines)
