"""From a case that fails to a small one that still does.

Law: every step is tried before it is believed; what comes out fails, or is what went in.

Source: greedy delta debugging, A. Zeller, R. Hildebrandt, Simplifying and Isolating
Failure-Inducing Input, IEEE Transactions on Software Engineering 28(2), 2002.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

from ..board import Board, board_for
from ..grid import Grid
from ..rules import Constraints
from .cases import Case, law_on, random_case

MAX_TRIES = 600
_BOARDS = tuple(Board.of_size(size) for size in (4, 6, 8))
_DRAWN = 6  # cases tried on each smaller board


def shrink(case: Case, fails: Callable[[Case], bool], tries: int = MAX_TRIES) -> Case:
    """The smallest case that greedy steps reach: smaller board, fewer rules, givens, solutions."""
    progress = True
    while progress and tries > 0:
        progress = False
        for simpler in _simpler(case):
            tries -= 1
            if fails(simpler):
                case, progress = simpler, True
                break
            if tries <= 0:
                break
    return case


def _simpler(case: Case) -> Iterator[Case]:
    """What is one step simpler, boldest steps first."""
    yield from _on_smaller_boards(case)
    names = [name for name in case.law.rules if not name.startswith("jigsaw")]
    for name in names:
        yield _under(case, law_on(case.law.board, [other for other in names if other != name]))
    boxed = board_for(case.law.board.cells)
    if case.law.board.regions is not None and boxed is not None:
        yield _under(case, law_on(boxed, names))
    yield from _with_fewer_givens(case)
    for limit in range(1, case.limit):
        yield replace(case, limit=limit)


def _under(case: Case, law: Constraints) -> Case:
    return Case(law, Grid(case.puzzle.cells, law.board), case.limit)


def _on_smaller_boards(case: Case) -> Iterator[Case]:
    names = [name for name in case.law.rules if not name.startswith("jigsaw")]
    for board in _BOARDS:
        if board.size >= case.law.board.size:
            return
        law, rng = law_on(board, names), Random(board.size)
        corner = (case.puzzle[cell // board.size, cell % board.size] for cell in range(board.cells))
        kept = bytes(digit if digit <= board.size else 0 for digit in corner)
        for cells in (bytes(board.cells), kept):
            yield Case(law, Grid(cells, board), case.limit)
        for _ in range(_DRAWN):
            yield replace(random_case(law, rng), limit=case.limit)


def _with_fewer_givens(case: Case) -> Iterator[Case]:
    """Half of the givens away, a quarter, ..., each by itself."""
    givens = [cell for cell, digit in enumerate(case.puzzle) if digit]
    size = len(givens)
    while size := (size + 1) // 2 if size > 1 else 0:
        for start in range(0, len(givens), size):
            cells = bytearray(case.puzzle.cells)
            for cell in givens[start : start + size]:
                cells[cell] = 0
            yield replace(case, puzzle=Grid(bytes(cells), case.puzzle.board))
    if len(givens) == 1:
        yield replace(case, puzzle=Grid(bytes(len(case.puzzle)), case.puzzle.board))
