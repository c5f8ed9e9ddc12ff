"""Run every combination in children that are killed at their limits.

Invariant: the runner decides the order, the time and the memory; it never computes an answer.
Contestants take turns on each instance, so that a comparison is of pairs measured side by side.
"""

from __future__ import annotations

import platform
import random
import signal
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, suppress
from functools import cache
from math import inf
from pathlib import Path
from queue import Queue
from threading import Event
from typing import NamedTuple

from ..crosscheck.backends import Backend
from ..runtime.child import Child
from ..runtime.package import VERSION
from ..runtime.supervised import Folder
from .instances import PARALLEL, Task, fault, modes_of, status_of
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
WAIT = 8  # times its limit that a measurement may take by the wall clock, on a busy machine
POLL = 0.2  # seconds between two looks at the clock
LATE, GONE = "late", "gone"  # what came in place of a message


class Limits(NamedTuple):
    """What one measurement may use."""

    timeout: float  # seconds of processor time, building and solving together
    memory_mb: int  # address space of the child


class Job(NamedTuple):
    """One contestant on a task: all modes by one backend and encoding, once."""

    task: Task
    backend: Backend
    encoding: str
    repeat: int
    seed: int

    def measurements(self) -> list[Measurement]:
        """All of them, in an order that the seed determines, the same for all contestants."""
        pairs = [Measurement(mode, one) for mode in self.task.modes for one in self.task.instances]
        random.Random(f"{self.seed}-{self.repeat}-{self.task.name}").shuffle(pairs)
        known = modes_of(self.backend)
        return [pair for pair in pairs if pair.mode in known and pair.instance.permits(pair.mode)]

    def key(self, measurement: Measurement, limits: Limits) -> Key:
        """The key of the measurement in the results."""
        return Key(
            self.task.name, measurement.instance.name, self.backend.name, self.encoding,
            measurement.mode, limits.timeout, self.seed, self.repeat,
        )  # fmt: skip


def run_jobs(
    jobs: Iterable[Job], limits: Limits, done: set[Key], *, workers: int = 1
) -> Iterator[Row]:
    """Each row as it is measured: task by task, and all contestants on an instance in turn.

    So they meet the same state of the machine, and a run that is interrupted leaves whole tasks.
    With more workers, each takes a share of a task's contestants. Measurements whose key is in
    `done` are left out. Closing the iterator kills the children.
    """
    rows: Queue[Row | None] = Queue()
    stop = Event()
    with ThreadPoolExecutor(workers) as pool:
        futures = [
            pool.submit(_take_turns, share, limits, done, stop, rows.put)
            for share in _shares(jobs, workers)
        ]
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


def _shares(jobs: Iterable[Job], workers: int) -> Iterator[list[Job]]:
    """The contestants of each task and repetition, in as many parts as there are workers."""
    rounds: dict[tuple[str, int], list[Job]] = {}
    for job in jobs:
        rounds.setdefault((job.task.name, job.repeat), []).append(job)
    for some in rounds.values():
        yield from filter(None, (some[first::workers] for first in range(workers)))


def _take_turns(
    jobs: Sequence[Job], limits: Limits, done: set[Key], stop: Event, emit: Callable[[Row], None]
) -> None:
    """Measure instance by instance, each by all contestants in a random order."""
    turns: dict[Measurement, list[Lane]] = {}
    with ExitStack() as stack:
        for job in jobs:
            lane = stack.enter_context(Lane(job, limits, stop))
            for measurement in job.measurements():
                if job.key(measurement, limits) not in done:
                    turns.setdefault(measurement, []).append(lane)
        order = random.Random(jobs[0].seed)
        for measurement, lanes in turns.items():
            for lane in order.sample(lanes, len(lanes)):
                row = lane.measure(measurement)
                if stop.is_set():
                    return
                emit(row)


class Lane(AbstractContextManager["Lane"]):
    """A contestant at work, in a child that is replaced where it is lost."""

    def __init__(self, job: Job, limits: Limits, stop: Event) -> None:
        self._job, self._limits, self._stop = job, limits, stop
        self._child: Measurer | None = None
        self._unfit: Failed | None = None  # why no child would do: the backend fails its warm-up

    def __exit__(self, *_: object) -> None:
        self._dismiss()

    def _dismiss(self) -> None:
        if self._child is not None:
            self._child.close()
            self._child = None

    def measure(self, measurement: Measurement) -> Row:
        """The row of one measurement, in the child at hand or a new one."""
        if self._unfit is not None:
            return self._row(measurement, None, None, self._unfit)
        if self._child is None:
            self._child = Measurer(self._job, self._limits, self._stop)
        child = self._child
        if child.ready is None:
            self._unfit = child.failed(child.first, "in import and warm-up")
            self._dismiss()
            return self._row(measurement, None, None, self._unfit)
        built, end = child.follow(measurement)
        row = self._row(measurement, child.ready, built, end)
        if isinstance(end, Failed) and (end.status in ("timeout", "memory") or not child.alive):
            self._dismiss()
        return row

    def _row(
        self,
        measurement: Measurement,
        ready: Ready | None,
        built: Built | None,
        end: Done | Failed,
    ) -> Row:
        job = self._job
        status, note = self._verdict(measurement, end)
        counters = end.counters if isinstance(end, Done) else {}
        return Row(
            task=job.task.name,
            instance=measurement.instance.name,
            backend=job.backend.name,
            encoding=job.encoding,
            mode=measurement.mode,
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
            versions=f"satdoku {VERSION}; {ready.version if ready else '?'}; "
            f"python {platform.python_version()}",
            cpu=cpu_name(),
            import_s=ready.import_s if ready else None,
            kind=job.backend.kind(job.encoding),
            repeat=job.repeat,
            source=job.task.source,
            note=note,
        )

    def _verdict(self, measurement: Measurement, end: Done | Failed) -> tuple[str, str]:
        """The status of a measurement, and a note if there is something wrong."""
        if isinstance(end, Failed):
            return end
        (mode, instance), constraints = measurement, self._job.task.constraints
        if problem := fault(mode, instance, constraints, end.answer):
            return WRONG, problem
        return str(status_of(mode, end.answer, constraints)), ""


class Measurer(Child):
    """A child process that measures what it is sent; `ready` is None if it failed to start."""

    def __init__(self, job: Job, limits: Limits, stop: Event) -> None:
        self._limits, self._stop = limits, stop
        self._folder = Folder()
        self._log = self._folder.path / "log"
        task = job.task
        work = Work(job.backend, job.encoding, task.rules, task.board, limits.memory_mb)
        super().__init__(run, work, str(self._log), leads=True)
        self.first = self._receive(SETUP_SECONDS)
        self.ready = self.first if isinstance(self.first, Ready) else None

    @property
    def alive(self) -> bool:
        return self.process.is_alive()

    def follow(self, measurement: Measurement) -> tuple[Built | None, Done | Failed]:
        """The result of a measurement, and what was built for it."""
        with suppress(OSError):  # the child is gone, as the next message will tell
            self.pipe.send(measurement)
        begun = self._receive(SETUP_SECONDS)
        if not isinstance(begun, Begun):
            return None, self.failed(begun, "at its start")
        clock = time.monotonic if measurement.mode == PARALLEL else self._processor_seconds
        end = clock() + self._limits.timeout
        message, built = self._receive(WAIT * self._limits.timeout, clock, end), None
        if isinstance(message, Built):
            built = message
            message = self._receive(WAIT * self._limits.timeout, clock, end)
        if not isinstance(message, Done):
            return built, self.failed(message, "")
        if built is not None and built.build_s + message.solve_s > self._limits.timeout:
            return built, Failed("timeout", "")
        return built, message

    def _receive(
        self, seconds: float, clock: Callable[[], float] = time.monotonic, end: float = inf
    ) -> object:
        """The child's next message; GONE if the child died; LATE if the seconds have passed, the
        clock has reached the end, or the run stops.
        """
        deadline = time.monotonic() + seconds
        while not self._stop.is_set():
            left = min(deadline - time.monotonic(), end - clock())
            if left <= 0:
                break
            if self.pipe.poll(min(left, POLL)):
                try:
                    return self.pipe.recv()
                except (EOFError, ConnectionError):
                    return GONE
        return LATE

    def _processor_seconds(self) -> float:
        """What the child has used; 0 where the system does not tell, so that WAIT alone binds.

        CaDiCaL holds the interpreter's lock, and with a timer of its own the child's clock would
        have the resolution of the system's tick: so the limit is watched from here.
        """
        assert self.process.pid is not None
        try:
            return time.clock_gettime(~self.process.pid << 3 | 2)  # as clock_getcpuclockid has it
        except OSError:
            return 0.0

    def failed(self, message: object, where: str) -> Failed:
        """What came in place of the message that was waited for, as a failure."""
        if isinstance(message, Failed):
            return message._replace(note=f"{where} {message.note}".strip())
        if message == LATE:
            return Failed("timeout", where)
        self.process.join(SETUP_SECONDS)
        said = self._log.read_text(errors="replace") if self._log.exists() else ""
        last = next((line for line in reversed(said.splitlines()) if line.strip()), "")
        # C++ reports exhausted memory on its way out, the kernel by SIGKILL.
        is_memory = reports_memory(said) or self.process.exitcode == -signal.SIGKILL
        return Failed("memory" if is_memory else "error", f"{self.end}: {last}"[:300])

    def close(self) -> None:
        """End the child and whatever it started.

        A program of others has a supervisor, which ends it when the child is gone.
        """
        super().close()
        self._folder.close()


@cache
def cpu_name() -> str:
    """The processor's model, as far as the system says."""
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
