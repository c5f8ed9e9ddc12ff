"""The files that a command line names: none is read and written, none destroyed, none shared."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from examples import CLASSIC, CLASSIC_SOLUTION
from temporaries import bytes_written, parts

from satdoku.batch.journal import Journal
from satdoku.batch.seal import NO_KEY
from satdoku.errors import Status
from satdoku.files.outputs import leftovers

SATDOKU = [sys.executable, "-m", "satdoku"]
EMPTY = "." * 81


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


@pytest.mark.parametrize(
    "words",
    [
        "certify x.part -o x",
        "batch x.part -o x",
        "batch x.part -o x --resume",
        "audit x.part --report x.json",
        "export x.part -o x",
        "render x.part -o x.svg",
        "generate --seed 1 -o x",
    ],
)
def test_an_input_or_a_stranger_with_the_name_of_a_temporary_file_stays(run, here, words):
    puzzles = f"{CLASSIC}\n"
    for name in ("x.part", "x.json.part", "x.svg.part"):
        (here / name).write_text(puzzles)
    assert run(*words.split())[0] == 0
    found = contents(here)
    assert {found.pop(f"{name}.part") for name in ("x", "x.json", "x.svg")} == {puzzles.encode()}
    (made,) = found.values()
    assert made


@pytest.mark.parametrize(
    "words",
    [
        "certify x -o x",
        "certify x -o link",
        "certify 000001.cnf --plain . -o y",
        "certify 000001.cert.jsonl.gz -o .",
        "generate --pattern x -o x",
        "generate --regions x -o ./x",
        "export x -o x",
        "export n1 -o n{n}",
        "render p1.svg -o p{n}.svg",
        "candidates p1.svg -o p1.svg",
        "batch x -o x",
        "batch y.journal -o y --resume",
        "batch y.cert.jsonl.gz -o y --certify 1",
        "batch x -o y --summary hard",
        "audit x --report x",
        "audit x --report y.json --report ./y.json",
    ],
)
def test_no_file_is_read_and_written(run, here, words):
    names = ["x", "000001.cnf", "000001.cert.jsonl.gz", "n1", "p1.svg", "y.journal"]
    for name in [*names, "y.cert.jsonl.gz"]:
        (here / name).write_text(f"{CLASSIC}\n")
    os.link("x", "hard")
    os.symlink("x", "link")
    before = contents(here)
    code, _, err = run(*words.split())
    assert (code, "and output at once" in err) == (2, True)
    found = contents(here)
    assert {name: found[name] for name in before} == before
    assert set(found) <= {*before, "y"}  # that of another puzzle, or before the folder


def test_an_output_that_is_a_link_is_replaced(run, here):
    (here / "target").write_text("precious")
    os.symlink("target", "out")
    assert run("generate", "--seed", "1", "-q", "-o", "out")[0] == 0
    assert (here / "target").read_text() == "precious"
    assert not (here / "out").is_symlink()


def test_what_a_stopped_command_leaves_is_told(here):
    """Also by a command that has no journal and no summary."""
    command = [*SATDOKU, "generate", "-n", "1000000", "-o", "g.txt", "-w", "1", "-q"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        while bytes_written(here / "g.txt") <= 0:
            assert process.poll() is None
            time.sleep(0.02)
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate()
    (part,) = parts(here / "g.txt")
    assert process.returncode == 143
    assert err == f"satdoku: what was written so far is kept in {part.name}\nsatdoku: terminated\n"


def test_the_next_batch_tells_of_what_a_killed_one_left(run, here):
    (here / "in.txt").write_text(f"{CLASSIC}\n")
    left = here / "out.0123456789abcdef.part"
    left.write_text("half a result")
    code, _, err = run("batch", "in.txt", "-o", "out")
    assert code == 0
    assert f"satdoku: {left.name}: left by a run that was stopped; delete it if you" in err
    assert left.read_text() == "half a result"
    assert run("batch", "in.txt", "-o", "out", "-q")[2] == ""


# Two runs on one OUT -----------------------------------------------------------------------------


@pytest.mark.parametrize("first", [[], ["--resume"]])
@pytest.mark.parametrize("second", [[], ["--resume"]])
def test_the_second_run_on_one_output_is_refused(run, here, first, second):
    """The first is halted meanwhile; what it was to write is written whole."""
    pytest.importorskip("fcntl")
    (here / "in.txt").write_text(f"{CLASSIC}\n")
    (here / "many.txt").write_text(f"{CLASSIC}\n" * 2000)
    options = ["-o", "out", "-q", "-w", "1", "--backend", "session", *first]
    with subprocess.Popen([*SATDOKU, "batch", "many.txt", *options]) as process:
        while not parts(here / "out") or leftovers(str(here / "out")):  # until it has its lock
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(signal.SIGSTOP)
        try:
            code, _, err = run("batch", "in.txt", "-o", "out", "-q", *second)
        finally:
            process.send_signal(signal.SIGCONT)
        process.wait(60)
    assert (code, "another run is " in err) == (2, True)
    assert process.returncode == 0
    assert (here / "out").read_text() == f"unique {CLASSIC_SOLUTION}\n" * 2000
    assert parts(here / "out") == []
    (here / "out.journal").unlink(missing_ok=True)
    assert run("batch", "in.txt", "-o", "out", "-q")[0] == 0
    assert (here / "out").read_text() == f"unique {CLASSIC_SOLUTION}\n"


# Forged journals ---------------------------------------------------------------------------------


@pytest.fixture
def forged(run, here, monkeypatch):
    """Write a journal for `in.txt` that claims a status, without solutions, of each puzzle."""

    def write(status, key):
        (here / "in.txt").write_text(f"{CLASSIC}\n" * 3)
        init, append, lies = Journal.__init__, Journal.append, []

        def other_key(self, path, settings, _):
            init(self, path, settings, key)

        def lie(self, chunk, result):
            wrong = np.full_like(result.statuses, status), np.zeros_like(result.solutions)
            append(self, chunk, result._replace(statuses=wrong[0], solutions=wrong[1]))
            lies.append(chunk)

        with monkeypatch.context() as patch:
            patch.setattr(Journal, "__init__", other_key)
            patch.setattr(Journal, "append", lie)
            patch.setattr(Journal, "remove", Journal.close)
            run("batch", "in.txt", "-o", "out", "--resume", "-q")
        assert lies
        (here / "out").unlink()

    return write


@pytest.mark.parametrize("status", [Status.NONE, Status.UNIQUE, 77])
def test_a_forged_journal_is_never_believed(run, here, forged, status):
    forged(status, NO_KEY)
    code, _, err = run("batch", "in.txt", "-o", "out", "--resume", "-q")
    assert code == 2
    assert "out.journal: of another user or machine, or forged" in err
    assert "remove it to start again" in err
    (here / "out.journal").unlink()
    assert run("batch", "in.txt", "-o", "out", "--resume", "-q")[0] == 0
    assert (here / "out").read_text() == f"unique {CLASSIC_SOLUTION}\n" * 3


def test_without_a_key_it_is_said_what_is_trusted(run, here, forged, monkeypatch):
    """And that is true: `none` is believed, what the witness can refute is not."""
    (here / "file").touch()
    monkeypatch.setenv("XDG_STATE_HOME", str(here / "file"))
    forged(Status.UNIQUE, NO_KEY)
    code, _, err = run("batch", "in.txt", "-o", "out", "--resume", "-q")
    assert code == 2
    assert "no key can be kept here, so the journal has no seal; if others can write out.j" in err
    assert "out.journal: holds results that are wrong, so it was forged: remove it" in err
    (here / "out.journal").unlink()
    forged(Status.NONE, NO_KEY)
    assert run("batch", "in.txt", "-o", "out", "--resume", "-q")[0] == 0
    assert (here / "out").read_text() == "none\n" * 3
    monkeypatch.undo()
    monkeypatch.chdir(here)
    forged(Status.NONE, NO_KEY)
    assert run("batch", "in.txt", "-o", "out", "--resume", "-q")[0] == 2  # with a key
