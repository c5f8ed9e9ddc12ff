"""Collections solved from Python, file to file; `cli/commands/test_batch.py` has the options."""

import csv
import gzip
import json

import pytest
from examples import CLASSIC, CLASSIC_SOLUTION

import satdoku
from satdoku.batch.files import Run, Solving, Writing, solve_files
from satdoku.files.collection import parts_of
from satdoku.files.outputs import journal_path
from satdoku.files.streams import FileError
from satdoku.runtime.errors import SatdokuError

FOUR, FOUR_SOLUTION = "1.....2....3.4..", "1234432121433412"


@pytest.fixture
def puzzles(tmp_path):
    path = tmp_path / "in.txt"
    path.write_text(f"{CLASSIC}\n{'.' * 81}\nnonsense\n")
    return str(path)


def test_lines_are_written_and_counted(puzzles, tmp_path):
    out = tmp_path / "out.txt"
    counts = satdoku.solve_files(puzzles, str(out))
    first, second, third = out.read_text().splitlines()
    assert first == f"unique {CLASSIC_SOLUTION}"
    assert (second.split()[0], third.split()[0]) == ("multiple", "invalid")
    assert counts["statuses"] == {"unique": 1, "multiple": 1, "invalid": 1}
    assert (counts["rows_read"], counts["rows_written"], counts["unreadable"]) == (3, 3, 1)


def test_a_run_tells_which_rows_cannot_be_read(puzzles, tmp_path):
    said = []
    Run([puzzles], str(tmp_path / "out.txt"), on_message=said.append).go()
    assert "line 3" in str(said[0])


def test_a_run_writes_ratings_in_place_of_solutions(puzzles, tmp_path):
    out = tmp_path / "out.csv"
    Run([puzzles], str(out), rated=True).go()
    rows = list(csv.DictReader(out.open()))
    assert [(row["er"], row["technique"]) for row in rows] == [("2.8", "claiming"), *2 * [("", "")]]
    assert "solution" not in rows[0]


def test_the_name_of_the_output_says_its_format(puzzles, tmp_path):
    out = tmp_path / "out.csv.gz"
    solve_files([puzzles], str(out), writing=Writing(results=["line", "status"]))
    with gzip.open(out, "rt") as text:
        rows = list(csv.DictReader(text))
    assert [row["line"] for row in rows] == ["1", "2", "3"]
    assert rows[0]["status"] == "unique"


def test_rules_and_their_board_hold_for_every_row(tmp_path):
    path, out = tmp_path / "in.txt", tmp_path / "out.jsonl"
    path.write_text(f"{FOUR}\n")
    rules = satdoku.constraints_for("classic", satdoku.Board.of_size(4))
    solve_files(str(path), str(out), rules)
    assert json.loads(out.read_text())["solution"] == FOUR_SOLUTION


def test_a_finished_run_leaves_no_journal_and_the_same_output(puzzles, tmp_path):
    plain, resumed = tmp_path / "a.csv", tmp_path / "b.csv"
    solve_files(puzzles, str(plain))
    solve_files(puzzles, str(resumed), writing=Writing(resume=True), workers=2)
    assert resumed.read_bytes() == plain.read_bytes()
    assert not (tmp_path / journal_path("b.csv")).exists()


def test_what_cannot_be_done_is_said_before_anything_is_written(puzzles, tmp_path):
    empty = tmp_path / "empty.txt"
    empty.write_text("")
    with pytest.raises(FileError, match=r"empty.txt: holds no puzzle"):
        solve_files(str(empty), str(tmp_path / "out"))
    with pytest.raises(FileError, match="input and output at once"):
        solve_files(puzzles, puzzles)
    with pytest.raises(FileError, match="the line format has no columns"):
        solve_files(puzzles, str(tmp_path / "out"), writing=Writing(results=["status"]))
    with pytest.raises(SatdokuError, match="limit 3: expected 1"):
        solve_files(puzzles, str(tmp_path / "out"), solving=Solving(limit=3))
    assert not (tmp_path / "out").exists()


def test_the_board_of_the_first_part_holds_for_all(tmp_path):
    for name, puzzle in (("a", FOUR), ("b", FOUR[::-1])):
        (tmp_path / name).write_text(f"{puzzle}\n")
    paths = [str(tmp_path / name) for name in "ab"]
    assert [part.board.size for part in parts_of(paths, None, None, 8)] == [4, 4]
