"""Find rows that are the same puzzle, within a file and between files.

Invariant: only keys are compared. A row that repeats another exactly does not count again as a
repeat up to symmetry. If several rows of a file are equal, all but the first are duplicates.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .fingerprint import Keys, Places, find_repeats
from .tally import EXAMPLES, Example, FileTally

HOW = {"exact": "exact", "symmetric": "up to symmetry"}


class Matches(NamedTuple):
    """Rows (M,) of a file, ascending, and for each the first row (M,) of a file that equals it."""

    rows: Places
    others: Places

    def without(self, known: Matches) -> Matches:
        """The matches of all rows that are not in `known`."""
        fresh = ~np.isin(self.rows, known.rows, assume_unique=True)
        return Matches(self.rows[fresh], self.others[fresh])


class Shared(NamedTuple):
    """The rows of one file that some other row in any file equals, as in `fingerprint.Repeats`.

    first: (M,), the first row of the same class in this file.
    """

    rows: Places
    classes: Places
    first: Places

    def within(self) -> Matches:
        """The rows that repeat an earlier row of the file."""
        later = self.rows != self.first
        return _sorted(self.rows[later], self.first[later])

    def held_by(self, other: Shared) -> Matches:
        """The rows that the other file also holds."""
        heads = other.rows == other.first
        classes, heads_rows = other.classes[heads], other.rows[heads]
        if not len(classes):
            return Matches(self.rows[:0], self.rows[:0])
        at = np.minimum(np.searchsorted(classes, self.classes), len(classes) - 1)
        held = classes[at] == self.classes
        return _sorted(self.rows[held], heads_rows[at[held]])


def _sorted(rows: Places, others: Places) -> Matches:
    order = np.argsort(rows)
    return Matches(rows[order], others[order])


def compare_files(tallies: Sequence[FileTally]) -> list[dict[str, Any]]:
    """Record the duplicates within each file in its tally, and return the leaks between files.

    This uses up the lines and keys of the tallies. A leak goes from an earlier file into a later
    one.
    """
    bounds = np.cumsum([sum(map(len, tally.lines)) for tally in tallies])
    lines = _joined([tally.lines for tally in tallies])
    shared = {"exact": _shared([tally.exact for tally in tallies], bounds)}
    symmetric = [tally.symmetric for tally in tallies if tally.symmetric is not None]
    if len(symmetric) == len(tallies):
        shared["symmetric"] = _shared(symmetric, bounds)
    for number, tally in enumerate(tallies):
        found = _fresh({how: files[number].within() for how, files in shared.items()})
        tally.duplicates = {how: len(matches.rows) for how, matches in found.items()}
        for how, matches in found.items():
            examples = _examples({how: matches}, lines)
            tally.note(f"{how} duplicate", len(matches.rows), examples)
    leaks = []
    for one, other in combinations(range(len(tallies)), 2):
        found = _fresh({how: files[other].held_by(files[one]) for how, files in shared.items()})
        counts = {"exact": 0, "symmetric": 0}
        counts |= {how: len(matches.rows) for how, matches in found.items()}
        if any(counts.values()):
            ends = {"from": tallies[one].path, "into": tallies[other].path}
            leaks.append({**ends, **counts, "examples": _examples(found, lines)})
    return leaks


def _shared(keys: Sequence[list[Keys]], bounds: Places) -> list[Shared]:
    """For each file, its rows that some other row equals; `bounds` are the ends of the files."""
    rows, classes = find_repeats(_joined(keys))
    parts = np.searchsorted(bounds, rows, side="right").astype(rows.dtype)
    new = np.ones(len(rows), dtype=np.bool_)
    new[1:] = (classes[1:] != classes[:-1]) | (parts[1:] != parts[:-1])
    heads = np.where(new, np.arange(len(rows), dtype=rows.dtype), rows.dtype.type(0))
    first = rows[np.maximum.accumulate(heads)]
    order = np.argsort(parts, kind="stable")
    cuts = np.searchsorted(parts[order], np.arange(1, len(bounds)))
    columns = (np.split(column[order], cuts) for column in (rows, classes, first))
    return [Shared(*file) for file in zip(*columns, strict=True)]


def _joined(files: Sequence[list[NDArray[Any]]]) -> NDArray[Any]:
    """All chunks of all files as one array; frees the chunks, because two copies cost memory."""
    joined = np.concatenate([chunk for file in files for chunk in file])
    for file in files:
        file.clear()
    return joined


def _fresh(found: dict[str, Matches]) -> dict[str, Matches]:
    """Remove from the symmetric matches those that are also exact."""
    return {
        how: matches if how == "exact" else matches.without(found["exact"])
        for how, matches in found.items()
    }


def _examples(found: dict[str, Matches], lines: Places) -> list[Example]:
    """Examples: the first matches in the order of the file."""
    first = [
        (row, other, how)
        for how, matches in found.items()
        for row, other in zip(*(column[:EXAMPLES].tolist() for column in matches), strict=True)
    ]
    return [
        {"line": int(lines[row]), "other_line": int(lines[other]), "id": None, "detail": HOW[how]}
        for row, other, how in sorted(first)[:EXAMPLES]
    ]
