"""Ratings of every rule set by named steps: the scale, its page, and what is beyond."""

import subprocess
import sys
from random import Random

from examples import CLASSIC, PUZZLES
from explain_cases import ON_BOARDS, random_puzzle

import satdoku
from satdoku import explain_steps
from satdoku.explain.logic import scale
from satdoku.explain.rated import (
    TECHNIQUES,
    Rating,
    Taken,
    codes_of,
    of_steps,
    rate_rows,
    rating_of,
    steps_of,
)
from satdoku.files.one import without_marks
from satdoku.runtime.errors import Status

LINES = (PUZZLES / "generated-1000.txt").read_text().split("\n")[2:]


def cases(count):
    for name, board in ON_BOARDS.items():
        for seed in range(count):
            case = random_puzzle(board, Random(seed))
            if satdoku.classify(*case) is Status.UNIQUE:
                yield name, case


def test_every_step_is_on_the_scale_and_the_rating_is_of_these_steps():
    seen = set()
    for _, case in cases(4):
        steps = [step for step in explain_steps(*case, named=True) if step.rating is not None]
        for step in steps:
            least, most = scale.RANGES[step.technique]
            assert least <= step.rating <= (most or scale.BEYOND)
            seen.add(step.technique)
        rating = satdoku.rate(*case)
        grid = case[0] if isinstance(case[0], satdoku.Grid) else without_marks(*case)[0]
        path = list(steps_of(grid, case[1]))
        assert rating == of_steps(path)
        both = zip(path, steps, strict=False)
        assert all(
            (taken.rating, taken.technique) == (step.rating, step.technique)
            for taken, step in both
            if taken.technique != scale.BEYOND_NAME
        )
    assert len(seen) >= 4


def test_er_ep_and_ed_are_of_the_steps_that_their_names_say():
    steps = [
        Taken(2.6, "pointing", places=False), Taken(2.0, "clue alone", places=False),
        Taken(1.2, "hidden single", places=True), Taken(4.8, "forcing chain", places=False),
        Taken(1.2, "hidden single", places=True),
    ]  # fmt: skip
    counts = {"hidden single": 2, "clue alone": 1, "pointing": 1, "forcing chain": 1}
    assert of_steps(steps) == Rating(4.8, 2.6, 2.6, "forcing chain", counts)
    assert of_steps([]) == Rating(0.0, 0.0, 0.0, "", {})
    assert of_steps([]).words == "0.0 (EP 0.0, ED 0.0)"


def test_what_needs_more_than_the_techniques_is_above_them_all():
    puzzle = "......4.............17...6.....4...2.2.......7....63.....32......8.....9.5.....1."
    steps = [
        Taken(1.2, "hidden single", places=True),
        Taken(scale.BEYOND, scale.BEYOND_NAME, False),
    ]
    rating = of_steps(steps)
    assert (rating.er, rating.ep, rating.complete) == (scale.BEYOND, 1.2, False)
    assert rating.words == "10.0 at least (EP 1.2, ED 1.2): beyond these levels; 1 hidden single"
    grid, constraints = without_marks("." * 81, "diagonal")
    *_, last = steps_of(grid, constraints)  # of several solutions, so no technique serves
    assert last == Taken(scale.BEYOND, scale.BEYOND_NAME, places=False)
    assert satdoku.rate(puzzle, "diagonal").er < scale.BEYOND


def test_rows_of_numbers_say_the_same():
    grid, constraints = without_marks(CLASSIC, "classic;sum=45:row1")
    alone = rating_of(grid, constraints)
    er, ep, ed, code = rate_rows(grid.cells, constraints)
    assert (er / 10, ep / 10, ed / 10, TECHNIQUES[code]) == (
        alone.er, alone.ep, alone.ed, alone.technique,
    )  # fmt: skip
    assert code in codes_of(alone.technique.upper())


def test_a_clue_that_does_nothing_costs_nothing_where_both_have_the_techniques():
    """A sum of two givens joins the rules, so the ladder rates in place of Sudoku Explainer."""
    shared = {"hidden single", "naked single", "pointing", "claiming", "naked pair", "hidden pair"}
    rated = 0
    for puzzle in LINES[:24]:
        one, other = [cell for cell, digit in enumerate(puzzle) if digit in "123456789"][:2]
        names = ",".join(f"r{cell // 9 + 1}c{cell % 9 + 1}" for cell in (one, other))
        clue = f"sum={int(puzzle[one]) + int(puzzle[other])}:{names}"
        if {step.technique for step in explain_steps(puzzle, named=True)} <= shared:
            classic, idle = satdoku.rate(puzzle), satdoku.rate(puzzle, clue)
            assert isinstance(idle, Rating)
            assert (idle.er, idle.ep, idle.ed) == (classic.er, classic.ep, classic.ed)
            rated += 1
    assert rated >= 4


def test_one_puzzle_costs_no_numpy():
    code = (
        "import sys; from satdoku.explain.rated import rating_of; "
        "from satdoku.files.one import without_marks; "
        "print(rating_of(*without_marks('1.....2....3.4..')).er, 'numpy' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split()[1] == "False"
