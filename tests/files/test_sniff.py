"""Where the fields of a line stand, told by the first lines."""

import pytest
from examples import CLASSIC, CLASSIC_SOLUTION

from satdoku.files.columns import BEFORE, ColumnError, Layout
from satdoku.files.record import Reading
from satdoku.files.sniff import Header, find_headers, sniff
from satdoku.model.board import Board

P, A = CLASSIC, CLASSIC_SOLUTION
ROWS = [P[i : i + 9] for i in range(0, 81, 9)]


@pytest.mark.parametrize(
    ("lines", "layout"),
    [
        ([P, A], Layout()),
        ([f"x,{P},{A}"], Layout(",", 1, 2, BEFORE, width=3)),
        ([f"{P} {A}"], Layout(" ", 0, 1, width=2)),
        (["solutions,quizzes", f"{A},{P}"], Layout(",", 1, 0, names=("solutions", "quizzes"))),
        (["hard,puzzle", P], Layout()),
        (["#!sudoku -c2", f"a {P}"], Layout(" ", 1)),
        (ROWS, Layout()),
        (["[Puzzle]", *ROWS], None),
        (["{", '"puzzle": ""}'], None),
        ([], Layout()),
    ],
)
def test_the_layout_is_told_by_the_first_lines(lines, layout):
    assert sniff(lines, None, None, {}).layout == layout


def test_the_board_is_that_of_the_first_good_puzzle():
    assert sniff(["junk", "." * 36, P], None, None, {}).board == Board.of_size(6)
    assert sniff(["." * 36, P], Board(), None, {}).board == Board()
    assert sniff(["junk"], None, None, {}).board is None


def test_columns_that_are_not_there_are_refused():
    with pytest.raises(ColumnError, match="no columns puzzle=x in which a puzzle stands"):
        sniff(["a,b", f"1,{P}"], None, None, {"puzzle": "x"})


@pytest.mark.parametrize(
    ("following", "believed"),
    [
        ([f"7,{P}"], True),
        ([], True),
        (["junk", f"8,{P}"], True),
        ([P, A], False),
        (ROWS, False),
        (["junk"], True),
    ],
)
def test_a_header_is_believed_unless_the_lines_go_on_as_before(following, believed):
    lines = [P, "id,puzzle", *following]
    found = find_headers(
        enumerate(lines[:2]), Layout(), Reading(usual=Board()), {}, lambda at: lines[at + 1 :]
    )
    assert found == [Header(1, Layout(",", 1, None, 0, names=("id", "puzzle")))] * believed
