"""Bits, nodes and lanes: the transposition between a bit per puzzle and a bit per candidate.

Invariant: lane 64 * c + i is bit i of word c. Nothing here knows what a candidate is.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

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
