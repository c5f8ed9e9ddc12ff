"""Conjugacy classes of the symmetries of a rule set, and what commutes with one of them.

Invariant: conjugate symmetries fix equally many grids, and every symmetry is in one class. Groups
of rows, of columns and of digits are small enough to be listed where the whole group is not. If any
symmetry of the rows goes with any of the columns, a class without exchange of the two is a class of
each. An exchange `t` makes one class of two such pairs, and is conjugate itself, after any other
symmetry, to `a t` for a symmetry `a` of the rows alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from math import factorial, prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..model.constraints import Constraints
from .group import MAX_LISTED, Group, SymmetryError, group
from .structure import Chain, Points, Structure, find_chain

Labels = NDArray[np.intp]

MOST_MOVES = 4000  # permutations of lines in a centralizer


class Class(NamedTuple):
    """A conjugacy class of permutations: one of its members, and how many it has."""

    member: Points
    size: int


def line_classes(constraints: Constraints) -> list[Class]:
    """The classes of permutations of lines, see `structure`; raises `SymmetryError` for a large
    group whose rows and columns move together."""
    lines = group(constraints, digits=False).lines
    rows, columns = _of_one_kind(constraints, 0), _of_one_kind(constraints, 1)
    turned = next((e for e in lines.levels[0] if e[0] % 2), None)
    if rows.order * columns.order * (1 if turned is None else 2) == lines.order:
        return list(_of_product(rows, columns, turned))
    if lines.order > MAX_LISTED:
        raise SymmetryError(f"a group of {lines.order:,} permutations of lines: too large to list")
    return _classes(lines.elements(), lines)


def digit_classes(symmetries: Group) -> list[Class]:
    """The classes of renamings of the digits 0..n-1."""
    if symmetries.free_digits:
        return [_of_cycles(lengths) for lengths in _partitions(symmetries.board.size)]
    if symmetries.digit_order > MAX_LISTED:
        raise SymmetryError(f"a digit group of order {symmetries.digit_order:,}: too large to list")
    return _classes(symmetries.renamings.elements(), symmetries.renamings)


def centralizer(constraints: Constraints, lines: Points, digits: Points) -> Group:
    """What commutes with a permutation of lines and a renaming of digits 0..n-1, as a group; a part
    of it if these are many permutations of lines."""
    structure, symmetries = Structure(constraints), group(constraints)

    def swapped(a: int, b: int) -> bool:
        swap = np.arange(len(digits))
        swap[[a, b]] = b, a
        is_known = any(a in members and b in members for members in symmetries.classes)
        return is_known and np.array_equal(swap[digits], digits[swap])

    renamings = find_chain(
        len(digits),
        lambda images: _commuting(images, digits),
        lambda found: (
            np.array_equal(found[digits], digits[found])
            and (symmetries.free_digits or structure.renames(found))
        ),
    )
    moves = find_chain(
        len(lines),
        lambda images: set(_commuting(images, lines)) & {*structure.line_options(images)},
        lambda found: np.array_equal(found[lines], lines[found]) and structure.moves(found),
    )
    classes: list[list[int]] = []
    for digit in range(len(digits)):
        for members in classes:
            if all(swapped(other, digit) for other in members):
                members.append(digit)
                break
        else:
            classes.append([digit])
    return Group(constraints.board, _small(moves), renamings, tuple(map(tuple, classes)))


def _small(moves: Chain) -> Chain:
    """A subgroup that can be listed: what fixes the first lines, as many as that takes."""
    own = np.arange(moves.points)[None]
    levels = moves.levels
    while prod(map(len, levels)) > MOST_MOVES:
        fixed = next(i for i, level in enumerate(levels) if len(level) > 1)
        levels = (*[own] * (fixed + 1), *levels[fixed + 1 :])
    return Chain(moves.points, levels)


def _commuting(images: list[int], permutation: Points) -> list[int]:
    """Images of the next point that a permutation which commutes with the given one may have."""
    point = len(images)
    known = [int(permutation[images[q]]) for q in range(point) if permutation[q] == point]
    return [at for at in known or range(len(permutation)) if at not in images]


def _of_one_kind(constraints: Constraints, kind: int) -> Chain:
    """The symmetries that move rows only (kind 0), or columns only (1)."""
    structure = Structure(constraints)

    def options(images: list[int]) -> Iterator[int]:
        line = len(images)
        allowed = structure.line_options(images)
        return (at for at in allowed if at % 2 == line % 2 and (line % 2 == kind or at == line))

    return find_chain(2 * structure.size, options, structure.moves)


def _of_product(rows: Chain, columns: Chain, turn: Points | None) -> Iterator[Class]:
    """The classes of all products of rows and columns, and, with one exchange of both, of all."""
    of_rows = _classes(rows.elements(), rows)
    if turn is None:
        for down in of_rows:
            for right in _classes(columns.elements(), columns):
                yield Class(down.member[right.member], down.size * right.size)
        return
    back = np.argsort(turn)
    for i, down in enumerate(of_rows):
        for other in of_rows[i:]:
            size = down.size * other.size * (1 if other is down else 2)
            yield Class(down.member[back[other.member[turn]]], size)
    for member, size in _classes(rows.elements(), rows, turn[turn]):
        yield Class(member[turn], size * columns.order)


def _classes(elements: Points, chain: Chain, turn: Points | None = None) -> list[Class]:
    """The classes of elements under e -> s e s' for all s of the group, where s' undoes s, or what
    becomes of s between `turn` and its inverse."""
    index = {row.tobytes(): i for i, row in enumerate(elements)}
    images = []
    for s in np.unique(np.concatenate(chain.levels), axis=0):
        undone = np.argsort(s if turn is None else turn[s[np.argsort(turn)]])
        moved = np.ascontiguousarray(s[elements[:, undone]])
        images.append(np.array([index[row.tobytes()] for row in moved]))
    _, firsts, sizes = np.unique(joined(images), return_index=True, return_counts=True)
    return [Class(elements[i], n) for i, n in zip(firsts.tolist(), sizes.tolist(), strict=True)]


def joined(images: list[Labels]) -> Labels:
    """The least point of each point's class, if every point is equivalent to its images."""
    label = np.arange(len(images[0]))
    while True:
        before = label.copy()
        for image in images:
            least = np.minimum(label, label[image])
            np.minimum.at(least, image, label)
            label = least
        if np.array_equal(label, before):
            return label


def _of_cycles(lengths: tuple[int, ...]) -> Class:
    """The class of all permutations with cycles of these lengths."""
    member, start = [], 0
    for length in lengths:
        member += [*range(start + 1, start + length), start]
        start += length
    fixing = prod(length**n * factorial(n) for length, n in Counter(lengths).items())
    return Class(np.array(member), factorial(start) // fixing)


@cache
def _partitions(n: int, most: int | None = None) -> list[tuple[int, ...]]:
    """The ways to write n as a sum of numbers that do not grow."""
    if n == 0:
        return [()]
    parts = range(min(n, most or n), 0, -1)
    return [(part, *rest) for part in parts for rest in _partitions(n - part, part)]
