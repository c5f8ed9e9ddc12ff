"""The argument `progress` of functions that take long: a bar, or a function of the caller's.

Invariant: the reported numbers only grow, and end at the total.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

from .errors import Status

# True for a bar by `tqdm.auto`, in a notebook too; or a function that is called, after each piece
# of the work, with how much is done and how much there is (None if nobody knows yet).
Progress: TypeAlias = bool | Callable[[int, int | None], object]


@contextmanager
def reporting(
    progress: Progress, total: int | None, unit: str = " puzzles"
) -> Iterator[Callable[[int], object]]:
    """A function to call with the number of further items done."""
    if progress is True:
        from tqdm.auto import tqdm  # takes a while to load

        with tqdm(total=total, unit=unit, unit_scale=True) as bar:
            yield bar.update
    elif progress is False:
        yield _silent
    else:
        yield _Counter(progress, total)


def _silent(_: int) -> None: ...


class _Counter:
    """Adds up what is done, for a function of the caller's."""

    def __init__(self, tell: Callable[[int, int | None], object], total: int | None) -> None:
        self.tell, self.total = tell, total
        self.done = 0

    def __call__(self, count: int) -> None:
        self.done += count
        self.tell(self.done, self.total)


class Tally:
    """Counts of a run so far: puzzles, statuses, rows that could not be read, seconds."""

    def __init__(self) -> None:
        self.statuses: Counter[Status] = Counter()
        self.unreadable = self.rows_read = 0
        self.start = time.perf_counter()

    @property
    def puzzles(self) -> int:
        return sum(self.statuses.values())

    @property
    def seconds(self) -> float:
        return time.perf_counter() - self.start

    def add(self, statuses: bytes | bytearray, unreadable: int) -> None:
        """Count some more rows, given by the codes of their statuses."""
        for status in Status:
            if count := statuses.count(status):
                self.statuses[status] += count
        self.unreadable += unreadable

    def as_data(self) -> dict[str, Any]:
        """The counts as plain data."""
        seconds = self.seconds
        return {
            "puzzles": self.puzzles,
            "statuses": {str(status): n for status, n in sorted(self.statuses.items())},
            "rows_read": self.rows_read,
            "rows_written": self.puzzles,
            "unreadable": self.unreadable,
            "seconds": round(seconds, 3),
            "puzzles_per_second": round(self.puzzles / seconds, 1) if seconds else 0.0,
        }
