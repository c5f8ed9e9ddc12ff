"""How runs from files of puzzles to one file begin."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from examples import CLASSIC, CLASSIC_SOLUTION

import satdoku
from satdoku.batch.file_run import FileRun
from satdoku.files.streams import FileError

PUZZLE = "1.........2.....\n"


def test_rows_are_counted_as_they_are_read(tmp_path: Path) -> None:
    path = tmp_path / "in.txt"
    path.write_text(PUZZLE * 5)
    run = FileRun([str(path)], str(tmp_path / "out"))
    first, parts = run.begin(2)
    assert run.tally.rows_read == first.rows == 2
    assert [part.rows for part in parts] == [2, 2, 1]
    assert run.tally.rows_read == 5
    assert not (tmp_path / "out").exists()
    assert run.usual(first).board.size == 4


def test_the_board_and_the_rules_asked_for_are_those_of_rows_without_rules(tmp_path: Path) -> None:
    path = tmp_path / "in.txt"
    path.write_text(PUZZLE)
    run = FileRun([str(path)], str(tmp_path / "out"), rules="knight")
    assert run.usual(run.begin(2)[0]).rules == ("knight",)
    made: list[object] = []
    run = FileRun([str(path)], "-", made=lambda board: made.append(board))
    first, _ = run.begin(2)
    run.usual(first)
    assert made == [first.usual_board]


def test_files_without_a_puzzle_and_one_that_is_the_output_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "in.txt"
    path.write_text("")
    with pytest.raises(FileError, match="holds no puzzle"):
        FileRun([str(path)], str(tmp_path / "out")).begin(2)
    with pytest.raises(FileError, match="No such file"):
        FileRun([str(tmp_path / "none")], str(tmp_path / "out")).begin(2)


def test_files_may_be_paths_open_files_folders_and_patterns(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for name in ("a.txt", "b.txt"):
        (tmp_path / "in" / name).write_text(f"{CLASSIC}\n")
    expected = f"unique {CLASSIC_SOLUTION}\n"
    for paths, count in (
        (lambda: tmp_path / "in" / "a.txt", 1),
        (lambda: tmp_path / "in", 2),
        (lambda: f"{tmp_path}/in/*.txt", 2),
        (lambda: [io.StringIO(CLASSIC), io.BytesIO(CLASSIC.encode()), tmp_path / "in"], 4),
    ):
        out = io.StringIO()
        assert satdoku.solve_files(paths(), out)["puzzles"] == count
        assert out.getvalue() == count * expected
        satdoku.solve_files(paths(), tmp_path / "out")
        assert (tmp_path / "out").read_text() == count * expected


def test_what_needs_a_name_refuses_an_open_file(tmp_path: Path) -> None:
    path = tmp_path / "in.txt"
    path.write_text(CLASSIC)
    with pytest.raises(FileError, match="expected the name of a file to resume"):
        satdoku.solve_files(path, io.BytesIO(), writing=satdoku.Writing(resume=True))
    with pytest.raises(FileError, match=r"ending \.xlsx: expected "):
        satdoku.solve_files(path, tmp_path / "x.xlsx")
    for write in (satdoku.certify_files, satdoku.explain_files):
        with pytest.raises(FileError, match=r"ending \.csv: expected "):
            write(path, tmp_path / "x.csv")
    with pytest.raises(satdoku.SatdokuError, match="expected the name of a file to append to"):
        out = io.BytesIO()
        out.name = "x.trees"
        satdoku.certify_files(path, out, mode="append")
    assert [p.name for p in tmp_path.iterdir()] == ["in.txt"]
