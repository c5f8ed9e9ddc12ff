"""Data sets made by a recipe: rows in shards, each with its proof of one solution if asked.

Invariant: the files depend on the recipe alone, not on the workers nor on interruptions. Every
puzzle has exactly one solution, which the witness accepts. No puzzle comes twice, and no solution
grid is in two splits, up to the symmetries of the board without its other rules.

Work goes in jobs of a few puzzles, whose numbers say what they are. This process takes the jobs in
order, leaves out what repeats, and writes a shard, a file for each split, when enough rows are
there; then a journal beside the folder says which job is next.
"""

from __future__ import annotations

import json
import os
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, suppress
from hashlib import sha256
from itertools import count, islice
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..audit.rows import Keys, fingerprints
from ..batch.options import BatchOptions
from ..batch.results.columns import values
from ..batch.solve import solve_job
from ..batch.task_journal import TaskJournal
from ..certificates.beside import proof_texts
from ..files.collection import Chunk
from ..files.collection.beside import Column, Table
from ..files.collection.chunk import own
from ..files.outputs import check_folder, journal_path, open_output
from ..files.streams import FileError
from ..files.tables import open_table, values_of
from ..generator import GenerateOptions, GeneratorError, make_block, pool_of
from ..generator.clues import each_with_clues
from ..model.constraints import Constraints, constraints_for
from ..model.puzzle import Puzzle, of_cells
from ..runtime.errors import Status, WitnessError
from ..runtime.package import VERSION
from ..runtime.progress import Progress, reporting
from ..runtime.workers import map_in_order
from ..symmetry import SymmetryError, forms_of
from ..traces.traces import Tracing, rows_of, trace_rows
from .card import CARD, data_card
from .recipe import RATING, Part, Recipe, read_recipe
from .split import by_points, points_of
from .tasks import question

if TYPE_CHECKING:
    from ..runtime.workers import WorkersLike

JOB, RATED_JOB, CLUED_JOB = 1000, 16, 8  # puzzles that are made at once
IDLE = 100  # jobs without a new puzzle after which there are no more
OWN = {"rules", "clues", "part", "question", "trace"}  # columns that results do not have
ENDINGS = {"csv": ".csv.gz", "jsonl": ".jsonl.gz", "parquet": ".parquet"}
RECIPES = {True: "recipe.json", False: "recipe.toml"}  # the copy in the folder, by whether JSON


class Made(NamedTuple):
    """Some rows: their columns, and (N, 2) keys of the puzzles and of their solution grids."""

    columns: list[Column]
    puzzles: Keys
    grids: Keys


def make_dataset(
    recipe: str | Recipe,
    folder: str,
    *,
    workers: WorkersLike = 1,
    progress: Progress = False,
) -> dict[str, Any]:
    """Make the data set of a recipe, or of the file of one, in a new folder; return the counts.

    There is a folder for each split, with files of the parts, a data card README.md, and a copy of
    the recipe. If the run is interrupted, the same call goes on where it stopped. The counts are
    "rows", "repeats" (puzzles that were made and left out), "resumed" (rows that were there) and
    "splits", the rows of each part in each split. Raises `RecipeError`, `GeneratorError` if too few
    different puzzles are found, and `FileError`.
    """
    asked = read_recipe(recipe) if isinstance(recipe, str) else recipe
    check_folder(folder)
    journal = journal_path(folder)
    with suppress(FileNotFoundError):
        if os.listdir(folder) and not os.path.lexists(journal):
            raise FileError(f"{folder}: holds files, expected a new folder")
    os.makedirs(os.path.dirname(os.path.abspath(folder)), exist_ok=True)
    settings = repr((VERSION, asked.text, asked.form))
    with (
        closing(TaskJournal(journal, settings)) as kept,
        reporting(progress, asked.rows) as more,
    ):
        maker = _Maker(asked, folder, kept)
        more(maker.resume())
        for rows in maker.go(workers):
            more(rows)
        maker.finish()
        kept.remove()
    return maker.counts()


class _Maker:
    """What is known of a data set while it is made."""

    def __init__(self, recipe: Recipe, folder: str, journal: TaskJournal) -> None:
        self._recipe, self._folder, self._journal = recipe, folder, journal
        self._seen: set[bytes] = set()
        self._repeats = self._resumed = 0
        self._next = [0] * len(recipe.parts)  # job of each part
        self._shards = [0] * len(recipe.parts)
        self._rows: list[Counter[str]] = [Counter() for _ in recipe.parts]

    def resume(self) -> int:
        """Take over what the journal holds; the number of rows."""
        for record in self._journal.replay():
            for path, digest in record["files"].items():
                if _digest(os.path.join(self._folder, path)) != digest:
                    self._journal.refuse(f"{path} is missing, or has changed since")
            at = record["part"]
            self._seen.update(_apart(b64decode(record["keys"])))
            self._next[at], self._repeats = record["next"], record["repeats"]
            self._rows[at].update(record["rows"])
            self._shards[at] += 1
        self._resumed = sum(rows.total() for rows in self._rows)
        return self._resumed

    def go(self, workers: WorkersLike) -> Iterator[int]:
        """Make all parts; the number of rows after each job."""
        with pool_of(workers) as pool:
            for at, part in enumerate(self._recipe.parts):
                missing = part.rows - self._rows[at].total()
                if missing:
                    jobs = ((n, (part, n, self._recipe.columns)) for n in count(self._next[at]))
                    with closing(map_in_order(pool, make_rows, jobs)) as made:
                        yield from self._part(at, missing, made)

    def _part(self, at: int, missing: int, jobs: Iterator[tuple[int, Made]]) -> Iterator[int]:
        waiting: list[Made] = []
        idle = 0
        for number, made in jobs:
            new = self._new(made)[:missing]
            idle = 0 if len(new) else idle + 1
            if idle == IDLE:
                part = self._recipe.parts[at]
                raise GeneratorError(
                    f"part {part.name}: {part.rows - missing:,} different puzzles and no more in "
                    f"{IDLE} tries: ask for fewer rows"
                )
            waiting.append(_taken(made, new))
            missing -= len(new)
            yield len(new)
            if not missing or sum(len(some.puzzles) for some in waiting) >= self._recipe.shard:
                self._write(at, number + 1, waiting)
                waiting = []
            if not missing:
                return

    def _new(self, made: Made) -> list[int]:
        """The rows whose puzzles are new."""
        new = []
        for row, key in enumerate(_apart(made.puzzles.tobytes())):
            if key in self._seen:
                self._repeats += 1
            else:
                self._seen.add(key)
                new.append(row)
        return new

    def _write(self, at: int, following: int, waiting: Sequence[Made]) -> None:
        """One shard: a file for each split that has rows, then a record of them."""
        recipe, part = self._recipe, self._recipe.parts[at]
        columns: list[Column] = [
            [value for some in waiting for value in values_of(some.columns[place])]
            for place in range(len(recipe.columns))
        ]
        table = Table(recipe.columns, columns, {})
        points = points_of(np.concatenate([some.grids for some in waiting]), recipe.seed)
        places = by_points(points, [*recipe.split.values()])
        files, rows = {}, {}
        for place, split in enumerate(recipe.split):
            if not (here := places == place).any():
                continue
            path = f"{split}/{part.name}-{self._shards[at]:05}{ENDINGS[recipe.form]}"
            whole = os.path.join(self._folder, path)
            os.makedirs(os.path.dirname(whole), exist_ok=True)
            with open_table(whole, recipe.form) as write:
                write(table.take(here))
            files[path], rows[split] = _digest(whole), int(here.sum())
        keys = b"".join(some.puzzles.tobytes() for some in waiting)
        self._journal.append({
            "part": at, "next": following, "files": files, "rows": rows,
            "repeats": self._repeats, "keys": b64encode(keys).decode(),
        })  # fmt: skip
        self._shards[at] += 1
        self._rows[at].update(rows)

    def finish(self) -> None:
        """The data card, and the recipe beside it."""
        text = data_card(self._recipe, self.counts()["splits"], ENDINGS[self._recipe.form])
        copy = RECIPES[self._recipe.text.lstrip().startswith("{")]
        for name, content in ((CARD, text), (copy, self._recipe.text)):
            with open_output(os.path.join(self._folder, name)) as out:
                out.write(content.encode())

    def counts(self) -> dict[str, Any]:
        """As `make_dataset` gives them."""
        named = {part.name: rows for part, rows in zip(self._recipe.parts, self._rows, strict=True)}
        splits = {
            split: {name: rows[split] for name, rows in named.items() if rows[split]}
            for split in self._recipe.split
        }
        rows = sum(counted.total() for counted in self._rows)
        return {
            "rows": rows, "repeats": self._repeats, "resumed": self._resumed, "splits": splits,
        }  # fmt: skip


def make_rows(part: Part, number: int, columns: Sequence[str]) -> Made:
    """The rows of that job, each with one solution; raises `WitnessError` for any other."""
    options, board = part.options, part.options.constraints.board
    puzzles = [*islice(_puzzles(options, number), part.rows)]  # fewer where a part is small
    cells = np.frombuffer(b"".join(puzzle.grid.cells for puzzle in puzzles), np.uint8)
    cells = cells.reshape(-1, board.cells)
    clued = bool(options.wish.clues)
    rules = [puzzle.constraints.name for puzzle in puzzles] if clued else None
    rated = not {*RATING}.isdisjoint(columns)
    asked = BatchOptions(options.constraints, rated=rated)
    result = solve_job(cells, asked, rules)
    if (result.statuses != Status.UNIQUE).any():
        raise WitnessError(f"part {part.name}: a puzzle that was made has not one solution")
    lines = np.arange(1, len(puzzles) + 1)
    chunk = Chunk(lines, cells, {}, rules=rules, source="", own_board=own(board))
    if "proof" in columns:
        result = result._replace(proofs=proof_texts(chunk, result, asked))
    known = [name for name in columns if name not in OWN]
    found: Mapping[str, Column] = {
        **dict(zip(known, values(known, chunk, result, asked), strict=True)),
        **dict(_own_columns(columns, part, puzzles, chunk, asked)),
    }
    grids = result.solutions.copy()
    grids[:, board.grid_cells :] = 0  # a solution is its digits
    plain = constraints_for("classic", board)
    same = fingerprints(cells) if rules else _keys(cells, options.constraints)
    if rules:  # two puzzles of the same givens are not the same
        salts = [fingerprints(cells[row : row + 1], text) for row, text in enumerate(rules)]
        same = np.concatenate(salts)
    return Made([found[name] for name in columns], same, _keys(grids, plain))


def _puzzles(options: GenerateOptions, number: int) -> Iterator[Puzzle]:
    """The puzzles of a job."""
    if options.wish.clues:
        yield from each_with_clues(CLUED_JOB, options, first=CLUED_JOB * number)
        return
    size = RATED_JOB if options.is_rated else JOB
    for cells in make_block(options, number, min(size, options.largest_block)):
        yield of_cells(cells.tobytes(), options.constraints)


def _own_columns(
    columns: Sequence[str], part: Part, puzzles: Sequence[Puzzle], chunk: Chunk, asked: BatchOptions
) -> Iterator[tuple[str, Column]]:
    """Those of `OWN` that are asked for: rules and clues apart, words for a model, steps."""
    every = [puzzle.constraints for puzzle in puzzles]
    if "rules" in columns:
        yield "rules", [constraints.without_clues.name for constraints in every]
    if "clues" in columns:
        yield "clues", [";".join(constraints.clue_texts) for constraints in every]
    if "part" in columns:
        yield "part", [part.name] * len(puzzles)
    if "question" in columns:
        pairs = zip(puzzles, every, strict=True)
        yield "question", [question(puzzle.grid, rules) for puzzle, rules in pairs]
    if "trace" in columns:
        lines = trace_rows(rows_of(chunk), asked, Tracing(compact=True)).lines
        yield "trace", [json.dumps(json.loads(line)["steps"]) for line in lines.splitlines()]


def _keys(rows: Any, constraints: Constraints) -> Keys:
    """Equal for rows that are the same up to symmetry; exact ones if there is no canonical form."""
    with suppress(SymmetryError):
        rows = forms_of(rows, constraints)
    return fingerprints(rows, f"{constraints.board.row_form} {constraints.name}")


def _taken(made: Made, rows: Sequence[int]) -> Made:
    table = Table(tuple(map(str, range(len(made.columns)))), made.columns, {})
    some = np.array(rows, np.intp)
    return Made(table.take(some).columns, made.puzzles[some], made.grids[some])


def _apart(keys: bytes) -> Iterator[bytes]:
    return (keys[start : start + 16] for start in range(0, len(keys), 16))


def _digest(path: str) -> str:
    """Of a file; empty if there is none."""
    try:
        with open(path, "rb") as file:
            return sha256(file.read()).hexdigest()
    except OSError:
        return ""
