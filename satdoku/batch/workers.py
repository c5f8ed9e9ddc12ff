"""Work shared among threads, processes or any executor, with results in order.

Invariant: the result of every item comes out exactly once, in the order of the items. Only a few
items are under way at a time, so memory does not grow with the input. If one of our workers dies,
its work is done again and no result is lost.
"""

from __future__ import annotations

import os
import re
import socket
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import (
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ThreadPoolExecutor,
)
from contextlib import contextmanager
from typing import Any, Generic, TypeVar

from .processes import ProcessPool, WorkerError

T = TypeVar("T")
R = TypeVar("R")

KINDS = ("thread", "process", "dask://HOST:PORT")
_DASK = "dask://"
_PATIENCE = 20  # seconds for a scheduler to answer
_PAUSE = 0.1  # seconds between two attempts to reach it


class Workers:
    """Workers that take work by `submit`. Use it as a context manager.

    kind: one of `KINDS`, or an executor of the caller's, which stays open. count: the number of
    workers, 0 for one per processor (or as many as the executor has).
    """

    def __init__(self, kind: str | Executor = "thread", count: int = 0) -> None:
        self.count = count or available_workers()
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
            return ProcessPool(self.count)
        if self._kind.startswith(_DASK):
            self._client = _dask_client(self._kind)
            self.count = max(self.count, sum(self._client.nthreads().values()))
            executor: Executor = self._client.get_executor(pure=False)
            return executor
        raise WorkerError(f"no executor '{self._kind}': expected {', '.join(KINDS)}")

    def submit(self, work: Callable[..., R], *arguments: object) -> Future[R]:
        """Start `work(*arguments)` on one of the workers."""
        return self._pool.submit(work, *arguments)

    def close(self) -> None:
        """Stop the workers, unless they are the caller's."""
        if self._client is not None:
            self._pool.shutdown(wait=False)  # this cancels nothing that matters any more
            self._client.close()
        elif self._kind != "given":
            self._pool.shutdown(wait=True, cancel_futures=True)

    def abandon(self) -> None:
        """Kill our own processes at once; their results are not needed."""
        if isinstance(self._pool, ProcessPool):
            self._pool.kill()

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


class _Queue(Generic[T, R]):
    """The items under way, oldest first."""

    def __init__(self, workers: Workers, work: Callable[..., R]) -> None:
        self.workers, self.work = workers, work
        self.tasks: deque[tuple[T, Future[R]]] = deque()

    def add(self, key: T, arguments: tuple[Any, ...]) -> None:
        """Start one more item."""
        with _losses_told():
            self.tasks.append((key, self.workers.submit(self.work, *arguments)))

    def take(self) -> tuple[T, R]:
        """Key and result of the oldest item, which is then no longer under way."""
        key, future = self.tasks[0]
        with _losses_told():
            result = future.result()
        self.tasks.popleft()
        return key, result

    def cancel(self) -> None:
        """Cancel all items: their results are not needed."""
        for _, future in self.tasks:
            future.cancel()


@contextmanager
def _losses_told() -> Iterator[None]:
    """`WorkerError` if an executor lost its workers; ours start their own anew."""
    try:
        yield
    except Exception as error:
        if not _tells_of_loss(error):
            raise
        raise WorkerError(f"the executor's workers are gone: {str(error) or 'cancelled'}") from None


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


def available_workers() -> int:
    """Number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
