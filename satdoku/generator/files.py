"""Generated puzzles in a file: a table of the columns asked for, in the form of the file's ending.

Invariant: the rows depend on the seed and the wish alone. What stands beside a puzzle is what a
batch finds that gets the puzzle alone; a puzzle with several solutions has none there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..batch.options import BatchOptions
from ..batch.results.carried import stored
from ..batch.results.columns import RATED, check_columns
from ..batch.solve import solve_cells
from ..files.collection import Chunk
from ..files.collection.beside import Column, Table
from ..files.outputs import ARRAY_FORMS, TABLE_FORMS, form_of
from ..files.streams import File
from ..files.tables import open_table
from ..model.constraints import Constraints, RulesLike, constraints_for
from ..model.grid import as_grid
from ..runtime.errors import Status
from ..runtime.progress import Progress, reporting
from . import ANY_PUZZLE, GenerateOptions, Wish, generate_blocks, random_seed
from .oracle import Grids

if TYPE_CHECKING:
    from ..runtime.workers import WorkersLike

FORMS = (*TABLE_FORMS, *ARRAY_FORMS)
_FOUND = ("solution", "status", *RATED)  # columns for which the puzzles are solved
COLUMNS = ("puzzle", "solution", "rules", "seed", "status", "givens", *RATED)
_NUMBERS = tuple(name for name in COLUMNS if name not in ("rules", "seed", "technique"))
_LARGE = ("puzzle", "rules", "seed")  # columns of boards beyond 25x25


class Made(NamedTuple):
    """Some puzzles (N, cells) under the same rules, and what they were made from."""

    puzzles: Grids
    constraints: Constraints
    seed: int
    beside: Mapping[str, Column] = {}  # what their maker tells of each: holes, or weight and tries


def columns_for(
    form: str, asked: Sequence[str] = (), *, rated: bool = False, own: Sequence[str] = (),
    large: bool = False,
) -> tuple[str, ...]:  # fmt: skip
    """The columns asked for, by default the puzzle with its rules and what its maker tells where
    the form has columns, and in JSON lines also how it was made.

    own: columns that `Made.beside` adds. Raises `ResultsError` for one that the form has not.
    """
    known = _NUMBERS if form in ARRAY_FORMS else ("puzzle",) if form == "line" else COLUMNS
    known = tuple(name for name in known if name in _LARGE) if large else known
    check_columns(asked, form, known if form == "line" else tuple(dict.fromkeys((*known, *own))))
    if asked:
        return tuple(asked)
    if form == "jsonl":
        return ("puzzle", "rules", "seed", *(own or ("status", "givens", *(RATED * rated))))
    return ("puzzle",) if form == "line" or form in ARRAY_FORMS else ("puzzle", "rules", *own)


def table_of(made: Made, columns: Sequence[str], form: str) -> Table:
    """These columns of the puzzles, as the form has them."""
    count, board = len(made.puzzles), made.constraints.board
    found: dict[str, Column] = {"seed": [made.seed] * count, **made.beside}
    if board.is_large:
        found["puzzle"] = made.puzzles
        if form not in ARRAY_FORMS:
            found["puzzle"] = [str(as_grid(cells, board)) for cells in made.puzzles]
        found["rules"] = [made.constraints.name] * count
    names = [name for name in columns if name not in found]
    found |= zip(names, _found(made, names, form) if names else (), strict=True)
    headed = form != "line"
    return Table(tuple(columns), [found[name] for name in columns], {}, "," * headed, headed=headed)


def _found(made: Made, names: Sequence[str], form: str) -> list[Column]:
    """Columns that results have, too."""
    puzzles, board = made.puzzles.astype(np.uint8), made.constraints.board
    chunk = Chunk(
        np.arange(1, len(puzzles) + 1),
        puzzles,
        {},
        rules=[made.constraints.name] * len(puzzles),
        own_board=None if board.is_usual else board,
    )
    options = BatchOptions(made.constraints, rated=not set(RATED).isdisjoint(names))
    result: Any = None  # which no other column needs
    if not set(_FOUND).isdisjoint(names):
        result = solve_cells(puzzles, options)
        result.solutions[result.statuses != Status.UNIQUE] = 0  # which one is found may differ
    return stored(form, names, chunk, result, options)


def generate_file(
    output: File,
    n: int = 1,
    rules: RulesLike = "classic",
    *,
    seed: int | None = None,
    wish: Wish = ANY_PUZZLE,
    fields: Sequence[str] = (),
    workers: WorkersLike = 1,
    progress: Progress = False,
) -> dict[str, Any]:
    """Write the puzzles of `generate` to a file in the form of its ending; return their number as
    "puzzles", and the "seed".

    output: ends in one of `FORMS` (.csv, .tsv, .jsonl, .parquet, .npy or .npz; without an ending a
    puzzle a line), perhaps with .gz, .xz, .bz2 or .zst behind. fields: columns of `COLUMNS`, by
    default the puzzle, and its rules where the form has columns. Raises `FileError` for another
    ending, and `ResultsError` for columns that the form does not have.
    """
    options = GenerateOptions(constraints_for(rules), random_seed() if seed is None else seed, wish)
    form = form_of(output, FORMS)
    names = columns_for(form, fields, rated=options.is_rated)
    with open_table(output, form) as write, reporting(progress, n) as more:
        for puzzles in generate_blocks(n, options, workers=workers):
            write(table_of(Made(puzzles, options.constraints, options.seed), names, form))
            more(len(puzzles))
    return {"puzzles": n, "seed": options.seed}
