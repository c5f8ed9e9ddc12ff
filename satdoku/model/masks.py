"""Sets of small numbers (cells, candidates, states) as the bits of an integer.

Invariant: bit k stands for the number k, and for nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator


def mask_of(members: Iterable[int]) -> int:
    """The set of these numbers."""
    mask = 0
    for member in members:
        mask |= 1 << member
    return mask


def bits(mask: int) -> Iterator[int]:
    """The members of a set, ascending."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest
