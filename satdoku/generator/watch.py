"""A limit on the time that making puzzles takes, and word of what is being done meanwhile.

Invariant: a limit changes no puzzle, it only ends the work, with `BudgetError`. Whoever asks a
question about puzzles asks here first how long it may take, so none outlasts the limit by more than
a call of the engine.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from math import inf

from .. import limits

Tell = Callable[[str], object]


@dataclass
class _Watch:
    """end: a time of `time.time`, which all processes share; tell: is called with words."""

    end: float = inf
    tell: Tell | None = None
    step: str = ""
    questions: int = 0


_watch: ContextVar[_Watch] = ContextVar("_watch")
_FREE = _Watch()  # where nobody watches


@contextmanager
def watched(end: float = inf, on_step: Tell | None = None) -> Iterator[None]:
    """Within this block making puzzles ends at `end`, and `on_step` hears what it does.

    A block within it may end earlier, and hears the same.
    """
    outer = _watch.get(_FREE)
    token = _watch.set(_Watch(min(end, outer.end), on_step or outer.tell))
    try:
        yield
    finally:
        _watch.reset(token)


def begin(step: str) -> None:
    """From now on this is being done."""
    _watch.get(_FREE).step = step


def deadline() -> float:
    """When the next question has to be answered, a time of `time.monotonic`; inf if at any time.

    Raises `BudgetError` if that is over.
    """
    watch = _watch.get(_FREE)
    watch.questions += 1
    if watch.tell is not None:
        watch.tell(f"{watch.step}, question {watch.questions:,}")
    if watch.end == inf:
        return inf
    left = watch.end - time.time()
    if left <= 0:
        raise limits.late()
    return time.monotonic() + left
