"""All Latin squares of 4x4, and all ways to cut it into connected regions of four cells."""

from __future__ import annotations

from functools import cache
from itertools import combinations, permutations, product

N = 4
CELLS = range(N * N)
EDGES = [(a, b) for a, b in combinations(CELLS, 2) if (b - a == 1 and b % N) or b - a == N]
ROWS = [[N * row + column for column in range(N)] for row in range(N)]
COLUMNS = [list(column) for column in zip(*ROWS, strict=True)]
VALUES = range(1, N + 1)


@cache
def squares():
    rows = list(permutations(VALUES))
    return [
        sum(four, ())
        for four in product(rows, repeat=N)
        if all(len(set(column)) == N for column in zip(*four, strict=True))
    ]


@cache
def partitions():
    """All ways to cut the board into connected regions of four cells, as a region of each cell."""
    near = {
        cell: [b for pair in EDGES if cell in pair for b in pair if b != cell] for cell in CELLS
    }

    def shapes(cell, free):
        found, some = set(), {frozenset([cell])}
        for _ in range(N - 1):
            some = {s | {b} for s in some for a in s for b in near[a] if b in free and b not in s}
        found |= some
        return found

    def cut(free):
        if not free:
            yield ()
            return
        for shape in shapes(min(free), free):
            yield from ((shape, *rest) for rest in cut(free - shape))

    return [
        tuple(next(i for i, s in enumerate(some) if cell in s) for cell in CELLS)
        for some in cut(frozenset(CELLS))
    ]
