"""Collections certified by proof trees, from files to a file.

Invariant: row n of the file is about row n of the collection, whatever the number of workers and of
interruptions; a row that cannot be read has no claim. What has no tree has a certificate in its
place.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any, BinaryIO, ClassVar, NamedTuple

import numpy as np

from ..batch.file_run import FileRun
from ..batch.options import BatchOptions
from ..batch.solve import constraints_of
from ..batch.task_journal import Record, TaskJournal
from ..files.collection import Part, Plain
from ..files.formats import AS_IT_IS, ReadOptions
from ..files.outputs import journal_path, open_output
from ..files.streams import File, Files, Opened
from ..model.board import Board
from ..model.constraints import Constraints, RulesLike
from ..model.puzzle import Puzzle
from ..runtime.errors import SatdokuError, Status, no_such
from ..runtime.package import VERSION
from ..runtime.progress import Progress
from ..runtime.workers import Workers, available_workers, map_in_order
from .check_trees import formula_of, open_trees, rows_in
from .format import Certificate, Preamble, hash_of
from .make import MAX_SOLUTIONS, CertifyError, certify_batch, preamble_of, sums_of
from .proof import ProofError
from .tree import COMPILED, NO_TREE, trees_of
from .tree.files import BLOCK, Head, Writer, pack, read_blocks
from .tree.rows import NO_CLAIM, Row, Rows, columns
from .walk_trees import certificate_of

if TYPE_CHECKING:
    from ..files.collection import Chunk
    from ..runtime.workers import WorkersLike


SHARED = (
    "all rows of a file of proof trees share them; `satdoku batch --columns puzzle,solution,proof` "
    "writes the proof of each row beside it, whatever its rules"
)
MODES = NEW, APPEND, RESUME = "new", "append", "resume"


@dataclass(frozen=True)
class Proving:
    """Which proofs are made.

    every: claim all solutions, at most MAX_SOLUTIONS a puzzle; short: trees of a quarter of the
    bytes, in three to five times the time.
    """

    every: bool = False
    short: bool = False


USUAL = Proving()


class Made(NamedTuple):
    """A block: its bytes, its rows, and the statuses of those that could be read."""

    packed: bytes
    rows: int
    statuses: bytes

    def record(self, digest: str) -> Record:
        """The same for a journal; digest: of the `Piece` that it was made of."""
        packed = b64encode(self.packed).decode("ascii")
        return {"of": digest, "packed": packed, "rows": self.rows, "statuses": self.statuses.hex()}

    @staticmethod
    def of_record(record: Record) -> Made:
        """What `record` has stored."""
        statuses = bytes.fromhex(record["statuses"])
        return Made(b64decode(record["packed"]), record["rows"], statuses)


def head_of(constraints: Constraints) -> Head:
    """The head of a file of trees under these rules."""
    preamble = preamble_of(constraints)
    board, rules, sums = preamble.board, preamble.rules, preamble.sums
    digest = hash_of(formula_of(board, rules, sums)[2])
    return Head(board, rules, digest, preamble.made_by, sums)


def certified_rows(puzzles: bytes, constraints: Constraints, proving: Proving = USUAL) -> Rows:
    """Rows of puzzles, a digit a cell: with trees where there are some, else with certificates."""
    cells = constraints.board.cells
    try:
        trees = trees_of(constraints.board, constraints.rules, sums_of(constraints))
    except ProofError:
        return columns(_others(puzzles, constraints, proving.every))
    most = MAX_SOLUTIONS if proving.every else 1
    rows = trees.make(puzzles, most=most, every=proving.every, short=proving.short)
    if proving.every and b"m"[0] in rows.claims:
        raise CertifyError(f"a puzzle has more than {MAX_SOLUTIONS:,} solutions")
    if NO_TREE not in rows.claims:
        return rows
    left = [row.puzzle for row in rows.each(cells) if row.claim == NO_TREE]
    others = _others(b"".join(left), constraints, proving.every)
    return columns(row if row.claim else next(others) for row in rows.each(cells))


def _others(puzzles: bytes, constraints: Constraints, every: bool) -> Iterator[Row]:
    """Rows with certificates."""
    board = constraints.board
    cells = np.frombuffer(puzzles, np.uint8).reshape(-1, board.cells)[:, : board.grid_cells]
    for made in certify_batch(cells, constraints, every=every, check=False):
        text = json.dumps(made.to_json(), separators=(",", ":")).encode("ascii")
        solutions = tuple(map(bytes, made.solutions))
        yield Row(ord(made.claim[0].upper()), bytes(made.puzzle), solutions, text)


class Piece(NamedTuple):
    """Rows that become a block: digits, 0 for empty, and the places of rows that are no puzzles."""

    cells: bytes
    unread: tuple[int, ...]

    @property
    def digest(self) -> str:
        """The same for equal rows."""
        return sha256(self.cells + repr(self.unread).encode()).hexdigest()


def block_of(piece: Piece, constraints: Constraints, proving: Proving) -> Made:
    """A block of rows."""
    size = constraints.board.cells
    count = len(piece.cells) // size
    if piece.unread:
        places = [at for at in range(count) if at not in piece.unread]
        good = b"".join(piece.cells[at * size : (at + 1) * size] for at in places)
        made = certified_rows(good, constraints, proving).each(size)
        empty = Row(NO_CLAIM, bytes(size), (), b"")
        rows = columns(empty if at in piece.unread else next(made) for at in range(count))
    else:
        rows = certified_rows(piece.cells, constraints, proving)
    found = np.minimum(rows.counts, Status.MULTIPLE).astype(np.uint8)
    claimed = np.frombuffer(rows.claims, np.uint8) != NO_CLAIM
    return Made(pack(rows), count, found[claimed].tobytes())


def certify_files(
    paths: Files,
    output: File,
    rules: RulesLike | None = None,
    *,
    proving: Proving = USUAL,
    mode: str = NEW,
    reading: ReadOptions = AS_IT_IS,
    workers: WorkersLike | None = None,
    progress: Progress = False,
) -> dict[str, Any]:
    """Write a file of proof trees of files of puzzles; return the counts, as `solve_files` does.

    mode: "append" adds the rows
    to those that the file has; "resume" keeps a journal beside it, and goes on where an interrupted
    run stopped.
    workers: None for one a core. The bytes do not depend on them. Raises `FileError` for files
    without a puzzle, and `CertifyError` for pencil marks and for rows that have rules of their own.
    """
    return Run.asked(
        paths, output, rules, progress, proving=proving, mode=mode, reading=reading, workers=workers
    )


def certify_typed(
    puzzles: Sequence[Puzzle], output: str, proving: Proving = USUAL, mode: str = NEW
) -> None:
    """Write a file of proof trees of puzzles under the same rules."""
    rules = dict.fromkeys(puzzle.constraints for puzzle in puzzles)
    if len(rules) != 1:
        raise CertifyError("expected puzzles under the same rules for one file of proof trees")
    (constraints,) = rules
    cells = b"".join(bytes(puzzle.grid) for puzzle in puzzles)
    made = block_of(Piece(cells, ()), constraints, proving)
    with opened_writer(output, head_of(constraints), mode) as writer:
        writer.add(made.rows, made.packed)


@contextmanager
def opened_writer(output: str, head: Head, mode: str) -> Iterator[Writer]:
    """A writer of a file, which holds at first what it held if rows are to be appended.

    Raises `CertifyError` if its rows are under other rules.
    """
    if mode == APPEND and isinstance(output, Opened):
        raise CertifyError(f"{output}: is open, expected the name of a file to append to")
    with open_output(output, keep=mode != RESUME) as out:
        writer = _copied(output, head, out) if mode == APPEND else Writer(out, head)
        yield writer
        writer.finish()


def _copied(path: str, head: Head, out: BinaryIO) -> Writer:
    """A writer behind the blocks of a file."""
    with open_trees(path) as (before, stream):
        same_rules = (before.board, before.rules) == (head.board, head.rules)
        if same_rules and before.sums != head.sums:
            expected = "expected those that are stated now; certify its rows anew"
            raise CertifyError(f"{path}: holds proof trees by other sums: {expected}")
        if not same_rules or before.sha256 != head.sha256:
            raise CertifyError(f"{path}: holds proof trees under other rules or of another board")
        writer = Writer(out, before)
        for block in read_blocks(stream):
            writer.add(block.rows, block.packed)
    return writer


def certificates_in(path: str) -> Iterator[tuple[int, Preamble, Certificate]]:
    """The rows of a file of proof trees that claim something, each with its number, as certificates
    with DRAT proofs for other checkers.

    Rows that do not hold have proofs that do not, or none that can be told.
    """
    for number, head, row in rows_in(path):
        if row.claim != NO_CLAIM:
            stated = head.board, head.rules, head.sums
            text = formula_of(*stated)[2]
            preamble = Preamble(head.board, head.rules, text, head.made_by, sums=head.sums)
            yield number, preamble, certificate_of(row, *stated)


@dataclass
class Run(FileRun):
    """Files certified to a file, once; on_message gets the errors of rows.

    mode: see `certify_files`.
    """

    forms: ClassVar[Sequence[str]] = ("trees",)
    proving: Proving = USUAL
    mode: str = NEW

    def go(self) -> dict[str, Any]:
        """Certify all; the counts."""
        if self.mode not in MODES:
            raise CertifyError(no_such("mode", self.mode, MODES))
        first, parts = self.begin(BLOCK)
        constraints = self._constraints(first)
        pieces = self._pieces(parts, constraints)
        head = head_of(constraints)
        with self._journal(head) as journal:
            with (
                opened_writer(self.output, head, self.mode) as writer,
                self._pool(first) as pool,
            ):
                for made in self._blocks(pieces, constraints, pool, journal):
                    writer.add(made.rows, made.packed)
                    self._count(made)
            if journal is not None:
                journal.remove()
        return self.tally.as_data()

    def _journal(self, head: Head) -> closing[TaskJournal] | nullcontext[None]:
        """The journal of a run to resume."""
        if self.mode != RESUME:
            return nullcontext()
        settings = repr([VERSION, head.line(), self.proving])
        return closing(TaskJournal(journal_path(self.output), settings))

    def _blocks(
        self,
        pieces: Iterator[Piece],
        constraints: Constraints,
        pool: Workers | None,
        journal: TaskJournal | None,
    ) -> Iterator[Made]:
        """The blocks of all pieces, those of a journal first."""
        for record in journal.replay() if journal else ():
            piece = next(pieces, None)
            if piece is None or piece.digest != record["of"]:
                assert journal is not None
                journal.refuse("a journal of other puzzles")
            yield Made.of_record(record)
        items = ((piece, (piece, constraints, self.proving)) for piece in pieces)
        for piece, made in map_in_order(pool, block_of, items):
            if journal is not None:
                journal.append(made.record(piece.digest))
            yield made

    def _constraints(self, first: Part) -> Constraints:
        """Those of all rows: those asked for, or else those of the first row."""
        self._usual = BatchOptions(self.usual(first))
        if isinstance(first, Plain) or not first.rules or 0 in first.errors:
            return self._usual.constraints
        return constraints_of(first.rules[0], self._usual, first.board)

    def _pool(self, first: Part) -> AbstractContextManager[Workers | None]:
        """Threads, for C does the work; without it, processes."""
        workers = self.workers or (1 if first.rows < BLOCK else available_workers())
        if not isinstance(workers, int):
            return Workers(workers)
        kind = "thread" if COMPILED else "process"
        return nullcontext() if workers <= 1 else Workers(kind, workers)

    def _pieces(self, parts: Iterable[Part], constraints: Constraints) -> Iterator[Piece]:
        """The rows in pieces of BLOCK, but the last."""
        size = constraints.board.cells
        cells, unread = bytearray(), list[int]()
        for part in parts:
            if isinstance(part, Plain) and part.board == constraints.board:
                cells += part.cells
            else:
                chunk = part.chunk() if isinstance(part, Plain) else part
                rows, wrong = self._read(chunk, constraints)
                unread += (len(cells) // size + at for at in wrong)
                cells += rows
            while len(cells) >= BLOCK * size:
                here = tuple(at for at in unread if at < BLOCK)
                yield Piece(bytes(cells[: BLOCK * size]), here)
                unread = [at - BLOCK for at in unread if at >= BLOCK]
                del cells[: BLOCK * size]
        if cells:
            yield Piece(bytes(cells), tuple(unread))

    def _read(self, chunk: Chunk, constraints: Constraints) -> tuple[bytes, list[int]]:
        """The digits of the rows, and the places of those that are none; these are reported."""
        errors = dict(chunk.marks_as_errors().errors)
        stated = chunk.rules or [""] * chunk.rows
        fit = {text: self._fits(text, chunk.board, constraints) for text in {*stated}}
        puzzles = chunk.puzzles
        if puzzles.dtype == np.bool_ or puzzles.shape[1] != constraints.board.cells:
            fit = dict.fromkeys(fit, False)
            puzzles = np.zeros((chunk.rows, constraints.board.cells), np.uint8)
        for at, text in enumerate(stated):
            if not fit[text]:
                expected = f"rules and a board as those of the first row, and digits: {SHARED}"
                where = f"{chunk.source}: line {chunk.lines[at]}"
                errors.setdefault(at, CertifyError(f"{where}: expected {expected}"))
        for _, error in sorted(errors.items()):
            self.on_message(error)
        return puzzles.tobytes(), sorted(errors)

    def _count(self, made: Made) -> None:
        self.tally.add(made.statuses, made.rows - len(made.statuses))
        self.on_rows(made.rows)

    def _fits(self, text: str, board: Board, constraints: Constraints) -> bool:
        """Whether the rules of a row, which replace those asked for, are those of the file."""
        try:
            return constraints_of(text, self._usual, board) == constraints
        except SatdokuError:
            return False
