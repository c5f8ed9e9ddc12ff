"""Batches hold every row of every file once, whatever the format and the size."""

import json
from collections.abc import Iterator

import numpy as np
import pytest
from examples import CLASSIC, CLASSIC_SOLUTION, FOUR

import satdoku
from satdoku import ReadOptions
from satdoku.datasets.batches import Batch, iter_batches
from satdoku.files.collection import marks_of
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.runtime.errors import SatdokuError

E = "." * 81


@pytest.fixture
def csv(tmp_path):
    """A table of 25 rows: the fourth has a bad puzzle, the sixth a bad answer, the ninth none."""
    rows = [[f"n{i}", CLASSIC if i % 2 else E, CLASSIC_SOLUTION] for i in range(25)]
    rows[3][1], rows[5][2], rows[8][2] = CLASSIC[:-1], "12", ""
    path = tmp_path / "table.csv"
    path.write_text("id,question,answer\n" + "".join(",".join(row) + "\n" for row in rows))
    return str(path)


@pytest.mark.parametrize("size, rows", [(10, [10, 10, 5]), (25, [25]), (1, [1] * 25), (99, [25])])
def test_batches_have_the_size_that_is_asked_for(csv, size, rows):
    batches = iter_batches(csv, size=size)
    assert isinstance(batches, Iterator)
    found = list(batches)
    assert [len(batch.lines) for batch in found] == rows
    assert [line for batch in found for line in batch.lines] == list(range(2, 27))
    assert [name for batch in found for name in batch.ids] == [f"n{i}" for i in range(25)]
    bad = [line for batch in found for line in batch.lines[~batch.good]]
    assert bad == [2 + 3, 2 + 5]


def test_a_batch_is_arrays(csv):
    (batch,) = iter_batches([csv])
    assert batch.puzzles.dtype == batch.answers.dtype == np.uint8
    assert batch.puzzles.shape == batch.answers.shape == (25, 81)
    assert (batch.puzzles[1] == satdoku.as_cells(CLASSIC)).all()
    assert (batch.answers[0] == satdoku.as_cells(CLASSIC_SOLUTION)).all()
    assert not batch.puzzles[3].any() and not batch.answers[[5, 8]].any()
    assert list(batch.errors) == [3, 5] and batch.path == csv and batch.rules is None
    assert repr(batch) == f"<Batch: 25 rows of {csv}, 2 of them bad>"
    assert "table.csv: line 5, column 84: found 80 cells" in str(batch.errors[3])
    good = satdoku.solve_batch(batch.puzzles[batch.good], limit=1)
    assert (good.statuses == satdoku.Status.SOLVED).all()


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow"])
def test_a_batch_as_a_frame(csv, kind):
    frame = next(iter_batches(csv)).as_frame(kind)
    names = frame.column_names if kind == "pyarrow" else list(frame.columns)
    assert names == ["line", "id", "puzzle", "answer", "reason"]
    puzzles = satdoku.as_cells(frame["puzzle"][:3])
    assert (puzzles == satdoku.as_cells([E, CLASSIC, E])).all()
    answers, reasons = (list(map(str, frame[name].to_numpy())) for name in ("answer", "reason"))
    assert answers[5] == answers[8] == "" and answers[0] == CLASSIC_SOLUTION
    assert [row for row, reason in enumerate(reasons) if reason] == [3, 5]


def test_several_files_in_their_order_on_one_board(csv, tmp_path):
    lines, small = tmp_path / "lines.txt", tmp_path / "small.txt"
    lines.write_text(f"{CLASSIC}\n" * 3)
    small.write_text("1" + "." * 15 + "\n")
    found = list(iter_batches([str(lines), csv, str(small)], size=20))
    assert [(batch.path, len(batch.lines)) for batch in found] == [
        (str(lines), 3), (csv, 20), (csv, 5), (str(small), 1),
    ]  # fmt: skip
    assert found[0].ids is found[0].answers is None
    assert "expected 81 cells" in str(found[3].errors[0])
    assert next(iter_batches(str(small))).puzzles.shape == (1, 16)
    assert next(iter_batches(str(lines), constraints_for("classic", FOUR))).errors.keys() == {
        0,
        1,
        2,
    }


def test_what_some_rows_state_is_empty_in_the_others(tmp_path):
    path = tmp_path / "late.jsonl"
    objects = [{"puzzle": CLASSIC}] * 4 + [
        {"puzzle": E, "id": 7, "solution": CLASSIC_SOLUTION, "rules": "king"}, {"puzzle": E},
    ]  # fmt: skip
    path.write_text("".join(json.dumps(value) + "\n" for value in objects))
    (batch,) = iter_batches(str(path), size=6)
    assert [*batch.ids] == [*[""] * 4, "7", ""] and [*batch.rules] == [*[""] * 4, "king", ""]
    assert batch.answers.any(axis=1).tolist() == [False] * 4 + [True, False]
    assert [*batch.as_frame().columns] == ["line", "id", "puzzle", "rules", "answer", "reason"]


def test_arrays_of_marks_stay_marks(tmp_path):
    marks = marks_of(satdoku.as_cells([CLASSIC, E]), Board())
    np.save(tmp_path / "marks.npy", marks)
    (batch,) = iter_batches(str(tmp_path / "marks.npy"))
    assert batch.puzzles.dtype == np.bool_ and (batch.puzzles == marks).all()


def test_what_cannot_be_read_is_told_at_once(csv, tmp_path):
    with pytest.raises(SatdokuError, match="nowhere"):
        iter_batches([csv, str(tmp_path / "nowhere")])
    with pytest.raises(SatdokuError, match="batches of 0 rows"):
        iter_batches(csv, size=0)


def test_columns_that_are_asked_for(csv):
    batch = next(
        iter_batches(csv, reading=ReadOptions(columns={"puzzle": "answer", "answer": "question"}))
    )
    assert isinstance(batch, Batch)
    assert (batch.puzzles[0] == satdoku.as_cells(CLASSIC_SOLUTION)).all()
