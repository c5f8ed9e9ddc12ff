"""Relations between two digits that several kinds share.

Invariant: equal arguments give the same function, so that what follows from one is cached by it.
"""

from __future__ import annotations

from functools import cache
from operator import eq, ne

from .kind import Allowed

__all__ = [
    "apart", "differ_by", "eq", "is_less_by", "ne", "one_of", "other_class", "other_rest", "ratio",
    "sums_to", "within",
]  # fmt: skip


@cache
def one_of(digits: frozenset[int]) -> Allowed:
    """The digit is one of these; for a cell and itself."""
    return lambda x, y: x in digits


@cache
def is_less_by(gap: int) -> Allowed:
    """The second digit is greater by `gap` or more; 0 allows equal digits."""
    return lambda x, y: x + gap <= y


@cache
def apart(gap: int) -> Allowed:
    """The digits differ by `gap` or more."""
    return lambda x, y: abs(x - y) >= gap


@cache
def within(gap: int) -> Allowed:
    """The digits are different and differ by `gap` at most."""
    return lambda x, y: 0 < abs(x - y) <= gap


@cache
def differ_by(gap: int) -> Allowed:
    """The digits differ by `gap` exactly."""
    return lambda x, y: abs(x - y) == gap


@cache
def ratio(times: int) -> Allowed:
    """One digit is `times` the other."""
    return lambda x, y: x == times * y or y == times * x


@cache
def sums_to(total: int) -> Allowed:
    """The digits add up to `total`."""
    return lambda x, y: x + y == total


@cache
def other_class(width: int) -> Allowed:
    """The digits are not in the same class of `width` successive digits: 1-3, 4-6, 7-9."""
    return lambda x, y: (x - 1) // width != (y - 1) // width


@cache
def other_rest(modulus: int) -> Allowed:
    """The digits leave different rests when divided by `modulus`."""
    return lambda x, y: x % modulus != y % modulus
