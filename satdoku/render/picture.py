"""What to draw: the arguments of a picture, checked and brought into one form.

Invariant: this module decides what each cell shows, the other modules decide how it looks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

from ..files.one import PuzzleLike, Rules, as_puzzle
from ..model.board import Board
from ..model.clue import Clue
from ..model.constraints import Constraints
from ..model.grid import Grid, GridLike, as_grid
from ..model.puzzle import restricted
from ..model.rules import RULES
from ..runtime.errors import SatdokuError

Candidate = tuple[int, int]  # cell (0-based), digit
Candidates = Sequence[Iterable[int]]
Highlights = Mapping[str, Iterable[int | Candidate]]
Link = tuple[Candidate, Candidate, bool]  # from, to, and whether the second holds then
Chains = Sequence[Sequence[Link]]

# If a cell has two kinds, the later one is drawn.
KINDS = ("house", "reason", "eliminated", "conclusion", "conflict")


class RenderError(SatdokuError):
    """A picture that cannot be drawn: wrong arguments, or a library or font is missing."""


@dataclass(frozen=True)
class Picture:
    """A picture, cell by cell.

    digits: the digit of each cell, 0 for none; marks: its small digits, ascending; cell_kinds,
    mark_kinds: the highlight of a cell, of a small digit.
    """

    grid: Grid
    constraints: Constraints
    digits: bytes
    marks: tuple[tuple[int, ...], ...]
    cell_kinds: Mapping[int, str]
    mark_kinds: Mapping[Candidate, str]
    chains: Chains

    @property
    def board(self) -> Board:
        return self.constraints.board

    @property
    def has_marks(self) -> bool:
        return any(self.marks)


def picture(
    puzzle: PuzzleLike,
    rules: Rules,
    solution: GridLike | None,
    candidates: Candidates | None,
    highlights: Highlights | None,
    chains: Chains = (),
) -> Picture:
    """The picture of some arguments, as the package explains them. Raises `RenderError`.

    A puzzle's own pencil marks are drawn unless other candidates are given.
    """
    stated = as_puzzle(puzzle, rules)
    grid, constraints = stated.grid, stated.constraints
    if candidates is None:
        candidates = restricted(stated.marks)
    digits = grid.cells
    if solution is not None:
        solved = as_grid(solution, constraints.board).cells
        digits = bytes(mine or other for mine, other in zip(digits, solved, strict=True))
    if candidates is not None and len(candidates) != constraints.board.cells:
        raise RenderError(
            f"candidates for {len(candidates)} cells: expected {constraints.board.cells}"
        )
    cells, marked = _kinds(highlights or {}, constraints.board)
    extra: dict[int, set[int]] = {}
    for (cell, digit), kind in marked.items():
        if digits[cell]:
            cells[cell] = max(kind, cells.get(cell, kind), key=KINDS.index)
        extra.setdefault(cell, set()).add(digit)
    for start, end, _ in (link for links in chains for link in links):
        if start == end:
            raise RenderError(f"link from {start} to itself: expected two candidates")
        for cell, digit in (start, end):
            _check((cell, digit), constraints.board)
            extra.setdefault(cell, set()).add(digit)
    marks = tuple(
        ()
        if digits[cell]
        else tuple(sorted(_digits(candidates, cell, constraints.board) | extra.get(cell, set())))
        for cell in range(constraints.board.cells)
    )
    return Picture(grid, constraints, digits, marks, cells, marked, chains)


def _digits(candidates: Candidates | None, cell: int, board: Board) -> set[int]:
    digits = set(candidates[cell]) if candidates is not None else set()
    if digits and not (min(digits) >= 1 and max(digits) <= board.size):
        raise RenderError(f"candidates {sorted(digits)}: expected digits 1-{board.size}")
    return digits


def _kinds(highlights: Highlights, board: Board) -> tuple[dict[int, str], dict[Candidate, str]]:
    """The kind of each highlighted cell and candidate."""
    unknown = sorted(set(highlights) - set(KINDS))
    if unknown:
        raise RenderError(f"no highlight '{unknown[0]}': choose from {', '.join(KINDS)}")
    cells: dict[int, str] = {}
    marks: dict[Candidate, str] = {}
    for kind in KINDS:
        for item in highlights.get(kind, ()):
            _check(item, board)
            if isinstance(item, int):
                cells[item] = kind
            else:
                marks[item] = kind
    return cells, marks


def _check(item: int | Candidate, board: Board) -> None:
    cell, digit = (item, 1) if isinstance(item, int) else item
    if not (0 <= cell < board.cells and 1 <= digit <= board.size):
        raise RenderError(
            f"highlight {item}: expected a cell 0-{board.cells - 1}, or a pair of a cell "
            f"and a digit 1-{board.size}"
        )


@dataclass(frozen=True)
class RuleMarks:
    """How rules are drawn: houses as lines, houses as areas, clues at their cells.

    names: what is only named: all other rules, and the clues of the whole board.
    """

    lines: tuple[tuple[int, ...], ...]
    areas: tuple[tuple[int, ...], ...]
    clues: tuple[Clue, ...]
    names: tuple[str, ...]


def rule_marks(constraints: Constraints) -> RuleMarks:
    """The marks of the rules beyond the classic ones, told by the shape of their houses."""
    lines: list[tuple[int, ...]] = []
    areas: list[tuple[int, ...]] = []
    names: list[str] = []
    for name in constraints.names:
        rule = RULES[name]
        houses = tuple(map(tuple, rule.houses(constraints.board))) if rule.houses else ()
        if houses and all(_is_diagonal(house, constraints.board) for house in houses):
            lines += houses
        elif houses and _are_areas(houses, constraints.board):
            areas += houses
        else:
            names.append(rule.name)
    placed = tuple(clue for clue in constraints.clues if clue.cells)
    names += [clue.text(constraints.board) for clue in constraints.clues if not clue.cells]
    return RuleMarks(tuple(lines), tuple(areas), placed, tuple(names))


def _is_diagonal(house: tuple[int, ...], board: Board) -> bool:
    steps = {b - a for a, b in pairwise(house)}
    return steps in ({board.size + 1}, {board.size - 1})


def _are_areas(houses: tuple[tuple[int, ...], ...], board: Board) -> bool:
    """Whether shading shows the houses: each is of one piece, and some cells are in none."""
    return len(set(chain(*houses))) < board.cells and all(
        _is_connected(house, board) for house in houses
    )


def _is_connected(house: tuple[int, ...], board: Board) -> bool:
    """Whether the cells of a house hang together by their edges."""
    inside, reached, waiting = set(house), {house[0]}, [house[0]]
    neighbours: dict[int, set[int]] = {}
    for a, b in board.adjacent_pairs:
        if a in inside and b in inside:
            neighbours.setdefault(a, set()).add(b)
            neighbours.setdefault(b, set()).add(a)
    while waiting:
        fresh = neighbours.get(waiting.pop(), set()) - reached
        reached |= fresh
        waiting += fresh
    return reached == inside


def walls(board: Board) -> tuple[list[list[bool]], list[list[bool]]]:
    """Where regions end: [row][line] for vertical lines 0..size, [line][column] for horizontal."""
    n = board.size

    def differ(a: tuple[int, int], b: tuple[int, int]) -> bool:
        boxes = [board.box_of(n * r + c) if 0 <= r < n and 0 <= c < n else -1 for r, c in (a, b)]
        return boxes[0] != boxes[1]

    upright = [[differ((r, c - 1), (r, c)) for c in range(n + 1)] for r in range(n)]
    level = [[differ((r - 1, c), (r, c)) for c in range(n)] for r in range(n + 1)]
    return upright, level
