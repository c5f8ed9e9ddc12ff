"""The rules of a puzzle in words, as a solver reads them under the grid.

Invariant: every rule and every clue is said once; clues of one kind that say the same are said
together. The sentences are those of the rules and kinds, except where they speak of a value that
the picture shows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from ..model.board import Board
from ..model.clue import Clue
from ..model.constraints import Constraints
from ..model.kinds import KINDS
from ..model.rules import RULES
from ..render.clues import counts_again

SHOWN = "the number shown"


class Saying(NamedTuple):
    """A paragraph: what it is about, which may be empty, and the sentence."""

    name: str
    sentence: str


@lru_cache(maxsize=256)
def rules_in_words(constraints: Constraints) -> tuple[Saying, ...]:
    """The rules and clues of a puzzle, the classic ones first."""
    board = constraints.board
    said = [Saying("", _classic(board))]
    said += [Saying("", _sentence(RULES[name].summary)) for name in constraints.names]
    kinds: dict[str, list[Clue]] = {}
    for clue in constraints.clues:
        kinds.setdefault(clue.kind, []).append(clue)
    for kind in KINDS:  # their order, whatever that of the clues
        said += _of_kind(kind, kinds.get(kind, []), board)
    return tuple(said)


def _classic(board: Board) -> str:
    """What is placed where."""
    houses = "row, column and " + ("box" if board.regions is None else "region with thick borders")
    if not board.has_boxes:
        houses = "row and column"
    what = "digits" if board.size <= 9 else "numbers"
    once = what[:-1]
    return f"Place the {what} 1 to {board.size} so that every {houses} holds each {once} once."


def _of_kind(kind: str, clues: Sequence[Clue], board: Board) -> Iterator[Saying]:
    """What all clues of a kind say; one by one, where the picture does not show what each says."""
    if not clues:
        return
    look = KINDS[kind].look
    is_drawn = look.says and any(clue.cells for clue in clues)
    name = look.name or kind.replace("-", " ").capitalize()
    name += f" ({look.says})" * bool(is_drawn)
    if KINDS[kind].joins:
        for clue in clues:
            parts = "; ".join(_at(part, board) for part in clue.parts)
            yield Saying(name, f"{look.sentence or KINDS[kind].sentence}: {parts}.")
        return
    plain = [clue for clue in clues if not counts_again(clue)]
    values = tuple(dict.fromkeys(clue.value for clue in plain))
    if not all(clue.cells for clue in plain) or look.is_captioned:
        yield from (Saying(name, _valued(kind, (value,), board, is_told=True)) for value in values)
    elif values:
        yield Saying(name, _valued(kind, values, board))
    for clue in clues:
        if counts_again(clue):
            yield Saying(name, f"{_at(clue, board)}; a cell that is listed again counts again.")


def _valued(kind: str, values: Sequence[str], board: Board, *, is_told: bool = False) -> str:
    """The sentence of a kind with its only value, or with words for what the picture shows, unless
    it shows nothing and the value is to be told."""
    sentence = KINDS[kind].look.sentence or KINDS[kind].sentence
    default = getattr(KINDS[kind].value, "default", None)
    usual = str(default(board.size)) if default else ""
    is_placed = not (default or is_told)
    if len(values) == 1 and not is_placed:
        what = _listed(values[0])
    else:
        what = f"{SHOWN}, or {usual} where there is none" if usual in values and usual else SHOWN
    thirds = _thirds(board.size) if "a low" in sentence else ""
    return f"{sentence.replace('{value}', what)}{thirds}."


def _listed(value: str) -> str:
    """Digits between commas as people list them; any other value as it is."""
    words = value.split(",")
    if not all(word.isdigit() for word in words) or len(words) == 1:
        return value
    return f"{', '.join(words[:-1])} and {words[-1]}"


def _thirds(size: int) -> str:
    third = size // 3
    return f" (low: 1 to {third}, middle: to {2 * third}, high: to {size})"


def _at(clue: Clue, board: Board) -> str:
    """A clue that stands among others, with its cells."""
    sentence = KINDS[clue.kind].sentence.replace("{value}", clue.value)
    if clue.parts:
        return f"{sentence}: {' and '.join(_at(part, board) for part in clue.parts)}"
    cells = " > ".join(", ".join(map(board.name_of, group)) for group in clue.groups)
    return f"{sentence} ({cells})" if cells else sentence


def _sentence(summary: str) -> str:
    return f"{summary[0].upper()}{summary[1:]}."
