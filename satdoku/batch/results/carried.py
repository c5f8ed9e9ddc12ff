"""Results as tables, behind the columns of their input.

Invariant: the columns of the input keep their names, their order and their values; a column of
results whose name is taken already is called `satdoku_NAME`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...files.collection import Chunk
from ...files.collection.beside import ABSENT, Column, Table
from ...files.columns import listed
from ...files.outputs import ARRAY_FORMS
from ...files.spans import Spans
from ...files.tables import TableWriter, values_of
from ..decide import BatchResult
from ..options import BatchOptions
from .arrow import storable
from .columns import ALWAYS, ResultsError, array_of, values

ALL = "all"  # the columns that are carried: every one


class Carried:
    """Writes chunks as tables: the columns kept of those beside them, their results behind."""

    def __init__(
        self,
        write: TableWriter,
        form: str,
        kept: Sequence[str],
        columns: Sequence[str],
        options: BatchOptions,
    ) -> None:
        self._write, self._form, self._options = write, form, options
        self._kept, self._columns = kept, columns
        self._names: dict[str, str] = {}

    @property
    def left_out(self) -> list[str]:
        """Names of columns that only later rows have, which the format cannot add."""
        return list(self._write.left_out)

    def __call__(self, chunk: Chunk, result: BatchResult) -> None:
        """Write one chunk."""
        table = chunk.beside or Table((), [], {})
        if ALL not in self._kept:
            table = table.select([name for name in self._kept if name in table.names])
        self._names = self._names or {name: _free(name, table) for name in self._columns}
        self._write.sparse = [self._names[name] for name in self._columns if name not in ALWAYS]
        found = stored(self._form, self._columns, chunk, result, self._options)
        for name, column in zip(self._columns, found, strict=True):
            table = table.put(self._names[name], column)
        self._write(table)


def stored(
    form: str, names: Sequence[str], chunk: Chunk, result: BatchResult, options: BatchOptions
) -> list[Column]:
    """The columns of results as a form has them."""
    if form in ARRAY_FORMS:
        return [array_of(name, chunk, result) for name in names]
    found = values(names, chunk, result, options)
    if form == "parquet":
        return list(map(storable, names, found))
    return list(map(_stated, names, found)) if form == "jsonl" else found


def _stated(name: str, column: Column) -> Column:
    """The column without what is empty."""
    if name in ALWAYS or isinstance(column, np.ndarray):
        return column
    if isinstance(column, Spans):
        return column.only(column.begins < column.stops)
    return [ABSENT if value in ("", None) else value for value in values_of(column)]


def _free(name: str, table: Table) -> str:
    while name in table.names:
        name = f"satdoku_{name}"
    return name


def check_kept(kept: Sequence[str], table: Table) -> None:
    """Raise `ResultsError` for a name that no column of the input has."""
    if wrong := [name for name in kept if name not in (*table.names, ALL)]:
        raise ResultsError(f"no column '{wrong[0]}' to keep: there are {listed(table.names)}")
