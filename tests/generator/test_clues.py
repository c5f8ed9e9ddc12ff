"""Puzzles with clues: one solution, nothing to spare, reproducible; the commands that make them."""

import csv
import io
import json
from random import Random

import numpy as np
import pytest

import satdoku
from satdoku.batch.solve import solve_batch
from satdoku.generator import clues
from satdoku.generator.clues import minimal_puzzles, puzzles_with_clues, thinned
from satdoku.generator.dice import Dice
from satdoku.generator.grids import random_grids
from satdoku.generator.oracle import Difficulty, GeneratorError, NotUniqueError
from satdoku.model.board import Board
from satdoku.model.clue import ClueError
from satdoku.model.constraints import constraints_for
from satdoku.runtime.errors import BudgetError, Status

SIX = Board.of_size(6)
FULL = "1234341221434321"


def is_unique(puzzle, rules):
    return solve_batch(puzzle[None], rules).statuses[0] == Status.UNIQUE


@pytest.mark.parametrize("rules", ["classic", "antiqueen;odd:r1c1"])
@pytest.mark.parametrize("kinds", [["thermo", "white", "x"], ["cage"], ["even", "renban", "arrow"]])
def test_every_clue_and_every_given_is_needed(rules, kinds):
    constraints = constraints_for(rules, SIX)
    for made in puzzles_with_clues(2, constraints, clues=kinds, seed=7):
        puzzle, own = np.asarray(made.grid), made.constraints
        assert is_unique(puzzle, own)
        for cell in np.flatnonzero(puzzle):
            fewer = puzzle.copy()
            fewer[cell] = 0
            assert not is_unique(fewer, own)
        texts = set(own.clue_texts)
        assert texts >= set(constraints.clue_texts) and texts - set(constraints.clue_texts)
        for text in texts - set(constraints.clue_texts):
            names = [",".join(own.names), *(texts - {text})]
            assert not is_unique(puzzle, constraints_for(";".join(names), SIX))


def test_the_same_seed_gives_the_same_and_usual_values():
    made = [list(puzzles_with_clues(n, clues=["whisper", "v"], seed=3)) for n in (1, 2)]
    assert made[0][0] == made[1][0] and len(made[1]) == 2
    heads = {text.split(":")[0] for puzzle in made[1] for text in puzzle.constraints.clue_texts}
    assert heads == {"whisper=5", "sum=5"}
    with pytest.raises(ClueError, match="did you mean 'thermo'"):
        puzzles_with_clues(clues=["termo"], seed=3)


def test_thinning_leaves_out_what_is_not_needed():
    rules = constraints_for("odd:r1c1;thermo:row1;thermo:-row2;digits=2:r3c1", Board.of_size(4))
    puzzle = np.zeros(16, np.uint8)
    puzzle[9] = 1
    assert is_unique(puzzle, rules)
    kept = thinned(puzzle, rules, Random(1))
    assert is_unique(puzzle, kept) and "odd:r1c1" not in kept.clue_texts


@pytest.mark.parametrize("kinds", [["cage", "thermo"], ["even", "x-sum", "white"]])
def test_one_formula_tells_the_same_as_one_for_each_clue(kinds):
    """The first is quicker; the second works where a clue says more when another goes."""
    classic = constraints_for("classic", SIX)
    for seed in range(3):
        grid = random_grids(1, classic, Dice(seed))[0]
        drawn = clues._drawn(grid, classic, kinds, Random(seed))
        every = constraints_for(";".join(["classic", *drawn]), SIX)
        cells, texts = Random(seed).sample(range(36), 36), sorted(drawn)
        one = clues._thinned(grid, every, cells, texts)
        other = clues._thinned_one_by_one(grid, every, cells, texts)
        assert one[0].tolist() == other[0].tolist() and one[1] == other[1]


def test_generate_writes_the_clues_beside_the_puzzles(run, tmp_path):
    asked = ["generate", "-n", "2", "--seed", "1", "--size", "6", "--clues", "thermo,cage"]
    code, out, err = run(*asked)
    assert (code, err) == (0, "")
    rows = list(csv.DictReader(io.StringIO(out)))
    records = list(map(json.loads, run(*asked, "--json")[1].splitlines()))
    assert [(r["puzzle"], r["rules"]) for r in records] == [(r["puzzle"], r["rules"]) for r in rows]
    path = tmp_path / "made.csv"
    path.write_text(out)
    assert run("check", path)[:2] == (0, "unique\nunique\n")
    assert "takes no --givens" in run(*asked, "--givens", "9")[2]
    assert "takes no --symmetry" in run(*asked, "--symmetry", "rot180")[2]
    assert "no kind 'cafe': did you mean 'cage'?" in run("generate", "--clues", "cafe")[2]


def test_minimize_leaves_out_clues_too(run):
    rules = "thermo:row1;thermo:-row2;even:r2c1;digits=2:r3c1;digits=3:r4c1"
    code, out, _ = run("minimize", "3" + "." * 15, "-r", rules, "--clues")
    assert code == 1 and out in ("none\n", "invalid\n")
    puzzle = "." * 9 + "1" + "." * 6
    code, out, _ = run("minimize", puzzle, "-r", rules, "--clues", "--json")
    record = json.loads(out)
    assert (code, record["status"], record["rules"].count(";")) == (0, "unique", 5)
    assert record["kept"].count(";") < 5
    assert run("check", record["minimal"], "-r", record["kept"])[1] == "unique\n"
    text = run("minimize", puzzle, "-r", rules, "--clues")[1]
    assert text == f"{record['minimal']} {record['kept']}\n"


def test_one_puzzle_loses_clues_then_givens():
    rules = "classic;sum=3:r1c1,r1c2;sum=7:r1c3,r1c4"
    found = satdoku.minimize_clues(FULL, rules, seed=3)
    assert satdoku.classify(found) is satdoku.Status.UNIQUE
    assert set(found.constraints.clue_texts) <= set(rules.split(";"))
    assert found == satdoku.minimize_clues(FULL, rules, seed=3)
    with pytest.raises(NotUniqueError, match="multiple"):
        satdoku.minimize_clues("." * 16)


def test_minimizing_ends_at_the_limit():
    for minimize in (satdoku.minimize, satdoku.minimize_clues):
        with pytest.raises(BudgetError):
            minimize("." * 625, "knight", timeout=1e-6)


@pytest.mark.parametrize("clues", [False, True])
def test_one_by_one_or_together_the_puzzles_are_the_same(clues):
    four = constraints_for("classic", Board.of_size(4))
    puzzles = np.array([[*map(int, text)] for text in (FULL, "0" * 16, FULL[::-1])], np.uint8)
    dice = Dice(5)
    singly = [one for row in puzzles for one in minimal_puzzles(row[None], four, dice, clues=clues)]
    assert singly == [*minimal_puzzles(puzzles, four, Dice(5), clues=clues)]
    assert singly[1] is Status.MULTIPLE


def test_puzzles_with_clues_are_of_the_difficulty_asked_for():
    made = {"clues": ["thermo", "cage"], "size": 6, "seed": 3}
    puzzles = list(puzzles_with_clues(2, difficulty=Difficulty((2.3, 5.0)), **made))
    assert all(2.3 <= satdoku.rate(puzzle).er <= 5.0 for puzzle in puzzles)
    every = [puzzle.rules for puzzle in puzzles_with_clues(9, **made)]
    assert [rules for rules in every if rules in {p.rules for p in puzzles}] == [
        puzzle.rules for puzzle in puzzles
    ]
    with pytest.raises(
        GeneratorError, match=r"found 0 of 1 puzzle with ER 9\.9 to 9\.9 in 2 tries"
    ):
        next(puzzles_with_clues(1, difficulty=Difficulty((9.9, 9.9)), tries=2, **made))
