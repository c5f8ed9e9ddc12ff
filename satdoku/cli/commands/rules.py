"""The command `rules`: every rule and alias with its meaning."""

from __future__ import annotations

import argparse

from ...model.rules import ALIASES, BOARDS, RULES
from .. import EXIT_DONE
from ..options import add_json
from ..output import show

EXAMPLE = "satdoku rules"


def add_options(parser: argparse.ArgumentParser) -> None:
    add_json(parser, "one object a line for each rule")


def run(arguments: argparse.Namespace) -> int:
    """The rules and aliases with what they mean."""
    summaries = {rule.name: rule.summary for rule in RULES.values()} | BOARDS
    for name, summary in summaries.items():
        show(arguments, f"{name:<16}{summary}", name=name, summary=summary)
    for alias, names in ALIASES.items():
        summary = ", ".join(names) or "rows, columns and boxes only"
        show(arguments, f"{alias:<16}{summary}", name=alias, summary=summary, alias_of=names)
    return EXIT_DONE
