"""The rows of an audit gathered while its files are read.

Invariant: rows come in the order of the files. Only short numbers are kept, about 110 bytes a row
and the ids.
"""

from __future__ import annotations

import marshal
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from ..batch.results.columns import count_givens
from ..files.collection import Chunk
from .fingerprint import Places, first_equal
from .rows import KEYS, Examined
from .table import AuditRows


class Texts(Sequence[str]):
    """Texts of rows, packed chunk by chunk: a list of strings would take 50 bytes a text more."""

    def __init__(self) -> None:
        self._packed: list[bytes] = []
        self._starts = [0]
        self._open: tuple[int, Sequence[str]] = (-1, ())  # the part that was read last

    def add(self, texts: Sequence[str] | None, count: int) -> None:
        """The texts of `count` more rows, empty ones for None."""
        self._packed.append(b"" if texts is None else marshal.dumps([str(t) for t in texts]))
        self._starts.append(self._starts[-1] + count)

    def __len__(self) -> int:
        return self._starts[-1]

    @overload
    def __getitem__(self, row: int) -> str: ...
    @overload
    def __getitem__(self, row: slice) -> list[str]: ...
    def __getitem__(self, row: int | slice) -> str | list[str]:
        if isinstance(row, slice):
            start, stop, step = row.indices(len(self))
            return self._between(start, stop)[::step] if step > 0 else [*self][row]
        row = range(len(self))[row]
        return self._between(row, row + 1)[0]

    def _between(self, start: int, stop: int) -> list[str]:
        """The texts start..stop-1."""
        found: list[str] = []
        while start < stop:
            part = bisect_right(self._starts, start) - 1
            first, end = self._starts[part : part + 2]
            end = min(stop, end)
            texts = self._part(part)
            found += texts[start - first : end - first] if texts else [""] * (end - start)
            start = end
        return found

    def _part(self, part: int) -> Sequence[str]:
        """The texts of a chunk; none if they are all empty."""
        if part != self._open[0]:
            self._open = part, marshal.loads(self._packed[part]) if self._packed[part] else ()
        return self._open[1]


_GATHERED = ("status", "answer", "givens", "nodes", "ratings")


class Gathering:
    """The columns of all rows so far; without `whole`, only what a comparison needs."""

    def __init__(self, *, whole: bool) -> None:
        self.whole = whole
        self.ids = Texts()
        self._parts: defaultdict[str, list[NDArray[Any]]] = defaultdict(list)
        self._missing: set[str] = set()

    def add(self, chunk: Chunk, examined: Examined, kinds: NDArray[np.uint32]) -> None:
        """The rows of one more chunk, whose results are `settled`."""
        columns = {name: getattr(examined, name) for name in KEYS}
        columns |= {"line": chunk.lines, "kinds": kinds}
        if self.whole:
            self.ids.add(chunk.ids, chunk.rows)
            givens = count_givens(chunk).astype(np.uint16)
            ratings = examined.ratings.astype(np.int16)
            values = (examined.statuses, examined.answers, givens, examined.nodes, ratings)
            columns |= dict(zip(_GATHERED, values, strict=True))
        for name, column in columns.items():
            if column is None:
                self._missing.add(name)
                self._parts.pop(name, None)
            elif name not in self._missing:
                self._parts[name].append(column)

    def column(self, name: str) -> NDArray[Any]:
        """A column over all rows, always the same array."""
        parts = self._parts[name]
        if len(parts) > 1:
            parts[:] = [np.concatenate(parts)]
        return parts[0]

    def firsts(self) -> dict[str, Places]:
        """For each of the keys that all rows have, the rows that `first_equal` names."""
        found = {}
        for name in [name for name in KEYS if name in self._parts]:
            found[name] = first_equal(self.column(name))
            if not self.whole:
                del self._parts[name]
        return found

    def rows(self, files: Sequence[tuple[str, int]], firsts: Mapping[str, Places]) -> AuditRows:
        """All rows; files: their paths and numbers of rows; firsts: the result of `firsts`."""
        kept: dict[str, Any] = {
            name: self.column(name) if name in self._parts else None
            for name in ("line", "kinds", *_GATHERED, *KEYS)
        }
        exact, grid = firsts["exact"], firsts["grid"]
        again = exact != np.arange(len(exact), dtype=exact.dtype)
        return AuditRows(
            files=tuple(path for path, _ in files),
            file=np.repeat(np.arange(len(files), dtype=np.int32), [count for _, count in files]),
            ids=self.ids,
            duplicate_of=np.where(again, exact, exact.dtype.type(-1)),
            cluster=firsts.get("symmetric", exact),
            grid_of=grid,
            grid_cluster=firsts.get("grid_symmetric", grid),
            **kept,
        )
