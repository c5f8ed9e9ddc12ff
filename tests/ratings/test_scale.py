"""Ratings and steps from Python: both implementations, one puzzle or many, and when work stops."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from examples import CLASSIC, CLASSIC_SOLUTION

from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import parse_grid
from satdoku.ratings import scale
from satdoku.ratings.step import TECHNIQUES
from satdoku.runtime import limits
from satdoku.runtime.errors import OutOfTime

# Rated by Sukaku Explainer 1.18.1 with its default settings: puzzle, er, ep, ed.
RATED = """\
.......7..76513......2.6.53..27..39.1...958..8.......73.8.5..1.71.6.842556....... 1.2 1.2 1.2
......6...1..6.49.2469...85.....127.123.4.856..58..9..4.13...6.9.257634163..8.... 1.2 1.0 1.0
.......3.6315..8..4..6..5..1...9.....8.1.7.4.....5...1..8..1..3..3..2694.7....... 2.6 1.2 1.2
...........59.36..2..8.6..767.....538.......4...581.....7.1.9......5.....96...72. 4.2 1.2 1.2
.........1...2...7.43...16...76.92...68.3.94.....5.............75.....18.1.2.8.7. 5.6 1.2 1.2
..........4.....5.8..5.6..475..6..38.89.1.24.4...9...7..49.75..9.......1..6.3.4.. 6.6 1.2 1.2
"""
PUZZLES, *KNOWN = zip(*map(str.split, RATED.splitlines()), strict=True)
NAMES = [
    "hidden single", "hidden single", "pointing", "XY-wing", "WXYZ-wing", "bidirectional Y-cycle",
]  # fmt: skip
CELLS = b"".join(bytes(parse_grid(text).cells) for text in PUZZLES)
STORED = [
    (puzzle, *map(float, ratings))
    for line in Path(__file__).with_name("stored.txt").read_text().splitlines()
    if line[0] != "#"
    for puzzle, *ratings in [line.split()]
]
IMPLEMENTATIONS = ["_in_c"] * scale.AVAILABLE + ["_by_reference"]


@pytest.fixture(params=IMPLEMENTATIONS)
def implementation(request, monkeypatch):
    """Each implementation as the one that is there."""
    monkeypatch.setattr(scale, "AVAILABLE", request.param == "_in_c")


def test_ratings_are_those_of_the_java_program(implementation):
    numbers = scale.rate_cells(CELLS).tolist()
    for field, ratings in enumerate(KNOWN):
        assert [number / 10 for number in numbers[field :: scale.FIELDS]] == list(
            map(float, ratings)
        )
    assert [TECHNIQUES[code] for code in numbers[3 :: scale.FIELDS]] == NAMES


def test_stored_puzzles_are_of_all_levels():
    levels = {er for _, er, _, _ in STORED}
    assert len(STORED) >= 150 and len(levels) >= 40
    assert all(any(low <= er < low + 1 for er in levels) for low in range(1, 10))


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("_in_c", marks=pytest.mark.skipif(not scale.AVAILABLE, reason="no compiler")),
        pytest.param("_by_reference", marks=pytest.mark.slow),  # minutes
    ],
)
def test_stored_puzzles_have_the_stored_ratings(name, monkeypatch):
    """One call for all of them: no puzzle leaves anything behind for the next."""
    monkeypatch.setattr(scale, "AVAILABLE", name == "_in_c")
    puzzles, *ratings = zip(*STORED, strict=True)
    numbers = scale.rate_cells(b"".join(bytes(parse_grid(text).cells) for text in puzzles))
    for field, known in enumerate(ratings):
        assert [number / 10 for number in numbers[field :: scale.FIELDS]] == list(known)


def test_one_puzzle(implementation):
    rating = scale.rating_of(CELLS[3 * 81 : 4 * 81])
    assert rating == (4.2, 1.2, 1.2, "XY-wing")
    assert rating.words == "4.2 (EP 1.2, ED 1.2): XY-wing"


def test_nothing_to_do_is_rated_zero(implementation):
    rating = scale.rating_of(bytes(parse_grid(CLASSIC_SOLUTION).cells))
    assert (rating, rating.words) == ((0.0, 0.0, 0.0, ""), "0.0 (EP 0.0, ED 0.0)")
    assert scale.rate_cells(b"").tolist() == []


def test_a_thread_stops_when_nobody_waits(implementation):
    given_up = threading.Event()
    given_up.set()
    with ThreadPoolExecutor(1, initializer=limits.stop_when, initargs=(given_up,)) as pool:
        late = pool.submit(scale.rate_cells, CELLS).exception()
    assert isinstance(late, OutOfTime)
    assert scale.rate_cells(CELLS)[0] == 12  # other threads go on


def test_ratings_end_with_the_time(implementation):
    with limits.within(-1), pytest.raises(OutOfTime):
        scale.rate_cells(CELLS)


@pytest.mark.parametrize("rules", ["knight", "diagonal", "cage=3:r1c1,r1c2", "windoku"])
def test_other_rules_have_no_rating(rules):
    assert not scale.serves(constraints_for(rules))


def test_only_nine_by_nine_is_rated():
    assert scale.serves(constraints_for("classic"))
    assert not scale.serves(constraints_for("classic", Board.of_size(4)))


EXAMPLE = bytes(parse_grid(CLASSIC).cells)


def test_the_steps_place_and_strike_what_the_solution_allows():
    solution = parse_grid(CLASSIC_SOLUTION).cells
    right = {9 * cell + digit - 1 for cell, digit in enumerate(solution)}
    found = list(scale.steps_of(EXAMPLE))
    placed = [step.placed for step in found if step.placed is not None]
    assert set(placed) <= right and len(placed) == len(set(placed)) == EXAMPLE.count(0)
    assert right.isdisjoint(candidate for step in found for candidate in step.struck)
    assert max(step.rating for step in found) == scale.rate_cells(EXAMPLE)[0]


@pytest.mark.skipif(not scale.AVAILABLE, reason="built without a compiler")
def test_both_implementations_give_the_same_steps(monkeypatch):
    by_c = list(scale.steps_of(EXAMPLE))
    monkeypatch.setattr(scale, "AVAILABLE", False)
    assert list(scale.steps_of(EXAMPLE)) == by_c
