"""Generated puzzles against CDCL sessions, brute force, and grids that were counted by others."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from examples import CLASSIC, FOUR
from hypothesis import given, settings
from hypothesis import strategies as st

import satdoku
from satdoku import engine
from satdoku.errors import Status
from satdoku.generator import (
    GenerateOptions,
    generate,
    generate_blocks,
    minimize,
    random_seed,
)
from satdoku.generator import classic as crosses
from satdoku.generator.dice import Dice
from satdoku.generator.errors import GeneratorError, NotUniqueError
from satdoku.generator.grids import few_grids, random_grids
from satdoku.generator.oracle import completions
from satdoku.generator.removal import is_minimal, taken_away
from satdoku.generator.shapes import SYMMETRIES, orbits_of, pattern_of
from satdoku.generator.walk import (
    filled_grids,
    kept_cells,
    roots_of,
    scrambled,
    step,
    walked_grids,
)
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.model.rules import RuleError
from satdoku.symmetry import automorphisms, canonical, group
from satdoku.witness.verify import solves_many

NINE = constraints_for("classic")
SIX = constraints_for("classic", Board.of_size(6))
LITTLE = constraints_for("classic", FOUR)


def text(puzzles):
    return [
        str(satdoku.Grid(row.tobytes(), Board.of_size(round(len(row) ** 0.5)))) for row in puzzles
    ]


def number_of_solutions(session, cells):
    """0, 1 or 2, which is two or more, by CDCL."""
    return session.count(cells, limit=2)


def assert_unique(puzzles, rules=NINE, *, minimal=False):
    """Each has one solution, and where minimal each less any one given has another: by CDCL."""
    with satdoku.Session(rules) as session:
        for puzzle in puzzles:
            assert number_of_solutions(session, puzzle) == 1
            for cell in np.flatnonzero(puzzle) if minimal else ():
                less = puzzle.copy()
                less[cell] = 0
                assert number_of_solutions(session, less) == 2


def chi_square(observed, expected):
    """How far counts are off, in standard deviations of the chi-square distribution (normal for
    many classes)."""
    observed, expected = np.asarray(observed, float), np.asarray(expected, float)
    freedom = len(observed) - 1
    return (((observed - expected) ** 2 / expected).sum() - freedom) / (2 * freedom) ** 0.5


# Puzzles -----------------------------------------------------------------------------------------


def test_puzzles_are_unique_and_minimal():
    assert_unique(generate(25, seed=5), minimal=True)


PINNED = [
    ".17..3..4..2..4..6...6...9.43.1.......6..93...2.4....5.61.....7...9.5.....4.8.5..",
    ".2.......5...........37..64......927...1...3.3.2.6......3..95..4..5...13....1..8.",
    "5...6.....6.2...7...2.5..6.1.57........3....49.....83.6...8......7...1.3.4.....2.",
]
PINNED_DIAGONAL = "..3.....6.1...2.............4....1.."


@pytest.mark.parametrize("name", engine.implementations())
def test_a_seed_means_the_same_puzzles_for_every_engine(name, monkeypatch):
    monkeypatch.setenv("SATDOKU_SIMD", name)
    kept_cells.cache_clear()  # which another engine found
    roots_of.cache_clear()
    assert text(generate(3, seed=1)) == PINNED
    assert text(generate(1, "diagonal", size=6, seed=1)) == [PINNED_DIAGONAL]


def test_the_first_of_more_are_the_same():
    assert text(generate(40, seed=1))[:3] == PINNED
    assert len(generate(0)) == 0
    assert not np.array_equal(generate(3, seed=2), generate(3, seed=1))


def test_a_seed_that_is_drawn_is_told_and_makes_the_same_again(caplog):
    caplog.set_level("INFO", logger="satdoku.generator")
    drawn = [generate(1, size=4) for _ in range(3)]
    seeds = [int(message.removeprefix("seed ")) for message in caplog.messages]
    assert len(set(seeds)) == 3  # 2**32 seeds: no two alike
    for seed, puzzles in zip(seeds, drawn, strict=True):
        assert np.array_equal(generate(1, size=4, seed=seed), puzzles)
    assert np.array_equal(generate(1, size=4, seed=None).shape, (1, 16))
    assert len(caplog.messages) == 4  # a seed that is given is not news
    options = GenerateOptions(SIX)
    assert options.seed != GenerateOptions(SIX).seed
    blocks = list(generate_blocks(2, options))
    assert np.array_equal(np.concatenate(blocks), generate(2, SIX, seed=options.seed))
    assert all(0 <= random_seed() < 2**32 for _ in range(99))


def test_workers_change_nothing():
    # Blocks of 1, 1, 2, 4, 8 by other processes.
    options = GenerateOptions(SIX, seed=3)
    alone = np.concatenate(list(generate_blocks(16, options)))
    shared = np.concatenate(list(generate_blocks(16, options, workers=2)))
    assert np.array_equal(alone, shared)


@pytest.mark.parametrize("size", [4, 6])
@pytest.mark.parametrize("rules", ["classic", "diagonal", "disjoint", "antiqueen", "knight"])
def test_small_boards_under_every_rule(rules, size):
    constraints = constraints_for(rules, Board.of_size(size))
    try:
        puzzles = generate(4, constraints, seed=1)
    except GeneratorError as error:
        assert "there is no" in str(error)
        assert satdoku.Session(constraints).solve(bytes(size * size)) is None
    else:
        assert_unique(puzzles, constraints, minimal=True)


@pytest.mark.parametrize("rules", ["miracle", "king", "diagonal", "windoku", "antiqueen"])
def test_nine_by_nine_under_rules(rules):
    constraints = constraints_for(rules)
    assert_unique(generate(2, constraints, seed=1), constraints, minimal=True)


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["nonconsecutive", "knight", "knight,king", "disjoint,windoku"])
def test_nine_by_nine_under_hard_rules(rules):
    constraints = constraints_for(rules)
    assert_unique(generate(4, constraints, seed=1), constraints, minimal=True)


@pytest.mark.slow
@pytest.mark.parametrize("size", [12, 16])
def test_large_boards(size):
    constraints = constraints_for("classic", Board.of_size(size))
    assert_unique(generate(2, constraints, seed=1), constraints)


def test_jigsaw():
    constraints = constraints_for("jigsaw=aaaabbaacbbbcccddbccddddeeeeffeeffff")
    assert_unique(generate(3, constraints, seed=1), constraints, minimal=True)
    assert np.array_equal(generate(3, constraints.name, seed=1), generate(3, constraints, seed=1))


def test_rules_without_a_grid():
    with pytest.raises(GeneratorError, match="there is no 4x4 grid under the rules king"):
        generate(1, "king", size=4)


# What was asked for ------------------------------------------------------------------------------


def test_givens_lie_within_the_range_and_all_occur():
    puzzles = generate(60, seed=2, givens=(28, 31))
    counts = Counter((puzzles > 0).sum(axis=1).tolist())
    assert set(counts) == {28, 29, 30, 31}
    assert_unique(puzzles[:10])
    assert (generate(2, seed=2, givens=(81, 81)) > 0).all()


def test_givens_beside_minimal():
    puzzles = generate(5, seed=2, givens=(25, 26), minimal=True)
    assert set((puzzles > 0).sum(axis=1)) <= {25, 26}
    assert_unique(puzzles, minimal=True)


@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_the_pattern_of_givens_is_symmetric(symmetry):
    puzzles = generate(3, seed=4, symmetry=symmetry)
    squares = (puzzles > 0).reshape(-1, 9, 9)
    for move in SYMMETRIES[symmetry]:
        for square in squares:
            assert np.array_equal(move(square), square)
    assert_unique(puzzles)


def test_a_symmetric_puzzle_keeps_no_orbit_that_could_go():
    orbits = orbits_of("rot180", NINE.board)
    for puzzle in generate(3, seed=4, symmetry="rot180"):
        for orbit in set(orbits[puzzle > 0].tolist()):
            less = np.where(orbits == orbit, 0, puzzle).astype(np.uint8)
            assert satdoku.classify(less.tobytes()) is Status.MULTIPLE


def test_symmetric_and_minimal():
    puzzles = generate(2, seed=4, symmetry="rot180", minimal=True)
    assert np.array_equal(puzzles > 0, puzzles[:, ::-1] > 0)
    assert_unique(puzzles, minimal=True)


def test_a_pattern_is_kept_exactly():
    mask = "1." * 40 + "1"
    puzzles = generate(5, seed=1, pattern=mask)
    assert (np.array([c == "1" for c in mask]) == (puzzles > 0)).all()
    assert_unique(puzzles)


def test_a_pattern_under_other_rules():
    mask = "1..1 .1.. ..1. 1..."
    puzzles = generate(4, size=4, seed=1, pattern=mask)
    assert (pattern_of(mask, FOUR) == (puzzles > 0)).all()
    assert_unique(puzzles, LITTLE)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"givens": (17, 17), "tries": 3}, "found 0 of 1 puzzles with 17 to 17 givens in 3 tries"),
        ({"givens": (30, 20)}, "30 to 20 givens: expected LO-HI within 0 to 81"),
        ({"givens": (20, 82)}, "20 to 82 givens"),
        ({"symmetry": "round"}, "no symmetry 'round': known are none, rot180"),
        ({"pattern": "1" * 80}, "pattern of 80 characters: expected 81"),
        ({"pattern": "1" * 7 + "." * 74}, "pattern of 7 givens: classic needs 8 or more"),
        ({"pattern": "." * 18 + "1" * 63}, "rows 1 and 2, which can be swapped"),
        ({"pattern": "1..111111" * 9}, "columns 2 and 3, which can be swapped"),
        ({"pattern": "1" * 81, "symmetry": "rot90"}, "a pattern settles the givens"),
        ({"seed": -1}, "seed -1: expected 0 or more"),
    ],
)
def test_what_cannot_be_is_refused(options, message):
    with pytest.raises(GeneratorError, match=message):
        generate(1, **options)
    with pytest.raises(GeneratorError, match="-1 puzzles"):
        generate(-1)


def test_every_refused_pattern_has_no_puzzle():
    """On 4x4 all patterns of 4 and 5 givens: what is refused has no unique puzzle at all."""
    grids = few_grids(LITTLE)
    refused = 0
    for seed in range(200):
        pattern = Dice(seed).orders(1, 16)[0] < 4 + seed % 2
        mask = "".join(".1"[int(given)] for given in pattern)
        try:
            GenerateOptions(LITTLE, pattern=mask)
        except GeneratorError:
            refused += 1
            puzzles = np.where(pattern, grids, 0).astype(np.uint8)
            assert (engine.solve(puzzles, LITTLE).status == Status.MULTIPLE).all()
    assert refused > 10


# Removal -----------------------------------------------------------------------------------------


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32), symmetry=st.sampled_from(list(SYMMETRIES)))
def test_removal_is_that_of_one_orbit_after_the_other(seed, symmetry):
    dice = Dice(seed)
    grids = random_grids(3, SIX, dice)
    orbits = orbits_of(symmetry, SIX.board)
    orders = dice.orders(3, int(orbits.max()) + 1)
    least = dice.below(20, 3)
    expected = grids.copy()
    with satdoku.Session(SIX) as session:
        for row, puzzle in enumerate(expected):
            for orbit in orders[row]:
                less = np.where(orbits == orbit, 0, puzzle).astype(np.uint8)
                if (less > 0).sum() >= least[row] and number_of_solutions(session, less) == 1:
                    puzzle[:] = less
    assert np.array_equal(taken_away(grids, SIX, orbits, orders, least), expected)


def test_minimize():
    solution = np.asarray(satdoku.solve(CLASSIC))
    puzzles = np.stack([np.asarray(satdoku.parse_grid(CLASSIC)), solution])
    minimal = minimize(puzzles, seed=3)
    assert ((minimal == 0) | (minimal == puzzles)).all()
    assert_unique(minimal, minimal=True)
    assert np.array_equal(minimize(minimal, seed=9), minimal)
    assert is_minimal(minimal, NINE).all()
    assert is_minimal(puzzles, NINE).tolist() == [np.array_equal(minimal[0], puzzles[0]), False]


def test_minimize_needs_one_solution():
    puzzles = np.zeros((2, 81), np.uint8)
    puzzles[0] = np.asarray(satdoku.solve(CLASSIC))
    with pytest.raises(NotUniqueError, match="puzzle 2: multiple, expected one solution"):
        minimize(puzzles)
    puzzles[1, :2] = 5
    with pytest.raises(NotUniqueError, match="puzzle 2: invalid"):
        minimize(puzzles)


@pytest.mark.parametrize(
    ("name", "number"),
    [("none", 81), ("rot180", 41), ("rot90", 21), ("mirror", 45), ("flip", 45), ("diagonal", 45),
     ("antidiagonal", 45), ("mirrors", 25), ("diagonals", 25), ("full", 15)],
)  # fmt: skip
def test_orbits_of_cells(name, number):
    """The numbers are Burnside's."""
    assert orbits_of(name, NINE.board).max() + 1 == number


# Completions -------------------------------------------------------------------------------------


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32), rules=st.sampled_from(("classic", "diagonal", "knight")))
def test_completions_are_all_solutions(seed, rules):
    constraints = constraints_for(rules, Board.of_size(6))
    dice = Dice(seed)
    grids = np.frombuffer(satdoku.solve("." * 36, rules).cells * 4, np.uint8).reshape(4, 36)
    kept = dice.orders(4, 36) < dice.below(20, 4)[:, None] + 4
    puzzles = np.where(kept, grids, 0).astype(np.uint8)
    found = completions(puzzles, constraints, 20)
    with satdoku.Session(constraints) as session:
        for row, puzzle in enumerate(puzzles):
            expected = sorted(s.cells for s in session.solutions(puzzle, limit=21))
            assert found.too_many[row] == (len(expected) == 21)
            start, count = found.starts[row], found.counts[row]
            mine = [bytes(grid) for grid in found.grids[start : start + count]]
            assert mine == ([] if found.too_many[row] else expected)


def test_completions_of_none():
    found = completions(np.zeros((0, 16), np.uint8), LITTLE, 5)
    assert len(found.grids) == 0
    clash = np.array([[1, 1] + [0] * 14], np.uint8)
    assert completions(clash, LITTLE, 5).counts.tolist() == [0]
    assert len(completions(np.zeros((1, 16), np.uint8), LITTLE, 288).grids) == 288
    assert completions(np.zeros((1, 16), np.uint8), LITTLE, 287).too_many.all()


# Uniformity --------------------------------------------------------------------------------------


def test_few_grids_are_drawn_uniformly(four_by_four):
    assert [bytes(grid) for grid in few_grids(LITTLE)] == sorted(four_by_four)
    drawn = random_grids(28_800, LITTLE, Dice(1))
    counts = Counter(map(bytes, drawn))
    assert len(counts) == 288
    assert abs(chi_square(list(counts.values()), [100] * 288)) < 4
    assert len(few_grids(constraints_for("miracle"))) == 72
    assert few_grids(SIX) is None


def classes_of_six(grids):
    """Chi-square of the 49 classes of 6x6 grids: the size of each is the group's order divided by
    the automorphisms, and together they are all 28,200,960 grids."""
    forms, counts = np.unique(canonical(grids, SIX), axis=0, return_counts=True)
    sizes = group(SIX).order / np.array(automorphisms(forms, SIX))
    return len(forms), sizes.sum(), chi_square(counts, sizes * len(grids) / 28_200_960)


def test_walks_make_six_by_six_uniform():
    begun = filled_grids(3000, SIX, Dice(2))
    biased = classes_of_six(begun)[2]
    number, total, walked = classes_of_six(walked_grids(3000, SIX, Dice(3)))
    assert (number, total) == (49, 28_200_960)
    assert biased > 12
    assert abs(walked) < 4


def test_a_step_leaves_uniform_grids_uniform():
    """From each of the 288 grids 100 times; 4 cells are kept, of many completions none is looked
    at where they are more than `MOST`."""
    grids = np.repeat(few_grids(LITTLE), 100, axis=0)
    moved = step(grids, 4, LITTLE, Dice(6))
    assert 0.2 < (moved != grids).any(axis=1).mean() < 1
    counts = Counter(map(bytes, moved))
    assert abs(chi_square([counts[bytes(g)] for g in few_grids(LITTLE)], [100] * 288)) < 4


def test_scrambled_grids_are_images():
    grids = np.repeat(random_grids(1, SIX, Dice(1)), 50, axis=0)
    images = scrambled(grids, SIX, Dice(2))
    assert len({bytes(image) for image in images}) == 50
    assert len(np.unique(canonical(images, SIX), axis=0)) == 1
    assert solves_many(images, np.zeros_like(images), (), SIX.board).all()


def test_bands_are_uniform():
    """Which digits of the first box stand in which row of the second: 56 ways, all alike likely."""
    first = np.tile(np.arange(1, 10, dtype=np.uint8).reshape(1, 3, 3), (28_000, 1, 1))
    bands = crosses._bands(first, Dice(1))
    assert (np.sort(bands, axis=2) == np.arange(1, 10)).all()
    rows = np.sort(bands[:, :, 3:6], axis=2).reshape(-1, 9)
    ways, counts = np.unique(rows, axis=0, return_counts=True)
    assert len(ways) == 56
    assert abs(chi_square(counts, [500] * 56)) < 4
    orders = Counter(tuple(np.argsort(row)) for row in bands[:, 0, 3:6])
    assert len(orders) == len(list(permutations(range(3))))
    assert abs(chi_square(list(orders.values()), [28_000 / 6] * 6)) < 4


def test_thinned_crosses_count_the_grids_of_the_world():
    """Completions times choices are, on average, the 6.67e21 grids divided by the crosses: the
    estimate is 6.6e21 to 6.8e21 at three standard errors, so that no choice is missed."""
    puzzles, weights = crosses.thinned_crosses(30_000, Dice(3))
    found = completions(puzzles[weights > 0], NINE, 1000)
    values = np.zeros(len(puzzles))
    values[weights > 0] = found.counts * weights[weights > 0]
    error = values.std() / len(values) ** 0.5
    assert abs(values.mean() - crosses.MEAN) < 3 * error
    assert error / crosses.MEAN < 0.012
    assert (values > crosses.BOUND).mean() < 1e-3


def test_classic_grids_are_grids_and_digits_are_uniform():
    grids = random_grids(900, NINE, Dice(4))
    assert solves_many(grids, np.zeros_like(grids), (), NINE.board).all()
    counts = np.stack([(grids == digit).sum(axis=0) for digit in range(1, 10)])
    expected = np.full(counts.size, 100)
    assert abs(chi_square(counts.ravel(), expected)) < 5


def test_dice_are_the_same_everywhere():
    dice = Dice(1, (2,))
    assert dice.words(2).tolist() == [4301196022613586579, 867395562149415902]
    assert dice.below(10, 8).tolist() == [4, 7, 7, 4, 2, 5, 5, 7]
    assert sorted(dice.orders(2, 9)[1].tolist()) == list(range(9))
    assert abs(dice.fractions(4000).mean() - 0.5) < 0.03


def test_windoku_needs_square_boxes():
    with pytest.raises(RuleError):
        generate(1, "windoku", size=6)
