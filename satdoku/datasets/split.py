"""Collections split into parts that share no puzzle, up to symmetry, nor a solution grid.

Invariant: which part a row belongs to depends on the rows, the seed and the ratio only, never on
the order of the rows, the chunks or the workers; and without quotas not even on the other rows.
Rows that a chain links in which neighbours have an equal puzzle or solution grid are one class, and
a class lies in one part. The parts may have a stratum, a value, in equal shares: difficulty, givens
or a column.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import chain, pairwise
from math import isnan
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..audit.files import ALL_CHECKS, Checks
from ..audit.rows import Keys, fingerprints
from ..audit.table import AuditRows
from ..audit.tally import effort_bins
from ..files.collection import Chunk
from ..files.formats import AS_IT_IS, ReadOptions
from ..files.outputs import check_outputs
from ..files.streams import File, Files, files_named, named
from ..files.tables import open_table, values_of
from ..model.board import Board
from ..model.constraints import RulesLike
from ..runtime.errors import SatdokuError, Status
from ..runtime.progress import Progress, reporting
from .inputs import Inputs, copied, read_twice

if TYPE_CHECKING:
    from ..runtime.workers import WorkersLike


Places = NDArray[np.signedinteger[Any]]
Points = NDArray[np.float64]  # in [0, 1)

_AT_ONCE = 1 << 16  # keys whose copies are in memory together


def points_of(keys: Keys, seed: int) -> Points:
    """A point in [0, 1) for each key (N, 2), evenly spread and different for each seed."""
    points = np.empty(len(keys))
    for start in range(0, len(keys), _AT_ONCE):
        part = slice(start, start + _AT_ONCE)
        some = np.ascontiguousarray(keys[part], "<u8").view(np.uint8)
        points[part] = fingerprints(some, f"split {seed}")[:, 0] >> np.uint64(11)
    return points * 2.0**-53


def by_points(points: Points, ratio: Sequence[float]) -> Places:
    """The part (N,) of each class by its point alone: other classes do not matter."""
    bounds = np.cumsum(ratio)[:-1] / sum(ratio)
    return np.searchsorted(bounds, points, side="right").astype(np.int64)


def by_quotas(points: Points, strata: Places, rows: Places, ratio: Sequence[float]) -> Places:
    """The part (N,) of each class, so that every stratum is divided by the ratio.

    strata, rows: (N,), the number of each class's stratum and of its rows. The ratio is met as far
    as classes of several rows allow. Fractions of a row are passed on to the next stratum,
    so that the whole is divided by the ratio, too, even if each stratum holds one class.
    """
    parts = np.full(len(points), len(ratio) - 1)
    left = np.lexsort((points, strata))
    for part in range(len(ratio) - 1):
        taken = _taken(strata[left], rows[left], ratio[part] / sum(ratio[part:]))
        parts[left[taken]] = part
        left = left[~taken]
    return parts


def _taken(strata: Places, rows: Places, share: float) -> NDArray[np.bool_]:
    """The first classes of each stratum that together hold its share of the rows."""
    ends = np.cumsum(rows)
    middles = ends - rows / 2
    taken = np.zeros(len(rows), np.bool_)
    bounds = [0, *(np.flatnonzero(np.diff(strata)) + 1).tolist(), len(rows)]
    passed_on, done = 0.0, 0  # rows of the share that earlier strata lack; rows so far
    for start, stop in pairwise(bounds if len(rows) else []):
        wanted = passed_on + share * (int(ends[stop - 1]) - done)
        count = int(np.searchsorted(middles[start:stop], done + wanted))
        taken[start : start + count] = True
        passed_on = wanted - (int(ends[start + count - 1]) - done if count else 0)
        done = int(ends[stop - 1])
    return taken


def components(puzzles: Places, grids: Places) -> Places:
    """The component (N,) of each row, named by its first row; -1 for a row without a puzzle.

    puzzles, grids: (N,), the first row of the same class, -1 for none (as `first_equal` gives).
    """
    found = puzzles.copy()
    linked = (puzzles >= 0) & (grids >= 0)
    while True:
        joined = _joined(_joined(found, grids, linked), puzzles, puzzles >= 0)
        if np.array_equal(joined, found):
            return found
        found = joined


def _joined(found: Places, labels: Places, rows: NDArray[np.bool_]) -> Places:
    """The components, with the least one of each label for all rows that have it."""
    least = np.arange(len(found), dtype=found.dtype)
    np.minimum.at(least, labels[rows], found[rows])
    joined = found.copy()
    joined[rows] = least[labels[rows]]
    return joined


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
        found = _by_number(np.where(np.isnan(values), np.inf, values))
        return found._replace(names=[UNRATED if n == "inf" else n for n in found.names])
    return _by_number(rows.givens if name == "givens" else effort_bins(rows.nodes))


def _by_number(values: NDArray[Any]) -> Strata:
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


BY = ("puzzle", "grid")


@dataclass(frozen=True)
class Splitting:
    """How rows are shared out.

    ratio: the relative sizes of the outputs, one number each. seed: of the draw. by: "puzzle", or
    "grid": rows with the same solution grid up to symmetry stay together, too. stratify: "er",
    "givens", "nodes" or a column, for each value of which the ratio holds. exact: match the ratio
    as closely as classes allow; then, as with `stratify`, a few rows may move if others are added.
    output_format: one of `TABLE_FORMS`; by default each file has the format of its ending.
    train_size: how many rows the first output gets, in place of a share; `ratio` divides the others
    among the rest. It is met as closely as classes allow.
    """

    ratio: Sequence[float] = (9, 1)
    seed: int = 0
    by: str = BY[0]
    stratify: str | None = None
    exact: bool = False
    output_format: str | None = None
    train_size: int | None = None


_NINE_TO_ONE = Splitting()


def split_files(
    paths: Files,
    outputs: Sequence[File],
    rules: RulesLike = "classic",
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
    inputs = Inputs(files_named(paths), rules, checks, reading, workers, progress)
    return split(inputs, list(map(named, outputs)), splitting)


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
            stack.enter_context(open_table(path, splitting.output_format)) for path in outputs
        ]
        audit, rows, usual = inputs.audited(more, ratings=stratify == "er")
        strata = _strata(inputs, rows, usual, stratify)
        groups = _groups(rows, by)
        if splitting.train_size is not None:
            ratio = _sized(splitting.train_size, int(np.count_nonzero(groups >= 0)), ratio)
        parts = _parts(
            groups,
            _points(rows, by, splitting.seed),
            strata if stratify or splitting.exact or splitting.train_size else None,
            ratio,
        )
        for part in copied(inputs.files(usual=usual, keep=True), range(len(parts))):
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


def _sized(size: int, rows: int, ratio: Sequence[float]) -> list[float]:
    """The ratio that gives `size` of these rows to the first part."""
    if not 0 < size < rows:
        raise SatdokuError(f"train size {size:,}: expected 1 to {rows - 1:,}, of {rows:,} puzzles")
    return [size, *((rows - size) * share / sum(ratio[1:]) for share in ratio[1:])]


def _strata(inputs: Inputs, rows: AuditRows, usual: Board | None, name: str | None) -> Strata:
    """The strata of the rows; a single one without a name."""
    if name is None:
        return Strata(np.zeros(len(rows.line), np.intp), [""])
    if name in MEASURES:
        return measured(rows, name)
    return stated(inputs._replace(on_open=None).files(usual=usual, keep=True), name)


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
