"""Sentences of kinds and rules, with places for what depends on the puzzle.

Invariant: a kind has one sentence, under a picture and for a clue by itself.

    [drawn|told]  the first where it goes by a picture, the second where a clue stands by itself
    {the}         the, or each where there are several
    {it}          what the picture shows, as the look of the kind names it: green line
    {value}       the value as people write it; {and}, {or}: digits, listed so
    {lows} ...    what depends on the digits of the board, as `board_words` tells
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from .board import Board

SHOWN = "the number shown"
_CHOICE = re.compile(r"\[([^\[\]|]*)\|([^\[\]|]*)\]")


def drawn_sentence(sentence: str, words: Mapping[str, str]) -> str:
    """A sentence that goes by a picture."""
    return _CHOICE.sub(r"\1", sentence).format_map(words)


def told_sentence(sentence: str, value: str) -> str:
    """A sentence of one clue by itself, on any board."""
    told = dict.fromkeys(("lows", "middles", "highs", "lower", "upper"), "")
    told |= {"the": "the", "box": "box", "value": in_words(value)}
    return _CHOICE.sub(r"\2", sentence).format_map(told | listed_value(value))


def listed_value(value: str) -> dict[str, str]:
    """`{and}` and `{or}`: `1 and 9`, `1 or 9`."""
    digits = value.split(",")
    return {"and": listed(digits), "or": listed(digits, "or")}


def in_words(value: str) -> str:
    """A value as people write it: digits between commas are listed, and 5x2 is 5 × 2."""
    value = re.sub(r"(?<=\d)x(?=\d)", " × ", value)
    words = value.split(",")
    return listed(words) if all(word.lstrip("-").isdigit() for word in words) else value


def listed(words: Sequence[str], last: str = "and") -> str:
    """`a, b and c`."""
    return f" {last} ".join([*filter(None, [", ".join(words[:-1])]), words[-1]])


def board_words(board: Board) -> dict[str, str]:
    """What sentences say of the digits of a board: its thirds and halves, those of each remainder
    by 3, the lowest, the middle and the highest; and what its boxes are called."""
    digits = board.digits
    third, half = len(digits) // 3, len(digits) // 2
    rests = ([digit for digit in digits if digit % 3 == rest % 3] for rest in (1, 2, 3))
    return {
        "lows": f" ({span(digits[:third])})",
        "middles": f" ({span(digits[third : 2 * third])})",
        "highs": f" ({span(digits[2 * third :])})",
        "lower": f" ({span(digits[:half])})",
        "upper": f" ({span(digits[-half:])})",
        "rests": listed(["-".join(map(str, rest)) for rest in rests if rest]),
        "lowest": str(digits[0]),
        "mid": str(digits[half]),
        "highest": str(digits[-1]),
        "box": "box" if board.regions is None else "region",
        "nearest": "of the nearest box"
        if board.has_boxes and board.regions is None
        else "of the nearest three cells",
    }


def span(digits: Sequence[int]) -> str:
    """`1-3`, or each of them."""
    if not digits:
        return "none"  # of so few digits, where no kind speaks of them
    if len(digits) > 1 and digits[-1] - digits[0] == len(digits) - 1 and digits[0] >= 0:
        return f"{digits[0]}-{digits[-1]}"
    return listed([*map(str, digits)])


def as_sentence(text: str) -> str:
    """With a capital letter and a full stop."""
    return f"{text[:1].upper()}{text[1:]}."
