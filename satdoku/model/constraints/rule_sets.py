"""The text of a rule set: the board that it tells, the names of rules, and the clues.

Invariant: rules stand in the order of `RULES`, then the canonical texts of clues, each once.
"""

from __future__ import annotations

import re

from ...errors import LONGEST_NAME
from ..board import Board
from ..clue import split_rules
from ..kinds import CALLED, clue_of, is_kind
from ..other_names import unknown
from ..rules import ALIASES, BOARDS, BOXES, JIGSAW, LATIN, RULES, RuleError


def is_clue(word: str) -> bool:
    """Whether a word of a rule set is meant as a clue, not as the name of a rule."""
    return ":" in word or (word.lower() not in RULES and is_kind(word))


def board_word(board: Board) -> str:
    """The word of a rule set that tells the board, empty if its boxes are the usual ones."""
    if board.regions is not None:
        return f"{JIGSAW}={board.region_map}"
    if not board.has_boxes:
        return f"{LATIN}={board.size}"
    return "" if board == Board.of_size(board.size) else f"{BOXES}={board.box_shape}"


def parsed(text: str, board: Board | None) -> tuple[Board, tuple[str, ...]]:
    """The board, the rule names in the order of RULES with aliases resolved, and the clues."""
    chosen: set[str] = set()
    clues: list[str] = []
    boards: dict[str, str] = {}
    for word in split_rules(text):
        name, _, value = word.partition("=")
        name = name.lower()
        if is_clue(word):
            clues.append(word)
        elif name in BOARDS:
            boards[name] = value or boards.get(name, "")
        elif not name:
            raise RuleError(f"'{word[:LONGEST_NAME]}' names no rule: expected a name before '='")
        elif value:
            raise RuleError(f"rule '{name[:LONGEST_NAME]}' takes no value")
        else:
            chosen.update(ALIASES[name] if name in ALIASES else (_known(name),))
    board = _board_of(boards, board)
    names = (name for name in RULES if name in chosen)
    return board, (*names, *sorted({clue_of(text, board).text(board) for text in clues}))


def _board_of(words: dict[str, str], board: Board | None) -> Board:
    """The board that the words of a rule set give, each with its value; the given one without."""
    if len(words) > 1:
        raise RuleError(f"{' and '.join(words)}: expected only one that tells the board")
    if JIGSAW in words:
        return _with_regions(words[JIGSAW], board)
    if BOXES in words:
        return _with_boxes(words[BOXES], board)
    return _without_boxes(words[LATIN], board) if LATIN in words else board or Board.of_size(9)


def _without_boxes(size: str, board: Board | None) -> Board:
    """The board of `latin=5`, which must have the given board's size; bare `latin` takes that."""
    if not re.fullmatch(r"\d{0,2}", size, re.ASCII):
        raise RuleError(f"{LATIN}={size[:LONGEST_NAME]}: expected a size, such as {LATIN}=5")
    found = Board.latin(int(size or (board or Board.of_size(9)).size))
    if board is not None and board.size != found.size:
        raise RuleError(f"{LATIN}={size} on a board of size {board.size}")
    return found


def _with_boxes(shape: str, board: Board | None) -> Board:
    """The board of `boxes=2x6`, which must have the given board's size."""
    sides = box_sides(shape)
    found = Board(sides[0] * sides[1], *sides)
    if board is not None and board.size != found.size:
        raise RuleError(f"{BOXES}={shape} on a board of size {board.size}")
    return found


def box_sides(shape: str) -> tuple[int, int]:
    """Rows and columns of `2x6`; raises `RuleError`."""
    match = re.fullmatch(r"(\d{1,3})x(\d{1,3})", shape, re.ASCII)
    if match is None:
        said = f"{BOXES}={shape[:LONGEST_NAME]}"
        raise RuleError(f"{said}: expected rows x columns, as in {BOXES}=2x6")
    return int(match[1]), int(match[2])


def _with_regions(region_map: str, board: Board | None) -> Board:
    """The board of `jigsaw=MAP`, which must have the given board's size.

    Bare `jigsaw` needs a given board that already has regions.
    """
    if region_map:
        found = Board.of_map(region_map)
        if board is not None and board.size != found.size:
            raise RuleError(f"region map of size {found.size} on a board of size {board.size}")
        return found
    if board is None or board.regions is None:
        raise RuleError("jigsaw needs a region map: jigsaw=MAP, one character per cell")
    return board


def _known(name: str) -> str:
    if name not in RULES:
        raise RuleError(unknown("rule", name, [*RULES, *ALIASES, *BOARDS], CALLED))
    return name
