"""Inputs that are read twice, standard input among them."""

from __future__ import annotations

import gzip
import io
import os
import sys

import pytest
from examples import CLASSIC, CLASSIC_SOLUTION

import satdoku
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
