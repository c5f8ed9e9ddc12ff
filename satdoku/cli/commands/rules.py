"""The command `rules`: every rule and alias with its meaning."""

from __future__ import annotations

from ...model.rules import ALIASES, BOARDS, RULES, BoardWord, Rule
from .. import EXIT_DONE
from ..options import Options, json_option
from ..output import show

EXAMPLE = "satdoku rules"


class Arguments(Options):
    json = json_option("one object a line for each rule")


def run(arguments: Arguments) -> int:
    """The rules and aliases with what they mean."""
    words: list[Rule | BoardWord] = [*RULES.values(), *BOARDS.values()]
    for word in words:
        show(arguments, f"{word.name:<16}{word.summary}", name=word.name, summary=word.summary)
    for alias, names in ALIASES.items():
        summary = ", ".join(names) or "rows, columns and boxes only"
        show(arguments, f"{alias:<16}{summary}", name=alias, summary=summary, alias_of=names)
    return EXIT_DONE
