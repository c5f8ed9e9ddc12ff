"""The columns that results may have, each made for a whole chunk at once.

Invariant: a column has one value per puzzle, in order, whatever its status. What could not be read
is not taken for an empty grid.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from math import isnan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...answers.api import layers_in_several_ways
from ...files.cells import digits_of
from ...files.collection import Chunk
from ...files.collection.beside import Column, grid_spans
from ...files.spans import Spans, chosen
from ...model.grid import Grid, layer_values
from ...model.puzzle import of_cells
from ...runtime.errors import SatdokuError, Status, no_such
from ..decide import BatchResult
from ..options import PROOF, BatchOptions
from ..rated import ratings_of_each, scales, techniques
from ..solve import constraints_of_row, describe_clash

Texts = list[str]
Write = Callable[[Chunk, BatchResult], object]
# The columns that a numpy archive can hold: statuses as codes, grids as digits.
ARRAYS = (
    "line", "puzzle", "status", "solution", "givens", "nodes", "microseconds", "er", "ep", "ed",
)  # fmt: skip
SCALES = ("er", "ep", "ed")
RATED = (*SCALES, "technique")  # columns for which puzzles are rated

DEFAULT_COLUMNS = ("line", "puzzle", "status", "solution", "reason")
NUMBERS = ("line", "givens", "nodes", "microseconds")
OBJECTS = ("layers", "several_ways")  # what is no number and no text: JSON in other formats
ALWAYS = ("puzzle", *NUMBERS)  # keys of JSON that no row lacks
_CONTROL = re.compile("[\0-\x1f\x7f]+")


class ResultsError(SatdokuError):
    """A format or column that does not exist, or columns that the format cannot hold."""


def check_columns(columns: Sequence[str], form: str, known: Sequence[str]) -> None:
    """Raise `ResultsError` for a column that is not known, or asked for twice."""
    if wrong := [name for name in columns if name not in known]:
        raise ResultsError(no_such("column", wrong[0], known, f" in {form}"))
    if twice := [name for name in columns if columns.count(name) > 1]:
        raise ResultsError(f"column '{twice[0]}' twice")


def reasons(chunk: Chunk, result: BatchResult, options: BatchOptions) -> dict[int, str]:
    """One line for each invalid row: what could not be read, or which givens clash."""
    # An error may hold any file name, even one with line ends.
    found = {row: _CONTROL.sub(" ", str(error)) for row, error in chunk.errors.items()}
    for row in np.flatnonzero(result.statuses == Status.INVALID).tolist():
        if row not in found and (clash := describe_clash(chunk, row, options)):
            found[row] = clash
    return found


def count_givens(chunk: Chunk) -> NDArray[np.int64]:
    """Number of givens of each puzzle; for pencil marks, the cells with a single candidate."""
    fixed = chunk.puzzles > 0
    if chunk.puzzles.dtype == np.bool_:
        board = chunk.board
        fixed = chunk.puzzles.reshape(len(fixed), board.cells, board.choices).sum(axis=2) == 1
    counts: NDArray[np.int64] = np.count_nonzero(fixed, axis=1)
    return counts


def _reason_texts(chunk: Chunk, result: BatchResult, options: BatchOptions) -> Texts:
    texts = [""] * len(chunk.lines)
    for row, reason in reasons(chunk, result, options).items():
        texts[row] = reason
    return texts


def solution_spans(result: BatchResult) -> Spans:
    """The solutions as texts, empty where none is known."""
    return grid_spans(result.solutions, result.solutions[:, 0] > 0, result.board)


def _layers(_: Chunk, result: BatchResult, __: BatchOptions) -> list[dict[str, Any] | None]:
    """The values of the layers in each solution, by name, as `format_json` has them."""
    board = result.board
    if not board.layers:
        return [None] * len(result.statuses)
    return [
        layer_values(Grid(cells.tobytes(), board)) if cells[0] else None
        for cells in result.solutions
    ]


def _several_ways(
    chunk: Chunk, result: BatchResult, options: BatchOptions
) -> list[list[str] | None]:
    """The layers of each puzzle with one solution that are not determined, as `check` tells."""
    found: list[list[str] | None] = [None] * len(result.statuses)
    if result.board.layers:
        for row in np.flatnonzero(result.statuses == Status.UNIQUE).tolist():
            constraints = constraints_of_row(chunk, row, options)
            puzzle = of_cells(chunk.puzzles[row].tobytes(), constraints)
            found[row] = list(layers_in_several_ways(puzzle))
    return found


def _scale(name: str) -> Callable[[Chunk, BatchResult, BatchOptions], list[float | None]]:
    """The column of a rating; None where there is none."""

    def column(_: Chunk, result: BatchResult, __: BatchOptions) -> list[float | None]:
        found = scales(ratings_of_each(result.ratings))[SCALES.index(name)].tolist()
        return [None if isnan(rating) else rating for rating in found]

    return column


def _proofs(_: Chunk, result: BatchResult, __: BatchOptions) -> Sequence[str]:
    if result.proofs is None:
        raise ResultsError(f"column '{PROOF}': nothing was asked to prove the answers")
    return result.proofs


_COLUMNS: dict[str, Callable[[Chunk, BatchResult, BatchOptions], Column]] = {
    "file": lambda chunk, *_: [chunk.source] * len(chunk.lines),
    "line": lambda chunk, *_: chunk.lines,
    "id": lambda chunk, *_: chunk.ids if chunk.ids is not None else [""] * len(chunk.lines),
    "puzzle": lambda chunk, *_: chunk.puzzle_texts,
    "rules": lambda chunk, *_: chunk.rules if chunk.rules is not None else [""] * len(chunk.lines),
    "status": lambda _, result, __: chosen(result.statuses, list(map(str, Status))),
    "solution": lambda _, result, __: solution_spans(result),
    "layers": _layers,
    "several_ways": _several_ways,
    "reason": _reason_texts,
    "givens": lambda chunk, *_: count_givens(chunk),
    "nodes": lambda _, result, __: result.nodes,
    "microseconds": lambda _, result, __: result.microseconds.round(3).tolist(),
    "solved_by": lambda _, result, options: result.solved_by(options.solver),
    **{name: _scale(name) for name in SCALES},
    "technique": lambda _, result, __: techniques(ratings_of_each(result.ratings)).tolist(),
    PROOF: _proofs,
}
COLUMNS = tuple(_COLUMNS)


def usual_columns(*chunks: Chunk, files: int = 1, rated: bool = False) -> tuple[str, ...]:
    """The columns for these chunks: the default ones, and file, id and rules if there are any;
    rated: ratings in place of solutions."""
    names = list(DEFAULT_COLUMNS)
    if any(chunk.rules is not None for chunk in chunks):
        names.insert(names.index("puzzle") + 1, "rules")
    if any(chunk.ids is not None for chunk in chunks):
        names.insert(names.index("puzzle"), "id")
    if rated:
        at = names.index("solution")
        names[at : at + 1] = RATED
    return ("file", *names) if files > 1 else tuple(names)


def values(
    names: Sequence[str], chunk: Chunk, result: BatchResult, options: BatchOptions
) -> list[Column]:
    return [_COLUMNS[name](chunk, result, options) for name in names]


# Arrays of numbers -------------------------------------------------------------------------------

# Every cell of a puzzle that could not be read; where digits are not 1 to n, and cells int8.
UNREADABLE, NO_DIGIT = 255, 127


_FIELDS = {"status": "statuses", "nodes": "nodes", "microseconds": "microseconds"}


def array_of(name: str, chunk: Chunk, result: BatchResult) -> NDArray[Any]:
    """The column of that name, one of `ARRAYS`, with N rows."""
    puzzles = chunk.puzzles
    if puzzles.dtype == np.uint8:
        puzzles = digits_of(puzzles, chunk.board)
    if name == "puzzle" and chunk.errors and puzzles.dtype != np.bool_:
        puzzles = puzzles.copy()
        puzzles[list(chunk.errors)] = UNREADABLE if puzzles.dtype == np.uint8 else NO_DIGIT
    if name in SCALES:
        scale: NDArray[np.float64] = scales(ratings_of_each(result.ratings))[SCALES.index(name)]
        return scale
    if name == "solution":
        return digits_of(result.solutions, result.board)
    known = {"line": chunk.lines, "puzzle": puzzles}
    if name == "givens":
        return count_givens(chunk)
    return known[name] if name in known else getattr(result, _FIELDS[name])
