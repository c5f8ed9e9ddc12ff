"""Examine rows one by one: solutions, stated answers and the keys by which equal rows are found.

Invariant: the result for a row depends only on the row, and on its own rules if it has any. The
search and the witness are the same as in a batch. It does not matter which worker runs them.

Equal rows have equal keys on every machine. Two different rows have the same key with probability
2**-128, unless someone constructed them to collide. Among a billion rows, the probability that any
two collide is 2**-69. A key of two zeros stands for no key.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..batch.decide import BatchResult
from ..batch.options import BatchOptions
from ..batch.solve import by_constraints, solve_cells, solve_job
from ..files.collection import Chunk, Puzzles
from ..model.constraints import Constraints
from ..runtime.errors import Status
from ..symmetry import SymmetryError, forms_of
from ..witness.verify import solves_many
from .proofs import Proved, check_proofs

Keys = NDArray[np.uint64]  # (N, 2)
Places = NDArray[np.signedinteger[Any]]  # row numbers from 0


def fingerprints(rows: NDArray[Any], salt: str = "") -> Keys:
    """128-bit keys (N, 2) uint64 of rows (N, width) uint8 or bool; `salt` separates kinds of rows.

    Each half reads eight bytes at a time and mixes them by xor, multiplication with odd constants
    and shifts, like the finalizer of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014). Every step is
    one-to-one, so rows that differ only within one word of eight bytes never have the same key.
    Raises `TypeError` for values wider than a byte, whose byte order depends on the machine.
    """
    if rows.dtype.itemsize != 1:
        raise TypeError(f"rows of {rows.dtype}: expected uint8 or bool")
    count, width = rows.shape
    padded = np.zeros((count, -(-width // 8) * 8), np.uint8)
    padded[:, :width] = rows
    words = np.ascontiguousarray(padded.view("<u8").T).astype(np.uint64, copy=False)
    digest = hashlib.sha256(f"{width} {salt}".encode()).digest()
    seeds, factors = np.frombuffer(digest, "<u8").astype(np.uint64).reshape(2, 2)
    keys = np.empty((count, 2), np.uint64)
    for half in range(2):
        keys[:, half] = _mixed(words, seeds[half], factors[half] | np.uint64(1))
    return keys


def _mixed(words: NDArray[np.uint64], seed: np.uint64, factor: np.uint64) -> NDArray[np.uint64]:
    """One half of the keys, (N,), from words (width, N): each row of the input is a column here."""
    state = np.full(words.shape[1], seed, np.uint64)
    for word in words:
        state ^= word
        for multiplier, shift in ((factor, 32), (_MULTIPLIER, 29)):
            state *= multiplier
            state ^= state >> np.uint64(shift)
    return state


_MULTIPLIER = np.uint64(0xBF58476D1CE4E5B9)  # the first constant of SplitMix64


def first_equal(keys: Keys) -> Places:
    """For each of N keys, the first row with the same key (N,), the row itself if it is the first;
    -1 for a row that has no key, that is, both halves 0.

    int32, or int64 for more than 2**31 rows.
    """
    kind: type[np.signedinteger[Any]] = np.int32 if len(keys) <= 1 << 31 else np.int64
    order, new = _in_order(keys, kind)
    heads = np.where(new, np.arange(len(keys), dtype=kind), kind(0))
    first = np.empty(len(keys), kind)
    first[order] = order[np.maximum.accumulate(heads)]
    first[~keys.any(axis=1)] = -1
    return first


def _in_order(keys: Keys, kind: type[np.signedinteger[Any]]) -> tuple[Places, NDArray[np.bool_]]:
    """The rows (N,) sorted by key, equal ones in their order; and where a new key begins, (N,)."""
    order = np.argsort(keys[:, 0], kind="stable").astype(kind)
    new, differ = (_changes(keys[order, half]) for half in range(2))
    if (differ & ~new).any():  # two different keys share their first half: one in 2**64 pairs
        order = np.lexsort((keys[:, 1], keys[:, 0])).astype(kind)
        new, differ = (_changes(keys[order, half]) for half in range(2))
    return order, new | differ


def _changes(values: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Where a value differs from the one before; True for the first."""
    changes = np.ones(len(values), np.bool_)
    changes[1:] = values[1:] != values[:-1]
    return changes


Digits = NDArray[np.uint8]
Rows = NDArray[np.int64] | slice


class AnswerCheck(IntEnum):
    """The verdict on a stated answer; its value is the code in `Examined.answers`."""

    NOT_STATED = 0
    RIGHT = 1
    WRONG = 2  # incomplete, or it breaks a rule
    CHANGED = 3  # it is the solution of another puzzle: it changes a given
    UNREADABLE = 4


# Statuses whose search ended early: its number of nodes depends on the other puzzles in the block.
CUT_SHORT = [Status.MULTIPLE, Status.UNKNOWN]
KEYS = ("exact", "symmetric", "grid", "grid_symmetric")  # fields of `Examined`


class Examined(NamedTuple):
    """The results for N rows.

    statuses: (N,) uint8, codes of `Status`. nodes: (N,) uint32, search nodes. answers: (N,) uint8,
    codes of `AnswerCheck`. ratings: (N, 4) int32 as in `BatchResult`, (N, 0) if not requested.

    exact, symmetric: (N, 2) uint64 keys; they are equal for rows that have the same rules and the
    same puzzle, exactly or up to symmetry. grid, grid_symmetric: (N, 2) uint64 keys of the solution
    grids, whatever the rules of the rows, exactly or up to the symmetries of the rules of all rows.
    The grid of a puzzle is its only solution or, if it has several, the stated one if that is
    right; a puzzle without a known grid has keys of 0. The symmetric keys are None if they were not
    requested, or if some row has pencil marks (not for grids) or rules without a canonical form.

    proofs: see `Proved`; None if they were not asked for.
    """

    statuses: NDArray[np.uint8]
    nodes: NDArray[np.uint32]
    answers: NDArray[np.uint8]
    ratings: NDArray[np.int32]
    exact: Keys
    symmetric: Keys | None
    grid: Keys
    grid_symmetric: Keys | None
    proofs: Proved | None = None


def examine(
    puzzles: Puzzles,
    answers: Digits | None,
    options: BatchOptions,
    rules: Sequence[str] | None,
    symmetry: bool,
    proofs: Sequence[str] | None = None,
) -> Examined:
    """Examine each row as if every answer were stated; puzzles are those of `batch.solvable`.

    proofs: those that the rows state, to be checked.
    """
    count = len(puzzles)
    result = solve_job(puzzles, options, rules)
    codes = np.zeros(count, np.uint8)
    exact, symmetric = _no_keys(count), _no_keys(count)
    with_forms = symmetry
    for constraints, rows in _by_constraints(rules, options):
        some = puzzles[rows]
        exact[rows] = fingerprints(some, constraints.name)
        forms = _forms(some, constraints) if with_forms else None
        with_forms = forms is not None
        if forms is not None:
            symmetric[rows] = fingerprints(forms, constraints.name)
        if answers is not None:
            codes[rows] = _judge(some, answers[rows], replace(options, constraints=constraints))
    grids = _grid_keys(result, codes, answers, options, symmetry)
    proved = None
    if proofs is not None:
        alike = _by_constraints(rules, options)
        proved = check_proofs(proofs, puzzles, answers, result, alike)
    return Examined(
        result.statuses, result.nodes, codes, result.ratings, exact,
        symmetric if with_forms else None, *grids, proved,
    )  # fmt: skip


def _no_keys(count: int) -> Keys:
    return np.zeros((count, 2), np.uint64)


def _grid_keys(
    result: BatchResult,
    codes: NDArray[np.uint8],
    answers: Digits | None,
    options: BatchOptions,
    symmetry: bool,
) -> tuple[Keys, Keys | None]:
    """The keys of the solution grids, exactly and up to symmetry, as in `Examined`."""
    unique = result.statuses == Status.UNIQUE
    known = unique | (codes == AnswerCheck.RIGHT)
    grids = result.solutions
    if answers is not None:
        grids = np.where(unique[:, None], grids, answers)
    board = options.constraints.board
    grids = grids[known]
    grids[:, board.grid_cells :] = 0  # a solution is its digits
    exact = _no_keys(len(known))
    exact[known] = fingerprints(grids, "" if board.is_usual else str(board.row_form))
    forms = _forms(grids, options.constraints) if symmetry else None
    if forms is None:
        return exact, None
    symmetric = _no_keys(len(known))
    symmetric[known] = fingerprints(forms, options.constraints.name)
    return exact, symmetric


def _by_constraints(
    rules: Sequence[str] | None, options: BatchOptions
) -> Iterator[tuple[Constraints, Rows]]:
    """The rows of each rule set; there is one rule set if no row has its own rules."""
    if rules is None:
        yield options.constraints, slice(None)
        return
    yield from by_constraints(rules, options)


def _forms(puzzles: Puzzles, constraints: Constraints) -> Digits | None:
    """The canonical forms; None if there are none; all 0 for rows that are not puzzles."""
    if puzzles.dtype == np.bool_:
        return None
    try:
        if puzzles.max(initial=0) <= constraints.board.choices:
            return forms_of(puzzles, constraints)
        forms = np.zeros_like(puzzles)
        digits = puzzles.max(axis=1, initial=0) <= constraints.board.choices
        forms[digits] = forms_of(puzzles[digits], constraints)
    except SymmetryError:
        return None
    return forms


def _judge(puzzles: Puzzles, answers: Digits, options: BatchOptions) -> NDArray[np.uint8]:
    """A code for each answer: right, wrong in itself, or the solution of another puzzle."""
    board, rules = options.constraints.board, options.constraints.rules
    if board.layers:  # of which an answer says nothing: some values must go with it
        good = np.count_nonzero(answers, axis=1) == board.grid_cells
        found = solve_cells(answers[good], replace(options, limit=1, rated=False))
        good[good] = found.statuses == Status.SOLVED
    else:
        good = solves_many(answers, np.zeros_like(answers), rules, board)
    kept = ~lost_givens(puzzles, answers).any(axis=1)
    judged = np.where(kept, AnswerCheck.RIGHT, AnswerCheck.CHANGED)
    return np.where(good, judged, AnswerCheck.WRONG).astype(np.uint8)


def lost_givens(puzzles: Puzzles, answers: Digits) -> NDArray[np.bool_]:
    """Where answers (N, cells) contradict the puzzles or their pencil marks, (N, cells) bool."""
    if puzzles.dtype != np.bool_:
        lost: NDArray[np.bool_] = (puzzles != 0) & (puzzles != answers)
        return lost
    marks = puzzles.reshape(*answers.shape, -1)
    chosen = np.arange(1, marks.shape[2] + 1) == answers[:, :, None]
    excluded: NDArray[np.bool_] = (chosen & ~marks).any(axis=2)
    return excluded


def settled(chunk: Chunk, examined: Examined) -> Examined:
    """Complete the results with what only the chunk knows: unreadable rows, missing answers.

    Rows in `CUT_SHORT` have 0 nodes.
    """
    statuses, answers = examined.statuses.copy(), examined.answers.copy()
    if chunk.answers is not None:
        answers[~chunk.answers.stated] = AnswerCheck.NOT_STATED
        answers[_indices(chunk.answers.errors)] = AnswerCheck.UNREADABLE
    malformed = _indices(chunk.errors)
    statuses[malformed] = Status.INVALID
    answers[malformed] = AnswerCheck.NOT_STATED  # without a puzzle, no answer is right or wrong
    keys: dict[str, Any] = {name: _without(getattr(examined, name), malformed) for name in KEYS}
    nodes = np.where(np.isin(statuses, CUT_SHORT), np.uint32(0), examined.nodes)
    return examined._replace(statuses=statuses, nodes=nodes, answers=answers, **keys)


def _without(keys: Keys | None, rows: NDArray[np.int64]) -> Keys | None:
    """The keys, with none for these rows."""
    if keys is None or not len(rows):
        return keys
    keys = keys.copy()  # an array from another process may be read-only
    keys[rows] = 0
    return keys


def _indices(errors: dict[int, Any]) -> NDArray[np.int64]:
    return np.fromiter(errors, np.int64, len(errors))
