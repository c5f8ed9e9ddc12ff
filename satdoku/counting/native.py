"""Counting in C as seen from Python: what the rules say as sets of cells, filled arrays out.

Invariant: the C code checks every array that it gets, and copies and checks the tables of a rule
set once; a wrong array raises `TypeError`, `ValueError` or `BufferError`. The extension is
optional: without a compiler at install time `AVAILABLE` is false.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..model.constraints import Constraints

try:
    from . import _count
except ImportError:  # built without a compiler: `layers` counts alone
    AVAILABLE = False
else:
    AVAILABLE = True

MAX_CELLS, MAX_DIGITS = 256, 16  # of the C code
Puzzles = NDArray[np.uint8]


class Tables(NamedTuple):
    """A rule set as sets of cells, (..., words) uint64, bit i of the whole for cell i.

    group_digits (G,) uint8 and group_cells (G, words): a digit, from 0, and the cells of which
    exactly one holds it; kill_starts (variables + 1,) int32: where the entries of each candidate
    begin; kill_digits (K,) uint8 and kill_cells (K, words): a digit and the cells that cannot hold
    it if the candidate holds. A candidate that no grid has is in no group, and kills itself.
    """

    group_digits: NDArray[np.uint8]
    group_cells: NDArray[np.uint64]
    kill_starts: NDArray[np.int32]
    kill_digits: NDArray[np.uint8]
    kill_cells: NDArray[np.uint64]


def serves(constraints: Constraints) -> bool:
    """Whether the C code is there and the board is small enough for it."""
    return (
        AVAILABLE and constraints.board.cells <= MAX_CELLS and constraints.board.size <= MAX_DIGITS
    )


def count(
    constraints: Constraints, puzzles: Puzzles, budget: int
) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Grids (N,) of puzzles (N, cells), and the nodes that the search for them took (N,).

    The puzzles share the budget of nodes. The one that exceeds it is cut off one node beyond, and
    may have more grids than were found; those after it are not begun and have 0 nodes.
    """
    puzzles = np.ascontiguousarray(puzzles, np.uint8)
    grids, nodes = np.empty(len(puzzles), np.uint64), np.empty(len(puzzles), np.uint64)
    _count.count(_compiled(constraints), puzzles, budget, grids, nodes)
    return grids, nodes


@lru_cache(maxsize=16)
def _compiled(constraints: Constraints) -> _count.Tables:
    """The tables of a rule set as the C code keeps them."""
    board = constraints.board
    return _count.tables(board.size, board.cells, *tables_of(constraints))


def tables_of(constraints: Constraints) -> Tables:
    """The tables of a rule set."""
    n, cells = constraints.board.size, constraints.board.cells
    groups = [np.array(group) for group in constraints.groups]
    houses = [group for group in groups if (group % n == group[0] % n).all()]
    apart = _exclusions(constraints)
    false = apart.diagonal().copy()  # candidates that no grid has
    candidates = np.arange(constraints.variables)
    kills = apart.reshape(constraints.variables, cells, n).transpose(0, 2, 1)
    kills[candidates, :, candidates // n] = False
    kills[candidates, candidates % n, candidates // n] = false  # such a one leaves its cell none
    candidate, digit = np.nonzero(kills.any(2))
    return Tables(
        np.array([group[0] % n for group in houses], np.uint8),
        _bits(np.array([np.isin(np.arange(cells), group[~false[group]] // n) for group in houses])),
        np.searchsorted(candidate, np.arange(constraints.variables + 1)).astype(np.int32),
        digit.astype(np.uint8),
        _bits(kills[candidate, digit]),
    )


def _exclusions(constraints: Constraints) -> NDArray[np.bool_]:
    """(variables, variables): whether two candidates cannot both hold."""
    apart = np.zeros((constraints.variables, constraints.variables), np.bool_)
    a, b = np.array(constraints.exclusions).T
    apart[a, b] = apart[b, a] = True
    return apart


def _bits(sets: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Sets of cells (N, cells) bool as words (N, 2 or 4) uint64; cell 0 is the lowest bit."""
    width = 16 if sets.shape[1] <= 128 else 32
    packed = np.zeros((len(sets), width), np.uint8)
    bits = np.packbits(sets, axis=1, bitorder="little")
    packed[:, : bits.shape[1]] = bits
    return packed.view("<u8").astype(np.uint64)
