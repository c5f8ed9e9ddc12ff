"""Layouts are told by first lines; a text that is no puzzles at all is refused as a whole."""

import pytest
from examples import CLASSIC, CLASSIC_SOLUTION

from satdoku.cli import main
from satdoku.files.columns import BEFORE, ColumnError, Layout
from satdoku.files.record import Reading
from satdoku.files.sniff import Header, check_likeness, find_headers, sniff
from satdoku.files.streams import FileError
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


P, A = CLASSIC, CLASSIC_SOLUTION
ACCOUNTS = [
    "root:x:0:0:root:/root:/bin/bash",
    "daemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin",
    "gnats:x:41:41:Gnats Bug-Reporting System (admin):/var/lib/gnats:/usr/sbin/nologin",
]
LOG = ["2024-01-01 12:00:01.123456 10.100.100.100 GET /index.html 200 1704110401.123456"] * 9


@pytest.mark.parametrize(
    "lines",
    [
        ACCOUNTS,
        LOG,
        ["da39a3ee5e6b4b0d3255bfef95601890afd80709  file"] * 9,  # digests
        ["e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"] * 9,
        ["5", "17", "205"] * 9,
        ["12,45,78,3"] * 9,
        ["[Unit]", "Description=x", "[Install]", "WantedBy=y", "Also=z"],
        ["int main(void)", "{", "    return 0;", "}"],
        ["# a comment", "=====", *ACCOUNTS],
    ],
)
def test_a_text_without_puzzles_is_refused(lines):
    with pytest.raises(FileError, match="some: no puzzles here: expected a puzzle on a line"):
        check_likeness(lines, "some")


@pytest.mark.parametrize(
    "line",
    [
        P,
        f"x;y;{P}",
        P[:-1],
        P + "12",
        P[:40],
        P + A,
        P[:-3] + "abc",
        "." * 81,
        "1" * 15,
        "." * 256,
        "." * 729,
        "https://example.org/x",
        "[Puzzle]",
        "id,quiz",
        "#!sudoku -c2",
    ],
)
def test_one_line_that_comes_near_a_puzzle_is_enough(line):
    check_likeness([*LOG, line, *ACCOUNTS], "some")


@pytest.mark.parametrize(
    "rows",
    [
        [f"│ {' '.join(P[i : i + 9])} │" for i in range(0, 81, 9)],
        ["53..7....", "6..195...", ".98....6."] * 3,
        ["5 3 . | . 7 . | . . ."] * 8,  # one is missing
        ["1,2,3,4", "3,4,1,2", "2,1,4,3"],
        ["1 12 16 3 0 0 0 0 0 0 0 0 0 0 0 2"] * 16,
    ],
)
def test_rows_of_a_grid_are_enough(rows):
    check_likeness([*ACCOUNTS, *rows], "some")


def test_two_lines_have_verdicts_of_their_own():
    check_likeness(ACCOUNTS[:2], "some")


@pytest.mark.parametrize("command", ["batch", "audit"])
def test_commands_say_it_once(tmp_path, capfd, command):
    path = tmp_path / "passwd"
    path.write_text("\n".join(ACCOUNTS * 10))
    assert main([command, str(path)]) == 2
    out, err = capfd.readouterr()
    assert out == "" and err.count("\n") == 1
    assert err.startswith(f"satdoku: {path}: no puzzles here: expected")


def test_nearly_puzzles_have_their_verdicts(tmp_path, capfd):
    path = tmp_path / "nearly"
    path.write_text(f"{P[:-1]}\n" * 5)
    assert main(["batch", str(path), "-q"]) == 2
    out, err = capfd.readouterr()
    assert out.count("80 cells") == err.count("80 cells") == 5


def test_bad_rows_under_a_header_have_their_verdicts(tmp_path, capfd):
    path = tmp_path / "headed"
    path.write_text("puzzle,note\n" + "x,y\n" * 5)
    assert main(["batch", str(path), "-q"]) == 2
    assert capfd.readouterr().out.count("invalid") == 5
