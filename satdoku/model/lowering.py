"""A relation of two cells as forbidden pairs and supports of candidates.

Invariant: a table of digits belongs to a relation and a size, whichever cells it relates.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from .kinds.kind import Allowed, Relation
from .rules import CandidatePair

Digits = tuple[int, ...]
Support = tuple[int, tuple[int, ...]]  # a candidate, and those of which it needs one


class _Table(NamedTuple):
    """What two digits x and y, from 0, say of each other.

    banned: (x, y) that do not go together. first, second: for each x, and for each y, the digits of
    the other cell that do.
    """

    banned: tuple[tuple[int, int], ...]
    first: tuple[Digits, ...]
    second: tuple[Digits, ...]


@lru_cache(maxsize=4096)
def _table(allowed: Allowed, n: int) -> _Table:
    good = {(x, y) for x, y in product(range(n), repeat=2) if allowed(x + 1, y + 1)}
    banned = tuple((x, y) for x, y in product(range(n), repeat=2) if (x, y) not in good)
    first = tuple(tuple(y for y in range(n) if (x, y) in good) for x in range(n))
    second = tuple(tuple(x for x in range(n) if (x, y) in good) for y in range(n))
    return _Table(banned, first, second)


def forbidden_pairs(relation: Relation, n: int) -> Iterator[CandidatePair]:
    """The pairs (low, high) that a relation forbids, and each candidate that it leaves no partner
    as a pair with itself."""
    a, b, allowed = relation
    table = _table(allowed, n)
    if a == b:
        yield from ((n * a + x, n * a + x) for x, y in table.banned if x == y)
        return
    low, high = n * min(a, b), n * max(a, b)
    yield from ((low + x, high + y) if a < b else (low + y, high + x) for x, y in table.banned)
    for cell, partners in ((a, table.first), (b, table.second)):
        yield from ((n * cell + x, n * cell + x) for x in range(n) if not partners[x])


def supports_of(relation: Relation, n: int) -> Iterator[Support]:
    """The candidates that need a partner in the other cell. If only one digit is forbidden there,
    the pair alone propagates as much."""
    a, b, allowed = relation
    if a == b:
        return
    table = _table(allowed, n)
    for cell, other, partners in ((a, b, table.first), (b, a, table.second)):
        for x, digits in enumerate(partners):
            if 0 < len(digits) < n - 1:
                yield n * cell + x, tuple(n * other + y for y in digits)
