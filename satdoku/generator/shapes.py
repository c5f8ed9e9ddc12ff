"""Where givens may stand: orbits of cells under a symmetry of the square, and patterns.

Invariant: a symmetry here moves cells only, and is one of the square, whatever the rules are. It is
the pattern of givens that is symmetric, not the digits.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ..model.board import Board
from .dice import Ints
from .errors import GeneratorError

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


def orbits_of(symmetry: str, board: Board) -> Ints:
    """The orbit of each cell (cells,), numbered 0, 1, ... as they appear."""
    if symmetry not in SYMMETRIES:
        raise GeneratorError(f"no symmetry '{symmetry}': choose from {', '.join(SYMMETRIES)}")
    square = np.arange(board.cells).reshape(board.size, board.size)
    moves = [move(square).ravel() for move in SYMMETRIES[symmetry]]
    least = np.arange(board.cells)
    for _ in range(4):  # no cell is more moves away from the least cell of its orbit
        for move in moves:
            least = np.minimum(least, least[move])
    return np.unique(least, return_inverse=True)[1].ravel()


def pattern_of(text: str, board: Board) -> Mask:
    """The cells (cells,) that a mask names: one character a cell, `.`, `0`, `-` or `_` for an
    empty one and any other for a given; white space does not count."""
    symbols = "".join(text.split())
    if len(symbols) != board.cells:
        size = f"{board.size}x{board.size}"
        raise GeneratorError(
            f"pattern of {len(symbols)} characters: expected {board.cells}, one a cell ({size})"
        )
    return np.array([symbol not in ".0-_" for symbol in symbols])
