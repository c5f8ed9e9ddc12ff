"""Shrink a case that fails to a small one that still does.

Invariant: every step is tried; the result fails, or it is the case that was given.

Source: greedy delta debugging, A. Zeller, R. Hildebrandt, Simplifying and Isolating
Failure-Inducing Input, IEEE Transactions on Software Engineering 28(2), 2002.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

from ...model.board import Board, board_for
from ...model.constraints import Constraints
from ...model.grid import Grid
from .cases import Case, constraints_on, random_case

MAX_TRIES = 600
_BOARDS = tuple(Board.of_size(size) for size in (4, 6, 8))
_DRAWN = 6  # cases tried on each smaller board


def shrink(case: Case, fails: Callable[[Case], bool], tries: int = MAX_TRIES) -> Case:
    """The smallest case that greedy steps reach: smaller board, fewer rules, clues, givens,
    solutions."""
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
    """Cases that are one step simpler, the boldest steps first."""
    yield from _on_smaller_boards(case)
    names = case.constraints.rules
    for name in names:
        yield _under(
            case,
            constraints_on(case.constraints.board, [other for other in names if other != name]),
        )
    boxed = board_for(case.constraints.board.cells)
    if case.constraints.board.regions is not None and boxed is not None:
        yield _under(case, constraints_on(boxed, names))
    yield from _with_fewer_givens(case)
    for limit in range(1, case.limit):
        yield replace(case, limit=limit)


def _under(case: Case, constraints: Constraints) -> Case:
    return Case(constraints, Grid(case.puzzle.cells, constraints.board), case.limit)


def _on_smaller_boards(case: Case) -> Iterator[Case]:
    names = case.constraints.rules
    for board in _BOARDS:
        if board.size >= case.constraints.board.size:
            return
        constraints, rng = constraints_on(board, names), Random(board.size)
        corner = (case.puzzle[cell // board.size, cell % board.size] for cell in range(board.cells))
        kept = bytes(digit if digit <= board.size else 0 for digit in corner)
        for cells in (bytes(board.cells), kept):
            yield Case(constraints, Grid(cells, board), case.limit)
        for _ in range(_DRAWN):
            yield replace(random_case(constraints, rng), limit=case.limit)


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
