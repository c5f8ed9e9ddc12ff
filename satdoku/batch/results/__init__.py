"""Results of a batch as files: lines, CSV, JSON lines, Parquet, numpy archives.

Invariant: one row per puzzle, in order, whatever its status; an invalid row says why.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import IO

from ...files.outputs import RESULT_FORMS, WITH_COLUMNS, open_output
from ...files.tables import open_table
from ...runtime.errors import no_such
from ..options import BatchOptions
from .carried import Carried
from .columns import ARRAYS, COLUMNS, ResultsError, Write, check_columns
from .texts import format_lines


@contextmanager
def open_results(
    path: str,
    form: str,
    columns: Sequence[str],
    options: BatchOptions,
    *,
    kept: Sequence[str] = (),
    keep: bool = True,
    csv_safe: bool = False,
) -> Iterator[Write]:
    """A function that writes chunks with their results to a file, in one of `RESULT_FORMS`.

    The file appears under its name only when it is complete; keep: see `open_output`. kept: columns
    of the input to write before, of chunks that `read_chunks(..., keep=True)` gives. csv_safe:
    texts in CSV that begin like a formula are quoted as text. Raises `ResultsError` for columns
    that the format cannot hold.
    """
    if form not in RESULT_FORMS:
        raise ResultsError(no_such("format", form, RESULT_FORMS))
    if kept and form not in WITH_COLUMNS:
        known = ", ".join(WITH_COLUMNS)
        raise ResultsError(f"{form} has no columns of the input: choose from {known}")
    check_columns(columns, form, ARRAYS if form == "npz" else COLUMNS)
    if csv_safe and form not in ("csv", "tsv"):
        raise ResultsError(f"--csv-safe is for csv, not for {form}")
    if name := RESULT_FORMS[form]:
        writer = globals()[name]
        with open_output(path, keep=keep) as out, writer(out, path, columns, options) as write:
            yield write
        return
    with open_table(path, form, keep=keep, safe=csv_safe) as table:
        yield Carried(table, form, kept, columns, options)


@contextmanager
def _line_writer(
    out: IO[bytes], path: str, columns: Sequence[str], options: BatchOptions
) -> Iterator[Write]:
    yield lambda chunk, result: out.write(format_lines(chunk, result, options))


def npz_columns(columns: Sequence[str]) -> tuple[str, ...]:
    """Those of the columns that an .npz file can hold."""
    return tuple(name for name in columns if name in ARRAYS)
