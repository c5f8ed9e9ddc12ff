"""The words for a difficulty go by the rating, whatever the rules are."""

import pytest

from satdoku.explain.rating import rate
from satdoku.files.one import as_puzzle
from satdoku.model.grid import empty_grid, parse_grid
from satdoku.model.puzzle import Puzzle, on_board
from satdoku.sheets.difficulty import HARDEST, WORDS, difficulty_of, word_of

EASY = "1.....2....3.4.."


def test_a_word_and_the_rating_of_the_hardest_step():
    rating = rate(EASY)
    assert difficulty_of(as_puzzle(EASY)) == (f"Difficulty: easy ({rating.er:.1f})", "")
    thermo = as_puzzle("." * 16, "classic;thermo:r1c3,r1c4,r2c4;thermo:r4c2,r4c3,r3c4")
    said, problem = difficulty_of(thermo)
    er = rate(thermo).er
    assert said == f"Difficulty: {word_of(er)} ({er:.1f})" and not problem


def test_harder_ratings_have_harder_words():
    words = [word_of(tenth / 10) for tenth in range(10, 120)]
    assert [*dict.fromkeys(words)] == [*(word for _, word in WORDS), HARDEST]
    assert [word_of(er) for er in (1.2, 2.3, 2.6, 3.2, 4.6, 7.1)] == [
        "easy", "easy", "medium", "hard", "very hard", "extreme",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("puzzle", "problem"),
    [("." * 16, "status 'multiple'"), ("11" + "." * 14, "status 'invalid'")],
)
def test_what_has_no_rating_says_why(puzzle, problem):
    said, why = difficulty_of(as_puzzle(puzzle))
    assert not said and why.startswith("no difficulty: ") and problem in why


def test_pencil_marks_and_time():
    marks = tuple(frozenset(range(1, 5)) for _ in range(16))
    marked = Puzzle(*on_board(empty_grid(parse_grid(EASY).board), "classic"), marks=marks)
    assert "pencil marks" in difficulty_of(marked)[1]
    thermo = as_puzzle("." * 16, "classic;thermo:r1c3,r1c4,r2c4;thermo:r4c2,r4c3,r3c4")
    assert "timed out" in difficulty_of(thermo, 1e-9)[1]
