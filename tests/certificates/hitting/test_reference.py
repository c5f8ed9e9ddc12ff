"""The search in Python: what it learns, and that it finds what the C code finds."""

from __future__ import annotations

from random import Random

import pytest

from satdoku.certificates.hitting import (
    COMPILED,
    Task,
    as_bytes,
    as_number,
    as_sets,
    numbers,
    search,
)


@pytest.mark.skipif(not COMPILED, reason="no C")
@pytest.mark.parametrize("last", range(3))
def test_both_find_the_same(last):
    rng = Random(last)
    parts = [cell // 9 for cell in range(27)]
    sets = as_sets({sum(1 << c for c in rng.sample(range(27), 6)) for _ in range(60)})
    task = Task(last, 1 << 4, 1 << 20 | 1 << 3)
    ways = [search(sets, parts, 7, task, compiled=compiled).hitting for compiled in (True, False)]
    assert sorted(ways[0]) == sorted(ways[1]) != []
    assert all(cells >> 4 & 1 and not cells & task.barred for cells in ways[0])


def test_what_is_learnt_comes_out():
    def ask(givens):
        return None if as_number(givens) & 0b1100 else as_bytes(0b1100)

    found = search(as_sets([0b11]), [0, 1, 2, 2], 3, Task(2, 0, 0), ask=ask, compiled=False)
    assert numbers(found.learnt) == [0b1100]
    assert sorted(found.hitting) == [0b1101, 0b1110]
    assert found.nodes > 1
