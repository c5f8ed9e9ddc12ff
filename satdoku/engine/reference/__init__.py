"""The engine in numpy: the reference, and the engine that runs if there was no compiler.

Invariant: the same rules and the same answers as the C kernel, one whole-array operation a line. A
block gives each of 64 * W puzzles one bit (a "lane") of a row of W words. The search is depth first
over a pool of nodes, the newest first, a block at a time: as in `search.h`, the status of a puzzle
changes only as its nodes are solved, and a puzzle that is answered for good costs nothing more.

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

from ...runtime.errors import Status
from ..plan import Plan
from .block import Block, Bytes, Indices, Words, bits, lane_set, lanes_of, nodes_of
from .generic import Classic, Extended, Generic

BLOCK_WORDS = 96  # of 64 lanes each: more would save calls, fewer keep the block in the cache


def open_block(plan: Plan, puzzles: int) -> Block:
    """A block for this many puzzles, of the kind that the plan needs."""
    width = min(BLOCK_WORDS, -(-puzzles // 64)) or 1
    if not plan.classic:
        return Generic(plan, width)
    return Extended(plan, width) if len(plan.groups) else Classic(plan, width)


class LaneSearch:
    """The search: the newest nodes go first, and at most a block at a time."""

    def __init__(self, plan: Plan, puzzles: Bytes, limit: int, budget: int, room: int = 0) -> None:
        """room: of how many solutions of each puzzle there is room in `listed`, with limit 0."""
        count = len(puzzles)
        self.plan, self.puzzles, self.limit, self.budget = plan, puzzles, limit, budget
        self.listed = np.empty((count, room, plan.cells), np.uint8)
        self.status = np.full(count, Status.NONE, np.uint8)
        self.solutions = np.zeros((count, plan.cells), np.uint8)
        self.grids = np.zeros(count, np.uint64)  # solutions, where all are counted: limit 0
        self.nodes = np.zeros(count, np.uint32)
        self.next = 0
        self._open_block(count)
        self.pool: list[tuple[Words, Indices]] = []  # stacks of (nodes, puzzles)

    def refill(self) -> bool:
        """Fill free lanes from the pool, then with new puzzles; False if nothing is left to do."""
        self._shrink()
        free = np.flatnonzero(bits(self.busy) == 0)
        nodes, puzzles = self._take(len(free))
        if len(nodes):
            lanes = free[: len(nodes)]
            self.block.load(nodes, lanes)
            self.puzzle[lanes] = puzzles
            self.busy |= lane_set(lanes, self.block.width)
        return bool(self.busy.any())

    def _shrink(self) -> None:
        """If what is left fills less than half of the block, go on with a narrower one."""
        lanes = lanes_of(self.busy)
        left = len(self.puzzles) - self.next + len(lanes) + sum(len(p) for _, p in self.pool)
        if 64 * self.block.width < 2 * left or self.block.width == 1 or not left:
            return
        if len(lanes):
            self.pool.append((nodes_of(self.block.x)[lanes], self.puzzle[lanes]))
            np.subtract.at(self.nodes, self.puzzle[lanes], 1)  # not spent again when taken again
        self._open_block(left)

    def _open_block(self, puzzles: int) -> None:
        self.block = open_block(self.plan, puzzles)
        self.busy = np.zeros(self.block.width, np.uint64)
        self.puzzle = np.zeros(64 * self.block.width, np.intp)  # what a lane works on

    def _take(self, most: int) -> tuple[Words, Indices]:
        """At most this many nodes that still matter, and their puzzles."""
        taken = [(np.empty((0, len(self.block.x) // 64), np.uint64), np.empty(0, np.intp))]
        while most and (self.pool or self.next < len(self.puzzles)):
            nodes, puzzles = self._take_old(most) if self.pool else self._take_new(most)
            keep = self._spend(puzzles)
            taken.append((nodes[keep], puzzles[keep]))
            most -= len(taken[-1][1])
        return np.concatenate([n for n, _ in taken]), np.concatenate([p for _, p in taken])

    def _take_old(self, most: int) -> tuple[Words, Indices]:
        nodes, puzzles = self.pool.pop()
        if len(nodes) > most:
            self.pool.append((nodes[:-most], puzzles[:-most]))
        return nodes[-most:], puzzles[-most:]

    def _take_new(self, most: int) -> tuple[Words, Indices]:
        puzzles = np.arange(self.next, min(self.next + most, len(self.puzzles)))
        self.next += len(puzzles)
        if self.puzzles.shape[1] == self.plan.cells:
            bad = (self.puzzles[puzzles] > self.plan.digits).any(axis=1)
            self.status[puzzles[bad]] = Status.INVALID
            puzzles = puzzles[~bad]
        return self.block.encode(self.puzzles[puzzles]), puzzles

    def _spend(self, puzzles: Indices) -> NDArray[np.bool_]:
        """Spend a node of each puzzle; False if it is answered already or cannot afford one."""
        over = self.nodes[puzzles] >= self.budget
        self.status[puzzles[over & self._open(puzzles)]] = Status.UNKNOWN
        keep = self._open(puzzles)
        np.add.at(self.nodes, puzzles[keep], 1)
        return keep

    def _open(self, puzzles: Indices) -> NDArray[np.bool_]:
        """Whether the puzzles are not yet answered for good."""
        status = self.status[puzzles]
        unanswered: NDArray[np.bool_] = (status == Status.NONE) | (status == Status.UNIQUE)
        return unanswered

    def branch_and_retire(self, running: Words) -> None:
        """Record solved lanes, split stuck ones, and free the others that do not run."""
        block = self.block
        halted = self.busy & ~running & ~block.conflict
        self.busy = running
        solved, stuck = halted & ~block.open, halted & block.open
        nodes = nodes_of(block.branch(stuck))
        self._record(lanes_of(solved), nodes)
        lanes = lanes_of(stuck)
        lanes = lanes[self._spend(self.puzzle[lanes])]
        self.busy = running | lane_set(lanes, block.width)
        if len(lanes):
            self.pool.append((nodes[lanes], self.puzzle[lanes]))

    def _record(self, lanes: Indices, nodes: Words) -> None:
        """The first solution of a puzzle is kept; a second one makes it MULTIPLE."""
        if self.listed.size:
            self._list(lanes, nodes)
            return
        if self.limit == 0:
            np.add.at(self.grids, self.puzzle[lanes], np.uint64(1))
            return
        lanes = lanes[self._open(self.puzzle[lanes])]
        puzzles, first, times = np.unique(self.puzzle[lanes], return_index=True, return_counts=True)
        known = self.status[puzzles] == Status.UNIQUE
        fresh = ~known
        self.solutions[puzzles[fresh]] = self.block.decode(nodes[lanes[first[fresh]]])
        if self.limit == 1:
            self.status[puzzles] = Status.SOLVED
        else:
            self.status[puzzles] = np.where(known | (times > 1), Status.MULTIPLE, Status.UNIQUE)

    def _list(self, lanes: Indices, nodes: Words) -> None:
        """All solutions are kept as far as there is room; one more makes a puzzle MULTIPLE."""
        lanes = lanes[self._open(self.puzzle[lanes])]
        lanes = lanes[np.argsort(self.puzzle[lanes], kind="stable")]
        puzzles = self.puzzle[lanes]
        found, first, times = np.unique(puzzles, return_index=True, return_counts=True)
        place = self.grids[puzzles].astype(np.intp) + np.arange(len(puzzles)) - first.repeat(times)
        fits = place < self.listed.shape[1]
        self.listed[puzzles[fits], place[fits]] = self.block.decode(nodes[lanes[fits]])
        self.grids[found] += times.astype(np.uint64)
        self.status[found[self.grids[found] > self.listed.shape[1]]] = Status.MULTIPLE
        np.minimum(self.grids, np.uint64(self.listed.shape[1]), out=self.grids)


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
