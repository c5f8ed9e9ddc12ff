import csv
import os
import subprocess
import sys
import time

import pytest
from bench_fakes import Fake
from process_groups import processor_seconds

from satdoku.bench.results import FILE_NAME, HEADER
from satdoku.cli import main
from satdoku.crosscheck import backends


@pytest.fixture
def fakes(monkeypatch):
    known = {**backends.backends(), "lie": Fake("lie"), "spin": Fake("spin")}
    monkeypatch.setattr(backends, "backends", lambda: known)


def rows(folder):
    with open(folder / FILE_NAME, newline="") as stream:
        return list(csv.DictReader(stream))


def bench(folder, *words):
    return main(["bench", "-o", str(folder), *words])


SMALL = ("--tasks", "classic", "--modes", "oneshot", "--backends", "minisat22")


def test_a_small_run_is_measured_reported_and_continued(tmp_path, capsys):
    pytest.importorskip("matplotlib")
    assert bench(tmp_path, *SMALL, "--encodings", "extended,order") == 0
    first = (tmp_path / FILE_NAME).read_bytes()
    assert first.decode().splitlines()[0] == HEADER
    assert len(rows(tmp_path)) == 8
    assert {row["status"] for row in rows(tmp_path)} == {"solved"}
    assert "8 measurements of 8 to make" in capsys.readouterr().err

    assert bench(tmp_path, *SMALL, "--encodings", "extended,order") == 0
    assert (tmp_path / FILE_NAME).read_bytes() == first
    assert "0 measurements of 8 to make" in capsys.readouterr().err

    (tmp_path / FILE_NAME).write_bytes(first[:-5])  # as if the power had failed
    assert bench(tmp_path, *SMALL, "--encodings", "extended,order", "--repeat", "2") == 0
    assert "9 measurements of 16 to make" in capsys.readouterr().err
    keys = {(row["instance"], row["encoding"], row["repeat"]) for row in rows(tmp_path)}
    assert len(keys) == len(rows(tmp_path)) == 16

    assert main(["bench", "report", str(tmp_path)]) == 0
    printed = capsys.readouterr().out.split()
    assert printed == [str(tmp_path / "report.md"), str(tmp_path / "report.html")]
    assert "minisat22 order | integer | 8/8" in (tmp_path / "report.md").read_text()


def test_a_wrong_answer_is_loud_and_in_no_time(tmp_path, capsys, fakes):
    pytest.importorskip("matplotlib")
    words = ("--tasks", "inkala", "--modes", "oneshot", "--encodings", "extended")
    assert bench(tmp_path, *words, "--backends", "lie,minisat22") == 1
    said = capsys.readouterr().err
    assert said.count("WRONG ANSWER: lie - on inkala inkala-201") == 2
    assert "excluded from all times" in said
    assert main(["bench", "report", str(tmp_path)]) == 1
    assert "WRONG ANSWER" in capsys.readouterr().err
    report = (tmp_path / "report.md").read_text()
    assert "WRONG ANSWERS: 2" in report
    assert "| lie | integer | 0/2, 2 WRONG | – | – | – | – | – |" in report


def test_several_workers_lose_no_measurement(tmp_path, fakes):
    words = ("--tasks", "inkala", "--modes", "oneshot", "--backends", "spin,lie,minisat22")
    assert bench(tmp_path, *words, "--timeout", "0.2", "--repeat", "2", "-w", "2") == 1
    assert len(rows(tmp_path)) == 12
    assert [row["status"] for row in rows(tmp_path) if row["backend"] == "spin"] == ["timeout"] * 4


def test_a_file_of_puzzles_is_a_task(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text("# rules: diagonal\n" + "." * 16 + "\n1" + "." * 15 + "\n")
    words = ("--tasks", str(path), "--modes", "enumerate,candidates", "--backends", "glucose4")
    assert bench(tmp_path / "out", *words) == 0
    assert {(row["instance"], row["status"]) for row in rows(tmp_path / "out")} == {
        ("mine.txt:2", "multiple"), ("mine.txt:3", "multiple"),
    }  # fmt: skip


@pytest.mark.parametrize(
    "words, message",
    [
        (["bench", "raport"], "found 'raport', expected nothing or 'report FOLDER'"),
        (["bench", "report", "a", "b"], "found 'report a b'"),
        (["bench", "report", "nowhere"], "nowhere"),
        (["bench", "--tasks", "riddle", "-o", "x"], "no task or file 'riddle'"),
    ],
)
def test_words_that_mean_nothing_are_refused(words, message, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(words) == 2
    assert message in capsys.readouterr().err
    assert os.listdir(tmp_path) == []


def test_an_interrupt_kills_the_children_and_keeps_the_rows(tmp_path):
    words = [sys.executable, "-m", "satdoku", "bench", "-q", "-o", str(tmp_path), *SMALL]
    process = subprocess.Popen(
        [*words, "--repeat", "500"], stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    path = tmp_path / FILE_NAME
    deadline = time.monotonic() + 600
    while time.monotonic() < deadline and not (
        path.exists() and path.read_bytes().count(b"\n") > 3
    ):
        time.sleep(0.05)
    process.send_signal(2)
    _, said = process.communicate(timeout=600)
    assert process.returncode == 130
    assert "interrupted" in said
    assert len(rows(tmp_path)) >= 3


@pytest.mark.parametrize(
    "words, names",
    [
        (("--backends", "cadical153", "--tasks", "minimal"), "cadical153"),
        pytest.param((), "cadical153 z3", marks=pytest.mark.slow),
    ],
    ids=["part", "all"],
)
def test_quick_ends_within_a_minute_and_says_what_it_shows(tmp_path, capsys, words, names):
    start = processor_seconds()
    assert bench(tmp_path, "--quick", *words) == 0
    assert processor_seconds() - start < 60
    found = rows(tmp_path)
    assert {row["status"] for row in found} <= {"solved", "timeout"}
    assert {row["kind"] for row in found} == {"boolean", "integer"}
    said = capsys.readouterr().out.splitlines()
    for library in names.split():
        (line,) = (x for x in said if x.startswith(f"minimal, oneshot, {library}, solving: "))
        assert "booleans are quicker: " in line
    assert bench(tmp_path, "--quick", *words, "--sample", "2") == 0
    said = capsys.readouterr().out.splitlines()
    assert said
    assert all(line.endswith(": too few instances (2 instances)") for line in said)
