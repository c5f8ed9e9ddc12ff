"""Collections split into parts that share no puzzle, up to symmetry, nor a solution grid.

Invariant: which part a row belongs to depends on the rows, the seed and the ratio only, never on
the order of the rows, the chunks or the workers; and without quotas not even on the other rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..audit.files import ALL_CHECKS, Checks
from ..audit.table import AuditRows
from ..errors import SatdokuError, Status
from ..files.formats import AS_IT_IS, ReadOptions
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
    from ..batch.workers import WorkersLike

BY = ("puzzle", "grid")
Places = NDArray[np.signedinteger[Any]]


@dataclass(frozen=True)
class Splitting:
    """How rows are shared out.

    ratio: the relative sizes of the outputs, one number each. seed: of the draw. by: "puzzle", or
    "grid": rows with the same solution grid up to symmetry stay together, too. stratify: "er",
    "givens", "nodes" or a column, for each value of which the ratio holds. exact: match the ratio
    as closely as classes allow; then, as with `stratify`, a few rows may move if others are added.
    output_format: one of `TABLE_FORMS`; by default each file has the format of its ending.
    """

    ratio: Sequence[float] = (9, 1)
    seed: int = 0
    by: str = BY[0]
    stratify: str | None = None
    exact: bool = False
    output_format: str | None = None


_NINE_TO_ONE = Splitting()


def split_files(
    paths: str | Sequence[str],
    outputs: Sequence[str],
    rules: str | Constraints = "classic",
    *,
    splitting: Splitting = _NINE_TO_ONE,
    checks: Checks = ALL_CHECKS,
    reading: ReadOptions = AS_IT_IS,
    workers: WorkersLike = 1,
    progress: Progress = False,
) -> dict[str, Any]:
    """Write each row of files, with all its columns, to one of the outputs; return the counts.

    The outputs get rows as the ratio says, and share no puzzle: rows that are equal up to the
    symmetries of the rules stay together. If `checks` leave symmetry out, only equal rows count as
    equal; nothing else of the checks but `conflicts` matters here.

    Where a class of puzzles goes is drawn from its canonical form and the seed. So rows stay in
    their part if others are added, and the sizes match the ratio on average; see `Splitting`.

    Rows without a puzzle are left out. Puzzles without exactly one solution are split like the
    others. All other arguments are those of `clean_files`. The result has numbers of rows: "read",
    "left_out", "unsound" (in the parts, without exactly one solution); of each of the "parts" the
    path, rows and classes; and by name of each of the "strata" the rows of each part.
    """
    names = [paths] if isinstance(paths, str) else list(paths)
    return split(Inputs(names, rules, checks, reading, workers, progress), outputs, splitting)


def split(
    inputs: Inputs, outputs: Sequence[str], splitting: Splitting = _NINE_TO_ONE
) -> dict[str, Any]:
    """`split_files` for inputs."""
    ratio, by, stratify = splitting.ratio, splitting.by, splitting.stratify
    _check(outputs, ratio, by)
    check_outputs(outputs, inputs.paths)
    with ExitStack() as stack:
        more = stack.enter_context(reporting(inputs.progress, None, " rows"))
        stack.enter_context(read_twice(inputs.paths))
        writers = [
            stack.enter_context(open_table(path, form_of(path, splitting.output_format)))
            for path in outputs
        ]
        audit, rows, board = inputs.audited(more, ratings=stratify == "er")
        strata = _strata(inputs, rows, board, stratify)
        groups = _groups(rows, by)
        parts = _parts(
            groups,
            _points(rows, by, splitting.seed),
            strata if stratify or splitting.exact else None,
            ratio,
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
    return stated(inputs._replace(on_open=None).files(board=board, keep=True), name)


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
