"""A worker process by itself: its lines in and out."""

import json
import subprocess
import sys
from contextlib import contextmanager

import pytest
from web_client import CLASSIC, PATIENCE, state

WORKER = [sys.executable, "-P", "-m", "satdoku.web.worker", "live"]


@contextmanager
def worker():
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(WORKER, **pipes) as process:
        assert process.stdout.readline() == b".\n"
        yield process
        process.kill()


def send(process, **message):
    process.stdin.write(json.dumps(message).encode() + b"\n")
    process.stdin.flush()


def lines_of(process):
    found = []
    while not found or found[-1] not in (b".", b"x", b""):
        found.append(process.stdout.readline().rstrip(b"\n"))
    return found


def test_jobs_one_after_the_other():
    with worker() as process:
        for job in (1, 2):
            asked = {"puzzle": state(CLASSIC)}
            send(process, job=job, ask="live", seconds=20, asked=asked)
            first, *_, last = lines_of(process)
            assert (first, last) == (b'+{"status":"unique"}', b".")
        send(process, job=3, ask="live", seconds=20, asked={})
        error, last = lines_of(process)
        assert json.loads(error[1:])["error"].startswith("puzzle: found null")
        assert (error[:1], last) == (b"!", b"x")


def test_a_job_that_is_given_up_stops_and_the_next_one_runs():
    with worker() as process:
        send(process, job=7, ask="live", seconds=20, asked={"puzzle": state("." * 256)})
        send(process, stop=7)
        assert lines_of(process)[-1] == b"x"
        send(process, job=8, ask="live", seconds=20, asked={"puzzle": state(CLASSIC)})
        assert lines_of(process)[-1] == b"."


@pytest.mark.skipif(sys.platform == "win32", reason="no timer signal")
def test_a_job_beyond_its_time_ends_the_process():
    with worker() as process:
        puzzle = state("." * 256)
        send(process, job=1, ask="steps", seconds=-1.8, asked={"puzzle": puzzle, "all": True})
        assert lines_of(process)[-1] == b""
        assert process.wait(PATIENCE) != 0


def test_the_end_of_input_ends_it_in_the_middle_of_a_job():
    with worker() as process:
        asked = {"puzzle": state("." * 256), "limit": 100_000}
        send(process, job=1, ask="live", seconds=60, asked=asked)
        process.stdin.close()
        assert process.wait(PATIENCE) == 0


def test_a_fault_is_told_and_ends_it(monkeypatch):
    with worker() as process:
        send(process, job=1, ask="no-such-question", seconds=20, asked={})
        error, last = lines_of(process)
        assert json.loads(error[1:])["fault"] and (error[:1], last) == (b"#", b"")
        assert process.wait(PATIENCE) == 1
        assert b"KeyError" in process.stderr.read()


@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory are Linux's")
def test_memory_is_bounded():
    code = (
        "from satdoku.runtime.supervisor import bound_memory\n"
        "from satdoku.web.worker import MOST_MEMORY\n"
        "bound_memory(MOST_MEMORY)\n"
        "try: bytearray(3 << 30)\n"
        "except MemoryError: print('bounded')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "bounded\n"
