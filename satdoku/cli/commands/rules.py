"""The command `rules`: all rules with their names and meanings, or those of a puzzle in words.

Invariant: what it says of a puzzle is what its sheet says.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...model.other_names import usual_names
from ...model.puzzle import Puzzle, Unreadable
from ...model.rules import ALIASES, BOARDS, RULES, BoardWord, Rule
from ...model.words import Saying, sayings, sayings_of
from .. import EXIT_DONE
from .. import options as opt
from ..answers import exit_code
from ..inputs import asked_constraints, puzzles_of
from ..output import show

EXAMPLE = "satdoku rules"


class Arguments(opt.Input):
    puzzle = opt.argument(
        "PUZZLE", "tell the rules of these puzzles in words: text, link, file or -", "?"
    )
    json = opt.json_option("one object a line for each rule, or for each puzzle")


def run(arguments: Arguments) -> int:
    """The rules of each puzzle, or of --rules and --clue; without them all rules there are."""
    if arguments.puzzle:
        return exit_code(arguments, _of_puzzles(arguments, arguments.puzzle))
    if arguments.rules or arguments.clue or arguments.regions:
        constraints = asked_constraints(arguments)
        _tell(arguments, sayings(constraints), rules=constraints.name)
    else:
        _list(arguments)
    return EXIT_DONE


def _of_puzzles(arguments: Arguments, source: str) -> Iterator[bool | Unreadable]:
    is_first = True
    for asked in puzzles_of(arguments, source, marks=True, large=True):
        if isinstance(asked, Puzzle):
            if not (is_first or arguments.json):
                print()
            _tell(arguments, sayings_of(asked), **asked.place, rules=asked.rules)
            is_first = False
        yield asked if isinstance(asked, Unreadable) else True


def _tell(arguments: Arguments, said: tuple[Saying, ...], **about: object) -> None:
    lines = [*map(str, said)]
    show(arguments, "\n".join(lines), **about, words=lines)


def _list(arguments: Arguments) -> None:
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
