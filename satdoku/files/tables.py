"""Tables out: the columns of a file, changed or not, as text, CSV, JSON lines, Parquet or arrays.

Invariant: unchanged values come out as they went in, as far as the form can state them. Equal
tables are equal bytes, and memory stays flat.
"""

from __future__ import annotations

import json
import tempfile
import zipfile
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from .collection.arrow import pyarrow
from .collection.beside import ABSENT, Column, Table
from .outputs import ARRAY_FORMS, TABLE_FORMS, form_of, open_output
from .solutions import npy_header
from .spans import Spans, decimals, joined, rows_of, spans_of, utf8
from .streams import File, FileError, Opened, named

GROUP = 1 << 12  # rows: puzzles may come one by one
_CSV_SEPARATORS = (",", ";", "\t", "|")
# What a formula can begin with, also in full width: see OWASP, "CSV Injection".
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")


class TableWriter:
    """Writes tables to an open file. The first one says what columns there are.

    left_out: the names of columns that only later tables have, which this form cannot add. sparse:
    of columns whose empty values are left out where the form can.
    """

    sparse: Collection[str] = ()

    def __init__(self, out: IO[bytes], path: str) -> None:
        self.out, self.path = out, path
        self.names: tuple[str, ...] | None = None
        self.left_out: dict[str, None] = {}

    def __call__(self, table: Table) -> None:
        """Write the rows of a table; a column that it lacks is empty there."""
        if self.names is None:
            self.names = table.names
            self.begin(table)
        self.left_out |= dict.fromkeys(n for n in table.names if n not in self.names)
        here = set(table.names)
        nothing = [ABSENT] * table.rows
        self.rows([table.column(n) if n in here else nothing for n in self.names])

    def begin(self, table: Table) -> None:
        """What stands before the rows."""

    def rows(self, columns: Sequence[Column]) -> None:
        """Write rows of the columns of `names`."""
        raise NotImplementedError

    def close(self) -> None:
        """What stands behind the rows."""


class _Lines(TableWriter):
    """Text as the file was: between fields what stood there, with a header if it had one."""

    separator = ""

    def __init__(self, out: IO[bytes], path: str, *, safe: bool = False) -> None:
        super().__init__(out, path)
        self._safe = safe

    def begin(self, table: Table) -> None:
        self.separator = self.separator or table.separator or ("," if len(table.names) > 1 else "")
        if table.headed:
            self.rows([[name] for name in table.names])

    def rows(self, columns: Sequence[Column]) -> None:
        fields = [spans_of_values(column, safe=self._safe) for column in columns]
        quoted = self.separator in _CSV_SEPARATORS
        self.out.write(rows_of(fields, self.separator, quoted=quoted))


class _Csv(_Lines):
    """CSV with a header; of the separator that the input has, if that is usual in CSV."""

    def begin(self, table: Table) -> None:
        usual = table.separator in _CSV_SEPARATORS
        self.separator = self.separator or (table.separator if usual else ",")
        super().begin(table._replace(headed=True))


class _Tsv(_Csv):
    separator = "\t"


class _JsonLines(TableWriter):
    """An object a row, with the keys that the row has."""

    def __call__(self, table: Table) -> None:
        self.names = table.names  # which every line states anew
        super().__call__(table)

    def rows(self, columns: Sequence[Column]) -> None:
        self.out.write(json_rows(self.names or (), columns, sparse=self.sparse))


class _Parquet(TableWriter):
    """Row groups of at least `GROUP` rows but the last; the kinds are those of the first table."""

    writer: Any = None
    held: list[Any]

    def begin(self, table: Table) -> None:
        arrow = pyarrow()
        kinds = [_as_arrow(column).type for column in table.columns]
        kinds = [arrow.string() if arrow.types.is_null(kind) else kind for kind in kinds]
        self.schema = arrow.schema(list(zip(table.names, kinds, strict=True)))
        self.writer = arrow.parquet.ParquetWriter(self.out, self.schema, compression="zstd")
        self.held = []

    def rows(self, columns: Sequence[Column]) -> None:
        fields = zip(columns, self.schema, strict=True)
        arrays = [self._as(column, field.name, field.type) for column, field in fields]
        self.held.append(pyarrow().Table.from_arrays(arrays, schema=self.schema))
        if sum(table.num_rows for table in self.held) >= GROUP:
            self.flush()

    def flush(self) -> None:
        """Write what is held as one row group."""
        table = pyarrow().concat_tables(self.held).combine_chunks()
        self.writer.write_table(table, row_group_size=max(1, table.num_rows))
        self.held = []

    def _as(self, column: Column, name: str, kind: Any) -> Any:
        """The column as that kind; raises `FileError` where it holds another one."""
        arrow = pyarrow()
        try:
            if isinstance(column, list) and arrow.types.is_string(kind):
                return _texts(column)
            if isinstance(column, list):
                return arrow.array([None if v is ABSENT else v for v in column], kind)
            found = _as_arrow(column)
            return found if found.type == kind else found.cast(kind)
        except (arrow.ArrowException, UnicodeEncodeError):
            problem = f"column '{name}' holds other values than {kind}, as its first rows do"
            raise FileError(f"{self.path}: {problem}: write jsonl") from None

    def close(self) -> None:
        if self.writer is not None:
            if self.held:
                self.flush()
            self.writer.close()


class _Npy(TableWriter):
    """The only column, an array of numbers; the header, which says how many, is written anew."""

    kind, shape = "|u1", (0,)

    def begin(self, table: Table) -> None:
        if len(table.names) != 1:
            raise FileError(
                f"{self.path}: npy holds one column, not {len(table.names)}: choose npz"
            )
        (array,) = table.columns
        self.kind, self.shape = array.dtype.str, array[:0].shape
        self.out.write(npy_header(self.kind, self.shape))

    def rows(self, columns: Sequence[Column]) -> None:
        self.out.write(np.ascontiguousarray(columns[0]).tobytes())
        self.shape = (self.shape[0] + len(columns[0]), *self.shape[1:])

    def close(self) -> None:
        self.out.seek(0)
        self.out.write(npy_header(self.kind, self.shape))


class _Npz(TableWriter):
    """An array of numbers each column. They grow in temporary files beside the output, because an
    array's header says how many rows it has."""

    def begin(self, table: Table) -> None:
        folder = None if isinstance(self.path, Opened) else Path(self.path).parent
        self._parts = [tempfile.TemporaryFile(dir=folder) for _ in table.names]  # noqa: SIM115
        self._none = [column[:0] for column in table.columns]

    def rows(self, columns: Sequence[Column]) -> None:
        for part, none, array in zip(self._parts, self._none, columns, strict=True):
            if (array.dtype, array.shape[1:]) != (none.dtype, none.shape[1:]):
                found = "givens and pencil marks, or several boards,"
                raise FileError(f"{self.path}: {found} do not go into one array: choose csv")
            part.write(np.ascontiguousarray(array).tobytes())

    def close(self) -> None:
        with zipfile.ZipFile(self.out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            for name, part, none in zip(self.names or (), self._parts, self._none, strict=True):
                _store(archive, name, part, none)
                part.close()


_PLURALS = {"line": "lines", "puzzle": "puzzles", "status": "statuses", "solution": "solutions"}


def _store(archive: zipfile.ZipFile, name: str, part: IO[bytes], none: NDArray[Any]) -> None:
    """Copy one array into the archive, behind its header."""
    row_bytes = none.dtype.itemsize * int(np.prod(none.shape[1:], dtype=np.int64))
    header = {
        "descr": np.lib.format.dtype_to_descr(none.dtype),
        "fortran_order": False,
        "shape": (part.tell() // row_bytes, *none.shape[1:]),
    }
    # A fixed date, so that the same tables are the same bytes.
    entry = zipfile.ZipInfo(f"{_PLURALS.get(name, name)}.npy", (1980, 1, 1, 0, 0, 0))
    entry.compress_type = zipfile.ZIP_DEFLATED
    part.seek(0)
    with archive.open(entry, "w", force_zip64=True) as target:
        np.lib.format.write_array_header_2_0(target, header)
        while data := part.read(1 << 20):
            target.write(data)


@contextmanager
def open_table(
    path: File, form: str | None = None, *, keep: bool = False, safe: bool = False
) -> Iterator[TableWriter]:
    """A function that writes tables to a file, packed as its ending says, in one of `TABLE_FORMS`
    or `ARRAY_FORMS`; by default in the one of `TABLE_FORMS` that its ending names.

    line: text as the input was. The file appears under its name only when it is complete; keep: see
    `open_output`. safe: texts in CSV that begin like a formula are quoted as text.
    """
    path = named(path)
    form = form_of(path, tuple(TABLE_FORMS), form)
    with open_output(path, keep=keep) as out:
        kind: type[TableWriter] = globals()[(TABLE_FORMS | ARRAY_FORMS)[form]]
        writer = kind(out, path, safe=safe) if issubclass(kind, _Lines) else kind(out, path)
        try:
            yield writer
        finally:
            writer.close()


# Values ---------------------------------------------------------------------------------------


def values_of(column: Column) -> Sequence[Any]:
    """The values of a column as Python's."""
    if isinstance(column, list):
        return column
    values: list[Any] = column.tolist() if hasattr(column, "tolist") else column.to_pylist()
    return values


def json_rows(
    names: Sequence[str], columns: Sequence[Column], *, sparse: Collection[str] = ()
) -> bytes:
    """An object a row on a line, with the keys that are not `ABSENT`, nor, of the sparse columns,
    None."""
    fields = [
        _json_values(column, sparse=name in sparse).wrapped(f"{json.dumps(name)}: ".encode(), b", ")
        for name, column in zip(names, columns, strict=True)
    ]
    text = joined([b"{", *fields, b"}\n"], len(columns[0]) if columns else 0)
    return text.replace(b", }\n", b"}\n")  # within a text a line break is escaped


_PLAIN_JSON = bytes(set(range(32, 127)) - {ord("\\")})  # what JSON writes as it is


def _json_values(column: Column, *, sparse: bool) -> Spans:
    """The values in JSON, None for keys that are left out; what is no number is null."""
    if isinstance(column, np.ndarray) and column.dtype.kind in "iu" and column.ndim == 1:
        known = ~np.ma.getmaskarray(column)
        return decimals(np.ma.getdata(column), known).filled("null")
    if isinstance(column, Spans):
        quoted = column.wrapped(b'"', b'"')
        count = int(np.count_nonzero(column.known))
        if quoted.data.count(b'"') == 2 * count and not quoted.data.translate(None, _PLAIN_JSON):
            return quoted if sparse else quoted.filled("null")
    encode = json.JSONEncoder(default=_text).encode
    if sparse:
        column = [ABSENT if value is None else value for value in values_of(column)]
    is_array = not isinstance(column, list)
    return spans_of(
        [
            None if v is ABSENT else "null" if is_array and v != v else encode(v)
            for v in values_of(column)
        ]
    )


def spans_of_values(column: Column, *, safe: bool = False) -> Spans:
    """Any column as texts; safe: texts that begin like a formula are quoted as text."""
    if isinstance(column, Spans) and not safe:
        return column
    if isinstance(column, np.ndarray) and column.dtype.kind in "iu" and column.ndim == 1:
        return decimals(np.ma.getdata(column), ~np.ma.getmaskarray(column))
    values = values_of(column)
    if safe:
        values = list(map(no_formula, values))
    return spans_of([value if isinstance(value, str) else _text_or_none(value) for value in values])


def no_formula(value: Any) -> Any:
    """The value; a text that a spreadsheet would take for a formula begins with an apostrophe."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


def _text_or_none(value: Any) -> str | None:
    return None if value is None or value is ABSENT else _text(value)


def _text(value: Any) -> str:
    """Any value as a text: lists and objects, true and false as JSON has them."""
    if isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return value.decode("utf-8", errors="replace")
    if isinstance(value, list | dict | bool):
        return json.dumps(value, default=_text)
    return str(value)


def _as_arrow(column: Column) -> Any:
    """A column as an Arrow array; values of several kinds become texts."""
    arrow = pyarrow()
    if isinstance(column, arrow.Array):
        return column
    if isinstance(column, Spans):
        return _arrow_texts(column)
    if not isinstance(column, list):
        return arrow.array(column)
    values = [None if value is ABSENT else value for value in column]
    try:
        return arrow.array(values)
    except (arrow.ArrowException, OverflowError, UnicodeEncodeError):
        return _texts(values)


def _texts(values: Sequence[Any]) -> Any:
    """Any values as an Arrow array of texts; half a character, which JSON can state, is escaped."""
    texts = map(_text_or_none, values)
    storable = [None if text is None else utf8(text).decode(errors="replace") for text in texts]
    return pyarrow().array(storable, pyarrow().string())


def _arrow_texts(column: Spans) -> Any:
    """Texts as an Arrow array; bytes that are no UTF-8 become replacement characters."""
    arrow = pyarrow()
    data = joined([column], len(column))
    if not data.isascii() or len(data) >= 1 << 31:
        return arrow.array(column.tolist(), arrow.string())
    stops = np.cumsum(np.maximum(column.stops - column.begins, 0))
    return arrow.StringArray.from_buffers(
        len(column),
        arrow.py_buffer(np.append(0, stops).astype(np.int32)),
        arrow.py_buffer(data),
        arrow.array(column.known).buffers()[1],
    )
