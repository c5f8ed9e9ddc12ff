"""What a worker still knows of puzzles it was asked about before: solutions, and true candidates.

Invariant: nothing is taken over without a reason that holds for the new puzzle: a solution if the
witness accepts it there, a candidate as impossible if a puzzle that states less has no solution
with it.

An edit changes little. After a clue is added, most solutions that are known break it or prove
candidates at once, and what was impossible stays so. After a clue is taken away, all solutions stay
solutions. So the solver is left with what nobody knows.
"""

from __future__ import annotations

import time
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..answers.listing import as_asked
from ..model.board import Board
from ..model.kinds import KINDS
from ..model.puzzle import Puzzle
from ..runtime.errors import Status
from ..witness.verify import solves_many

KEPT_BOARDS, KEPT_PUZZLES, KEPT_SOLUTIONS = 4, 32, 2000
BLOCK, SECONDS = 50, 0.02  # solutions checked at once; for all of them

Grids = NDArray[np.uint8]
Table = NDArray[np.bool_]
_boards: dict[Board, Known] = {}  # those asked about last are last


class _Settled(NamedTuple):
    """The true candidates of a puzzle."""

    puzzle: Puzzle
    clues: frozenset[str]
    givens: Grids
    true: Table


class Known:
    """What is known of the puzzles on one board."""

    def __init__(self) -> None:
        self._solutions: dict[bytes, None] = {}
        self._settled: list[_Settled] = []

    def solutions(self, puzzle: Puzzle) -> Grids:
        """The known grids that solve a puzzle, as rows: the last ones, as far as the time goes."""
        board = puzzle.grid.board
        rows = np.frombuffer(b"".join(reversed(self._solutions)), np.uint8)
        rows = rows.reshape(-1, board.cells)
        asked = as_asked(puzzle)
        if puzzle.marks is None:
            rows = rows[(rows[:, asked > 0] == asked[asked > 0]).all(axis=1)]
        found, end = [rows[:0]], time.monotonic() + SECONDS
        for start in range(0, len(rows), BLOCK):
            some = rows[start : start + BLOCK]
            same = np.broadcast_to(asked, (len(some), len(asked)))
            found.append(some[solves_many(some, same, puzzle.constraints.rules, board)])
            if time.monotonic() > end:
                break
        return np.concatenate(found)

    def note(self, solutions: Grids) -> None:
        """Keep solutions; those used last are kept longest."""
        for row in solutions:
            cells = row.tobytes()
            self._solutions.pop(cells, None)
            self._solutions[cells] = None
        for old in list(self._solutions)[: max(0, len(self._solutions) - KEPT_SOLUTIONS)]:
            del self._solutions[old]

    def settle(self, puzzle: Puzzle, true: Table) -> None:
        """Keep the true candidates (cells, choices) of a puzzle."""
        if puzzle.marks is None and not _denies(puzzle):
            kept = [each for each in self._settled if each.puzzle != puzzle]
            clues = frozenset(puzzle.constraints.clue_texts)
            found = _Settled(puzzle, clues, as_asked(puzzle), true.copy())
            self._settled = [*kept, found][-KEPT_PUZZLES:]

    def impossible(self, puzzle: Puzzle) -> Table:
        """Candidates (cells, choices) that a puzzle cannot have, as one that states less has no
        solution with them."""
        board = puzzle.grid.board
        struck = np.zeros((board.cells, board.choices), np.bool_)
        if _denies(puzzle):
            return struck
        clues = frozenset(puzzle.constraints.clue_texts)
        givens = np.frombuffer(puzzle.grid.cells, np.uint8)
        for each in self._settled:
            states_less = each.puzzle.constraints.names == puzzle.constraints.names
            states_less &= each.clues <= clues
            if states_less and not (each.givens * (each.givens != givens)).any():
                struck |= ~each.true
        return struck

    def status(self, puzzle: Puzzle, solutions: Grids) -> Status | None:
        """The status of a puzzle with these known solutions; None if it takes a solver."""
        grid_cells = puzzle.grid.board.grid_cells
        digits = solutions[:, :grid_cells]
        if len(digits) and (digits != digits[0]).any():
            return Status.MULTIPLE
        left = ~self.impossible(puzzle)[:grid_cells]
        if not left.any(axis=1).all():
            return Status.NONE
        return Status.UNIQUE if len(digits) and (left.sum(axis=1) == 1).all() else None


def known_of(board: Board) -> Known:
    """What is known of the puzzles on a board."""
    known = _boards.pop(board, None) or Known()
    _boards[board] = known
    while len(_boards) > KEPT_BOARDS:
        del _boards[next(iter(_boards))]
    return known


def _denies(puzzle: Puzzle) -> bool:
    """Whether a clue says more if another one goes."""
    return any(KINDS[clue.kind].denies for clue in puzzle.constraints.clues)
