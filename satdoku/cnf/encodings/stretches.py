"""A stretch of a house whose digits have a total: sandwiches and X-sums without an automaton.

Invariant: every auxiliary variable is a function of the digits. A variable for each set of digits
with the total, one for each digit that says it is used, one for each cell that says it is inside: a
cell inside holds a used digit, and any other cell a digit that is not used.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from itertools import combinations, pairwise

from ...model.shapes import Stretch
from .formula import Clause
from .shapes import Fresh, one_set

Chosen = dict[frozenset[int], int]
Inside = Generator[Clause, None, list[int]]


def stretch_clauses(said: Stretch, size: int, fresh: Fresh) -> Iterator[Clause]:
    """The clauses of a stretch; some solvers crash at an empty clause, so none is empty."""
    chosen = {some: fresh() for some in _sets(said, size)}
    if not chosen:
        impossible = size * said.cells[0] + 1
        yield from ((impossible,), (-impossible,))
        return
    used = {digit: fresh() for digit in range(1, size + 1)}
    yield from one_set(used, chosen)
    make = _counted if said.is_counted else _between
    inside = yield from make(said, size, chosen, fresh)
    for cell, within in zip(said.cells, inside, strict=True):
        for digit, literal in used.items():
            yield -(size * cell + digit), -within, literal
            yield -(size * cell + digit), within, -literal


def _sets(said: Stretch, size: int) -> Iterator[frozenset[int]]:
    """The sets of digits that the stretch may hold."""
    digits = range(1, size + 1) if said.is_counted else range(2, size)
    for count in range(said.is_counted, len(digits) + 1):
        for some in combinations(digits, count):
            if sum(some) == said.total and (not said.is_counted or count in some):
                yield frozenset(some)


def _counted(said: Stretch, size: int, chosen: Chosen, fresh: Fresh) -> Inside:
    """The first cell tells how many there are."""
    first = size * said.cells[0]
    inside = [fresh() for _ in said.cells]
    for count in range(1, size + 1):
        yield (-(first + count), *(v for some, v in chosen.items() if len(some) == count))
        yield from ((-(first + count), x if i < count else -x) for i, x in enumerate(inside))
    yield from ((-literal, first + len(some)) for some, literal in chosen.items())
    yield from ((-later, earlier) for earlier, later in pairwise(inside))
    return inside


def _between(said: Stretch, size: int, chosen: Chosen, fresh: Fresh) -> Inside:
    """The lowest and the highest digit are the crusts: among the first i cells is one or are both.

    So many cells lie between them as the set has digits.
    """
    one, both = ([fresh() for _ in range(size + 1)] for _ in range(2))
    yield from ((-one[0],), (-both[0],), (one[size],), (both[size],))
    inside = [fresh() for _ in said.cells]
    for i, cell in enumerate(said.cells):
        crusts = size * cell + 1, size * cell + size
        yield from ((-one[i], one[i + 1]), (-both[i], both[i + 1]), (-both[i + 1], one[i]))
        yield from ((-one[i + 1], one[i], *crusts), (-both[i + 1], both[i], *crusts))
        for crust in crusts:
            yield from ((-crust, one[i + 1]), (-crust, -one[i], both[i + 1]), (-crust, -both[i]))
        yield from ((-inside[i], one[i]), (-inside[i], -both[i + 1]))
        yield inside[i], -one[i], both[i + 1]
    for some, literal in chosen.items():
        for i in range(1, size - len(some) + 1):
            yield -literal, one[i - 1], -both[i + len(some)]
        for i in range(1, size - len(some)):
            yield -literal, -one[i], both[i + len(some) + 1]
    return inside
