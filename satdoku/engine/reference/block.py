"""A block of lanes under propagation, under any rules, and its lanes: a bit per puzzle.

Invariant: the state is one row per candidate: it may still be true. A lane only loses candidates
until another node is loaded into it. A lane that a sweep does not change is at the fixpoint. Lane
64 * c + i is bit i of word c.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..plan import Plan

Words = NDArray[np.uint64]
Bytes = NDArray[np.uint8]
Indices = NDArray[np.intp]

ALL = np.uint64(2**64 - 1)


def bits(words: Words) -> Bytes:
    """Words to bytes 0 or 1 along the last axis, 64 for each word, the lowest bit first."""
    little = np.ascontiguousarray(words).astype("<u8", copy=False).view(np.uint8)
    return np.unpackbits(little, axis=-1, bitorder="little")


def words(bits: NDArray[np.bool_] | Bytes) -> Words:
    """Bytes to words, the inverse of `bits`; the length of the last axis is a multiple of 64."""
    packed = np.packbits(bits, axis=-1, bitorder="little")
    return packed.view("<u8").astype(np.uint64, copy=False)


def lane_set(lanes: Indices, width: int) -> Words:
    members = np.zeros(64 * width, np.bool_)
    members[lanes] = True
    return words(members)


def lanes_of(lanes: Words) -> Indices:
    return np.flatnonzero(bits(lanes))


def _transpose(squares: Words) -> None:
    """Transpose 64x64 bit matrices in place; axis 1 is the row, axis 2 the matrix."""
    for shift in (32, 16, 8, 4, 2, 1):
        s = np.uint64(shift)
        low = ALL // np.uint64(2**shift + 1)  # the bits whose bit `shift` is clear
        pairs = squares.reshape(len(squares), 32 // shift, 2, shift, -1)
        upper, lower = pairs[:, :, 0], pairs[:, :, 1]
        swap = upper >> s
        swap ^= lower
        swap &= low
        lower ^= swap
        swap <<= s
        upper ^= swap


def nodes_of(x: Words) -> Words:
    """Rows of a block to nodes, (64 * W, words)."""
    words, width = len(x) // 64, x.shape[1]
    squares = x.reshape(words, 64, width).copy()
    _transpose(squares)
    return np.ascontiguousarray(squares.transpose(2, 1, 0)).reshape(64 * width, words)


def rows_of(nodes: Words) -> Words:
    """Nodes (64 * W, words) to rows of a block."""
    squares = np.ascontiguousarray(nodes.reshape(-1, 64, nodes.shape[1]).transpose(2, 1, 0))
    _transpose(squares)
    return squares.reshape(64 * len(squares), -1)


def any_lane(x: Words) -> Words:
    """The lanes where a bit is set anywhere."""
    lanes: Words = np.bitwise_or.reduce(x.reshape(-1, x.shape[-1]), axis=0)
    return lanes


def every_lane(x: Words) -> Words:
    """The lanes where a bit is set everywhere."""
    lanes: Words = np.bitwise_and.reduce(x.reshape(-1, x.shape[-1]), axis=0)
    return lanes


def at_least(x: Words, most: int) -> list[Words]:
    """Where at least 1, 2, ... `most` bits are set along axis 0."""
    counts = [np.zeros_like(x[0]) for _ in range(most)]
    for row in x:
        for higher, lower in zip(counts[:0:-1], counts[-2::-1], strict=True):
            higher |= lower & row
        counts[0] |= row
    return counts


def first_set(x: Words, axis: int) -> Words:
    """Only the first set bit along an axis."""
    seen = np.bitwise_or.accumulate(x, axis=axis).swapaxes(0, axis)
    first: Words = x.copy()
    first.swapaxes(0, axis)[1:] &= ~seen[:-1]
    return first


class Block:
    """Lanes under propagation. Subclasses define what a sweep does."""

    def __init__(self, plan: Plan, width: int) -> None:
        self.plan, self.width = plan, width
        self.x = np.zeros((-(-plan.variables // 64) * 64, width), np.uint64)
        self.changed, self.conflict, self.open = np.zeros((3, width), np.uint64)

    @property
    def order(self) -> tuple[int, Indices]:
        """How many cells make up the outer axis, and the cells in the order of outer, inner."""
        return 1, np.arange(self.plan.cells)

    def _apart(self, table: NDArray[Any]) -> NDArray[Any]:
        """Split the axis of candidates, the first, into (outer, n, inner)."""
        outer, cells = self.order
        shape = outer, self.plan.digits, len(cells) // outer, *table.shape[1:]
        return table[: self.plan.variables].reshape(shape)

    def encode(self, puzzles: Bytes) -> Words:
        """Puzzles, as digits or marks, to nodes."""
        plan, (outer, cells) = self.plan, self.order
        a_cell = puzzles.shape[1] // plan.cells  # bytes: one, or one a candidate
        columns = np.zeros((puzzles.shape[1], -(-len(puzzles) // 64) * 64), np.uint8)
        columns[:, : len(puzzles)] = puzzles.T
        may = np.zeros((len(self.x), columns.shape[1]), np.bool_)
        target = self._apart(may)
        by_cell = columns.reshape(plan.cells, a_cell, columns.shape[1])[cells]
        by_cell = by_cell.reshape(outer, len(cells) // outer, a_cell, columns.shape[1])
        if puzzles.shape[1] == plan.variables:
            np.not_equal(by_cell.swapaxes(1, 2), 0, out=target)
        else:
            given = by_cell[:, :, 0]
            for digit in range(plan.digits):
                np.equal(given, digit + 1, out=target[:, digit])
            target |= (given == 0)[:, None]
        return nodes_of(words(may))[: len(puzzles)]

    def _marks(self, nodes: Words) -> Bytes:
        """Nodes to (outer, n, inner, lanes) of 0 and 1."""
        padded = np.zeros((-(-len(nodes) // 64) * 64, nodes.shape[1]), np.uint64)
        padded[: len(nodes)] = nodes
        return self._apart(bits(rows_of(padded)))[..., : len(nodes)]

    def decode(self, nodes: Words) -> Bytes:
        """Nodes with one candidate a cell to digits, (lanes, cells)."""
        true = self._marks(nodes)
        digits = np.zeros(true[:, 0].shape, np.uint8)
        for digit in range(self.plan.digits):
            digits |= true[:, digit] * np.uint8(digit + 1)
        grids = np.empty((len(nodes), self.plan.cells), np.uint8)
        grids[:, self.order[1]] = digits.reshape(self.plan.cells, -1).T
        return grids

    def decode_marks(self, nodes: Words) -> Bytes:
        """Nodes to candidates 0 or 1, (lanes, variables), cell-major."""
        true = self._marks(nodes).swapaxes(1, 2).reshape(self.plan.cells, self.plan.digits, -1)
        marks = np.empty((len(nodes), self.plan.cells, self.plan.digits), np.uint8)
        marks[:, self.order[1]] = np.moveaxis(true, 2, 0)
        return marks.reshape(len(nodes), -1)

    @property
    def rows(self) -> Words:
        """The rows as (outer, n, inner, W), a view."""
        return self._apart(self.x)

    def load(self, nodes: Words, lanes: Indices) -> None:
        """Put nodes into these lanes."""
        arriving = np.zeros((64 * self.width, nodes.shape[1]), np.uint64)
        arriving[lanes] = nodes
        keep = ~lane_set(lanes, self.width)
        self.x &= keep
        self.x |= rows_of(arriving)
        self.conflict &= keep

    def begin(self) -> None:
        """Called before the first sweep after nodes were loaded."""

    def sweep(self) -> None:
        """Strike candidates; set changed, conflict and open."""
        raise NotImplementedError

    def propagate(self, busy: Words, patience: float) -> Words:
        """Sweep until at most this share of the busy lanes still changes; return these lanes."""
        few = patience * bits(busy).sum()
        self.begin()
        self.sweep()  # what the first sweep decides has yet to strike: never stop after it
        while True:
            self.sweep()
            running = self.changed & busy & ~self.conflict
            if bits(running).sum() <= few:
                return running

    def branch(self, stuck: Words) -> Words:
        """Split the stuck lanes: the first half replaces the state, the second is returned.

        Of the cells with the fewest candidates (two, three, more) the first is taken: its first
        candidate is true, or it is not.
        """
        rows = self.rows
        second: Words = self.x.copy()
        _, two, three, four = at_least(rows.swapaxes(0, 1), 4)
        here = four
        for exactly in (three & ~four, two & ~three):
            some = np.bitwise_or.reduce(exactly, axis=(0, 1))
            here = exactly | (here & ~some)
        cell = self._first_cell(here & stuck)[:, None]
        pick = first_set(rows & cell, axis=1)
        second[: self.plan.variables] &= ~pick.reshape(-1, self.width)
        rows &= ~cell | pick
        return second

    def _first_cell(self, cells: Words) -> Words:
        """Of (outer, inner, W) the first that is set, row by row on the board."""
        order = self.order[1]
        table = np.empty((len(order), self.width), np.uint64)
        table[order] = cells.reshape(table.shape)
        return first_set(table, axis=0)[order].reshape(cells.shape)
