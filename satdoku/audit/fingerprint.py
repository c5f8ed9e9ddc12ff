"""Compute short keys for rows, to find equal rows among millions.

Invariant: equal rows have equal keys on every machine. Two different rows have the same key with
probability 2**-128, unless someone constructed them to collide. Among a billion rows, the
probability that any two collide is 2**-69. A key of two zeros stands for no key.
"""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

Keys = NDArray[np.uint64]  # (N, 2)
Places = NDArray[np.signedinteger[Any]]  # row numbers from 0


def fingerprints(rows: NDArray[Any], salt: str = "") -> Keys:
    """128-bit keys (N, 2) uint64 of rows (N, width) uint8 or bool; `salt` separates kinds of rows.

    Each half reads eight bytes at a time and mixes them by xor, multiplication with odd constants
    and shifts, like the finalizer of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014). Every step is
    one-to-one, so rows that differ only within one word of eight bytes never have the same key.
    Raises `TypeError` for values wider than a byte, whose byte order depends on the machine.
    """
    if rows.dtype.itemsize != 1:
        raise TypeError(f"rows of {rows.dtype}: expected uint8 or bool")
    count, width = rows.shape
    padded = np.zeros((count, -(-width // 8) * 8), np.uint8)
    padded[:, :width] = rows
    words = np.ascontiguousarray(padded.view("<u8").T).astype(np.uint64, copy=False)
    digest = hashlib.sha256(f"{width} {salt}".encode()).digest()
    seeds, factors = np.frombuffer(digest, "<u8").astype(np.uint64).reshape(2, 2)
    keys = np.empty((count, 2), np.uint64)
    for half in range(2):
        keys[:, half] = _mixed(words, seeds[half], factors[half] | np.uint64(1))
    return keys


def _mixed(words: NDArray[np.uint64], seed: np.uint64, factor: np.uint64) -> NDArray[np.uint64]:
    """One half of the keys, (N,), from words (width, N): each row of the input is a column here."""
    state = np.full(words.shape[1], seed, np.uint64)
    for word in words:
        state ^= word
        for multiplier, shift in ((factor, 32), (_MULTIPLIER, 29)):
            state *= multiplier
            state ^= state >> np.uint64(shift)
    return state


_MULTIPLIER = np.uint64(0xBF58476D1CE4E5B9)  # the first constant of SplitMix64


def first_equal(keys: Keys) -> Places:
    """For each of N keys, the first row with the same key (N,), the row itself if it is the first;
    -1 for a row that has no key, that is, both halves 0.

    int32, or int64 for more than 2**31 rows.
    """
    kind: type[np.signedinteger[Any]] = np.int32 if len(keys) <= 1 << 31 else np.int64
    order, new = _in_order(keys, kind)
    heads = np.where(new, np.arange(len(keys), dtype=kind), kind(0))
    first = np.empty(len(keys), kind)
    first[order] = order[np.maximum.accumulate(heads)]
    first[~keys.any(axis=1)] = -1
    return first


def _in_order(keys: Keys, kind: type[np.signedinteger[Any]]) -> tuple[Places, NDArray[np.bool_]]:
    """The rows (N,) sorted by key, equal ones in their order; and where a new key begins, (N,)."""
    order = np.argsort(keys[:, 0], kind="stable").astype(kind)
    new, differ = (_changes(keys[order, half]) for half in range(2))
    if (differ & ~new).any():  # two different keys share their first half: one in 2**64 pairs
        order = np.lexsort((keys[:, 1], keys[:, 0])).astype(kind)
        new, differ = (_changes(keys[order, half]) for half in range(2))
    return order, new | differ


def _changes(values: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Where a value differs from the one before; True for the first."""
    changes = np.ones(len(values), np.bool_)
    changes[1:] = values[1:] != values[:-1]
    return changes
