"""Signals in the first moments of a process: 130 or 143, one line, never a traceback or a "no"."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest
from examples import CLASSIC

from satdoku.interrupts import Raised, Terminated, end_at_once

posix = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
SPAN = 0.3  # seconds from the first line of ours
SIGNALS = {signal.SIGINT: (130, "interrupted"), signal.SIGTERM: (143, "terminated")}

# What Python does before our first line is not ours: the clock starts with it.
SCRIPT = """
import os, sys
from satdoku import interrupts
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


def interrupted(words, number, after):
    """Exit code and messages of a command that gets a signal so many seconds after its start."""
    with subprocess.Popen(
        [sys.executable, "-c", SCRIPT, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert os.read(process.stderr.fileno(), 1) == b"@"
        time.sleep(after)
        process.send_signal(number)
        _, err = process.communicate(timeout=60)
    return process.returncode, err.decode()


def assert_clean(commands, count, number):
    expected, word = SIGNALS[number]
    ends = []
    for i in range(count):
        code, err = interrupted(commands[i % len(commands)], number, SPAN * i / count)
        ends.append(code)
        # A signal that comes when Python has put its own handlers back kills: a shell says 130 too.
        assert code in (0, expected, -number), err
        assert err == (f"satdoku: {word}\n" if code == expected else ""), err
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
        time.sleep(10)  # a wait ends too
    assert time.monotonic() - start < 5
    assert sys.modules.pop("slow_to_import").whole


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


def test_the_first_module_imports_nothing():
    code = (
        "import sys; before = set(sys.modules); import satdoku.interrupts;"
        "print(*sorted(set(sys.modules) - before))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) <= {"__future__", "satdoku", "satdoku.interrupts"}
