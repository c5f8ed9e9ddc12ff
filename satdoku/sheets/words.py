"""The rules of a puzzle in words, as a solver reads them under the grid.

Invariant: every rule and every clue is said once; clues of one kind that say the same are said
together. The sentences are those of the rules and kinds, except where they speak of a value that
the picture shows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from ..model.board import Board, Layer
from ..model.clue import Clue
from ..model.constraints import Constraints
from ..model.kinds import KINDS
from ..model.puzzle import Puzzle
from ..model.rules import RULES
from ..render.clues import counts_again, reads_layers
from ..render.shapes import letters

SHOWN = "the number shown"


class Saying(NamedTuple):
    """A paragraph: what it is about, which may be empty, and the sentence."""

    name: str
    sentence: str

    def __str__(self) -> str:
        return f"{self.name}: {self.sentence}" if self.name else self.sentence


def sayings_of(puzzle: Puzzle) -> tuple[Saying, ...]:
    """The setter's own words, line by line, or else ours."""
    own = tuple(Saying("", line) for line in puzzle.words.splitlines() if line.strip())
    return own or rules_in_words(puzzle.constraints)


def rules_text(constraints: Constraints) -> str:
    """The rules and clues as a text, a paragraph a line."""
    return "\n".join(map(str, rules_in_words(constraints)))


@lru_cache(maxsize=256)
def rules_in_words(constraints: Constraints) -> tuple[Saying, ...]:
    """The rules and clues of a puzzle, the classic ones first."""
    board = constraints.board
    said = [Saying("", _classic(board))]
    said += [Saying("", _layer(layer)) for layer in board.layers]
    said += [Saying("", _sentence(RULES[name].summary)) for name in constraints.names]
    kinds: dict[str, list[Clue]] = {}
    for clue in constraints.clues:
        kinds.setdefault(clue.kind, []).append(clue)
    for kind in KINDS:  # their order, whatever that of the clues
        clues = kinds.get(kind, [])
        said += _of_kind(kind, [clue for clue in clues if not reads_layers(clue, board)], board)
        unseen = (clue for clue in clues if reads_layers(clue, board))
        said += [Saying(_name(kind), f"{_at(clue, board)}.") for clue in unseen]
    return tuple(said)


def _classic(board: Board) -> str:
    """What is placed where; a house of fewer cells than there are digits holds none twice."""
    called = {"box": "box" if board.regions is None else "region with thick borders"}
    n, full, short = len(board.digits), [], []
    for name, houses in board.families:
        said = called.get(name, name)
        full += [said] * any(len(house) == n for house in houses)
        short += [said] * any(len(house) < n for house in houses)
    what = "digits" if letters(board) == 1 else "numbers"
    once, grids = what[:-1], len(board.corners)
    says = []
    if full:
        where = " of each grid" if grids > 1 else ""
        says.append(f"every {_joined(full)}{where} holds each {once} once")
    if short:
        fewer = "no shorter" if {*full} & {*short} else "no"
        where = " of a grid" if grids > 1 else ""
        says.append(f"{fewer} {_joined(short, 'or')}{where} holds a {once} twice")
    so_that = f"so that {', and '.join(says)}" if says else "in the cells"
    return f"Place the {what} {_range(board.digits)} {so_that}."


def _layer(layer: Layer) -> str:
    """What stands in the cells beside their digits, or besides them."""
    few = _joined([*map(str, layer.digits)], "or")
    one_of = f"which is {few if len(layer.digits) < 3 else 'one of ' + _range(layer.digits)}"
    if not layer.free:
        return f"Each cell also has its {layer.name}, {one_of}."
    if layer.free == 1:
        return f"There is also {layer.name}, {one_of}."
    return f"There are also {layer.name}.1 to {layer.name}.{layer.free}, each of {one_of}."


def _range(digits: Sequence[int]) -> str:
    """`1 to 9`, or each of them."""
    low, high = digits[0], digits[-1]
    if len(digits) == high - low + 1 and len(digits) > 1:
        return f"{low} to {high}"
    return _joined([*map(str, digits)])


def _of_kind(kind: str, clues: Sequence[Clue], board: Board) -> Iterator[Saying]:
    """What all clues of a kind say; one by one, where the picture does not show what each says."""
    if not clues:
        return
    look = KINDS[kind].look
    is_drawn = look.says and any(clue.cells for clue in clues)
    name = _name(kind)
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


def _name(kind: str) -> str:
    return KINDS[kind].look.name or kind.replace("-", " ").capitalize()


def _valued(kind: str, values: Sequence[str], board: Board, *, is_told: bool = False) -> str:
    """The sentence of a kind with its only value, or with words for what the picture shows, unless
    it shows nothing and the value is to be told."""
    sentence = KINDS[kind].look.sentence or KINDS[kind].sentence
    default = getattr(KINDS[kind].value, "default", None)
    usual = str(default(len(board.digits))) if default else ""
    is_placed = not (default or is_told)
    if len(values) == 1 and not is_placed:
        what = _listed(values[0])
    else:
        what = f"{SHOWN}, or {usual} where there is none" if usual in values and usual else SHOWN
    thirds = _thirds(board.digits) if "a low" in sentence else ""
    return f"{sentence.replace('{value}', what)}{thirds}."


def _listed(value: str) -> str:
    """Digits between commas as people list them; any other value as it is."""
    words = value.split(",")
    if not all(word.lstrip("-").isdigit() for word in words) or len(words) == 1:
        return value
    return _joined(words)


def _joined(words: Sequence[str], last: str = "and") -> str:
    """`a, b and c`."""
    return f" {last} ".join([*filter(None, [", ".join(words[:-1])]), words[-1]])


def _thirds(digits: Sequence[int]) -> str:
    third = len(digits) // 3
    low, middle = digits[third - 1], digits[2 * third - 1]
    return f" (low: {digits[0]} to {low}, middle: to {middle}, high: to {digits[-1]})"


def _at(clue: Clue, board: Board) -> str:
    """A clue that stands among others, with its cells."""
    sentence = KINDS[clue.kind].says(clue.value)
    if clue.parts:
        return f"{sentence}: {' and '.join(_at(part, board) for part in clue.parts)}"
    cells = " > ".join(", ".join(map(board.name_of, group)) for group in clue.groups)
    return f"{sentence} ({cells})" if cells else sentence


def _sentence(summary: str) -> str:
    return f"{summary[0].upper()}{summary[1:]}."
