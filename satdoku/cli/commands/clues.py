"""The command `clues`: every kind of clue with its meaning and an example."""

from __future__ import annotations

from ...model.board import Board
from ...model.kinds import ALIASES, KINDS, Kind, kind_of
from .. import EXIT_DONE
from ..options import Options, argument, json_option
from ..output import show

SIZE = 9  # the board that bounds of values are told for


EXAMPLE = "satdoku clues thermo"


class Arguments(Options):
    kinds = argument("KIND", "explain only these kinds (default: all)", "*", type=None)
    json = json_option("one object a line for each kind")


def run(arguments: Arguments) -> int:
    """Each kind: what it says, how many cells it names, its value, an example."""
    for kind in map(kind_of, arguments.kinds or KINDS):
        aliases = [name for name, (of, _) in ALIASES.items() if of == kind.name]
        sentence = kind.sentence.replace("{value}", "N")
        show(
            arguments, _text(kind, sentence, aliases), name=kind.name, sentence=sentence,
            example=kind.example, cells=kind.takes, value=_value(kind), aliases=aliases,
        )  # fmt: skip
    return EXIT_DONE


def _text(kind: Kind, sentence: str, aliases: list[str]) -> str:
    lines = [sentence, f"{kind.takes}: {kind.example}"]
    value = _value(kind)
    lines += [f"N: {value}"] if value else []
    lines += [f"{name} stands for {'='.join(ALIASES[name])}" for name in aliases]
    return f"{kind.name:<16}" + f"\n{'':16}".join(lines)


def _value(kind: Kind) -> str | None:
    """What the value is on the usual board; None if there is none."""
    if kind.value is None:
        return None
    default = getattr(kind.value, "default", None)
    unless = f" (default {default(SIZE)})" if default else ""
    return f"{kind.value.expected(Board.of_size(SIZE))} on {SIZE}x{SIZE}{unless}"
