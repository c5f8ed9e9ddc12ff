"""A pool of processes that survives the death of any of them.

Invariant: each worker has its own pipe, and nobody else holds its end. So when a worker dies, even
in the middle of a message, its pipe ends: nobody waits for the rest. Another worker repeats its
work. No call here waits for a worker that is gone.

One thread, the caller's, hands out work and collects results: in `submit`, and while it waits for a
result. `concurrent.futures` and loky share one pipe of results among all workers. There a worker
killed while it writes leaves half a message, and whoever reads waits for ever.
"""

from __future__ import annotations

import os
import pickle
import signal
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection, wait
from queue import SimpleQueue
from types import FrameType
from typing import Any, ParamSpec, TypeVar

from .child import Child
from .errors import WorkerError

P = ParamSpec("P")
R = TypeVar("R")

_MOST_DEATHS = 3  # times that an item is started again; more have a reason
_MOST_LOST_STARTS = 10  # workers in a row that ended before they took any work
_FAILED = 1  # how Python ends after an error, which comes again
_NO_MEMORY = 12  # ENOMEM: how a worker ends that ran out of memory
_STOPS = (signal.SIGINT, signal.SIGTERM)


class _Pending(Future[R]):
    """A result to come; whoever waits for it does the pool's work meanwhile."""

    def __init__(self, pool: ProcessPool) -> None:
        super().__init__()
        self._of = pool

    def result(self, timeout: float | None = None) -> R:
        self._of.run_until(self, timeout)
        return super().result(0)

    def exception(self, timeout: float | None = None) -> BaseException | None:
        self._of.run_until(self, timeout)
        return super().exception(0)


@dataclass(eq=False)
class _Job:
    """Work to do, where its result goes, and how many workers have died over it."""

    work: Callable[[], Any]
    future: _Pending[Any]
    deaths: int = 0


class _Worker(Child):
    """A process and the job that it has, if any."""

    def __init__(self) -> None:
        super().__init__(_serve)
        self.job: _Job | None = None
        self.is_ready = False

    @property
    def end(self) -> str:
        """How it ended, in words."""
        return "out of memory" if self.process.exitcode == _NO_MEMORY else super().end


class ProcessPool(Executor):
    """An executor over `count` processes, for one thread of the caller's.

    Processes start when there is work for them. An item whose worker dies is started again, up to
    three times; then its future raises `WorkerError`. An error in the middle, Ctrl-C above all,
    kills every process.
    """

    def __init__(self, count: int) -> None:
        self._count = count
        self._workers: list[_Worker] = []
        self._waiting: deque[_Job] = deque()  # oldest first; not with a worker yet
        self._lost_starts = 0

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        """Start `fn(*args, **kwargs)` on one of the processes."""
        future: _Pending[R] = _Pending(self)
        self._waiting.append(_Job(partial(fn, *args, **kwargs), future))
        self._step(0)
        return future

    def run_until(self, future: Future[Any], timeout: float | None = None) -> None:
        """Hand out work and collect results until a result is there; `TimeoutError` if it is not
        in time."""
        end = None if timeout is None else time.monotonic() + timeout
        while not future.done():
            left = None if end is None else max(0.0, end - time.monotonic())
            self._step(left)
            if left == 0 and not future.done():
                raise TimeoutError

    def kill(self) -> None:
        """End all processes at once and forget their work. Further signals change nothing."""
        with signals_ignored():
            self._end()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End all processes and forget work that nobody waited for."""
        with signals_held():
            self._end()

    def _end(self) -> None:
        jobs = [*(worker.job for worker in self._workers if worker.job), *self._waiting]
        for worker in self._workers:
            worker.kill()
        for worker in self._workers:
            worker.close()
        self._workers.clear()
        self._waiting.clear()
        for job in jobs:
            if not (job.future.done() or job.future.cancel()):
                job.future.set_exception(WorkerError("the workers were stopped"))

    # The loop --------------------------------------------------------------------------------

    def _step(self, timeout: float | None) -> None:
        """Hand out what can be, then wait, at most so long, for the workers to say something."""
        try:
            self._hand_out()
            self._start_workers()
            self._listen(timeout)
            self._hand_out()
        except BaseException:  # half a message may be read or sent: no pipe can be trusted
            self.kill()
            raise

    def _start_workers(self) -> None:
        free = sum(worker.job is None for worker in self._workers)
        for _ in range(min(self._count - len(self._workers), len(self._waiting) - free)):
            with signals_held():
                self._workers.append(_start())

    def _hand_out(self) -> None:
        """Give the oldest jobs to workers that have none."""
        for worker in [w for w in self._workers if w.is_ready and w.job is None]:
            while self._waiting and worker.job is None:
                job = self._waiting.popleft()
                if job.future.running() or job.future.set_running_or_notify_cancel():
                    self._send(worker, job)

    def _send(self, worker: _Worker, job: _Job) -> None:
        try:
            message = _packed_job(job.work)
        except Exception as error:
            job.future.set_exception(error)
            return
        worker.job = job
        try:
            # A worker reads at any time, so this does not wait for one that is busy.
            worker.pipe.send_bytes(message)
        except OSError:
            self._bury(worker)

    def _listen(self, timeout: float | None) -> None:
        """Collect what workers have to say, and notice those that died."""
        handles = [handle for w in self._workers for handle in (w.pipe, w.process.sentinel)]
        if not handles:
            raise WorkerError("the workers were stopped")
        ready = wait(handles, timeout)
        for worker in list(self._workers):
            ended = worker.process.sentinel in ready
            if ended or worker.pipe in ready:
                try:
                    while worker.pipe.poll():
                        self._settle(worker, worker.pipe.recv_bytes())
                except (EOFError, OSError):
                    ended = True
                if ended:
                    self._bury(worker)

    def _settle(self, worker: _Worker, message: bytes) -> None:
        """Take a worker's first word, that it is ready, or a result."""
        self._lost_starts = 0
        if not worker.is_ready:
            worker.is_ready = True
            return
        assert worker.job is not None
        future, worker.job = worker.job.future, None
        try:
            error, result = pickle.loads(message)  # from our own worker
        except Exception as unreadable:
            error = WorkerError(f"a worker's result cannot be read: {unreadable!r}")
        if error is None:
            future.set_result(result)
        else:
            future.set_exception(error)

    def _bury(self, worker: _Worker) -> None:
        """Take back the job of a dead worker, unless too many have died over it."""
        self._workers.remove(worker)
        worker.close()
        if not worker.is_ready:
            self._lost_starts += 1
            if self._lost_starts > _MOST_LOST_STARTS or worker.process.exitcode == _FAILED:
                raise WorkerError(f"worker processes do not start ({worker.end}): use threads")
        job = worker.job
        if job is None:
            return
        job.deaths += 1
        if job.deaths > _MOST_DEATHS:
            job.future.set_exception(_lost(worker))
        else:
            self._waiting.appendleft(job)


def _lost(worker: _Worker) -> WorkerError:
    return WorkerError(
        f"worker processes keep dying over the same work (the last: {worker.end}): is there enough "
        "memory? Use fewer workers (-w)"
    )


def _start() -> _Worker:
    try:
        return _Worker()
    except OSError as error:
        raise WorkerError(f"a worker process cannot be started: {error.strerror}") from None


def _packed(what: object) -> bytes:
    return pickle.dumps(what, pickle.HIGHEST_PROTOCOL)


def _packed_job(work: Callable[[], Any]) -> bytes:
    """A job; if it names something of the caller's script, with where that is."""
    packed = _packed(work)
    if b"__main__" not in packed:
        return packed
    from multiprocessing.spawn import get_preparation_data

    told = get_preparation_data("script")
    script = {key: told[key] for key in told if key.startswith("init_main")}
    return _packed(partial(_of_script, script, packed))


# In the worker -------------------------------------------------------------------------------


def _serve(pipe: Connection) -> None:
    """Do jobs in order until the pipe ends, which is when the parent does, even if it was killed.

    Ctrl-C reaches all processes of a terminal; it is left to the parent.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _STOPS)
    jobs: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_read, args=(pipe, jobs), daemon=True).start()
    try:
        pipe.send_bytes(b"ready")
        while True:
            pipe.send_bytes(_answer(jobs.get()))
    except MemoryError:
        os._exit(_NO_MEMORY)  # as if it had been killed: the work is done again elsewhere
    except OSError:
        os._exit(1)


def _read(pipe: Connection, jobs: SimpleQueue[bytes]) -> None:
    """Take in jobs at any time, so that the parent need not wait for the end of one to send."""
    try:
        while True:
            jobs.put(pipe.recv_bytes())
    except MemoryError:
        os._exit(_NO_MEMORY)
    except (EOFError, OSError):
        os._exit(1)


def _answer(job: bytes) -> bytes:
    """The pair (None, result) or (error, None) of a job."""
    try:
        return _packed((None, pickle.loads(job)()))
    except MemoryError:
        raise
    except Exception as error:
        error.add_note(f"In a worker process:\n{traceback.format_exc()}")
        try:
            return _packed((error, None))
        except Exception:
            return _packed((WorkerError(f"a worker failed: {error!r}"), None))


def _of_script(script: dict[str, Any], packed: bytes) -> Any:
    """The result of a job that names something of the caller's script, which is read first."""
    from multiprocessing.spawn import prepare

    try:
        prepare(script)
    except (Exception, SystemExit) as error:  # without a guard it does all that it does
        guard = "if __name__ == '__main__':"
        raise WorkerError(
            f"a worker cannot import the script for its functions: {error!r}; "
            f"expected what the script does under {guard}"
        ) from None
    return pickle.loads(packed)()


# Signals -------------------------------------------------------------------------------------


@contextmanager
def signals_held() -> Iterator[None]:
    """Put off Ctrl-C and SIGTERM; a process that is started meanwhile begins with them blocked."""
    caught: list[int] = []

    def note(number: int, _: FrameType | None) -> None:
        caught.append(number)

    with _masked(), _handled_by(note):
        yield
    for number in caught:
        signal.raise_signal(number)


@contextmanager
def signals_ignored() -> Iterator[None]:
    """Ignore Ctrl-C and SIGTERM: the work that they would end is ending already."""
    with _handled_by(signal.SIG_IGN):
        yield


@contextmanager
def _masked() -> Iterator[None]:
    """Block the signals in this thread and in what it starts."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing.resource_tracker import ensure_running

    ensure_running()  # started later, by the first process, it would unblock them
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _STOPS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _handled_by(handler: Any) -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield  # the main thread handles signals
        return
    before = {number: signal.signal(number, handler) for number in _STOPS}
    try:
        yield
    finally:
        for number, previous in before.items():
            signal.signal(number, signal.SIG_DFL if previous is None else previous)
