"""The command `rules`: every rule and alias with its meaning."""

from __future__ import annotations

from ...model.rules import ALIASES, BOARD_SUMMARIES, BOARDS, RULES
from .. import EXIT_DONE
from ..options import Options, json_option
from ..output import show

EXAMPLE = "satdoku rules"


class Arguments(Options):
    json = json_option("one object a line for each rule")


def run(arguments: Arguments) -> int:
    """The rules and aliases with what they mean."""
    summaries = {rule.name: rule.summary for rule in RULES.values()} | BOARDS | BOARD_SUMMARIES
    for name, summary in summaries.items():
        show(arguments, f"{name:<16}{summary}", name=name, summary=summary)
    for alias, names in ALIASES.items():
        summary = ", ".join(names) or "rows, columns and boxes only"
        show(arguments, f"{alias:<16}{summary}", name=alias, summary=summary, alias_of=names)
    return EXIT_DONE
