"""Dask clusters of this machine, in processes of their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path


@contextmanager
def dask_cluster(folder, workers=2, options=()):
    """A scheduler and some workers as processes of their own: (HOST:PORT, a list of the workers).

    options: more arguments for all of them.
    """
    dask = [sys.executable, "-m", "dask"]
    place = folder / "scheduler.json"
    places = [str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")]  # the tests' own work
    quiet = {
        "stdout": subprocess.DEVNULL,
        "stderr": subprocess.DEVNULL,
        "env": {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, places))},
    }
    common = ["--scheduler-file", str(place), *options]
    with ExitStack() as stack:

        def start(*arguments):
            process = subprocess.Popen([*dask, *arguments, *common], **quiet)
            stack.callback(process.wait)
            stack.callback(process.kill)
            return process

        start("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
        own = ["--no-nanny", "--nthreads", "1", "--no-dashboard", "--local-directory", str(folder)]
        started = [start("worker", *own) for _ in range(workers)]
        while not (place.exists() and place.stat().st_size):
            time.sleep(0.05)
        address = json.loads(place.read_text())["address"]
        yield address.partition("://")[2], started
