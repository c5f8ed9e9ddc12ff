"""Work shared among threads, processes or any executor, with results in order.

Invariant: the result of every item comes out exactly once, in the order of the items. Only a few
items are under way at a time, so memory does not grow with the input. If one of our workers dies,
its work is done again and no result is lost.
"""

from __future__ import annotations

import os
import re
import signal
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import (
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
)
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from typing import Any, Generic, TypeVar

from ..errors import SatdokuError

T = TypeVar("T")
R = TypeVar("R")

KINDS = ("thread", "process", "dask://HOST:PORT")
_DASK = "dask://"
_PATIENCE = 20  # seconds for a scheduler to answer
_PAUSE = 0.1  # seconds between two attempts to reach it
_FORGETTING = 1.0  # seconds for a pool to drop cancelled work
_MOST_RENEWALS = 3  # new pools for one result: workers that keep dying have a reason


class WorkerError(SatdokuError):
    """Workers that cannot be started, or that keep dying."""


class Workers:
    """Workers that take work by `submit`. Use it as a context manager.

    kind: one of `KINDS`, or an executor of the caller's, which stays open. count: the number of
    workers, 0 for one per processor (or as many as the executor has).
    """

    def __init__(self, kind: str | Executor = "thread", count: int = 0) -> None:
        self.count = count or available_workers()
        self._renewals = 0
        self._client: Any = None
        if isinstance(kind, str):
            self._kind = kind
            self._pool = self._open()
        else:
            self._kind = "given"
            self._pool = kind
            self.count = max(count, getattr(kind, "_max_workers", 0)) or available_workers()

    def _open(self) -> Executor:
        if self._kind == "thread":
            return ThreadPoolExecutor(self.count)
        if self._kind == "process":
            # Spawned, not forked: a fork would copy the caller's threads, such as a progress bar's.
            context = get_context("spawn")
            return ProcessPoolExecutor(self.count, context, initializer=_follow_parent)
        if self._kind.startswith(_DASK):
            self._client = _dask_client(self._kind)
            self.count = max(self.count, sum(self._client.nthreads().values()))
            executor: Executor = self._client.get_executor(pure=False)
            return executor
        raise WorkerError(f"no executor '{self._kind}': expected {', '.join(KINDS)}")

    def submit(self, work: Callable[..., R], *arguments: object) -> Future[R]:
        """Start `work(*arguments)` on one of the workers."""
        with _interrupts_held():  # submitting may start workers, which inherit the signal mask
            return self._pool.submit(work, *arguments)

    def renew(self, reason: BaseException) -> None:
        """Replace a pool of processes after one of them died.

        Raises `WorkerError` for other kinds: threads do not die, Dask replaces its own workers, and
        a caller's executor is not ours to replace.
        """
        if self._kind != "process":
            raise WorkerError(
                f"the executor's workers are gone: {str(reason) or 'cancelled'}"
            ) from None
        if self._renewals == _MOST_RENEWALS:
            raise WorkerError("worker processes keep dying: is there enough memory?") from None
        self._renewals += 1
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._pool = self._open()

    def succeeded(self) -> None:
        """A result arrived, so the work that follows did not kill the workers before it."""
        self._renewals = 0

    def close(self) -> None:
        """Stop the workers, unless they are the caller's."""
        if self._client is not None:
            self._pool.shutdown(wait=False)  # this cancels nothing that matters any more
            self._client.close()
        elif self._kind != "given":
            self._pool.shutdown(wait=True, cancel_futures=True)

    def abandon(self) -> None:
        """Kill our own processes at once; their results are not needed."""
        if self._kind != "process":
            return
        with _signals_ignored():  # interrupted here, the interpreter would wait for them at exit
            # Python 3.14 has `kill_workers`; older versions have no public way.
            processes = list((getattr(self._pool, "_processes", None) or {}).values())
            self._pool.shutdown(wait=False, cancel_futures=True)
            # The pool's thread must first drop cancelled work, or it fails on it.
            end = time.monotonic() + _FORGETTING
            while getattr(self._pool, "_cancel_pending_futures", False) and time.monotonic() < end:
                time.sleep(0.001)
            for process in processes:
                process.kill()

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        if error is not None:
            self.abandon()
        self.close()


def map_in_order(
    workers: Workers | None, work: Callable[..., R], items: Iterable[tuple[T, tuple[Any, ...]]]
) -> Generator[tuple[T, R], None, None]:
    """Pairs (key, work(*arguments)) of the items (key, arguments), in order.

    The key stays here; only the arguments go to the workers. Without workers, this thread works.
    """
    if workers is None:
        for key, arguments in items:
            yield key, work(*arguments)
        return
    queue: _Queue[T, R] = _Queue(workers, work)
    try:
        for key, arguments in items:
            queue.add(key, arguments)
            while len(queue.tasks) > 2 * workers.count + 1:
                yield queue.take()
        while queue.tasks:
            yield queue.take()
    finally:
        queue.cancel()


class _Task(Generic[T, R]):
    """An item under way, with what is needed to start it again."""

    def __init__(self, key: T, arguments: tuple[Any, ...]) -> None:
        self.key, self.arguments = key, arguments
        self.future: Future[R] = Future()

    @property
    def is_done(self) -> bool:
        """Whether the result is there."""
        future = self.future
        return future.done() and not future.cancelled() and future.exception() is None


class _Queue(Generic[T, R]):
    """The items under way, oldest first; items that a dead worker had are started again."""

    def __init__(self, workers: Workers, work: Callable[..., R]) -> None:
        self.workers, self.work = workers, work
        self.tasks: deque[_Task[T, R]] = deque()

    def add(self, key: T, arguments: tuple[Any, ...]) -> None:
        """Start one more item."""
        self.tasks.append(_Task(key, arguments))
        try:
            self._start(self.tasks[-1])
        except BrokenExecutor as error:
            self._restart(error)

    def take(self) -> tuple[T, R]:
        """Key and result of the oldest item, which is then no longer under way."""
        while True:
            try:
                result = self.tasks[0].future.result()
            except Exception as error:
                if not _tells_of_loss(error):
                    raise
                self._restart(error)
            else:
                self.workers.succeeded()
                return self.tasks.popleft().key, result

    def cancel(self) -> None:
        """Cancel all items: their results are not needed."""
        for task in self.tasks:
            task.future.cancel()

    def _start(self, task: _Task[T, R]) -> None:
        task.future = self.workers.submit(self.work, *task.arguments)

    def _restart(self, reason: Exception) -> None:
        """Take new workers and start all unfinished items on them."""
        while True:
            self.workers.renew(reason)
            try:
                for task in self.tasks:
                    if not task.is_done:
                        self._start(task)
                return
            except BrokenExecutor as error:
                reason = error


def _tells_of_loss(error: Exception) -> bool:
    """Whether a worker was lost, not just its work wrong; Dask has its own exceptions."""
    lost = isinstance(error, BrokenExecutor | CancelledError)
    return lost or type(error).__module__.startswith("distributed")


def _dask_client(address: str) -> Any:
    try:
        from distributed import Client
    except ImportError:
        raise WorkerError("dask:// needs the extra: pip install 'satdoku[dask]'") from None
    target = address.removeprefix(_DASK)
    host, _, port = target.rpartition(":")
    if not host or not re.fullmatch("[0-9]{1,5}", port):
        raise WorkerError(f"{address}: expected {_DASK}HOST:PORT")
    try:
        _await_listener(host.strip("[]"), int(port))
        client: Any = Client  # it has no type annotations
        return client(f"tcp://{target}", timeout=_PATIENCE)
    except (OSError, ValueError) as error:
        raise WorkerError(f"{address}: no scheduler answers: {error}") from None


def _await_listener(host: str, port: int) -> None:
    """Return as soon as the port accepts connections; raises `OSError` if it does not in time.

    Dask's client waits as well, but a client that failed waits again when it is garbage-collected,
    in whatever thread that happens, and this has blocked the next client forever.
    """
    end = time.monotonic() + _PATIENCE
    while True:
        left = end - time.monotonic()
        try:
            socket.create_connection((host, port), max(left, _PAUSE)).close()
            return
        except OverflowError:
            raise OSError(f"port {port}: expected 0 to 65535") from None
        except OSError:
            if left < _PAUSE:
                raise
        time.sleep(_PAUSE)


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Block Ctrl-C; a process that is started meanwhile blocks it for its whole life."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _signals_ignored() -> Iterator[None]:
    """Ignore Ctrl-C and SIGTERM: what they ask for is already being done."""
    if threading.current_thread() is not threading.main_thread():
        yield  # the main thread handles signals
        return
    before = {n: signal.signal(n, signal.SIG_IGN) for n in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)


def _follow_parent() -> None:
    """Set up a worker: it leaves Ctrl-C, which reaches all processes of a terminal, to its parent,
    and it ends with its parent, even if that was killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def available_workers() -> int:
    """Number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
