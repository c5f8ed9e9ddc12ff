"""Puzzles with clues: one solution, nothing to spare, reproducible; the commands that make them."""

import csv
import io
import json
from itertools import chain
from random import Random

import numpy as np
import pytest

import satdoku
from satdoku.batch.solve import solve_batch
from satdoku.generator import Wish, clues
from satdoku.generator.clues import minimal_puzzles, puzzles_with_clues, thinned
from satdoku.generator.dice import Dice
from satdoku.generator.givens import moves_of
from satdoku.generator.grids import random_grids
from satdoku.generator.layout import Layout
from satdoku.generator.oracle import GeneratorError, NotUniqueError
from satdoku.model.board import Board
from satdoku.model.clue import ClueError
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import Grid
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


def test_the_same_seed_gives_the_same_with_any_workers_and_usual_values():
    made = [list(puzzles_with_clues(n, clues=["whisper", "v"], seed=3)) for n in (1, 2)]
    assert made[0][0] == made[1][0] and len(made[1]) == 2
    heads = {text.split(":")[0] for puzzle in made[1] for text in puzzle.constraints.clue_texts}
    assert heads == {"whisper=5", "sum=5"}
    with pytest.raises(ClueError, match="did you mean 'thermo'"):
        puzzles_with_clues(clues=["termo"], seed=3)
    assert made[1] == [*puzzles_with_clues(2, clues=["whisper", "v"], seed=3, workers=2)]


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
        full = Grid(grid.tobytes(), SIX)
        layout = Layout(full, Random(seed), [tuple(range(36))])
        texts = clues._placed(layout, SIX, Wish(clues=tuple(kinds)))
        every = constraints_for(";".join(["classic", *chain(*texts)]), SIX)
        cells = [(cell,) for cell in Random(seed).sample(range(36), 36)]
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
    assert "clues settle the givens: they take no givens" in run(*asked, "--givens", "9")[2]
    few = [*asked, "--clue-size", "2-2", "--clue-count", "3-6", "-w", "2"]
    texts = [row["rules"].split(";")[1:] for row in csv.DictReader(io.StringIO(run(*few)[1]))]
    assert all(3 <= len(own) <= 6 for own in texts)
    assert {len(text.split(",")) for own in texts for text in own if "cage" in text} == {2}
    for words, why in [
        (["--clue-size", "3-2"], "clue_size 3-2: expected LO-HI, 2 or more"),
        (["--clue-count", "0"], "clue_count 0-0: expected LO-HI, 1 or more"),
        (["--clue-count", "x"], "--clue-count x: expected LO-HI"),
    ]:
        assert why in run(*asked, *words)[2]
    assert "clue_size goes with clues" in run("generate", "--clue-size", "2-3")[2]
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
    puzzles = list(puzzles_with_clues(2, wish=Wish(er=(2.3, 5.0)), **made))
    assert all(2.3 <= satdoku.rate(puzzle).er <= 5.0 for puzzle in puzzles)
    with pytest.raises(
        GeneratorError, match=r"found none with 1 to 20 clues, ER 9\.9 to 9\.9 in 2 tries"
    ):
        next(puzzles_with_clues(1, wish=Wish(er=(9.9, 9.9), tries=2), **made))


@pytest.mark.parametrize("symmetry", ["rot180", "mirror", "full"])
def test_with_a_symmetry_clues_and_givens_lie_as_their_images(symmetry):
    wish = Wish(symmetry=symmetry, clue_count=(4, 16))
    (puzzle,) = puzzles_with_clues(1, clues=["cage", "thermo", "white"], seed=4, wish=wish)
    moves = moves_of(symmetry, puzzle.grid.board)
    cells = [{*clue.cells} for clue in puzzle.constraints.clues]
    for move in moves:
        assert all({*move[[*some]].tolist()} in cells for some in cells)
        givens = np.asarray(puzzle.grid) > 0
        assert (givens[move] == givens).all()
    assert is_unique(np.asarray(puzzle.grid), puzzle.constraints)


def test_a_puzzle_has_as_many_clues_as_asked_for_or_there_is_none():
    wish = Wish(clue_count=(5, 6), clue_size=(2, 3))
    for puzzle in puzzles_with_clues(3, clues=["cage"], seed=1, wish=wish):
        assert 5 <= len(puzzle.constraints.clue_texts) <= 6
        assert all(2 <= len(clue.cells) <= 3 for clue in puzzle.constraints.clues)
    with pytest.raises(GeneratorError, match="no kinds of clues"):
        puzzles_with_clues(1)
    with pytest.raises(GeneratorError, match="shows no clue of the kinds entropy"):
        next(puzzles_with_clues(1, clues=["entropy"], seed=1))
    with pytest.raises(GeneratorError, match="use puzzles_with_clues"):
        satdoku.generate(1, wish=Wish(clues=("cage",)))
