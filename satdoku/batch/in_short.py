"""Results about many puzzles in one line, and as a table in notebooks.

Invariant: a display is as short for millions of puzzles as for one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..render.markup import counted, counts
from ..runtime.errors import Status

MOST = 10  # rows of a table


def in_short(statuses: NDArray[np.uint8]) -> str:
    """`1,000 puzzles: 998 unique, 2 multiple`."""
    tally = ", ".join(f"{count:,} {status}" for status, count in _tally(statuses))
    return ": ".join(filter(None, [counted(len(statuses), "puzzle"), tally]))


def status_table(statuses: NDArray[np.uint8], nodes: NDArray[np.uint32]) -> str:
    """How many puzzles have which status, and how many search nodes they took."""
    rows = []
    for status, count in _tally(statuses):
        took = nodes[statuses == status]
        rows.append([str(status), f"{count:,}", f"{np.median(took):,.0f}", f"{took.max():,}"])
    heads = ["status", "puzzles", "nodes (median)", "nodes (most)"]
    return counts(counted(len(statuses), "puzzle"), heads, rows)


def rating_table(statuses: NDArray[np.uint8], er: NDArray[Any], technique: NDArray[Any]) -> str:
    """How many puzzles have which technique as their hardest, the most frequent first."""
    names, places, numbers = np.unique(technique, return_inverse=True, return_counts=True)
    rows = []
    for at in np.argsort(-numbers, kind="stable"):
        if names[at]:
            own = er[places == at]
            rows.append([names[at], f"{numbers[at]:,}", _range(own)])
    more = [[f"{len(rows) - MOST} more techniques", "", ""]] if len(rows) > MOST else []
    return counts(in_short(statuses), ["hardest step", "puzzles", "ER"], [*rows[:MOST], *more])


def er_range(er: NDArray[Any]) -> str:
    """`ER 1.5 to 8.9, median 2.6`, or `ER 7.1`; empty if nothing is rated."""
    rated = er[~np.isnan(er)]
    if not len(rated):
        return ""
    same = len(set(rated.tolist())) == 1
    return f"ER {_range(rated)}" + ("" if same else f", median {np.median(rated):.1f}")


def _range(values: NDArray[Any]) -> str:
    """`1.5 to 8.9`, or `7.1` if all are the same."""
    low, high = f"{values.min():.1f}", f"{values.max():.1f}"
    return low if low == high else f"{low} to {high}"


def _tally(statuses: NDArray[np.uint8]) -> list[tuple[Status, int]]:
    """Each status that occurs and how often."""
    numbers: Mapping[int, int] = dict(enumerate(np.bincount(statuses).tolist()))
    return [(Status(code), count) for code, count in numbers.items() if count]
