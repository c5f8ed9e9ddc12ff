"""Which processes are there, by the /proc of Linux, and how far one of them is."""

import os
import signal
import time
from contextlib import suppress
from pathlib import Path

PATIENCE = 600.0  # seconds; only a failure waits so long, on a machine as busy as can be


def until_it_listens(process, seconds=0.0):
    """Wait until a command has its own handlers of signals, then so many seconds more.

    Before that Python itself answers, which takes the longer the busier the machine is.
    """
    status = Path(f"/proc/{process.pid}/status")
    while status.exists():
        assert process.poll() is None
        (caught,) = (line for line in status.read_text().splitlines() if line[:7] == "SigCgt:")
        if int(caught[7:], 16) >> (signal.SIGTERM - 1) & 1:
            break
        time.sleep(0.005)
    time.sleep(seconds if status.exists() else seconds + 1)


def processor_seconds():
    """The processor time of this process and of its ended children: what others do adds nothing."""
    return sum(os.times()[:4])


def until_gone(group):
    """Wait until no process of a group is left."""
    end = time.monotonic() + PATIENCE
    while left := members(group):
        assert time.monotonic() < end, left
        time.sleep(0.01)


def members(group):
    """Processes of a process group that are more than a name in the table."""
    found = []
    for name, text in _each("stat"):
        state, _, its_group = text.rpartition(b")")[2].split()[:3]
        if int(its_group) == group and state != b"Z":
            found.append(name)
    return found


def carrying(mark):
    """Processes that were started with this text in their environment, and still run."""
    return [name for name, text in _each("environ") if mark.encode() in text]  # a zombie has none


def _each(file):
    """A file of every process that lets us read it. Processes end while we look."""
    for name in filter(str.isdecimal, os.listdir("/proc")):
        with suppress(OSError):
            yield name, Path("/proc", name, file).read_bytes()
