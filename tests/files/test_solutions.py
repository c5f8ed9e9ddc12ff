"""Solutions as files: whole lines, and arrays that say how many they are."""

import io
import json

import numpy as np
import pytest

from satdoku.files.solutions import FORMS, SolutionWriter, open_solutions
from satdoku.files.streams import FileError
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import Grid, empty_grid

SIXTEEN = Board.of_size(16)
PUZZLE = empty_grid(SIXTEEN)
GRIDS = np.random.default_rng(1).integers(1, 17, (300, 256), np.uint8)


def record(**answer):
    return {"rules": 'a "rule"', **answer, "more": 1}


@pytest.mark.parametrize("form", FORMS)
def test_what_is_written_is_read(form, tmp_path):
    path = tmp_path / "out"
    with open_solutions(str(path), form) as write:
        write.begin(PUZZLE, record)
        write.write(GRIDS[:7].tobytes())
        write.write(b"")
        write.write(GRIDS[7:].tobytes())
    texts = [str(Grid(row.tobytes(), SIXTEEN)) for row in GRIDS]
    if form == "npy":
        assert (np.load(path) == GRIDS).all()
        assert np.load(path, mmap_mode="r").shape == (300, 256)
        return
    lines = path.read_text().splitlines()
    if form == "csv":
        assert lines == ["puzzle,solution", *(f"{PUZZLE},{text}" for text in texts)]
    elif form == "jsonl":
        assert [json.loads(line) for line in lines] == [record(solution=text) for text in texts]
    else:
        assert lines == texts


def test_a_stream_gets_whole_lines_that_it_can_keep():
    class Stream(io.BytesIO):
        def write(self, data):
            assert data.endswith(b"\n") and len(data) <= io.DEFAULT_BUFFER_SIZE
            return super().write(data)

    lines = SolutionWriter(Stream())
    lines.begin(PUZZLE, record)
    lines.write(GRIDS.tobytes())
    assert lines.out.getvalue().count(b"\n") == 300


def test_an_interrupted_array_is_whole(tmp_path):
    with (
        pytest.raises(KeyboardInterrupt) as caught,
        open_solutions(str(tmp_path / "out.npy"), "npy") as write,
    ):
        write.begin(PUZZLE, record)
        write.write(GRIDS[:5].tobytes())
        raise KeyboardInterrupt
    (part,) = tmp_path.iterdir()
    assert str(part) in caught.value.__notes__[0]
    assert (np.load(part) == GRIDS[:5]).all()


def test_an_array_holds_grids_of_one_size_in_a_plain_file(tmp_path):
    with (
        pytest.raises(FileError, match="several sizes"),
        open_solutions(str(tmp_path / "out.npy"), "npy") as write,
    ):
        write.begin(PUZZLE, record)
        write.begin(empty_grid(Board.of_size(9)), record)
    for path in ("-", str(tmp_path / "out.npy.gz")):
        with (
            pytest.raises(FileError, match=r"npy (cannot be|files are not)"),
            open_solutions(path, "npy"),
        ):
            pass
    with open_solutions(str(tmp_path / "none.npy"), "npy") as write:
        write.begin(PUZZLE, record)
    assert np.load(tmp_path / "none.npy").shape == (0, 256)


def test_an_array_of_other_digits_holds_the_digits(tmp_path):
    board = constraints_for("shape=1x2,latin,digits=-1-0").board
    path = tmp_path / "out.npy"
    with open_solutions(str(path), "npy") as writer:
        writer.begin(empty_grid(board), dict)
        writer.write(bytes([1, 2, 2, 1]))
    assert np.load(path).tolist() == [[-1, 0], [0, -1]]


def test_lines_of_digits_without_characters_are_numbers(tmp_path):
    board = constraints_for("shape=1x2,latin,digits=-1-0").board
    path = tmp_path / "out.txt"
    with open_solutions(str(path), "line") as writer:
        writer.begin(empty_grid(board), dict)
        writer.write(bytes([1, 2, 2, 1]))
    assert path.read_text() == "-1 0\n0 -1\n"
