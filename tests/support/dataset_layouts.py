"""Data sets of 4x4 in the layouts that public projects write, from rows of `dataset_cases`."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pyarrow as pa
import pyarrow.ipc
import pyarrow.parquet as pq
from dataset_cases import text

PROSE = "Normal sudoku rules apply."


def digits(cells):
    """The cells as an array; None as one that is wrong whatever it is read as."""
    return np.full(16, 77) if cells is None else np.frombuffer(cells, np.uint8).astype(int)


def arrays(rows):
    """Puzzles and answers (N, 16), without an answer zeros, of junk a number that is no digit."""
    answers = [
        np.zeros(16, int)
        if row.answer is None
        else digits(None if row.answer == "junk" else row.answer)
        for row in rows
    ]
    return np.array([digits(row.puzzle) for row in rows]), np.array(answers)


def one_hot(cells, planes=4):
    """One-hot (N, 16, planes); of a wrong row every number is 1."""
    hot = np.eye(5, dtype=np.float32)[np.minimum(cells, 4)][:, :, 5 - planes :]
    hot[(cells == 77).any(axis=1)] = 1
    return hot


def hrm(path, rows):
    puzzles, answers = arrays(rows)
    path.mkdir()
    named = {
        "inputs": puzzles + 1, "labels": answers + 1,
        "puzzle_identifiers": np.zeros(len(rows), np.int32),
        "puzzle_indices": np.arange(len(rows) + 1), "group_indices": np.arange(len(rows) + 1),
    }  # fmt: skip
    for name, values in named.items():
        np.save(path / f"all__{name}.npy", values)
    (path / "dataset.json").write_text('{"sets": ["all"]}')


def npz(**kinds):
    def write(path, rows):
        puzzles, answers = arrays(rows)
        with path.open("wb") as file:
            np.savez(file, **{name: make(puzzles, answers) for name, make in kinds.items()})

    return write


def rows_of(cells):
    return None if cells is None else [list(cells[i : i + 4]) for i in range(0, 16, 4)]


def gym(rows):
    """Items of reasoning-gym: a question in words, and the grids within `metadata`."""
    return [
        {
            "question": "Solve this 4x4 Mini Sudoku puzzle:\n_ _ 1 2\n...",
            "answer": "1 2 3 4\n...",
            "metadata": {
                "puzzle": rows_of(row.puzzle),
                "solution": row.answer if row.answer in (None, "junk") else rows_of(row.answer),
                "difficulty": {"empty": [8, 12]},
            },
        }
        for row in rows
    ]


def bench(rows):
    """Rows of Sudoku-Bench."""
    return [
        {
            "puzzle_id": str(number), "author": "A", "title": "T, with\nlines",
            "rules": json.dumps(PROSE), "initial_board": text(row.puzzle).replace("0", "."),
            "solution": text(row.answer), "rows": 4, "cols": 4, "visual_elements": "",
            "encoded_puzzle": "",
        }
        for number, row in enumerate(rows)
    ]  # fmt: skip


def pairs(rows, names=("x", "y")):
    return {
        names[0]: [text(row.puzzle) or None for row in rows],
        names[1]: [text(row.answer) or None for row in rows],
    }


def as_text(make):
    return lambda path, rows: path.write_text(make(rows))


def as_csv(table):
    stream = io.StringIO()
    writer = csv.DictWriter(stream, list(table[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(table)
    return stream.getvalue()


def as_lines(table):
    return "".join(f"{json.dumps(row)}\n" for row in table)


def as_parquet(make):
    def write(path, rows):
        made = make(rows)
        pq.write_table(
            pa.table(made) if isinstance(made, dict) else pa.Table.from_pylist(made), path
        )

    return write


def as_arrow(path, rows):
    table = pa.table(pairs(rows))
    with pa.ipc.new_file(path, table.schema) as out:
        out.write_table(table)


LAYOUTS = {
    "HRM folder": hrm,
    "npz of inputs and labels": npz(inputs=lambda p, a: p, labels=lambda p, a: a),
    "npz shifted": npz(inputs=lambda p, a: p + 1, labels=lambda p, a: a + 1),
    "one-hot": npz(quizzes=lambda p, a: one_hot(p), solutions=lambda p, a: one_hot(a)),
    "one-hot with empty": npz(
        quizzes=lambda p, a: one_hot(p, 5), solutions=lambda p, a: one_hot(a, 5)
    ),
    "one-hot of rows": npz(
        quizzes=lambda p, a: one_hot(p).reshape(-1, 4, 4, 4), solutions=lambda p, a: one_hot(a)
    ),
    "JSON array of objects": as_text(lambda rows: json.dumps([
        {"puzzle": p, "solution": a} for p, a in zip(*pairs(rows).values(), strict=True)
    ], indent=1)),
    "JSON array of pairs": as_text(lambda rows: json.dumps([
        [p or "", a or ""] for p, a in zip(*pairs(rows).values(), strict=True)
    ])),
    "JSON columns": as_text(lambda rows: json.dumps(pairs(rows, ("quizzes", "solutions")))),
    "JSON columns of pandas": as_text(lambda rows: json.dumps({
        name: dict(enumerate(values))
        for name, values in pairs(rows, ("quizzes", "answers")).items()
    })),
    "JSON object with rows": as_text(
        lambda rows: json.dumps({"version": 1, "data": gym(rows)}, indent=1)
    ),
    "reasoning-gym lines": as_text(lambda rows: as_lines(gym(rows))),
    "reasoning-gym array": as_text(lambda rows: json.dumps(gym(rows))),
    "reasoning-gym texts": as_text(lambda rows: as_lines(
        {**item, "metadata": json.dumps(item["metadata"])} for item in gym(rows)
    )),
    "reasoning-gym Parquet": as_parquet(lambda rows: [
        {**item, "metadata": json.dumps(item["metadata"])} for item in gym(rows)
    ]),
    "Sudoku-Bench lines": as_text(lambda rows: as_lines(bench(rows))),
    "Sudoku-Bench array": as_text(lambda rows: json.dumps(bench(rows))),
    "Sudoku-Bench CSV": as_text(lambda rows: as_csv(bench(rows))),
    "Sudoku-Bench Parquet": as_parquet(bench),
    "two columns of Parquet": as_parquet(pairs),
    "two columns of Arrow": as_arrow,
}  # fmt: skip
