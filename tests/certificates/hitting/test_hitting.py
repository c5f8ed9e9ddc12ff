"""Hitting sets, compared with trying every subset; the tasks share them out without overlap."""

from __future__ import annotations

from itertools import chain, combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from soak import share

from satdoku.certificates.hitting import (
    COMPILED,
    Task,
    as_bytes,
    as_cells,
    as_number,
    as_sets,
    numbers,
    search,
    serves,
    tasks,
)

WAYS = [pytest.param(True, marks=pytest.mark.skipif(not COMPILED, reason="no C")), False]
PARTS = [0, 1, 2, 0, 1, 2, 0, 1, 2, 2]
SETS = st.lists(st.integers(1, 2 ** len(PARTS) - 1), max_size=12)


def by_trial(sets, size):
    every = (sum(1 << c for c in cells) for cells in combinations(range(len(PARTS)), size))
    return sorted(cells for cells in every if all(cells & s for s in sets))


@pytest.mark.parametrize("compiled", WAYS)
@settings(max_examples=share(60), deadline=None)
@given(st.data())
def test_every_hitting_set_once(compiled, data):
    sets, size = data.draw(SETS), data.draw(st.integers(0, 6))
    depth = data.draw(st.integers(0, 3))
    known = as_sets(sets)
    todo = tasks(known, PARTS, size, depth)
    found = (search(known, PARTS, size, task, compiled=compiled).hitting for task in todo)
    assert sorted(chain.from_iterable(found)) == by_trial(sets, size)


@pytest.mark.parametrize("compiled", WAYS)
@settings(max_examples=share(60), deadline=None)
@given(st.data())
def test_sets_that_are_only_told_when_asked(compiled, data):
    known, hidden = data.draw(SETS), data.draw(SETS)
    size = data.draw(st.integers(0, 6))

    def ask(givens):
        other = next((cells for cells in hidden if not cells & as_number(givens)), None)
        return None if other is None else as_bytes(other)

    found, start = [], as_sets(known)
    for last in range(3):
        some = search(start, PARTS, size, Task(last, 0, 0), ask=ask, compiled=compiled)
        assert set(numbers(some.learnt)) <= set(hidden)
        found += some.hitting
    assert sorted(found) == by_trial([*known, *hidden], size)


@pytest.mark.parametrize("compiled", WAYS)
def test_the_search_stops_when_it_has_enough_or_is_told_to(compiled):
    some = as_sets([0b111, 0b111000])
    assert len(search(some, PARTS, 4, Task(0, 0, 0), enough=2, compiled=compiled).hitting) >= 2

    def stop(*_):
        raise TimeoutError

    with pytest.raises(TimeoutError):
        search(some, PARTS, 4, Task(0, 0, 0), ask=stop, compiled=compiled)
    rng = Random(1)
    wide = as_sets(sum(1 << c for c in rng.sample(range(60), 5)) for _ in range(400))
    with pytest.raises(TimeoutError):
        parts = [cell % 3 for cell in range(60)]
        search(wide, parts, 20, Task(0, 0, 0), poll=stop, compiled=compiled)


@pytest.mark.parametrize("compiled", WAYS)
def test_it_also_stops_among_the_sets_that_hit_everything_with_few_cells(compiled):
    parts, task = [cell // 27 for cell in range(81)], Task(0, 0, 0)
    some = search(as_sets([1]), parts, 40, task, enough=3, compiled=compiled).hitting
    assert len(some) == 3 and all(cells & 1 and cells.bit_count() == 40 for cells in some)
    calls = []

    def stop():
        calls.append(1)
        if len(calls) == 5:
            raise TimeoutError

    with pytest.raises(TimeoutError):
        search(as_sets([1]), parts, 40, task, poll=stop, compiled=compiled)


def test_sets_are_numbers_bytes_and_rows():
    cells = 1 << 80 | 1 << 64 | 5
    assert as_number(as_bytes(cells)) == cells
    assert as_cells(cells) == [0, 2, 64, 80]
    assert numbers(as_sets([7, cells, 1])) == [1, 7, cells]
    assert as_sets([]) == b""


def test_boards_that_are_too_large():
    assert serves([cell // 27 for cell in range(81)])
    assert not serves([cell * 3 // 256 for cell in range(256)])


@pytest.mark.skipif(not COMPILED, reason="no C")
def test_wrong_arguments_of_the_extension_are_refused():
    from satdoku.certificates.hitting._hitting import search as compiled

    def call(**changed):
        values = {
            "sets": as_sets([3]), "parts": bytes(9), "size": 2, "strict0": 0,
            "strict1": 0, "given": bytes(16), "barred": bytes(16), "ask": None, "found": print,
            "poll": int,
        }  # fmt: skip
        compiled(*(values | changed).values())

    for changed, message in [
        ({"parts": bytes([3] * 9)}, "0, 1 or 2"),
        ({"parts": bytes(200)}, "128 cells at most"),
        ({"parts": bytes(100)}, "64 cells at most"),
        ({"size": 10}, "0 to the cells"),
        ({"strict1": 2**31 - 1}, "strict: expected 0 or 1"),
        ({"given": b"1"}, "16 bytes"),
        ({"ask": lambda givens: b"1", "parts": bytes([2] * 9)}, "16 bytes"),
        ({"ask": lambda givens: b"\xff" * 16, "parts": bytes([2] * 9)}, "not hit"),
    ]:
        with pytest.raises(ValueError, match=message):
            call(**changed)
