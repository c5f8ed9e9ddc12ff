"""Take givens away while the solution stays unique, from many puzzles at once.

Invariant: each puzzle ends as if its orbits of givens were tried one by one, in its order, and each
taken away if the solution stays unique. Trying several together only saves questions: fewer givens
never mean fewer solutions, so if some orbits can go together, each can go after those before it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..model.constraints import Constraints
from .dice import Ints
from .oracle import Grids, unique
from .watch import begin

_NONE = np.int16(1 << 14)  # an end, above all orbits, of puzzles where nothing is known


def taken_away(
    puzzles: Grids,
    constraints: Constraints,
    orbits: Ints,
    orders: Ints,
    least: Ints | int = 0,
    listed: Grids | None = None,
) -> Grids:
    """The puzzles (N, cells), each with one solution, without the givens that can go.

    orbits: (cells,) the index of each cell's orbit; orbits go as a whole. orders: (N, orbits) the
    order in which each puzzle's orbits are tried. least: (N,) the fewest givens to leave.
    listed: all grids under the rules, where they are known.
    """
    begin("taking givens away")
    puzzles = puzzles.copy()
    tries = _Tries(orbits, orders, np.broadcast_to(np.asarray(least), len(puzzles)))
    rows = np.arange(len(puzzles))
    while len(rows := rows[~tries.done(rows)]):
        trials = tries.without(puzzles, rows)
        enough = (trials > 0).sum(axis=1) >= tries.least[rows]
        gone = enough.copy()
        gone[enough] = unique(trials[enough], constraints, listed)
        puzzles[rows[gone]] = trials[gone]
        tries.note(rows, gone)
    return puzzles


class _Tries:
    """Where each puzzle stands in its order: the next `spans` orbits from `places` on are tried
    together, half as many after each failure.

    Then orbits `places` to `ends` - 1 are known not to go together. So they are halved until one is
    found that cannot go after those before it.
    """

    def __init__(self, orbits: Ints, orders: Ints, least: NDArray[np.int64]) -> None:
        count, self.orbits = orders.shape
        ranks = np.empty(orders.shape, np.int16)
        np.put_along_axis(ranks, orders, np.arange(self.orbits, dtype=np.int16)[None], axis=1)
        self.ranks = ranks[:, orbits]  # (N, cells): when a cell's orbit is tried
        self.least = least
        self.places = np.zeros(count, np.int16)
        self.spans = np.full(count, max(1, self.orbits // 3), np.int16)
        self.ends = np.full(count, _NONE, np.int16)

    def done(self, rows: Ints) -> NDArray[np.bool_]:
        finished: NDArray[np.bool_] = self.places[rows] >= self.orbits
        return finished

    def tried(self, rows: Ints) -> NDArray[np.int16]:
        """How many of each row's orbits are tried now, 1 or more."""
        places, ends = self.places[rows], self.ends[rows]
        return np.where(ends < _NONE, (ends - places) // 2, self.spans[rows])

    def without(self, puzzles: Grids, rows: Ints) -> Grids:
        """The rows' puzzles without the givens that are tried now."""
        ranks, first = self.ranks[rows], self.places[rows, None]
        tried = (ranks >= first) & (ranks < first + self.tried(rows)[:, None])
        return np.where(tried, np.uint8(0), puzzles[rows])

    def note(self, rows: Ints, gone: NDArray[np.bool_]) -> None:
        """Note whether the givens that were tried could go."""
        behind, ends, spans = (
            self.places[rows] + self.tried(rows),
            self.ends[rows],
            self.spans[rows],
        )
        self.spans[rows] = np.where(gone | (ends < _NONE), spans, np.maximum(1, spans // 2))
        places, ends = np.where(gone, behind, self.places[rows]), np.where(gone, ends, behind)
        stays = places == ends - 1
        self.places[rows] = np.where(stays, ends, places)
        self.ends[rows] = np.where(stays, _NONE, ends)


def is_minimal(puzzles: Grids, constraints: Constraints) -> NDArray[np.bool_]:
    """Which puzzles (N, cells), each with one solution, have no given that could go."""
    rows, cells = np.nonzero(puzzles)
    trials = puzzles[rows]
    trials[np.arange(len(rows)), cells] = 0
    spare = np.bincount(rows[unique(trials, constraints)], minlength=len(puzzles))
    minimal: NDArray[np.bool_] = spare == 0
    return minimal
