"""Find rows that are the same puzzle or have the same solution, within a file and between files.

Invariant: only keys are compared. A row counts once: as a repeat up to symmetry only if it is no
exact one, and for its solution grid only if its puzzle is no repeat. If several rows of a file are
equal, all but the first are repeats.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .rows import Places
from .tally import EXAMPLES, GRID_LEAK, LEAK, Example, FileTally, bit_of

# For each of `rows.KEYS`, in the order in which a row is looked for, how its rows are equal.
HOW = {
    "exact": "exact", "symmetric": "up to symmetry",
    "grid": "exact", "grid_symmetric": "up to symmetry",
}  # fmt: skip
# The keys, exact and up to symmetry, in which the rows of a finding agree.
WITHIN = {
    "exact duplicate": ("exact",),
    "symmetric duplicate": ("symmetric",),
    "repeated grid": ("grid", "grid_symmetric"),
}
BETWEEN = {LEAK: ("exact", "symmetric"), GRID_LEAK: ("grid", "grid_symmetric")}
Firsts = Mapping[str, Places]  # for each of the keys, the rows (N,) that `first_equal` names


class Part(NamedTuple):
    """The classes of the rows start..stop-1, those of one file; a class is named by its first row.

    foreign: (K,) ascending, the classes that begin in an earlier file; heads: (K,) the first row
    of each in this file.
    """

    start: int
    stop: int
    classes: Places
    foreign: Places
    heads: Places

    @classmethod
    def of(cls, first: Places, start: int, stop: int) -> Part:
        """The part of a column of `first_equal`."""
        classes = first[start:stop]
        rows = np.flatnonzero((classes >= 0) & (classes < start))
        foreign, at = np.unique(classes[rows], return_index=True)
        return cls(start, stop, classes, foreign, (rows[at] + start).astype(first.dtype))

    def heads_of(self, classes: Places) -> Places:
        """For each class its first row in this file; -1 if the file does not hold it."""
        own = (classes >= self.start) & (classes < self.stop)
        heads: Places = np.where(own, classes, classes.dtype.type(-1))
        if len(self.foreign):
            at = np.minimum(np.searchsorted(self.foreign, classes), len(self.foreign) - 1)
            held = self.foreign[at] == classes
            heads[held] = self.heads[at[held]]
        return heads

    def sizes(self) -> NDArray[np.int64]:
        """For each row of the file how many rows of it belong to the class that begins there."""
        heads = self.heads_of(self.classes)
        sizes: NDArray[np.int64] = np.bincount(
            heads[heads >= 0] - self.start, minlength=self.stop - self.start
        )
        return sizes

    def repeats(self) -> Places:
        """For each row the first row of this file that it repeats; -1 if it repeats none."""
        heads = self.heads_of(self.classes)
        heads[heads == np.arange(self.start, self.stop, dtype=heads.dtype)] = -1
        return heads


class Found(NamedTuple):
    """The rows of one file, from row `start` on, that repeat others: those of one file.

    others: for each of the keys, (rows of the file,) the row that each repeats, -1 for none.
    """

    start: int
    others: Mapping[str, Places]

    @classmethod
    def once(cls, start: int, others: Mapping[str, Places]) -> Found:
        """Every row only under the first of the keys by which it repeats another."""
        taken = np.zeros(len(others["exact"]), np.bool_)
        for rows in others.values():
            rows[taken] = -1
            taken |= rows >= 0
        return cls(start, others)

    def count(self, name: str) -> int:
        """The number of rows that repeat another by this key."""
        return int(np.count_nonzero(self.others[name] >= 0)) if name in self.others else 0

    def mark(self, findings: Mapping[str, Sequence[str]], kinds: NDArray[np.uint32]) -> None:
        """Set in `kinds`, which is of all rows, the bits of these findings."""
        for kind, names in findings.items():
            for name in filter(self.others.__contains__, names):
                kinds[self.start + np.flatnonzero(self.others[name] >= 0)] |= bit_of(kind)

    def examples(self, names: Sequence[str], lines: Places) -> list[Example]:
        """Examples: the first of the rows, in the order of the file."""
        first = []
        for name in filter(self.others.__contains__, names):
            rows = np.flatnonzero(self.others[name] >= 0)[:EXAMPLES]
            others = self.others[name]
            first += [(row, int(others[row]), HOW[name]) for row in rows.tolist()]
        return [
            {
                "line": int(lines[self.start + row]),
                "other_line": int(lines[other]),
                "id": None,
                "detail": how,
            }
            for row, other, how in sorted(first)[:EXAMPLES]
        ]


def compare_files(
    tallies: Sequence[FileTally], firsts: Firsts, lines: Places, kinds: NDArray[np.uint32]
) -> dict[str, list[dict[str, Any]]]:
    """Record the repeats within each file in its tally, and return those between files by kind.

    firsts: of those of `HOW` that are known. lines: (N,) of all rows. kinds: (N,), gets the bits of
    these findings. A leak goes from an earlier file into a later one.
    """
    ends = np.cumsum([0, *(tally.rows for tally in tallies)]).tolist()
    names = [name for name in HOW if name in firsts]
    files = [{name: Part.of(firsts[name], *ends_) for name in names} for ends_ in pairwise(ends)]
    for tally, start, parts in zip(tallies, ends, files, strict=False):
        found = Found.once(start, {name: part.repeats() for name, part in parts.items()})
        found.mark(WITHIN, kinds)
        _note(tally, found, lines)
        tally.grids = _clusters(parts, lines)
    leaks: dict[str, list[dict[str, Any]]] = {kind: [] for kind in BETWEEN}
    for one, other in combinations(range(len(files)), 2):
        found = Found.once(
            ends[other],
            {name: files[one][name].heads_of(part.classes) for name, part in files[other].items()},
        )
        for kind, (exact, symmetric) in BETWEEN.items():
            counts = {"exact": found.count(exact), "symmetric": found.count(symmetric)}
            if any(counts.values()):
                paths = {"from": tallies[one].path, "into": tallies[other].path}
                examples = found.examples((exact, symmetric), lines)
                leaks[kind].append({**paths, **counts, "examples": examples})
        found.mark(BETWEEN, kinds)
    return leaks


def _note(tally: FileTally, found: Found, lines: Places) -> None:
    """Note the repeats within a file."""
    tally.duplicates = {
        name: found.count(name) for name in ("exact", "symmetric") if name in found.others
    }
    for kind, names in WITHIN.items():
        tally.note(kind, sum(map(found.count, names)), found.examples(names, lines))


def _clusters(parts: Mapping[str, Part], lines: Places) -> dict[str, int]:
    """How many solution grids a file has, and how many rows have the most frequent one."""
    told: dict[str, int] = {}
    for name, key in (("grid", "distinct"), ("grid_symmetric", "classes")):
        sizes = parts[name].sizes() if name in parts else np.zeros(0, np.int64)
        if len(sizes) and sizes.any():
            told["known"] = int(sizes.sum())
            told[key] = int(np.count_nonzero(sizes))
            told["largest"] = int(sizes.max())
            told["line"] = int(lines[parts[name].start + int(sizes.argmax())])
    return told
