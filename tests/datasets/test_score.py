"""Grids in texts as language models write them.
Scores of answers, against a search through all solutions.
"""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from soak import share

import satdoku
from satdoku import check_answer, judge_placements
from satdoku.datasets.score import AnswerError, find_answer
from satdoku.explain.judge import Judgement
from satdoku.model.board import Board
from satdoku.runtime.errors import BudgetError

PUZZLE = "....1..3...9..5..88.4..6.25......6....8..4...12..87...3..9..2...65..8...9........"
LINE = "752819436639245718814736925473592681598164372126387549387951264265478193941623857"
ROWS = [LINE[i : i + 9] for i in range(0, 81, 9)]
NINE = Board()


def lines(between, start="", end=""):
    return "\n".join(f"{start}{between.join(row)}{end}" for row in ROWS)


WAYS = {
    "one line": LINE,
    "in a sentence": f"So the answer is {LINE}, which is unique.",
    "at the end of a sentence": f"The answer is {LINE}.",
    "quoted": json.dumps({"answer": LINE}),
    "in a fence": f"Sure! Here is the grid:\n```\n{lines(' ')}\n```\nI hope this helps, 100 %.",
    "pretty": satdoku.render_terminal(satdoku.parse_grid(LINE)),
    "a table": f"| {' | '.join(ROWS[0])} |\n|{'---|' * 9}\n" + lines(" | ", "| ", " |"),
    "lists": json.dumps([[int(digit) for digit in row] for row in ROWS]),
    "lists on lines": json.dumps([[int(d) for d in row] for row in ROWS]).replace("], ", "],\n"),
    "escaped": json.dumps("\n".join(ROWS)),
    "numbered": "\n".join(f"{i}. {' '.join(row)}" for i, row in enumerate(ROWS, 1)),
    "rows by name": "\n".join(f"Row {i}: {' '.join(row)}" for i, row in enumerate(ROWS, 1)),
    "bold": lines(" ").replace("7", "**7**"),
    "boxed": rf"$\boxed{{{LINE}}}$",
    "an array": r"$$\begin{array}{ccc}" + lines(" & ", end=r" \\ ") + r"\end{array}$$",
    "HTML": "".join(f"<tr>{''.join(f'<td>{d}</td>' for d in row)}</tr>" for row in ROWS),
    "a quotation": lines(" ", "> "),
    "empty lines between": "\n\n".join(ROWS),
    "carriage returns": "\r\n".join(ROWS),
    "a tag": f"{PUZZLE} <answer>\n{lines(',')}\n</answer> {PUZZLE}",
    "a tag left open": f"{PUZZLE} <answer>{LINE}",
    "a thought": f"<think>{PUZZLE}\n{LINE}</think>{LINE}",
    "after the puzzle": f"{PUZZLE}\nbecomes\n{LINE}",
    "two grids in a row": "\n".join([*(PUZZLE[i : i + 9] for i in range(0, 81, 9)), *ROWS]),
}


@pytest.mark.parametrize("text", WAYS.values(), ids=WAYS)
def test_every_way_of_writing_a_grid(text):
    assert str(find_answer(text, NINE)) == LINE


def test_empty_cells_may_be_written_in_every_way():
    for blank in ".0_*?%":
        assert str(find_answer(" ".join(PUZZLE.replace(".", blank)), NINE)) == PUZZLE
    rows = [PUZZLE[i : i + 9].replace(".", "-") for i in range(0, 81, 9)]
    assert str(find_answer("\n".join(rows), NINE)) == PUZZLE


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I do not know.",
        LINE[:-1],
        LINE + "1",
        "\n".join(ROWS[:8]),
        "\nand\n".join(ROWS),
        f"{LINE} <answer>no idea</answer>",
        f"{LINE}</think>",
        LINE.replace("7", "x"),
        "1234341221434321",
    ],
)
def test_what_is_no_grid(text):
    assert find_answer(text, NINE) is None


@pytest.mark.parametrize("size", [4, 6, 7, 16])
def test_other_boards_in_letters_and_in_numbers(size):
    board = Board.of_size(size)
    line = str(satdoku.solve("." * size * size, satdoku.constraints_for("classic", board)))
    grid = satdoku.parse_grid(line, board)
    numbers = [" ".join(map(str, grid.cells[i : i + size])) for i in range(0, size * size, size)]
    for text in (line, " ".join(line), "\n".join(numbers), f"Row 1: {' Row 2: '.join(numbers)}"):
        expected = None if text.startswith("Row") else grid
        assert find_answer(f"Answer:\n{text}\nDone.", board) == expected


@given(st.text(alphabet=".12349*-|:\n <>/\\{}answerthik", max_size=200), st.sampled_from([2, 4, 9]))
def test_whatever_the_text_is_the_answer_is_a_grid_or_none(text, size):
    grid = find_answer(text, Board.of_size(size))
    assert grid is None or grid.board.size == size


@pytest.mark.parametrize("part", ["<td ", "<answer>", "*", "** ", "!", "- ", "1", "row ", "**1"])
def test_a_long_text_takes_a_time_linear_in_it(part):
    """It would take minutes otherwise."""
    assert find_answer(part * 40_000, NINE) is None


SOLUTION = "752819436639245718814736925473592681598164372126387549387951264265478193941623857"
FOURS = [str(grid) for grid in satdoku.solutions("." * 16)]
SEVERAL = "12..34.....2...."  # three solutions
CLUES = "thermo:r1c1-r1c4;thermo:r2c4-r2c1"


def with_digits(text, **digits):
    """The text with other digits at cells by name, on 9x9."""
    cells = list(text)
    for name, digit in digits.items():
        cells[9 * int(name[1]) + int(name[3]) - 10] = digit
    return "".join(cells)


def kept_by_search(puzzle, answer, solutions):
    """The rule in its own words: a digit is kept if some solution has all that are kept with it."""
    kept = []
    for cell, (given_digit, digit) in enumerate(zip(puzzle, answer, strict=True)):
        wanted = [*kept, cell]
        fits = any(all(s[c] == answer[c] for c in wanted) for s in solutions)
        if given_digit == "." and digit != "." and fits:
            kept = wanted
    return kept


def test_the_solution_scores_1_and_has_no_reasons():
    checked = check_answer(PUZZLE, SOLUTION)
    assert (checked.score, checked.right, checked.reasons) == (1.0, True, ())
    assert (checked.empty, checked.filled, checked.kept) == (57, 57, 57)
    assert str(checked.grid) == SOLUTION


def test_the_share_of_empty_cells_that_are_right():
    checked = check_answer(PUZZLE, with_digits(SOLUTION, r1c1="5", r1c2="7"))
    assert checked.score == 55 / 57
    assert checked.wrong == (0, 1)
    assert checked.reasons[-1] == "in no solution beside the digits that are kept: r1c1=5, r1c2=7"
    assert checked.broken == len(checked.reasons) - 1 > 0
    less = check_answer(PUZZLE, with_digits(SOLUTION, r1c1=".", r1c2="7"))
    assert (less.filled, less.kept, less.score) == (56, 55, 55 / 57)
    assert "empty: r1c1" in less.reasons


def test_a_copy_of_the_puzzle_scores_0():
    checked = check_answer(PUZZLE, PUZZLE)
    assert (checked.score, checked.filled, checked.changed) == (0, 0, 0)
    assert checked.reasons[0].endswith("and 47 more")


@pytest.mark.parametrize(
    "digit, words", [("2", "the answer has 2"), (".", "the answer has nothing")]
)
def test_a_given_that_is_changed_or_left_out_scores_0(digit, words):
    checked = check_answer(PUZZLE, with_digits(SOLUTION, r1c5=digit))
    assert (checked.score, checked.changed, checked.kept) == (0, 1, 57)
    assert checked.reasons[0] == f"r1c5=1 is given, and {words} there"


def test_no_grid_scores_0_whatever_it_is():
    for answer in ("no idea", "", None, 7, b"1", [1, 2], [[None] * 9] * 9, {"a": 1}, [1e400] * 81):
        checked = check_answer(PUZZLE, answer)
        assert (checked.score, checked.right, checked.grid) == (0, False, None)
        assert checked.reasons == ("no grid was found: expected 9 rows of 9 digits",)


@settings(max_examples=share(20))
@given(st.recursive(st.none() | st.floats() | st.integers() | st.text(), st.lists))
def test_an_answer_never_raises(answer):
    assert 0 <= check_answer(SEVERAL, answer).score <= 1


def test_every_solution_of_several_scores_1_and_nothing_else():
    right = [grid for grid in FOURS if check_answer(SEVERAL, grid).score == 1]
    assert len(right) == 3
    assert set(right) == set(map(str, satdoku.solutions(SEVERAL)))


@settings(max_examples=share(40))
@given(st.text(".1234", min_size=16, max_size=16), st.sampled_from([SEVERAL, "." * 16, "1" * 1]))
def test_the_rule_agrees_with_a_search_through_all_solutions(answer, puzzle):
    puzzle = puzzle.ljust(16, ".")
    answer = "".join(b if b != "." else a for a, b in zip(answer, puzzle, strict=True))
    solutions = [s for s in FOURS if all(a in (".", b) for a, b in zip(puzzle, s, strict=True))]
    checked = check_answer(puzzle, answer)
    kept = kept_by_search(puzzle, answer, solutions)
    assert checked.kept == len(kept)
    assert checked.score == len(kept) / puzzle.count(".")
    assert checked.right == (answer in solutions)
    # One more cell that fits what is kept adds exactly one; to empty one that is not kept, nothing.
    some = next(s for s in solutions if all(s[c] == answer[c] for c in kept))
    for cell in set(range(16)) - {*kept} - {c for c in range(16) if puzzle[c] != "."}:
        for digit, more in ((some[cell], 1), (".", 0)):
            other = answer[:cell] + digit + answer[cell + 1 :]
            assert check_answer(puzzle, other).kept == len(kept) + more


def test_rules_and_clues_count():
    knight = "." * 81
    wrong = check_answer(knight, SOLUTION, "knight")
    assert not wrong.right and wrong.broken and wrong.kept < 81
    assert check_answer(knight, str(satdoku.solve(knight, "knight")), "knight").right
    (first, *others) = satdoku.solutions("." * 16, CLUES)
    assert len(others) == 3
    assert all(check_answer("." * 16, grid, CLUES).right for grid in (first, *others))
    assert any("thermo" in reason for reason in check_answer("." * 16, FOURS[-1], CLUES).reasons)


def test_a_puzzle_may_state_its_rules_itself():
    solution = str(satdoku.solve("." * 16, CLUES))
    for text in (
        satdoku.format_puzzle_json("." * 16, CLUES),
        satdoku.format_fpuzzles("." * 16, CLUES),
    ):
        assert check_answer(text, solution).right
        assert not check_answer(text, solution.translate(str.maketrans("14", "41"))).right
    parsed = satdoku.parse_puzzle_json(satdoku.format_puzzle_json("." * 16, CLUES))
    assert check_answer(parsed, solution).right
    assert check_answer(np.zeros((4, 4), np.uint8), solution, CLUES).right
    assert check_answer(satdoku.parse_grid("." * 16), np.array([*map(int, solution)]), CLUES).right
    assert check_answer("1" + "." * 24, "1234523451345124512351234", "latin=5").right


def test_candidates_of_a_puzzle_count():
    one, other = FOURS[0], next(s for s in FOURS if s[0] != FOURS[0][0])
    cells = [[int(one[0])], *[[1, 2, 3, 4]] * 15]
    text = satdoku.format_puzzle_json("." * 16, candidates=cells)
    for puzzle in (text, satdoku.parse_puzzle_json(text)):
        assert check_answer(puzzle, one).right
        checked = check_answer(puzzle, other)
        assert not checked.right and checked.score < 1
        assert f"excluded by the candidates of the puzzle: r1c1={other[0]}" in checked.reasons


def test_the_answer_that_a_puzzle_states_is_not_believed():
    other = FOURS[0].translate(str.maketrans("1234", "2341"))
    text = satdoku.format_puzzle_json(FOURS[0][:-4] + "....", solution=other)
    assert str(satdoku.parse_puzzle(text).answer) == other
    assert check_answer(text, FOURS[0]).right
    assert not check_answer(text, other).right


def test_a_bad_puzzle_raises():
    with pytest.raises(satdoku.GridError, match="found 3 cells"):
        check_answer("123", SOLUTION)
    with pytest.raises(AnswerError, match="status 'invalid'"):
        check_answer("11" + "." * 14, FOURS[0])
    with pytest.raises(AnswerError, match="status 'none'"):
        check_answer("1.......2....3.4", FOURS[0])
    with pytest.raises(satdoku.SatdokuError, match="no rule 'kinght'"):
        check_answer(PUZZLE, SOLUTION, "kinght")


def test_rules_in_words_are_refused():
    puzzle = satdoku.parse_fpuzzles(satdoku.format_fpuzzles("." * 16))
    with pytest.raises(AnswerError, match="strange; pass its grid"):
        check_answer(replace(puzzle, warning="strange"), FOURS[0])


def test_as_data_is_plain():
    data = json.loads(json.dumps(check_answer(SEVERAL, SEVERAL).as_data()))
    assert data["grid"] == SEVERAL and data["score"] == 0 and data["empty"] == 11


# Placements ---------------------------------------------------------------------------------------

TWO_WAYS = "12..34.....2...."


def verdicts(puzzle, text, rules=None):
    return [(placed.claim, placed.verdict) for placed in judge_placements(puzzle, text, rules)]


def test_each_placement_is_judged_on_the_board_that_those_before_it_leave():
    text = "<answer>r1c3: 3</answer> r4c4: 9 <ANSWER>\nr1c4=4\nR1C3: 3\n"
    text += "r1c3: 4\nr9c9: 1\nr2c3: 7</ANSWER>"
    assert verdicts(TWO_WAYS, text) == [
        ("r1c3=3", "open"), ("r1c4=4", "forced"), ("r1c3=3", "known"), ("r1c3=4", "wrong"),
        ("r9c9=1", "wrong"), ("r2c3=7", "wrong"),
    ]  # fmt: skip
    first, second, *_ = judge_placements(TWO_WAYS, text)
    assert (first.technique, second.technique) == (None, "hidden single")
    assert second.words.startswith("r1c4=4: forced now; ")


def test_a_wrong_placement_does_not_stay_on_the_board():
    assert verdicts(TWO_WAYS, "r4c4: 1, r3c1: 2")[1] == verdicts(TWO_WAYS, "r3c1: 2")[0]
    assert verdicts(TWO_WAYS, "No idea. <think>r1c1: 2</think>") == []


@pytest.mark.parametrize("rules", ["classic", "diagonal"])
def test_verdicts_are_those_of_all_solutions(four_by_four, rules):
    """By brute force over the 288 grids, each cell and digit of a board with several solutions."""
    sets = [[0, 5, 10, 15], [3, 6, 9, 12]] if rules == "diagonal" else []
    grids = [g for g in four_by_four if all(len({g[c] for c in cells}) == 4 for cells in sets)]
    puzzle = bytes(digit if cell in (0, 3, 9) else 0 for cell, digit in enumerate(grids[7]))
    fits = [g for g in grids if all(not p or p == d for p, d in zip(puzzle, g, strict=True))]
    for cell, digit in ((c, d) for c in range(16) for d in range(1, 5)):
        ((_, found),) = verdicts(list(puzzle), f"r{cell // 4 + 1}c{cell % 4 + 1}: {digit}", rules)
        having = [g for g in fits if g[cell] == digit]
        if puzzle[cell] == digit:
            expected = {"known"}
        elif len(having) == len(fits):
            expected = {"forced", "lucky"}
        else:
            expected = {"open"} if having else {"wrong"}
        assert found in expected


def test_a_true_placement_that_no_step_concludes_is_lucky(monkeypatch):
    judged = Judgement("r1c4=4", "true")
    monkeypatch.setattr("satdoku.datasets.score.judge_step", lambda *_, **__: judged)
    (found,) = judge_placements(TWO_WAYS, "r1c4: 4")
    assert found.verdict == "lucky" and found.words == "r1c4=4: lucky, but not forced by one step"

    def late(*_, **__):
        raise BudgetError("late")

    monkeypatch.setattr("satdoku.datasets.score.judge_step", late)
    (found,) = judge_placements(TWO_WAYS, "r1c4: 4", timeout=3.0)
    assert (found.verdict, found.words) == ("unknown", "r1c4=4: not judged within 3.0 s")


def test_placements_on_a_puzzle_without_a_solution_are_refused():
    with pytest.raises(AnswerError, match="a puzzle without a solution"):
        judge_placements("11..............", "r2c2: 3")


@pytest.mark.parametrize("answer", [None, 7, b"r1c1: 2", [1], "r1c1:", "r1c1: 1234"])
def test_what_places_nothing_places_nothing(answer):
    assert judge_placements(TWO_WAYS, answer) == []
