"""Collect the findings of one file: counts, and the first examples of each kind, in words.

Invariant: only the counts and ten examples of each kind are kept. The words name the cells to look
at. They consist of numbers and names only, except the messages of rows that could not be read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..batch.options import BatchOptions
from ..batch.rated import scales
from ..batch.results.columns import count_givens
from ..batch.solve import constraints_of_row, describe_clash
from ..files.collection import Chunk
from ..files.foreign import UnstatedError
from ..model.board import Board
from ..model.grid import Grid
from ..runtime.errors import Status
from ..witness.verify import first_violation
from .rows import CUT_SHORT, AnswerCheck, Digits, Examined, lost_givens

EXAMPLES = 10  # examples to keep of each kind of finding
# The kinds of findings between files: a puzzle, or another puzzle of the same solution grid, that
# an earlier file holds.
LEAK, GRID_LEAK = "leak", "grid leak"
UNPROVED = "unproved"  # a row whose proof is missing, or does not hold
UNSTATED = "unstated rules"  # a row with rules in words or drawings alone
# All kinds of findings of a row; `report.ADVICE` says what to do about each.
KINDS = (
    "malformed row", UNSTATED, "clashing givens", "no solution", "several solutions", "undecided",
    "wrong answer", "givens changed", "unreadable answer", UNPROVED, "exact duplicate",
    "symmetric duplicate",
    LEAK, GRID_LEAK, "repeated grid",
)  # fmt: skip
FACTS = ("repeated grid",)  # kinds that are no fault
_OF_STATUS = {
    Status.INVALID: "clashing givens",
    Status.NONE: "no solution",
    Status.MULTIPLE: "several solutions",
    Status.UNKNOWN: "undecided",
}
_OF_ANSWER = {
    AnswerCheck.WRONG: "wrong answer",
    AnswerCheck.CHANGED: "givens changed",
    AnswerCheck.UNREADABLE: "unreadable answer",
}
OF_ANSWERS = tuple(_OF_ANSWER.values())
OF_ROWS = (
    "malformed row",
    UNSTATED,
    *_OF_STATUS.values(),
    *OF_ANSWERS,
    UNPROVED,
)  # that concern a row by itself
# What an answer is called, in the order of `AnswerCheck`; one that is not stated has no name.
ANSWERS = {
    AnswerCheck.RIGHT: "right",
    AnswerCheck.WRONG: "wrong",
    AnswerCheck.CHANGED: "givens changed",
    AnswerCheck.UNREADABLE: "unreadable",
}

Example = dict[str, Any]


def bit_of(kind: str) -> np.uint32:
    """The bit of a kind of finding in a row's kinds."""
    return np.uint32(1 << KINDS.index(kind))


def kinds_of(chunk: Chunk, examined: Examined) -> NDArray[np.uint32]:
    """The findings (N,) that concern single rows, as bits; the results are `settled`."""
    malformed, unstated = ~chunk.readable, np.zeros(chunk.rows, np.bool_)
    unstated[[row for row, error in chunk.errors.items() if isinstance(error, UnstatedError)]] = (
        True
    )
    kinds = (malformed & ~unstated) * bit_of("malformed row") | unstated * bit_of(UNSTATED)
    for status, kind in _OF_STATUS.items():
        kinds |= (~malformed & (examined.statuses == status)) * bit_of(kind)
    for code, kind in _OF_ANSWER.items():
        kinds |= (examined.answers == code) * bit_of(kind)
    if examined.proofs is not None:
        kinds[list(examined.proofs.reasons)] |= bit_of(UNPROVED)
    return kinds


class FileTally:
    """The findings of one file so far."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.rows = 0
        self.layout = ""
        self.own_rules = False  # whether any row has its own rules
        self.statuses: Counter[int] = Counter()
        self.answers: Counter[int] = Counter()
        self.givens: Counter[int] = Counter()
        self.effort: Counter[int] = Counter()
        self.ratings: Counter[float] = Counter()
        self.duplicates: dict[str, int] = {}
        self.grids: dict[str, int] = {}
        self.sound = 0  # rows with nothing that is a fault
        self.proofs: Counter[str] = Counter()
        self.proof_seconds = 0.0
        self.found: dict[str, int] = {}
        self.examples: dict[str, list[Example]] = {}

    def add(
        self, chunk: Chunk, examined: Examined, kinds: NDArray[np.uint32], options: BatchOptions
    ) -> None:
        """Count one more chunk, whose results are `settled`, with its `kinds_of` findings."""
        readable = kinds & (bit_of("malformed row") | bit_of(UNSTATED)) == 0
        self.rows += len(readable)
        self.layout = self.layout or chunk.layout
        self.own_rules |= any(chunk.rules or ())
        _count(self.statuses, examined.statuses)
        _count(self.answers, examined.answers[examined.answers > 0])
        _count(self.givens, count_givens(chunk)[readable])
        searched = readable & ~np.isin(examined.statuses, CUT_SHORT)
        _count(self.effort, effort_bins(examined.nodes[searched]))
        er = scales(examined.ratings)[0] if examined.ratings.shape[1] else np.zeros(0)
        _count(self.ratings, er[~np.isnan(er)])
        reasons: Mapping[int, str] = {}
        if (proved := examined.proofs) is not None:
            reasons, asked = proved.reasons, int(np.count_nonzero(proved.asked))
            self.proofs.update(checked=asked, unproved=len(reasons), proved=asked - len(reasons))
            self.proof_seconds += proved.seconds
        for kind in OF_ROWS:
            self._note(kind, chunk, kinds & bit_of(kind) != 0, options, reasons)

    def _note(
        self,
        kind: str,
        chunk: Chunk,
        rows: NDArray[np.bool_],
        options: BatchOptions,
        reasons: Mapping[int, str],
    ) -> None:
        """Note the findings of a kind that concern single rows."""
        known = len(self.examples.get(kind, ()))
        first = np.flatnonzero(rows)[: EXAMPLES - known].tolist()
        examples = [
            {
                "line": int(chunk.lines[row]),
                "id": (chunk.ids[row] if chunk.ids else None) or None,
                "detail": reasons[row]
                if kind == UNPROVED
                else _describe(kind, chunk, row, options),
            }
            for row in first
        ]
        self.note(kind, int(np.count_nonzero(rows)), examples)

    def note(self, kind: str, count: int, examples: list[Example]) -> None:
        """Add `count` findings of a kind and, as far as there is room, their examples."""
        if count:
            self.found[kind] = self.found.get(kind, 0) + count
            self.examples.setdefault(kind, []).extend(examples)

    def report(self, allowed: Collection[str] = FACTS) -> dict[str, Any]:
        """The file's part of the report; kinds in `FACTS` are findings unless they are allowed."""
        answers = {ANSWERS[AnswerCheck(code)]: n for code, n in sorted(self.answers.items())}
        return {
            "path": self.path,
            "layout": self.layout,
            "rows": self.rows,
            "sound": self.sound,
            "statuses": {str(Status(code)): n for code, n in sorted(self.statuses.items())},
            "answers": {"stated": sum(answers.values()), **answers},
            "proofs": dict(self.proofs),
            "duplicates": self.duplicates,
            "grids": self.grids,
            "givens": {str(number): n for number, n in sorted(self.givens.items())},
            "effort": {str(least): n for least, n in sorted(self.effort.items())},
            "ratings": {str(er): n for er, n in sorted(self.ratings.items())},
            "findings": [
                {"kind": kind, "count": self.found[kind], "examples": self.examples[kind]}
                for kind in KINDS
                if kind in self.found and not (kind in FACTS and kind in allowed)
            ],
        }


def _describe(kind: str, chunk: Chunk, row: int, options: BatchOptions) -> str:
    if kind in ("malformed row", UNSTATED):
        return str(chunk.errors[row])
    describe = describe_puzzle if kind in _OF_STATUS.values() else describe_answer
    return describe(chunk, row, options)


def effort_bins(nodes: NDArray[np.uint32]) -> NDArray[np.int64]:
    """For each number of nodes, the largest power of two that is not greater; 0 for 0."""
    bits = np.frexp(nodes.astype(np.float64))[1].astype(np.int64)  # the number's length in bits
    bins: NDArray[np.int64] = np.left_shift(1, bits) >> 1
    return bins


def _count(counter: Counter[Any], values: NDArray[Any]) -> None:
    numbers, counts = np.unique(values, return_counts=True)
    counter.update(dict(zip(numbers.tolist(), counts.tolist(), strict=True)))


def describe_puzzle(chunk: Chunk, row: int, options: BatchOptions) -> str:
    """Describe two givens that clash or, if none do, give the puzzle itself."""
    constraints = constraints_of_row(chunk, row, options)
    if chunk.puzzles.dtype == np.bool_:
        return _describe_marks(chunk, row, constraints.board)
    return describe_clash(chunk, row, options) or str(
        _grid_of(chunk.puzzles[row], constraints.board)
    )


def _describe_marks(chunk: Chunk, row: int, board: Board) -> str:
    marks = chunk.puzzles[row].reshape(board.cells, board.choices)
    bare = np.flatnonzero(~marks.any(axis=1))
    if len(bare):
        return f"{board.name_of(int(bare[0]))} has no pencil mark"
    return f"{np.count_nonzero(marks)} of {board.variables} pencil marks"


def describe_answer(chunk: Chunk, row: int, options: BatchOptions) -> str:
    """Describe why a stated answer is not the solution of its puzzle."""
    assert chunk.answers is not None
    if row in chunk.answers.errors:
        return str(chunk.answers.errors[row])
    constraints = constraints_of_row(chunk, row, options)
    answer = _grid_of(chunk.answers.cells[row], constraints.board)
    known = answer.cells[: constraints.board.grid_cells]
    if empty := known.count(0):
        where = constraints.board.name_of(known.index(0))
        return f"{where} of the answer is empty" + (f", and {empty - 1} more" if empty > 1 else "")
    if broken := first_violation(answer, constraints.rules):
        return f"in the answer {broken.describe(answer)}"
    lost = lost_givens(chunk.puzzles[row, None], chunk.answers.cells[row, None])
    if not lost.any():
        return "no values of the layers go with the answer"
    cell = int(np.argmax(lost))
    said = f"{constraints.board.name_of(cell)} is {answer.values[cell]} in the answer"
    if chunk.puzzles.dtype == np.bool_:
        return f"{said}, which the pencil marks exclude"
    puzzle = _grid_of(chunk.puzzles[row], constraints.board)
    return f"{said}, {puzzle.values[cell]} in the puzzle"


def _grid_of(cells: Digits, board: Board) -> Grid:
    return Grid(cells.tobytes(), board)
