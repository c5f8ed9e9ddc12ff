"""Random puzzles with clues: drawn true of a random grid, then left out while one solution remains.

Invariant: a puzzle has one solution, and each of its clues and givens is needed for that. The same
seed gives the same puzzles.

    puzzles = puzzles_with_clues(3, "knight", clues=["thermo", "white"], seed=1)
    next(puzzles)                          # a Puzzle, whose constraints have its clues
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Container, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing
from dataclasses import replace
from itertools import chain
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from ..answers.solver import open_solver, solve_in_slices
from ..batch.options import BatchOptions
from ..batch.solve import solve_cells
from ..cnf.clues import switched
from ..files.one import PuzzleLike, Rules, without_marks
from ..model.board import Board, Cells
from ..model.constraints import Constraints, RulesLike, constraints_for
from ..model.grid import Grid
from ..model.kinds import KINDS
from ..model.puzzle import Puzzle
from ..runtime import limits
from ..runtime.errors import Status
from ..runtime.workers import map_in_order
from . import ANY_PUZZLE, GenerateOptions, Wish, pool_of
from .dice import Dice, random_seed
from .givens import moves_of, orbits_of, taken_away
from .grids import random_grids
from .layout import Layout
from .oracle import GeneratorError, Grids, NotUniqueError, answers
from .watch import begin, deadline

if TYPE_CHECKING:
    from ..runtime.workers import WorkersLike

SOLVER = "glucose4"  # a killer takes 83 ms, 104 ms with cadical153 (medians of three)


def with_clues(constraints: Constraints, clues: Sequence[str]) -> Constraints:
    """The rules with these clues, canonical texts, in place of their own."""
    return constraints_for(";".join([",".join(constraints.names), *clues]), constraints.board)


def puzzles_with_clues(
    n: int = 1,
    rules: RulesLike = "classic",
    *,
    clues: Sequence[str] = (),
    seed: int | None = None,
    size: int | None = None,
    wish: Wish = ANY_PUZZLE,
    workers: WorkersLike = 1,
) -> Iterator[Puzzle]:
    """n random puzzles that their clues determine, with few givens or none, each with its own rules
    and as soon as it is made.

    clues: kinds, such as ["thermo", "white"], which take turns; no clue and no given of a puzzle
    can go. wish: what else is wanted of them; its `tries` is how many are made for each. With a
    symmetry, orbits of clues and givens are needed as a whole. seed: the same seed makes the same
    puzzles; None draws one. size: of the board, 9 unless the rules have a board. Raises `ClueError`
    for an unknown kind, `GeneratorError` if a grid shows no clue of the kinds, or if there are too
    few puzzles as wanted.
    """
    constraints = constraints_for(rules, None if size is None else Board.of_size(size))
    wish = replace(wish, clues=tuple(clues or wish.clues))
    if not wish.clues:
        raise GeneratorError("no kinds of clues: expected some, such as thermo and white")
    seed = random_seed() if seed is None else seed
    return each_with_clues(n, GenerateOptions(constraints, seed, wish), workers=workers)


def each_with_clues(
    n: int, options: GenerateOptions, *, first: int = 0, workers: WorkersLike = 1
) -> Iterator[Puzzle]:
    """The puzzles of those numbers, from the first one on, in order, by that many workers."""
    jobs = ((number, (options, number)) for number in range(first, first + n))
    with pool_of(workers) as pool, closing(map_in_order(pool, puzzle_with_clues, jobs)) as made:
        for _, (cells, own) in made:
            yield Puzzle(Grid(cells.tobytes(), own.board), own)


def puzzle_with_clues(options: GenerateOptions, number: int) -> tuple[Grids, Constraints]:
    """The puzzle of that number, from 0, of `puzzles_with_clues`, without those before it."""
    for attempt in range(options.most_tries):
        made = _made(options, Dice(options.seed, (number, attempt)))
        if made and options.wish.difficulty.has(made[0][None], made[1]).all():
            return made
    low, high = options.wish.clue_count
    asked = [f"{low} to {high} clues", *options.wish.difficulty.words]
    raise GeneratorError(
        f"puzzle {number + 1}: found none with {', '.join(asked)} in {options.most_tries:,} tries: "
        "ask for less, or for more tries"
    )


def _made(options: GenerateOptions, dice: Dice) -> tuple[Grids, Constraints] | None:
    """A puzzle from a random grid; None if too few clues are needed."""
    constraints, wish = options.constraints, options.wish
    grid = random_grids(1, constraints, dice)[0]
    rng = Random(int(dice.words(1)[0]))
    full = Grid(grid.tobytes(), constraints.board)
    layout = Layout(full, rng, _group(options), wish.clue_size)
    placed = _placed(layout, constraints.board, wish)
    own = {*constraints.clue_texts}
    orbits = [[text for text in orbit if text not in own] for orbit in placed]
    every = with_clues(constraints, [*constraints.clue_texts, *chain.from_iterable(orbits)])
    cells = orbits_of(wish.symmetry, constraints.board)
    order = dice.orders(1, int(cells.max()) + 1)[0]
    groups = [tuple(np.flatnonzero(cells == orbit).tolist()) for orbit in order]
    puzzle, needed = _thinned(grid, every, groups, rng.sample(orbits, len(orbits)))
    is_enough = len(needed.clue_texts) - len(own) >= wish.clue_count[0]
    return (puzzle, needed) if is_enough else None


def _placed(layout: Layout, board: Board, wish: Wish) -> list[list[str]]:
    """The texts of clues of the kinds in turn, orbit by orbit, as many as are asked for or fit."""
    orbits: list[list[str]] = []
    kinds = deque(wish.clues)
    while kinds and sum(map(len, orbits)) < wish.clue_count[1]:
        if orbit := layout.place(kinds[0]):
            orbits.append([clue.text(board) for clue in orbit])
            kinds.rotate(-1)
        else:
            kinds.popleft()  # there is no room for more of them
    if not orbits:
        raise GeneratorError(f"a random grid shows no clue of the kinds {', '.join(wish.clues)}")
    return orbits


def _group(options: GenerateOptions) -> list[Cells]:
    """Every move of the symmetry."""
    board = options.constraints.board
    every = [tuple(range(board.grid_cells))]
    moves = [tuple(move.tolist()) for move in moves_of(options.wish.symmetry, board)]
    for one in every:
        images = (tuple(move[cell] for cell in one) for move in moves)
        every += [image for image in images if image not in every]
    return every


def thinned(puzzle: Grids, constraints: Constraints, rng: Random) -> Constraints:
    """The rules without clues that a puzzle (cells,) with one solution does not need, tried in
    random order."""
    texts = constraints.clue_texts
    return _thinned(puzzle, constraints, (), [[text] for text in rng.sample(texts, len(texts))])[1]


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


def _thinned(
    puzzle: Grids, constraints: Constraints, cells: Sequence[Cells], texts: Sequence[Sequence[str]]
) -> tuple[Grids, Constraints]:
    """A puzzle with one solution without the givens of these cells, then the clues, that can go;
    cells and texts go by orbits."""
    denials = any(KINDS[clue.kind].denies for clue in constraints.clues)
    if denials or constraints.needs_session:
        return _thinned_one_by_one(puzzle, constraints, cells, texts)
    begin("taking givens and clues away")
    with _Spare(puzzle, constraints) as spare:
        givens = spare.givens
        fewer = puzzle.copy()
        for orbit in cells:
            if spare.can_go([givens[cell] for cell in orbit]):
                fewer[[*orbit]] = 0
        gone: set[str] = set()
        for some in texts:
            if spare.can_go([spare.switches[text] for text in some]):
                gone.update(some)
    return fewer, with_clues(constraints, [t for t in constraints.clue_texts if t not in gone])


def _thinned_one_by_one(
    puzzle: Grids, constraints: Constraints, cells: Sequence[Cells], texts: Sequence[Sequence[str]]
) -> tuple[Grids, Constraints]:
    """A formula for each clue that is tried: a denial says more when another clue goes, and only a
    session floods."""
    board = constraints.board
    if cells:
        orbits = np.empty(board.grid_cells, np.intp)
        for place, orbit in enumerate(cells):
            orbits[[*orbit]] = place
        puzzle = taken_away(puzzle[None], constraints, orbits, np.arange(len(cells))[None])[0]
    for some in texts:
        fewer = with_clues(constraints, [t for t in constraints.clue_texts if t not in some])
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

    def can_go(self, literals: Collection[int]) -> bool:
        """Whether the solution stays the only one without these; if so, they are gone from now
        on."""
        if any(literal in self._core for literal in literals):
            if self._solved(other for other in self._kept if other not in literals):
                return False
            self._core = frozenset(self._solver.get_core() or ())
        for literal in literals:
            del self._kept[literal]
        return True

    def _solved(self, assumptions: Iterable[int]) -> bool:
        found = solve_in_slices(self._solver, SOLVER, list(assumptions), deadline())
        if found is None:
            raise limits.late()
        return found
