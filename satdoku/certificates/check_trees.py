"""The check of files of proof trees.

Invariant: a row is verified only if its tree holds against the formula that is restated here from
the board and the rules, by sums that are derived again, or if its proof is one that
`SectionChecker` accepts. The file states nothing that is believed: its digest of the formula must
be that of the restated one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import lru_cache
from typing import BinaryIO, NamedTuple

from ..files.streams import STANDARD, File, open_input, peeked, read_line
from ..model.board import Board
from ..runtime.errors import SatdokuError
from ..runtime.lazy import cached_property
from ..runtime.workers import Workers, map_in_order
from .check import SectionChecker
from .fields import CertificateError, parse_json
from .format import Preamble, hash_of, read_certificate
from .proof import DEFAULT_BUDGET, Ints, ProofError
from .proof.formula import flat, format_formula, restated, variables_of
from .proof.sums import Derived
from .tree import COMPILED, Trees
from .tree.files import MAX_HEAD, START, Block, Head, blocks_of, read_blocks, read_head
from .tree.rows import NO_CLAIM, Row, Rows, Verdict, claim_of, columns


class Checked(NamedTuple):
    """What a block holds: how many rows of each claim are verified, and how many are `UNREAD`; and
    why others do not hold, by the place of the row in the block, from 0."""

    verified: Counter[str]
    rejected: dict[int, str]


@lru_cache(maxsize=4)
def formula_of(
    board: Board, rules: tuple[str, ...], sums: tuple[Derived, ...] = ()
) -> tuple[int, Ints, str]:
    """Variables, clauses in ascending order, and their text as DIMACS.

    Raises `ProofError` for rules that are unknown or do not fit the board, and for sums that do not
    follow.
    """
    clauses = sorted(restated(board, rules, sums))
    variables, numbers = variables_of(clauses, board), flat(clauses)
    return variables, numbers, format_formula(variables, numbers)


class FileChecker:
    """Checks the blocks of one file; `problem` is what is wrong with its head, or None."""

    def __init__(
        self, head: Head, *, budget: int = DEFAULT_BUDGET, compiled: bool = COMPILED
    ) -> None:
        self.head, self.budget, self.compiled = head, budget, compiled
        self.problem: str | None = None
        try:
            text = formula_of(head.board, head.rules, head.sums)[2]
            if hash_of(text) != head.sha256:
                self.problem = "the formula is another one than that of the board and its rules"
        except ProofError as error:
            self.problem = str(error)

    @cached_property
    def _trees(self) -> Trees:
        head = self.head
        return Trees(head.board, head.rules, head.sums, compiled=self.compiled)

    @cached_property
    def _section(self) -> SectionChecker:
        head = self.head
        _, clauses, text = formula_of(head.board, head.rules, head.sums)
        preamble = Preamble(head.board, head.rules, text, head.made_by, sums=head.sums)
        return SectionChecker(preamble, clauses, budget=self.budget, compiled=self.compiled)

    def check(self, block: Block) -> Checked:
        """What its rows are. Raises `CertificateError` if they cannot be read."""
        rows = block.unpack(self.head.board.cells)
        rejected = self.refusals(rows)
        kept = bytes(claim for at, claim in enumerate(rows.claims) if at not in rejected)
        counts = Counter(kept if rejected else rows.claims)
        verified: Counter[str] = Counter()
        for claim, count in counts.items():
            verified[claim_of(claim)] += count
        return Checked(verified, rejected)

    def refusals(self, rows: Rows) -> dict[int, str]:
        """Why rows do not hold, by their places, from 0."""
        if self.problem:
            return dict.fromkeys(range(len(rows.claims)), self.problem)
        return dict(self._refusals(rows))

    def _refusals(self, rows: Rows) -> Iterator[tuple[int, str]]:
        if not any(
            chr(claim) != chr(claim).lower() or claim == NO_CLAIM for claim in {*rows.claims}
        ):
            yield from self._against_trees(rows, range(len(rows.claims)))
            return
        every = list(rows.each(self.head.board.cells))
        with_tree = [at for at, row in enumerate(every) if chr(row.claim).islower()]
        if with_tree:
            yield from self._against_trees(columns(every[at] for at in with_tree), with_tree)
        for at in sorted({*range(len(every))}.difference(with_tree)):
            if every[at].claim != NO_CLAIM and (reason := self._refusal(every[at])):
                yield at, reason

    def _against_trees(self, rows: Rows, places: Sequence[int]) -> Iterator[tuple[int, str]]:
        try:
            verdicts = self._trees.check(rows)
        except ProofError as error:
            yield from ((at, f"a tree: {error}") for at in places)
            return
        if any(verdicts):
            wrong = ((at, code) for at, code in zip(places, verdicts, strict=True) if code)
            yield from ((at, Verdict(code).reason) for at, code in wrong)

    def _refusal(self, row: Row) -> str | None:
        """Why a row with a certificate in place of a tree does not hold."""
        board = self.head.board
        try:
            certificate = read_certificate(parse_json(row.tree), board)
        except SatdokuError as error:
            return str(error)
        solutions = tuple(map(bytes, certificate.solutions))
        if claim_of(row.claim) != certificate.claim:
            return "the certificate claims something else than its row"
        if (bytes(certificate.puzzle), solutions) != (row.puzzle, row.solutions):
            return "the certificate is about other grids than its row"
        return self._section.refusal(certificate)


@lru_cache(maxsize=16)
def checker_of(board: Board, rules: tuple[str, ...], sums: tuple[Derived, ...] = ()) -> FileChecker:
    """The checker of rows that stand in no file, under these rules, by these sums."""
    try:
        digest = hash_of(formula_of(board, rules, sums)[2])
    except ProofError:
        digest = ""  # the checker tells what is wrong
    return FileChecker(Head(board, rules, digest, {}, sums))


def holds_trees(path: File) -> bool:
    """Whether a file begins as one of proof trees does; standard input stays where it is."""
    if path == STANDARD:
        return peeked(len(START)) == START
    with open_input(path) as stream:
        return read_line(stream, len(START), str(path)) == START


def check_trees(
    path: File, *, budget: int = DEFAULT_BUDGET, workers: int = 1
) -> Iterator[tuple[int, Checked]]:
    """What the blocks of a file hold, each with the number of its first row, from 1.

    budget: see `SectionChecker`. Raises `CertificateError` for a file that is none, or that ends
    before its index.
    """
    row = 1
    with open_trees(path) as (head, stream):
        checker = FileChecker(head, budget=budget)
        wanted = workers if checker.compiled else 1
        with Workers("thread", wanted) if wanted > 1 else nullcontext() as pool:
            jobs = ((block.rows, (block,)) for block in read_blocks(stream))
            for rows, checked in map_in_order(pool, checker.check, jobs):
                yield row, checked
                row += rows


class Told(NamedTuple):
    """A row of a file: its number, from 1, and why it does not hold, or None."""

    number: int
    row: Row
    reason: str | None


def check_rows(
    path: File, first: int, last: int, *, budget: int = DEFAULT_BUDGET
) -> Iterator[tuple[Head, Told]]:
    """Some rows of a file, each with its head; of the other blocks nothing is read but their sizes.

    Raises `CertificateError` if there is no such row.
    """
    with open_trees(path) as (head, stream):
        checker, cells = FileChecker(head, budget=budget), head.board.cells
        for start, block in blocks_of(stream, first, last):
            here = range(max(first, start), min(last + 1, start + block.rows))
            every = [*block.unpack(cells).each(cells)]
            some = [every[number - start] for number in here]
            reasons = checker.refusals(columns(some))
            for at, (number, row) in enumerate(zip(here, some, strict=True)):
                yield head, Told(number, row, reasons.get(at))


def rows_in(path: File) -> Iterator[tuple[int, Head, Row]]:
    """All rows of a file, unchecked, each with its number, from 1, and the head of the file."""
    with open_trees(path) as (head, stream):
        cells = head.board.cells
        rows = (row for block in read_blocks(stream) for row in block.unpack(cells).each(cells))
        yield from ((number, head, row) for number, row in enumerate(rows, 1))


@contextmanager
def open_trees(path: File) -> Iterator[tuple[Head, BinaryIO]]:
    """The head of a file, and the stream behind it; a `CertificateError` gets the file's name."""
    try:
        with open_input(path) as stream:
            yield read_head(read_line(stream, MAX_HEAD, str(path))), stream
    except CertificateError as error:
        raise CertificateError(f"{path}: {error}") from None
