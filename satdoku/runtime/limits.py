"""Time limits of calls: code that builds or searches for long asks here whether time is over.

Invariant: a limit ends work with `OutOfTime` and changes no answer; one within another can only
end sooner. A thread whose work nobody waits for any more is out of time too. Clauses, automata and
tables are made under it like any search, because a file of clues can make them as large as it
likes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from itertools import chain, islice
from math import inf
from typing import TYPE_CHECKING, Generic, ParamSpec, TypeVar

from .errors import OutOfTime

if TYPE_CHECKING:
    from threading import Event

EVERY = 4096  # of many small things, so many are made between two looks at the clock

P = ParamSpec("P")
T = TypeVar("T")
_end: ContextVar[float] = ContextVar("_end", default=inf)
_limit: ContextVar[float | None] = ContextVar("_limit", default=None)  # seconds, for messages
_given_up: ContextVar[Event | None] = ContextVar("_given_up", default=None)
_wanted: ContextVar[Event | None] = ContextVar("_wanted", default=None)


def within(timeout: float | None, stated: float | None = None) -> AbstractContextManager[None]:
    """In this block work ends after so many seconds; None adds no limit.

    stated: the seconds that a message states, if a part of them is over already.
    """
    return _UNLIMITED if timeout is None else _within(timeout, stated)


_UNLIMITED = nullcontext()


@contextmanager
def _within(timeout: float, stated: float | None) -> Iterator[None]:
    sooner = until(timeout) < _end.get()
    whole = _limit.set((timeout if stated is None else stated) if sooner else _limit.get())
    token = _end.set(until(timeout))
    try:
        yield
    finally:
        _end.reset(token)
        _limit.reset(whole)


@contextmanager
def grace(seconds: float) -> Iterator[None]:
    """In this block there are so many seconds at least, to finish what was found in time."""
    token = _end.set(max(_end.get(), time.monotonic() + seconds))
    try:
        yield
    finally:
        _end.reset(token)


def until(timeout: float | None) -> float:
    """The time of `time.monotonic` at which these seconds are over, or those of a `within` around;
    inf if there is no limit."""
    return min(_end.get(), inf if timeout is None else time.monotonic() + timeout)


def left(timeout: float | None = None) -> float | None:
    """The seconds until then; None if there is no limit."""
    end = until(timeout)
    return None if end == inf else max(0.0, end - time.monotonic())


def stop_when(given_up: Event) -> None:
    """From now on, time is over in this thread as soon as the event is set."""
    _given_up.set(given_up)


def rest_until(wanted: Event) -> None:
    """From now on, each look at the clock in this thread waits until the event is set: its work
    stands still as long as nobody wants it."""
    _wanted.set(wanted)


def rest() -> None:
    """Wait, in a thread that `rest_until` has slowed down, until its work is wanted."""
    if (wanted := _wanted.get()) is not None:
        wanted.wait()


def check() -> None:
    """Raise `OutOfTime` if time is over."""
    rest()
    end, given_up = _end.get(), _given_up.get()
    if (end < inf and time.monotonic() > end) or (given_up and given_up.is_set()):
        raise late()


def late(timeout: float | None = None) -> OutOfTime:
    """The error that time is over: after these seconds, or those of the `within` around."""
    limit = _limit.get() if timeout is None else timeout
    if limit is None:
        return OutOfTime("timed out")
    return OutOfTime(f"timed out after {round(limit, 3) or limit:g} s")


def bounded(work: Callable[P, T], seconds: float | None = None) -> Callable[P, T]:
    """The work under the limits that hold now, and these seconds, wherever it is called: other
    threads and processes know nothing of ours. It can be pickled if the work can."""
    with within(seconds):
        return work if _end.get() == inf else _Bounded(work, _end.get(), _limit.get())


class _Bounded(Generic[P, T]):
    """See `bounded`. On the way to another process its end is a time of `time.time`, the one clock
    that all of them share."""

    def __init__(self, work: Callable[P, T], end: float, limit: float | None) -> None:
        self._work, self._end, self._limit = work, end, limit

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> T:
        with within(self._end - time.monotonic(), self._limit):
            return self._work(*args, **kwargs)

    def __getstate__(self) -> tuple[Callable[P, T], float, float | None]:
        return self._work, self._end - time.monotonic() + time.time(), self._limit

    def __setstate__(self, state: tuple[Callable[P, T], float, float | None]) -> None:
        work, end, limit = state
        self.__init__(work, end - time.time() + time.monotonic(), limit)  # type: ignore[misc]


def watched(things: Iterable[T]) -> Iterable[T]:
    """The same things, between which the clock is looked at; as they are if there is no limit."""
    return things if _end.get() == inf else _watched(things)


def _watched(things: Iterable[T]) -> Iterator[T]:
    """The next so many are made together, so that only the clock costs time in Python."""
    each = iter(things)

    def some() -> list[T]:
        check()
        return [*islice(each, EVERY)]

    return chain.from_iterable(iter(some, []))
