"""Puzzles that tests of the command line share, and a process of its own."""

from __future__ import annotations

import os
import pty
import subprocess
import sys

from examples import CLASSIC

EMPTY = "." * 81
CLASH = "5.....5" + "." * 74
NONE = "12345678." + "........9" + "." * 63  # no two givens clash, but r1c9 has no digit left
HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
ROWS = "\n".join(CLASSIC[i : i + 9] for i in range(0, 81, 9))
LETTER = CLASSIC[:40] + "x" + CLASSIC[41:]
FOURS = ["1234341221434321", "1234341223414123"]
# It is not known whether there is such a grid.
UNDECIDED = ("--rules", "antiqueen,miracle", "--size", "16")


def python(*arguments, **options):
    """`python ARGUMENTS` in a separate process."""
    command = [sys.executable, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=600, **options)


def on_a_terminal(*arguments, **environment):
    """What a command writes to a terminal."""
    ours, theirs = pty.openpty()
    env = {**os.environ, "TERM": "xterm", "PYTHONIOENCODING": "utf-8", **environment}
    process = subprocess.Popen(
        [sys.executable, "-m", "satdoku", *arguments], stdout=theirs, env=env
    )
    os.close(theirs)
    text = b""
    try:
        while block := os.read(ours, 1 << 16):
            text += block
    except OSError:  # the other end is closed
        pass
    os.close(ours)
    assert process.wait() == 0
    return text.decode().replace("\r\n", "\n")
