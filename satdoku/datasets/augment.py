"""Symmetric forms of the puzzles of collections, as more rows to train on, and the way back.

Invariant: the forms of a row depend on the seed, the number of the row and its puzzle only, never
on chunks or workers; no two forms of a row are equal; and the transform beside a form undoes it.
A form has the canonical form of its puzzle, so parts that `split` made stay free of leaks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..audit.files import ALL_CHECKS
from ..batch.options import BatchOptions
from ..batch.solve import check_rules, constraints_of
from ..files.collection import Chunk
from ..files.collection.beside import Table, grid_spans, unique_names
from ..files.formats import AS_IT_IS, ReadOptions
from ..files.outputs import check_outputs
from ..files.spans import Spans, fixed, spans_of
from ..files.streams import File, FileError, Files, files_named, named
from ..files.tables import open_table, values_of
from ..generator.dice import mixed, mixed_words
from ..model.board import Board
from ..model.constraints import Constraints, RulesLike, constraints_for
from ..runtime.errors import SatdokuError, counted
from ..runtime.progress import Progress, reporting
from ..symmetry import Element, Group, automorphisms_of, group, images, images_by_cells
from ..symmetry.structure import Chain, Points
from .inputs import Inputs

Puzzles = NDArray[np.uint8]
Words = NDArray[np.uint64]

FORMS_AT_ONCE = 1 << 13
MOST_FORMS = 1 << 20  # of one puzzle
_MOST_PRODUCTS = 4096  # elements of a table
SOURCE, TRANSFORM = "source", "transform"


@dataclass(frozen=True)
class Augmenting:
    """Which forms `augment_files` writes.

    forms: how many of each puzzle, 1 to 2**20; fewer where a puzzle has fewer different ones.
    seed: of the draw. keep: the first form is the puzzle itself. undo: the other way: each form of
    the input is turned back into its puzzle, by the column `transform`. output_format: one of
    `TABLE_FORMS`; by default that of the ending.
    """

    forms: int = 1
    seed: int = 0
    keep: bool = False
    undo: bool = False
    output_format: str | None = None


_ONE_FORM = Augmenting()


def augment_files(
    paths: Files,
    output: File,
    rules: RulesLike = "classic",
    *,
    augmenting: Augmenting = _ONE_FORM,
    reading: ReadOptions = AS_IT_IS,
    progress: Progress = False,
) -> dict[str, Any]:
    """Write random symmetric forms of each puzzle of files to `output`; return the counts.

    The symmetries are those of the rules (`group`): classic puzzles are transposed, their bands,
    stacks, rows and columns permuted, their digits renamed. All other columns are copied, a stated
    solution is transformed as its puzzle, and two columns are added: `source`, the number of the
    row among all that were read, from 1, and `transform`, see `transform_texts`. Split first, then
    augment each part: forms of one puzzle are equivalent, so `split` would keep them together.

    Rows with rules of their own have the symmetries of these. Rows without a puzzle, and those
    whose rules cannot be understood, are left out. The result has numbers of rows: "read",
    "left_out", "written", "short" (puzzles with fewer different forms than asked for), and the
    "columns_left_out", which only later rows have. Raises `FileError` for pencil marks.
    """
    inputs = Inputs(files_named(paths), rules, ALL_CHECKS, reading, 1, progress)
    return augment(inputs, named(output), augmenting)


def augment(inputs: Inputs, output: str, augmenting: Augmenting = _ONE_FORM) -> dict[str, Any]:
    """`augment_files` for inputs."""
    if not 1 <= augmenting.forms <= MOST_FORMS:
        wrong = counted(augmenting.forms, "form")
        raise SatdokuError(f"{wrong}: expected 1 to {MOST_FORMS:,}")
    check_outputs([output], inputs.paths)
    counts = {"read": 0, "left_out": 0, "written": 0, "short": 0}
    with (
        reporting(inputs.progress, None, " rows") as more,
        open_table(output, augmenting.output_format) as write,
    ):
        for _, chunks in inputs.files(keep=True):
            for chunk in chunks:
                _check(chunk)
                options = BatchOptions(constraints_for(inputs.rules, chunk.board))
                chunk = check_rules(chunk, options)
                made = (
                    _undone(chunk)
                    if augmenting.undo
                    else _augmented(chunk, options, augmenting, counts)
                )
                for table in made:
                    write(table)
                    counts["written"] += table.rows
                counts["read"] += chunk.rows
                counts["left_out"] += len(chunk.errors)
                more(chunk.rows)
    return {**counts, "columns_left_out": list(write.left_out)}


class Forms(NamedTuple):
    """Forms of N puzzles: puzzles (M,) intp, which one each form is of, ascending; grids (M,
    cells), the forms; and of their elements digits (M, size + 1), as in `Element`, with lines (M,
    2n), as in `Group.lines`, or cells (M, cells), as in `Element`: the other one has no columns."""

    puzzles: NDArray[np.intp]
    lines: Puzzles
    cells: NDArray[np.intp]
    digits: Puzzles
    grids: Puzzles


def _images(
    grids: Puzzles, lines: Puzzles, cells: Points, digits: Puzzles, board: Board
) -> Puzzles:
    """The images (M, cells) of grids (M, cells) under elements as `Forms` has them."""
    if lines.shape[1]:
        return images(grids, lines, digits, board)
    return images_by_cells(grids, cells, digits)


class Draw:
    """Random elements of a group, of several at once, from numbered words."""

    def __init__(self, symmetries: Group, seed: int) -> None:
        self.group, self.seed = symmetries, seed
        self._lines = _products(symmetries.lines) if symmetries.turns is None else []
        self._renamings = _products(symmetries.renamings)

    def elements(self, rows: NDArray[Any], tries: NDArray[Any]) -> tuple[Puzzles, Points, Puzzles]:
        """Lines, cells and digits of the elements of these tries (M,) for these rows (M,)."""
        turns = self.group.turns
        tables = [*self._renamings, *(self._lines if turns is None else [turns])]
        words = mixed_words(self.seed, rows, tries, len(tables)) >> np.uint64(32)
        places = [
            ((words[:, i] * np.uint64(len(table))) >> np.uint64(32)).astype(np.intp)
            for i, table in enumerate(tables)
        ]
        count = len(self._renamings)
        renamed = _composed(self._renamings, places[:count])
        digits = np.pad(renamed + np.uint8(1), ((0, 0), (1, 0)))
        none: Points = np.empty((len(rows), 0), np.intp)
        if turns is not None:
            return none.astype(np.uint8), turns[places[-1]].astype(np.intp), digits
        return _composed(self._lines, places[count:]), none, digits

    def forms(self, puzzles: Puzzles, rows: Points, count: int, *, keep: bool) -> Forms:
        """`count` different forms of each puzzle (N, cells), as far as it has them; rows (N,): the
        numbers that the puzzles' words go by."""
        every = np.arange(len(puzzles)).repeat(count)
        tries = np.tile(np.arange(count), len(puzzles))
        found = self._tried(puzzles, every, rows, tries, keep)
        new = _are_new(found)
        if new.all():
            return found
        missing = np.flatnonzero(np.bincount(found.puzzles[~new], minlength=len(puzzles)))
        parts = [_taken(found, ~np.isin(found.puzzles, missing))]
        parts += [self._all_of(puzzles, one, rows, count, keep) for one in missing.tolist()]
        joined = _joined(parts)
        return _taken(joined, np.argsort(joined.puzzles, kind="stable"))

    def _all_of(self, puzzles: Puzzles, one: int, rows: Points, count: int, keep: bool) -> Forms:
        """The forms of a puzzle some of whose tries are equal: tries until there are enough."""
        images = self.group.order // automorphisms_of(puzzles[one : one + 1], self.group)[0]
        wanted, start = min(count, images), 1
        found = self._tried(puzzles, np.array([one]), rows, np.array([0]), keep)
        while len(found.puzzles) < wanted:
            tries = np.arange(start, start + count)
            more = self._tried(puzzles, np.full(count, one), rows, tries, keep)
            found = _joined([found, more])
            found = _taken(found, np.flatnonzero(_are_new(found))[:wanted])
            start += count
        return found

    def _tried(
        self, puzzles: Puzzles, of: Points, rows: Points, tries: Points, keep: bool
    ) -> Forms:
        element = self.elements(rows[of], tries)
        if keep:
            for part in element:
                part[tries == 0] = np.arange(part.shape[1])
        return Forms(of, *element, _images(puzzles[of], *element, self.group.board))


@lru_cache(64)
def _draw(constraints: Constraints, seed: int) -> Draw:
    return Draw(group(constraints), seed)


def _joined(parts: Sequence[Forms]) -> Forms:
    return Forms(*(np.concatenate(fields) for fields in zip(*parts, strict=True)))


def _taken(forms: Forms, rows: NDArray[Any]) -> Forms:
    return Forms(*(part[rows] for part in forms))


def _are_new(forms: Forms) -> NDArray[np.bool_]:
    """Whether each form (M,) differs from all earlier ones of its puzzle.

    Forms are compared by 64 bits; two different ones with the same would be one of them less.
    """
    count, width = forms.grids.shape
    padded = np.zeros((count, -(-width // 8) * 8), np.uint8)
    padded[:, :width] = forms.grids
    sums = forms.puzzles.astype(np.uint64)
    for word in padded.view("<u8").T:
        sums = mixed(sums + word)
    order = np.argsort(sums, kind="stable")
    same = sums[order][1:] == sums[order][:-1]
    new = np.ones(len(sums), np.bool_)
    new[order[1:][same]] = False
    return new


def _products(chain: Chain) -> list[Puzzles]:
    """A few tables of permutations: each element is the product of one from each, in one way."""
    tables: list[Points] = []
    for level in chain.levels:
        if len(level) == 1:
            continue
        if tables and len(tables[-1]) * len(level) <= _MOST_PRODUCTS:
            tables[-1] = tables[-1][:, level].reshape(-1, chain.points)
        else:
            tables.append(level)
    return [table.astype(np.uint8) for table in tables or [np.arange(chain.points)[None]]]


def _composed(tables: Sequence[Puzzles], places: Sequence[NDArray[np.intp]]) -> Puzzles:
    """The products (M, points) of the elements at these places of the tables."""
    product = tables[-1][places[-1]]
    for table, at in zip(tables[-2::-1], places[-2::-1], strict=True):
        product = table[at[:, None], product]
    return product


# Transforms as texts --------------------------------------------------------------------------


def transform_texts(forms: Forms, board: Board) -> Spans:
    """The transform of each form as a text of words: `R`, or `T` for a puzzle that is transposed
    first; then for each row of the form the row that it was, for each column likewise, and for each
    digit, by position, what it becomes, all from 1.

    `T 231456789 123456789 987654321`; numbers above 9 are separated by dots. Boards whose cells
    move as a whole have `C` and for each cell of the form the cell that it was.
    """
    width = board.width
    names: list[NDArray[Any]] = [forms.digits[:, 1:]]
    if _has_lines(board):
        turned, rows, columns = _lines_of(forms, width)
        names = [rows + 1, columns + 1, *names]
        heads = np.where(turned, ord("T"), ord("R")).astype(np.uint8)
    else:
        names = [forms.cells + 1, *names]
        heads = np.full(len(forms.cells), ord("C"), np.uint8)
    if max(part.shape[1] for part in names) > 9:
        return spans_of(
            [
                " ".join([chr(head), *(".".join(map(str, part)) for part in parts)])
                for head, *parts in zip(heads.tolist(), *(p.tolist() for p in names), strict=True)
            ]
        )
    space = np.full((len(heads), 1), ord(" "), np.uint8)
    shown = [field for part in names for field in (space, (part + ord("0")).astype(np.uint8))]
    text = np.hstack([heads[:, None], *shown])
    return fixed(text.tobytes(), text.shape[1])


def _lines_of(forms: Forms, width: int) -> tuple[NDArray[np.bool_], NDArray[Any], NDArray[Any]]:
    """Which forms (M,) are transposed, and where their rows and columns (M, width) are from."""
    if forms.lines.shape[1]:
        return forms.lines[:, 0] % 2 == 1, forms.lines[:, ::2] // 2, forms.lines[:, 1::2] // 2
    turned = forms.cells[:, 1] // width != forms.cells[:, 0] // width
    across, down = forms.cells[:, :width], forms.cells[:, ::width]
    columns = np.where(turned[:, None], across // width, across % width)
    return turned, np.where(turned[:, None], down % width, down // width), columns


def _has_lines(board: Board) -> bool:
    """Whether elements of the board's groups are written as permutations of rows and columns."""
    return board.is_square and board.is_rectangle and not board.layers and board.width > 1


def parse_transform(text: str, board: Board) -> Element:
    """The element that a text of `transform_texts` states; `SatdokuError` for another text."""
    head, *words = text.split() or [""]
    width, size = board.width, board.choices
    lengths = {"R": [width, width, size], "T": [width, width, size], "C": [board.cells, size]}
    try:
        parts = [np.array([int(n) for n in (w.split(".") if "." in w else w)]) for w in words]
        if [len(part) for part in parts] != lengths[head] or (head != "C") != _has_lines(board):
            raise ValueError
        if any((np.sort(part) != np.arange(1, len(part) + 1)).any() for part in parts):
            raise ValueError
    except (KeyError, ValueError):
        wanted = "R or T, rows, columns, digits" if _has_lines(board) else "C, cells, digits"
        raise SatdokuError(f"transform '{text}': expected {wanted}, from `augment`") from None
    digits = np.append(0, parts[-1]).astype(np.uint8)
    if head == "C":
        return Element(parts[0] - 1, digits)
    rows, columns = parts[0][:, None] - 1, parts[1][None] - 1
    cells = columns * width + rows if head == "T" else rows * width + columns
    return Element(cells.ravel(), digits)


def undo(forms: Puzzles, elements: Sequence[Element]) -> Puzzles:
    """The puzzles (N, cells) whose images under the elements are the forms (N, cells)."""
    if not elements:
        return forms
    cells, digits = (np.argsort(np.array(part), 1) for part in zip(*elements, strict=True))
    return images_by_cells(forms, cells, digits.astype(np.uint8))


# Tables ---------------------------------------------------------------------------------------


def _augmented(
    chunk: Chunk, options: BatchOptions, augmenting: Augmenting, counts: dict[str, int]
) -> Iterator[Table]:
    """The forms of the rows of a chunk, some at a time; counts: gets the "short" puzzles."""
    if chunk.beside is not None and TRANSFORM in chunk.beside.names:
        raise FileError(f"{chunk.source}: has a column '{TRANSFORM}' already: rename it")
    start, step = counts["read"], max(1, FORMS_AT_ONCE // augmenting.forms)
    for rules, every in _runs(chunk):
        draw = _draw(constraints_of(rules, options, chunk.board), augmenting.seed)
        for begin in range(0, len(every), step):
            rows = every[begin : begin + step]
            forms = draw.forms(
                chunk.puzzles[rows], start + rows, augmenting.forms, keep=augmenting.keep
            )
            made = np.bincount(forms.puzzles, minlength=len(rows))
            counts["short"] += int(np.count_nonzero(made < augmenting.forms))
            yield _table(chunk, forms, rows, start)


def _runs(chunk: Chunk) -> Iterator[tuple[str, Points]]:
    """The rules of readable rows that follow each other, and these rows."""
    rows = np.flatnonzero(chunk.readable)
    if chunk.rules is None:
        yield "", rows
        return
    rules = chunk.rules
    for own, run in groupby(rows.tolist(), key=lambda row: rules[row]):
        yield own, np.array(list(run))


def _check(chunk: Chunk) -> None:
    """Raise `FileError` for pencil marks."""
    if chunk.puzzles.dtype == np.bool_ or chunk.marks:
        raise FileError(f"{chunk.source}: pencil marks have no symmetric forms: expected digits")


def _table(chunk: Chunk, forms: Forms, rows: Points, start: int) -> Table:
    """The rows of these forms, of puzzles in these rows of the chunk, with all columns."""
    assert chunk.beside is not None
    of = rows[forms.puzzles]
    table = _with_grids(
        chunk,
        chunk.beside.take(of),
        of,
        forms.grids,
        _images(chunk.answers.cells[of], *forms[1:4], chunk.board) if chunk.answers else None,
    )
    names = unique_names([*table.names, SOURCE, TRANSFORM])[-2:]
    table = table.put(names[0], start + of + 1)
    return table.put(names[1], transform_texts(forms, chunk.board))


def _with_grids(
    chunk: Chunk, table: Table, rows: NDArray[np.intp], puzzles: Puzzles, answers: Puzzles | None
) -> Table:
    """The table with these grids (M, cells) for its puzzles and stated answers."""
    there = np.ones(len(rows), np.bool_)
    table = table.put(table.roles["puzzle"], grid_spans(puzzles, there, chunk.board))
    if answers is not None and chunk.answers is not None and "answer" in table.roles:
        stated = np.asarray(chunk.answers.cells.any(axis=1))[rows]
        table = table.put(table.roles["answer"], grid_spans(answers, stated, chunk.board))
    return table._replace(separator=table.separator or ",", headed=True)


def _undone(chunk: Chunk) -> Iterator[Table]:
    """The puzzles that the readable rows of a chunk are forms of, without the transforms."""
    table = chunk.beside
    if table is None or TRANSFORM not in table.names:
        raise FileError(f"{chunk.source}: no column '{TRANSFORM}', as `augment` writes it")
    rows = np.flatnonzero(chunk.readable)
    table = table.take(rows)
    elements = []
    for row, text in zip(rows.tolist(), values_of(table.column(TRANSFORM)), strict=True):
        try:
            elements.append(parse_transform(str(text), chunk.board))
        except SatdokuError as error:
            raise FileError(f"{chunk.source}: line {chunk.lines[row]}: {error}") from None
    answers = undo(chunk.answers.cells[rows], elements) if chunk.answers else None
    table = _with_grids(chunk, table, rows, undo(chunk.puzzles[rows], elements), answers)
    yield table.select(name for name in table.names if name != TRANSFORM)
