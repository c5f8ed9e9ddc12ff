"""Results as frames of pandas or polars, or as tables of pyarrow; and columns of such frames.

Invariant: a frame has a row for each row of the result, in order, and the columns that `batch`
writes, under the same names: statuses and solutions as texts, and no value for a missing rating.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ..model.grid import Grid
from ..runtime.errors import SatdokuError, Status, no_such

Columns = Mapping[str, Any]  # N values each, by name: a list or an array (N,)


class FrameError(SatdokuError):
    """A kind of frame that is not known, or whose library is not installed."""


class Framed(Protocol):
    """A result with columns: of `solve_batch`, `rate_batch`, an audit's rows, a batch of a file."""

    def columns(self) -> Columns: ...


def as_frame(result: Framed, kind: str = "pandas") -> Any:
    """The result as a frame: `pandas`, `polars`, or a table of `pyarrow`.

    The library is imported here; raises `FrameError` if it is not installed.
    """
    if kind not in _MAKERS:
        raise FrameError(no_such("frame", kind, _MAKERS))
    try:
        library = import_module(kind)
    except ImportError:
        raise FrameError(f"frames of {kind} need the package: pip install {kind}") from None
    return _MAKERS[kind](library, result.columns())


_MAKERS: dict[str, Callable[[Any, Columns], Any]] = {
    "pandas": lambda pandas, columns: pandas.DataFrame(dict(columns)),
    "polars": lambda polars, columns: polars.DataFrame(dict(columns), nan_to_null=True),
    "pyarrow": lambda pyarrow, columns: pyarrow.table(  # with `from_pandas`, nan is null
        {name: pyarrow.array(values, from_pandas=True) for name, values in columns.items()}
    ),
}


def status_texts(statuses: NDArray[np.uint8]) -> list[str]:
    """The names of statuses (N,), such as `unique`."""
    names = [str(status) for status in Status]
    return [names[code] for code in statuses.tolist()]


# Columns of frames --------------------------------------------------------------------------------


def collected(data: Any) -> Any:
    """The data; the frame of a lazy one, which polars makes of a plan."""
    return data.collect() if type(data).__name__ == "LazyFrame" else data


def names_of(data: Any) -> list[str] | None:
    """The names of the columns of a frame, or of a dict of columns; None if there are none."""
    keys = _keys_of(data)
    return None if keys is None else list(map(str, keys))


def column_of(data: Any, name: str) -> Any:
    """The column of that name, which may be a number."""
    keys = _keys_of(data)
    assert keys is not None
    return data[next(key for key in keys if str(key) == name)]


def _keys_of(data: Any) -> Iterable[Any] | None:
    if isinstance(data, Mapping):
        return data
    names = getattr(data, "column_names", None)  # pyarrow, whose `columns` are the values
    return getattr(data, "columns", None) if names is None else names


def values_of(column: Any) -> Any:
    """A column as a list with None for what is missing; numbers for every cell stay an array."""
    if hasattr(column, "to_pylist"):
        values: list[Any] = column.to_pylist()
        return values
    array = np.asarray(column) if hasattr(column, "__array__") else None
    if array is not None and array.ndim > 1:
        return array
    return list(map(_value, column if array is None else array.tolist()))


def _value(value: Any) -> Any:
    """A value as `files` know it: None if it is missing, whatever a library calls that."""
    if isinstance(value, Grid):
        return str(value)
    if isinstance(value, bytes):
        return value.decode("utf-8", errors="replace")
    is_missing = type(value).__name__ == "NAType" or (isinstance(value, float) and value != value)
    return None if is_missing else value.tolist() if isinstance(value, np.ndarray) else value
