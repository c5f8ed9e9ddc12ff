"""`select` against its law, row by row in plain Python, on random classes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from satdoku.datasets.select import REASONS, Classes, first_of, select

DUPLICATES = ("exact duplicate", "symmetric duplicate", "leak", "grid leak", "repeated grid")

# A row: its puzzle (None if it holds none; 2n and 2n+1 are images of each other, 4n to 4n+3 have
# one solution grid), whether something is wrong with it, whether it is asked for.
ROWS = st.lists(
    st.tuples(st.none() | st.integers(0, 15), st.booleans(), st.sampled_from([True, True, False]))
)


def labels(values):
    return np.array([-1 if v is None else values.index(v) for v in values], np.int32)


def selected(rows, allowed):
    puzzles = [puzzle for puzzle, _, _ in rows]
    classes = Classes(
        *(labels([p if p is None else p // alike for p in puzzles]) for alike in (1, 2, 4))
    )
    faults = np.array([wrong * 3 for _, wrong, _ in rows], np.uint8)
    return select(faults, classes, np.array([ours for *_, ours in rows], np.bool_), allowed)


@settings(max_examples=60)
@given(ROWS, st.sets(st.sampled_from(DUPLICATES)))
def test_what_is_kept_repeats_nothing_and_what_is_dropped_repeats_something(rows, allowed):
    found = selected(rows, allowed)
    kept, reference = [], [p for p, _, ours in rows if not ours and p is not None]

    def finding(puzzle):
        if any(puzzle // 2 == p // 2 for p in reference):
            if "leak" not in allowed:
                return "leak"
        elif any(puzzle // 4 == p // 4 for p in reference) and "grid leak" not in allowed:
            return "grid leak"
        if puzzle in kept and "exact duplicate" not in allowed:
            return "exact duplicate"
        images = {p for p in kept if p // 2 == puzzle // 2}
        if images - {puzzle} and "symmetric duplicate" not in allowed:
            return "symmetric duplicate"
        same_grid = {p // 2 for p in kept if p // 4 == puzzle // 4}
        if same_grid - {puzzle // 2} and "repeated grid" not in allowed:
            return "repeated grid"
        return ""

    for row, (puzzle, wrong, ours) in enumerate(rows):
        reason, other = REASONS[found.reasons[row]], int(found.others[row])
        expected = REASONS[3] if wrong else "" if puzzle is None else finding(puzzle)
        assert reason == (expected if ours else "")
        assert found.kept[row] == (ours and not expected)
        assert (other >= 0) == (reason in DUPLICATES)
        if other >= 0:
            alike = 4 if "grid" in reason else 2
            assert rows[other][0] // alike == puzzle // alike
            assert rows[other][2] == ("leak" not in reason)
        if found.kept[row] and puzzle is not None:
            kept.append(puzzle)


def test_a_row_with_a_wrong_answer_does_not_take_the_place_of_one_with_a_right_answer():
    found = selected([(0, True, True), (0, False, True), (1, False, True)], ())
    assert found.kept.tolist() == [False, True, False]
    assert found.others.tolist() == [-1, -1, 1]


@pytest.mark.parametrize("kind", [np.int32, np.int64])
def test_the_first_marked_row_of_each_class(kind):
    found = first_of(np.array([0, 0, -1, 3, 0, 3], kind), np.array([0, 1, 1, 0, 1, 0], np.bool_))
    assert found.dtype == kind
    assert found.tolist() == [1, 1, -1, -1, 1, -1]
