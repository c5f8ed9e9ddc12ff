"""Random numbers that are the same on every machine and with every numpy.

Invariant: everything random is made from the raw 64-bit words of PCG64, which numpy promises never
to change (NEP 19), or from SplitMix64 where many small streams are needed at once, by integer
arithmetic here; numpy's own distributions may change between versions.
"""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


def random_seed() -> int:
    """An unpredictable seed: 0 to 2**32 - 1."""
    return secrets.randbelow(2**32)


class Dice:
    """One stream of random numbers, named by a seed and by its place in a tree of streams.

    The key (0, 3) is child 3 of child 0, as `numpy.random.SeedSequence` spawns them.
    """

    def __init__(self, seed: int, key: tuple[int, ...] = ()) -> None:
        self.bits = np.random.PCG64(np.random.SeedSequence(seed, spawn_key=key))

    def words(self, *shape: int) -> NDArray[np.uint64]:
        """Uniform 64-bit words."""
        words: NDArray[np.uint64] = self.bits.random_raw(int(np.prod(shape))).reshape(shape)
        return words

    def below(self, bounds: Any, *shape: int) -> Ints:
        """Uniform integers from 0 to a bound (1 to 2**20; a number or an array) less one.

        Values are scaled, not rejected, so some are likelier than others, by at most 2**-32.
        """
        scaled = (self.words(*shape) >> np.uint64(32)) * np.asarray(bounds, np.uint64)
        values: Ints = (scaled >> np.uint64(32)).astype(np.int64)
        return values

    def fractions(self, count: int) -> NDArray[np.float64]:
        """Uniform numbers in [0, 1), multiples of 2**-53."""
        whole = (self.words(count) >> np.uint64(11)).astype(np.float64)
        return whole * 2.0**-53

    def orders(self, count: int, length: int) -> Ints:
        """Random permutations of 0..length-1, (count, length)."""
        return np.argsort(self.words(count, length), axis=1, kind="stable")


class ExactDice(Dice):
    """A stream from which whole numbers are drawn with exactly the same chance each."""

    def below(self, bounds: Any, *shape: int) -> Ints:
        """As in `Dice`, with bounds up to 2**63 - 1; a word that would favour some is replaced."""
        under = np.broadcast_to(np.asarray(bounds, np.uint64), shape)
        most = np.uint64(2**64 - 1)
        beyond = most - (most % under + np.uint64(1)) % under
        words = self.words(*shape)
        while (again := words > beyond).any():
            words[again] = self.words(int(again.sum()))
        values: Ints = (words % under).astype(np.int64)
        return values

    def number(self, bound: int) -> int:
        """A uniform integer from 0 to a bound of any size less one."""
        words = -(-bound.bit_length() // 64)
        while True:
            drawn = int.from_bytes(self.words(words).astype("<u8").tobytes(), "little")
            drawn >>= 64 * words - bound.bit_length()
            if drawn < bound:
                return drawn


_STEP = np.uint64(0x9E3779B97F4A7C15)  # the constants of SplitMix64 (Steele, Lea, Flood 2014)
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


def mixed_words(seed: int, rows: Any, tries: Any, count: int) -> NDArray[np.uint64]:
    """Words (M, count) of M streams, each named by the seed and two numbers (M,): a row, a try."""
    base = Dice(seed).words(1)
    streams = mixed(base + np.asarray(rows).astype(np.uint64) * _STEP)
    streams = mixed(streams + np.asarray(tries).astype(np.uint64) * _STEP)
    return mixed(streams[:, None] + np.arange(1, count + 1, dtype=np.uint64) * _STEP)


def mixed(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The finalizer of SplitMix64."""
    words = (words ^ words >> np.uint64(30)) * _FIRST
    words = (words ^ words >> np.uint64(27)) * _SECOND
    found: NDArray[np.uint64] = words ^ words >> np.uint64(31)
    return found
