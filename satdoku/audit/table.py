"""The rows of an audit as columns: one value a row, over all rows of all files in order.

Invariant: every column has a value for each row, good or bad. Row numbers count from 0 over all
files. A row's line depends on the files and the rules only; a value that it lacks is None.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..arrays.frames import as_frame
from ..batch.rated import scales, techniques
from ..batch.results.columns import SCALES
from ..errors import Status
from ..files.collection.beside import Column
from ..files.spans import Spans, chosen, fixed, spans_of
from ..files.tables import values_of
from .fingerprint import Keys, Places
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
