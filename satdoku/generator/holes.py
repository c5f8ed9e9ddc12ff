"""Puzzles that are a full grid with holes: as many as asked for, no matter how many solutions.

Invariant: each puzzle has a solution, the grid that it was made of; that it is the only one is
claimed only where it is asked for. The same seed gives the same puzzles on every machine, and the
first n of a longer run are the same n.

    puzzles_with_holes(30, size=36, holes=0.45, seed=1)                  # (30, 1296) uint16
    puzzles_with_holes(30, size=25, holes=300, pattern="balanced", seed=1)

Such puzzles are the standard instances for generalised Sudoku: C. Gomes and B. Selman, Problem
structure in the presence of perturbations, AAAI 1997 (quasigroups with holes); C. Ansotegui,
R. Bejar, C. Fernandez, C. Gomes and C. Mateu, The impact of balancing on problem hardness in a
highly structured domain, AAAI 2006. Balanced holes make the hardest.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..large.board import LargeBoard, LargeRules, large_rules
from ..model.board import MAX_SIZE, Board
from ..model.constraints import Constraints, constraints_for
from .dice import Dice, random_seed
from .errors import GeneratorError
from .grids import random_grids
from .mixed import mixed_grids
from .oracle import unique
from .watch import deadline

PATTERNS = ("random", "balanced")

Rules = Constraints | LargeRules
Puzzles = NDArray[np.unsignedinteger[Any]]  # uint8, or uint16 beyond 25x25


@dataclass(frozen=True)
class HolesOptions:
    """What puzzles to make.

    holes: how many cells are empty, or which part of them if it is a float. pattern: `random` for
    cells drawn one by one; `balanced` for equally many in each row, column and box, or one more in
    some if the number does not divide. unique: only puzzles with one solution. tries: puzzles
    looked at for each one wanted, where they have to be unique.
    """

    rules: Rules
    holes: int | float
    pattern: str = "random"
    seed: int = field(default_factory=random_seed)
    unique: bool = False
    tries: int = 1000

    def __post_init__(self) -> None:
        if self.seed < 0:
            raise GeneratorError(f"seed {self.seed}: expected 0 or more")
        if self.pattern not in PATTERNS:
            known = " or ".join(PATTERNS)
            raise GeneratorError(f"holes in the pattern '{self.pattern[:40]}': expected {known}")
        most = 1 if isinstance(self.holes, float) else self.rules.board.cells
        if not 0 <= self.holes <= most:
            expected = f"a number from 0 to {self.rules.board.cells}, or a part such as 0.4"
            raise GeneratorError(f"{self.holes} holes: expected {expected}")
        if self.unique and isinstance(self.rules, LargeRules):
            raise GeneratorError(f"one solution is asked for up to {MAX_SIZE}x{MAX_SIZE} only")

    @property
    def count(self) -> int:
        """Number of holes."""
        cells = self.rules.board.cells
        return round(self.holes * cells) if isinstance(self.holes, float) else self.holes


def puzzles_with_holes(
    n: int = 1,
    rules: str = "classic",
    *,
    size: int | None = None,
    holes: int | float,
    pattern: str = "random",
    seed: int | None = None,
    unique: bool = False,
) -> Puzzles:
    """Puzzles (n, cells), uint8 up to 25x25 and uint16 beyond, 0 for a hole; see `HolesOptions`.

    size: of the board, 9 unless the rules fix it, up to 256; above 25 only house rules are
    supported. Without `seed` one is drawn. Raises `GeneratorError`, `RuleError` or `BoardError`.
    """
    chosen = random_seed() if seed is None else seed
    options = HolesOptions(rules_for(rules, size), holes, pattern, chosen, unique)
    made = np.zeros((n, options.rules.board.cells), _dtype(options.rules))
    for place, puzzle in zip(made, each_puzzle(n, options), strict=True):
        place[:] = puzzle
    return made


def rules_for(rules: str, size: int | None) -> Rules:
    """The rules on a board of that size (9 unless they tell it): constraints up to 25x25, houses
    beyond."""
    if size is None:
        return constraints_for(rules)
    if size > MAX_SIZE:
        return large_rules(rules, size)
    return constraints_for(rules, Board.of_size(size))


def each_puzzle(n: int, options: HolesOptions) -> Iterator[Puzzles]:
    """The n puzzles (cells,) one by one, each from random numbers of its own."""
    made, left = 0, n * options.tries
    for number in range(left):
        if made == n:
            return
        deadline()  # ends the work when its time is over
        puzzle = _puzzle(options, Dice(options.seed, (number,)))
        if not options.unique or _is_unique(puzzle, options.rules):
            made += 1
            yield puzzle
    if made < n:
        raise GeneratorError(
            f"found {made} of {n} puzzles with {options.count} holes and one solution in {left:,} "
            "tries: ask for fewer holes"
        )


def _is_unique(puzzle: Puzzles, rules: Rules) -> bool:
    assert isinstance(rules, Constraints)  # as the options promise
    return bool(unique(puzzle[None].astype(np.uint8), rules)[0])


def _puzzle(options: HolesOptions, dice: Dice) -> Puzzles:
    puzzle = _grid(options.rules, dice)
    if options.pattern == "random":
        order = dice.orders(1, puzzle.size)[0]
    else:
        # The cells of another grid, digit by digit: each digit is once in each house.
        order = np.lexsort((dice.words(puzzle.size), _grid(options.rules, dice)))
    puzzle[order[: options.count]] = 0
    return puzzle


def _grid(rules: Rules, dice: Dice) -> Puzzles:
    """One full grid (cells,): mixed if rows, columns and boxes are all the rules."""
    board, dtype = rules.board, _dtype(rules)
    if board.regions is None and not rules.names and not getattr(rules, "clue_texts", ()):
        large = LargeBoard(board.size, board.box_rows, board.box_columns)
        mixed: Puzzles = mixed_grids(1, large, dice)[0].astype(dtype)
        return mixed
    if isinstance(rules, LargeRules):
        limit = f"{MAX_SIZE}x{MAX_SIZE}"
        raise GeneratorError(f"grids beyond {limit} are made of rows, columns and boxes only")
    grid: Puzzles = random_grids(1, rules, dice)[0]
    return grid


def _dtype(rules: Rules) -> type[np.uint8] | type[np.uint16]:
    return np.uint16 if isinstance(rules, LargeRules) else np.uint8
