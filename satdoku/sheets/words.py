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

SHOWN = "the number shown"


class Saying(NamedTuple):
    """A paragraph: what it is about, which may be empty, and the sentence."""

    name: str
    sentence: str


class Look(NamedTuple):
    """How a kind is called on paper, and how it is drawn; the sentence, if that of the kind speaks
    of what is drawn otherwise."""

    name: str
    drawn: str = ""
    sentence: str = ""


# Kinds in the order of `KINDS`. {value} stands for one value of all such clues, or for SHOWN.
LOOKS: dict[str, Look] = {
    "odd": Look("Odd", "grey disc"),
    "even": Look("Even", "grey square"),
    "low": Look("Low", "≤ in the corner"),
    "high": Look("High", "≥ in the corner"),
    "digits": Look(
        "Restricted cell", "digits in the corner", "the cell holds one of the digits in its corner"
    ),
    "minimum": Look("Minimum", "shaded, chevrons inwards"),
    "maximum": Look("Maximum", "shaded, chevrons outwards"),
    "difference": Look("Difference", "white dot"),
    "ratio": Look("Ratio", "black dot"),
    "no-difference": Look("No other differences"),
    "no-ratio": Look("No other ratios"),
    "no-sum": Look("No other sums"),
    "greater": Look("Inequality", "<", "the sign points at the lesser of the two digits"),
    "thermo": Look("Thermometer", "grey, with a bulb", "the digits grow from the bulb to the tip"),
    "slow-thermo": Look(
        "Slow thermometer", "grey, with a bulb and a white core",
        "from the bulb to the tip no digit is less than the one before",
    ),
    "whisper": Look("Whisper", "green line"),
    "palindrome": Look("Palindrome", "grey line"),
    "clone": Look("Clones", "shaded groups"),
    "renban": Look("Renban", "pink line"),
    "nabner": Look("Nabner", "yellow line"),
    "entropic": Look("Entropic line", "orange line"),
    "modular": Look("Modular line", "turquoise line"),
    "parity": Look("Parity line", "red line"),
    "distinct": Look("Different digits", "dashed grey outline"),
    "region": Look("Extra region", "shaded"),
    "col-index": Look("Column index", "red cells"),
    "row-index": Look("Row index", "blue cells"),
    "box-index": Look("Box index", "green cells"),
    "taxicab": Look("Taxicab"),
    "knight-digits": Look("Knight's moves"),
    "king-digits": Look("King's moves"),
    "queen-digits": Look("Queen's moves"),
    "sum": Look(
        "Sum", "X for 10, V for 5, or the number",
        "the digits add up to it; they may repeat where no other rule forbids it",
    ),
    "weighted": Look(
        "Weighted sum", "thin outline",
        "the digits, each times the number in its corner, add up to the total after the =",
    ),
    "little-killer": Look(
        "Little killer", "arrow outside the grid",
        "the digits along the arrow add up to its number; they may repeat",
    ),
    "cage": Look(
        "Cage", "dashed outline",
        "its digits are different, and add up to the number in its corner if there is one",
    ),
    "product": Look("Product", "dashed outline with ×"),
    "arrow": Look(
        "Arrow", "", "the digits along each arrow add up to the number in its circle or pill"
    ),
    "double-arrow": Look("Double arrow", "line between two circles"),
    "region-sum": Look("Region sum line", "blue line"),
    "equal-sum": Look("Equal sums", "outlines joined by ="),
    "greater-sum": Look("Greater sums", "outlines joined by >"),
    "ten-line": Look("Ten line", "light blue line"),
    "zipper": Look("Zipper line", "lavender line"),
    "quadruple": Look(
        "Quadruple", "circle on a corner",
        "the four cells around it hold each of its digits, as often as it is listed",
    ),
    "contains": Look("Contains", "outline", "the cells hold each of the digits listed, so often"),
    "count": Look("Count", "outline", "5x2 says that the cells hold the digit 5 twice"),
    "circles": Look("Counting circles", "circles"),
    "entropy": Look("Entropy"),
    "flat-mates": Look("Flat mates"),
    "between": Look("Between line", "grey line between circles"),
    "lockout": Look("Lockout line", "blue line between diamonds"),
    "sandwich": Look("Sandwich", "number outside the grid"),
    "x-sum": Look("X-sum", "number outside the grid"),
    "skyscraper": Look(
        "Skyscraper", "number outside the grid",
        "so many digits of the line, seen from there, are greater than all before them",
    ),
    "numbered-room": Look("Numbered room", "number outside the grid"),
    "rossini": Look(
        "Rossini", "arrow outside the grid",
        "the digits of the line in its first box, or its first three digits if there are no "
        "rectangular boxes, grow towards the tip",
    ),
    "regex": Look(
        "Pattern", "line with a text",
        "its digits, as one text from the cell with the text on, match that regular expression",
    ),
    "machine": Look("Machine", "red-brown line"),
    "or": Look("Either, or", "pale"),
    "and": Look("Both", "", "all of these clues hold"),
}  # fmt: skip


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
    look = LOOKS[kind]
    name = f"{look.name} ({look.drawn})" if look.drawn else look.name
    if KINDS[kind].joins:
        for clue in clues:
            parts = "; ".join(_at(part, board) for part in clue.parts)
            yield Saying(name, f"{look.sentence or KINDS[kind].sentence}: {parts}.")
    elif not all(clue.cells for clue in clues) or kind == "machine":
        for value in dict.fromkeys(clue.value for clue in clues):
            yield Saying(name, _valued(kind, (value,), board))
    else:
        yield Saying(name, _valued(kind, tuple(dict.fromkeys(c.value for c in clues)), board))


def _valued(kind: str, values: Sequence[str], board: Board) -> str:
    """The sentence of a kind with its only value, or with words for what the picture shows."""
    sentence = LOOKS[kind].sentence or KINDS[kind].sentence
    default = getattr(KINDS[kind].value, "default", None)
    usual = str(default(board.size)) if default else ""
    is_placed = not default and kind not in _UNPLACED
    if len(values) == 1 and not is_placed:
        what = _listed(values[0])
    else:
        what = f"{SHOWN}, or {usual} where there is none" if usual in values and usual else SHOWN
    thirds = _thirds(board.size) if "a low" in sentence else ""
    return f"{sentence.replace('{value}', what)}{thirds}."


_UNPLACED = (
    "no-sum", "knight-digits", "king-digits", "queen-digits", "machine",
)  # fmt: skip


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
