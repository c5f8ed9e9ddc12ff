"""The rules of a puzzle in words, as published puzzles state them and a solver reads them.

Invariant: every rule and every clue is said once, under its usual name; clues of one kind that say
the same are said together. The sentences are those of the rules and kinds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from .appearance import OUTLINED
from .board import Board, Cells, Layer
from .clue import SET, Clue
from .constraints import Constraints
from .kinds import KINDS, Kind, alike, title
from .other_names import title_of
from .puzzle import Puzzle
from .rules import RULES
from .sentences import (
    SHOWN,
    as_sentence,
    board_words,
    drawn_sentence,
    in_words,
    listed,
    listed_value,
)


class Saying(NamedTuple):
    """A paragraph: what it is about, which may be empty, and the sentence."""

    name: str
    sentence: str

    def __str__(self) -> str:
        return f"{self.name}: {self.sentence}" if self.name else self.sentence


def sayings_of(puzzle: Puzzle) -> tuple[Saying, ...]:
    """The setter's own words, line by line, or else ours."""
    own = tuple(Saying("", line) for line in puzzle.words.splitlines() if line.strip())
    return own or sayings(puzzle.constraints)


@lru_cache(maxsize=256)
def sayings(constraints: Constraints) -> tuple[Saying, ...]:
    """The rules and clues of a puzzle, the classic ones first."""
    board = constraints.board
    said = [*of_board(board)]
    said += [of_rule(name) for name in constraints.names]
    kinds: dict[str, list[Clue]] = {}
    for clue in constraints.clues:
        kinds.setdefault(clue.kind, []).append(clue)
    marked = alike(constraints.clues)
    for kind in KINDS:  # their order, whatever that of the clues
        said += _of_kind(KINDS[kind], kinds.get(kind, ()), board, kind in marked)
    return tuple(said)


def of_board(board: Board) -> tuple[Saying, ...]:
    """What stands in the cells of a board, and what in its layers."""
    return (Saying("", _classic(board)), *(Saying("", _layer(layer)) for layer in board.layers))


def of_rule(name: str) -> Saying:
    """A rule beyond the classic ones."""
    return Saying(title_of(RULES[name]), as_sentence(RULES[name].summary))


def of_clue(clue: Clue, board: Board) -> Saying:
    """A clue that no picture shows, with its cells."""
    kind = KINDS[clue.kind]
    if not clue.groups and not clue.parts:
        return Saying(_title(clue.kind, clue.value), _drawn(kind, (clue,), board))
    again = "; a cell that is listed again counts again" if counts_again(clue) else ""
    return Saying(_title(clue.kind, clue.value), as_sentence(f"{_at(clue, board)}{again}"))


def reads_layers(clue: Clue, board: Board) -> bool:
    """Whether it has cells of layers, so that no picture shows it."""
    return bool(clue.cells) and max(clue.cells) >= board.grid_cells


def counts_again(clue: Clue) -> bool:
    """Whether a cell of it counts again, which no outline shows."""
    is_again = any(len({*group}) < len(group) for group in clue.groups)
    return is_again and KINDS[clue.kind].counts_again


def is_told(clue: Clue, board: Board) -> bool:
    """Whether a picture does not show the whole clue, so that words with its cells have to."""
    kind = KINDS[clue.kind]
    is_only_named = kind.look.drawing == OUTLINED.drawing and "{it}" not in kind.sentence
    hides = not clue.cells or reads_layers(clue, board) or kind.look.is_captioned
    return hides or is_only_named or counts_again(clue)


def letters(board: Board) -> int:
    """Characters of the longest digit of the grids."""
    return max(len(str(digit)) for digit in (board.digits[0], board.digits[-1]))


# The board ----------------------------------------------------------------------------------------


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
        says.append(f"every {listed(full)}{where} holds each {once} once")
    if short:
        fewer = "no shorter" if {*full} & {*short} else "no"
        where = " of a grid" if grids > 1 else ""
        says.append(f"{fewer} {listed(short, 'or')}{where} holds a {once} twice")
    so_that = f"so that {', and '.join(says)}" if says else "in the cells"
    return f"Place the {what} {_range(board.digits)} {so_that}."


def _layer(layer: Layer) -> str:
    """What stands in the cells beside their digits, or besides them."""
    few = listed([*map(str, layer.digits)], "or")
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
    return listed([*map(str, digits)])


# Clues --------------------------------------------------------------------------------------------


def _of_kind(kind: Kind, clues: Sequence[Clue], board: Board, is_marked: bool) -> Iterator[Saying]:
    """What all clues of a kind say; one by one, where the picture does not show what each says."""
    shown = [clue for clue in clues if not is_told(clue, board)]
    for value, sentence in kind.apart.items():
        own = [clue for clue in shown if clue.value == value and len({*clue.cells}) == 2]
        if own:
            said = drawn_sentence(sentence, _words(kind, own, board, is_marked))
            yield Saying(title(kind.name, value), as_sentence(said))
            shown = [clue for clue in shown if clue not in own]
    if shown:
        values = {clue.value for clue in shown}
        name = _title(kind.name, values.pop() if len(values) == 1 else "")
        yield Saying(name, _drawn(kind, shown, board, is_marked))
    yield from dict.fromkeys(of_clue(clue, board) for clue in clues if is_told(clue, board))


def _drawn(kind: Kind, clues: Sequence[Clue], board: Board, is_marked: bool = False) -> str:
    """The sentence of clues of a kind that a picture shows."""
    values = {clue.value for clue in clues}
    goes_by_value = not clues[0].cells or (kind.is_optional and len({*map(bool, values)}) == 1)
    template = kind.template(clues[0].value) if goes_by_value else kind.sentence
    return as_sentence(drawn_sentence(template, _words(kind, clues, board, is_marked)))


def _words(kind: Kind, clues: Sequence[Clue], board: Board, is_marked: bool) -> Mapping[str, str]:
    """What stands in the places of the sentence."""
    values = [*dict.fromkeys(clue.value for clue in clues)]
    default = getattr(kind.value, "default", None)
    usual = str(default(len(board.digits))) if default else ""
    value = in_words(values[0])
    if len(values) > 1:
        value = f"{SHOWN}, or {usual} where there is none" if usual in values else SHOWN
    return {
        **board_words(board),
        **listed_value(values[0]),
        "value": value,
        "the": "each" if _drawings(kind, clues) > 1 else "the",
        "it": kind.look.in_words(is_marked=is_marked),
    }


def _drawings(kind: Kind, clues: Sequence[Clue]) -> int:
    """How many drawings there are: of some kinds one in each cell."""
    is_by_cell = kind.order == SET and kind.cells[0] == 1 and kind.look.drawing in BY_CELL
    return sum(len(clue.cells) if is_by_cell else 1 for clue in clues)


BY_CELL = "disc", "square", "restricted", "extreme"


def _title(kind: str, value: str) -> str:
    """The usual name of clues whose values are not drawn otherwise, as a heading."""
    name = title(kind, "" if value in KINDS[kind].apart else value)
    return f"{name[:1].upper()}{name[1:]}"


def _at(clue: Clue, board: Board) -> str:
    """A clue by itself, with its cells."""
    sentence = KINDS[clue.kind].says(clue.value)
    if clue.parts:
        return f"{sentence}: {'; '.join(_at(part, board) for part in clue.parts)}"
    is_set = KINDS[clue.kind].order == SET
    spans = (_spans(group, board) if is_set else map(board.name_of, group) for group in clue.groups)
    cells = board.layer_of(clue.cells) or " > ".join(map(", ".join, spans))
    return f"{sentence} ({cells})" if cells else sentence


def _spans(cells: Cells, board: Board) -> Iterator[str]:
    """The cells, three or more that follow one another in a row by the first and the last."""
    runs: list[list[int]] = []
    for cell in cells:
        if runs and cell == runs[-1][-1] + 1 and _row(cell, board) == _row(cell - 1, board):
            runs[-1].append(cell)
        else:
            runs.append([cell])
    for run in runs:
        first, last = board.name_of(run[0]), board.name_of(run[-1]).rpartition(".")[2]
        yield from [f"{first}-{last}"] if len(run) > 2 else map(board.name_of, run)


def _row(cell: int, board: Board) -> str:
    return board.name_of(cell).partition("c")[0]
