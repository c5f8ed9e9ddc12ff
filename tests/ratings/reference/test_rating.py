"""The techniques in Python against brute force, symmetry, and the ratings of puzzles."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from soak import share

from satdoku.ratings import scale
from satdoku.ratings.reference.board import BITS, CELL, State, Step, Technique
from satdoku.ratings.reference.chains import find_chains, length_above
from satdoku.ratings.reference.forcing import Kind, Level, find_forcing
from satdoku.ratings.reference.links import strong_links
from satdoku.ratings.reference.loops import bivalue_graves, unique_loops
from satdoku.ratings.reference.rating import (
    Rating,
    rate,
    rating_of,
    record_of,
    records_of,
    steps_of,
)
from satdoku.ratings.reference.subsets import (
    direct_hidden_sets,
    direct_intersections,
    fish,
    hidden_sets,
    hidden_singles,
    intersections,
    naked_sets,
    naked_singles,
)
from satdoku.ratings.reference.wings import aligned_exclusions, set_wings, small_wings
from satdoku.ratings.step import TECHNIQUES
from tests.support.engine_cases import collection_lines
from tests.support.examples import PUZZLES

# Made by `satdoku generate`: ER, EP, ED and hardest technique, then the puzzle.
LISTED = """\
1.7 1.2 1.2 DIRECT_POINTING
...3....6...56.1......895.39...3.6..37...4...18.2.6.3...7....4.6..74..525.419.3..
2.0 1.2 1.2 DIRECT_HIDDEN_PAIR
62.....38.1.7...6.3.7.............51.4..35927.3.2..4....3...2...6.5.987317.32....
2.3 1.2 1.2 NAKED_SINGLE
5...3..69.62..438..4.1..572...3.9..529.6..7...5...79.861.......83.4...........8.3
2.5 1.2 1.2 DIRECT_HIDDEN_TRIPLET
5.346....9....35...8.7521.3...9.176...8.....17.1.2..3..52...4.........1517....6.2
2.8 1.2 1.2 CLAIMING
92.7.......7.41..28....94.6.956.3.4..3..2...9.46......61.....9....31.7.447..6.2..
3.8 1.2 1.2 SWORDFISH
9.1..7.......5.....5.23...4...5.8..32.....8..7..3..9.......9.5.54..2.....8...54.7
4.0 1.2 1.2 HIDDEN_TRIPLET
.9..16.2....734.8....92..139641.....1.56.38.............137.5....9.5.1..8......9.
4.3 1.2 1.2 TWO_STRING_KITE
47..6..5...1.9743.......6.........1...97....562......32..3487.6..76..5...8.......
4.4 1.2 1.2 XYZ_WING
9.468..3.36...25...2.....69.7846......9......4.....7..79...6.2.6.....4..1..37...5
4.5 1.2 1.2 UNIQUE_RECTANGLE
2.......6...1.5.7..8.3..1.44718..96.6..9.........3.7.......124.7.5..4....4..9..5.
4.6 1.2 1.2 UNIQUE_LOOP
374..9.8.....5...9..87.1.................39.29..5628.3.6....3....3.....14...3..97
5.4 1.2 1.2 HIDDEN_QUAD
.....7.3.....19..5..5.4....532...4.8..1...3.6.......9...6.......4.2...5..8.6..247
5.7 1.2 1.2 BUG
....38........7..49...4.6.....254...3....9.8..2.1....6.6......3..18....975.....2.
6.1 1.2 1.2 STRONG_LINKS_4
.3..5....8....1..5...23...7.9..8276...3....9..7...9.43...9..13...17.........18..2
6.3 1.2 1.2 VWXYZ_WING
...4......9..1.2...7426.............9......38..6.89.75..5...41.269...7..8.......2
6.9 1.2 1.2 Y_CYCLE
...8.2......49......15.......7.4.162.9..5...7....36.8563.....4...2.74.5..4.6.92..
7.1 1.2 1.2 FORCING_CHAIN
..1......9.24...6.4...2.5.7...13...6....8.17........5.1.5.....9.4.6...8.69....2.3
7.5 1.2 1.2 ALIGNED_TRIPLET
..86.92......2..8.5.2..4...861....4.9.7.......3..5...17..2..9...8..93.266.9..5..4
7.8 1.2 1.2 NISHIO
7.....9.22..8..71.....4.86.....2...39..3.8.......95.......54...45...7.2...92...5.
8.3 1.2 1.2 CELL_FORCING
3......595.....61.86..9..37......5.112........4.9....34.1782....8.6...2.....4.1..
4.2 3.4 2.6 XY_WING
37.....9......5.4.8.........5.2.....6....7...91.6...27....1.....6..493.8....3..54
"""


def _rating(line: str) -> tuple[float, float, float, Technique]:
    er, ep, ed, technique = line.split()
    return float(er), float(ep), float(ed), Technique[technique]


LINES = LISTED.splitlines()
RATED = {puzzle: _rating(line) for line, puzzle in zip(LINES[::2], LINES[1::2], strict=True)}
EASY = [puzzle for puzzle, rating in RATED.items() if rating[0] < 6.5]
Find = Callable[[State], Iterator[Step]]
DECIDED: dict[
    str, Find
] = {  # techniques that give each conclusion, whatever the way in which a puzzle is turned
    "last places": hidden_singles,
    "last digits": naked_singles,
    "intersections": intersections,
    "naked pairs": partial(naked_sets, size=2),
    "naked triplets": partial(naked_sets, size=3),
    "hidden pairs": partial(hidden_sets, size=2),
    "hidden quads": partial(hidden_sets, size=4),
    "X-wings": partial(fish, size=2),
    "swordfish": partial(fish, size=3),
    "XY-wings": partial(small_wings, digits=2),
    "XYZ-wings": partial(small_wings, digits=3),
    "loops": unique_loops,
    "aligned pairs": partial(aligned_exclusions, size=2),
}
OTHERS: dict[str, Find] = {
    "direct intersections": direct_intersections,
    "direct pairs": partial(direct_hidden_sets, size=2),
    "two links": partial(strong_links, size=2),
    "three links": partial(strong_links, size=3),
    "WXYZ-wings": partial(set_wings, size=3),
    "VWXYZ-wings": partial(set_wings, size=4),
    "graves": bivalue_graves,
}


def digits_of(puzzle: str) -> list[int]:
    return [int(char) if char.isdigit() else 0 for char in puzzle]


@cache
def way_of(puzzle: str) -> list[Step]:
    return list(steps_of(digits_of(puzzle)))


@cache
def solution_of(puzzle: str) -> list[int]:
    """The digit of each cell, from 0, as the steps place it."""
    placed = dict(divmod(step.placed, 9) for step in way_of(puzzle) if step.placed is not None)
    return [digit - 1 if digit else placed[cell] for cell, digit in enumerate(digits_of(puzzle))]


@st.composite
def positions(draw: st.DrawFn) -> tuple[str, State]:
    """A puzzle and a state on the way to its solution."""
    puzzle = draw(st.sampled_from(EASY))
    state = State.of(digits_of(puzzle))
    for step in way_of(puzzle)[: draw(st.integers(0, len(way_of(puzzle)) - 1))]:
        step.apply(state)
    return puzzle, state


def struck_by(step: Step) -> set[int]:
    return {9 * cell + digit for cell, digits in step.struck for digit in BITS[digits]}


def conclusion_of(step: Step) -> tuple[float, int | None, frozenset[int]]:
    return step.rating, step.placed, frozenset(struck_by(step))


@pytest.mark.parametrize("puzzle", RATED)
def test_the_rating_of_a_puzzle(puzzle: str) -> None:
    rating = rating_of(digits_of(puzzle), way_of(puzzle))
    assert rating == (*RATED[puzzle], len(way_of(puzzle)))


@pytest.mark.parametrize("puzzle", RATED)
def test_the_steps_lead_to_a_solution_and_strike_nothing_of_it(puzzle: str) -> None:
    solution = solution_of(puzzle)
    assert all({solution[cell] for cell in cells} == set(range(9)) for cells in CELL)
    kept = {9 * cell + digit for cell, digit in enumerate(solution)}
    assert not any(struck_by(step) & kept for step in way_of(puzzle))


@pytest.mark.skipif(not scale.AVAILABLE, reason="the C extension is not there")
@pytest.mark.parametrize("puzzle", RATED)
def test_c_gives_the_same_records(puzzle: str) -> None:
    cells = bytes(digits_of(puzzle))
    assert list(scale.steps_of(cells)) == list(map(record_of, way_of(puzzle)))


@settings(max_examples=12, deadline=None)
@given(positions())
def test_what_a_technique_concludes_holds_in_the_solution(position: tuple[str, State]) -> None:
    puzzle, state = position
    solution = solution_of(puzzle)
    for find in (*DECIDED.values(), *OTHERS.values()):
        for step in find(state):
            assert step.placed is None or solution[step.placed // 9] == step.placed % 9
            assert not any(solution[cell] == c % 9 for c in struck_by(step) for cell in [c // 9])


@settings(max_examples=share(15), deadline=None)
@given(positions())
def test_singles_are_all_last_places_and_last_digits(position: tuple[str, State]) -> None:
    _, state = position
    left = [9 * cell + digit for cell in range(81) for digit in BITS[state.of_cell[cell]]]
    last_digits = {c for c in left if sum(other // 9 == c // 9 for other in left) == 1}
    last_places = {
        c
        for c in left
        for house in CELL
        if c // 9 in house
        and sum(other // 9 in house and other % 9 == c % 9 for other in left) == 1
    }
    assert {step.placed for step in naked_singles(state)} == last_digits
    assert {step.placed for step in hidden_singles(state)} == last_places


def ways_to_fill(state: State, house: int) -> set[int]:
    """Candidates of a house that are in some way to fill its empty cells with different digits."""
    cells = [cell for cell in CELL[house] if state.of_cell[cell]]
    digits = [d for d in range(9) if state.of_house[9 * house + d]]
    return {
        9 * cell + digit
        for chosen in permutations(digits)
        if all(state.of_cell[cell] >> d & 1 for cell, d in zip(cells, chosen, strict=True))
        for cell, digit in zip(cells, chosen, strict=True)
    }


@settings(max_examples=share(15), deadline=None)
@given(positions())
def test_sets_strike_what_no_way_to_fill_the_house_uses(position: tuple[str, State]) -> None:
    _, state = position
    for find in (naked_sets, hidden_sets):
        for size in (2, 3, 4):
            for step in find(state, size):
                if state.empty[step.houses[0]] <= 6:
                    assert not struck_by(step) & ways_to_fill(state, step.houses[0])


def turned(state: State) -> State:
    """The same candidates with rows for columns and each digit d as 8 - d, from 0."""
    other = State()
    other.empty = [state.empty[mirror(house)] for house in range(27)]
    other.placed = state.placed[::-1]
    for cell in range(81):
        for digit in range(9):
            if not state.of_cell[cell] >> digit & 1:
                other.strike(*divmod(image(9 * cell + digit), 9))
    return other


def mirror(house: int) -> int:
    return house % 3 * 3 + house // 3 if house < 9 else (house + 9 if house < 18 else house - 9)


def image(candidate: int) -> int:
    cell, digit = divmod(candidate, 9)
    return 9 * (cell % 9 * 9 + cell // 9) + 8 - digit


@settings(max_examples=12, deadline=None)
@given(positions())
def test_a_turned_position_has_the_same_steps_turned(position: tuple[str, State]) -> None:
    _, state = position
    for find in DECIDED.values():
        there = {
            (rating, None if placed is None else image(placed), frozenset(map(image, struck)))
            for rating, placed, struck in map(conclusion_of, find(state))
        }
        assert {conclusion_of(step) for step in find(turned(state))} == there


def test_chains_of_all_levels_strike_nothing_of_the_solution() -> None:
    puzzle = next(puzzle for puzzle, rating in RATED.items() if rating[3] == Technique.BUG)
    state, solution = State.of(digits_of(puzzle)), solution_of(puzzle)
    for step in way_of(puzzle):
        if state.unsolved <= 20:
            break
        step.apply(state)
    levels = [Level(Kind.NISHIO), Level(Kind.MULTIPLE)]
    levels += [Level(Kind.DYNAMIC, level) for level in range(5)]
    found = [find_chains(state, True), *(find_forcing(state, level, True) for level in levels)]
    assert sum(map(len, found)) > 50
    for chain in (chain for chains in found for chain in chains):
        assert not any(digits >> solution[cell] & 1 for cell, digits in chain.struck)


def test_lengths_add_tenths() -> None:
    above = [
        round(10 * length_above(nodes)) for nodes in (6, 7, 8, 9, 10, 11, 14, 15, 18, 19, 26, 27)
    ]
    assert above == [0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6]


def test_the_words_of_techniques_fit_their_numbers() -> None:
    assert len(TECHNIQUES) == len(Technique)
    assert TECHNIQUES[Technique.XYZ_WING] == "XYZ-wing"
    assert TECHNIQUES[Technique.CONTRADICTION] == "contradiction forcing chain"


def test_ratings_and_records_begin_with_a_puzzle() -> None:
    cells = digits_of(EASY[0])
    assert rate(cells)[:4] == RATED[EASY[0]]
    assert list(records_of(cells)) == list(map(record_of, way_of(EASY[0])))


def test_a_full_grid_has_no_rating() -> None:
    full = [digit + 1 for digit in solution_of(EASY[0])]
    assert rate(full) == Rating(0.0, 0.0, 0.0, Technique.LAST_DIGIT, 0)


def test_a_puzzle_that_no_technique_solves() -> None:
    full = [digit + 1 for digit in solution_of(EASY[0])]
    full[1], full[0] = full[0], 0  # no digit is left for the first cell
    assert rate(full) == Rating(20.0, 0.0, 0.0, Technique.LAST_DIGIT, 0)


@pytest.mark.slow
def test_ratings_are_those_of_sukaku_explainer() -> None:
    """Every 20th puzzle of se_triples.txt up to ER 8.4, each with its ER, EP and ED."""
    for line in collection_lines("se_triples.txt")[::20]:
        puzzle, *ratings = line.split()
        er, ep, ed = map(float, ratings)
        if er <= 8.4:
            assert rate(digits_of(puzzle))[:3] == (er, ep, ed), puzzle


@pytest.mark.slow
@pytest.mark.skipif(not scale.AVAILABLE, reason="the C extension is not there")
def test_c_gives_the_same_chain_with_chains_within_it() -> None:
    """The last such step of a puzzle, from the state to which C's steps lead."""
    cells = digits_of((PUZZLES / "inkala-2012.txt").read_text().split()[-1])
    way = list(scale.steps_of(bytes(cells)))
    nested = max(i for i, step in enumerate(way) if step.strands and step.level == 2)
    state = State.of(cells)
    for step in way[:nested]:
        for cell, digit in (divmod(candidate, 9) for candidate in step.struck):
            state.strike(cell, digit)
        if step.placed is not None:
            state.place(step.placed)
    found = find_forcing(state, Level(Kind.DYNAMIC, 2))[0].step(2)
    assert record_of(found) == way[nested]
