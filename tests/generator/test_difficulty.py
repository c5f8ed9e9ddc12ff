"""Puzzles of a difficulty: rated as asked, the same for any number and any workers."""

import numpy as np
import pytest

import satdoku
from satdoku.generator import Difficulty, GeneratorError
from satdoku.model.constraints import constraints_for


def test_puzzles_are_rated_as_asked():
    easy = satdoku.rate_batch(satdoku.generate(4, wish=satdoku.Wish(er=(2.0, 3.0)), seed=3))
    assert ((easy.er >= 2.0) & (easy.er <= 3.0)).all()
    wings = satdoku.rate_batch(satdoku.generate(2, wish=satdoku.Wish(technique="xy-WING"), seed=3))
    assert wings.technique.tolist() == 2 * ["XY-wing"]
    assert wings.er.tolist() == 2 * [4.2]


def test_more_puzzles_only_append():
    few, many = (satdoku.generate(n, wish=satdoku.Wish(er=(2.0, 5.0)), seed=1) for n in (2, 4))
    assert np.array_equal(few, many[:2])


def test_givens_and_difficulty_go_together():
    puzzles = satdoku.generate(4, wish=satdoku.Wish(er=(1.0, 1.2), givens=(36, 40)), seed=5)
    assert (satdoku.rate_batch(puzzles).er <= 1.2).all()
    assert ((puzzles > 0).sum(axis=1) >= 36).all()


@pytest.mark.parametrize(
    ("difficulty", "rules", "problem"),
    [
        (Difficulty(None, "BUG"), "knight", "no technique 'BUG': choose from hidden single, "),
        (Difficulty((5.0, 2.0)), "classic", "ER 5.0 to 2.0: expected LO-HI"),
        (Difficulty(None, "luck"), "classic", "no technique 'luck': choose from hidden single, "),
    ],
)
def test_what_cannot_be_is_refused(difficulty, rules, problem):
    with pytest.raises(GeneratorError, match=problem):
        difficulty.check(constraints_for(rules))


def test_too_few_puzzles_are_told_with_what_was_asked():
    with pytest.raises(GeneratorError, match=r"with ER 1\.0 to 1\.0, technique naked single in"):
        satdoku.generate(1, wish=satdoku.Wish(er=(1.0, 1.0), technique="naked single", tries=64))


def test_puzzles_of_other_rules_are_rated_as_asked():
    wish = satdoku.Wish(er=(2.0, 7.0))
    puzzles = satdoku.generate(2, "diagonal", size=6, wish=wish, seed=3)
    found = satdoku.rate_batch(puzzles, "diagonal")
    assert ((found.er >= 2.0) & (found.er <= 7.0)).all()
    wish = satdoku.Wish(technique="Forcing CHAIN")
    (cells,) = satdoku.generate(1, "diagonal", size=6, wish=wish, seed=3)
    assert satdoku.rate(cells.tolist(), "diagonal").technique == "forcing chain"
