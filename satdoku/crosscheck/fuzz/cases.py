"""Random cases: a board, rules and clues, givens, and how many solutions to look for; and the small
case that is left of one that fails.

Invariant: four plain values say a case, so every case can be typed again; the same random numbers
draw the same case on every machine, on a large board with the same release of the default solver.
Every step that makes a case simpler is tried; what is left fails, or it is the case that was given.

Source of the steps: greedy delta debugging, A. Zeller, R. Hildebrandt, Simplifying and Isolating
Failure-Inducing Input, IEEE Transactions on Software Engineering 28(2), 2002.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from ...answers.solver import DEFAULT_SOLVER
from ...model.board import Board, board_for
from ...model.constraints import Constraints, constraints_for
from ...model.grid import Grid
from ...model.kinds import KINDS, Clue
from ...model.kinds.drawing import random_clue
from ...model.puzzle import Puzzle
from ...model.rules import RULES
from ...runtime.errors import BudgetError, SatdokuError
from ...witness.verify import first_violation
from ..answers import ask
from ..backends import Budget
from ..backends.backtracking import search

# Heights and widths of boxes, how often they are drawn, and the share of boards whose boxes become
# regions. Small boards are the quickest and hide nothing: every rule holds on boards of any size.
# A box of one row or column is none.
SHAPES = {(2, 2): 10, (2, 3): 5, (3, 2): 4, (2, 4): 1, (4, 2): 1, (3, 3): 2, (1, 4): 1, (5, 1): 1}
JIGSAW = 0.2
LIMITS = (1, 2, 3, 10, 50)
PUZZLES_PER_RULE_SET = 4
_NODES = 500  # that the search for a solution to take givens from may spend
LARGE = 10  # size of board from which cases are hard: a solver finds what the search does not
_CONFLICTS = Budget(conflicts=2_000)
MAX_TRIES = 600
_BOARDS = tuple(Board.of_size(size) for size in (4, 6, 8))
_DRAWN = 6  # cases tried on each smaller board


@dataclass(frozen=True)
class Case:
    """A puzzle under a rule set, and the number of solutions to look for."""

    constraints: Constraints
    puzzle: Grid
    limit: int

    def command(self, backends: Sequence[str]) -> str:
        """The command line that asks the same again."""
        words = ["satdoku", "fuzz", str(self.puzzle), "--rules", self.constraints.name]
        board = self.constraints.board
        if board.regions is None and board != board_for(board.cells):
            words += ["--box", board.box_shape]
        programs = [name for name in backends if "{" in name]
        named = ",".join(name for name in backends if name not in programs)
        words += ["--limit", str(self.limit), *(["--backends", named] if named else [])]
        for program in programs:
            words += ["--solver-cmd", program]
        return shlex.join(words)


def random_constraints(rng: Random, size: int | None = None) -> Constraints:
    """A rule set of none to three rules on a board with boxes or regions, of that size if asked;
    half of them have some clues beside, of any kind."""
    shapes = SHAPES if size is None else shapes_of(size)
    rows, columns = rng.choices(list(shapes), list(shapes.values()))[0]
    board = Board(rows * columns, rows, columns)
    if rng.random() < JIGSAW:
        board = _with_regions(board, rng)
    constraints = constraints_on(board, rng.sample(list(RULES), rng.choice((0, 1, 1, 2, 2, 3))))
    if board.size >= LARGE or rng.random() < 0.5:
        return constraints
    return constraints_on(board, [*constraints.rules, *_random_clues(constraints, rng)])


def _random_clues(constraints: Constraints, rng: Random) -> Iterator[str]:
    """One to four clues; most are true of some grid under the rules, if one is found soon."""
    board = constraints.board
    grid = _some_solution(constraints, rng) or _any_digits(constraints, rng)

    def holds(clue: Clue) -> bool:
        return first_violation(Grid(grid, board), (clue.text(board),)) is None

    for name in rng.choices(list(KINDS), k=rng.choice((1, 1, 2, 3, 4))):
        accepted = holds if rng.random() < 0.9 else lambda clue: True
        clue = random_clue(KINDS[name], grid, board, rng, accepted)
        if clue is not None:
            yield clue.text(board)


def shapes_of(size: int) -> dict[tuple[int, int], int]:
    """Every shape of a box of that size, equally often; one of a single row if there is no other.

    Raises `BoardError` if no board has that size.
    """
    rows = [rows for rows in range(2, size) if size % rows == 0] or [1]
    return {(each, Board(size, each, size // each).box_columns): 1 for each in rows}


def constraints_on(board: Board, names: Sequence[str]) -> Constraints:
    """The constraints of the rules and clues, without those that the board cannot have."""
    kept: list[str] = []
    for name in names:
        try:
            constraints_for(name, board)
        except SatdokuError:
            continue
        kept.append(name)
    return constraints_for(";".join(kept), board)


def _with_regions(board: Board, rng: Random) -> Board:
    """The boxes as regions, with a few cells exchanged."""
    regions = [0] * board.cells
    for index, box in enumerate(board.boxes or board.rows):
        for cell in box:
            regions[cell] = index
    for _ in range(rng.randint(0, board.size)):
        a, b = rng.sample(range(board.cells), 2)
        regions[a], regions[b] = regions[b], regions[a]
    return Board(board.size, regions=tuple(regions))


def random_case(constraints: Constraints, rng: Random) -> Case:
    """Givens from a solution, perhaps one of them changed, or arbitrary digits."""
    cells = _some_solution(constraints, rng)
    if cells is None or rng.random() < 0.2:
        cells, share = _any_digits(constraints, rng), rng.uniform(0, 0.2)
    else:
        share = rng.uniform(0.15 if constraints.board.size > 4 else 0, 0.8)
    kept = bytearray(digit * (rng.random() < share) for digit in cells)
    if rng.random() < 0.25:
        kept[rng.randrange(len(kept))] = rng.randint(1, constraints.board.size)
    limits = LIMITS[:-1] if constraints.board.size >= LARGE else LIMITS
    return Case(constraints, Grid(bytes(kept), constraints.board), rng.choice(limits))


def _any_digits(constraints: Constraints, rng: Random) -> bytes:
    return bytes(rng.randint(1, constraints.board.size) for _ in range(constraints.board.cells))


def _some_solution(constraints: Constraints, rng: Random) -> bytes | None:
    """A solution that holds a random digit in a random cell, if one is found soon."""
    start = bytearray(constraints.board.cells)
    start[rng.randrange(len(start))] = rng.randint(1, constraints.board.size)
    puzzle = Grid(bytes(start), constraints.board)
    try:
        return next(search(Puzzle(puzzle, constraints), _NODES), None)
    except BudgetError:
        if constraints.board.size < LARGE:
            return None
    answer = ask(DEFAULT_SOLVER, puzzle, constraints, limit=1, budget=_CONFLICTS)
    return next(iter(answer.solutions), None)


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
