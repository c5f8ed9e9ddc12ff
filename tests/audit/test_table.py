"""The rows of an audit: what was planted in a row is told of that row and of no other."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from audit_oracle import chunked, generated, some_files

import satdoku
from satdoku import Checks
from satdoku.audit.files import KINDS, AuditError, audit_chunks
from satdoku.batch.solve import solve_batch
from satdoku.files.collection import Answers, Chunk
from satdoku.files.collection.chunk import parts


def kinds_of(rows, row):
    """The names of the kinds of findings of a row."""
    return {kind for bit, kind in enumerate(KINDS) if rows.kinds[row] >> bit & 1}


@pytest.fixture(scope="module")
def planted():
    """Two files of 20 and 12 rows; what is planted is told in the tests."""
    train, test = generated()[:20].copy(), generated()[20:32].copy()
    answers = [solve_batch(puzzles).solutions for puzzles in (train, test)]
    train[5] = train[2]
    train[7] = np.roll(train[3], 27)
    train[9] = 0
    train[11, :2] = 5
    answers[0][13] = answers[0][14]
    dug = answers[0][4].copy()  # another puzzle of the same grid
    dug[:3] = 0
    test[0] = dug
    test[1] = train[6]
    test[2] = np.roll(train[8].reshape(9, 9), 3, axis=1).ravel()
    test[3] = np.roll(answers[0][10].reshape(9, 9), 3, axis=1).ravel()
    test[4] = train[6]
    return train, test, answers


def files_of(planted, size=1000):
    train, test, answers = planted
    for name, puzzles, cells in zip(("train", "test"), (train, test), answers, strict=True):
        count = len(puzzles)
        chunk = Chunk(
            np.arange(101, 101 + count),
            puzzles,
            {17: satdoku.GridError("x", "y")} if name == "train" else {},
            [f"{name}{row}" for row in range(count)] if name == "test" else None,
            Answers(cells, np.ones(count, np.bool_), {}) if name == "train" else None,
            source=name,
        )
        yield name, parts(chunk, size)


@pytest.mark.parametrize("ways", [{}, {"workers": 2}])
def test_every_planted_fault_is_told_of_its_row(planted, ways):
    audit = audit_chunks(files_of(planted, 7 if ways else 1000), rows=True, **ways)
    rows = audit.rows
    assert {row: kinds_of(rows, row) for row in range(32) if kinds_of(rows, row)} == {
        5: {"exact duplicate", "givens changed"},
        7: {"symmetric duplicate", "givens changed"},
        9: {"several solutions"},
        11: {"clashing givens", "givens changed"},
        13: {"givens changed"},
        17: {"malformed row"},
        20: {"grid leak"},
        21: {"leak"},
        22: {"leak"},
        23: {"grid leak"},
        24: {"leak", "exact duplicate"},
    }
    assert [(file["rows"], file["sound"]) for file in audit["files"]] == [(20, 14), (12, 7)]
    assert rows.file.tolist() == [0] * 20 + [1] * 12
    assert rows.line.tolist() == [*range(101, 121), *range(101, 113)]
    assert rows.ids[:] == [""] * 20 + [f"test{row}" for row in range(12)]
    own = np.arange(32)
    assert {row: int(other) for row, other in enumerate(rows.duplicate_of) if other >= 0} == {
        5: 2, 21: 6, 24: 6,
    }  # fmt: skip
    others = {row: int(other) for row, other in enumerate(rows.cluster) if other != own[row]}
    assert others == {5: 2, 7: 3, 17: -1, 21: 6, 22: 8, 24: 6}
    others = {row: int(other) for row, other in enumerate(rows.grid_of) if other != own[row]}
    assert others == {5: 2, 11: -1, 17: -1, 20: 4, 21: 6, 24: 6}
    others = {row: int(other) for row, other in enumerate(rows.grid_cluster) if other != own[row]}
    assert others == {5: 2, 7: 3, 11: -1, 17: -1, 20: 4, 21: 6, 22: 8, 23: 10, 24: 6}


def test_allowed_kinds_are_no_faults_and_facts_are_if_forbidden(planted):
    everything = [kind for kind in KINDS if kind != "grid leak"]
    audit = audit_chunks(files_of(planted), checks=Checks(allow=everything))
    assert [file["sound"] for file in audit["files"]] == [20, 10]
    assert not audit["sound"]
    assert audit_chunks(files_of(planted), checks=Checks(allow=KINDS))["sound"]
    puzzles = planted[0][:1].repeat(2, axis=0)
    puzzles[1] = planted[2][0][0]  # the solution of the first
    file = [("a", [Chunk(np.arange(1, 3), puzzles, {})])]
    audit = audit_chunks(file, rows=True)
    assert audit["sound"] and not audit["files"][0]["findings"]
    assert kinds_of(audit.rows, 1) == {"repeated grid"}
    assert audit["files"][0]["grids"] == {
        "known": 2, "distinct": 1, "classes": 1, "largest": 2, "line": 1,
    }  # fmt: skip
    audit = audit_chunks(file, checks=Checks(forbid=["repeated-grid"]))
    (finding,) = audit["files"][0]["findings"]
    assert (audit["sound"], finding["kind"], finding["count"]) == (False, "repeated grid", 1)
    with pytest.raises(AuditError, match="no finding 'leak': choose from repeated-grid"):
        audit_chunks(file, checks=Checks(forbid=["leak"]))


def test_columns_do_not_depend_on_chunks_and_agree_with_the_report(grids):
    files = some_files(Random(3), grids, 3, sizes=(25, 30))
    audit = audit_chunks(chunked(files, 1000), rows=True)
    again = audit_chunks(chunked(files, 4), rows=True).rows
    for name, column in audit.rows._asdict().items():
        if name == "ids":
            column, other = column[:], again.ids[:]
        else:
            other = getattr(again, name)
        assert np.array_equal(column, other), name
    for number, file in enumerate(audit["files"]):
        told = audit.rows.kinds[audit.rows.file == number]
        for finding in file["findings"]:
            bit = KINDS.index(finding["kind"])
            assert np.count_nonzero(told >> bit & 1) == finding["count"], finding["kind"]
    assert audit_chunks(chunked(files, 4)).rows is None
