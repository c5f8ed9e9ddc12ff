"""Random puzzles with one solution: grids, then givens taken away; minimal ones; patterns.

Invariant: the same seed gives the same puzzles, on every machine, with any engine, any number of
workers and any CDCL solver. The first n of a longer run are the same n.

    generate(1000, seed=1)                          # minimal classic puzzles, (1000, 81) uint8
    generate(10, "knight", wish=Wish(givens=(20, 24), symmetry="rot180"))
    generate(10, wish=Wish(er=(7.0, 8.0)))          # as hard as that for Sudoku Explainer
    minimize(puzzles)                               # one minimal puzzle inside each

Without a seed `generate` draws one and logs it (logger `satdoku.generator`, level INFO). To have it
at hand, draw it yourself:

    seed = random_seed()
    generate(3, seed=seed)
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from ..batch.decide import check_solutions
from ..batch.options import BatchOptions
from ..batch.solve import solve_cells
from ..files.cells import PuzzlesLike, checked_cells
from ..files.one import PuzzleLike, Rules, without_marks
from ..model.board import Board
from ..model.constraints import Constraints, RulesLike, constraints_for
from ..model.kinds import kind_of
from ..model.puzzle import Puzzle
from ..ratings.scale import serves
from ..runtime import limits
from ..runtime.errors import BudgetError, Status, WitnessError, counted
from ..runtime.progress import Progress, reporting
from ..runtime.workers import Workers, map_in_order
from .dice import Dice, Ints, random_seed
from .givens import (
    check_pattern,
    is_minimal,
    orbits_of,
    pattern_of,
    seen_through,
    taken_away,
)
from .grids import few_grids, random_grids
from .oracle import ANY, Difficulty, GeneratorError, Grids, NotUniqueError, answers

if TYPE_CHECKING:
    from ..runtime.workers import WorkersLike

__all__ = [
    "Difficulty", "GenerateOptions", "GeneratorError", "NotUniqueError", "generate",
    "generate_blocks", "minimize", "nth_puzzle", "random_seed",
]  # fmt: skip

Make: TypeAlias = "Callable[[GenerateOptions, int, int], Any]"  # of a block's number and size

BLOCK = 1024  # puzzles of a block; the first blocks are smaller, so that one puzzle comes at once
TRIES = 1000  # puzzles begun for each puzzle wanted, before giving up
PATTERN_TRIES = 1_000_000  # grids looked at through a pattern for each, likewise
# Puzzles of a difficulty are searched for in small blocks: what a block makes beyond its size, and
# what it makes beyond what is wanted, is rated in vain.
RATED_BLOCK, RATED_BATCH, RATED_TRIES = 16, 64, 100_000
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Wish:
    """What puzzles are wanted beyond one solution.

    givens: (least, most), both included. Each puzzle aims at a number of givens drawn uniformly
    from this range and stops there; it is thrown away if it cannot come down to the most. Without,
    as many givens go as can.
    symmetry: a name of `givens.SYMMETRIES`, for the pattern of givens. minimal: only puzzles that
    lose their uniqueness with any given; without givens and symmetry all do. pattern: text, a
    character a cell (see `givens.pattern_of`). tries: puzzles begun, or grids looked at through a
    pattern, for each puzzle wanted, before `GeneratorError`. er: (least, most) rating of the
    hardest step, as `rate` gives it, technique: the name of that step.

    clues: kinds, such as ("thermo", "white"), whose clues leave few givens or none (`clues`). Then
    the symmetry is that of the clues, too. clue_size: (least, most) cells of cages and lines; None
    for the usual ones. clue_count: (least, most) clues of a puzzle.
    """

    givens: tuple[int, int] | None = None
    minimal: bool = False
    symmetry: str = "none"
    pattern: str | None = None
    tries: int | None = None
    er: tuple[float, float] | None = None
    technique: str | None = None
    clues: tuple[str, ...] = ()
    clue_size: tuple[int, int] | None = None
    clue_count: tuple[int, int] = (1, 20)

    @property
    def difficulty(self) -> Difficulty:
        """What is asked for on the scale of `rate`."""
        return Difficulty(self.er, self.technique)

    def check(self, constraints: Constraints) -> None:
        """Raise `GeneratorError` if the wish makes no sense under these constraints."""
        cells = constraints.board.grid_cells
        if self.givens and not 0 <= self.givens[0] <= self.givens[1] <= cells:
            low, high = self.givens
            raise GeneratorError(f"{low} to {high} givens: expected LO-HI within 0 to {cells}")
        if self.pattern is not None and (self.givens or self.symmetry != "none"):
            raise GeneratorError("a pattern settles the givens: it takes no givens and no symmetry")
        self.difficulty.check(constraints, clues=bool(self.clues))
        self._check_clues()
        orbits_of(self.symmetry, constraints.board)
        if self.pattern is not None:
            check_pattern(pattern_of(self.pattern, constraints.board), constraints)

    def _check_clues(self) -> None:
        for kind in self.clues:
            kind_of(kind)
        settled = {"givens": self.givens, "minimal": self.minimal, "pattern": self.pattern}
        if self.clues and (name := next((name for name in settled if settled[name]), None)):
            raise GeneratorError(f"clues settle the givens: they take no {name}")
        for name, low in (("clue_size", 2), ("clue_count", 1)):
            wanted = getattr(self, name)
            if wanted and not self.clues:
                if wanted != getattr(Wish, name):
                    raise GeneratorError(f"{name} goes with clues")
            elif wanted and not low <= wanted[0] <= wanted[1]:
                expected = f"expected LO-HI, {low} or more"
                raise GeneratorError(f"{name} {wanted[0]}-{wanted[1]}: {expected}")


ANY_PUZZLE = Wish()


@dataclass(frozen=True)
class GenerateOptions:
    """What puzzles to make; small and picklable, it travels with every block.

    seed: 0 or more, drawn at random unless given; `options.seed` says which.
    """

    constraints: Constraints
    seed: int = field(default_factory=random_seed)
    wish: Wish = ANY_PUZZLE

    def __post_init__(self) -> None:
        if self.seed < 0:
            raise GeneratorError(f"seed {self.seed}: expected 0 or more")
        self.wish.check(self.constraints)

    @property
    def most_tries(self) -> int:
        """Puzzles begun, or grids looked at, for each puzzle wanted."""
        if self.wish.tries or self.wish.pattern is not None:
            return self.wish.tries or PATTERN_TRIES
        is_quick = self.is_rated and serves(self.constraints) and not self.wish.clues
        return RATED_TRIES if is_quick else TRIES

    @property
    def is_rated(self) -> bool:
        """Whether a difficulty is asked for."""
        return self.wish.difficulty != ANY

    @property
    def least_batch(self) -> int:
        """Puzzles begun at once, at least; few where one rating takes as long as many puzzles."""
        return RATED_BATCH if self.is_rated and serves(self.constraints) else 1

    @property
    def largest_block(self) -> int:
        """Puzzles of each block but the first ones."""
        if self.constraints.needs_session:
            return 1
        return RATED_BLOCK if self.is_rated else BLOCK


def generate(
    n: int = 1,
    rules: RulesLike = "classic",
    *,
    seed: int | None = None,
    size: int | None = None,
    wish: Wish = ANY_PUZZLE,
    workers: WorkersLike = 1,
    progress: Progress = False,
    timeout: float | None = None,
) -> Grids:
    """Random puzzles (n, cells) uint8, 0 for empty, each with one solution.

    wish: what else is wanted of them. Without givens, symmetry and pattern they are minimal: each
    given is needed. seed: the same seed makes the same puzzles; None draws one and logs it. size:
    of the board, 9 unless the rules have a board. progress: True for a bar, or a
    function of (done, total) puzzles. timeout: seconds after which the puzzles made by then are the
    result, fewer than n; they are made in blocks of 1, 3, 12, 48 ... 1,024. Raises `GeneratorError`
    if there are no such puzzles, or too few within the tries.
    """
    with limits.within(timeout):
        options = options_for(rules, seed, size, wish)
        blocks = made_in_blocks(n, options, workers=workers, progress=progress)
    return np.concatenate([np.zeros((0, options.constraints.board.cells), np.uint8), *blocks])


def options_for(
    rules: RulesLike, seed: int | None, size: int | None, wish: Wish = ANY_PUZZLE
) -> GenerateOptions:
    """What the arguments of `generate` ask for; a seed that is drawn is logged."""
    constraints = constraints_for(rules, None if size is None else Board.of_size(size))
    if seed is None:
        seed = random_seed()
        _log.info("seed %d", seed)
    return GenerateOptions(constraints, seed, wish)


def made_in_blocks(
    n: int,
    options: GenerateOptions,
    make: Make | None = None,
    largest: int | None = None,
    *,
    workers: WorkersLike = 1,
    progress: Progress = False,
) -> list[Any]:
    """The blocks of `generate_blocks`, with a word of progress after each."""
    found = []
    with reporting(progress, n) as more:
        for block in generate_blocks(n, options, make, largest, workers=workers):
            found.append(block)
            more(len(block))
    return found


def generate_blocks(
    n: int,
    options: GenerateOptions,
    make: Make | None = None,
    largest: int | None = None,
    *,
    workers: WorkersLike = 1,
    timeout: float | None = None,
) -> Generator[Any, None, None]:
    """The puzzles of `generate`, or what `make` makes for n of them, block by block, in order, by
    that many workers; largest: puzzles of a block.

    After `timeout` seconds no further block comes.
    """
    if n < 0:
        raise GeneratorError(f"{n} puzzles: expected 0 or more")
    if options.wish.clues:
        raise GeneratorError("puzzles with clues have rules of their own: use puzzles_with_clues")
    work = limits.bounded(make or make_block, timeout)
    blocks = _blocks(n, largest or options.largest_block)
    jobs = ((wanted, (options, block, size)) for block, size, wanted in blocks)
    with (
        suppress(BudgetError),
        pool_of(workers) as pool,
    ):
        for wanted, made in map_in_order(pool, work, jobs):
            yield made[:wanted]


def pool_of(workers: WorkersLike) -> AbstractContextManager[Workers | None]:
    """The workers, processes unless others are asked for; None if this thread is enough."""
    if isinstance(workers, int):
        return Workers("process", workers) if workers > 1 else nullcontext()
    return Workers(workers)


def _blocks(n: int, largest: int = BLOCK) -> Iterator[tuple[int, int, int]]:
    """Each block's number, its size (1, 3, 12, 48 ... `largest`) and how many are wanted.

    The first few are a power of four: a block takes hundreds of calls, however small it is.
    """
    block, begun = 0, 0
    while begun < n:
        size = min(largest, max(1, 3 * begun))
        yield block, size, min(size, n - begun)
        block, begun = block + 1, begun + size


def nth_puzzle(options: GenerateOptions, number: int) -> Grids:
    """The puzzle (cells,) of that number, from 0, that `generate` makes; its block is kept."""
    *_, (block, size, place) = _blocks(number + 1, options.largest_block)
    puzzle: Grids = _kept_block(options, block, size)[place - 1]
    return puzzle


_kept_block = lru_cache(256)(lambda *asked: make_block(*asked))


def make_block(options: GenerateOptions, block: int, size: int) -> Grids:
    """A whole block of puzzles, from random numbers of its own."""
    dice = Dice(options.seed, (block,))
    left = size * options.most_tries
    made: list[Grids] = []
    missing, batch = size, max(size, options.least_batch)
    while missing > 0:
        if left <= 0:
            raise GeneratorError(_too_few(options, size - missing, size))
        batch = min(batch, left)
        left -= batch
        made.append(_some(batch, options, dice)[:missing])
        missing -= len(made[-1])
        batch = min(16 * BLOCK if options.wish.pattern else BLOCK, 2 * batch)
    puzzles = np.concatenate(made)
    check_unique(puzzles, options.constraints)
    return puzzles


def _some(batch: int, options: GenerateOptions, dice: Dice) -> Grids:
    """The puzzles that come out of so many tries, maybe none."""
    constraints = options.constraints
    if options.wish.pattern is not None:
        puzzles = seen_through(
            batch, pattern_of(options.wish.pattern, constraints.board), constraints, dice
        )
    else:
        puzzles = _dug(random_grids(batch, constraints, dice), options, dice)
    if options.wish.minimal:
        puzzles = puzzles[is_minimal(puzzles, constraints)]
    if options.is_rated:
        puzzles = puzzles[options.wish.difficulty.has(puzzles, constraints)]
    return puzzles


def _dug(grids: Grids, options: GenerateOptions, dice: Dice) -> Grids:
    """The grids without the givens that can go; only those that end within the range asked for."""
    constraints = options.constraints
    orbits = orbits_of(options.wish.symmetry, constraints.board)
    orders = dice.orders(len(grids), int(orbits.max()) + 1)
    low, high = options.wish.givens or (0, constraints.board.grid_cells)
    aims: Ints | int = low + dice.below(high - low + 1, len(grids)) if options.wish.givens else 0
    least = 0 if options.wish.minimal else aims
    puzzles = taken_away(grids, constraints, orbits, orders, least, few_grids(constraints))
    givens = (puzzles > 0).sum(axis=1)
    fit: Grids = puzzles[(givens >= low) & (givens <= high)]
    return fit


def _too_few(options: GenerateOptions, found: int, wanted: int) -> str:
    givens = options.wish.givens
    kinds = [f"{givens[0]} to {givens[1]} givens"] if givens else []
    kinds += ["that pattern"] if options.wish.pattern is not None else []
    kinds += [f"symmetry {options.wish.symmetry}"] if options.wish.symmetry != "none" else []
    kinds += ["no given to spare"] if options.wish.minimal else []
    kinds += options.wish.difficulty.words
    return (
        f"found {found} of {counted(wanted, 'puzzle')} with {', '.join(kinds)} "
        f"in {wanted * options.most_tries:,} tries: ask for less, or for more tries"
    )


def check_unique(puzzles: Grids, constraints: Constraints) -> None:
    """Solve every puzzle once more, and verify every solution."""
    found = answers(puzzles, constraints)
    check_solutions(puzzles, found, constraints)
    if (found.statuses != Status.UNIQUE).any():
        raise WitnessError("a generated puzzle has not exactly one solution")


def minimize(
    puzzles: PuzzlesLike | PuzzleLike,
    rules: Rules = None,
    *,
    seed: int = 0,
    timeout: float | None = None,
) -> Grids:
    """A minimal puzzle inside each of N puzzles: givens are removed in random order.

    puzzles: in any form that `as_cells` reads, or one puzzle in any form that `solve` reads. The
    same puzzles and the same seed give the same result. Raises `NotUniqueError` for a puzzle with
    no solution, or several, and `BudgetError` after `timeout` seconds.
    """
    with limits.within(timeout):
        if isinstance(puzzles, str | os.PathLike | Puzzle):
            puzzles, rules = without_marks(puzzles, rules)
        asked, constraints = checked_cells(puzzles, rules or "classic")
        if asked.dtype == np.bool_:
            raise GeneratorError("pencil marks: expected (N, cells) digits")
        statuses = solve_cells(asked, BatchOptions(constraints)).statuses
        wrong = np.flatnonzero(statuses != Status.UNIQUE)
        if len(wrong):
            status = Status(statuses[wrong[0]])
            if status is Status.UNKNOWN:
                raise limits.late()
            raise NotUniqueError(f"puzzle {wrong[0] + 1}: {status}, expected one solution")
        cells = constraints.board.grid_cells
        orders = Dice(seed).orders(len(asked), cells)
        return taken_away(asked, constraints, np.arange(cells), orders)
