"""Check without a solver whether a grid obeys its rules.

Invariant: this module takes the rules from `witness.rules` only. It reads neither `model.rules` nor
any formula. C, numpy and plain Python give the same answers: without a compiler at install time
numpy checks collections, and Python checks single grids.

Every house has as many cells as there are digits; a smaller one is pairs of cells that differ. So a
grid is correct if every cell holds a digit and no two cells of a house hold the same digit. Except
for clues on three cells or more, it is enough to check pairs of cells. Digits are checked by their
positions (from 1) on the board, which grids hold.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import chain, combinations, starmap
from operator import eq, itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from ..model.board import Board, Cells
from ..model.clue import Clue
from ..model.grid import Grid
from .clues import STATEMENTS as CLUES
from .clues import Holds, House, WidePart, valued
from .clues.pairs import other
from .rules import STATEMENTS, Form, Related, Stated, held_by_forms, stated

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


try:
    from . import _houses
except ImportError:  # built without a compiler
    AVAILABLE = False
else:
    AVAILABLE = True


Digits = bytes | bytearray | memoryview  # of cells, those of grids one after the other
BLOCK = 4096  # grids that numpy checks at once, so that their bits stay in the cache


class Houses:
    """The houses of a board, each of as many cells as there are digits."""

    def __init__(self, board: Board, houses: Iterable[Cells]) -> None:
        self.board, self.cells = board, tuple(houses)
        self._most = [*map(len, board.domains(tuple(range(board.cells))))]  # digits of each cell
        self._compiles = AVAILABLE and not (
            board.is_large or board.layers
        )  # which is what the C code holds
        if self._compiles:
            members = array("i", chain.from_iterable(self.cells))
            self._compiled = _houses.houses(board.cells, len(board.digits), members)

    def kept(self, solutions: Digits, puzzles: Digits) -> bool:
        """Whether every solution, one grid after the other, is complete, has all givens of its
        puzzle, and every digit in every house."""
        cells = self.board.cells
        count = len(solutions) // cells
        if not (AVAILABLE and self._compiles):
            parts = (slice(start, start + cells) for start in range(0, len(solutions), cells))
            return all(self._kept(solutions[part], puzzles[part]) for part in parts)
        good = bytearray(count)
        asked, found = (
            memoryview(grids).cast("B", (count, cells)) for grids in (puzzles, solutions)
        )
        _houses.check(self._compiled, asked, found, good)
        return 0 not in good

    def _kept(self, solution: Digits, puzzle: Digits) -> bool:
        """The same for one grid, in Python."""
        digits = set(range(1, len(self.board.digits) + 1))
        return (
            all(0 < digit <= most for digit, most in zip(solution, self._most, strict=True))
            and all(given in (0, digit) for given, digit in zip(puzzle, solution, strict=True))
            and all(digits.issubset(itemgetter(*house)(solution)) for house in self.cells)
        )

    def kept_by(
        self, solutions: NDArray[np.uint8], puzzles: NDArray[np.uint8]
    ) -> NDArray[np.bool_]:
        """`kept` for arrays: takes (N, cells) uint8 solutions and puzzles and returns (N,) bool."""
        import numpy as np

        if not (AVAILABLE and self._compiles):
            return self._kept_by(solutions, puzzles)
        good = np.empty(len(solutions), np.uint8)
        asked, found = np.ascontiguousarray(puzzles), np.ascontiguousarray(solutions)
        _houses.check(self._compiled, asked, found, good)
        return good.view(np.bool_)

    def _kept_by(
        self, solutions: NDArray[np.uint8], puzzles: NDArray[np.uint8]
    ) -> NDArray[np.bool_]:
        """The same in numpy."""
        import numpy as np

        good = np.empty(len(solutions), dtype=np.bool_)
        for start in range(0, len(solutions), BLOCK):
            part = slice(start, start + BLOCK)
            good[part] = self._filled(solutions[part])
            lost = (puzzles[part] != solutions[part]) & (puzzles[part] != 0)
            if lost.any():  # rare, so skip the slow reduction by rows
                good[part] &= ~lost.any(axis=1)
        return good

    def _filled(self, solutions: NDArray[np.uint8]) -> NDArray[np.bool_]:
        """Whether each grid of a block is complete and has every digit in every house, (N,) bool.

        Each row of the transposed array holds one cell of all grids, so each step is one long
        operation on all grids. A house is good if the union of its digits, as bits, is all digits.
        """
        import numpy as np

        size = len(self.board.digits)
        digits = solutions.T.copy()  # `ascontiguousarray` would not copy that of a single row
        digits[digits > np.array(self._most)[:, None]] = 0  # bit 0 is not a digit
        bits = np.left_shift(1, digits, dtype=np.uint32 if self.board.choices > 15 else np.uint16)
        good: NDArray[np.bool_] = np.all(digits, axis=0)
        for house in self.cells:
            union = bits[house[0]].copy()
            for cell in house[1:]:
                union |= bits[cell]
            good &= union == (1 << (size + 1)) - 2
        return good


Getter = Callable[[Digits | tuple[int, ...]], tuple[int, ...]]

FEW = 8  # grids that are checked one by one in less time than numpy takes to begin


class Violation(NamedTuple):
    """Cells (0-based), most often two, whose digits break a rule or a clue.

    rule: its name, which may be `row`, `column` or `box`, or the text of the clue.
    """

    rule: str
    cells: Cells

    def describe(self, grid: Grid) -> str:
        """In words: `r1c1=5 and r1c7=5 break the row rule`."""
        values = grid.values
        shown = [f"{grid.board.name_of(c)}={values[c]}" for c in dict.fromkeys(self.cells)]
        *most, last = shown
        subject = f"{', '.join(most)} and {last}" if most else last
        verb = "break" if most else "breaks"
        is_clue = ":" in self.rule or "=" in self.rule
        return f"{subject} {verb} {self.rule if is_clue else f'the {self.rule} rule'}"


def violations(grid: Grid, rules: tuple[str, ...]) -> list[Violation]:
    """Every two filled cells that break a rule, and every clue on more cells, all of them filled,
    that is broken; empty cells break none."""
    return list(_violations(grid, rules))


def first_violation(grid: Grid, rules: tuple[str, ...]) -> Violation | None:
    """The first of `violations`, found without computing the others; None if there are none."""
    return next(_violations(grid, rules), None)


def is_true(clue: Clue, grid: Grid) -> bool:
    """Whether a full grid keeps a clue that stands alone; nothing is kept for the next one, as
    there are many that are looked at once."""
    digits = grid.cells
    for said in CLUES[clue.kind](grid.board, clue, (clue,)):
        part = valued(said, grid.board)
        own = [digits[cell] for cell in part.cells]
        is_kept = len({*own}) == len(own) if isinstance(part, House) else part.holds(*own)
        if not is_kept:
            return False
    return True


def _violations(grid: Grid, rules: tuple[str, ...]) -> Iterator[Violation]:
    return (
        Violation(said.rule, cells)
        for said in stated(grid.board, rules)
        for cells in chain(
            _equal_pairs(said.houses, grid.digits),
            () if _all_differ(said, grid.digits) else _broken_pairs(said.told, grid.digits),
            _broken_parts(said, grid.digits),
        )
    )


def _equal_pairs(houses: Iterable[Cells], cells: Digits) -> Iterator[Cells]:
    """Two cells of a house that hold the same digit."""
    for house in houses:
        digits = [digit for cell in house if (digit := cells[cell])]
        if len({*digits}) < len(digits):
            yield from ((a, b) for a, b in combinations(house, 2) if cells[a] == cells[b] > 0)


def _broken_pairs(relations: Iterable[Related], cells: Digits) -> Iterator[Cells]:
    return (
        (a, b)
        for related in relations
        for a, b in related.pairs
        if cells[a] and cells[b] and not related.holds(cells[a], cells[b])
    )


def _broken_parts(said: Stated, cells: Digits) -> Iterator[Cells]:
    for part in said.wide:
        digits = [cells[cell] for cell in part.cells]
        if all(digits) and not part.holds(*digits):
            yield part.cells


def _all_differ(said: Stated, cells: Digits) -> bool:
    """Whether all that it tells is that cells differ, and they do; C iterators make this fast."""
    if not said.says_differ:
        return False
    firsts, seconds = _pair_getters(said)
    return not any(map(eq, firsts(cells), seconds(cells)))


@lru_cache(maxsize=128)
def _pair_getters(said: Stated) -> tuple[Getter, Getter]:
    """Functions that pick the first and the second cell of every related pair."""
    return _getters(said.told[0])


def _getters(related: Related) -> tuple[Getter, Getter]:
    pairs = related.pairs * (1 + (len(related.pairs) == 1))  # of one index it picks no tuple
    firsts, seconds = zip(*pairs, strict=True)
    return itemgetter(*firsts), itemgetter(*seconds)


def solves(solution: Grid, puzzle: Grid, rules: tuple[str, ...]) -> bool:
    """Whether `solution` is complete, keeps the puzzle's givens and breaks no rule."""
    return all_solve(solution.digits, puzzle.digits, rules, solution.board)


def refusal(
    solution: Grid, puzzle: Grid, rules: tuple[str, ...], marks: bytes | None = None
) -> str | None:
    """Why a grid is no solution of a puzzle, in words; None if it is one, and keeps to the pencil
    marks (a byte for each candidate), if there are any."""
    size = solution.board.choices
    kept = marks is None or all(marks[size * c + digit - 1] for c, digit in enumerate(solution))
    if kept and solves(solution, puzzle, rules):
        return None
    if broken := first_violation(solution, rules):
        return broken.describe(solution)
    digits = (None, *solution.board.digits)
    for cell, (digit, given) in enumerate(zip(solution, puzzle, strict=True)):
        said = f"{solution.board.name_of(cell)}={digits[digit]}"
        if given not in (0, digit):
            return f"{said}, where the puzzle has {digits[given]}"
        if marks is not None and not marks[size * cell + digit - 1]:
            return f"{said}, which its pencil marks exclude"
    return "a cell is empty"


@lru_cache(maxsize=256)
def _checks(board: Board, rules: tuple[str, ...]) -> tuple[Houses, tuple[Stated, ...]]:
    """All houses of the rules, and the statements that say more than houses."""
    said = stated(board, rules)
    houses = tuple(chain.from_iterable(rule.houses for rule in said))
    more = tuple([rule for rule in said if rule.form.told or rule.form.wide])
    return _houses_of(board, houses), more


_houses_of = lru_cache(maxsize=64)(Houses)  # clues seldom have any, so many rule sets share theirs


def says_houses_only(rules: tuple[str, ...], board: Board) -> bool:
    """Whether all that the rules say is that houses hold every digit once."""
    return not _checks(board, rules)[1]


def _broken_beside(said: Stated, cells: Digits) -> bool:
    """Whether a full grid breaks what a statement says beside its houses."""
    if said.at:
        return _broken_at(said.form, tuple([cells[cell] for cell in said.at]))
    if _all_differ(said, cells):
        return False
    return any(_broken_pairs(said.told, cells)) or any(_broken_parts(said, cells))


@lru_cache(maxsize=4096)
def _told_of(form: Form) -> list[tuple[Holds, Getter, Getter]]:
    """The relations of a form, each with the getters of its pairs."""
    return [(related.holds, *_getters(related)) for related in form.told]


@lru_cache(maxsize=1 << 14)
def _broken_at(form: Form, digits: tuple[int, ...]) -> bool:
    """Whether the digits of a clue's places break it."""
    for holds, firsts, seconds in _told_of(form):
        pairs = firsts(digits), seconds(digits)
        if any(map(eq, *pairs)) if holds is other else not all(map(holds, *pairs)):
            return True
    return not all(part.holds(*[digits[cell] for cell in part.cells]) for part in form.wide)


def all_solve(solutions: Digits, puzzles: Digits, rules: tuple[str, ...], board: Board) -> bool:
    """`solves` for every one of many grids, one after the other, without numpy."""
    if (
        len(solutions) == board.cells
        and (names := tuple([r for r in rules if r in STATEMENTS])) != rules
    ):
        solution = bytes(solutions)
        found = held_by_forms(rules[len(names) :], board, solution)
        if found is not None:
            kept = all_solve(solution, puzzles, names, board)
            return kept and not any(starmap(_broken_at, found))
    houses, rest = _checks(board, rules)
    if not houses.kept(solutions, puzzles):
        return False
    starts = range(0, len(solutions), board.cells) if rest else ()
    grids = (bytes(solutions[start : start + board.cells]) for start in starts)
    return not any(_broken_beside(said, grid) for grid in grids for said in rest)


def solves_many(
    solutions: NDArray[np.uint8],
    puzzles: NDArray[Any],
    rules: tuple[str, ...],
    board: Board,
) -> NDArray[np.bool_]:
    """`solves` for arrays: takes (N, cells) uint8 solutions and puzzles, or (N, variables) bool
    pencil marks to keep to, and returns (N,) bool."""
    houses, rest = _checks(board, rules)
    marked = puzzles.dtype == bool
    good = houses.kept_by(solutions, solutions if marked else puzzles)
    if marked:
        import numpy as np

        size = board.choices
        marks = puzzles.reshape(-1, board.cells, size)
        digits = solutions.clip(1, size)[:, :, None] - np.uint8(1)
        good &= np.take_along_axis(marks, digits, axis=2).all(axis=(1, 2))
    if rest and len(solutions) <= FEW:
        for row in good.nonzero()[0].tolist():
            cells = solutions[row].tobytes()
            good[row] = not any(_broken_beside(said, cells) for said in rest)
    elif rest:
        for start in range(0, len(solutions), BLOCK):
            part = slice(start, start + BLOCK)
            good[part] &= ~_breaks_beside(solutions[part], rest, board)
    return good


def _breaks_beside(
    solutions: NDArray[np.uint8], rest: tuple[Stated, ...], board: Board
) -> NDArray[np.bool_]:
    """Whether each grid of a block breaks what statements say beside their houses, (N,) bool.

    Each row of the transposed array holds one cell of all grids, so each step is one long operation
    on all grids.
    """
    import numpy as np

    digits = solutions.T.copy()  # `ascontiguousarray` would not copy the transpose of a single row
    size = board.choices
    digits[digits > size] = 0  # bit 0 is not a digit
    bits = np.left_shift(1, digits, dtype=np.uint32 if size > 15 else np.uint16)
    broken = np.zeros(len(solutions), dtype=np.bool_)
    for said in rest:
        for related in said.told:
            broken |= _broken_many(related, digits, bits, board)
        for part in said.wide:
            broken |= ~_kept_many(part, digits)
    return broken


def clash_many(
    puzzles: NDArray[np.uint8], rules: tuple[str, ...], board: Board
) -> NDArray[np.bool_]:
    """Whether two givens of each puzzle break a rule; (N, cells) uint8 puzzles give (N,) bool."""
    import numpy as np

    digits = np.ascontiguousarray(puzzles.T)
    bits = np.left_shift(1, digits, dtype=np.uint32) & ~np.uint32(1)  # an empty cell has no bit
    clash = np.zeros(len(puzzles), dtype=np.bool_)
    for said in stated(board, rules):
        for house in said.houses:
            seen = bits[house[0]].copy()
            for cell in house[1:]:
                clash |= (seen & bits[cell]) > 0
                seen |= bits[cell]
        for related in said.told:
            clash |= _broken_many(related, digits, bits, board)
        for part in said.wide:
            clash |= ~_kept_many(part, digits)
    return clash


def _kept_many(part: WidePart, digits: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Whether each grid keeps a clue, (N,) bool; one with an empty cell there breaks nothing."""
    import numpy as np

    rows = digits[list(part.cells)].T
    full = np.flatnonzero(rows.all(axis=1))
    kept = np.ones(len(rows), dtype=np.bool_)
    kept[full] = [bool(part.holds(*row)) for row in rows[full].tolist()]
    return kept


def _broken_many(
    related: Related,
    digits: NDArray[np.uint8],
    bits: NDArray[np.unsignedinteger[Any]],
    board: Board,
) -> NDArray[np.bool_]:
    """Whether two cells of each grid hold digits that a relation forbids, (N,) bool.

    digits: (cells, N); 0 or a value beyond the size means no digit. bits: the same cells, with bit
    d set for digit d. A mask for each digit holds the digits that its related cell may not hold, so
    a pair of cells costs one AND for any relation.
    """
    import numpy as np

    masks = np.zeros(256, bits.dtype)
    for x, y in related.forbidden(board.choices):
        masks[x] |= bits.dtype.type(1 << y)
    forbidden = masks[digits]
    broken = np.zeros(digits.shape[1], dtype=np.bool_)
    for a, b in related.pairs:
        broken |= (forbidden[a] & bits[b]) != 0
    return broken
