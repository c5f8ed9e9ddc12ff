"""Signals from the first moment of a process to its last: one line, and nothing left over."""

import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from enum import EnumType

import numpy as np
import pytest
from examples import CLASSIC, CLASSIC_SOLUTION, PUZZLES
from process_groups import PATIENCE, members

from satdoku.runtime.errors import Status
from satdoku.runtime.interrupts import Raised, Terminated, end_at_once

posix = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
SPAN = 0.3  # seconds from the first line of ours
SIGNALS = {signal.SIGINT: (130, "interrupted"), signal.SIGTERM: (143, "terminated")}

# What Python does before our first line is not ours: the clock starts with it.
SCRIPT = """
import os, sys
from satdoku.runtime import interrupts
interrupts.prepare()
os.write(2, b"@")
from satdoku.__main__ import run
sys.exit(run())
"""


@pytest.fixture(scope="module")
def commands(tmp_path_factory):
    folder = tmp_path_factory.mktemp("interrupts")
    puzzles, certificate = folder / "puzzles.txt", folder / "puzzles.cert"
    puzzles.write_text(f"{CLASSIC}\n" * 3)
    words = ["certify", str(puzzles), "-o", str(certificate), "-q"]
    subprocess.run([sys.executable, "-m", "satdoku", *words], check=True)
    return [
        ["solve", CLASSIC],
        ["batch", "-q", str(puzzles)],
        ["generate", "-q", "-n", "2"],
        ["verify", "-q", str(certificate)],
    ]


def interrupted(words, number, after, folder=None):
    """Exit code and messages of a command that gets a signal so many seconds after its start, and
    the processes that it leaves."""
    with subprocess.Popen(
        [sys.executable, "-c", SCRIPT, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=folder,
        start_new_session=True,
    ) as process:
        try:
            assert os.read(process.stderr.fileno(), 1) == b"@"
            time.sleep(after)
            process.send_signal(number)
            _, err = process.communicate(timeout=PATIENCE)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
    return process.returncode, err.decode(), _left_of(process.pid)


def _left_of(group):
    """The processes of a group that are still there after a moment to end in."""
    end = time.monotonic() + 60
    while (left := members(group)) and time.monotonic() < end:
        time.sleep(0.02)
    return left


def assert_clean(commands, count, number):
    expected, word = SIGNALS[number]
    ends = []
    for i in range(count):
        code, err, left = interrupted(commands[i % len(commands)], number, SPAN * i / count)
        ends.append(code)
        # A signal that comes when Python has put its own handlers back kills: a shell says 130 too.
        assert code in (0, expected, -number), err
        assert err == (f"satdoku: {word}\n" if code == expected else ""), err
        assert left == []
    assert expected in ends


@posix
@pytest.mark.parametrize("number", list(SIGNALS))
def test_the_first_moments(commands, number):
    assert_clean(commands, 8, number)


@posix
@pytest.mark.slow
@pytest.mark.parametrize("number", list(SIGNALS))
def test_the_first_moments_often(commands, number):
    assert_clean(commands, 60, number)


# At any moment -----------------------------------------------------------------------------------

LONG = {
    "minimize": ["minimize", "grids.txt"],
    "explain": ["explain", "--steps", "hard.txt", "hard.txt"],
    "explain-pictures": ["explain", "hard.txt", "--steps", "-o", "step.svg"],
    "generate": ["generate", "-n", "9000000", "--seed", "1", "-w", "2", "-o", "out.txt"],
    "generate-walk": ["generate", "-n", "9000", "--rules", "nonconsecutive", "-o", "out.txt.gz"],
    "fewest": ["fewest", CLASSIC_SOLUTION],
    "fewest-processes": ["fewest", "-w", "2", "grids.txt"],
    "count": ["count", "--exact", "-w", "2", "--rules", "knight"],
    "orbits": ["orbits", "--canonical", "grids.txt"],
    "certify": ["certify", "many.txt", "-o", "out.jsonl.gz"],
    "certify-plain": ["certify", "many.txt", "--plain", "plain", "-o", "out.jsonl"],
}
KEPT = re.compile("satdoku: what was written so far is kept in (.*)")


@pytest.fixture
def folder(tmp_path):
    many = (PUZZLES / "generated-1000.txt").read_text()
    (tmp_path / "many.txt").write_text(many * 20)
    (tmp_path / "grids.txt").write_text(f"{CLASSIC_SOLUTION}\n" * 20_000)
    (tmp_path / "hard.txt").write_text((PUZZLES / "inkala-2012.txt").read_text())
    return tmp_path


def assert_nothing_left(folder, words, number, after):
    """Exit code and message are those of the signal; what is not whole is named, or not there."""
    before = {path.name for path in folder.rglob("*.part")}
    code, err, processes = interrupted([*words, "-q"], number, after, folder)
    expected, word = SIGNALS[number]
    *kept, last = err.splitlines() or [""]
    assert (code, last) == (expected, f"satdoku: {word}"), err
    assert all(path.suffix == ".part" for path in folder.glob("out.*"))
    unfinished = {path.name for path in folder.rglob("*.part")} - before
    assert unfinished == {KEPT.fullmatch(line)[1] for line in kept}
    assert all("</svg>" in path.read_text()[-9:] for path in folder.glob("*.svg"))
    assert processes == []


@pytest.mark.covering
@posix
@pytest.mark.parametrize("number", list(SIGNALS))
@pytest.mark.parametrize("name", ["minimize", "explain", "generate", "count"])
def test_a_moment_of_a_long_command(name, number, folder):
    assert_nothing_left(folder, LONG[name], number, 0.6)


@posix
@pytest.mark.slow
@pytest.mark.parametrize("number", list(SIGNALS))
@pytest.mark.parametrize("name", list(LONG))
def test_any_moment_of_a_long_command(name, number, folder):
    rng = random.Random(f"{name} {number}")
    for _ in range(20):
        assert_nothing_left(folder, LONG[name], number, rng.uniform(0, 2.5))


@posix
def test_an_import_ends_before_the_interrupt(tmp_path, monkeypatch):
    """An exception within an import may be lost, or leave half a module behind."""
    (tmp_path / "slow_to_import.py").write_text(
        "import signal\nsignal.raise_signal(signal.SIGINT)\nhalf = None\nwhole = True\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt), Raised():
        import slow_to_import

        assert slow_to_import.whole
        time.sleep(PATIENCE)  # a wait ends too
    assert time.monotonic() - start < PATIENCE
    assert sys.modules.pop("slow_to_import").whole


@posix
@pytest.mark.parametrize("moment", ["new", "delete"])
def test_a_solver_is_made_and_deleted_before_the_interrupt(monkeypatch, moment):
    """Else its destructor finds half of it, or its memory is freed twice."""
    from pysat.solvers import Cadical153, Solver

    true = getattr(Cadical153, moment)

    def interrupted(*arguments, **options):
        if not done:
            signal.raise_signal(signal.SIGINT)
        true(*arguments, **options)
        done.append(moment)

    done = []
    monkeypatch.setattr(Cadical153, moment, interrupted)
    with pytest.raises(KeyboardInterrupt), Raised():
        Solver("cadical153", bootstrap_with=[[1]]).delete()
        time.sleep(10)
    assert set(done) == {moment}


@posix
@pytest.mark.skipif(not hasattr(EnumType, "__getattr__"), reason="Python 3.12 and later call none")
def test_numpy_has_its_answer_before_the_interrupt():
    """It would take the exception for an answer, and the command would go on."""

    def interrupt(frame, event, _):
        if event == "call" and frame.f_code is EnumType.__getattr__.__code__:
            sys.setprofile(None)
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt), Raised():
        sys.setprofile(interrupt)
        assert (np.zeros(1) == Status.NONE).all()
        assert sys.getprofile() is None
        time.sleep(10)


class Destroyed:
    """Sends a signal when it is destroyed."""

    def __init__(self, number):
        self.number = number

    def __del__(self):
        signal.raise_signal(self.number)


@posix
@pytest.mark.parametrize(
    ("number", "kind"), [(signal.SIGINT, KeyboardInterrupt), (signal.SIGTERM, Terminated)]
)
def test_an_interrupt_that_a_destructor_loses_comes_again(number, kind):
    before = sys.unraisablehook
    with pytest.raises(kind), Raised():
        Destroyed(number)
        time.sleep(10)
    assert sys.unraisablehook is before


@posix
@pytest.mark.parametrize(
    ("number", "kind"), [(signal.SIGINT, KeyboardInterrupt), (signal.SIGTERM, Terminated)]
)
def test_signals_raise_and_handlers_come_back(number, kind):
    before = {each: signal.signal(each, end_at_once) for each in SIGNALS}
    try:
        with pytest.raises(kind), Raised():
            signal.raise_signal(number)
        assert all(signal.getsignal(each) is end_at_once for each in SIGNALS)
        signal.signal(number, signal.SIG_IGN)
        with Raised():
            signal.raise_signal(number)  # whoever ignores it goes on doing so
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


def test_another_thread_changes_no_handler():
    def enter():
        with Raised():
            seen.append(signal.getsignal(signal.SIGINT))

    seen = []
    thread = threading.Thread(target=enter)
    thread.start()
    thread.join()
    assert seen == [signal.getsignal(signal.SIGINT)]


FIRST = {
    "__future__", "satdoku", "satdoku.runtime", "satdoku.runtime.interrupts",
    "satdoku.runtime.package",
}  # fmt: skip


def test_the_first_module_imports_nothing():
    code = (
        "import sys; before = set(sys.modules); import satdoku.runtime.interrupts;"
        "print(*sorted(set(sys.modules) - before))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) <= FIRST
