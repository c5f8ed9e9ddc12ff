"""The command `clues`: every kind of clue with its meaning, its usual names and an example; and a
search by these names."""

from __future__ import annotations

from collections.abc import Sequence

from ...model.board import Board
from ...model.kinds import ALIASES, DEFINITIONS, KINDS, Kind, kind_of
from ...model.other_names import Definition, found, title_of, usual_names
from ...model.rules import BoardWord, Rule
from .. import EXIT_DONE, EXIT_NO
from ..options import Options, argument, json_option, option
from ..output import say, show

SIZE = 9  # the board that bounds of values are told for
INDENT = 18


EXAMPLE = "satdoku clues thermo"


class Arguments(Options):
    kinds = argument("KIND", "explain only these kinds (default: all)", "*", type=None)
    find = option(
        "--find",
        metavar="WORDS",
        help="only what is called so or says so, the best first: kropki, 'german whisper'; among "
        "rules and words for the board, too, if no KIND is named",
    )
    json = json_option("one object a line for each kind")


def run(arguments: Arguments) -> int:
    """Each kind: its usual names, what it says, how many cells it names, its value, an example."""
    kinds = [kind_of(name) for name in arguments.kinds]
    if arguments.find is None:
        for kind in kinds or KINDS.values():
            _show(arguments, kind)
        return EXIT_DONE
    hits = found(kinds or DEFINITIONS, arguments.find, _searched)
    for definition in hits:
        _show(arguments, definition)
    if not hits:
        say(f"no clue and no rule is called '{arguments.find}'")
    return EXIT_DONE if hits else EXIT_NO


def _searched(definition: Definition) -> str:
    """What may be searched besides the names."""
    if isinstance(definition, Kind):
        return f"{definition.meaning()} {definition.look.says}"
    return definition.summary if isinstance(definition, (Rule, BoardWord)) else ""


def _show(arguments: Arguments, definition: Definition) -> None:
    called = [usual._asdict() for usual in usual_names(definition)]
    names = {"name": definition.name, "title": title_of(definition), "called": called}
    if isinstance(definition, Kind):
        kind, value = definition, _value(definition)
        sentence = kind.meaning()
        lines = [f"{kind.takes}: {kind.example}", *([f"N: {value}"] if value else [])]
        show(
            arguments, _text(kind, sentence, lines), **names, sentence=sentence,
            example=kind.example, cells=kind.takes, value=value,
            aliases=[name for name, (of, _) in ALIASES.items() if of == kind.name],
        )  # fmt: skip
    elif isinstance(definition, (Rule, BoardWord)):
        what = "a rule" if isinstance(definition, Rule) else "a word for the board"
        text = _text(definition, definition.summary, [f"{what}: --rules {definition.name}"])
        show(arguments, text, **names, summary=definition.summary)


def _text(definition: Definition, sentence: str, lines: Sequence[str]) -> str:
    """The title and the sentence, the lines, and other names, by what they mean."""
    title, *others = usual_names(definition)
    named: dict[str, list[str]] = {}
    for usual in others:
        named.setdefault(usual.means, []).append(usual.text)
    also = [f"{_meaning(means, definition)}: {', '.join(texts)}" for means, texts in named.items()]
    whole = [f"{title.text}: {sentence}", *lines, *also]
    return f"{definition.name:<{INDENT}}" + f"\n{'':{INDENT}}".join(whole)


def _meaning(means: str, definition: Definition) -> str:
    """What stands before the names for it."""
    if means == definition.name:
        return "also called"
    return f"{means} stands for {'='.join(ALIASES[means])}" if means in ALIASES else means


def _value(kind: Kind) -> str | None:
    """What the value is on the usual board; None if there is none."""
    if kind.value is None:
        return None
    default = getattr(kind.value, "default", None)
    unless = f" (default {default(SIZE)})" if default else ""
    return f"{kind.value.expected(Board.of_size(SIZE))} on {SIZE}x{SIZE}{unless}"
