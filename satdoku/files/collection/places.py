"""Where the lines of a block of text lie, and their fields.

Invariant: nothing is copied, and nothing read for its meaning but line ends, separators and quotes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Lines(NamedTuple):
    """Where the lines of a block lie: from begins to stops, at the newline."""

    buffer: NDArray[np.uint8]
    begins: Places
    stops: Places


class Field(NamedTuple):
    """One field of each line; an empty one at the end of the block where a line has none."""

    begins: Places
    stops: Places


def lines_of(data: bytes) -> Lines:
    buffer = np.frombuffer(data, dtype=np.uint8)
    ends = np.flatnonzero(buffer == ord("\n"))
    return Lines(buffer, np.concatenate((ends[:0], [0], ends[:-1] + 1)), ends)


class Fields:
    """The fields of some lines, by number."""

    def __init__(self, lines: Lines, separator: str) -> None:
        self.lines = lines
        self.nowhere = len(lines.buffer)
        cuts = np.flatnonzero(lines.buffer == ord(separator)) if separator else lines.stops[:0]
        self.first = np.searchsorted(cuts, lines.begins)
        self.there = np.searchsorted(cuts, lines.stops) - self.first
        self.cuts = np.append(cuts, self.nowhere)

    def __getitem__(self, number: int) -> Field:
        """That field of every line, without the quotes around it."""
        begins = self.lines.begins
        if number:
            begins = np.where(self.there >= number, self._cut(number - 1) + 1, self.nowhere)
        stops = np.where(self.there > number, self._cut(number), self.lines.stops)
        stops = np.maximum(stops, begins)
        buffer, last = self.lines.buffer, self.nowhere - 1
        quoted = (stops - begins >= 2) & (buffer[np.minimum(begins, last)] == ord('"'))
        quoted &= buffer[stops - 1] == ord('"')
        return Field(begins + quoted, stops - quoted)

    def _cut(self, number: int) -> Places:
        """Where the separator of that number stands in each line."""
        return self.cuts[np.minimum(self.first + number, len(self.cuts) - 1)]


def loose_quotes(buffer: NDArray[np.uint8], separator: str) -> Places:
    """The quotes that are not one of just two around a whole field."""
    quotes: Places = np.flatnonzero(buffer == ord('"'))
    if not len(quotes):
        return quotes
    edge = np.isin(buffer, np.frombuffer(f"{separator}\n".encode(), np.uint8))
    field = np.searchsorted(np.flatnonzero(edge), quotes)
    outer = (quotes == 0) | edge[quotes - 1] | edge[quotes + 1]
    loose: Places = quotes[~outer | (np.bincount(field)[field] != 2)]
    return loose
