"""Layouts and keys are told by first lines; a text that holds no puzzle is refused as a whole."""

import json

import pytest
from examples import CLASSIC, CLASSIC_SOLUTION
from record_cases import Seen, read_both

from satdoku.cli import main
from satdoku.files.columns import BEFORE, ColumnError, Layout
from satdoku.files.fpuzzles import format_fpuzzles
from satdoku.files.fpuzzles.links import load
from satdoku.files.puzzle_json import format_puzzle_json
from satdoku.files.record import Reading
from satdoku.files.sniff import TRIED, Header, check_likeness, find_headers, sniff
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


P, A, E = CLASSIC, CLASSIC_SOLUTION, "." * 81


@pytest.fixture
def read(tmp_path):
    def call(*objects, **options):
        path = tmp_path / "file"
        lines = (o if isinstance(o, str) else json.dumps(o) for o in objects)
        path.write_text("".join(f"{line}\n" for line in lines))
        return read_both(path, **options)

    return call


def test_a_role_keeps_the_key_that_it_had_first(read):
    """Whatever the chunks are: a better name that comes later changes nothing."""
    many = [{"quiz": P}] * TRIED
    found = read(*many, {"quiz": E, "solved": A}, {"solution": E, "solved": P, "quiz": E})
    assert found[TRIED:] == [Seen(TRIED + 1, E, answer=A), Seen(TRIED + 2, E, answer=P)]


def test_of_the_first_objects_the_usual_name_counts(read):
    first, second = read({"grid": E, "id": 1}, {"puzzle": P, "grid": E})
    assert (first.id, first.puzzle[2], second) == ("1", "nothing", Seen(2, P))


def test_lines_that_are_no_objects_are_errors_of_their_own(read):
    found = read({"puzzle": P}, "# comment", "", "7", '{"puzzle": ', "[1]", {"puzzle": None}, P)
    assert [seen.line for seen in found] == [1, 4, 5, 6, 7, 8]
    assert found[0] == Seen(1, P)
    assert found[4].puzzle[:4] == (7, 1, "nothing", "a puzzle of 81 cells")
    assert all(isinstance(seen.puzzle, tuple) for seen in found[1:])


def test_json_of_fpuzzles_is_a_row_among_others(read):
    link = format_fpuzzles(E, "knight")
    expected = [Seen(1, P, "7"), Seen(2, E, rules="knight"), Seen(3, E, rules="knight")]
    assert read({"puzzle": P, "id": 7}, load(link), link) == expected
    assert read(load(link), link) == [Seen(n, E, rules="knight") for n in (1, 2)]


def test_a_puzzle_by_itself_changes_no_keys_and_needs_none(read):
    """Neither a link nor JSON of ours has the keys of the records around it."""
    own = json.loads(format_puzzle_json(E, "king", id="7", solution=A))
    link = format_fpuzzles(E, "knight")
    whole = [Seen(2, E, "7", "king", A), Seen(3, E, rules="knight"), Seen(4, E, rules="knight")]
    found = read({"quiz": P, "name": "a", "solved": A}, own, link, load(link), {"quiz": P})
    assert found == [Seen(1, P, "a", answer=A), *whole, Seen(5, P)]
    assert read(own, link, load(link), format="jsonl") == [
        seen._replace(line=seen.line - 1) for seen in whole
    ]


def test_an_object_that_is_never_closed_costs_no_other(read):
    broken = '{"puzzle": "' + P
    for line in (broken, '{"puzzle": [', "{"):
        _, *others = read(line, {"puzzle": P}, {"puzzle": E})
        assert others == [Seen(2, P), Seen(3, E)]
        first, _, *others = read(load(format_fpuzzles(P)), line, E, format_fpuzzles(E), P)
        assert first == Seen(1, P, rules="classic")
        assert others == [Seen(3, E), Seen(4, E, rules="classic"), Seen(5, P)]


def test_a_file_without_a_key_for_the_puzzle_is_refused(read):
    with pytest.raises(FileError, match="grids in a, b: tell which with --column puzzle=NAME"):
        read({"a": P}, {"b": P})
    with pytest.raises(FileError, match="no object has a key 'puzzle'"):
        read({"a": "x"}, {"b": 1})
