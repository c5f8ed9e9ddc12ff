"""The second reading of audited files: their rows with all columns, ready to be written.

Invariant: the tables have the rows of the audit, in its order, with all columns of their files, or
it is an error. Columns of one role have one name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..batch.options import BatchOptions, format_for
from ..batch.solve import solve_job
from ..files.collection import Chunk
from ..files.collection.arrow import pyarrow
from ..files.collection.beside import Column, Table, grid_texts, unique_names
from ..files.formats import ARRAYS
from ..files.outputs import TABLE_FORMS
from ..files.streams import FileError
from ..files.tables import values_of
from .select import Flags


def form_of(path: str, asked: str | None = None) -> str:
    """The form of an output: the one asked for, or that of the ending; the input's for no ending.

    Raises `FileError` for arrays, which have no room for other columns.
    """
    form = asked or format_for(path, (*TABLE_FORMS, *ARRAYS))
    if form not in TABLE_FORMS:
        raise FileError(f"{path}: cannot write {form}: choose from {', '.join(TABLE_FORMS)}")
    return form


class Copied(NamedTuple):
    """Some rows once more: the chunk, with all columns beside, and their numbers in the audit."""

    chunk: Chunk
    rows: slice

    @property
    def table(self) -> Table:
        """All columns of the file."""
        assert self.chunk.beside is not None
        return self.chunk.beside


def copied(files: Iterable[tuple[str, Iterable[Chunk]]], rows: range) -> Iterator[Copied]:
    """The chunks of the files, whose rows have these numbers; roles have the names of the first.

    Raises `FileError` if the files do not have so many rows any more.
    """
    start, changed = rows.start, "changed while it was read"
    roles: dict[str, str] = {}
    for path, chunks in files:
        for chunk in chunks:
            here = slice(start, start + chunk.rows)
            if here.stop > rows.stop:
                raise FileError(f"{path}: {changed}: it has more rows than before")
            assert chunk.beside is not None
            roles = {**chunk.beside.roles, **roles}
            yield Copied(chunk._replace(beside=renamed(chunk.beside, roles)), here)
            start = here.stop
    if start < rows.stop:
        raise FileError(f"{path}: {changed}: it has fewer rows than before")


def renamed(table: Table, roles: Mapping[str, str]) -> Table:
    """The table with the given names for its columns of these roles, as another file has them."""
    found = {name: roles.get(role, name) for role, name in table.roles.items()}
    others = [name for name in table.names if name not in found]
    unique = unique_names([*found.values(), *others])
    names = dict(zip([*found, *others], unique, strict=True))
    return table._replace(
        names=tuple(names[name] for name in table.names),
        roles={role: names[name] for role, name in table.roles.items()},
    )


def with_answers(part: Copied, wanted: Flags, options: BatchOptions) -> Table:
    """The table with their solutions as the answers of the wanted rows, which are unique."""
    chunk, table, rows = part.chunk, part.table, np.flatnonzero(wanted)
    if "answer" not in table.roles:
        table = _with_answer_column(table)
    if not len(rows):
        return table
    rules = [chunk.rules[row] for row in rows.tolist()] if chunk.rules is not None else None
    found = solve_job(chunk.puzzles[rows], options, rules).solutions
    name = table.roles["answer"]
    return table.put(name, _changed(table.column(name), rows, found))


def _with_answer_column(table: Table) -> Table:
    """The table with an empty column for answers."""
    name = unique_names([*table.names, "solution"])[-1]
    return table.put(name, [""] * table.rows)._replace(
        roles={**table.roles, "answer": name}, separator=table.separator or ","
    )


def _changed(column: Column, rows: NDArray[np.intp], cells: NDArray[np.uint8]) -> Column:
    """The column with these grids (M, cells) in these rows, written as its other values are."""
    if isinstance(column, np.ndarray) and column.dtype.kind in "uib":
        changed = column.copy()
        changed[rows] = cells.reshape(len(rows), *column.shape[1:])
        return changed
    values = [*values_of(column)]
    kind = getattr(column, "type", None)  # of Arrow
    is_list = "list" in str(kind) or isinstance(next(filter(None, values), None), list)
    texts = grid_texts(cells, np.ones(len(rows), np.bool_))
    for row, value in zip(rows.tolist(), cells.tolist() if is_list else texts, strict=True):
        values[row] = value
    return values if kind is None else _of_kind(values, kind)


def _of_kind(values: list[Any], kind: Any) -> Column:
    """The values as an Arrow array of that kind; as they are if it cannot hold them."""
    try:
        return pyarrow().array(values, kind)
    except (pyarrow().ArrowException, TypeError):
        return values
