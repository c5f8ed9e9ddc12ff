"""Columns of results as Arrow has them.

Invariant: the kind of a column is told by its name, never by what stands in it.
"""

from __future__ import annotations

import json
from typing import Any

from ...files.collection.arrow import pyarrow
from ...files.collection.beside import Column
from ...files.tables import values_of
from .columns import OBJECTS, SCALES


def kind_of(name: str) -> Any:
    """Numbers as integers or floats, everything else as strings."""
    arrow = pyarrow()
    kinds = {"line": arrow.int64(), "givens": arrow.int32(), "nodes": arrow.int64()}
    kinds |= {"microseconds": arrow.float32()} | dict.fromkeys(SCALES, arrow.float64())
    return kinds.get(name, arrow.string())


def storable(name: str, column: Column) -> Any:
    """The column, texts such that UTF-8 can encode them; file names may hold other bytes."""
    values = values_of(column)
    if name in OBJECTS:
        values = [None if value is None else json.dumps(value) for value in values]
    if values and isinstance(values[0], str) and not all(map(str.isascii, values)):
        values = [text.encode("utf-8", errors="backslashreplace").decode() for text in values]
    return pyarrow().array(values, kind_of(name))
