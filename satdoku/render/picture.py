"""What to draw: the arguments of a picture, checked and brought into one form.

Invariant: this module decides what each cell shows, the other modules decide how it looks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

from ..files.one import PuzzleLike, Rules, as_puzzle
from ..model.board import Board, Place
from ..model.clue import Clue
from ..model.constraints import Constraints, board_words
from ..model.grid import Grid, GridLike, as_grid
from ..model.looks import Looks
from ..model.puzzle import restricted
from ..model.rules import DIGITS, LAYER, NO_LINES, RULES
from ..model.words import reads_layers
from ..runtime.errors import SatdokuError, counted, no_such

Candidate = tuple[int, int]  # cell (0-based), digit
Candidates = Sequence[Iterable[int]]
Highlights = Mapping[str, Iterable[int | Candidate]]
Link = tuple[Candidate, Candidate, bool]  # from, to, and whether the second holds then
Chains = Sequence[Sequence[Link]]

# If a cell has two kinds, the later one is drawn.
KINDS = ("house", "cover", "reason", "eliminated", "conclusion", "conflict")


class RenderError(SatdokuError):
    """A picture that cannot be drawn: wrong arguments, or a library or font is missing."""


@dataclass(frozen=True)
class Picture:
    """A picture, cell by cell.

    digits: the digit of each cell, by its position (from 1) among the board's, 0 for none; those of
    layers last; marks: the small digits of the cells of grids, likewise, ascending; cell_kinds,
    mark_kinds: the highlight of a cell, of a small digit; looks: drawings that mean nothing.
    """

    grid: Grid
    constraints: Constraints
    digits: bytes
    marks: tuple[tuple[int, ...], ...]
    cell_kinds: Mapping[int, str]
    mark_kinds: Mapping[Candidate, str]
    chains: Chains
    looks: Looks = ()

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
        candidates = restricted(stated)
    digits = grid.cells
    if solution is not None:
        solved = as_grid(solution, constraints.board).cells
        digits = bytes(mine or other for mine, other in zip(digits, solved, strict=True))
    if candidates is not None and len(candidates) != constraints.board.cells:
        raise RenderError(
            f"candidates for {counted(len(candidates), 'cell')}: expected {constraints.board.cells}"
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
        for cell in range(constraints.board.grid_cells)
    )
    return Picture(grid, constraints, digits, marks, cells, marked, chains, stated.looks)


def _digits(candidates: Candidates | None, cell: int, board: Board) -> set[int]:
    digits = set(candidates[cell]) if candidates is not None else set()
    if digits and not (min(digits) >= 1 and max(digits) <= len(board.digits)):
        what = "digits" if _is_counted(board) else "positions of digits"
        raise RenderError(f"candidates {sorted(digits)}: expected {what} 1-{len(board.digits)}")
    return digits


def _kinds(highlights: Highlights, board: Board) -> tuple[dict[int, str], dict[Candidate, str]]:
    """The kind of each highlighted cell and candidate; what lies in a layer colours its cell."""
    unknown = sorted(set(highlights) - set(KINDS))
    if unknown:
        raise RenderError(no_such("highlight", unknown[0], KINDS))
    cells: dict[int, str] = {}
    marks: dict[Candidate, str] = {}
    for kind in KINDS:
        for item in highlights.get(kind, ()):
            cell = item if isinstance(item, int) else item[0]
            if board.grid_cells <= cell < board.cells:
                if (below := _below(cell, board)) is not None:
                    cells[below] = kind
                continue
            _check(item, board)
            if isinstance(item, int):
                cells[item] = kind
            else:
                marks[item] = kind
    return cells, marks


def _below(cell: int, board: Board) -> int | None:
    """The cell of the grids over which one of a layer lies; None for a variable that is free."""
    layers = ((layer, board.first_of[layer.name]) for layer in board.layers if not layer.free)
    starts = (start for _, start in layers if start <= cell < start + board.grid_cells)
    return next((cell - start for start in starts), None)


def _check(item: int | Candidate, board: Board) -> None:
    cell, digit = (item, 1) if isinstance(item, int) else item
    if not (0 <= cell < board.grid_cells and 1 <= digit <= len(board.digits)):
        what = "a digit" if _is_counted(board) else "the position of a digit"
        raise RenderError(
            f"highlight {item}: expected a cell 0-{board.grid_cells - 1}, or a pair of a cell "
            f"and {what} 1-{len(board.digits)}"
        )


def _is_counted(board: Board) -> bool:
    """Whether digits are their own positions."""
    return board.digits[0] == 1 and board.digits[-1] == len(board.digits)


@dataclass(frozen=True)
class RuleMarks:
    """How rules are drawn: houses as lines, houses as areas, clues at their cells.

    names: what is only named: all other rules, which digits there are if they are no usual ones,
    lines that are no houses, and the clues of the whole board or of layers. tells_board: whether
    words about the board are among them.
    """

    lines: tuple[tuple[int, ...], ...]
    areas: tuple[tuple[int, ...], ...]
    clues: tuple[Clue, ...]
    names: tuple[str, ...]
    tells_board: bool


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
    board = constraints.board
    placed = tuple(c for c in constraints.clues if c.cells and not reads_layers(c, board))
    told = [w for w in board_words(board) if w.partition("=")[0] in (DIGITS, LAYER, *NO_LINES)]
    names += [*told, *(clue.text(board) for clue in constraints.clues if clue not in placed)]
    return RuleMarks(tuple(lines), tuple(areas), placed, tuple(names), bool(told))


def _is_diagonal(house: tuple[int, ...], board: Board) -> bool:
    places = (board.places[cell] for cell in house)
    steps = {(down - row, across - column) for (row, column), (down, across) in pairwise(places)}
    return steps in ({(1, 1)}, {(1, -1)})


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
    """Where grids, boxes or regions end, and around holes: [row][line] for vertical lines, one more
    than there are columns, [line][column] for horizontal ones."""
    rows, columns = map(range, board.extent)
    parts = _parts(board)

    def differ(a: Place, b: Place) -> bool:
        return parts.get(a) != parts.get(b)

    upright = [[differ((r, c - 1), (r, c)) for c in range(len(columns) + 1)] for r in rows]
    level = [[differ((r - 1, c), (r, c)) for c in columns] for r in range(len(rows) + 1)]
    return upright, level


def _parts(board: Board) -> dict[Place, set[tuple[str, int]]]:
    """The grids and the boxes of each place that has a cell."""
    parts: dict[Place, set[tuple[str, int]]] = {place: set() for place in board.places}
    for number, box in enumerate(board.boxes):
        for cell in box:
            parts[board.places[cell]].add(("box", number))
    for number, (top, left) in enumerate(board.corners):
        for row, column in parts:
            if top <= row < top + board.height and left <= column < left + board.width:
                parts[row, column].add(("grid", number))
    return parts
