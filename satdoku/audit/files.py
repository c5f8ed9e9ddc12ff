"""Audit collections: are the puzzles valid and unique, the answers right, the rows different?

Invariant: the result depends on the files and the rules only, never on the chunking or the workers.
Of a row without a problem only its line and its keys are kept, so memory grows by at most about 90
bytes per row (80 without symmetry).

The result is plain data; `report` describes it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from itertools import chain
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from .. import __version__
from ..batch.solve import (
    BatchOptions,
    check_rules,
    open_workers,
    solvable,
)
from ..batch.workers import map_in_order
from ..errors import SatdokuError
from ..files.collection import Chunk, read_chunks
from ..files.streams import check_inputs
from ..model.board import Board, board_for
from ..model.constraints import Constraints, constraints_for, tells_board
from ..symmetry import group
from .compare import compare_files
from .rows import examine, settled
from .tally import EXAMPLES, KINDS, FileTally

__all__ = ["EXAMPLES", "KINDS", "LEAK", "AuditError", "audit_chunks", "audit_files"]

CHUNK_PUZZLES = 1 << 14
LEAK = "leak"  # the kind of finding between files, besides `KINDS` in each

Progress = Callable[[Chunk, NDArray[np.uint8]], None]


class AuditError(SatdokuError):
    """No puzzles, boards of several sizes, or an unknown kind of finding to allow."""


def audit_files(
    paths: str | Sequence[str],
    rules: str | Constraints = "classic",
    *,
    symmetry: bool = True,
    allow: Iterable[str] = (),
    conflicts: int | None = None,
    format: str | None = None,
    columns: Mapping[str, str] | None = None,
    workers: int = 1,
    executor: str | Executor | None = None,
    progress: Progress | None = None,
    opened: Callable[[BinaryIO], None] | None = None,
    ignore_ruleset: bool = False,
) -> dict[str, Any]:
    """Audit some files together; returns what `report_page` and `report_text` present.

    For each row: is the puzzle well-formed, does it have exactly one solution, and is the stated
    answer that solution? Over all rows: which rows repeat another one, within a file or in a later
    file (a leak), exactly or up to the symmetries of the rules? `allow` names kinds of findings
    (`KINDS`, or "leak", with hyphens or blanks) that do not make the collection unsound. If
    `symmetry` is false, only exact duplicates are looked for. `conflicts`, `workers` and `executor`
    are those of `solve_chunks`; `format`, `columns` and `opened` those of `read_chunks`; `progress`
    gets each chunk and its statuses. A link that states rules in words only is unreadable, unless
    `ignore_ruleset` is true. The board is that of the first file unless the rules have one. Raises
    `SatdokuError` if a file cannot be read or an argument is wrong.
    """
    names = [paths] if isinstance(paths, str) else paths
    check_inputs(names)

    def read(path: str, board: Board | None) -> Iterator[Chunk]:
        chunks = read_chunks(
            path, board, _asked(rules), size=CHUNK_PUZZLES, format=format, columns=columns,
            opened=opened,
        )  # fmt: skip
        chunks = (chunk.marks_as_errors() for chunk in chunks)
        return chunks if ignore_ruleset else (chunk.warnings_as_errors() for chunk in chunks)

    return audit_chunks(
        _on_one_board(names, _board_of(rules), read), rules, symmetry=symmetry, allow=allow,
        conflicts=conflicts, workers=workers, executor=executor, progress=progress,
    )  # fmt: skip


def _asked(rules: str | Constraints) -> str | None:
    """The rules that a link must not exceed; None for the classic ones, which require nothing."""
    text = rules if isinstance(rules, str) else rules.name
    return None if text == "classic" else text


def _board_of(rules: str | Constraints) -> Board | None:
    """The board that the rules bring along; None if it comes from the puzzles."""
    return constraints_for(rules).board if tells_board(rules) else None


def _on_one_board(
    paths: Iterable[str],
    board: Board | None,
    read: Callable[[str, Board | None], Iterator[Chunk]],
) -> Iterator[tuple[str, Iterator[Chunk]]]:
    """Each file with its chunks; the first file with a chunk determines the board of all."""
    for path in paths:
        chunks = read(path, board)
        first = next(chunks, None)
        if first is not None:
            board = board or board_for(first.cells)
            chunks = chain([first], chunks)
        yield path, chunks


def audit_chunks(
    files: Iterable[tuple[str, Iterable[Chunk]]],
    rules: str | Constraints = "classic",
    *,
    symmetry: bool = True,
    allow: Iterable[str] = (),
    conflicts: int | None = None,
    workers: int = 1,
    executor: str | Executor | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """`audit_files` for pairs of a name and chunks, wherever they come from."""
    start = time.perf_counter()
    allowed = _checked_kinds(allow)
    tallies: list[FileTally] = []
    stream = _tallied(files, tallies)
    first = next(stream, None)
    if first is None:
        raise AuditError(f"{', '.join(t.path for t in tallies) or 'no file'}: holds no puzzle")
    board = _board_of(rules) or board_for(first[1].cells)
    options = BatchOptions(constraints_for(rules, board), conflicts=conflicts)
    jobs = _jobs(chain([first], stream), options, symmetry)
    with open_workers(options, workers, executor) as pool:
        for (tally, chunk), found in map_in_order(pool, examine, jobs):
            examined = settled(chunk, found)
            tally.add(chunk, examined, options)
            if progress is not None:
                progress(chunk, examined.statuses)
    words = _symmetry_words(options.constraints, tallies) if symmetry else None
    leaks = compare_files(tallies)
    kinds = {kind for tally in tallies for kind in tally.found} | ({LEAK} if leaks else set())
    return {
        "satdoku": __version__,
        "rules": options.constraints.name,
        "seconds": round(time.perf_counter() - start, 3),
        "sound": kinds <= allowed,
        "symmetry": words,
        "files": [tally.report() for tally in tallies],
        "leaks": leaks,
    }


def _checked_kinds(allow: Iterable[str]) -> set[str]:
    """The allowed kinds, written with blanks."""
    kinds = {kind.strip().replace("-", " ") for kind in allow}
    if unknown := sorted(kinds - {*KINDS, LEAK}):
        known = ", ".join(kind.replace(" ", "-") for kind in (*KINDS, LEAK))
        raise AuditError(f"no finding '{unknown[0]}': known are {known}")
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
    stream: Iterable[tuple[FileTally, Chunk]], options: BatchOptions, symmetry: bool
) -> Iterator[tuple[tuple[FileTally, Chunk], tuple[Any, ...]]]:
    """The arguments of `examine` for each chunk; chunks of another size are refused."""
    cells = options.constraints.board.cells
    for tally, chunk in stream:
        if chunk.cells != cells:
            raise AuditError(f"{tally.path}: puzzles of {chunk.cells} cells: expected {cells}")
        chunk = check_rules(chunk, options)
        answers = chunk.answers.cells if chunk.answers is not None else None
        yield (tally, chunk), (solvable(chunk), answers, options, chunk.rules, symmetry)


def _symmetry_words(constraints: Constraints, tallies: Iterable[FileTally]) -> str | None:
    """The symmetries that were looked for; None if some rows have no canonical form."""
    if any(tally.symmetric is None for tally in tallies):
        return None
    found = group(constraints)
    cells, digits = found.geometric_order, found.digit_order
    words = f"{cells:,} permutations of cells x {digits:,} of digits that keep the rules"
    own = any(tally.own_rules for tally in tallies)
    return f"{words}; rows with rules of their own: those of these" if own else words
