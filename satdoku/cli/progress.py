"""Counts of a long run, and a bar on the terminal that shows them, or lines in a file.

Invariant: short runs and quiet ones write nothing here; a file gets whole lines only.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any, BinaryIO

from ..runtime.errors import counted
from ..runtime.progress import Tally as Counts

SMALL = 1 << 15  # bytes of files: fewer puzzles than any chunk holds, and a bar moves by chunks
EVERY = 30.0  # seconds between two lines where stderr is no terminal


class Tally(Counts):
    """The counts of a run in words."""

    def counts(self) -> str:
        """`5 unique, 1 none`."""
        return ", ".join(f"{n:,} {status}" for status, n in sorted(self.statuses.items()))

    def summary(self) -> str:
        """Counts by status, then speed, on one line each."""
        seconds = self.seconds
        rate = self.puzzles / seconds if seconds else 0.0
        return (
            f"{counted(self.puzzles, 'puzzle')}: {self.counts() or 'none finished'}\n"
            f"{seconds:.2f} s, {rate:,.0f} puzzles/s, every solution verified"
        )

    def rows(self) -> str:
        """What became of the rows, on one line."""
        return (
            f"{counted(self.rows_read, 'row')} read, {self.puzzles:,} written, "
            f"{self.unreadable:,} of them unreadable"
        )


class SilentBar:
    """Takes the place of tqdm's bar if none is shown: tqdm takes 30 ms to load."""

    disable = True
    n: float = 0
    total: float | None = None

    def update(self, n: float = 1) -> None: ...
    def set_postfix_str(self, text: str = "", refresh: bool = True) -> None: ...
    def clear(self) -> None: ...
    def close(self) -> None: ...


class Lines(SilentBar):
    """Takes the place of tqdm's bar where stderr is a file or a pipe: a line now and then."""

    disable = False

    def __init__(self, total: float | None, unit: str) -> None:
        self.total, self.unit = total, unit
        self.start = self.said = time.monotonic()
        self.about = ""

    def update(self, n: float = 1) -> None:
        """So many more; what was done is said if it is time."""
        self.n += n
        now = time.monotonic()
        if now - self.said >= EVERY:
            self.said = now
            seconds = now - self.start
            of = f" of {self.total:,.0f}" if self.total else ""
            rate = f"{self.n / seconds:,.0f}/s" if seconds else ""
            told = ", ".join(filter(None, (f"{seconds:,.0f} s", rate, self.about)))
            print(f"{self.n:,.0f}{of}{self.unit}: {told}", file=sys.stderr, flush=True)

    def set_postfix_str(self, text: str = "", refresh: bool = True) -> None:
        """What the next line says beside."""
        self.about = text


def terminal_bar(*, quiet: bool, **options: Any) -> Any:
    """A bar by tqdm on stderr if that is a terminal, else lines now and then."""
    if quiet:
        return SilentBar()
    if not sys.stderr.isatty():
        return Lines(options.get("total"), options["unit"])
    from tqdm import tqdm

    return tqdm(file=sys.stderr, leave=False, **options)


class Bar(AbstractContextManager["Bar"]):
    """A bar for the puzzles of files.

    The number of puzzles in a file is not known before its end, so the total is estimated from how
    many of the files' bytes have been read. Small files get no bar: they are answered all at once.
    """

    def __init__(self, paths: Sequence[str], *, quiet: bool) -> None:
        self.sizes = [os.path.getsize(path) if os.path.isfile(path) else 0 for path in paths]
        small = all(self.sizes) and sum(self.sizes) < SMALL
        self.bar = terminal_bar(quiet=quiet or small, unit=" puzzles", unit_scale=True)
        self.read = -1
        self.file: BinaryIO | None = None

    def opened(self, file: BinaryIO) -> None:
        """The next file of the paths is being read."""
        self.read += 1
        self.file = file

    def update(self, puzzles: int, tally: Tally) -> None:
        """So many puzzles more."""
        if not self.bar.disable:
            self.bar.set_postfix_str(tally.counts(), refresh=False)
            self.bar.total = self._total(tally.puzzles)
        self.bar.update(puzzles)

    def reach(self, done: int, total: int | None) -> None:
        """So many puzzles in all, of that many if it is known."""
        if not self.bar.disable:
            self.bar.total = total or self._total(done)
        self.bar.update(done - self.bar.n)

    def _total(self, done: int) -> int | None:
        """An estimate, None if the files are of unknown size."""
        if self.file is None or not all(self.sizes):
            return None
        here = self.sizes[self.read] if self.file.closed else self.file.tell()
        read = sum(self.sizes[: self.read]) + here
        return max(done, int(done * sum(self.sizes) / read)) if read else None

    def __exit__(self, *_: object) -> None:
        self.bar.close()
