"""The rules beyond the classic ones, as data.

Invariant: a rule is one entry in `RULES`, with all that is told of it, and no other code knows a
rule by its name. The exceptions are the witnesses, which restate the rules on purpose.

A rule may add houses (each holds every digit exactly once), pairs of cells that must differ, and
pairs of candidates that cannot both be true.

Candidates are 0-based: board.choices*cell + the position of the digit. DIMACS variables, which are
used from `cnf.encodings` on, are one higher.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from ..runtime.errors import SatdokuError
from . import phrases as p
from .appearance import Foreign, flag, fpuzzles, house, pencilmark
from .board import COLUMNS, ROWS, Board, CellPair, Cells

CandidatePair = tuple[int, int]


class RuleError(SatdokuError):
    """An unknown rule name, or a rule that does not fit the board."""


@dataclass(frozen=True)
class Rule:
    """One rule beyond the classic ones. Each function takes a board and is optional.

    noun: the word for one of its houses ("window") or for the relation between two cells ("knight's
    move"), the name if it is empty. called: its usual names, the title first, as
    `other_names.Definition` has them. abroad: what it is in formats of other programs. said: how
    people tell it, as regular expressions with `{all}` for "the digits 1-9".
    """

    name: str
    summary: str
    houses: Callable[[Board], Iterable[Cells]] | None = None
    unequal: Callable[[Board], Iterable[CellPair]] | None = None
    excludes: Callable[[Board], Iterable[CandidatePair]] | None = None
    noun: str = ""
    called: tuple[str, ...] = ()
    abroad: tuple[Foreign, ...] = ()
    said: tuple[str, ...] = ()


@dataclass(frozen=True)
class BoardWord:
    """A word of a rule set that is no rule but tells the board, and its usual names as those of a
    rule. stands_for: for the name of a whole board, the words and values that tell it."""

    name: str
    summary: str
    called: tuple[str, ...]
    stands_for: dict[str, str] = field(default_factory=dict, hash=False)


def _diagonals(board: Board) -> Iterator[Cells]:
    yield from (tuple(sorted(cells)) for cells in board.diagonals.values())


def _windows(board: Board) -> Iterator[Cells]:
    """The windows: boxes shifted inwards so that one line separates them; four on the 9x9 board."""
    side = board.box_rows
    if board.regions is not None or side != board.box_columns:
        raise RuleError("windoku needs square boxes")
    if not (board.is_square and board.is_rectangle):
        raise RuleError(f"windoku needs one square grid, not {board.in_words}")
    starts = range(1, board.width - side, side + 1)
    for top in starts:
        for left in starts:
            yield tuple(
                board.width * row + column
                for row in range(top, top + side)
                for column in range(left, left + side)
            )


def _same_place_in_box(board: Board) -> Iterator[Cells]:
    if board.regions is not None or not board.has_boxes:
        raise RuleError("disjoint needs rectangular boxes")
    yield from zip(*board.boxes, strict=True)


def _consecutive_neighbours(board: Board) -> Iterator[CandidatePair]:
    n = board.choices
    near = [
        (x, x + 1)
        for x in range(len(board.digits) - 1)
        if board.digits[x + 1] == board.digits[x] + 1
    ]
    for a, b in board.adjacent_pairs:
        for low, high in near:
            yield n * a + low, n * b + high
            yield n * a + high, n * b + low


def _attacking_queens(board: Board) -> Iterator[CandidatePair]:
    n, highest = board.choices, len(board.digits) - 1
    slides = [(step, sign * step) for step in range(1, board.extent[0]) for sign in (-1, 1)]
    for a, b in board.leaps(slides):
        yield n * a + highest, n * b + highest


RULES: dict[str, Rule] = {
    rule.name: rule
    for rule in (
        Rule(
            "knight",
            "cells a knight's move apart do not hold the same digit",
            unequal=lambda board: board.knight_pairs,
            noun="knight's move",
            called=("Anti-knight", "knight's move", "chess sudoku"),
            abroad=(
                flag("iss", "AntiKnight"),
                flag("fpuzzles", "antiknight"),
                flag("sudokupad", "antiknight", in_metadata=True),
                pencilmark("antiknight", "neighbours", op="different", where="knight"),
            ),
            said=(*p.moves("knight"),),
        ),
        Rule(
            "king",
            "cells that touch at a corner do not hold the same digit",
            unequal=lambda board: board.king_pairs,
            noun="king's move",
            called=("Anti-king", "king's move", "no touch", "touchless", "chess sudoku"),
            abroad=(
                flag("iss", "AntiKing"),
                flag("fpuzzles", "antiking"),
                flag("sudokupad", "antiking", in_metadata=True),
                pencilmark("antiking", "neighbours", op="different", where="king"),
            ),
            said=(
                *p.moves("king"),
                f"{p.IDENTICAL} {p.NEVER} (?:touch|be adjacent)(?:,? (?:even )?diagonally)?",
                f"(?:cells )?diagonally adjacent(?: cells)? {p.NEVER} {p.SAME}",
            ),
        ),
        Rule(
            "nonconsecutive",
            "adjacent cells do not hold consecutive digits",
            excludes=_consecutive_neighbours,
            noun="non-consecutive neighbours",
            called=("Non-consecutive", "anti-consecutive"),
            abroad=(
                flag("iss", "AntiConsecutive"),
                fpuzzles("nonconsecutive", "denied-flag"),
                flag("sudokupad", "nonconsecutive"),
                pencilmark(
                    "nonconsecutive", "neighbours", op="not_consecutive", where="orthogonal"
                ),
            ),
            said=(
                f"non-? ?consecutive(?: (?:sudoku|rules?|constraint))?{p.APPLY}",
                f"{p.ADJACENT} {p.NEVER} "
                f"(?:(?:contain|hold|have) consecutive {p.NUMBERS}|be consecutive)",
                f"consecutive {p.NUMBERS} {p.NEVER} (?:be|appear in) {p.ADJACENT}",
            ),
        ),
        Rule(
            "diagonal",
            "each main diagonal holds every digit once",
            houses=_diagonals,
            called=("Diagonals", "main diagonals", "X-sudoku"),
            abroad=(
                house("iss", "Diagonal", "rising", argument="1"),
                house("iss", "Diagonal", "falling", argument="-1"),
                house("fpuzzles", "diagonal+", "rising"),
                house("fpuzzles", "diagonal-", "falling"),
                flag("killer", "d"),
            ),
            said=(*p.houses("diagonal sudoku(?: rules)?", p.DIAGONALS),),
        ),
        Rule(
            "windoku",
            "each window between the boxes holds every digit once",
            houses=_windows,
            noun="window",
            called=("Windoku", "windows", "hyper sudoku", "four-box", "NRC"),
            abroad=(flag("iss", "Windoku", full_boxes=True), fpuzzles("", "houses")),
            said=(*p.houses("windoku(?: rules)?", p.WINDOWS),),
        ),
        Rule(
            "disjoint",
            "the cells in the same place of all boxes hold every digit once",
            houses=_same_place_in_box,
            noun="place",
            called=("Disjoint groups", "disjoint sets"),
            abroad=(
                flag("iss", "DisjointSets", full_boxes=False),
                flag("fpuzzles", "disjointgroups"),
                flag("sudokupad", "disjoint"),
            ),
            said=(
                f"disjoint(?: groups?| sets?| sudoku)?(?: rules?| constraints?)?{p.APPLY}",
                f"{p.NUMBERS} {p.NEVER} (?:repeat|appear) in the same (?:place|position) "
                "(?:in|within|of) (?:different|two|several|their|more than one) box(?:es)?",
            ),
        ),
        Rule(
            "antiqueen",
            "the highest digit does not repeat on any diagonal, however short",
            excludes=_attacking_queens,
            noun="queen's move",
            called=("Anti-queen", "queen's move", "chess sudoku"),
        ),
    )
}


def foreign_rules(form: str) -> Iterator[tuple[Rule, Foreign]]:
    """The rules that a format of another program has, each with what it is there."""
    for rule in RULES.values():
        yield from ((rule, there) for there in rule.abroad if there.form == form)


def flags_of(form: str) -> dict[str, str]:
    """The rules that words of a format turn on, by these words."""
    return {there.name: rule.name for rule, there in foreign_rules(form) if there.way == "flag"}


# Words of a rule set that are no rules: they tell the board.
JIGSAW, LATIN, BOXES = "jigsaw", "latin", "boxes"
SHAPE, DIGITS, GRIDS, HOLES, LAYER = "shape", "digits", "grids", "holes", "layer"
NO_LINES = {"no-rows": ROWS, "no-columns": COLUMNS}
OF_CELLS = (GRIDS, HOLES)  # which stand before a colon, as clues do
BOARDS: dict[str, BoardWord] = {
    word.name: word
    for word in (
        BoardWord(
            JIGSAW,
            "regions of a map (jigsaw=MAP) take the place of the boxes",
            ("Jigsaw", "irregular sudoku", "irregular regions", "squiggly sudoku", "nonomino"),
        ),
        BoardWord(
            LATIN,
            "rows and columns only, no boxes (latin=5: on 5x5)",
            ("Latin square", "no boxes"),
        ),
        BoardWord(
            BOXES,
            "boxes of another shape, rows x columns (boxes=2x6: on 12x12)",
            ("Boxes of another shape", "rectangular boxes", "box size"),
        ),
        BoardWord(
            SHAPE,
            "rows x columns of a board that is not 9x9 (shape=6x8)",
            ("Board of another shape", "rectangle", "grid size"),
        ),
        BoardWord(
            DIGITS,
            "which digits there are (digits=0-8, digits=0,1,2,4,8)",
            (
                "Other digits",
                "0-8=digits=0-8",
                "0-9=shape=9x9,digits=0-9",
                "zero to eight=digits=0-8",
            ),
        ),
        BoardWord("no-rows", "digits may repeat in a row", ("Rows may repeat digits",)),
        BoardWord("no-columns", "digits may repeat in a column", ("Columns may repeat digits",)),
        BoardWord(
            GRIDS,
            "several grids that overlap, by their upper left cells (grids:r1c1,r1c7)",
            (
                "Overlapping grids",
                "multi-sudoku",
                "gattai=grids:r1c1,r1c7",
                "twodoku=grids:r1c1,r7c7",
            ),
        ),
        BoardWord(HOLES, "no cells at these places (holes:r5c5)", ("Holes", "missing cells")),
        BoardWord(
            LAYER,
            "further variables, one a cell (layer=shade:0-1) or free ones (layer=a*3:1-9)",
            ("Layer", "variables", "shading"),
        ),
        BoardWord(
            "samurai",
            "five grids of 9x9, four of which overlap the corners of the fifth",
            ("Samurai", "gattai-5"),
            {GRIDS: "r1c1,r1c13,r7c7,r13c1,r13c13"},
        ),
    )
}
BOARD_ALIASES = {word.name: word.stands_for for word in BOARDS.values() if word.stands_for}

ALIASES: dict[str, tuple[str, ...]] = {
    "classic": (),
    "miracle": ("knight", "king", "nonconsecutive"),
}
