"""Work shared among threads, processes or any executor, with results in order.

Invariant: the result of every item comes out exactly once, in the order of the items. Only a few
items are under way at a time, so memory does not grow with the input. If one of our workers dies,
its work is done again and no result is lost.
"""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import (
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ThreadPoolExecutor,
)
from contextlib import AbstractContextManager, contextmanager
from threading import Event
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from . import limits
from .errors import WorkerError

if TYPE_CHECKING:
    from typing import TypeAlias

    from .cluster import Cluster, Dask

    # How many workers (1: this thread is enough), or which: one of `KINDS`, with a number behind it
    # for threads and processes ("process:4"); a Dask scheduler; or an executor of the caller's.
    WorkersLike: TypeAlias = int | str | Dask | Executor

T = TypeVar("T")
R = TypeVar("R")

KINDS = ("thread", "process", "dask://HOST:PORT", "dask+tls://HOST:PORT")
_COUNTED = re.compile(r"(thread|process):([1-9]\d{0,3})")


class Workers(AbstractContextManager["Workers"]):
    """Workers that take work by `submit`. Use it as a context manager.

    kind: one of `KINDS` (also "process:4"), a Dask scheduler with its certificates, or an executor
    of the caller's, which stays open. count: the number of workers, 0 for one per processor (or as
    many as the executor has). One thread at a time may use them.
    """

    def __init__(self, kind: str | Dask | Executor = "thread", count: int = 0) -> None:
        if isinstance(kind, str) and (counted := _COUNTED.fullmatch(kind)):
            kind, count = counted[1], int(counted[2])
        self.count = count or available_workers()
        self._cluster: Cluster | None = None
        self._is_ours = not isinstance(kind, Executor)
        self._kill: Callable[[], None] | None = None  # what ends our own workers' work
        if isinstance(kind, Executor):
            self._pool = kind
            self.count = max(count, getattr(kind, "_max_workers", 0)) or available_workers()
        else:
            self._pool = self._open(kind)

    def _open(self, kind: str | Dask) -> Executor:
        if kind == "thread":
            given_up = Event()
            self._kill = given_up.set
            return ThreadPoolExecutor(
                self.count, initializer=limits.stop_when, initargs=(given_up,)
            )
        if kind == "process":
            from .processes import ProcessPool  # pipes and signals take a while to load

            pool = ProcessPool(self.count)
            self._kill = pool.kill
            return pool
        if isinstance(kind, str) and kind.partition("://")[0] not in ("dask", "dask+tls"):
            raise WorkerError(f"no executor '{kind}': expected {', '.join(KINDS)}")
        from .cluster import Cluster, Dask  # sockets and TLS take a while to load

        if isinstance(kind, str):
            kind = Dask(kind)
        self._cluster = Cluster(kind)
        self.count = max(self.count, self._cluster.count)
        return self._cluster.executor

    def submit(self, work: Callable[..., R], *arguments: object) -> Future[R]:
        """Start `work(*arguments)` on one of the workers."""
        return self._pool.submit(work, *arguments)

    def result(self, future: Future[R]) -> R:
        """The result of what was submitted here, as soon as it is there."""
        return future.result() if self._cluster is None else self._cluster.result(future)

    def close(self) -> None:
        """Stop the workers, unless they are the caller's."""
        if self._cluster is not None:
            self._cluster.close()
        elif self._is_ours:
            self._pool.shutdown(wait=True, cancel_futures=True)

    def abandon(self) -> None:
        """Kill our own processes at once and stop our threads soon; nobody needs their results."""
        if self._kill is not None:
            self._kill()

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        if error is not None:
            self.abandon()
        self.close()


def map_in_order(
    workers: Workers | None, work: Callable[..., R], items: Iterable[tuple[T, tuple[Any, ...]]]
) -> Generator[tuple[T, R], None, None]:
    """Pairs (key, work(*arguments)) of the items (key, arguments), in order.

    The key stays here; only the arguments go to the workers, and the limits on the time that hold
    when the first pair is asked for. Without workers, this thread works.
    """
    if workers is None:
        for key, arguments in items:
            yield key, work(*arguments)
        return
    queue: _Queue[T, R] = _Queue(workers, limits.bounded(work))
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
            result = self.workers.result(future)
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


def available_workers() -> int:
    """Number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
