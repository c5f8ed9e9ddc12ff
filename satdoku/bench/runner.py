"""Run every combination in children that are killed at their limits.

Invariant: the runner decides the order, the time and the memory; it never computes an answer.
CaDiCaL has no time limit and holds the interpreter's lock, so only another process can stop it.
"""

from __future__ import annotations

import multiprocessing
import os
import platform
import random
import signal
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from pathlib import Path
from queue import Queue
from threading import Event
from typing import NamedTuple

from .. import __version__
from ..crosscheck.backends.protocol import Backend
from .instances import Task, modes_of
from .judge import fault, status_of
from .results import WRONG, Key, Row
from .worker import (
    Begun,
    Built,
    Done,
    Failed,
    Measurement,
    Ready,
    Work,
    reports_memory,
    run,
)

SETUP_SECONDS = 60.0  # for a child to start, import and solve the warm-up
LATE, GONE = "late", "gone"  # what came in place of a message
_CONTEXT = multiprocessing.get_context("spawn")  # what a fork inherits would be no fresh start


class Limits(NamedTuple):
    """What one measurement may use."""

    timeout: float  # seconds, building and solving together
    memory_mb: int  # address space of the child


class Job(NamedTuple):
    """One child's work: a task in all its modes by one backend and encoding, once."""

    task: Task
    backend: Backend
    encoding: str
    repeat: int
    seed: int

    def measurements(self) -> Iterator[Measurement]:
        """All of them, in an order that the seed determines."""
        modes = [mode for mode in self.task.modes if mode in modes_of(self.backend)]
        pairs = [
            Measurement(mode, instance)
            for mode in modes
            for instance in self.task.instances
            if instance.permits(mode)
        ]
        random.Random(f"{self.seed}-{self.repeat}-{self.task.name}").shuffle(pairs)
        return iter(pairs)

    def key(self, measurement: Measurement, limits: Limits) -> Key:
        """The key of the measurement in the results."""
        return Key(
            self.task.name, measurement.instance.name, self.backend.name, self.encoding,
            measurement.mode, limits.timeout, self.seed, self.repeat,
        )  # fmt: skip


def run_jobs(
    jobs: Iterable[Job], limits: Limits, done: set[Key], *, seed: int = 0, workers: int = 1
) -> Iterator[Row]:
    """Each row as it is measured; jobs in shuffled order, `workers` children at a time.

    Measurements whose key is in `done` are left out. Closing the iterator kills the children.
    """
    order = list(jobs)
    random.Random(seed).shuffle(order)
    rows: Queue[Row | None] = Queue()
    stop = Event()
    with ThreadPoolExecutor(workers) as pool:
        futures = [pool.submit(_run_job, job, limits, done, stop, rows.put) for job in order]
        for future in futures:
            future.add_done_callback(lambda _: rows.put(None))
        try:
            for _ in futures:
                while (row := rows.get()) is not None:
                    yield row
            for future in futures:
                future.result()  # raises what went wrong in the runner itself
        finally:
            stop.set()
            for future in futures:
                future.cancel()


def _run_job(
    job: Job, limits: Limits, done: set[Key], stop: Event, emit: Callable[[Row], None]
) -> None:
    pending = [m for m in job.measurements() if job.key(m, limits) not in done]
    while pending and not stop.is_set():
        with Child(job, pending, limits, stop) as child:
            for row in child.rows():
                emit(row)
                del pending[0]


class Child:
    """A child process at work on measurements, in their order."""

    def __init__(
        self, job: Job, measurements: Sequence[Measurement], limits: Limits, stop: Event
    ) -> None:
        self._job, self._limits, self._stop = job, limits, stop
        self._measurements = tuple(measurements)
        self._folder = tempfile.TemporaryDirectory(prefix="satdoku-")
        self._log = Path(self._folder.name, "log")
        self._messages, theirs = _CONTEXT.Pipe(duplex=False)
        task = job.task
        work = Work(job.backend, job.encoding, task.rules, task.board, self._measurements)
        arguments = (theirs, work, limits.memory_mb, str(self._log))
        self._process = _CONTEXT.Process(target=run, args=arguments)
        self._process.start()
        theirs.close()

    def __enter__(self) -> Child:
        return self

    def __exit__(self, *_: object) -> None:
        self._kill()
        self._messages.close()
        self._folder.cleanup()

    def rows(self) -> Iterator[Row]:
        """A row for each measurement, in order; fewer if the child has to be replaced."""
        ready = self._receive(SETUP_SECONDS)
        if not isinstance(ready, Ready):
            failed = self._failed(ready, "in import and warm-up")
            for measurement in self._measurements if not self._stop.is_set() else ():
                yield self._row(measurement, None, None, failed)
            return
        for number, measurement in enumerate(self._measurements):
            begun = self._receive(SETUP_SECONDS)
            if not isinstance(begun, Begun):
                if number == 0 and not self._stop.is_set():  # a new child would not do better
                    yield self._row(measurement, ready, None, self._failed(begun, "at its start"))
                return
            built, end = self._follow()
            if self._stop.is_set():
                return
            yield self._row(measurement, ready, built, end)
            if isinstance(end, Failed) and end.status == "timeout":
                return

    def _follow(self) -> tuple[Built | None, Done | Failed]:
        """The result of the measurement that has begun, and what was built for it."""
        deadline = time.monotonic() + self._limits.timeout
        message, built = self._receive(self._limits.timeout), None
        if isinstance(message, Built):
            built = message
            message = self._receive(deadline - time.monotonic())
        if not isinstance(message, Done):
            return built, self._failed(message, "")
        if built is not None and built.build_s + message.solve_s > self._limits.timeout:
            return built, Failed("timeout", "")
        return built, message

    def _receive(self, seconds: float) -> object:
        """The child's next message; LATE if time is up or the run stops, GONE if the child died."""
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0 and not self._stop.is_set():
            if self._messages.poll(min(left, 0.2)):
                try:
                    return self._messages.recv()
                except EOFError:
                    return GONE
        return LATE

    def _failed(self, message: object, where: str) -> Failed:
        if isinstance(message, Failed):
            return message._replace(note=f"{where} {message.note}".strip())
        if message == LATE:
            return Failed("timeout", where)
        self._process.join(SETUP_SECONDS)
        return _post_mortem(self._process.exitcode, self._log)

    def _kill(self) -> None:
        """Kill the child and whatever it started; they share a session that the child leads."""
        assert self._process.pid is not None
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()
        self._process.join()
        self._process.close()

    def _row(
        self,
        measurement: Measurement,
        ready: Ready | None,
        built: Built | None,
        end: Done | Failed,
    ) -> Row:
        job, (mode, instance) = self._job, measurement
        status, note, counters = "", "", {}
        if isinstance(end, Failed):
            status, note = end
        else:
            constraints, counters = job.task.constraints, end.counters
            problem = fault(mode, instance, constraints, end.answer)
            status, note = (
                (WRONG, problem) if problem else (str(status_of(mode, end.answer, constraints)), "")
            )
        return Row(
            task=job.task.name,
            instance=instance.name,
            backend=job.backend.name,
            encoding=job.encoding,
            mode=mode,
            status=status,
            build_s=built.build_s if built else None,
            solve_s=end.solve_s if isinstance(end, Done) else None,
            conflicts=counters.get("conflicts"),
            decisions=counters.get("decisions"),
            propagations=counters.get("propagations"),
            variables=built.variables if built else None,
            clauses=built.clauses if built else None,
            timeout_s=self._limits.timeout,
            seed=job.seed,
            versions=f"satdoku {__version__}; {ready.version if ready else '?'}; "
            f"python {platform.python_version()}",
            cpu=cpu_name(),
            import_s=ready.import_s if ready else None,
            kind=job.backend.kind(job.encoding),
            repeat=job.repeat,
            note=note,
        )


def _post_mortem(exitcode: int | None, log: Path) -> Failed:
    """Why a child died: C++ reports exhausted memory on its way out, the kernel by SIGKILL."""
    said = log.read_text(errors="replace") if log.exists() else ""
    last = next((line for line in reversed(said.splitlines()) if line.strip()), "")
    cause = f"exit code {exitcode}"
    if exitcode is not None and exitcode < 0:
        cause = f"signal {signal.Signals(-exitcode).name}"
    status = "memory" if reports_memory(said) or exitcode == -signal.SIGKILL else "error"
    return Failed(status, f"{cause}: {last}"[:300])


@cache
def cpu_name() -> str:
    """The processor's model, as far as the system says."""
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
