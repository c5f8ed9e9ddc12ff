"""From a puzzle to the constraints of Interactive Sudoku Solver.

Invariant: what it cannot state is refused; nothing is left out.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...model.board import Board
from ...model.clue import Clue, ClueError
from ...model.constraints import Constraints
from ...model.grid import Grid
from ...model.kinds import KINDS, clue_of
from ...model.rules import RuleError
from .cells import PLACES, cell_name, cell_names
from .clues import BY_HOUSES, DIAGONALS, FLAGS, JOINED, KEYS, Args, check_board


def stated(grid: Grid, constraints: Constraints) -> Iterator[tuple[str, Args]]:
    """The names and arguments of what states the puzzle, in the order in which it is written."""
    board = constraints.board
    if board.size >= len(PLACES):
        raise RuleError(f"Interactive Sudoku Solver has no board of size {board.size}, at most 16")
    if board.size != 9:
        yield "Shape", (f"{board.size}x{board.size}",)
    yield from _boxes(board)
    yield from _written(constraints)
    given = tuple(f"{cell_name(i, board)}_{digit}" for i, digit in enumerate(grid) if digit)
    if given:
        yield "", given


def _boxes(board: Board) -> Iterator[tuple[str, Args]]:
    usual = Board.of_size(board.size)
    if {*board.boxes} == {*usual.boxes}:
        return
    yield "NoBoxes", ()
    if board.has_boxes:
        yield "Jigsaw", ("".join(PLACES[board.box_of(cell)] for cell in range(board.cells)),)


def _written(constraints: Constraints) -> Iterator[tuple[str, Args]]:
    board = constraints.board
    left = [rule for rule in constraints.rules if rule not in BY_HOUSES]
    singles = {clue_of(house, board).text(board): way for way, house in DIAGONALS.items()}
    if not BY_HOUSES.keys().isdisjoint(constraints.names):
        left += singles
    for name, words in FLAGS.items():
        if {*words} <= {*left}:
            _check(name, ", ".join(words), board)
            yield name, ()
            left = [rule for rule in left if rule not in words]
    for rule in dict.fromkeys(left):
        if rule in singles:
            yield "Diagonal", (singles[rule],)
        elif rule in constraints.names:
            raise RuleError(f"Interactive Sudoku Solver has no rule '{rule}'")
    texts = {*left} - {*singles}
    for clue in constraints.clues:
        if clue.text(board) in texts:
            yield from _clue(clue, board)


def _digits(clue: Clue, board: Board) -> str:
    """The digits that each cell of a clue may hold, if that is all that it says."""
    kind = KINDS[clue.kind]
    relations = list(kind.relations(board, clue)) if kind.relations else []
    more = kind.shapes is not None and any(True for _ in kind.shapes(board, clue))
    if more or not relations or any(r.first != r.second for r in relations):
        return ""
    every = range(1, board.size + 1)
    return "_".join(str(digit) for digit in every if relations[0].allowed(digit, digit))


def _clue(clue: Clue, board: Board) -> Iterator[tuple[str, Args]]:
    """The first way to state a clue; raises `ClueError` if there is none."""
    text = clue.text(board)[:80]
    if clue.parts:
        yield from _several(clue, board)
        return
    if digits := _digits(clue, board):
        yield "", tuple(f"{name}_{digits}" for name in cell_names(clue.cells, board))
        return
    for key in KEYS:
        if key.kind == clue.kind and (written := key.write(clue, board)):
            _check(key.name, text, board)
            yield from ((key.name, args) for args in written)
            return
    kinds = ", ".join(dict.fromkeys(key.kind for key in KEYS))
    raise ClueError(f"Interactive Sudoku Solver cannot state the clue {text}; it has {kinds}")


def _check(name: str, text: str, board: Board) -> None:
    try:
        check_board(name, board)
    except ClueError as error:
        raise ClueError(f"{text}: {error}") from None


def _several(clue: Clue, board: Board) -> Iterator[tuple[str, Args]]:
    """The parts between the name and `End`; one that takes several constraints is an And."""
    yield next(name for name, kind in JOINED.items() if kind == clue.kind), ()
    for part in clue.parts:
        written = [*_clue(part, board)]
        wraps = len(written) > 1 and not part.parts
        yield from (("And", ()), *written, ("End", ())) if wraps else written
    yield "End", ()
