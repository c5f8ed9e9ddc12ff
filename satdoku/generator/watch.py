"""Word of what is being done while puzzles are made, and the limit on the time of each question.

Invariant: a limit changes no puzzle, it only ends the work, with `OutOfTime`. Whoever asks a
question about puzzles asks here first how long it may take, so none outlasts the limit by more than
a call of the engine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from ..runtime import limits

Tell = Callable[[str], object]


@dataclass
class _Watch:
    """tell: is called with words."""

    tell: Tell | None = None
    step: str = ""
    questions: int = 0


_watch: ContextVar[_Watch] = ContextVar("_watch")
_FREE = _Watch()  # where nobody watches


@contextmanager
def watched(on_step: Tell) -> Iterator[None]:
    """Within this block `on_step` hears what making puzzles does."""
    token = _watch.set(_Watch(on_step))
    try:
        yield
    finally:
        _watch.reset(token)


def begin(step: str) -> None:
    """From now on this is being done."""
    _watch.get(_FREE).step = step


def deadline() -> float:
    """When the next question has to be answered, a time of `time.monotonic`; inf if at any time.

    Raises `OutOfTime` if that is over.
    """
    watch = _watch.get(_FREE)
    watch.questions += 1
    if watch.tell is not None:
        watch.tell(f"{watch.step}, question {watch.questions:,}")
    limits.check()
    return limits.until(None)
