"""Random puzzles with clues: drawn true of a random grid, then left out while one solution remains.

Invariant: a puzzle has one solution, and each of its clues and givens is needed for that. The same
seed gives the same puzzles.

    puzzles = puzzles_with_clues(3, "knight", clues=["thermo", "white"], seed=1)
    next(puzzles)                          # a Puzzle, whose constraints have its clues
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from itertools import count, cycle, islice
from random import Random

import numpy as np

from ..answers.solver import open_solver, solve_in_slices
from ..batch.options import BatchOptions
from ..batch.solve import solve_cells
from ..cnf.clues import switched
from ..files.one import PuzzleLike, Rules, without_marks
from ..model.board import Board
from ..model.constraints import Constraints, RulesLike, constraints_for
from ..model.grid import Grid
from ..model.kinds import ALIASES, KINDS, Clue, ClueError, Kind, kind_of
from ..model.kinds.drawing import random_clue
from ..model.puzzle import Puzzle
from ..runtime import limits
from ..runtime.errors import Status, counted
from ..witness.verify import first_violation
from .dice import Dice, random_seed
from .givens import taken_away
from .grids import random_grids
from .oracle import ANY, Difficulty, GeneratorError, Grids, NotUniqueError, answers
from .watch import begin, deadline

SOLVER = "glucose4"  # a killer takes 83 ms, 104 ms with cadical153 (medians of three)
CLUES = 20  # drawn for a puzzle, of the kinds in turn
TRIES = 1000  # puzzles made for each of a difficulty, before giving up


def with_clues(constraints: Constraints, clues: Sequence[str]) -> Constraints:
    """The rules with these clues, canonical texts, in place of their own."""
    return constraints_for(";".join([",".join(constraints.names), *clues]), constraints.board)


def puzzles_with_clues(
    n: int = 1,
    rules: RulesLike = "classic",
    *,
    clues: Sequence[str],
    seed: int | None = None,
    size: int | None = None,
    difficulty: Difficulty = ANY,
    tries: int | None = None,
) -> Iterator[Puzzle]:
    """n random puzzles that their clues determine, with few givens or none, each with its own rules
    and as soon as it is made.

    clues: kinds, such as ["thermo", "white"], which take turns; no clue and no given of a puzzle
    can go. seed: the same seed makes the same puzzles; None draws one. size: of the board, 9 unless
    the rules have a board. difficulty: only puzzles of this one, of at most `tries` made for each.
    Raises `ClueError` for an unknown kind, `GeneratorError` if a grid shows no clue of a kind, or
    if there are too few puzzles of the difficulty.
    """
    for name in clues:
        kind_of(name)
    constraints = constraints_for(rules, None if size is None else Board.of_size(size))
    difficulty.check(constraints, clues=True)
    chosen = random_seed() if seed is None else seed
    made = (puzzle_with_clues(constraints, clues, chosen, number) for number in count())
    fit = made if difficulty == ANY else _fitting(made, difficulty, n, tries or TRIES)
    puzzles = (Puzzle(Grid(cells.tobytes(), own.board), own) for cells, own in fit)
    return islice(puzzles, n)


def _fitting(
    made: Iterator[tuple[Grids, Constraints]], difficulty: Difficulty, n: int, tries: int
) -> Iterator[tuple[Grids, Constraints]]:
    """Those of the difficulty."""
    found = 0
    for cells, own in islice(made, n * tries):
        if difficulty.has(cells[None], own).all():
            found += 1
            yield cells, own
    raise GeneratorError(
        f"found {found} of {counted(n, 'puzzle')} with {', '.join(difficulty.words)} in "
        f"{n * tries:,} tries: ask for less, or for more tries"
    )


def puzzle_with_clues(
    constraints: Constraints, kinds: Sequence[str], seed: int, number: int
) -> tuple[Grids, Constraints]:
    """The puzzle of that number, from 0, of `puzzles_with_clues`, without those before it."""
    dice = Dice(seed, (number,))
    grid = random_grids(1, constraints, dice)
    rng = Random(int(dice.words(1)[0]))
    drawn = _drawn(grid[0], constraints, kinds, rng)
    every = with_clues(constraints, [*constraints.clue_texts, *drawn])
    cells = dice.orders(1, constraints.board.grid_cells)[0].tolist()
    return _thinned(grid[0], every, cells, _shuffled(every, rng, constraints.clue_texts))


def _drawn(grid: Grids, constraints: Constraints, kinds: Sequence[str], rng: Random) -> set[str]:
    """Clues that the grid keeps, of the kinds in turn, with their usual values."""
    board = constraints.board
    full = Grid(grid.tobytes(), board)

    def holds(clue: Clue) -> bool:
        usual = value in ("", clue.value)
        return usual and first_violation(full, (clue.text(board),)) is None

    clues = set()
    for name in islice(cycle(kinds), max(CLUES, len(kinds))):
        kind = kind_of(name)
        value = ALIASES[name][1] if name in ALIASES else _usual_value(kind, board)
        clue = random_clue(kind, full.cells, board, rng, holds)
        if clue is not None:
            clues.add(clue.text(board))
    if not clues:
        raise GeneratorError(f"a random grid shows no clue of the kinds {', '.join(kinds)}")
    return clues


def _usual_value(kind: Kind, board: Board) -> str:
    """The value of a clue that states none; empty if it has to."""
    try:
        return kind.value.read("", board) if kind.value else ""
    except ClueError:
        return ""


def thinned(puzzle: Grids, constraints: Constraints, rng: Random) -> Constraints:
    """The rules without clues that a puzzle (cells,) with one solution does not need, tried in
    random order."""
    return _thinned(puzzle, constraints, (), _shuffled(constraints, rng, ()))[1]


def minimize_clues(
    puzzle: PuzzleLike, rules: Rules = None, *, seed: int = 0, timeout: float | None = None
) -> Puzzle:
    """A minimal puzzle inside one with one solution: clues go in random order, then givens.

    The same seed gives the same puzzle. Raises `NotUniqueError` for a puzzle with no solution, or
    several, and `BudgetError` after `timeout` seconds.
    """
    with limits.within(timeout):
        grid, constraints = without_marks(puzzle, rules)
        cells = np.frombuffer(grid.cells, np.uint8)[None]
        (found,) = minimal_puzzles(cells, constraints, Dice(seed), clues=True)
    if isinstance(found, Status):
        raise NotUniqueError(f"{found}, expected one solution")
    return found


def minimal_puzzles(
    puzzles: Grids, constraints: Constraints, dice: Dice, *, clues: bool
) -> Iterator[Puzzle | Status]:
    """A minimal puzzle inside each of (N, cells), or the status that says why there is none.

    clues: whether those that are not needed go first. A puzzle that is not decided in time takes as
    many random numbers as one with one solution, so puzzles behind it stay as they are.
    """
    statuses = solve_cells(puzzles, BatchOptions(constraints)).statuses
    rows = np.flatnonzero(np.isin(statuses, [Status.UNIQUE, Status.UNKNOWN]))
    cells = constraints.board.grid_cells
    drawn = [(dice.words(int(clues)), dice.orders(1, cells)) for _ in rows]
    if Status.UNKNOWN in statuses.tobytes():
        raise limits.late()
    puzzles, needed = puzzles.copy(), [constraints] * len(puzzles)
    every = np.arange(cells)
    if clues:
        for row, (words, order) in zip(rows.tolist(), drawn, strict=True):
            needed[row] = thinned(puzzles[row], constraints, Random(int(words[0])))
            puzzles[row] = taken_away(puzzles[row : row + 1], needed[row], every, order)[0]
    elif len(rows):
        orders = np.concatenate([order for _, order in drawn])
        puzzles[rows] = taken_away(puzzles[rows], constraints, every, orders)
    for puzzle, own, code in zip(puzzles, needed, statuses.tolist(), strict=True):
        unique = code == Status.UNIQUE
        yield Puzzle(Grid(puzzle.tobytes(), own.board), own) if unique else Status(code)


def _shuffled(constraints: Constraints, rng: Random, keep: Sequence[str]) -> list[str]:
    texts = rng.sample(constraints.clue_texts, len(constraints.clue_texts))
    return [text for text in texts if text not in keep]


def _thinned(
    puzzle: Grids, constraints: Constraints, cells: Sequence[int], texts: Sequence[str]
) -> tuple[Grids, Constraints]:
    """A puzzle with one solution without the givens of these cells, then the clues, that can go."""
    denials = any(KINDS[clue.kind].denies for clue in constraints.clues)
    if denials or constraints.needs_session:
        return _thinned_one_by_one(puzzle, constraints, cells, texts)
    begin("taking givens and clues away")
    with _Spare(puzzle, constraints) as spare:
        givens = spare.givens
        fewer = puzzle.copy()
        fewer[[cell for cell in cells if spare.can_go(givens[cell])]] = 0
        gone = {text for text in texts if spare.can_go(spare.switches[text])}
    return fewer, with_clues(constraints, [t for t in constraints.clue_texts if t not in gone])


def _thinned_one_by_one(
    puzzle: Grids, constraints: Constraints, cells: Sequence[int], texts: Sequence[str]
) -> tuple[Grids, Constraints]:
    """A formula for each clue that is tried: a denial says more when another clue goes, and only a
    session floods."""
    board = constraints.board
    if cells:
        orbits = np.arange(board.grid_cells)
        puzzle = taken_away(puzzle[None], constraints, orbits, np.array([cells]))[0]
    for text in texts:
        fewer = with_clues(constraints, [t for t in constraints.clue_texts if t != text])
        if answers(puzzle[None], fewer).statuses[0] == Status.UNIQUE:
            constraints = fewer
    return puzzle, constraints


class _Spare(AbstractContextManager["_Spare"]):
    """One solver that tells which givens and clues a puzzle with one solution can do without.

    Its formula forbids the solution, so givens and clues are enough if they contradict it. What is
    not in the last core can go without a question, and would if it were asked.
    """

    def __init__(self, puzzle: Grids, constraints: Constraints) -> None:
        base, clauses, self.switches = switched(constraints)
        self._solver = open_solver(SOLVER, clauses)
        literals = base.literals(puzzle.tobytes())
        self.givens = dict(zip(np.flatnonzero(puzzle).tolist(), literals, strict=True))
        self._kept = dict.fromkeys([*literals, *self.switches.values()])
        self._core: Container[int] = self._kept
        if not self._solved(self._kept):
            raise GeneratorError("a puzzle without a solution has nothing to spare")
        solution = base.decode(self._solver.get_model() or ())
        self._solver.add_clause([-literal for literal in base.literals(solution)])

    def __exit__(self, *_: object) -> None:
        self._solver.delete()

    def can_go(self, literal: int) -> bool:
        """Whether the solution stays the only one without it; if so, it is gone from now on."""
        if literal in self._core:
            if self._solved(other for other in self._kept if other != literal):
                return False
            self._core = frozenset(self._solver.get_core() or ())
        del self._kept[literal]
        return True

    def _solved(self, assumptions: Iterable[int]) -> bool:
        found = solve_in_slices(self._solver, SOLVER, list(assumptions), deadline())
        if found is None:
            raise limits.late()
        return found
