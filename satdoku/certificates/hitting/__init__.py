"""Hitting sets: some cells of each of many sets, so few of them in all.

Invariant: every set of `size` cells that hits all sets is found once, in exactly one task. Nothing
here knows what a cell is, so that the check of certificates may use it.

A set of cells is a number whose bit i stands for cell i, or the same as 16 bytes, little end first.
Many sets are the bytes of one after the other. There is no numpy: `verify` loads this.

The cells are shared among three parts. One of them holds at least a third of any hitting set, so
that few cells are left for the two others, and what lies within these is hit first. So there are
three searches, one for each part that may have the most; of several it is the first.

Sources: G. McGuire, B. Tugemann, G. Civario, There is no 16-Clue Sudoku, Experimental Mathematics
23 (2014); `c/hitting.c` names the others.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from . import reference

try:
    if sys.byteorder != "little":
        raise ImportError("sets of cells are little-endian")
    from ._hitting import search as _compiled
except ImportError:  # such a machine, or built without a compiler
    _compiled = reference.search
COMPILED = _compiled is not reference.search

MAX_CELLS = 128
BYTES = 16
_IN_A_WORD = 64  # cells of two parts, or of the third
_PATIENCE = 4096  # hitting sets between two polls

Ask = Callable[[bytes], bytes | None]
Poll = Callable[[], object]
Sets = bytes


class Task(NamedTuple):
    """Hitting sets that hold the cells `given`, none of `barred`, and most in the part `last`."""

    last: int
    given: int
    barred: int


class Found(NamedTuple):
    """The hitting sets of a task, what was learnt by asking, and the nodes."""

    hitting: list[int]
    learnt: Sets
    nodes: int


def as_bytes(cells: int) -> bytes:
    """A set of cells as 16 bytes."""
    return cells.to_bytes(BYTES, "little")


def as_number(cells: bytes) -> int:
    """A set of cells as a number, from 16 bytes."""
    return int.from_bytes(cells, "little")


def as_cells(cells: int) -> list[int]:
    """The cells of a set, ascending."""
    return [cell for cell in range(cells.bit_length()) if cells >> cell & 1]


def as_sets(sets: Iterable[int]) -> Sets:
    """Sets of cells, those of few cells first, as searches like them."""
    return b"".join(map(as_bytes, sorted(sets, key=lambda cells: (cells.bit_count(), cells))))


def numbers(sets: Sets) -> list[int]:
    """The sets as numbers."""
    return [as_number(sets[at : at + BYTES]) for at in range(0, len(sets), BYTES)]


def serves(parts: Sequence[int]) -> bool:
    """Whether boards whose cells lie in these parts are small enough."""
    of = Counter(parts)
    return len(parts) <= MAX_CELLS and all(
        of[last] <= _IN_A_WORD and len(parts) - of[last] <= _IN_A_WORD for last in range(3)
    )


def tasks(sets: Sets, parts: Sequence[int], size: int, depth: int) -> list[Task]:
    """The whole search in pieces that do not overlap: its nodes after some cells."""
    known, found = numbers(sets), []
    for last in range(3):
        beyond = sum(1 << cell for cell, part in enumerate(parts) if part == last)
        nodes = [Task(last, 0, 0)]
        for _ in range(min(depth, size)):
            nodes = [child for node in nodes for child in _children(node, known, beyond)]
        found += nodes
    return found


def _children(node: Task, sets: list[int], beyond: int) -> Iterator[Task]:
    """What follows from one set that is not hit, one within two parts if there is any."""
    left = [cells & ~node.barred for cells in sets if not cells & node.given]
    if not left:
        yield node
        return
    choice = min(left, key=lambda cells: (cells & beyond > 0, cells.bit_count()))
    weights = {cell: sum(cells >> cell & 1 for cells in left) for cell in as_cells(choice)}
    barred = node.barred
    for cell in sorted(weights, key=lambda cell: (-weights[cell], cell)):
        yield Task(node.last, node.given | 1 << cell, barred)
        barred |= 1 << cell


def search(
    sets: Sets,
    parts: Sequence[int],
    size: int,
    task: Task,
    *,
    ask: Ask | None = None,
    poll: Poll = lambda: None,
    enough: int | None = None,
    compiled: bool = COMPILED,
) -> Found:
    """The hitting sets of a task.

    parts: the part of each cell, 0 to 2. ask: gets some cells as 16 bytes, and tells a set that
    they do not hit, or None; such sets join the others. poll: called now and then. enough: stop
    after so many. Exceptions of `ask` and `poll` end the search.
    """
    order = [part for part in range(3) if part != task.last] + [task.last]
    places = bytes(order.index(part) for part in parts)
    strict0, strict1 = (int(part < task.last) for part in order[:2])
    hitting: list[int] = []

    def keep(held: bytes, avoided: bytes) -> None:
        whole = _whole(as_number(held), as_number(avoided), size, len(parts))
        for number, cells in enumerate(whole):  # few cells held leave astronomically many
            if number % _PATIENCE == 0:
                poll()
            if _last_of(cells, parts) == task.last:
                hitting.append(cells)
                if len(hitting) == enough:
                    raise _Enough

    run = _compiled if compiled else reference.search
    given, barred = as_bytes(task.given), as_bytes(task.barred)
    try:
        nodes, learnt = run(sets, places, size, strict0, strict1, given, barred, ask, keep, poll)
    except _Enough:
        return Found(hitting, b"", 0)
    return Found(hitting, learnt, nodes)


class _Enough(Exception):
    """As many hitting sets were found as are wanted."""


def _whole(given: int, barred: int, size: int, cells: int) -> Iterator[int]:
    """Every set of `size` cells with the given ones and without the barred ones."""
    free = [1 << cell for cell in range(cells) if not (given | barred) >> cell & 1]
    for more in combinations(free, size - given.bit_count()):
        yield given | sum(more)


def _last_of(cells: int, parts: Sequence[int]) -> int:
    """The part that has the most of these cells, the first of several."""
    of = Counter(parts[cell] for cell in as_cells(cells))
    return max(range(3), key=lambda part: of[part])
