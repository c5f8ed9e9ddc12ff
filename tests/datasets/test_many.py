"""Scores of batches are those of single answers."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import satdoku
from satdoku.datasets.many import score_batch

FOURS = [str(grid) for grid in satdoku.solutions("." * 16)]
PUZZLES = ["12..34.....2....", "." * 16, "1.3.........4...", FOURS[5], "123434122143...1"]


def same(batch, singles):
    assert batch.score.tolist() == [one.score for one in singles]
    assert batch.right.tolist() == [one.right for one in singles]
    for name in ("empty", "kept", "changed"):
        assert getattr(batch, name).tolist() == [getattr(one, name) for one in singles], name


@settings(max_examples=8)
@given(st.data())
def test_they_are_those_of_check_answer(data):
    answer = st.sampled_from([*FOURS[:9], *FOURS[-9:], *PUZZLES]) | st.text(".1234", max_size=16)
    answers = [data.draw(answer) for _ in PUZZLES]
    for rules in ("classic", "greater:r1c2,r1c1"):
        good = [p for p in PUZZLES if satdoku.solve(p, rules)]
        own = answers[: len(good)]
        checked = [satdoku.check_answer(p, a, rules) for p, a in zip(good, own, strict=True)]
        same(score_batch(good, own, rules), checked)


def test_numbers_are_answers_too():
    puzzles = satdoku.generate(20, seed=1)
    answers = satdoku.solve_batch(puzzles).solutions
    assert score_batch(puzzles, answers).right.all()
    assert (score_batch(puzzles, puzzles).score == 0).all()
    answers[3, 4] = 0
    wrong = answers.astype(np.int64).reshape(-1, 9, 9)
    wrong[5, 0, 0] = 300
    scores = score_batch(puzzles, wrong)
    assert scores.right.sum() == 18 and not scores.right[[3, 5]].any()
    assert repr(scores).startswith("<Scores: 20, 18 right, mean score 0.")
    assert list(scores.columns()) == ["score", "right", "empty", "kept", "changed"]


def test_a_puzzle_without_solution_has_no_score_and_costs_no_other():
    scores = score_batch(["11" + "." * 14, FOURS[0]], [FOURS[0], FOURS[0]])
    assert np.isnan(scores.score[0]) and scores.score[1] == 1


def test_there_is_an_answer_for_each():
    with pytest.raises(satdoku.SatdokuError, match="1 answers to 2 puzzles"):
        score_batch([FOURS[0]] * 2, [FOURS[0]])
    with pytest.raises(satdoku.SatdokuError, match="2 answers to 1 puzzle"):
        score_batch(FOURS[:1], np.ones((2, 16), np.uint8))
    with pytest.raises(satdoku.SatdokuError, match="pencil marks"):
        score_batch(np.ones((1, 64), bool), [FOURS[0]])
    assert len(score_batch(np.zeros((0, 81), np.uint8), []).score) == 0
