"""Audit files: are the puzzles valid and unique, the answers right, and all rows different?

Invariant: the result depends only on the files and the rules, never on the chunks or the workers.

For a row, only its line and its keys are kept, and short numbers if the rows are asked for. The
result is plain data, as `report` describes it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from ..batch.options import PIECE, BatchOptions
from ..batch.solve import check_rules, open_workers, options_on, shared_out, solvable
from ..files.collection import Chunk, read_chunks
from ..files.formats import AS_IT_IS, ReadOptions
from ..files.streams import Files, check_inputs, files_named
from ..model.board import Board
from ..model.constraints import Constraints, RulesLike, constraints_for, rules_text, tells_board
from ..model.grid import NINE
from ..runtime.errors import SatdokuError, counted, no_such
from ..runtime.package import VERSION
from ..runtime.progress import Progress, reporting
from ..runtime.workers import map_in_order
from ..symmetry import group
from .compare import Firsts, compare_files
from .proofs import is_file, opened_proofs
from .rows import examine, settled
from .table import AuditRows, Gathering
from .tally import EXAMPLES, FACTS, GRID_LEAK, KINDS, LEAK, FileTally, bit_of, kinds_of

if TYPE_CHECKING:
    from ..runtime.workers import WorkersLike

__all__ = [
    "ALL_CHECKS", "EXAMPLES", "KINDS", "LEAK", "Audit", "AuditError", "Checks", "audit_chunks",
    "audit_files",
]  # fmt: skip

CHUNK_PUZZLES = 1 << 14

OnChunk = Callable[[Chunk, NDArray[np.uint8]], None]


class AuditError(SatdokuError):
    """No puzzles to audit, boards of several sizes, or an unknown kind of finding in `allow`."""


@dataclass(frozen=True)
class Checks:
    """What an audit looks for, and which findings make a collection unsound.

    symmetry: whether rows repeat each other up to the symmetries of the rules; else only exactly.
    allow: kinds of findings (`KINDS`, with hyphens or blanks) that do not make it unsound; forbid:
    those of `FACTS` that do. conflicts: of a solver's call for one puzzle, which is undecided
    beyond; None sets no limit. proofs: the name of a column with proofs, as `proof_texts` makes
    them, or that of a file of proof trees, row n beside row n; a row without a proof that holds is
    "unproved".
    """

    symmetry: bool = True
    allow: Collection[str] = ()
    forbid: Collection[str] = ()
    conflicts: int | None = None
    proofs: str | None = None

    @property
    def allowed(self) -> set[str]:
        """All kinds that do not make a collection unsound; raises `AuditError` for unknown ones."""
        return {*FACTS} - checked_kinds(self.forbid, FACTS) | checked_kinds(self.allow)

    @property
    def keeps_columns(self) -> bool:
        """Whether files must be read with all their columns."""
        return self.proofs is not None and not is_file(self.proofs)


ALL_CHECKS = Checks()


class Audit(dict[str, Any]):
    """The report of an audit, plain data as `report` describes it, and its rows if requested."""

    def __init__(self, report: Mapping[str, Any], rows: AuditRows | None = None) -> None:
        super().__init__(report)
        self.rows = rows

    def __repr__(self) -> str:
        rows = sum(file["rows"] for file in self["files"])
        verdict = "sound" if self["sound"] else "not sound"
        return f"<Audit: {verdict}, rows: {rows:,}, files: {len(self['files']):,}>"

    def _repr_html_(self) -> str:
        """The verdict and the tables of `report_page`, for a notebook."""
        from .report.page import report_display

        return report_display(self)


def audit_files(
    paths: Files,
    rules: RulesLike = "classic",
    *,
    checks: Checks = ALL_CHECKS,
    reading: ReadOptions = AS_IT_IS,
    rows: bool = False,
    ratings: bool = False,
    workers: WorkersLike = 1,
    progress: Progress = False,
) -> Audit:
    """Audit files together; return the data for `report_page` and `report_text`.

    For each row the audit checks whether the puzzle is well-formed, whether it has exactly one
    solution, and whether the stated answer is this solution. Over all rows it finds those that
    repeat another row of the file or of an earlier file (a leak), exactly or up to the symmetries
    of the rules.

    With `rows`, the result's `rows` are the findings row by row; with `ratings`, they are rated,
    which takes time. checks, reading: see `Checks` and `ReadOptions`; workers: see `solve_chunks`;
    progress: True for a bar, or a function of (rows done, None). The board is that of the rules if
    they fix one, else that of the first file. Raises `SatdokuError` if a file cannot be read or an
    argument is invalid.
    """
    size, keep = PIECE if ratings else CHUNK_PUZZLES, checks.keeps_columns
    files = read_files(paths, rules, size=size, reading=reading, keep=keep)
    return audit_chunks(
        files, rules, checks=checks, rows=rows, ratings=ratings, workers=workers, progress=progress
    )


def read_files(
    paths: Files,
    rules: RulesLike = "classic",
    *,
    size: int = CHUNK_PUZZLES,
    usual: Board | None = None,
    reading: ReadOptions = AS_IT_IS,
    on_open: Callable[[BinaryIO], None] | None = None,
    keep: bool = False,
) -> Iterator[tuple[str, Iterator[Chunk]]]:
    """Each path with its chunks as an audit sees them, read one after another.

    Arguments as for `audit_files` and `read_chunks`. Raises `SatdokuError` at once for a path that
    cannot be read.
    """
    names = files_named(paths)
    check_inputs(names)

    board = _board_of(rules)

    def read(path: str, usual: Board | None) -> Iterator[Chunk]:
        chunks = read_chunks(
            path, _asked(rules), board, size=size, usual=usual, reading=reading, on_open=on_open,
            keep=keep,
        )  # fmt: skip
        chunks = (chunk.marks_as_errors() for chunk in chunks)
        return (
            chunks if reading.ignore_ruleset else (chunk.warnings_as_errors() for chunk in chunks)
        )

    return _on_one_board(names, usual, read)


def _asked(rules: RulesLike) -> str | None:
    """The rules that a link must not exceed; None for the classic ones, which require nothing."""
    text = rules_text(rules)
    return None if text == "classic" else text


def _board_of(rules: RulesLike) -> Board | None:
    """The board that the rules fix; None if it depends on the puzzles."""
    return constraints_for(rules).board if tells_board(rules) else None


def _on_one_board(
    paths: Iterable[str],
    usual: Board | None,
    read: Callable[[str, Board | None], Iterator[Chunk]],
) -> Iterator[tuple[str, Iterator[Chunk]]]:
    """Each file with its chunks; the first file with puzzles decides the usual board of all."""
    for path in paths:
        chunks = read(path, usual)
        first = next(chunks, None)
        if first is not None:
            usual = usual or first.usual_board
            chunks = chain([first], chunks)
        yield path, chunks


def audit_chunks(
    files: Iterable[tuple[str, Iterable[Chunk]]],
    rules: RulesLike = "classic",
    *,
    checks: Checks = ALL_CHECKS,
    rows: bool = False,
    ratings: bool = False,
    workers: WorkersLike = 1,
    progress: Progress = False,
    on_chunk: OnChunk | None = None,
) -> Audit:
    """`audit_files` for chunks from any source; each file is a name with its chunks. on_chunk: gets
    each chunk with its statuses."""
    begun = time.perf_counter()
    allowed = checks.allowed
    tallies: list[FileTally] = []
    stream = _tallied(files, tallies)
    first = next(stream, None)
    if first is None:
        raise AuditError(f"{', '.join(t.path for t in tallies) or 'no file'}: holds no puzzle")
    board = _board_of(rules) or first[1].usual_board or NINE
    options = BatchOptions(constraints_for(rules, board), conflicts=checks.conflicts, rated=ratings)
    gathering = Gathering(whole=rows)
    jobs = _jobs(chain([first], stream), options, checks)
    with (
        open_workers(options, workers) as pool,
        reporting(progress, None, " rows") as more,
    ):
        for (tally, chunk), found in map_in_order(pool, examine, jobs):
            examined = settled(chunk, found)
            noted = kinds_of(chunk, examined)
            tally.add(chunk, examined, noted, options)
            gathering.add(chunk, examined, noted)
            more(chunk.rows)
            if on_chunk is not None:
                on_chunk(chunk, examined.statuses)
    firsts = gathering.firsts()
    across = _findings(tallies, gathering, firsts, options.constraints, allowed)
    report = {
        "satdoku": VERSION,
        "rules": options.constraints.name,
        "seconds": round(time.perf_counter() - begun, 3),
        **across,
    }
    if checks.proofs is not None:
        report["proof_seconds"] = round(sum(tally.proof_seconds for tally in tallies), 3)
    paths = [(tally.path, tally.rows) for tally in tallies]
    return Audit(report, gathering.rows(paths, firsts) if rows else None)


def _findings(
    tallies: Sequence[FileTally],
    gathering: Gathering,
    firsts: Firsts,
    constraints: Constraints,
    allowed: set[str],
) -> dict[str, Any]:
    """What the rows of all files together say, as the report has it."""
    kinds = gathering.column("kinds")
    leaks = compare_files(tallies, firsts, gathering.column("line"), kinds)
    _count_sound(tallies, kinds, allowed)
    return {
        "sound": all(tally.sound == tally.rows for tally in tallies),
        "symmetry": _symmetry_words(constraints, tallies) if "symmetric" in firsts else None,
        "files": [tally.report(allowed) for tally in tallies],
        "leaks": leaks[LEAK],
        "grid_leaks": leaks[GRID_LEAK],
    }


def _count_sound(
    tallies: Iterable[FileTally], kinds: NDArray[np.uint32], allowed: set[str]
) -> None:
    """Count in each tally the rows without a finding that is a fault."""
    faults = sum(int(bit_of(kind)) for kind in KINDS if kind not in allowed)
    start = 0
    for tally in tallies:
        stop = start + tally.rows
        tally.sound = int(np.count_nonzero(kinds[start:stop] & np.uint32(faults) == 0))
        start = stop


def checked_kinds(asked: Iterable[str], known: Iterable[str] = KINDS) -> set[str]:
    """The kinds that were asked for, with blanks instead of hyphens; `AuditError` for others."""
    kinds = {kind.strip().replace("-", " ") for kind in asked}
    if unknown := sorted(kinds.difference(known)):
        names = [kind.replace(" ", "-") for kind in known]
        raise AuditError(no_such("finding", unknown[0].replace(" ", "-"), names))
    return kinds


def _tallied(
    files: Iterable[tuple[str, Iterable[Chunk]]], tallies: list[FileTally]
) -> Iterator[tuple[FileTally, Chunk]]:
    """Every chunk with the tally of its file; a file without chunks gets a tally, too."""
    for path, chunks in files:
        tally = FileTally(path)
        tallies.append(tally)
        for chunk in chunks:
            yield tally, chunk


def _jobs(
    stream: Iterable[tuple[FileTally, Chunk]], options: BatchOptions, checks: Checks
) -> Iterator[tuple[tuple[FileTally, Chunk], tuple[Any, ...]]]:
    """The part of each chunk that the workers need; raises if a chunk has another board size."""
    board, begun = options.constraints.board, set[int]()
    with opened_proofs(checks.proofs) as proofs_of:
        for tally, whole in stream:
            is_same = whole.board.row_form == board.row_form
            if not is_same and id(tally) not in begun and whole.rules is None:
                found = (
                    counted(whole.cells, "cell")
                    if whole.cells != board.cells
                    else whole.board.in_words
                )
                raise AuditError(f"{tally.path}: puzzles of {found}: expected {board.cells}")
            begun.add(id(tally))
            here = options_on(whole.board, options)
            for part in shared_out([check_rules(whole, options)], here):
                answers = part.answers.cells if part.answers is not None else None
                proofs = proofs_of(part)
                job = solvable(part), answers, here, part.rules, checks.symmetry, proofs
                yield (tally, part), job


def _symmetry_words(constraints: Constraints, tallies: Iterable[FileTally]) -> str:
    """Describe the symmetries that were used."""
    found = group(constraints)
    cells, digits = found.geometric_order, found.digit_order
    words = f"{cells:,} permutations of cells x {digits:,} of digits that keep the rules"
    own = any(tally.own_rules for tally in tallies)
    return f"{words}; rows with rules of their own: those of these" if own else words
