"""What the parts of a data set should have in equal shares: difficulty, givens, or a column.

Invariant: a stratum is a value; strata are in the order of their values, whatever the rows' order.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from math import isnan
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..audit.table import AuditRows
from ..audit.tally import effort_bins
from ..errors import SatdokuError
from ..files.collection import Chunk
from ..files.tables import values_of

UNRATED = "unrated"
MEASURES = ("er", "givens", "nodes")  # which an audit knows; other names are columns


class Strata(NamedTuple):
    """The number of each row's stratum (N,) and the strata's names, in their order."""

    numbers: NDArray[np.intp]
    names: list[str]


def measured(rows: AuditRows, name: str) -> Strata:
    """Strata by one of `MEASURES`: ER in whole numbers, givens, nodes in powers of two."""
    if name == "er":
        values = np.floor(rows.scales[0])
        found = _strata(np.where(np.isnan(values), np.inf, values))
        return found._replace(names=[UNRATED if n == "inf" else n for n in found.names])
    return _strata(rows.givens if name == "givens" else effort_bins(rows.nodes))


def _strata(values: NDArray[Any]) -> Strata:
    found, numbers = np.unique(values, return_inverse=True)
    return Strata(numbers.reshape(-1), [f"{value:g}" for value in found.tolist()])


def stated(files: Iterable[tuple[str, Iterable[Chunk]]], column: str) -> Strata:
    """Strata by the values of a column: in the order of numbers if all are, else of texts.

    Raises `SatdokuError` if a file has no column of that name.
    """
    codes: dict[str, int] = {}
    numbers = []
    for chunk in chain.from_iterable(chunks for _, chunks in files):
        assert chunk.beside is not None
        if column not in chunk.beside.names:
            known = ", ".join((*MEASURES, *chunk.beside.names))
            raise SatdokuError(f"{chunk.source}: no column '{column}' to stratify by: {known}")
        texts = [str(value).strip() for value in values_of(chunk.beside.column(column))]
        numbers.append([codes.setdefault(text, len(codes)) for text in texts])
    ordered = _in_order(codes)
    places = np.empty(len(codes), np.intp)
    places[[codes[name] for name in ordered]] = np.arange(len(codes))
    return Strata(places[np.concatenate([np.array(part, np.intp) for part in numbers])], ordered)


def _in_order(names: Iterable[str]) -> list[str]:
    """As numbers if all are, `nan` last and equal ones by their texts."""
    try:
        return sorted(names, key=lambda name: (isnan(float(name)), _comparable(float(name)), name))
    except ValueError:
        return sorted(names)


def _comparable(number: float) -> float:
    return 0.0 if isnan(number) else number
