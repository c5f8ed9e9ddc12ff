"""The least image of a puzzle under a listed group: the numpy reference of `c/listed.c`.

Invariant: the form is the least image, read row by row, with empty cells least. K cell permutations
and M renamings take K * M images a puzzle, of all puzzles at once. What the C code and the
reference know about a group, here and in `search`, is the same plain values.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Layout(NamedTuple):
    """The whole group of a board with boxes: every permutation of bands, of stacks and of the
    lines within them, and if `transposable` the exchange of rows and columns.

    Without boxes all rows are one band and all columns one stack, so that box_rows and box_columns
    are the size.
    """

    size: int
    box_rows: int
    box_columns: int
    transposable: bool
    free_digits: bool


class Listing(NamedTuple):
    """A group as a list: each source with each renaming, and then any renaming within classes.

    sources (K, cells) uint16: cell i of the image is cell source[i] of the puzzle;
    renamings (M, size + 1) uint8, [0] = 0; classes: digits 1..size, ascending in each.
    """

    size: int
    sources: NDArray[np.uint16]
    renamings: NDArray[np.uint8]
    classes: tuple[tuple[int, ...], ...]


Puzzles = NDArray[np.uint8]


def by_list(listing: Listing, puzzles: Puzzles) -> tuple[Puzzles, NDArray[np.uint32]]:
    """Forms (N, cells) of puzzles (N, cells), and by how many of the listed pairs of a source and
    a renaming each is reached (N,) uint32."""
    best = np.full_like(puzzles, 0xFF)
    reached = np.zeros(len(puzzles), np.uint32)
    for source in listing.sources:
        for renaming in listing.renamings:
            image = _renamed(listing, renaming[puzzles[:, source]])
            order = _compare(image, best)
            best[order < 0] = image[order < 0]
            reached = np.where(order < 0, 1, reached + (order == 0)).astype(np.uint32)
    return best, reached


def _renamed(listing: Listing, puzzles: Puzzles) -> Puzzles:
    """The digits of each class renamed in the order in which they come."""
    count, cells = puzzles.shape
    names = np.zeros((count, listing.size + 1), np.uint8)
    for members in listing.classes:
        if len(members) == 1:
            names[:, members[0]] = members[0]
            continue
        held = [puzzles == digit for digit in members]
        first = np.stack([np.where(h.any(1), h.argmax(1), cells) for h in held], 1)
        order = np.array(members)[np.argsort(first, 1, kind="stable")]
        np.put_along_axis(names, order, np.array(members, np.uint8)[None], 1)
    return np.take_along_axis(names, puzzles.astype(np.intp), 1)


def _compare(a: Puzzles, b: Puzzles) -> NDArray[np.int8]:
    """-1, 0 or 1 for each row of a that is below, equal to or above that of b."""
    at = (a != b).argmax(1)[:, None]
    x, y = np.take_along_axis(a, at, 1)[:, 0], np.take_along_axis(b, at, 1)[:, 0]
    return (x > y).astype(np.int8) - (x < y).astype(np.int8)
