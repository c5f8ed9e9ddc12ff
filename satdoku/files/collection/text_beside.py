"""The columns of a text: its lines, cut into their fields.

Invariant: a column has the field of each row as it stands in the file, quotes around it removed.
Regular lines are cut at once, their fields named by their places; others one by one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from ..columns import BEFORE, ROLES, Layout, fields_of_many
from ..foreign import is_foreign
from ..notation import find_grid
from ..spans import Spans
from .beside import INVENTED, Column, Table, grid_texts, unique_names
from .chunk import Chunk
from .places import Field, Fields, Lines, Places, loose_quotes


def lines_table(
    data: bytes, fields: Fields, numbers: Places, layout: Layout, chunk: Chunk
) -> Table:
    """The fields of the lines of a chunk; of some lines of the file, with those numbers, in `data`.

    A grid that is written a row a line becomes one line.
    """
    lines = fields.lines
    rows = np.minimum(np.searchsorted(numbers, chunk.lines), len(numbers) - 1)
    here = numbers[rows] == chunk.lines  # others began before these lines
    odd = np.flatnonzero(~(here & _even_lines(fields, layout, chunk.cells)[rows]))
    texts = [
        _text(data, lines, row) if is_here else ""
        for row, is_here in zip(rows[odd].tolist(), here[odd].tolist(), strict=True)
    ]
    if not layout.names:
        _write_grids(texts, odd, layout, chunk)
    table = text_table(texts, layout)
    columns = []
    for number, values in enumerate(table.columns):
        place = fields[number] if layout.separator else Field(lines.begins, lines.stops)
        column = Spans(data, place.begins[rows], place.stops[rows])
        columns.append(column.replaced(odd, values))
    return table._replace(columns=columns)


def _text(data: bytes, lines: Lines, row: int) -> str:
    return data[lines.begins[row] : lines.stops[row]].decode("utf-8", errors="replace")


def _even_lines(fields: Fields, layout: Layout, cells: int) -> NDArray[np.bool_]:
    """The lines that have the fields they should, with no quotes but those around a whole one."""
    lines, separator = fields.lines, layout.separator
    if separator == " " or layout.id == BEFORE:
        return np.zeros(len(lines.stops), np.bool_)
    even: NDArray[np.bool_] = np.ones(len(lines.stops), np.bool_)
    if not layout.names:  # a shorter line may begin a grid
        even &= lines.stops - lines.begins >= cells
    if separator:
        count = len(layout.names) or max(layout.width, layout.puzzle + 1)
        even &= fields.there == count - 1
        breaks = np.flatnonzero(lines.buffer == ord("\r"))
        for wrong in (loose_quotes(lines.buffer, separator), breaks):
            even[np.searchsorted(lines.stops, wrong)] = False
    return even


def _write_grids(texts: list[str], rows: Places, layout: Layout, chunk: Chunk) -> None:
    """Put the grids into the texts that are too short for them: they begin there only."""
    for index, row in enumerate(rows.tolist()):
        text = texts[index]
        if len(text) < chunk.cells and row not in chunk.errors and not is_foreign(text):
            (grid,) = grid_texts(chunk.puzzles[row : row + 1], np.ones(1, np.bool_))
            texts[index] = layout.separator * layout.puzzle + grid


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


def chunk_table(chunk: Chunk) -> Table:
    """The table of puzzles that stood in no fields: what is known of each, empty if unreadable."""
    there = np.ones(chunk.rows, dtype=np.bool_)
    there[list(chunk.errors)] = False
    columns: dict[str, Column] = {}
    if chunk.ids is not None:
        columns["id"] = list(chunk.ids)
    columns["puzzle"] = grid_texts(chunk.puzzles, there)
    if chunk.rules is not None:
        columns["rules"] = list(chunk.rules)
    if chunk.answers is not None:
        answers = chunk.answers.cells
        there = np.count_nonzero(answers, axis=1).astype(np.bool_)
        columns["solution"] = grid_texts(answers, there)
    roles = {role: name for role, name in INVENTED.items() if name in columns}
    alone = len(columns) == 1
    separator = "" if alone else ","
    return Table(tuple(columns), list(columns.values()), roles, separator, headed=not alone)
