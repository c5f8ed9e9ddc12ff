"""Collect the findings of one file: counts, and the first examples of each kind.

Invariant: only the counts, ten examples of each kind, and the line and keys of each row are kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..batch.options import BatchOptions
from ..batch.results.columns import count_givens
from ..errors import Status
from ..files.collection import Chunk
from .details import describe_answer, describe_puzzle
from .fingerprint import Keys
from .rows import AnswerCheck, Examined

EXAMPLES = 10  # examples to keep of each kind of finding
# The kinds of findings in a file; `report.ADVICE` says what to do about each.
KINDS = (
    "malformed row", "clashing givens", "no solution", "several solutions", "undecided",
    "wrong answer", "givens changed", "unreadable answer", "exact duplicate", "symmetric duplicate",
)  # fmt: skip
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
_NAMES = {
    AnswerCheck.RIGHT: "right",
    AnswerCheck.WRONG: "wrong",
    AnswerCheck.CHANGED: "givens changed",
    AnswerCheck.UNREADABLE: "unreadable",
}
# Statuses whose search ended early: its number of nodes depends on the other puzzles in the block.
_CUT_SHORT = [Status.MULTIPLE, Status.UNKNOWN]

Example = dict[str, Any]


class FileTally:
    """The findings of one file so far, and the lines and keys of its rows that hold a puzzle.

    lines, exact, symmetric: one array per chunk, in order. symmetric is None as soon as some chunk
    has no symmetric keys.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.rows = 0
        self.own_rules = False  # whether any row has its own rules
        self.statuses: Counter[int] = Counter()
        self.answers: Counter[int] = Counter()
        self.givens: Counter[int] = Counter()
        self.effort: Counter[int] = Counter()
        self.duplicates: dict[str, int] = {}
        self.found: dict[str, int] = {}
        self.examples: dict[str, list[Example]] = {}
        self.lines: list[NDArray[np.int64]] = []
        self.exact: list[Keys] = []
        self.symmetric: list[Keys] | None = []

    def add(self, chunk: Chunk, examined: Examined, options: BatchOptions) -> None:
        """Count one more chunk, whose results are `settled`."""
        readable = np.ones(len(chunk.lines), dtype=np.bool_)
        readable[list(chunk.errors)] = False
        self.rows += len(readable)
        self.own_rules |= any(chunk.rules or ())
        _count(self.statuses, examined.statuses)
        _count(self.answers, examined.answers[examined.answers > 0])
        _count(self.givens, count_givens(chunk)[readable])
        searched = readable & ~np.isin(examined.statuses, _CUT_SHORT)
        _count(self.effort, effort_bins(examined.nodes[searched]))
        self._note_rows(chunk, examined, readable, options)
        self.lines.append(chunk.lines[readable])
        self.exact.append(examined.exact[readable])
        if self.symmetric is not None and examined.symmetric is not None:
            self.symmetric.append(examined.symmetric[readable])
        else:
            self.symmetric = None

    def _note_rows(
        self, chunk: Chunk, examined: Examined, readable: NDArray[np.bool_], options: BatchOptions
    ) -> None:
        """Note the findings that concern single rows."""
        self._note("malformed row", chunk, ~readable, lambda row: str(chunk.errors[row]))
        for status, kind in _OF_STATUS.items():
            rows = readable & (examined.statuses == status)
            self._note(kind, chunk, rows, lambda row: describe_puzzle(chunk, row, options))
        for code, kind in _OF_ANSWER.items():
            rows = examined.answers == code
            self._note(kind, chunk, rows, lambda row: describe_answer(chunk, row, options))

    def _note(
        self, kind: str, chunk: Chunk, rows: NDArray[np.bool_], describe: Callable[[int], str]
    ) -> None:
        known = len(self.examples.get(kind, ()))
        first = np.flatnonzero(rows)[: EXAMPLES - known].tolist()
        examples = [
            {
                "line": int(chunk.lines[row]),
                "id": (chunk.ids[row] if chunk.ids else None) or None,
                "detail": describe(row),
            }
            for row in first
        ]
        self.note(kind, int(np.count_nonzero(rows)), examples)

    def note(self, kind: str, count: int, examples: list[Example]) -> None:
        """Add `count` findings of a kind and, as far as there is room, their examples."""
        if count:
            self.found[kind] = self.found.get(kind, 0) + count
            self.examples.setdefault(kind, []).extend(examples)

    def report(self) -> dict[str, Any]:
        """The file's part of the report."""
        answers = {_NAMES[AnswerCheck(code)]: n for code, n in sorted(self.answers.items())}
        return {
            "path": self.path,
            "rows": self.rows,
            "statuses": {str(Status(code)): n for code, n in sorted(self.statuses.items())},
            "answers": {"stated": sum(answers.values()), **answers},
            "duplicates": self.duplicates,
            "givens": {str(number): n for number, n in sorted(self.givens.items())},
            "effort": {str(least): n for least, n in sorted(self.effort.items())},
            "findings": [
                {"kind": kind, "count": self.found[kind], "examples": self.examples[kind]}
                for kind in KINDS
                if kind in self.found
            ],
        }


def effort_bins(nodes: NDArray[np.uint32]) -> NDArray[np.int64]:
    """For each number of nodes, the largest power of two that is not greater; 0 for 0."""
    bits = np.frexp(nodes.astype(np.float64))[1].astype(np.int64)  # the number's length in bits
    bins: NDArray[np.int64] = np.left_shift(1, bits) >> 1
    return bins


def _count(counter: Counter[int], values: NDArray[Any]) -> None:
    numbers, counts = np.unique(values, return_counts=True)
    counter.update(dict(zip(numbers.tolist(), counts.tolist(), strict=True)))
