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

Where rows, columns and boxes are all the rules, the grid is a shuffled pattern, then parts of lines
and digits are swapped. Every step turns such a grid into another one. Nothing is proved of their
distribution; what was measured stands with `ROUNDS`. The pattern is cyclic. Renaming digits and
permuting rows, columns, bands and stacks alone leaves all of its regularity: row i is a shift of
row j. So parts are swapped then:

- two rows of a band in a set of columns where both hold the same digits (a cycle switch:
  I. Wanless, Cycle switches in Latin squares, 2004), and two columns of a stack in the same way;
- two digits in a set of rows, columns and boxes that hold both (a Kempe chain of the graph whose
  edges are the houses).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..model.board import MAX_SIZE, Board
from ..model.constraints import Constraints, RulesLike, constraints_for
from .dice import Dice, random_seed
from .grids import random_grids
from .oracle import GeneratorError, unique
from .watch import deadline

Square = NDArray[np.int64]

# In each of them every line and every digit is swapped about twice. On 9x9 two rows of a band then
# have 2.07 +- 0.01 cycles, uniform grids 2.05 +- 0.01, the pattern 3; two digits have 1.55 chains,
# uniform grids too, the pattern 1.50. On 36x36 more rounds change neither number.
ROUNDS = 4


def mixed_grids(count: int, board: Board, dice: Dice) -> NDArray[np.uint16]:
    """Grids (count, cells) with digits 1..size."""
    grids = np.empty((count, board.cells), np.uint16)
    for grid in grids:
        grid[:] = _mixed(board, dice).ravel() + 1
    return grids


def pattern(board: Board) -> Square:
    """The cyclic grid (size, size) of digits from 0: each row of a band is the one before, shifted
    by the width of a box."""
    lines = np.arange(board.size)
    shifts = board.box_columns * (lines % board.box_rows) + lines // board.box_rows
    square: Square = (shifts[:, None] + lines) % board.size
    return square


def _mixed(board: Board, dice: Dice) -> Square:
    size = board.size
    tall, wide = _bands(board)
    order = _lines(size, tall, dice), _lines(size, wide, dice)
    square: Square = dice.orders(1, size)[0][pattern(board)[np.ix_(*order)]]
    for _ in range(ROUNDS):
        _switch_rows(square, tall, dice)
        _switch_rows(square.T, wide, dice)
        square = _switched_digits(square, board, dice)
    return square


def _bands(board: Board) -> tuple[int, int]:
    """How many rows, and how many columns, can be swapped with each other: those of a box, or all
    if there are no boxes."""
    return (board.box_rows, board.box_columns) if board.has_boxes else (board.size, board.size)


def _lines(size: int, band: int, dice: Dice) -> Square:
    """A random order of the lines that keeps bands together."""
    inner = dice.orders(size // band, band)
    lines = inner + band * np.arange(size // band)[:, None]
    ordered: Square = lines[dice.orders(1, size // band)[0]].ravel()
    return ordered


def _switch_rows(square: Square, band: int, dice: Dice) -> None:
    """Swap parts of random pairs of rows of the same band, in place."""
    size = len(square)
    places = np.empty(size, np.int64)
    for first, second, start in _pairs(size, band, dice):
        places[square[first]] = np.arange(size)
        columns = _orbit(start, places[square[second]].tolist())
        part = np.ix_((first, second), columns)
        square[part] = square[part][::-1]


def _switched_digits(square: Square, board: Board, dice: Dice) -> Square:
    """The square with random pairs of digits swapped in sets of rows."""
    size, lines = board.size, np.arange(board.size)
    columns = np.argsort(square, axis=1).T.copy()  # of each digit in each row
    tall, wide = _bands(board)
    stacks = size // wide
    boxes = lines // tall * stacks
    holder, boxed = np.empty(size, np.int64), np.empty(size, np.int64)
    for first, second, start in _pairs(size, size, dice):
        one, other = columns[first], columns[second]
        holder[other], boxed[boxes + other // wide] = lines, lines
        joined = [holder[one].tolist()]
        if board.has_boxes:
            joined.append(boxed[boxes + one // wide].tolist())
        part = np.ix_((first, second), _orbit(start, *joined))
        columns[part] = columns[part][::-1]
    switched = np.empty_like(square)
    switched[lines, columns] = lines[:, None]
    return switched


def _pairs(size: int, band: int, dice: Dice) -> list[list[int]]:
    """Random pairs of different lines of the same band, each with a start for the part to swap;
    none if a band is a single line."""
    if band == 1:
        return []
    first = dice.below(size, size)
    second = first // band * band + (first % band + 1 + dice.below(band - 1, size)) % band
    pairs: list[list[int]] = np.stack([first, second, dice.below(size, size)], axis=1).tolist()
    return pairs


def _orbit(start: int, *permutations: list[int]) -> list[int]:
    """The points that permutations move a point to. They are finite, so inverses are not needed."""
    orbit, seen = [start], {start}
    for point in orbit:
        for permutation in permutations:
            if permutation[point] not in seen:
                seen.add(permutation[point])
                orbit.append(permutation[point])
    return orbit


PATTERNS = ("random", "balanced")

Puzzles = NDArray[np.unsignedinteger[Any]]  # uint8, or uint16 beyond 25x25


@dataclass(frozen=True)
class HolesOptions:
    """What puzzles to make.

    holes: how many cells are empty, or which part of them if it is a float. pattern: `random` for
    cells drawn one by one; `balanced` for equally many in each row, column and box, or one more in
    some if the number does not divide. unique: only puzzles with one solution. tries: puzzles
    looked at for each one wanted, where they have to be unique.
    """

    constraints: Constraints
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
        most = 1 if isinstance(self.holes, float) else self.constraints.board.cells
        if not 0 <= self.holes <= most:
            expected = f"a number from 0 to {self.constraints.board.cells}, or a part such as 0.4"
            raise GeneratorError(f"{self.holes} holes: expected {expected}")
        if self.unique and self.constraints.board.is_large:
            raise GeneratorError(f"one solution is asked for up to {MAX_SIZE}x{MAX_SIZE} only")

    @property
    def count(self) -> int:
        """Number of holes."""
        cells = self.constraints.board.cells
        return round(self.holes * cells) if isinstance(self.holes, float) else self.holes


def puzzles_with_holes(
    n: int = 1,
    rules: RulesLike = "classic",
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
    made = np.zeros((n, options.constraints.board.cells), _dtype(options.constraints))
    for place, puzzle in zip(made, each_puzzle(n, options), strict=True):
        place[:] = puzzle
    return made


def rules_for(rules: RulesLike, size: int | None) -> Constraints:
    """The rules on a board of that size (9 unless they tell it)."""
    return constraints_for(rules, None if size is None else Board.of_size(size))


def each_puzzle(n: int, options: HolesOptions) -> Iterator[Puzzles]:
    """The n puzzles (cells,) one by one, each from random numbers of its own."""
    made, left = 0, n * options.tries
    for number in range(left):
        if made == n:
            return
        deadline()  # ends the work when its time is over
        puzzle = _puzzle(options, Dice(options.seed, (number,)))
        if not options.unique or _is_unique(puzzle, options.constraints):
            made += 1
            yield puzzle
    if made < n:
        raise GeneratorError(
            f"found {made} of {n} puzzles with {options.count} holes and one solution in {left:,} "
            "tries: ask for fewer holes"
        )


def _is_unique(puzzle: Puzzles, rules: Constraints) -> bool:
    return bool(unique(puzzle[None].astype(np.uint8), rules)[0])


def _puzzle(options: HolesOptions, dice: Dice) -> Puzzles:
    puzzle = _grid(options.constraints, dice)
    if options.pattern == "random":
        order = dice.orders(1, puzzle.size)[0]
    else:
        # The cells of another grid, digit by digit: each digit is once in each house.
        order = np.lexsort((dice.words(puzzle.size), _grid(options.constraints, dice)))
    puzzle[order[: options.count]] = 0
    return puzzle


def _grid(rules: Constraints, dice: Dice) -> Puzzles:
    """One full grid (cells,): mixed if rows, columns and boxes are all the rules."""
    board, dtype = rules.board, _dtype(rules)
    if board.is_usual and board.regions is None and not rules.rules:
        mixed: Puzzles = mixed_grids(1, board, dice)[0].astype(dtype)
        return mixed
    if board.is_large:
        limit = f"{MAX_SIZE}x{MAX_SIZE}"
        raise GeneratorError(f"grids beyond {limit} are made of rows, columns and boxes only")
    grid: Puzzles = random_grids(1, rules, dice)[0]
    return grid


def _dtype(rules: Constraints) -> type[np.uint8] | type[np.uint16]:
    return np.uint16 if rules.board.is_large else np.uint8
