"""Columns of texts as places in a buffer: the fields of many lines without a string for each.

Invariant: a column is a sequence of texts, the same however it was made; its output is the same
with and without the C extension. Line ends, separators and quotes alone determine where lines and
their fields lie.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

try:
    from . import _lines
except ImportError:  # built without a compiler
    AVAILABLE = False
else:
    AVAILABLE = True

Places: TypeAlias = NDArray[np.int64]
Flags: TypeAlias = NDArray[np.bool_]

_MOST_DIGITS = 18  # of numbers whose digits are computed: all powers of ten are int64


class Spans(Sequence[str | None]):
    """N texts: text i is data[begins[i]:stops[i]], in UTF-8, or None if it stops before it begins.

    begins, stops: (N,) int64.
    """

    def __init__(self, data: bytes, begins: NDArray[Any], stops: NDArray[Any]) -> None:
        self.data = data
        self.begins: Places = np.ascontiguousarray(begins, np.int64)
        self.stops: Places = np.ascontiguousarray(stops, np.int64)

    def __len__(self) -> int:
        return len(self.begins)

    @overload
    def __getitem__(self, row: int) -> str | None: ...
    @overload
    def __getitem__(self, row: slice) -> Spans: ...
    def __getitem__(self, row: int | slice) -> str | Spans | None:
        if isinstance(row, slice):
            return Spans(self.data, self.begins[row], self.stops[row])
        return self.take(np.array([row])).tolist()[0]

    def __iter__(self) -> Iterator[str | None]:
        return iter(self.tolist())

    def __repr__(self) -> str:
        return f"<Spans: {len(self):,}>"

    @property
    def known(self) -> Flags:
        """Which of the texts are not None, (N,) bool."""
        return self.begins <= self.stops

    def take(self, rows: NDArray[np.intp]) -> Spans:
        """These texts, in this order."""
        return Spans(self.data, self.begins[rows], self.stops[rows])

    def tolist(self) -> list[str | None]:
        """The texts; bytes that are no UTF-8 become replacement characters."""
        bounds = zip(self.begins.tolist(), self.stops.tolist(), strict=True)
        if self.data.isascii():
            text = self.data.decode("ascii")
            return [text[begin:stop] if begin <= stop else None for begin, stop in bounds]
        return [
            self.data[begin:stop].decode("utf-8", errors="replace") if begin <= stop else None
            for begin, stop in bounds
        ]

    def fields(self) -> Iterator[bytes]:
        """The texts in UTF-8, empty for None."""
        for begin, stop in zip(self.begins.tolist(), self.stops.tolist(), strict=True):
            yield self.data[begin : max(begin, stop)]

    def only(self, known: Flags) -> Spans:
        """The column with None where not `known`."""
        return Spans(self.data, self.begins, np.where(known, self.stops, self.begins - 1))

    def filled(self, text: str) -> Spans:
        """The column with a text for each None."""
        data = utf8(text)
        begins = np.where(self.known, self.begins, len(self.data))
        stops = np.where(self.known, self.stops, len(self.data) + len(data))
        return Spans(self.data + data, begins, stops)

    def wrapped(self, begin: bytes, end: bytes) -> Spans:
        """The column with something before and behind each text; None stays None."""
        column = self.take(np.flatnonzero(self.known))
        lengths = column.stops - column.begins + len(begin) + len(end)
        places = np.zeros((2, len(self)), np.int64)
        places[1, self.known] = np.cumsum(lengths)
        places[0, self.known] = places[1, self.known] - lengths
        return Spans(joined([begin, column, end], len(column)), *places).only(self.known)

    def replaced(self, rows: NDArray[np.intp], texts: Sequence[str | None]) -> Spans:
        """The column with these texts in these rows."""
        if not len(rows):
            return self
        new = spans_of(texts)
        begins, stops = self.begins.copy(), self.stops.copy()
        begins[rows], stops[rows] = new.begins + len(self.data), new.stops + len(self.data)
        return Spans(self.data + new.data, begins, stops)


def utf8(text: str) -> bytes:
    """UTF-8, except that file names in errors keep the bytes that they have."""
    try:
        return text.encode("utf-8", errors="surrogateescape")
    except UnicodeEncodeError:  # half a character, which JSON can state
        return text.encode("utf-8", errors="backslashreplace")


def spans_of(texts: Sequence[str | None]) -> Spans:
    """A column of these texts; file names in them keep the bytes that they have."""
    whole = "".join(filter(None, texts))
    if whole.isascii():
        lengths = [-1 if text is None else len(text) for text in texts]
        return _side_by_side(whole.encode("ascii"), lengths)
    fields = [None if text is None else utf8(text) for text in texts]
    lengths = [-1 if field is None else len(field) for field in fields]
    return _side_by_side(b"".join(filter(None, fields)), lengths)


def _side_by_side(data: bytes, lengths: Sequence[int]) -> Spans:
    """The texts of these lengths that stand one after the other; None for a length of -1."""
    counts = np.array(lengths, np.int64)
    stops = np.cumsum(np.maximum(counts, 0))
    return Spans(data, stops - np.maximum(counts, 0), stops - (counts < 0))


def chosen(codes: NDArray[Any], texts: Sequence[str | None]) -> Spans:
    """The column texts[codes[0]], texts[codes[1]], ..."""
    return spans_of(texts).take(codes.astype(np.intp))


def fixed(data: bytes, width: int, known: Flags | None = None) -> Spans:
    """The texts of that width which stand one after the other; None where not `known`."""
    begins = np.arange(0, len(data), width, dtype=np.int64)
    return Spans(data, begins, begins + (width if known is None else np.where(known, width, -1)))


def decimals(numbers: NDArray[np.integer[Any]], known: Flags | None = None) -> Spans:
    """Whole numbers as texts; None where not `known`."""
    top = int(numbers.max(initial=0))
    if int(numbers.min(initial=0)) < 0 or top >= 10**_MOST_DIGITS:
        texts = list(map(str, numbers.tolist()))
        return spans_of(texts) if known is None else spans_of(texts).only(known)
    width = len(str(top))
    rest: NDArray[Any] = numbers.astype(np.uint32 if top < 1 << 32 else np.uint64)
    digits = np.empty((len(rest), width), np.uint8)
    lengths = np.ones(len(rest), np.int64)
    for place in reversed(range(width)):
        rest, digits[:, place] = np.divmod(rest, rest.dtype.type(10))
        lengths += rest > 0
    digits += np.uint8(ord("0"))
    stops = np.arange(width, width * (len(rest) + 1), width)
    found = Spans(digits.tobytes(), stops - lengths, stops)
    return found if known is None else found.only(known)


# Rows ------------------------------------------------------------------------------------------

Part: TypeAlias = bytes | Spans


def joined(parts: Sequence[Part], rows: int, separator: str = "") -> bytes:
    """The rows, one after the other: of each its texts and, in every row the same, the bytes.

    With a separator these are rows of CSV: texts are quoted that hold it, a quote or a line end,
    and an empty one that is alone in its row, as an empty line is none.
    """
    if not AVAILABLE:
        return _joined(parts, rows, separator)
    views = tuple(p if isinstance(p, bytes) else (p.data, p.begins, p.stops) for p in parts)
    return _lines.join(views, rows, ord(separator) if separator else 0)


def _joined(parts: Sequence[Part], rows: int, separator: str) -> bytes:
    special = re.compile(rb'["\r\n%b]' % re.escape(separator.encode())) if separator else None
    is_alone = special is not None and len(parts) == 2

    def field(text: bytes) -> bytes:
        if (special and special.search(text)) or (not text and is_alone):
            return b'"%b"' % text.replace(b'"', b'""')
        return text

    columns = [
        [part] * rows if isinstance(part, bytes) else list(map(field, part.fields()))
        for part in parts
    ]
    return b"".join(chain.from_iterable(zip(*columns, strict=True)))


def rows_of(columns: Sequence[Spans], separator: str, *, quoted: bool) -> bytes:
    """Lines with these fields, as CSV has them if `quoted`."""
    parts: list[Part] = []
    for column in columns:
        parts += [column, separator.encode()]
    parts[-1:] = [b"\n"]
    return joined(parts, len(columns[0]) if columns else 0, separator if quoted else "")


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
