"""Generated puzzles against CDCL sessions, brute force, and grids that were counted by others."""

from __future__ import annotations

from collections import Counter
from itertools import count

import numpy as np
import pytest
from generator_cases import SIX, assert_unique

import satdoku
from satdoku import Wish, engine
from satdoku.generator import GenerateOptions, generate, generate_blocks, random_seed
from satdoku.generator.grids import kept_cells, roots_of
from satdoku.generator.oracle import GeneratorError
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.model.rules import RuleError


def text(puzzles):
    return [
        str(satdoku.Grid(row.tobytes(), Board.of_size(round(len(row) ** 0.5)))) for row in puzzles
    ]


def test_puzzles_are_unique_and_minimal():
    assert_unique(generate(25, seed=5), minimal=True)


PINNED = [
    ".17..3..4..2..4..6...6...9.43.1.......6..93...2.4....5.61.....7...9.5.....4.8.5..",
    "...32..791.2........8....4...31....5.8...4.9.795.....2......7...4..8........36..8",
    "..8.9...4..........4.7.1..66....7.397....42.....2.......5.86..7....2.8.3.8...95..",
]


PINNED_DIAGONAL = ".6...2.......3........5...........4."


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


def test_time_that_runs_out_leaves_the_first_puzzles(monkeypatch):
    whole = generate(40, SIX, seed=3)
    assert generate(40, SIX, seed=3, timeout=0).shape == (0, 36)
    monkeypatch.setattr("time.monotonic", map(float, count()).__next__)  # a second for every look
    some = generate(40, SIX, seed=3, timeout=300)
    assert 0 < len(some) < 40
    assert np.array_equal(some, whole[: len(some)])


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


def test_givens_lie_within_the_range_and_all_occur():
    puzzles = generate(60, seed=2, wish=Wish(givens=(28, 31)))
    counts = Counter((puzzles > 0).sum(axis=1).tolist())
    assert set(counts) == {28, 29, 30, 31}
    assert_unique(puzzles[:10])
    assert (generate(2, seed=2, wish=Wish(givens=(81, 81))) > 0).all()


def test_givens_beside_minimal():
    puzzles = generate(5, seed=2, wish=Wish(givens=(25, 26), minimal=True))
    assert set((puzzles > 0).sum(axis=1)) <= {25, 26}
    assert_unique(puzzles, minimal=True)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"givens": (17, 17), "tries": 3}, "found 0 of 1 puzzle with 17 to 17 givens in 3 tries"),
        ({"givens": (30, 20)}, "30 to 20 givens: expected LO-HI within 0 to 81"),
        ({"givens": (20, 82)}, "20 to 82 givens"),
        ({"symmetry": "round"}, "no symmetry 'round': choose from none, rot180"),
        ({"pattern": "1" * 80}, "pattern of 80 characters: expected 81"),
        ({"pattern": "1" * 7 + "." * 74}, "pattern of 7 givens: classic needs 8 or more"),
        ({"pattern": "." * 18 + "1" * 63}, "rows 1 and 2, which can be swapped"),
        ({"pattern": "1..111111" * 9}, "columns 2 and 3, which can be swapped"),
        ({"pattern": "1" * 81, "symmetry": "rot90"}, "a pattern settles the givens"),
    ],
)
def test_what_cannot_be_is_refused(options, message):
    with pytest.raises(GeneratorError, match=message):
        generate(1, wish=Wish(**options))
    with pytest.raises(GeneratorError, match="-1 puzzles"):
        generate(-1)
    with pytest.raises(GeneratorError, match="seed -1: expected 0 or more"):
        generate(1, seed=-1)


def test_windoku_needs_square_boxes():
    with pytest.raises(RuleError):
        generate(1, "windoku", size=6)
