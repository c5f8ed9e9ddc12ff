"""Work for the workers of tests, in a separate module so that processes start quickly."""

from __future__ import annotations

import gc
import itertools
import os
import signal
import sys
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


BULK = 20_000_000  # bytes: no pipe holds it, so who writes it can be met in the middle


def bulk(number):
    """A large result, all of it from the number."""
    return bytes([number % 251]) * BULK


def starve(number, folder=None):
    """The square; without memory if the folder holds a file of the number, once, or always."""
    if folder is None:
        raise MemoryError
    try:
        (Path(folder) / str(number)).unlink()
    except FileNotFoundError:
        return number * number
    import resource

    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + (50 << 20),) * 2)
    return len(bytearray(1 << 30))


def leave(number):
    sys.exit(number)


def stumble(number):
    """An error that cannot be pickled."""

    class Local(Exception):
        pass

    raise Local(f"no {number}")


class Unreadable:
    """It can be pickled, but not read."""

    def __reduce__(self):
        return int, ("x",)


def puzzle(number):
    return Unreadable()


if __name__ == "__main__":  # endless work in processes, to be stopped
    from satdoku.runtime.workers import Workers, map_in_order

    for stop in (signal.SIGINT, signal.SIGTERM):
        signal.signal(stop, signal.default_int_handler)
    try:
        with Workers("process", 3) as workers:
            print("begun", flush=True)
            for number, result in map_in_order(
                workers, bulk, ((n, (n,)) for n in itertools.count())
            ):
                assert result == bulk(number)
    except KeyboardInterrupt:
        os._exit(130)


def echo(pipe, word):
    """Send back the word and what comes."""
    while True:
        pipe.send((word, pipe.recv()))


def leave_at_once(pipe, code):
    sys.exit(code)


def spin_in_c(pipe):
    """Say who we are, then never let another thread run."""
    pipe.send(os.getpid())
    sum(itertools.repeat(0))


def say_how_seldom(pipe):
    """How many new objects there must be before cycles are looked for."""
    pipe.send(gc.get_threshold()[0])
