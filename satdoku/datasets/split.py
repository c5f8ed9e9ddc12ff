"""Collections split into parts that share no puzzle, up to symmetry, nor a solution grid.

Invariant: which part a row belongs to depends on the rows, the seed and the ratio only, never on
the order of the rows, the chunks or the workers; and without quotas not even on the other rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack
from itertools import chain
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from ..audit.table import AuditRows
from ..errors import SatdokuError, Status
from ..files.outputs import check_outputs
from ..files.tables import open_table
from ..model.board import Board
from ..model.constraints import Constraints
from ..progress import Progress, reporting
from .assign import by_points, by_quotas, points_of
from .components import components
from .copies import copied, form_of
from .inputs import Inputs, read_twice
from .strata import MEASURES, Strata, measured, stated

if TYPE_CHECKING:
    from ..batch.cluster import Dask

BY = ("puzzle", "grid")
Places = NDArray[np.signedinteger[Any]]


def split_files(
    paths: str | Sequence[str],
    outputs: Sequence[str],
    ratio: Sequence[float] = (9, 1),
    rules: str | Constraints = "classic",
    *,
    seed: int = 0,
    by: str = BY[0],
    stratify: str | None = None,
    exact: bool = False,
    output_format: str | None = None,
    symmetry: bool = True,
    conflicts: int | None = None,
    format: str | None = None,
    columns: Mapping[str, str] | None = None,
    workers: int = 1,
    executor: str | Dask | Executor | None = None,
    progress: Progress = False,
    opened: Callable[[BinaryIO], None] | None = None,
    ignore_ruleset: bool = False,
) -> dict[str, Any]:
    """Write each row of files, with all its columns, to one of the outputs; return the counts.

    The outputs get rows as the ratio says, and share no puzzle: rows that are equal up to the
    symmetries of the rules stay together. With `by` "grid" those with the same solution grid up to
    symmetry do so, too. With `symmetry` false only equal rows count as equal.

    Where a class of puzzles goes is drawn from its canonical form and the seed. So rows stay in
    their part if others are added, and the sizes match the ratio on average. With `exact` they
    match it as closely as classes allow, with `stratify` for each value of "er", "givens", "nodes"
    or a column; then a few rows may move if others are added.

    Rows without a puzzle are left out. Puzzles without exactly one solution are split like the
    others. All other arguments are those of `clean_files`. The result has numbers of rows: "read",
    "left_out", "unsound" (in the parts, without exactly one solution); of each of the "parts" the
    path, rows and classes; and by name of each of the "strata" the rows of each part.
    """
    _check(outputs, ratio, by)
    names = [paths] if isinstance(paths, str) else list(paths)
    check_outputs(outputs, names)
    with ExitStack() as stack:
        more = stack.enter_context(reporting(progress, None, " rows"))
        stack.enter_context(read_twice(names))
        writers = [
            stack.enter_context(open_table(path, form_of(path, output_format))) for path in outputs
        ]
        inputs = Inputs(names, rules, format, columns, ignore_ruleset, opened, more)
        audit, rows, board = inputs.audited(
            symmetry=symmetry, conflicts=conflicts, ratings=stratify == "er", workers=workers,
            executor=executor,
        )  # fmt: skip
        strata = _strata(inputs, rows, board, stratify)
        groups = _groups(rows, by)
        parts = _parts(
            groups, _points(rows, by, seed), strata if stratify or exact else None, ratio
        )
        for part in copied(inputs.files(board=board, keep=True), range(len(parts))):
            for number, write in enumerate(writers):
                write(part.table.take(parts[part.rows] == number))
            more(part.chunk.rows)
    return {
        "symmetry": audit["symmetry"],
        "columns_left_out": list(dict.fromkeys(chain(*(write.left_out for write in writers)))),
        **_counts(rows, groups, parts, outputs),
        **({"strata": _shares(strata, parts, len(outputs))} if stratify else {}),
    }


def _check(outputs: Sequence[str], ratio: Sequence[float], by: str) -> None:
    if len(outputs) < 2 or len(outputs) != len(ratio):
        raise SatdokuError(
            f"ratio of {len(ratio)} numbers for {len(outputs)} outputs: expected one for each, "
            "at least two"
        )
    if not all(0 < share < 1e12 for share in ratio):
        raise SatdokuError(f"ratio {':'.join(map(str, ratio))}: expected numbers above 0")
    if by not in BY:
        raise SatdokuError(f"no '{by}' to split by: choose from {', '.join(BY)}")


def _strata(inputs: Inputs, rows: AuditRows, board: Board, name: str | None) -> Strata:
    """The strata of the rows; a single one without a name."""
    if name is None:
        return Strata(np.zeros(len(rows.line), np.intp), [""])
    if name in MEASURES:
        return measured(rows, name)
    return stated(inputs._replace(opened=None).files(board=board, keep=True), name)


def _groups(rows: AuditRows, by: str) -> Places:
    """The first row of each row's group (N,), -1 for a row without a puzzle."""
    return components(rows.cluster, rows.grid_cluster) if by == "grid" else rows.cluster


def _points(rows: AuditRows, by: str, seed: int) -> NDArray[np.float64]:
    """A point for each row (N,), the same for rows that are equal."""
    points = points_of(rows.exact if rows.symmetric is None else rows.symmetric, seed)
    if by == "grid":
        keys = rows.grid if rows.grid_symmetric is None else rows.grid_symmetric
        points = np.where(keys.any(axis=1), points_of(keys, seed), points)
    return points


def _parts(
    groups: Places, points: NDArray[np.float64], strata: Strata | None, ratio: Sequence[float]
) -> NDArray[np.int8]:
    """The part of each row (N,), -1 for those without a puzzle; without strata by points alone.

    A group has the least point and the least stratum of its rows.
    """
    there = np.flatnonzero(groups >= 0)
    is_head = groups == np.arange(len(groups), dtype=groups.dtype)
    classes = (np.cumsum(is_head, dtype=groups.dtype) - 1)[groups[there]]
    count = int(np.count_nonzero(is_head))
    least = np.ones(count)
    np.minimum.at(least, classes, points[there])
    if strata is None:
        found = by_points(least, ratio)
    else:
        numbers = np.full(count, len(strata.names))
        np.minimum.at(numbers, classes, strata.numbers[there])
        found = by_quotas(least, numbers, np.bincount(classes, minlength=count), ratio)
    parts = np.full(len(groups), -1, np.int8)
    parts[there] = found[classes]
    return parts


def _counts(
    rows: AuditRows, groups: Places, parts: NDArray[np.int8], outputs: Sequence[str]
) -> dict[str, Any]:
    heads = groups == np.arange(len(groups))
    return {
        "read": len(parts),
        "left_out": int(np.count_nonzero(parts < 0)),
        "unsound": int(np.count_nonzero((parts >= 0) & (rows.status != Status.UNIQUE))),
        "parts": [
            {
                "path": path,
                "rows": int(np.count_nonzero(parts == number)),
                "classes": int(np.count_nonzero(heads & (parts == number))),
            }
            for number, path in enumerate(outputs)
        ],
    }


def _shares(strata: Strata, parts: NDArray[np.int8], count: int) -> dict[str, list[int]]:
    """The rows of each part by the name of the stratum."""
    table = np.zeros((len(strata.names), count), np.int64)
    there = parts >= 0
    np.add.at(table, (strata.numbers[there], parts[there]), 1)
    return dict(zip(strata.names, table.tolist(), strict=True))
