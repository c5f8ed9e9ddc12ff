"""Results as frames of pandas or polars, or as tables of pyarrow.

Invariant: a frame has a row for each row of the result, in order, and the columns that `batch`
writes, under the same names: statuses and solutions as texts, and no value for a missing rating.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

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
