"""Ratings: the formula, the order of known puzzles, and puzzles that cannot be rated."""

import json
from dataclasses import replace
from functools import partial
from math import log2
from random import Random

import pytest
from examples import CLASSIC, CLASSIC_SOLUTION, PUZZLES
from explain_cases import ON_BOARDS, random_puzzle

import satdoku
from satdoku import explain_steps
from satdoku.engine import implementations
from satdoku.explain import rating as module
from satdoku.explain.rating import HARDEST_WORD, WORDS, Rating, RatingError, rating_of
from satdoku.runtime.errors import Status

rate = partial(satdoku.rate, scale="mus")  # our own scale, for all puzzles
LINES = (PUZZLES / "generated-1000.txt").read_text().split("\n")[2:]


def puzzle_in(name):
    return (PUZZLES / name).read_text().split("\n")[-2]


def test_the_number_is_what_its_parts_say():
    rating = rate(CLASSIC)
    steps = list(explain_steps(CLASSIC))
    beyond = sum(step.size > 1 for step in steps)
    assert (rating.steps, rating.beyond) == (len(steps), beyond) == (67, 10)
    assert (rating.hardest, rating.technique) == (4, "naked pair")
    assert rating.number == pytest.approx(log2(4) + log2(11) / 2 + log2(rating.nodes) / 4)
    assert rating.words.startswith(f"{rating.number:.1f} medium: 67 steps, 10 beyond singles, ")
    assert json.loads(json.dumps(rating.as_data()))["hardest"] == 4


def test_the_number_that_is_shown_belongs_to_the_word():
    rating = replace(rate(CLASSIC), hardest=4, beyond=1, nodes=round(2 ** (4 * 4.49)))
    assert (rating.word, f"{rating.number:.2f}") == ("hard", "6.99")
    assert rating.words.startswith("6.9 hard: ")


def test_nodes_under_wide_clues_are_counted_up_to_a_limit(monkeypatch):
    """They take the reference a hundred times as long."""
    open_board, rules = "." * 81, "sum=20:r1c1,r2c2,r3c3,r4c4"
    monkeypatch.setattr(module, "MOST_UNDER_CLUES", 7)
    assert module.nodes_of(open_board, rules) == 7
    assert module.nodes_of(CLASSIC, rules) == 1


def test_singles_alone_are_easy_and_nothing_else_is():
    ratings = [rate(line) for line in LINES[:8]]
    for rating in ratings:
        assert (rating.word == "easy") == (rating.hardest == 1) == (rating.number == 0)
    assert {rating.word for rating in ratings} > {"easy"}
    assert rate(CLASSIC_SOLUTION).words == (
        "0.0 easy: 0 steps, 0 beyond singles, hardest nothing (1 unit), 1 node"
    )


def test_more_of_anything_is_harder():
    base = Rating(60, 5, 4, "naked pair", 3, True)
    for harder in (
        Rating(60, 6, 4, "naked pair", 3, True),
        Rating(60, 5, 5, "chain", 3, True),
        Rating(60, 5, 4, "naked pair", 4, True),
    ):
        assert harder.number > base.number
    bounds = [bound for bound, _ in WORDS]
    assert bounds == sorted(bounds)
    assert Rating(99, 50, 60, "chain", 200, True).word == HARDEST_WORD


def test_the_rating_does_not_depend_on_the_engine(monkeypatch):
    found = set()
    for name in implementations():
        monkeypatch.setenv("SATDOKU_SIMD", name)
        found.add(rate(LINES[0]))
    assert len(found) == 1


def test_a_rating_cut_short_is_a_lower_bound():
    rating = rate(puzzle_in("inkala-2012.txt"), timeout=0.3)  # its steps take longer
    assert not rating.complete
    assert " at least: " in rating.words


def test_only_puzzles_with_one_solution_have_a_rating():
    for puzzle in ("." * 16, "11" + "." * 14, "12345678." + "........9" + "." * 63):
        with pytest.raises(RatingError, match="expected unique"):
            rate(puzzle)


@pytest.mark.parametrize("name", ["yin-yang", "regions", "ranks", "overlap", "plain rectangle"])
def test_boards_of_every_class_are_rated(name):
    """On our own scale; nodes are counted where the engine answers."""
    case = next(
        case
        for seed in range(40)
        if (case := random_puzzle(ON_BOARDS[name], Random(seed)))
        and satdoku.classify(*case) is Status.UNIQUE
    )
    rating, constraints = rate(*case), case[1]
    steps = list(explain_steps(*case))
    assert (rating.steps, rating.complete) == (len(steps), True)
    assert rating.hardest == max((step.size for step in steps), default=1)
    if constraints.needs_session:
        assert rating.nodes == 1
    with pytest.raises(RatingError, match="choose scale 'logic'"):
        satdoku.rate(*case, scale="se")


@pytest.mark.parametrize(
    ("rules", "puzzle"),
    [("digits=0-3", "....1.3......1.0"), ("shape=2x3,digits=-1-1", "0 . . . . 1")],
)
def test_boards_of_other_digits_are_rated(rules, puzzle):
    rating = rate(puzzle, rules)
    assert (rating.hardest, rating.nodes) == (1, 1)


def test_other_rules_are_rated_too():
    rating = rate(puzzle_in("miracle.txt"), "miracle")
    assert (rating.hardest, rating.technique, rating.word) == (4, "common peers", "hard")


def test_by_default_classic_is_rated_by_sudoku_explainer_and_others_by_named_steps():
    """As `satdoku rate` and `rate_batch` have it."""
    together = satdoku.rate_batch(LINES[:3])
    for line, er, technique in zip(LINES, together.er, together.technique, strict=False):
        alone = satdoku.rate(line)
        assert (alone.er, alone.technique) == (er, technique)
        assert satdoku.rate(line, scale="se") == alone == satdoku.rate(line, scale="logic")
    miracle = puzzle_in("miracle.txt")
    assert satdoku.rate(miracle, "miracle").technique == "common peers"
    with pytest.raises(RatingError, match="classic 9x9 only"):
        satdoku.rate(miracle, "miracle", scale="se")
    with pytest.raises(RatingError, match="choose from se, logic, mus"):
        satdoku.rate(miracle, "miracle", scale="easy")


def test_nothing_to_do_needs_no_step():
    assert rating_of([], 1) == Rating(0, 0, 1, "nothing", 1, True)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["inkala-2010.txt", "inkala-2012.txt"])
def test_inkalas_puzzles_are_extreme(name):
    assert rate(puzzle_in(name)).word == HARDEST_WORD


def test_a_puzzle_of_clues_alone_is_rated():
    clues = "thermo:r1c1-r1c4;thermo:r2c1,r2c2;thermo:r3c1,r3c2,r3c3;greater:r4c1,r4c2"
    rating = rate("." * 16, clues)
    assert (rating.complete, rating.hardest, rating.technique) == (True, 1, "clue alone")
