"""Results behind the columns of their input.

Invariant: the columns of the input keep their names, their order and their values; a column of
results whose name is taken already is called `satdoku_NAME`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from ...files.collection import Chunk
from ...files.collection.beside import ABSENT, Column, Table
from ...files.columns import listed
from ...files.tables import TableWriter, open_table, values_of
from ..decide import BatchResult
from ..options import BatchOptions
from .arrow import storable
from .columns import ALWAYS, COLUMNS, ResultsError, check_columns, check_safe, values

ALL = "all"  # the columns that are carried: every one
FORMATS = ("csv", "jsonl", "parquet")


class Carried:
    """Writes chunks that have tables beside, with their results behind."""

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
        assert chunk.beside is not None  # which `keep` of `read_chunks` asks for
        table = chunk.beside
        if ALL not in self._kept:
            table = table.select([name for name in self._kept if name in table.names])
        self._names = self._names or {name: _free(name, table) for name in self._columns}
        found = values(self._columns, chunk, result, self._options)
        for name, column in zip(self._columns, found, strict=True):
            table = table.put(self._names[name], self._as_stored(name, column))
        self._write(table)

    def _as_stored(self, name: str, column: Column) -> Column:
        """A column of results as the format has it without others beside."""
        if self._form == "parquet":
            return storable(name, column)
        if self._form == "jsonl" and name not in ALWAYS:
            return [ABSENT if value in ("", None) else value for value in values_of(column)]
        return column


def _free(name: str, table: Table) -> str:
    while name in table.names:
        name = f"satdoku_{name}"
    return name


@contextmanager
def open_carried(
    path: str,
    form: str,
    kept: Sequence[str],
    columns: Sequence[str],
    options: BatchOptions,
    *,
    keep: bool = True,
    csv_safe: bool = False,
) -> Iterator[Carried]:
    """`open_results` with columns of the input, `kept`, before those of the results.

    The chunks are those of `read_chunks(..., keep=True)`. Raises `ResultsError` for a format that
    holds no other columns.
    """
    if form not in FORMATS:
        known = ", ".join(FORMATS)
        raise ResultsError(f"{form} has no columns of the input: choose from {known}")
    check_columns(columns, form, COLUMNS)
    check_safe(form, safe=csv_safe)
    with open_table(path, form, keep=keep, safe=csv_safe) as write:
        yield Carried(write, form, kept, columns, options)


def check_kept(kept: Sequence[str], table: Table) -> None:
    """Raise `ResultsError` for a name that no column of the input has."""
    if wrong := [name for name in kept if name not in (*table.names, ALL)]:
        raise ResultsError(f"no column '{wrong[0]}' to keep: there are {listed(table.names)}")
