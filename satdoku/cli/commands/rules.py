"""The command `rules`: every rule and alias with its meaning and its usual names."""

from __future__ import annotations

from ...model.other_names import usual_names
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
        called = [usual.text for usual in usual_names(word)]
        also = f"\n{'':16}{', '.join(called)}"
        show(
            arguments, f"{word.name:<16}{word.summary}{also}",
            name=word.name, summary=word.summary, called=called,
        )  # fmt: skip
    for alias, names in ALIASES.items():
        summary = ", ".join(names) or "rows, columns and boxes only"
        show(arguments, f"{alias:<16}{summary}", name=alias, summary=summary, alias_of=names)
    return EXIT_DONE
