"""Inputs that are read twice, standard input among them."""

from __future__ import annotations

import gzip
import io
import os
import sys
from collections import Counter
from random import Random

import pytest
from dataset_cases import expected, fault, some_rows
from dataset_layouts import LAYOUTS
from examples import CLASSIC, CLASSIC_SOLUTION, FOUR

import satdoku
from satdoku.audit.tally import OF_ROWS
from satdoku.model.constraints import constraints_for
from satdoku.runtime.errors import SatdokuError


@pytest.fixture
def stdin(monkeypatch):
    def feed(data):
        stream = io.TextIOWrapper(io.BufferedReader(io.BytesIO(data)))
        monkeypatch.setattr(sys, "stdin", stream)
        return stream

    return feed


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_standard_input_is_read_twice_and_stays_what_it_was(stdin, tmp_path, pack):
    given = stdin(pack(f"quizzes,solutions,n\n{CLASSIC},{CLASSIC_SOLUTION},1\nbad,,2\n".encode()))
    gone = tmp_path / "gone.csv"
    counts = satdoku.clean_files(
        "-", str(tmp_path / "out.csv"), cleaning=satdoku.Cleaning(dropped=str(gone))
    )
    assert (counts["read"], counts["kept"]) == (2, 1)
    assert (tmp_path / "out.csv").read_text().endswith(f"{CLASSIC_SOLUTION},1\n")
    assert gone.read_text().startswith("quizzes,solutions,n,file,line,reason,detail\nbad,,2,-,3,")
    assert sys.stdin is given


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names")
def test_what_can_be_read_only_once_is_refused(file, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(SatdokuError, match="pipe: is no file, and would be read twice: name -"):
        satdoku.clean_files(str(tmp_path / "pipe"), "out")
    with pytest.raises(SatdokuError, match="standard input is named twice"):
        satdoku.clean_files("-", "out", cleaning=satdoku.Cleaning(against=["-"]))


def test_progress_counts_each_row_twice(file, tmp_path):
    told = []
    path = file(f"{CLASSIC}\n" * 3)
    satdoku.clean_files(path, str(tmp_path / "o"), progress=lambda *done: told.append(done))
    assert told == [(3, None), (6, None)]


# Layouts ------------------------------------------------------------------------------------------

RULES = constraints_for("classic", FOUR)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_what_is_planted_is_found_counted_and_cleaned_in_every_layout(grids, tmp_path, layout):
    """The truth comes from brute force; every fault of a row is planted, and both repeats."""
    rows = some_rows(Random(3), grids, 80)
    path, out, gone = tmp_path / "data", tmp_path / "out.jsonl", tmp_path / "gone.jsonl"
    LAYOUTS[layout](path, rows)
    audit = satdoku.audit_files(str(path), RULES, rows=True)
    (file,) = audit["files"]
    assert file["layout"] and file["rows"] == len(rows)
    faults = [fault(row, grids) for row in rows]
    assert {*faults} > {"", "malformed row", "wrong answer", "several solutions"}
    told = [(kinds or "").split() for kinds in audit.rows.columns()["kinds"]]
    for kind, kinds in zip(faults, told, strict=True):
        found = {name for name in OF_ROWS if name.replace(" ", "-") in kinds}
        assert kind in found or not (kind or found)
    counts = satdoku.clean_files(
        str(path), str(out), RULES, cleaning=satdoku.Cleaning(dropped=str(gone))
    )
    kept, reasons = expected(rows, [], grids, (), False)
    assert counts["kept"] == len(kept)
    assert counts["dropped"] == Counter(reason.replace(" ", "-") for reason in reasons)
    assert satdoku.audit_files(str(out), RULES)["sound"]
    read = [str(puzzle.grid) for puzzle in satdoku.read_puzzles(str(out), RULES)]
    assert read == [fields[1].replace("0", ".") for fields in kept]
    solved = satdoku.solve_files(str(path), str(tmp_path / "results"), RULES)
    assert solved["rows_read"] == len(rows)
