"""Which cells hold the givens: orbits under a symmetry, patterns, and givens taken away.

Invariant: a symmetry here moves cells only, and is one of the square, whatever the rules are. It is
the pattern of givens that is symmetric, not the digits.

Givens are taken away from many puzzles at once while each solution stays unique. Each puzzle ends
as if its orbits of givens were tried one by one, in its order, and each taken away if the solution
stays unique. Trying several together only saves questions: fewer givens never mean fewer solutions,
so if some orbits can go together, each can go after those before it.

A puzzle of a pattern is the part of a random grid that the pattern shows, kept only if it has one
solution; nothing is changed to reach that. So every unique puzzle of the pattern is as likely as
any other, as far as grids are uniform. The price is that most grids fail. A random grid costs time,
so each is used many times: the symmetries of the rules turn it into other grids, each as random as
the first.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ..model.board import Board
from ..model.constraints import Constraints
from ..runtime.errors import counted, no_such
from ..symmetry.group import digit_group
from ..symmetry.structure import Structure, cells_of
from .dice import Dice, Ints
from .grids import random_grids, scrambled
from .oracle import GeneratorError, Grids, unique
from .watch import begin

Mask = NDArray[np.bool_]

# Each as the moves of an (n, n) array of cells that generate it.
SYMMETRIES: dict[str, tuple[Callable[[Ints], Ints], ...]] = {
    "none": (),
    "rot180": (lambda square: np.rot90(square, 2),),
    "rot90": (np.rot90,),
    "mirror": (np.fliplr,),
    "flip": (np.flipud,),
    "diagonal": (np.transpose,),
    "antidiagonal": (lambda square: np.rot90(square, 2).T,),
    "mirrors": (np.fliplr, np.flipud),
    "diagonals": (np.transpose, lambda square: np.rot90(square, 2).T),
    "full": (np.rot90, np.transpose),
}


def moves_of(symmetry: str, board: Board) -> list[Ints]:
    """Where each cell of the grids goes, for each move that generates the symmetry."""
    if symmetry not in SYMMETRIES:
        raise GeneratorError(no_such("symmetry", symmetry, SYMMETRIES))
    square = np.full(board.extent, -1)
    square[tuple(np.transpose(board.places))] = np.arange(board.grid_cells)
    moves = []
    for move in SYMMETRIES[symmetry]:
        image = move(square)
        if image.shape != square.shape or ((image < 0) != (square < 0)).any():
            raise GeneratorError(f"{board.in_words} does not have the symmetry '{symmetry}'")
        moves.append(image[square >= 0])
    return moves


def orbits_of(symmetry: str, board: Board) -> Ints:
    """The orbit of each cell of the grids, numbered 0, 1, ... as they appear."""
    least = np.arange(board.grid_cells)
    moves = moves_of(symmetry, board)
    for _ in range(4):  # no cell is more moves away from the least cell of its orbit
        for moved in moves:
            least = np.minimum(least, least[moved])
    return np.unique(least, return_inverse=True)[1].ravel()


def pattern_of(text: str, board: Board) -> Mask:
    """The cells (cells,) that a mask names: one character a cell, `.`, `0`, `-` or `_` for an
    empty one and any other for a given; white space does not count."""
    symbols = "".join(text.split())
    if len(symbols) != board.grid_cells:
        raise GeneratorError(
            f"pattern of {counted(len(symbols), 'character')}: expected {board.grid_cells}, one a "
            f"cell ({board.shape if board.is_usual else board.in_words})"
        )
    return np.array([symbol not in ".0-_" for symbol in symbols.ljust(board.cells, "0")])


_NONE = np.int16(1 << 14)  # an end, above all orbits, of puzzles where nothing is known


def taken_away(
    puzzles: Grids,
    constraints: Constraints,
    orbits: Ints,
    orders: Ints,
    least: Ints | int = 0,
    listed: Grids | None = None,
) -> Grids:
    """The puzzles (N, cells), each with one solution, without the givens that can go.

    orbits: the index of the orbit of each cell of the grids; orbits go as a whole. orders: (N,
    orbits) the order in which each puzzle's orbits are tried. least: (N,) the fewest givens to
    leave. listed: all grids under the rules, where they are known.
    """
    begin("taking givens away")
    puzzles = puzzles.copy()
    tries = _Tries(orbits, orders, np.broadcast_to(np.asarray(least), len(puzzles)))
    rows = np.arange(len(puzzles))
    while len(rows := rows[~tries.done(rows)]):
        trials = tries.without(puzzles, rows)
        enough = (trials > 0).sum(axis=1) >= tries.least[rows]
        gone = enough.copy()
        gone[enough] = unique(trials[enough], constraints, listed)
        puzzles[rows[gone]] = trials[gone]
        tries.note(rows, gone)
    return puzzles


class _Tries:
    """Where each puzzle stands in its order: the next `spans` orbits from `places` on are tried
    together, half as many after each failure.

    Then orbits `places` to `ends` - 1 are known not to go together. So they are halved until one is
    found that cannot go after those before it.
    """

    def __init__(self, orbits: Ints, orders: Ints, least: NDArray[np.int64]) -> None:
        count, self.orbits = orders.shape
        ranks = np.empty(orders.shape, np.int16)
        np.put_along_axis(ranks, orders, np.arange(self.orbits, dtype=np.int16)[None], axis=1)
        self.ranks = ranks[:, orbits]  # (N, cells): when a cell's orbit is tried
        self.least = least
        self.places = np.zeros(count, np.int16)
        self.spans = np.full(count, max(1, self.orbits // 3), np.int16)
        self.ends = np.full(count, _NONE, np.int16)

    def done(self, rows: Ints) -> NDArray[np.bool_]:
        finished: NDArray[np.bool_] = self.places[rows] >= self.orbits
        return finished

    def tried(self, rows: Ints) -> NDArray[np.int16]:
        """How many of each row's orbits are tried now, 1 or more."""
        places, ends = self.places[rows], self.ends[rows]
        return np.where(ends < _NONE, (ends - places) // 2, self.spans[rows])

    def without(self, puzzles: Grids, rows: Ints) -> Grids:
        """The rows' puzzles without the givens that are tried now."""
        ranks, first = self.ranks[rows], self.places[rows, None]
        tried = (ranks >= first) & (ranks < first + self.tried(rows)[:, None])
        fewer = puzzles[rows]
        fewer[:, : tried.shape[1]][tried] = 0
        return fewer

    def note(self, rows: Ints, gone: NDArray[np.bool_]) -> None:
        """Note whether the givens that were tried could go."""
        behind, ends, spans = (
            self.places[rows] + self.tried(rows),
            self.ends[rows],
            self.spans[rows],
        )
        self.spans[rows] = np.where(gone | (ends < _NONE), spans, np.maximum(1, spans // 2))
        places, ends = np.where(gone, behind, self.places[rows]), np.where(gone, ends, behind)
        stays = places == ends - 1
        self.places[rows] = np.where(stays, ends, places)
        self.ends[rows] = np.where(stays, _NONE, ends)


def is_minimal(puzzles: Grids, constraints: Constraints) -> NDArray[np.bool_]:
    """Which puzzles (N, cells), each with one solution, have no given that could go."""
    rows, cells = np.nonzero(puzzles)
    trials = puzzles[rows]
    trials[np.arange(len(rows)), cells] = 0
    spare = np.bincount(rows[unique(trials, constraints)], minlength=len(puzzles))
    minimal: NDArray[np.bool_] = spare == 0
    return minimal


SIDES = 32  # images of each grid; one if the rules need a session, as they keep the identity only


def seen_through(count: int, pattern: Mask, constraints: Constraints, dice: Dice) -> Grids:
    """The unique puzzles that the pattern shows of so many random grids, (at most count, cells).

    Of the images of one grid only the first is kept.
    """
    sides = 1 if constraints.needs_session else SIDES
    grids = random_grids(-(-count // sides), constraints, dice)
    images = scrambled(np.repeat(grids, sides, axis=0), constraints, dice)
    puzzles = np.where(pattern, images, np.uint8(0))
    rows = np.flatnonzero(unique(puzzles, constraints))
    _, first = np.unique(rows // sides, return_index=True)
    return puzzles[rows[first]]


def check_pattern(pattern: Mask, constraints: Constraints) -> None:
    """Raise `GeneratorError` if no puzzle of the pattern can have exactly one solution.

    Two reasons are checked: two lines without givens that can be swapped under the rules, and too
    few givens to tell apart all digits that can be renamed into each other. There are others.
    """
    board = constraints.board
    widest = max(map(len, digit_group(constraints)[1]))
    if pattern.sum() < widest - 1:
        found = f"pattern of {counted(pattern.sum(), 'given')}"
        raise GeneratorError(
            f"{found}: {constraints.name} needs {widest - 1} or more, all digits but one"
        )
    if not board.is_usual:
        return  # whose lines are not swapped
    size, structure = board.size, Structure(constraints)
    square = pattern.reshape(size, size)
    for axis, name in ((1, "row"), (0, "column")):
        empty = np.flatnonzero(~square.any(axis=axis)).tolist()
        for a, b in combinations(empty, 2):
            lines = np.arange(2 * size)
            first, second = (2 * a, 2 * b) if name == "row" else (2 * a + 1, 2 * b + 1)
            lines[[first, second]] = second, first
            if structure.preserved_by(cells_of(lines), np.arange(size)):
                raise GeneratorError(
                    f"pattern without givens in {name}s {a + 1} and {b + 1}, which can be swapped: "
                    "no such puzzle has one solution"
                )
