"""The rows of an audit in a file.

Invariant: every row is one line, or one row of Parquet, in order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ..batch.options import format_for
from ..files.collection.beside import Table
from ..files.outputs import TABLE_FORMS
from ..files.streams import STANDARD, FileError
from ..files.tables import open_table
from .table import AuditRows, columns_of

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
