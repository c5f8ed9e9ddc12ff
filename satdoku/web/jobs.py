"""Worker processes for the questions of all tabs: fair, superseded, given up, killed, replaced.

Invariant: a question that nobody waits for any more, that a newer one of the same tab replaces, or
that takes too long, leaves its place at once: its worker stops within `GRACE` or is killed.

Each lane has its own workers. A free place goes to the tab with the fewest running questions, and
among these to the question that has waited longest. A worker that has answered a question of a tab
before gets it again if it can, because it still knows the rules, and how far it had come.

A worker that waits may be killed, as a system short of memory does. So a question whose worker ends
before its first line goes to a new worker: once, as it may be the question that kills workers.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncGenerator, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from .questions import QUESTIONS, Lane, Object

GRACE = 0.15  # seconds that a worker has to stop by itself; a new one takes longer to start
LOOK = 0.002  # seconds between two looks at whether it has
IDLE = 60.0  # seconds after which workers beyond the spare ones end
MOST_WAITING = 200  # questions of a lane
LONGEST_LINE = 1 << 25  # bytes of an object of an answer
ENDS = b".", b"x"  # the last line of a job
SUPERSEDED = "a newer question took its place"
ENDING = "the server has ended"
NO_START = "worker processes do not start"
_START = "import sys, json; sys.path[:] = json.loads(sys.argv.pop()); import runpy; " + (
    "runpy.run_module('satdoku.web.worker', run_name='__main__')"
)


class JobError(Exception):
    """A question that got no answer; `status` is that of HTTP."""

    def __init__(self, status: int, words: str) -> None:
        super().__init__(words)
        self.status = status


class WorkerEndedError(JobError):
    """A question whose worker is gone."""


@dataclass(eq=False)
class _Turn:
    """A question and its place: waiting for one, or with a worker."""

    tab: str
    name: str
    place: asyncio.Future[None]
    number: int
    worker: _Worker | None = None
    end: float = 0.0  # of its time, once a worker has it
    is_superseded: bool = False


@dataclass(eq=False)
class _Worker:
    """A process, the tab that it served last with what question, and when that ended."""

    process: Process
    tab: str = ""
    name: str = ""
    since: float = field(default_factory=time.monotonic)
    job: int = 0  # 0 if it has none
    is_stopping: bool = False  # that job is given up
    is_over: bool = False  # killed, or has ended

    async def line(self, seconds: float) -> bytes:
        """Its next line without the end; empty if it has ended. Raises `TimeoutError`."""
        assert self.process.stdout is not None
        try:
            async with asyncio.timeout(seconds):  # `wait_for` may forget that it was cancelled
                line = await self.process.stdout.readline()
        except ValueError:  # longer than LONGEST_LINE
            self.kill()
            return b""
        self.is_over |= not line.endswith(b"\n")
        return b"" if self.is_over else line[:-1]

    def send(self, message: Object) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message).encode() + b"\n")

    def stop(self) -> None:
        """Give its job up: it may end that in time, or else is killed."""
        job = self.job
        if job:
            self.is_stopping = True
            self.send({"stop": job})
            asyncio.get_running_loop().call_later(GRACE, self._kill_over, job)

    def _kill_over(self, job: int) -> None:
        if self.job == job:
            self.kill()

    def kill(self) -> None:
        """Once: of a process that is dying, asyncio would tell people that it lost it."""
        if not self.is_over and self.process.returncode is None:
            self.is_over = True
            self.process.kill()


async def _next(turn: _Turn) -> bytes:
    """The next line for a turn; raises `JobError` if none comes in time, or its worker is gone."""
    assert turn.worker is not None
    try:
        line = await turn.worker.line(turn.end - time.monotonic())
    except TimeoutError:
        seconds = QUESTIONS[turn.name].seconds
        raise JobError(408, f"no answer within {seconds:g} seconds") from None
    if not (line or turn.is_superseded):
        raise WorkerEndedError(503, "the worker process ended before its answer")
    return line


class Pool:
    """The workers of a lane, and the questions that run and wait."""

    def __init__(self, lane: Lane) -> None:
        self.lane = lane
        self._workers: list[_Worker] = []
        self._idle: list[_Worker] = []
        self._turns: list[_Turn] = []  # with a place or waiting for one
        self._tasks: set[asyncio.Task[None]] = set()
        self._numbers = count(1)
        self._is_open = True

    def start(self) -> None:
        """Start the spare workers, so that the first question need not wait."""
        for _ in range(self.lane.spare):
            self._task(self._warm())

    async def close(self) -> None:
        """Kill all workers."""
        self._is_open = False
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for worker in self._workers:
            worker.kill()
        for worker in self._workers:
            await worker.process.wait()

    async def ask(self, tab: str, name: str, asked: Object) -> AsyncGenerator[bytes, None]:
        """The lines of an answer, each marked as `worker` says. Raises `JobError`.

        Closing the generator gives the question up.
        """
        turn = await self._turn(tab, name)
        clean = False
        try:
            try:
                line = await self._first(turn, await self._worker(tab, name), asked)
            except WorkerEndedError:
                line = await self._first(turn, await self._started(), asked)
            while True:
                clean = line in ENDS
                if turn.is_superseded:
                    raise JobError(409, SUPERSEDED)
                if clean:
                    return
                yield line
                line = await _next(turn)
        finally:
            self._task(self._settle(turn, clean))

    async def _first(self, turn: _Turn, worker: _Worker, asked: Object) -> bytes:
        """The first line of the answer of a worker."""
        turn.worker, worker.job = worker, turn.number
        worker.tab, worker.name, worker.is_stopping = turn.tab, turn.name, False
        seconds = QUESTIONS[turn.name].seconds
        turn.end = turn.end or time.monotonic() + seconds
        worker.send({"job": worker.job, "ask": turn.name, "seconds": seconds, "asked": asked})
        if turn.is_superseded:  # while the worker started
            worker.stop()
        return await _next(turn)

    # Turns -----------------------------------------------------------------------------------

    async def _turn(self, tab: str, name: str) -> _Turn:
        """A place for a question; the older ones of the same name and tab lose theirs."""
        if not self._is_open:
            raise JobError(503, ENDING)
        for old in [turn for turn in self._turns if (turn.tab, turn.name) == (tab, name)]:
            self._supersede(old)
        if sum(turn.worker is None for turn in self._turns) >= MOST_WAITING:
            raise JobError(503, "too many questions are waiting")
        turn = _Turn(tab, name, asyncio.get_running_loop().create_future(), next(self._numbers))
        self._turns.append(turn)
        self._admit()
        try:
            await turn.place
        except BaseException:
            self._leave(turn)
            raise
        return turn

    def _leave(self, turn: _Turn) -> None:
        """The place of a turn is free."""
        if turn in self._turns:
            self._turns.remove(turn)
            self._admit()

    def _supersede(self, old: _Turn) -> None:
        """A turn loses its place at once, even if nobody reads its answer."""
        old.is_superseded = True
        self._turns.remove(old)
        if not old.place.done():
            old.place.set_exception(JobError(409, SUPERSEDED))
        elif old.worker:
            old.worker.stop()

    def _admit(self) -> None:
        """Give the free places away."""
        while True:
            running = [turn.tab for turn in self._turns if turn.place.done()]
            waiting = [turn for turn in self._turns if not turn.place.done()]
            fit = [turn for turn in waiting if running.count(turn.tab) < self.lane.each]
            if not fit or len(running) >= self.lane.most:
                return
            turn = min(fit, key=lambda turn: (running.count(turn.tab), turn.number))
            turn.place.set_result(None)

    async def _settle(self, turn: _Turn, clean: bool) -> None:
        """Free the place of a question that is over; its worker stops or is killed."""
        worker = turn.worker
        try:
            if worker is not None and not clean:
                worker.stop()
                while (line := await worker.line(10 * GRACE)) and line not in ENDS:
                    pass
                clean = bool(line)
        except TimeoutError:
            pass
        finally:
            if worker is not None:
                worker.job, worker.since = 0, time.monotonic()
                if clean and self._is_open:
                    self._idle.append(worker)
                    asyncio.get_running_loop().call_later(IDLE, self._retire)
                else:
                    worker.kill()
                    self._refill()
            self._leave(turn)

    # Workers ---------------------------------------------------------------------------------

    async def _worker(self, tab: str, name: str) -> _Worker:
        """A worker that waits, or a new one; best the one that is just giving up an older question
        like this one."""
        end = time.monotonic() + GRACE
        while time.monotonic() < end and any(
            worker.job and worker.is_stopping and (worker.tab, worker.name) == (tab, name)
            for worker in self._workers
        ):
            await asyncio.sleep(LOOK)
        self._idle = [worker for worker in self._idle if worker.process.returncode is None]
        if not self._idle:
            return await self._started()
        best = max(
            self._idle,
            key=lambda worker: (worker.tab == tab, worker.name == name, -worker.since),
        )
        self._idle.remove(best)
        return best

    async def _started(self) -> _Worker:
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
        try:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-P", "-c", _START, self.lane.name, json.dumps(sys.path)),
                stdin=PIPE, stdout=PIPE, limit=LONGEST_LINE, env=environment,
                start_new_session=True,
            )  # fmt: skip
        except OSError as error:  # no memory, no more processes or files
            raise JobError(503, f"{NO_START}: {error.strerror}") from None
        worker = _Worker(process)
        self._workers = [other for other in self._workers if other.process.returncode is None]
        self._workers.append(worker)
        if self.lane.niceness and hasattr(os, "setpriority"):
            with suppress(ProcessLookupError):
                os.setpriority(os.PRIO_PROCESS, process.pid, self.lane.niceness)
        try:
            if await worker.line(60) != b".":
                raise WorkerEndedError(503, NO_START)
        except TimeoutError:
            worker.kill()
            raise JobError(503, NO_START) from None
        except BaseException:
            worker.kill()
            raise
        return worker

    async def _warm(self) -> None:
        try:
            worker = await self._started()
        except JobError:  # a question that needs a worker will tell
            return
        if self._is_open:
            self._idle.append(worker)
        else:
            worker.kill()

    def _refill(self) -> None:
        """Start a worker in place of one that was killed, if too few are left."""
        if self._is_open and len(self._idle) < self.lane.spare:
            self._task(self._warm())

    def _retire(self) -> None:
        """End workers beyond the spare ones that have waited too long."""
        old = time.monotonic() - 0.99 * IDLE
        for worker in sorted(self._idle, key=lambda worker: worker.since):
            if len(self._idle) > self.lane.spare and worker.since < old:
                self._idle.remove(worker)
                worker.kill()

    def _task(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
