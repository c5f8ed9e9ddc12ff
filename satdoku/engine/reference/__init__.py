"""The engine in numpy: the reference, and the engine that runs if there was no compiler.

Invariant: the same rules and the same answers as the C kernel, one whole-array operation a line. A
block gives each of 64 * W puzzles one bit (a "lane") of a row of W words.

| array   | shape                   | bit set where                                     |
|---------|-------------------------|---------------------------------------------------|
| x       | (64 * words, W)         | the candidate may still be true                   |
| rows    | (outer, n, inner, W)    | x as [cell, digit, cell]: see `Block.order`      |
| nodes   | (lanes, words)          | x transposed: one node a row                      |
| lanes   | (W,)                    | a set of lanes: changed, conflict, open, busy ... |
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...errors import Status
from ..plan import Plan
from .lanes import Bytes, bits, lane_set, nodes_of
from .search import BLOCK_WORDS, LaneSearch, open_block


def solve(
    plan: Plan, puzzles: Bytes, limit: int, budget: int
) -> tuple[Bytes, Bytes, NDArray[np.uint32]]:
    """Statuses (N,), solutions (N, cells) and nodes (N,) of puzzles (N, cells or variables)."""
    search = _searched(plan, puzzles, limit, budget)
    return search.status, search.solutions, search.nodes


def count(
    plan: Plan, puzzles: Bytes, budget: int
) -> tuple[Bytes, NDArray[np.uint64], NDArray[np.uint32]]:
    """Statuses (N,), numbers of solutions (N,) and nodes (N,) of puzzles as for `solve`."""
    search = _searched(plan, puzzles, 0, budget)
    return search.status, search.grids, search.nodes


def listed(
    plan: Plan, puzzles: Bytes, room: int, budget: int
) -> tuple[Bytes, NDArray[np.uint64], Bytes]:
    """Statuses (N,), numbers of solutions (N,), solutions (N, room, cells), as `kernel.listed`."""
    search = _searched(plan, puzzles, 0, budget, room)
    for row in np.flatnonzero((search.status == Status.NONE) & (search.grids > 1)).tolist():
        found = search.listed[row, : int(search.grids[row])]
        found[:] = found[np.lexsort(found.T[::-1])]
    return search.status, search.grids, search.listed


def _searched(plan: Plan, puzzles: Bytes, limit: int, budget: int, room: int = 0) -> LaneSearch:
    search = LaneSearch(plan, puzzles, limit, budget, room)
    while search.refill():
        search.branch_and_retire(search.block.propagate(search.busy, patience=0.4))
    return search


def propagate(plan: Plan, puzzles: Bytes) -> tuple[Bytes, Bytes]:
    """Candidates left (N, variables), cell-major, and conflicts (N,), both 0 or 1."""
    candidates = np.empty((len(puzzles), plan.variables), np.uint8)
    conflict = np.empty(len(puzzles), np.uint8)
    for first in range(0, len(puzzles), 64 * BLOCK_WORDS):
        part = slice(first, min(first + 64 * BLOCK_WORDS, len(puzzles)))
        lanes = np.arange(part.stop - first)
        block = open_block(plan, len(lanes))
        block.load(block.encode(puzzles[part]), lanes)
        block.propagate(lane_set(lanes, block.width), patience=0)
        candidates[part] = block.decode_marks(nodes_of(block.x)[lanes])
        conflict[part] = bits(block.conflict)[lanes]
    return candidates, conflict
