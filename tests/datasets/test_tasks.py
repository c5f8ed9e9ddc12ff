"""Puzzles as questions in words.
Questions with their answers: each by itself, the same by the same seed, and scored.
"""

from __future__ import annotations

import json

import pytest

import satdoku
from satdoku import Wish
from satdoku.datasets.score import find_answer
from satdoku.datasets.tasks import Episodes, Task, clue_in_words, question, rows, tasks
from satdoku.generator.clues import puzzles_with_clues
from satdoku.generator.oracle import GeneratorError
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.model.kinds import KINDS, clue_of

NINE = Board()


def asked(puzzle, rules):
    constraints = satdoku.constraints_for(rules, satdoku.parse_grid(puzzle).board)
    return question(satdoku.parse_grid(puzzle, constraints.board), constraints)


def test_a_question_in_full():
    assert asked("1.2.............", "knight;greater:r1c2,r1c1") == (
        "Fill the 4x4 grid: each empty cell, written as a dot, takes a number from 1 to 4.\n\n"
        "Rules:\n"
        "- Every row, every column and every box of 2 rows and 2 columns holds every number once.\n"
        "- Cells a knight's move apart do not hold the same digit.\n\n"
        "Clues (r2c3 is the cell in row 2 and column 3):\n"
        "- greater at r1c2, r1c1: the first digit is greater than the second\n\n"
        "Grid:\n1 . 2 .\n. . . .\n. . . .\n. . . .\n\n"
        "Answer with the full grid: 4 lines of 4 numbers with spaces between them. "
        "Keep the numbers that are there."
    )


def test_boards_without_boxes_and_with_regions():
    assert "- Every row and every column holds every number once." in asked("." * 16, "latin")
    text = asked("." * 16, "jigsaw=1122112233443344")
    assert "every region of the map holds" in text
    assert "region:\n0011\n0011\n2233\n2233\n" in text


@pytest.mark.parametrize("name", KINDS)
def test_every_kind_of_clue_has_its_sentence(name):
    board = constraints_for(f"layer=area:1-9;{KINDS[name].example}").board
    clue = clue_of(KINDS[name].example, board)
    words = clue_in_words(clue, board)
    assert words.startswith(name) and "{" not in words.replace(clue.value, "")
    assert all(board.name_of(cell) in words for cell in clue.cells)
    assert clue.value in words
    assert KINDS[name].says(clue.value) in words
    assert f"{clue.kind} {clue.value}".strip() in words and "cage says so" not in words


def test_a_line_from_the_far_end_is_told_cell_by_cell():
    words = clue_in_words(clue_of("skyscraper=4:-row3", NINE), NINE)
    assert words.startswith("skyscraper 4 at r3c9, r3c8, r3c7,")


@pytest.mark.parametrize("size", [4, 9, 16])
def test_the_answer_that_is_asked_for_is_read(size):
    board = Board.of_size(size)
    grid = satdoku.solve("." * size**2, satdoku.constraints_for("classic", board))
    assert find_answer(f"Here:\n{rows(grid)}", board) == grid


KEYS = ["question", "answer", "metadata"]
CLUES = {"clues": ["thermo", "white"], "size": 4}


def puzzles(items):
    return [item["metadata"]["puzzle"] for item in items]


def test_items_are_the_puzzles_of_generate():
    items = tasks(20, seed=3, size=4)
    made = satdoku.generate(20, seed=3, size=4)
    assert puzzles(items) == ["".join(map(str, p)).replace("0", ".") for p in made.tolist()]
    assert puzzles(tasks(60, seed=3, size=4)[:20]) == puzzles(items)


@pytest.mark.parametrize("asked", [{"size": 4}, {"rules": "latin=4"}, CLUES], ids=str)
def test_an_item_depends_on_its_place_alone(asked):
    items, others = tasks(9, seed=5, **asked), tasks(7, seed=5, **asked)
    backwards = [others[place] for place in reversed(range(7))][::-1]
    assert backwards == items[:7] == list(others)
    assert items[-1] == items[8] and len(items) == 9
    assert puzzles(tasks(9, seed=6, **asked)) != puzzles(items)
    with pytest.raises(IndexError):
        items[9]


def test_clues_are_those_of_generate():
    constraints = satdoku.constraints_for("classic", satdoku.Board.of_size(4))
    made = puzzles_with_clues(4, constraints, clues=CLUES["clues"], seed=5)
    for item, puzzle in zip(tasks(4, seed=5, **CLUES), made, strict=True):
        own = puzzle.constraints
        assert item["metadata"]["rules"] == own.name
        assert item["metadata"]["givens"] == puzzle.grid.givens
        assert all(f"- {clue.kind}" in item["question"] for clue in own.clues)


def test_an_item_is_plain_data_that_tells_all():
    for item in (tasks(2, seed=1)[1], tasks(1, seed=5, **CLUES)[0]):
        assert list(item) == KEYS and json.loads(json.dumps(item)) == item
        about = item["metadata"]
        solution = satdoku.solve(about["puzzle"], about["rules"])
        assert "".join(item["answer"].split()) == str(solution)
        assert satdoku.classify(about["puzzle"], about["rules"]) is satdoku.Status.UNIQUE
        assert satdoku.check_answer(about["puzzle"], item["answer"], about["rules"]).right


def test_ratings_of_classic_and_of_other_boards():
    about = tasks(3, seed=1, wish=Wish(er=(2, 3)))[2]["metadata"]
    assert 2 <= about["er"] <= 3 and about["technique"]
    assert tasks(1, seed=1, size=4)[0]["metadata"]["er"] == 1.2


def test_scores_are_those_of_check_answer():
    items = tasks(2, seed=9, size=4)
    item = json.loads(json.dumps(items[0]))  # as it comes back from a file
    answer = item["answer"]
    assert items.score_answer(answer, item) == 1
    for text in (answer[:-1] + ".", answer[::-1], "no idea", None):
        found = satdoku.check_answer(item["metadata"]["puzzle"], text)
        assert items.score_answer(text, item) == found.score < 1
        assert Task(item).check(text) == found


def test_kinds_are_a_list_or_a_text_with_commas():
    assert [*tasks(2, seed=1, **CLUES)] == [*tasks(2, seed=1, clues="thermo, white,", size=4)]
    assert tasks(1, clues="", seed=1).options == tasks(1, seed=1).options


def test_a_seed_is_drawn_and_told():
    items = tasks(1, size=4)
    assert items[0]["metadata"]["seed"] == items.options.seed
    assert list(tasks(1, size=4, seed=items.options.seed)) == list(items)


def test_what_cannot_be_made_is_refused_at_once():
    with pytest.raises(GeneratorError, match="-1 tasks"):
        tasks(-1)
    with pytest.raises(satdoku.SatdokuError, match="no kind 'termo'"):
        tasks(1, clues="termo")
    with pytest.raises(GeneratorError, match="clues settle the givens"):
        tasks(1, clues="thermo", wish=Wish(givens=(3, 4)))
    with pytest.raises(GeneratorError, match="no technique 'unique rectangle'"):
        tasks(1, "knight", wish=Wish(technique="unique rectangle"))


def test_tasks_of_other_rules_are_rated_and_of_the_difficulty_asked_for():
    (task,) = tasks(1, "diagonal", size=6, seed=1, wish=Wish(er=(1.5, 6.0)))
    about = task["metadata"]
    rating = satdoku.rate(about["puzzle"], "diagonal")
    assert (about["er"], about["technique"]) == (rating.er, rating.technique)
    assert 1.5 <= rating.er <= 6.0


def test_episodes_reward_what_an_answer_gains():
    items = tasks(3, seed=9, size=4)
    episodes = Episodes(items, turns=3)
    question, about = episodes.reset()
    assert (question, about) == (items[0]["question"], items[0]["metadata"])
    answer = items[0]["answer"]
    half = answer[:-1] + "."
    steps = [episodes.step(text) for text in (half, "no idea", half, answer)]
    rewards = [reward for _, reward, *_ in steps]
    score = items[0].check(half).score
    assert rewards == [score, -score, score, 1 - score]
    assert [(right, ended) for _, _, right, ended, _ in steps] == [
        (False, False), (False, False), (False, True), (True, False),
    ]  # fmt: skip
    assert steps[0][0] == "empty: r4c4" and steps[-1][0] == ""
    assert steps[-1][-1]["right"]
    assert episodes.reset()[0] == items[1]["question"]
    assert episodes.reset(seed=5)[0] == items[2]["question"]
    assert episodes.reset()[0] == items[0]["question"]


def test_an_episode_begins_with_reset():
    with pytest.raises(GeneratorError, match="reset"):
        Episodes(tasks(1, size=4)).step("")
