"""The argument `progress` of functions that take long: a bar, or a function of the caller's.

Invariant: the numbers that are told only grow, and end at all that there was to do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

# True for a bar by `tqdm.auto`, in a notebook too; or a function that is called, after each piece
# of the work, with how much is done and how much there is (None if nobody knows yet).
Progress: TypeAlias = bool | Callable[[int, int | None], object]


@contextmanager
def reporting(
    progress: Progress, total: int | None, unit: str = " puzzles"
) -> Iterator[Callable[[int], object]]:
    """A function to call with how many more are done."""
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
