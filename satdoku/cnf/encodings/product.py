"""At most one by product: each literal has a line and a file, and at most one of each is true.

Source: J. Chen, A New SAT Encoding of the At-Most-One Constraint, ModRef 2010. The literals of a
group form a rectangle. A group of nine forms 3x3 and takes 6 auxiliary variables and 24 clauses in
addition to its at-least-one clause; classic 9x9 has 2,673 variables and 8,100 clauses. Below seven
literals, pairwise has fewer clauses and no variables, so the formulas of 4x4 and 6x6 boards equal
those of the extended encoding.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isqrt

from ...model.constraints import Constraints
from .formula import Clause, Formula
from .groups import Fresh, encode_groups, pairwise

FEW = 6  # up to this many literals, pairwise is better


def encode(constraints: Constraints) -> Formula:
    """Encodes every group as at least one and, by a product, at most one."""
    return encode_groups(constraints, "product", at_most_one)


def at_most_one(literals: Sequence[int], fresh: Fresh) -> Iterator[Clause]:
    """Clauses on the literals, then on the lines, then on the files."""
    if len(literals) <= FEW:
        yield from pairwise(literals, fresh)
        return
    width = isqrt(len(literals) - 1) + 1  # the root, rounded up
    files = [fresh() for _ in range(width)]
    lines = [fresh() for _ in range(-(-len(literals) // width))]
    for index, literal in enumerate(literals):
        line, file = divmod(index, width)
        yield -literal, lines[line]
        yield -literal, files[file]
    yield from at_most_one(lines, fresh)
    yield from at_most_one(files, fresh)
