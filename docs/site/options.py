"""The options of a command as tables of Markdown, from the parser that reads them.

Invariant: every option of the parser has one row.
"""

from __future__ import annotations

import argparse
import re

from satdoku.cli.commands import load
from satdoku.cli.program import command_parser

HEAD = "| option | what it does |\n|---|---|"


def options_of(name: str) -> str:
    """All options, in the groups of the command's help, and what the help says after them."""
    parser = command_parser(name, load(name))
    usage = f"`{parser.prog} {_positionals(parser)}`".replace(" `", "`")
    tables = [_table(group) for group in parser._action_groups]
    notes = (parser.epilog or "").partition("\n\n")[2]  # the example stands above with its output
    return "\n\n".join([usage, *filter(None, tables), _plain(notes)]) + "\n"


def _positionals(parser: argparse.ArgumentParser) -> str:
    words = []
    for action in parser._actions:
        if not action.option_strings:
            many = {"*": "[{0} ...]", "+": "{0} [{0} ...]", "?": "[{0}]"}
            words.append(many.get(str(action.nargs), "{0}").format(_value(action)))
    return " ".join(["[OPTION ...]", *words])


def _table(group: argparse._ArgumentGroup) -> str:
    """A table for each group that has options, below its title if the title says something."""
    rows = [_row(action) for action in group._group_actions if action.help != argparse.SUPPRESS]
    if not rows:
        return ""
    plain = group.title in ("options", "positional arguments")
    title = "" if plain else f"**{group.title}**\n\n"
    return "\n".join([f"{title}{HEAD}", *rows])


def _row(action: argparse.Action) -> str:
    value = _value(action)
    names = [f"{name} {value}".strip() for name in action.option_strings] or [value]
    help_text = (action.help or "") % {**vars(action), "prog": "satdoku"}
    if action.choices and not action.metavar:
        help_text += ": " + ", ".join(f"`{choice}`" for choice in action.choices)
    shown = ", ".join(f"`{name}`" for name in names).replace("|", "\\|")
    return f"| {shown} | {_plain(help_text)} |"


def _value(action: argparse.Action) -> str:
    if action.nargs == 0:
        return ""
    return str(action.metavar or action.dest.upper().replace("_", "-"))


def _plain(text: str) -> str:
    """Help as Markdown: what is not between backticks has no markup."""
    parts = re.split(r"(`[^`\n]*`)", text)
    parts[::2] = [re.sub(r"([\\*_<>\[\]{}#])", r"\\\1", part) for part in parts[::2]]
    return "".join(parts).replace("|", "\\|")
