"""`components` against a search along the links."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from satdoku.datasets.components import components

SOME = st.none() | st.integers(0, 6)


def labels(values):
    return np.array([-1 if v is None else values.index(v) for v in values], np.int32)


def searched(rows):
    """The first row that a chain leads to from each row."""
    found = []
    for start, (puzzle, _) in enumerate(rows):
        reached, waiting = set(), [start]
        while waiting:
            row = waiting.pop()
            reached.add(row)
            waiting += [
                other
                for other, pair in enumerate(rows)
                if other not in reached
                and pair[0] is not None
                and any(a is not None and a == b for a, b in zip(rows[row], pair, strict=True))
            ]
        found.append(-1 if puzzle is None else min(reached))
    return found


@settings(max_examples=50)
@given(st.lists(st.tuples(SOME, SOME), max_size=12))
def test_components_are_what_a_search_reaches(rows):
    rows = [(puzzle, None if puzzle is None else grid) for puzzle, grid in rows]
    puzzles, grids = ([row[k] for row in rows] for k in range(2))
    assert components(labels(puzzles), labels(grids)).tolist() == searched(rows)


def test_a_long_chain_is_one_component():
    puzzles = np.arange(0, 100, dtype=np.int32) // 2 * 2
    grids = (np.arange(0, 100, dtype=np.int32) + 1) // 2 * 2 - 1
    assert not components(puzzles, np.maximum(grids, 0)).any()
