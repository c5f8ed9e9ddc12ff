"""C asks of the groups, houses and lines of which the reference tells anything, and takes no
numbers on trust."""

from __future__ import annotations

import random
from array import array
from itertools import product

import pytest
from logic_cases import mask_of_solution, random_live, spoilt, with_clues

from satdoku.explain.logic import places as asked
from satdoku.explain.logic import scale
from satdoku.explain.logic.alternating import found_of_digit, found_of_state
from satdoku.explain.logic.bent import wings
from satdoku.explain.logic.net import AVAILABLE
from satdoku.explain.logic.places import KINDS, MOST_SIZE, Places, lines_of, places_of
from satdoku.explain.logic.plain import Plain
from satdoku.explain.techniques import State
from satdoku.explain.units import units_of
from satdoku.model.board import Board, bits, mask_of
from satdoku.model.constraints import constraints_for

needs_c = pytest.mark.skipif(not AVAILABLE, reason="needs the C extension")
BOARDS = [
    "classic",
    "knight,king",
    "diagonal",
    "shape=4x4",
    "shape=6x6",
    "latin,shape=5x5",
    "jigsaw=1112122233434344",
    "grids:r1c1,r7c7",
    "digits=0-8",
]


def told(plain, state):
    """For each kind and count the questions with an answer, by the reference."""
    live, houses = state.live, range(len(plain.units.houses))
    groups = range(len(plain.units.groups))
    in_groups = {
        "lonely": lambda g: (plain.units.all[g].candidates & live).bit_count() == 1,
        "within": lambda g: plain._inside(g, live),
        "seen": lambda g: plain._seen_by_group(g, live),
    }
    for kind, tells in in_groups.items():
        yield kind, 1, {group for group in groups if tells(group)}
    for count in scale.NAKED:
        yield "naked", count, {h for h in houses if plain._naked_sets(count, h, live)}
        yield "hidden", count, {h for h in houses if plain._hidden_sets(count, h, live)}
        lines = range(len(lines_of(plain.units)))
        yield "fish", count, {one for one in lines if plain._fish(count, one, live)}
    pairs = {}
    for cell, left in enumerate(state.by_cell):
        if left.bit_count() == 2:
            low, high = (plain.units.size * cell + digit for digit in bits(left))
            pairs |= {low: high, high: low}
    for count in scale.WINGS:
        almost = {h: plain._almost_sets(count, h, live) for h in houses}
        bent = {
            house
            for house, some in almost.items()
            if any(any(wings(state, one, pairs, mask_of(pairs))) for one in some)
        }
        yield "wings", count, bent


@needs_c
@pytest.mark.parametrize("base", BOARDS)
def test_those_are_asked_that_have_an_answer(base):
    rng = random.Random(base)
    constraints, solution = with_clues(base, [], rng)
    units = units_of(constraints)
    true, met, places, plain = mask_of_solution(units, solution), set(), Places(units), Plain(units)
    for number in range(15):
        live = random_live(units, rng, true if number % 3 else 0)
        for kind, count, expected in told(plain, State(units, live, 0)):
            found = set(bits(places.asked(kind, live, count)))
            assert found >= expected if kind == "fish" else found == expected, (kind, count)
            met |= {kind} if expected else set()
    assert met >= {"lonely", "naked", "hidden", "within"} - (
        {"within"} if "latin" in base else set()
    )


@needs_c
@pytest.mark.parametrize("base", BOARDS)
def test_the_shortest_chains_start_where_the_reference_says(base):
    rng = random.Random(f"chains {base}")
    constraints, solution = with_clues(base, [], rng)
    units, met = units_of(constraints), 0
    true, places = mask_of_solution(units, solution), Places(units)
    for _ in range(12):
        live = random_live(units, rng, true)
        every = [(found_of_state(State(units, live, 0)), live, None)]
        for digit in range(units.size):
            own = mask_of(c for c in bits(live) if c % units.size == digit)
            every.append((found_of_digit(units, digit, own), own, digit))
        for reference, left, digit in every:
            links, literals = reference.shortest()
            found = places.shortest(left, digit)
            assert sorted(found[1]) == sorted(literals)
            assert not literals or found[0] == links
            met += bool(literals)
    assert met


@needs_c
def test_large_boards_are_asked_by_the_reference():
    small, large = (constraints_for("latin", Board.of_size(size)) for size in (5, MOST_SIZE + 1))
    assert places_of(units_of(small)) is not None
    assert places_of(units_of(large)) is None


def ask_all(places, variables, rng):
    """Ask opened numbers for all that they tell."""
    some = bytes(rng.randrange(256) for _ in range(variables // 8 + 2))
    numbers = product(range(-1, len(KINDS) + 1), (-1, 0, 1, 2, 4, 7, MOST_SIZE))
    asks = [(asked._net.asked, each) for each in numbers]
    asks += [(asked._net.shortest, (digit,)) for digit in (-2, -1, 0, 3, 99)]
    for live in (some, b"\xff" * len(some), b""):
        for ask, each in asks:
            try:
                ask(places, live, *each)
            except ValueError as error:
                assert "there are" in str(error)


@needs_c
def test_no_numbers_crash_it():
    """Those of a board with a few exchanged, dropped or added."""
    rng = random.Random(3)
    constraints, _ = with_clues("shape=4x4", [], rng)
    numbers = [*asked._numbers_of(units_of(constraints))]
    near = [-1, 0, 1, 2, 3, 5, 16, 17, 63, 64, 65, (1 << 31) - 1, -(1 << 31)]
    opened = refused = 0
    for _ in range(1500):
        tried = spoilt(numbers, near, rng)
        if not 0 < tried[0] < 1000:
            tried[0] = rng.choice((-1, 0, 64, 999))
        clipped = array("i", [max(-(1 << 31), min(n, (1 << 31) - 1)) for n in tried])
        try:
            places = asked._net.open_places(clipped)
        except ValueError as error:
            assert str(error) == "numbers: expected groups and houses"
            refused += 1
            continue
        opened += 1
        ask_all(places, tried[0], rng)
    assert opened > 100
    assert refused > 300
