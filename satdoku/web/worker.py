"""A worker process: questions in on standard input, answers out on standard output, one at a time.

Invariant: it ends when its input does, when a question takes too long or too much memory, and when
it is killed; nothing outlives it.

In, a JSON object a line: {"job": 1, "ask": "live", "seconds": 20, "asked": {...}}, or {"stop": 1}
to give a job up. Out, a line each: `+` and an object of the answer, `!` and {"error": ...}, `#`
likewise for a fault of ours, or, as the last line of a job, `.` if it ran to its end, `x` if not.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from queue import SimpleQueue
from typing import IO, Any

from ..runtime import limits
from ..runtime.errors import SatdokuError
from ..runtime.supervisor import bound_memory
from .questions import QUESTIONS, answering

GIGABYTE = 1 << 30
MOST_MEMORY = 2 * GIGABYTE
OVERTIME = 2.0  # seconds after which a job ends its process, if nobody else did


class StoppedError(BaseException):
    """The job was given up."""


class _Desk:
    """Where jobs come in and go out; `stopped` is the number of the last job given up, and
    `given_up` is set while that is the job at work: time is over for it then."""

    def __init__(self, source: IO[bytes], out: IO[bytes]) -> None:
        self.jobs: SimpleQueue[dict[str, Any]] = SimpleQueue()
        self.at_work = self.stopped = 0
        self.given_up = threading.Event()
        self._source, self._out = source, out

    def read(self) -> None:
        """Take in lines at any time, also while a job runs; the end of input ends the process."""
        for line in self._source:
            message = json.loads(line)
            if "stop" in message:
                self.stopped = max(self.stopped, message["stop"])
                if self.at_work == self.stopped:
                    self.given_up.set()
            else:
                self.jobs.put(message)
        os._exit(0)

    def begin(self, job: int) -> None:
        """A job is at work."""
        self.given_up.clear()
        self.at_work = job
        if self.stopped >= job:
            self.given_up.set()

    def write(self, mark: bytes, what: object = None) -> None:
        text = b"" if what is None else json.dumps(what, separators=(",", ":")).encode()
        self._out.write(mark + text + b"\n")
        self._out.flush()


def main(lane: str) -> None:
    """Answer the questions of a lane until the input ends."""
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints is no answer
    bound_memory(MOST_MEMORY)
    desk = _Desk(sys.stdin.buffer, out)
    for name, question in QUESTIONS.items():
        if question.lane.name == lane:
            answering(name)  # whose imports then cost no question its time
    desk.write(b".")
    limits.stop_when(desk.given_up)
    threading.Thread(target=desk.read, daemon=True).start()
    while True:
        _do(desk, desk.jobs.get())


def _do(desk: _Desk, message: dict[str, Any]) -> None:
    """One job, from its first line to its last."""
    job, name = message["job"], message["ask"]
    desk.begin(job)
    seconds = max(0.001, message["seconds"] + OVERTIME)
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)  # its default: the end
    end = b"x"
    try:
        for answer in answering(name)(message["asked"]):
            if desk.stopped >= job:
                raise StoppedError
            if answer:
                desk.write(b"+", answer)
        end = b"."
    except StoppedError:
        pass
    except SatdokuError as error:
        if desk.stopped < job:
            desk.write(b"!", error_data(error))
    except RecursionError:
        desk.write(b"!", {"error": "the puzzle is nested too deep"})
    except MemoryError:
        desk.write(b"!", {"error": f"out of memory: {name} may take {MOST_MEMORY >> 30} GB"})
        os._exit(1)
    except Exception as error:  # a fault of ours: it is reported, and this process serves no more
        desk.write(b"#", {"error": f"fault: {error!r}", "fault": True})
        sys.excepthook(type(error), error, error.__traceback__)
        os._exit(1)
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, 0)
    desk.write(end)


def error_data(error: SatdokuError) -> dict[str, Any]:
    """An error as the page gets it: the message, and its place in the text where it has one."""
    found = {"error": str(error)}
    places = {name: getattr(error, name, 0) for name in ("line", "column")}
    return found | {name: place for name, place in places.items() if place}


if __name__ == "__main__":
    main(sys.argv[1])
