"""How runs from files of puzzles to one file begin."""

from __future__ import annotations

from pathlib import Path

import pytest

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
