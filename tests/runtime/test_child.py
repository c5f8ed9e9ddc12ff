"""Processes of ours: their pipe, how they ended, and that none outlives us."""

import os
import signal
import subprocess
import sys
import time

import pytest
from process_groups import members
from worker_cases import echo, leave_at_once

import satdoku
from satdoku.runtime.child import Child, ended


def test_it_runs_a_function_with_its_end_of_the_pipe():
    child = Child(echo, "said")
    child.pipe.send(3)
    assert child.pipe.recv() == ("said", 3)
    child.close()
    assert child.end == "killed by SIGKILL"


def test_its_end_is_the_end_of_the_pipe():
    child = Child(leave_at_once, 7)
    with pytest.raises(EOFError):
        child.pipe.recv()
    child.process.join()
    child.close()
    assert child.end == "exit code 7"


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (0, "exit code 0"),
        (None, "exit code None"),
        (-signal.SIGSEGV, "killed by SIGSEGV"),
        (-99, "killed by signal 99"),
    ],
)
def test_an_exit_code_in_words(code, words):
    assert ended(code) == words


@pytest.mark.skipif(sys.platform != "linux", reason="needs the signals of Linux's pipes")
@pytest.mark.parametrize("leads", [False, True])
def test_it_ends_with_us_though_it_reads_nothing(leads, tmp_path):
    """Also in the middle of C code that keeps the interpreter to itself."""
    support = os.path.dirname(sys.modules["worker_cases"].__file__)
    code = (
        "from satdoku.runtime.child import Child\n"
        "from worker_cases import spin_in_c\n"
        "if __name__ == '__main__':\n"
        f"    child = Child(spin_in_c, leads={leads})\n"
        "    print(child.pipe.recv(), flush=True)\n"
        "    child.process.join()\n"
    )
    script = tmp_path / "parent.py"
    script.write_text(code)
    parent = subprocess.Popen(
        [sys.executable, script],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": support},
        start_new_session=True,
    )
    child = int(parent.stdout.readline())
    group = os.getpgid(child)
    assert (group == child) == leads
    parent.kill()
    parent.wait()
    end = time.monotonic() + 20
    while members(group):
        assert time.monotonic() < end
        time.sleep(0.01)


def run_script(tmp_path, code):
    script = tmp_path / "script.py"
    script.write_text(code)
    return subprocess.run(
        [sys.executable, script], capture_output=True, text=True, check=False, timeout=60
    )


def test_a_script_needs_no_guard(tmp_path):
    code = (
        "import sys, satdoku\n"
        "print('begun')\n"
        "print(*satdoku.generate(3, workers=2, seed=1))\n"
        "print(sys.modules['__main__'].__file__ == __file__)\n"
    )
    ended = run_script(tmp_path, code)
    puzzles = satdoku.generate(3, seed=1)
    assert (ended.stderr, ended.returncode) == ("", 0)
    assert ended.stdout == f"begun\n{' '.join(map(str, puzzles))}\nTrue\n"
