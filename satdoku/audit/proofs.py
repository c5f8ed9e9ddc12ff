"""The proofs that a data set states, row by row.

Invariant: a row counts as proved only if its proof holds for its puzzle and its answer, and claims
the status that the audit finds. The check knows nothing of the search that found the status.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..batch.decide import BatchResult
from ..files.collection import Chunk, Puzzles
from ..files.tables import values_of
from ..model.constraints import Constraints
from ..runtime.errors import SatdokuError, Status

if TYPE_CHECKING:
    from ..certificates.tree.rows import Row

_CLAIMS = {Status.UNIQUE: "unique", Status.MULTIPLE: "multiple", Status.NONE: "none"}

_PROVABLE = np.zeros(256, np.bool_)  # by status
_PROVABLE[[*_CLAIMS]] = True


class Proved(NamedTuple):
    """Of N rows: (N,) bool, which have a status that can be proved; why rows of these are not
    proved, by row; and the processor time of the check."""

    asked: NDArray[np.bool_]
    reasons: dict[int, str]
    seconds: float


def stated_proofs(chunk: Chunk, name: str) -> list[str]:
    """The texts of a column of a chunk that was read with all its columns, empty for none.

    Raises `SatdokuError` if there is no such column.
    """
    table = chunk.beside
    if table is None:
        raise SatdokuError(f"{chunk.source}: proofs are checked in files: expected `audit_files`")
    if name not in table.names:
        found = ", ".join(table.names)
        raise SatdokuError(f"{chunk.source}: no column '{name}': its columns are {found}")
    return [value if isinstance(value, str) else "" for value in values_of(table.column(name))]


def check_proofs(
    texts: Sequence[str],
    puzzles: Puzzles,
    answers: NDArray[np.uint8] | None,
    result: BatchResult,
    alike: Iterable[tuple[Constraints, Any]],
) -> Proved:
    """Check the proofs of rows with these results; alike: the rows of each rule set.

    A proof is about the stated answer; where none is stated, about the one that was found.
    """
    begun = time.thread_time()
    asked = _PROVABLE[result.statuses]
    solutions = result.solutions
    if answers is not None:
        solutions = np.where(answers.any(axis=1, keepdims=True), answers, solutions)
    reasons: dict[int, str] = {}
    if puzzles.dtype == np.bool_:
        reasons = dict.fromkeys(np.flatnonzero(asked).tolist(), "pencil marks have no proofs")
    else:
        for constraints, rows in alike:
            some = np.arange(len(asked))[rows]
            told = (
                (row, texts[row], puzzles[row].tobytes(), solutions[row].tobytes(), status)
                for row, status in zip(some.tolist(), result.statuses[some].tolist(), strict=True)
                if asked[row]
            )
            reasons |= _refusals(told, constraints)
    return Proved(asked, reasons, time.thread_time() - begun)


def _refusals(
    told: Iterable[tuple[int, str, bytes, bytes, int]], constraints: Constraints
) -> dict[int, str]:
    """Why rows are not proved; each comes with its place, text, puzzle, solution and status."""
    from ..certificates.check_trees import checker_of
    from ..certificates.tree.rows import columns

    reasons: dict[int, str] = {}
    places, rows = [], []
    for place, row in _read(told, constraints, reasons):
        places.append(place)
        rows.append(row)
    checker = checker_of(constraints.board, constraints.rules)
    found = checker.refusals(columns(rows)) if rows else {}
    return reasons | {places[at]: reason for at, reason in found.items()}


def _read(
    told: Iterable[tuple[int, str, bytes, bytes, int]],
    constraints: Constraints,
    reasons: dict[int, str],
) -> Iterator[tuple[int, Row]]:
    """The rows that can be read and claim their statuses; `reasons` gets what is wrong with the
    others."""
    from ..certificates.tree.rows import claim_of
    from ..certificates.tree_texts import row_of

    for place, text, puzzle, solution, status in told:
        try:
            row = row_of(text, puzzle, solution, constraints.board)
        except SatdokuError as error:
            reasons[place] = str(error) if text else "no proof"
            continue
        if (claim := claim_of(row.claim)) == _CLAIMS[Status(status)]:
            yield place, row
        else:
            reasons[place] = f"the proof claims {claim}, the puzzle is {Status(status)}"
