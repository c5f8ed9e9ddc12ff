"""The constraints of Interactive Sudoku Solver by their names, and on which boards it has them.

Invariant: a clue is written only by a constraint that reads back as the same clue, and a constraint
is read as exactly what it states. A kind names its constraint.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ...model.appearance import Foreign
from ...model.board import Board, usual_box_of
from ...model.clue import ClueError
from ...model.kinds import foreign
from ...model.rules import flags_of, foreign_rules
from .ways import WAYS, Read, Write


class Key(NamedTuple):
    """The name of a constraint, the kind of clue that it is, and how its arguments state it."""

    name: str
    kind: str
    read: Read
    write: Write


def _own_options(there: Foreign) -> dict[str, Any]:
    """The options of the way, without what boards must be like."""
    return {name: some for name, some in there.options.items() if name not in _OF_BOARDS}


_OF_BOARDS = "first", "from_one"
KEYS = tuple(
    Key(there.name, kind.name, *WAYS[there.way](**_own_options(there)))
    for kind, there in foreign("iss")
    if there.way not in ("flag", "joined")
)
OF_NAME = {name: [key for key in KEYS if key.name == name] for name in {key.name for key in KEYS}}
JOINED = {there.name: kind.name for kind, there in foreign("iss") if there.way == "joined"}
# Constraints that say more of all of another name: that name, and the mark of each argument.
MARKING = {"FullRankTies": ("FullRank", {"any": "any", "only-unclued": "", "none": ""})}
# What goes by cells that share an edge.
BESIDE = {t.name for _, t in foreign("iss") if t.way in ("marks", "pill", "square")}
OUTSIDE = tuple(t.name for _, t in foreign("iss") if t.way in ("ends", "line", "diagonal"))
BY_BOXES = {
    there.name: there.options["full_boxes"]
    for _, there in foreign_rules("iss")
    if "full_boxes" in there.options
}
FROM_ONE = {t.name for _, t in foreign("iss") if t.options.get("from_one")}
# Constraints that some digits need: how many, and which may be the first.
DIGITS = {
    there.name: (there.size, there.options.get("first", (1,)))
    for _, there in foreign("iss")
    if there.size or "first" in there.options
}
# The main diagonals by the arguments that state them; and the rules that have them as houses.
DIAGONALS = {
    there.options["argument"]: there.options["cells"]
    for _, there in foreign_rules("iss")
    if there.way == "house"
}
BY_HOUSES = tuple({rule.name: 0 for rule, t in foreign_rules("iss") if t.way == "house"})


def _flags() -> dict[str, tuple[str, ...]]:
    """The rules, and the clues on the whole board, that a constraint without arguments states; what
    states several of them comes last."""
    flags: dict[str, tuple[str, ...]] = {name: (rule,) for name, rule in flags_of("iss").items()}
    for kind, there in foreign("iss"):
        if there.way == "flag":
            value = there.options.get("value")
            clue = f"{kind.name}={value}" if value else kind.name
            flags[there.name] = (*flags.get(there.name, ()), clue)
    return dict(sorted(flags.items(), key=lambda flag: len(flag[1])))


FLAGS = _flags()
NAMES = tuple(dict.fromkeys((*(key.name for key in KEYS), *FLAGS)))
NESTED = (*JOINED, "Replicate")
HINT = "SearchPriority"  # tells that program where to search, and says nothing of the puzzle
INSTEAD = ("Doppelganger", "RegionSameValues")  # what only others state, see `instead`
CHAOS = "ChaosConstruction"
OF_BOARD = ("Shape", "RegionSize", "Var", "Jigsaw", "NoBoxes", CHAOS)
OTHERS = ("", "Given", *OF_BOARD, "Diagonal", *INSTEAD, *MARKING, *NESTED, "End", HINT)
OUTERMOST = (*OF_BOARD, "Diagonal", *INSTEAD, *MARKING, *FLAGS)  # not within Or and And
# Constraints that grids have only if a digit stands once in each row and column.
OF_LINES = {
    "AntiKing", "AntiKnight", "Diagonal", "DisjointSets", "Indexing", "Jigsaw", "NoBoxes",
    "RegionSize", "Windoku", *INSTEAD, *MARKING, *OUTSIDE,
}  # fmt: skip


def check_board(name: str, board: Board) -> None:
    """Raise `ClueError` if the constraint is not defined on the board."""
    check_lines(name, board)
    if name in BY_BOXES and not _is_as_usual(board, full=BY_BOXES[name]):
        raise ClueError("it goes by the usual boxes, which are not those of this board")
    if name in FROM_ONE and not digits_are_places(board):
        raise ClueError("in Interactive Sudoku Solver each digit has to tell a cell, from 1")
    size, firsts = DIGITS.get(name, (0, board.digits))
    if size not in (0, len(board.digits)) or board.digits[0] not in firsts:
        some = f"{size} digits" if size else "digits"
        raise ClueError(f"Interactive Sudoku Solver has it for {some} from {firsts[0]} on only")


def check_lines(name: str, board: Board) -> None:
    """Raise `ClueError` for a constraint on lines, if these may hold a digit more than once."""
    if name in OF_LINES and board.without:
        raise ClueError("Interactive Sudoku Solver does not have it on Raw grids")


def digits_are_places(board: Board) -> bool:
    """Whether each digit tells a cell of each row and of each column, counted from 1."""
    return board.is_square and board.digits == tuple(range(1, board.width + 1))


def _is_as_usual(board: Board, *, full: bool) -> bool:
    """Whether it is a square with the boxes that their size tells; full: with as many digits."""
    cells = board.box_rows * board.box_columns
    usual = usual_box_of(cells, board.height, board.width) == (board.box_rows, board.box_columns)
    as_many = len(board.digits) == cells or not full
    return board.regions is None and board.is_square and usual and as_many
