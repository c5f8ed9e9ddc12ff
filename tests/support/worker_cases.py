"""Work for the workers of tests, in a separate module so that processes start quickly."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from random import Random


def work(number, folder=None):
    """The square, sometimes late; a number with a file in the folder kills its process once."""
    time.sleep(Random(number).choice([0, 0, 0.01]))
    if folder is not None:
        try:
            (Path(folder) / str(number)).unlink()
        except FileNotFoundError:
            pass
        else:
            os.kill(os.getpid(), signal.SIGKILL)
    return number * number


def die(number):
    os.kill(os.getpid(), signal.SIGKILL)


def fail(number):
    if number == 5:
        raise ValueError("five")
    return number


def hold(number):
    """Sleep, to look like an hour of work from outside."""
    time.sleep(60)
