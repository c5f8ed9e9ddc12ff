"""Random clues of any kind, true of a grid or not.

Invariant: no kind is known by its name. What a kind takes (cells, groups, value) says what is drawn
and its own check refuses what it cannot mean. The same random numbers draw the same clue.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from random import Random

from ..board import Board, Cells
from ..clue import Clue, ClueError
from . import KINDS, canonical, lowered
from .kind import Kind

TRIES = 80  # of cells for one clue
PATHS = 20  # of these, the first ones, that draw paths only
VALUES = 12  # that are tried with the same cells
LONGEST = 6  # cells of a path
SMALL = 4  # cells of each of several clues that are one


def random_clue(
    kind: Kind, digits: Sequence[int], board: Board, rng: Random, holds: Callable[[Clue], bool]
) -> Clue | None:
    """A clue that `holds` accepts; None if none was found soon.

    digits: those of a full grid, from which values are guessed.
    """
    if kind.joins:
        return _several(kind, digits, board, rng, holds)
    for number in range(TRIES):
        cells_of = _path if number < PATHS else _cells
        clue = clue_at(kind, _groups(kind, board, rng, cells_of), digits, board, rng, holds)
        if clue is not None:
            return clue
    return None


def clue_at(
    kind: Kind,
    groups: tuple[Cells, ...],
    digits: Sequence[int],
    board: Board,
    rng: Random,
    holds: Callable[[Clue], bool],
    value: str = "",
) -> Clue | None:
    """A clue on these cells that `holds` accepts, with that value, or one guessed; None if none was
    found."""
    values = [value]
    if kind.value and not value:
        cells = [digits[cell] for group in groups for cell in group]
        values = kind.value.guesses(cells, len(board.digits), rng)[:VALUES]
    for guess in values:
        try:
            clue = kind.canonical(Clue(kind.name, groups, guess), board)
        except ClueError:
            continue
        if holds(clue):
            return clue
    return None


def _several(
    kind: Kind, digits: Sequence[int], board: Board, rng: Random, holds: Callable[[Clue], bool]
) -> Clue | None:
    """Two or three small clues of kinds that stand at cells, true or not, as one."""
    kinds = [other for other in KINDS.values() if other.groups[1] and not other.whole_board]
    for _ in range(PATHS):
        some = rng.sample(kinds, rng.choice((2, 2, 3)))
        drawn = [random_clue(other, digits, board, rng, lambda part: True) for other in some]
        parts = tuple(part for part in drawn if part and _is_small(part, board))
        if len(parts) > 1 and holds(clue := canonical(Clue(kind.name, (), "", parts), board)):
            with suppress(ClueError):  # too large together
                lowered(clue, (), board)
                return clue
    return None


def _is_small(part: Clue, board: Board) -> bool:
    """Whether it speaks of few cells, and does not point at many others."""
    return len(part.cells) <= SMALL and len(lowered(part, (), board)[0]) <= SMALL * SMALL


def _groups(
    kind: Kind, board: Board, rng: Random, cells_of: Callable[[int, Board, Random], Cells]
) -> tuple[Cells, ...]:
    least, most = kind.groups
    if most == 0 or (kind.whole_board and rng.random() < 0.5):
        return ()
    count = rng.randint(least, min(most, least + 1))
    low, high = kind.cells
    lengths = (rng.randint(low, max(low, min(high, LONGEST))) for _ in range(count))
    return tuple(cells_of(length, board, rng) for length in lengths)


def _cells(length: int, board: Board, rng: Random) -> Cells:
    """A path; or a row or column, from either end; a square; or cells anywhere."""
    roll = rng.random()
    if roll < 0.3:
        return _path(length, board, rng)
    if roll < 0.7:
        line = rng.choice([*board.rows, *board.columns])
        return line[:: rng.choice((1, -1))]
    if roll < 0.85:
        rows, columns = board.extent
        corner = rng.randrange(max(1, rows - 1)), rng.randrange(max(1, columns - 1))
        squares = {board.places[cells[0]]: cells for cells in board.windows}
        return squares.get(corner) or _path(length, board, rng)
    count = rng.choice((length, len(board.digits)))
    return tuple(rng.sample(range(board.grid_cells), min(board.grid_cells, count)))


def _path(length: int, board: Board, rng: Random) -> Cells:
    """Cells each beside the one before, in a longer path sometimes at a corner; fewer if the path
    is stuck."""
    path = [rng.randrange(board.grid_cells)]
    while len(path) < length:
        row, column = board.places[path[-1]]
        corners = rng.random() < 0.2 and length > 2  # dots stand on edges
        steps = (
            ((-1, -1), (-1, 1), (1, -1), (1, 1)) if corners else ((-1, 0), (1, 0), (0, -1), (0, 1))
        )
        places = ((row + down, column + right) for down, right in steps)
        beside = (board.cell_at[place] for place in places if place in board.cell_at)
        free = [cell for cell in beside if cell not in path]
        if not free:
            break
        path.append(rng.choice(free))
    return tuple(path)
