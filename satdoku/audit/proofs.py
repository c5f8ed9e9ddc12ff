"""The proofs that a data set states, row by row.

Invariant: a row counts as proved only if its proof holds for its puzzle and its answer, and claims
the status that the audit finds. The check knows nothing of the search that found the status.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..batch.decide import BatchResult
from ..files.collection import Chunk, Puzzles
from ..files.outputs import TREES
from ..files.tables import values_of
from ..model.constraints import Constraints
from ..runtime.errors import SatdokuError, Status

if TYPE_CHECKING:
    from ..certificates.proof.sums import Derived
    from ..certificates.tree.files import Head
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


class Unfit(str):
    """What is said in place of a proof: why there is none."""


@contextmanager
def opened_proofs(name: str | None) -> Iterator[Callable[[Chunk], list[str] | None]]:
    """What tells the proofs of chunks, one after the other; None if none are asked for.

    name: of a column, or of a file of proof trees (`is_file`), whose row n is about row n of all
    chunks. Raises `SatdokuError` at the end if the file has more rows than there were.
    """
    if name is None:
        yield lambda chunk: None
    elif is_file(name):
        trees = _TreeFile(name)
        yield trees.texts
        trees.finish()
    else:
        yield partial(stated_proofs, name=name)


def is_file(name: str) -> bool:
    """Whether proofs of that name are those of a file."""
    return name.endswith(TREES)


class _TreeFile:
    """The rows of a file of proof trees, as a column would state them."""

    def __init__(self, name: str) -> None:
        from ..certificates.check_trees import rows_in

        self._name, self._rows = name, rows_in(name)
        self._strange = 0  # the number of the first row that is about another puzzle

    def texts(self, chunk: Chunk) -> list[str]:
        """Those of the next rows."""
        answers = None if chunk.answers is None else chunk.answers.cells
        texts = list[str]()
        for at, told in zip(range(chunk.rows), self._rows, strict=False):
            is_read = chunk.puzzles.dtype != np.bool_ and at not in chunk.errors
            puzzle = chunk.puzzles[at].tobytes() if is_read else None
            texts.append(
                self._text(told, puzzle, b"" if answers is None else answers[at].tobytes())
            )
        return texts + [Unfit(f"{self._name} has no such row")] * (chunk.rows - len(texts))

    def _text(self, told: tuple[int, Head, Row], puzzle: bytes | None, answer: bytes) -> str:
        """That of a row, beside a puzzle if one was read."""
        from ..certificates.tree.rows import NO_CLAIM
        from ..certificates.tree_texts import text_of

        number, head, row = told
        if puzzle in (None, row.puzzle) or row.claim == NO_CLAIM:
            return text_of(row, answer, head.board, head.sums)
        self._strange = self._strange or number
        return Unfit(f"{self._name}: row {number:,} is about another puzzle")

    def finish(self) -> None:
        """Raise `SatdokuError` if rows are left."""
        if (left := next(self._rows, None)) is None:
            return
        about = (
            f"; row {self._strange:,} is the first about another puzzle" if self._strange else ""
        )
        raise SatdokuError(f"{self._name}: row {left[0]:,}: more rows than are audited{about}")


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
    alike: defaultdict[tuple[Derived, ...], list[tuple[int, Row]]] = defaultdict(list)
    for place, row, sums in _read(told, constraints, reasons):
        alike[sums].append((place, row))
    for sums, rows in alike.items():
        checker = checker_of(constraints.board, constraints.rules, sums)
        found = checker.refusals(columns(row for _, row in rows))
        reasons |= {rows[at][0]: reason for at, reason in found.items()}
    return reasons


def _read(
    told: Iterable[tuple[int, str, bytes, bytes, int]],
    constraints: Constraints,
    reasons: dict[int, str],
) -> Iterator[tuple[int, Row, tuple[Derived, ...]]]:
    """The rows that can be read and claim their statuses, and their sums; `reasons` gets what is
    wrong with the others."""
    from ..certificates.tree.rows import claim_of
    from ..certificates.tree_texts import row_of, sums_in

    for place, text, puzzle, solution, status in told:
        if isinstance(text, Unfit):
            reasons[place] = text
            continue
        try:
            plain, sums = sums_in(text)
            row = row_of(plain, puzzle, solution, constraints.board)
        except SatdokuError as error:
            reasons[place] = str(error) if text else "no proof"
            continue
        if (claim := claim_of(row.claim)) == _CLAIMS[Status(status)]:
            yield place, row, sums
        else:
            reasons[place] = f"the proof claims {claim}, the puzzle is {Status(status)}"
