"""The puzzles of a file, one by one, whatever its format.

Invariant: they are the puzzles that `collection.read_chunks` gives, in the same order and with the
same lines, ids, rules and errors; but each may have a board of its own, and text needs no numpy.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from ..model.board import Board
from ..model.constraints import MOST_RULE_SETS, RulesLike, constraints_for, rules_text
from ..model.grid import Grid, of_numbers
from ..model.numbers import numbered
from ..model.puzzle import Puzzle, Unreadable, placed
from ..runtime.errors import SatdokuError
from .formats import ARRAYS, AS_IT_IS, FOLDER, NUMBERS, OBJECTS, WHOLE, ReadOptions, recognise
from .lines import whole_lines
from .objects import object_records
from .record import Reading, Record, of_record, whole_record
from .sniff import layout_of, line_reader, text_records
from .streams import Files, Source, files_named, open_source


def read_puzzles(
    paths: Files | Source,
    rules: RulesLike | None = None,
    board: Board | None = None,
    *,
    reading: ReadOptions = AS_IT_IS,
) -> Iterator[Puzzle | Unreadable]:
    """All puzzles of files: by name, open, `-` for standard input, a folder or a pattern.

    `rules` are those that are asked for: rules that a link states must be among them, and rules
    that a row states in a column take their place. `reading`: see `ReadOptions`; a link that states
    rules only in words comes with a `warning` in any case. A bad puzzle comes out as `Unreadable`;
    raises `SatdokuError` for a file that cannot be read at all.
    """
    text = None if rules is None else rules_text(rules)
    for path in [paths] if isinstance(paths, Source) else files_named(paths):
        source = str(path) if isinstance(path, str) else path.path
        for record in read_records(path, text, board, reading=reading):
            try:
                yield of_record(record, text, source)
            except SatdokuError as error:
                yield Unreadable(error, placed(source, record.line, record.id))


def read_records(
    path: str | Source,
    rules: str | None = None,
    board: Board | None = None,
    *,
    reading: ReadOptions = AS_IT_IS,
) -> Iterator[Record]:
    """What `read_puzzles` makes puzzles of, each with what is wrong with it as its grid."""
    asked = reading.asked
    with open_source(path) as source:
        here = Reading(source.path, board, mixed=board is None, rules=rules, stated=reading.stated)
        yield from _with_known_rules(_records(source, here, reading.format, asked), here)


def _records(
    source: Source, reading: Reading, format: str | None, asked: Mapping[str, str]
) -> Iterator[Record]:
    kind = recognise(source, format)
    if kind in (*ARRAYS, FOLDER):
        from .collection import array_records  # with numpy

        return array_records(source, kind, reading, asked)
    if kind == NUMBERS:
        blocks = whole_lines(source.text_blocks())
        lines = enumerate((line for block in blocks for line in block.splitlines()), 1)
        found = numbered(lines, source.path)
        return (
            Record(line, of_numbers(values, reading.board, line, source.path))
            for line, values in found
        )
    if kind == WHOLE:
        return iter([whole_record(source.text(), reading)])
    if kind in OBJECTS:
        return object_records(source, str(kind), reading, asked)
    layout, reading = layout_of(source.text_head, reading, format, asked)
    return text_records(source.text_blocks(), line_reader(layout, reading, format), asked)


def _with_known_rules(records: Iterable[Record], reading: Reading) -> Iterator[Record]:
    """The records; one whose rules mean nothing, or not on its board, is a bad puzzle."""
    known = lru_cache(MOST_RULE_SETS)(lambda rules, board: constraints_for(rules, default=board))
    for record in records:
        rules, grid = record.rules, record.grid
        if rules is None or not isinstance(grid, Grid):
            yield record
            continue
        try:
            yield record._replace(grid=Grid(grid.cells, known(rules, grid.board).board))
        except SatdokuError as error:
            wrong = reading.error(f"rules {rules!a}", f"known ones ({error})", record.line)
            yield record._replace(grid=wrong, marks=None)
