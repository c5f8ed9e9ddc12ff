"""Slow, stuck and broken pipes: the same answers, and an end whenever one is asked for."""

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager

import pytest
from examples import CLASSIC, PUZZLES
from process_groups import PATIENCE, until_gone, until_it_listens

pytestmark = pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")
SATDOKU = [sys.executable, "-m", "satdoku"]
TEXT = (PUZZLES / "generated-1000.txt").read_bytes()
SIGNALS = {signal.SIGINT: (130, "interrupted"), signal.SIGTERM: (143, "terminated")}
PROCESSES = ["--executor", "process", "-w", "2"]


def drip(path_or_pipe, data, size, pause):
    """Write the data in small pieces, none of which ends where a line does."""
    with open(path_or_pipe, "wb", buffering=0) as pipe:
        for start in range(0, len(data), size):
            pipe.write(data[start : start + size])
            time.sleep(pause)


@contextmanager
def dripping(target, size=1777, pause=0.01):
    writer = threading.Thread(target=drip, args=(target, TEXT, size, pause))
    writer.start()
    yield
    writer.join()


@contextmanager
def started(words, **streams):
    """A command in a process group of its own; nothing of it may be left."""
    with subprocess.Popen(
        [*SATDOKU, *words, "-q"],
        stderr=subprocess.PIPE,
        start_new_session=True,
        **{"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, **streams},
    ) as process:
        try:
            yield process
        finally:
            process.kill()
    until_gone(process.pid)


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    out = tmp_path_factory.mktemp("answers") / "out.txt"
    words = [*SATDOKU, "batch", str(PUZZLES / "generated-1000.txt"), "-q", "-o", str(out)]
    subprocess.run(words, check=True)
    return out.read_bytes()


@pytest.mark.covering
@pytest.mark.parametrize("options", [[], PROCESSES, ["--backend", "session", "-w", "1"]])
@pytest.mark.parametrize("name", ["-", "pipe"])
def test_slow_in_and_slow_out(name, options, answers, tmp_path):
    if name == "-":
        reading, target = os.pipe()
    else:
        name = target = str(tmp_path / "pipe")
        os.mkfifo(name)
        reading = subprocess.DEVNULL
    with started(["batch", name, *options], stdin=reading) as process, dripping(target):
        if reading >= 0:
            os.close(reading)
        got = b""
        while piece := os.read(process.stdout.fileno(), 700):
            got += piece
            time.sleep(0.001)
        assert (process.wait(PATIENCE), process.stderr.read()) == (0, b"")
    assert got == answers


def test_an_audit_of_what_comes_slowly():
    reading, target = os.pipe()
    with started(["audit", "-", "--json"], stdin=reading) as process, dripping(target):
        os.close(reading)
        out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (0, b"")
    assert b'"rows": 1000' in out


# Commands that would wait for ever: for their input, or for a reader that does not read.
SILENT = [["batch", "-"], ["audit", "-"], ["solve", "-"], ["verify", "-"], ["minimize", "-"]]
STUCK = [
    ["batch", "many.txt"], ["batch", "many.txt", *PROCESSES], ["check", "many.txt"],
    ["enumerate", "." * 81], ["generate", "-n", "100000", "-w", "2"], ["certify", "many.txt"],
]  # fmt: skip


@pytest.mark.covering
@pytest.mark.parametrize("number", list(SIGNALS))
@pytest.mark.parametrize(
    "words",
    [
        *SILENT[:2],
        *STUCK[:2],
        *(pytest.param(words, marks=pytest.mark.slow) for words in SILENT[2:] + STUCK[2:]),
    ],
    ids=" ".join,
)
def test_a_signal_ends_a_wait(words, number, tmp_path):
    (tmp_path / "many.txt").write_bytes(TEXT * 50)
    with started(words, stdin=subprocess.PIPE, cwd=tmp_path) as process:
        until_it_listens(process, 0.7)
        assert process.poll() is None
        process.send_signal(number)
        code, word = SIGNALS[number]
        assert process.wait(PATIENCE) == code  # though nobody reads what it wanted to say
        assert process.stderr.read().decode() == f"satdoku: {word}\n"


@pytest.mark.parametrize("words", [*STUCK, ["solve", "many.txt"]], ids=" ".join)
def test_a_reader_that_goes_away_ends_the_command(words, tmp_path):
    (tmp_path / "many.txt").write_bytes(TEXT * 50)
    with started(words, cwd=tmp_path) as process:
        assert os.read(process.stdout.fileno(), 10)
        process.stdout.close()
        assert (process.wait(PATIENCE), process.stderr.read()) == (141, b"")


def test_a_writer_that_dies_leaves_what_came(tmp_path):
    """The last line is cut: it is told, and the lines before it are answered."""
    with started(["batch", "-"], stdin=subprocess.PIPE) as process:
        out, err = process.communicate(f"{CLASSIC}\n{CLASSIC[:40]}".encode(), timeout=PATIENCE)
    lines = out.decode().splitlines()
    assert lines[0].startswith("unique ")
    assert (len(lines), lines[1].startswith("invalid")) == (2, True), (lines, err)
