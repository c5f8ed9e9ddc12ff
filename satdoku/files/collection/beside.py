"""All columns of a file, also those beside its puzzles, unchanged.

Invariant: a table has a row for each row of its chunk, and each value as the file has it: fields of
text as texts (quotes around them removed), JSON as JSON, Arrow as Arrow. Nothing here is read for
its meaning.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...model.board import Board
from ...model.grid import notation_of
from ..columns import BEFORE, ROLES, Layout, fields_of_many
from ..notation import find_grid
from ..objects import Keys, Stated, object_in
from ..spans import Spans, fixed, spans_of

Column = Any  # N values: a list, a numpy array (N, ...), or an Arrow array


class Absent(Enum):
    """The value of a key that a JSON object lacks, which is another thing than null."""

    ABSENT = ""

    def __bool__(self) -> bool:
        return False


ABSENT: Final = Absent.ABSENT
# What the columns of a text without a header are called.
INVENTED = {"puzzle": "puzzle", "answer": "solution", "id": "id", "rules": "rules"}


class Table(NamedTuple):
    """Columns of N rows.

    names: each only once; columns: N values each, in the order of the file; roles: which name has
    which role of `columns.ROLES`; separator: what stands between fields in the file, "" if nothing
    does; headed: whether the file states the names.
    """

    names: tuple[str, ...]
    columns: list[Column]
    roles: Mapping[str, str]
    separator: str = ","
    headed: bool = True

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.columns[0]) if self.columns else 0

    def part(self, start: int, stop: int) -> Table:
        """The rows start..stop-1."""
        return self._replace(columns=[column[start:stop] for column in self.columns])

    def take(self, rows: Sequence[int] | NDArray[Any]) -> Table:
        """These rows, in this order; rows: indices, or N bools."""
        indices = np.asarray(rows)
        if indices.dtype == np.bool_:
            indices = np.flatnonzero(indices)
        return self._replace(columns=[_taken(column, indices) for column in self.columns])

    def column(self, name: str) -> Column:
        """The values of a column."""
        return self.columns[self.names.index(name)]

    def select(self, names: Iterable[str]) -> Table:
        """Only the columns of these names, in this order; raises `ValueError` for another one."""
        kept = tuple(names)
        roles = {role: name for role, name in self.roles.items() if name in kept}
        return self._replace(names=kept, columns=list(map(self.column, kept)), roles=roles)

    def put(self, name: str, values: Column) -> Table:
        """The table with that column: in the place of one of that name, else behind the others."""
        if name not in self.names:
            return self._replace(names=(*self.names, name), columns=[*self.columns, values])
        at = self.names.index(name)
        return self._replace(columns=[*self.columns[:at], values, *self.columns[at + 1 :]])


def _taken(column: Column, rows: NDArray[np.intp]) -> Column:
    if isinstance(column, list | tuple):
        return [column[row] for row in rows.tolist()]
    return column.take(rows) if not isinstance(column, np.ndarray) else column[rows]


def unique_names(names: Iterable[str]) -> tuple[str, ...]:
    """The names; one that stands there already gets a number behind it, as pandas gives it."""
    found: dict[str, None] = {}
    for name in names:
        other, number = name, 0
        while other in found:
            number += 1
            other = f"{name}.{number}"
        found[other] = None
    return tuple(found)


def object_table(rows: Sequence[Stated], keys: Keys) -> Table:
    """JSON objects by their keys; a text that is none stands where the puzzles do.

    What holds a role within an object gets a column of its own.
    """
    inner = [INVENTED.get(role, role) for role in keys.inner]
    added = unique_names([*keys.seen, *inner])[len(keys.seen) :]
    roles = {"puzzle": "puzzle", **keys.of_role, **dict(zip(keys.inner, added, strict=True))}
    names = tuple(keys.seen | dict.fromkeys(added) | {roles["puzzle"]: None})
    objects = [{roles["puzzle"]: row} if isinstance(row, str) else row for row in rows]
    if keys.inner:
        paths = dict(zip(added, keys.inner.values(), strict=True))
        objects = [
            row | {name: object_in(row.get(o)).get(k, ABSENT) for name, (o, k) in paths.items()}
            for row in objects
        ]
    return Table(names, [[row.get(name, ABSENT) for row in objects] for name in names], roles)


def grid_texts(cells: NDArray[Any], there: NDArray[np.bool_], board: Board) -> list[str]:
    """One line per grid, empty if `there` is False; for pencil marks, a digit per candidate. The
    cells of layers are left out."""
    return [text or "" for text in grid_spans(cells, there, board)]


def grid_spans(cells: NDArray[Any], there: NDArray[np.bool_], board: Board) -> Spans:
    """The same as a column of texts."""
    notation = notation_of(board.digits)
    if cells.dtype == np.bool_:
        cells = cells * np.tile(np.arange(1, board.choices + 1, dtype=np.uint8), board.cells)
    elif board.layers:
        cells = cells[:, : board.grid_cells]
    if not notation.line:
        rows = zip(cells.tolist(), there.tolist(), strict=True)
        words = notation.words
        return spans_of([" ".join(words[d] for d in row) if good else "" for row, good in rows])
    text = np.ascontiguousarray(cells, dtype=np.uint8).tobytes().translate(notation.line)
    found = fixed(text, cells.shape[1])
    return Spans(text, found.begins, np.where(there, found.stops, found.begins))


def text_table(texts: Sequence[str], layout: Layout) -> Table:
    """Lines of a text, cut into their fields.

    Fields that a line has too many join the last one; missing ones are empty. In front of a puzzle
    that a name precedes, the name is one field, whatever stands in it.
    """
    separator, names = layout.separator, layout.names or _invented(layout)
    roles = {role: at for role in ROLES if (at := getattr(layout, role)) is not None}
    if not separator:
        return Table(("puzzle",), [list(texts)], {"puzzle": "puzzle"}, separator, headed=False)
    if layout.id == BEFORE:  # one field
        roles |= {role: at - layout.puzzle + 1 for role, at in roles.items()} | {"id": 0}
    names = unique_names(names)
    front = layout.puzzle if layout.id == BEFORE else 0
    columns = list(map(list, zip(*_even(texts, separator, len(names), front), strict=True)))
    named = {role: names[at] for role, at in roles.items() if at < len(names)}
    headed = bool(layout.names)
    return Table(names, columns or [[] for _ in names], named, separator, headed)


def _invented(layout: Layout) -> list[str]:
    """Names for the fields of a text without a header."""
    front = layout.puzzle if layout.id == BEFORE else 1
    count = max(layout.width, layout.puzzle + 1) - front + 1
    names = [f"column{at + 1}" for at in range(count)]
    for role, name in INVENTED.items():
        at = getattr(layout, role)
        if at is not None:
            names[0 if at == BEFORE else at - front + 1] = name
    return names


def _even(texts: Sequence[str], separator: str, width: int, front: int) -> Iterator[Sequence[str]]:
    """The fields of the lines, `width` of each: the first `front` are one."""
    for text, found in zip(texts, fields_of_many(texts, separator), strict=True):
        fields = text.split(separator) if found is None else found
        if front:
            usual = len(fields) == width + front - 1
            at = front if usual else next((i for i, f in enumerate(fields) if find_grid(f)), front)
            fields = [separator.join(fields[:at]), *fields[at:]]
        if len(fields) > width:
            fields = [*fields[: width - 1], separator.join(fields[width - 1 :])]
        yield fields if len(fields) == width else [*fields, *[""] * (width - len(fields))]
