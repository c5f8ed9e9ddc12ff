"""The rows of an audit for a file or a frame: one line a row, in words, hexadecimal and numbers.

Invariant: a row's line depends on the files and the rules only. A value that a row lacks is None.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..batch.options import format_for
from ..batch.results.columns import SCALES
from ..errors import Status
from ..files.collection.beside import Column, Table
from ..files.spans import Spans, chosen, fixed, spans_of
from ..files.streams import STANDARD, FileError
from ..files.tables import TABLE_FORMS, open_table
from .fingerprint import Keys, Places
from .tally import ANSWERS, KINDS

if TYPE_CHECKING:
    from .table import AuditRows

FORMS = tuple(form for form in TABLE_FORMS if form != "line")
ROWS = 1 << 14  # that are written at once


@contextmanager
def open_rows(path: str) -> Iterator[Callable[[AuditRows], None]]:
    """A function that writes all rows to a file, in the one of `FORMS` that its ending names.

    The columns are those of `columns_of`; `-` is standard output, which gets CSV. Raises
    `FileError` for another ending.
    """
    form = "csv" if path == STANDARD else format_for(path, FORMS)
    if form not in FORMS:
        raise FileError(f"{path}: rows are written as .{', .'.join(FORMS)}, perhaps packed (.gz)")
    with open_table(path, form) as out:

        def write(rows: AuditRows) -> None:
            for start in range(0, len(rows.file), ROWS):
                columns = columns_of(rows, slice(start, start + ROWS))
                out(Table(tuple(columns), list(columns.values()), {}))

        yield write


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
