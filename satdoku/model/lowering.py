"""A relation of two cells as forbidden pairs and supports of candidates.

Invariant: a table of digits belongs to a relation and a size, whichever cells it relates.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from .kinds.kind import Allowed, Relation
from .masks import mask_of
from .rules import CandidatePair

Digits = tuple[int, ...]
Support = tuple[int, tuple[int, ...]]  # a candidate, and those of which it needs one


class Table(NamedTuple):
    """Which digits x and y, from 0, two cells can hold together.

    banned: incompatible (x, y). first, second: for each x, and for each y, the compatible digits of
    the other cell; masks: these digits as masks, those for each x before those for each y. differ:
    whether equal digits are incompatible; only_differ: whether nothing else is.
    """

    banned: tuple[tuple[int, int], ...]
    first: tuple[Digits, ...]
    second: tuple[Digits, ...]
    masks: tuple[int, ...]
    differ: bool
    only_differ: bool


class Related(NamedTuple):
    """Two cells and what their digits say of each other; or one cell twice."""

    first: int
    second: int
    table: Table

    @property
    def forbids(self) -> int:
        """How many pairs of candidates it forbids, at most; none if there is none."""
        if self.first == self.second:
            return sum(x == y for x, y in self.table.banned)
        return len(self.table.banned)


def tabled(relation: Relation, n: int) -> Related:
    """The relation as a table of the digits up to n."""
    return Related(relation.first, relation.second, _table(relation.allowed, n))


@lru_cache(maxsize=4096)
def _table(allowed: Allowed, n: int) -> Table:
    good = {(x, y) for x, y in product(range(n), repeat=2) if allowed(x + 1, y + 1)}
    banned = tuple((x, y) for x, y in product(range(n), repeat=2) if (x, y) not in good)
    first = tuple(tuple(y for y in range(n) if (x, y) in good) for x in range(n))
    second = tuple(tuple(x for x in range(n) if (x, y) in good) for y in range(n))
    differ = not any((x, x) in good for x in range(n))
    only_differ = differ and len(banned) == n
    return Table(banned, first, second, tuple(map(mask_of, first + second)), differ, only_differ)


def forbidden_pairs(related: Related) -> Iterator[CandidatePair]:
    """The pairs (low, high) that a relation forbids, and each candidate that it leaves no partner
    as a pair with itself."""
    a, b, table = related
    n = len(table.first)
    if a == b:
        yield from ((n * a + x, n * a + x) for x, y in table.banned if x == y)
        return
    low, high = n * min(a, b), n * max(a, b)
    yield from ((low + x, high + y) if a < b else (low + y, high + x) for x, y in table.banned)
    for cell, partners in ((a, table.first), (b, table.second)):
        yield from ((n * cell + x, n * cell + x) for x in range(n) if not partners[x])


def supports_of(related: Related) -> Iterator[Support]:
    """The candidates that need a partner in the other cell. If only one digit is forbidden there,
    the pair alone propagates as much."""
    a, b, table = related
    n = len(table.first)
    if a == b:
        return
    for cell, other, partners in ((a, b, table.first), (b, a, table.second)):
        for x, digits in enumerate(partners):
            if 0 < len(digits) < n - 1:
                yield n * cell + x, tuple(n * other + y for y in digits)
