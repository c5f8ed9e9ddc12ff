"""The rows of an audit: gathered while its files are read, as columns, and in a file.

Invariant: every column has a value for each row, good or bad, in the order of the files. Row
numbers count from 0 over all files. A row's line depends on the files and the rules only; a value
that it lacks is None. Only short numbers are kept, about 110 bytes a row and the ids. In a file,
every row is one line, or one row of Parquet.
"""

from __future__ import annotations

import marshal
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from ..batch.rated import scales, techniques
from ..batch.results.columns import SCALES, count_givens
from ..files.collection import Chunk
from ..files.collection.beside import Column, Table
from ..files.frames import as_frame
from ..files.outputs import WITH_COLUMNS, form_of
from ..files.spans import Spans, chosen, fixed, spans_of
from ..files.tables import open_table, values_of
from ..runtime.errors import Status
from .rows import KEYS, Examined, Keys, Places, first_equal
from .tally import ANSWERS, KINDS


class AuditRows(NamedTuple):
    """What an audit knows of N rows, in the order of the files.

    files: the paths. file: (N,) int32, index of the row's file. line: (N,) int64, from 1. ids: N
    texts, empty where a row has none. status: (N,) uint8, codes of `Status`. kinds: (N,) uint32, a
    bit for each kind of finding, the lowest for the first of `tally.KINDS`. answer: (N,) uint8,
    codes of `rows.AnswerCheck`. givens: (N,) uint16. nodes: (N,) uint32, search
    nodes, 0 for a puzzle with several solutions or undecided. ratings: (N, 4) int16 as in
    `BatchResult`, (N, 0) if not requested.

    exact, symmetric, grid, grid_symmetric: (N, 2) uint64 keys of the puzzle and of its solution
    grid, as in `rows.Examined`: all 0 where there is none; the symmetric ones are None if not
    requested or not to be had.

    duplicate_of: (N,) the first row with exactly this puzzle, -1 if the row itself is the first or
    cannot be read. cluster: (N,) the first row with this puzzle up to symmetry, possibly the row
    itself; -1 if it cannot be read. grid_of, grid_cluster: (N,) the first row with this solution
    grid, exactly and up to symmetry, possibly the row itself; -1 if no grid is known. Without
    symmetric keys, the clusters are those of equal rows.
    """

    files: tuple[str, ...]
    file: NDArray[np.int32]
    line: NDArray[np.int64]
    ids: Sequence[str]
    status: NDArray[np.uint8]
    kinds: NDArray[np.uint32]
    answer: NDArray[np.uint8]
    givens: NDArray[np.uint16]
    nodes: NDArray[np.uint32]
    ratings: NDArray[np.int16]
    exact: Keys
    symmetric: Keys | None
    grid: Keys
    grid_symmetric: Keys | None
    duplicate_of: Places
    cluster: Places
    grid_of: Places
    grid_cluster: Places

    def __repr__(self) -> str:
        return f"<AuditRows: {len(self.line):,}, files: {len(self.files):,}>"

    def columns(self) -> dict[str, Any]:
        """What `columns_of` says of all rows, by name: arrays, and lists with None."""
        return {
            name: column if type(column) is np.ndarray else values_of(column)
            for name, column in columns_of(self).items()
        }

    def as_frame(self, kind: str = "pandas") -> Any:
        """The columns as a frame of `pandas` or `polars`, or as a table of `pyarrow`."""
        return as_frame(self, kind)

    @property
    def scales(self) -> NDArray[np.float64]:
        """ER, EP and ED (3, N), nan where there is no rating."""
        return scales(self.ratings)

    @property
    def technique(self) -> NDArray[np.str_]:
        """The technique of the hardest step (N,), empty where there is none."""
        return techniques(self.ratings)


def columns_of(rows: AuditRows, part: slice = slice(None)) -> dict[str, Column]:
    """The columns by name, of a part of the rows: arrays, perhaps masked ones, and texts.

    row: from 1, over all files; file, line, id: where it stands; status: of the puzzle; answer:
    right, wrong, givens changed or unreadable; kinds: the kinds of findings, as `--allow` takes
    them, with blanks between; givens; nodes: of the search; er, ep, ed, technique: if rated;
    duplicate: whether the puzzle repeats an earlier row of any file, exact or symmetric;
    duplicate_file, duplicate_line: the first such row; cluster, grid_cluster: the `row` of the
    first with the same puzzle, and with the same solution grid, up to symmetry; puzzle_hash,
    canonical_hash, grid_hash, canonical_grid_hash: the keys of `rows.Examined`.
    """
    numbers = np.arange(len(rows.file))[part]
    known = rows.cluster[part] >= 0
    exact = rows.duplicate_of[part] >= 0
    again = known & (rows.cluster[part] != numbers)
    first = np.where(exact, rows.duplicate_of[part], rows.cluster[part])
    columns: dict[str, Column] = {
        "row": numbers + 1,
        "file": chosen(rows.file[part], rows.files),
        "line": rows.line[part],
        "id": spans_of([text or None for text in rows.ids[part]]),
        "status": chosen(rows.status[part], [str(status) for status in Status]),
        "answer": chosen(rows.answer[part], [None, *ANSWERS.values()]),
        "kinds": _kinds(rows.kinds[part]),
        "givens": rows.givens[part],
        "nodes": rows.nodes[part],
    }
    if rows.ratings.shape[1]:
        rated = rows._replace(ratings=rows.ratings[part])
        columns |= zip(SCALES, map(np.ma.masked_invalid, rated.scales), strict=True)
        columns["technique"] = spans_of([text or None for text in rated.technique.tolist()])
    return columns | {
        "duplicate": chosen(exact + 2 * (again & ~exact), [None, "exact", "symmetric"]),
        "duplicate_file": chosen(rows.file[first], rows.files).only(again),
        "duplicate_line": np.ma.array(rows.line[first], mask=~again),
        "cluster": _row_numbers(rows.cluster[part]),
        "grid_cluster": _row_numbers(rows.grid_cluster[part]),
        "puzzle_hash": _hex(rows.exact, part, len(numbers)),
        "canonical_hash": _hex(rows.symmetric, part, len(numbers)),
        "grid_hash": _hex(rows.grid, part, len(numbers)),
        "canonical_grid_hash": _hex(rows.grid_symmetric, part, len(numbers)),
    }


def _kinds(kinds: NDArray[np.uint32]) -> Spans:
    """The names of the bits; most rows have one of a few sets of them."""
    found, codes = np.unique(kinds, return_inverse=True)
    names = [name.replace(" ", "-") for name in KINDS]
    words = [
        " ".join(name for bit, name in enumerate(names) if some >> bit & 1) or None
        for some in found.tolist()
    ]
    return chosen(codes, words)


def _row_numbers(rows: Places) -> Any:
    """Rows as numbers from 1; none for -1."""
    return np.ma.array(rows.astype(np.int64) + 1, mask=rows < 0)


def _hex(keys: Keys | None, part: slice, count: int) -> Spans:
    """Keys as 32 hexadecimal digits, the first half first; None for no key."""
    if keys is None:
        return spans_of([None] * count)
    digits = keys[part].astype(">u8").tobytes().hex().encode()
    return fixed(digits, 32, np.any(keys[part], axis=1))


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


ROWS = 1 << 14  # that are written at once


@contextmanager
def open_rows(path: str) -> Iterator[Callable[[AuditRows], None]]:
    """A function that writes all rows to a file, in the form that its ending names.

    The columns are those of `columns_of`; `-` is standard output, which gets CSV. Raises
    `FileError` for another ending.
    """
    with open_table(path, form_of(path, WITH_COLUMNS)) as out:

        def write(rows: AuditRows) -> None:
            for start in range(0, len(rows.file), ROWS):
                columns = columns_of(rows, slice(start, start + ROWS))
                out(Table(tuple(columns), list(columns.values()), {}))

        yield write
