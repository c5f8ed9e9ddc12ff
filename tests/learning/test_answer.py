"""Grids in texts as language models write them."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import satdoku
from satdoku.learning.answer import find_answer
from satdoku.model.board import Board

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
