"""The audit of single rows, with and without pencil marks."""

from __future__ import annotations

from collections import Counter
from functools import partial
from random import Random

import numpy as np
from audit_oracle import generated, nines
from hypothesis import given, settings
from hypothesis import strategies as st

from satdoku import Checks
from satdoku.audit import files as audit
from satdoku.audit import rows as rows_module
from satdoku.audit.files import (
    audit_chunks,
)
from satdoku.batch.solve import BatchOptions
from satdoku.errors import SatdokuError
from satdoku.files.collection import Answers, Chunk
from satdoku.files.collection.chunk import parts
from satdoku.model.grid import NO_VALUE


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_pencil_marks_are_those_of_the_oracle(grids, seed):
    rng = Random(seed)
    full, rows, answers = grids[()], [], []
    for _ in range(rng.randint(1, 25)):
        keep, share = rng.choice(full), rng.choice((0.1, 0.4, 0.9))
        marks = bytes(d + 1 == keep[c] or rng.random() < share for c in range(16) for d in range(4))
        if rng.random() < 0.2:
            marks = marks[:8] + bytes(4) + marks[12:]
        rows.append(marks if not rows or rng.random() < 0.7 else rng.choice(rows))
        answers.append(rng.choice((keep, rng.choice(full), bytes(16))))
    marks = np.frombuffer(b"".join(rows), np.bool_).reshape(-1, 64)
    cells = np.frombuffer(b"".join(answers), np.uint8).reshape(-1, 16)
    stated = Answers(cells, np.ones(len(rows), np.bool_), {})
    chunk = Chunk(np.arange(1, len(rows) + 1), marks, {}, answers=stated)
    report = audit_chunks([("m", parts(chunk, 6))])

    def allowed(row, grid):
        return all(row[4 * cell + digit - 1] for cell, digit in enumerate(grid))

    statuses = Counter(
        ("none", "unique", "multiple")[min(2, sum(allowed(r, g) for g in full))] for r in rows
    )
    judged = Counter(
        "wrong" if 0 in a else "right" if allowed(r, a) else "givens changed"
        for r, a in zip(rows, answers, strict=True)
    )
    singles = Counter(str(sum(sum(r[c : c + 4]) == 1 for c in range(0, 64, 4))) for r in rows)
    (file,) = report["files"]
    assert file["statuses"] == statuses
    assert file["answers"] == {"stated": len(rows), **judged}
    assert file["givens"] == singles
    assert file["duplicates"] == {"exact": len(rows) - len(set(rows))}
    assert report["symmetry"] is None  # they have no canonical form


def test_rows_of_errors_are_neither_solved_nor_put_in_canonical_form(monkeypatch):
    """Such rows are all 0, and an empty grid takes longer than ten thousand puzzles."""
    asked = {"solve_job": [], "canonical": []}
    for name, puzzles_of in asked.items():
        work = getattr(rows_module, name)

        def spy(puzzles, *arguments, work=work, seen=puzzles_of):
            seen.append(puzzles)
            return work(puzzles, *arguments)

        monkeypatch.setattr(rows_module, name, spy)
    puzzles = generated()[:6]
    puzzles[[1, 4]] = 0
    chunk = Chunk(np.arange(6), puzzles, {1: SatdokuError("x"), 4: SatdokuError("y")})
    (file,) = audit_chunks([("a", [chunk])])["files"]
    assert (file["statuses"], file["duplicates"]) == (
        {"unique": 4, "invalid": 2},
        {"exact": 0, "symmetric": 0},
    )
    ((solved,), (formed, grids)) = asked.values()
    good = [0, 2, 3, 5]
    assert len(grids) == 4
    assert (solved[[1, 4]] == NO_VALUE).all()
    assert solved[good].tolist() == formed.tolist() == puzzles[good].tolist()


def test_undecided_rows_are_counted_as_such(monkeypatch):
    asked = partial(BatchOptions, backend="session")
    monkeypatch.setattr(audit, "BatchOptions", asked)
    hard = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
    report = audit_chunks(
        nines(np.frombuffer(hard.replace(".", "0").encode(), np.uint8)[None] - 48),
        checks=Checks(conflicts=1),
    )
    (file,) = report["files"]
    assert file["statuses"] == {"unknown": 1}
    assert [(f["kind"], f["examples"][0]["detail"]) for f in file["findings"]] == [
        ("undecided", hard)
    ]
    assert not report["sound"]
