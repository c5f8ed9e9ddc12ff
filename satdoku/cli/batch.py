"""The `batch` command: progress on a terminal, a summary, results kept when interrupted."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterable
from itertools import chain
from typing import Any, BinaryIO

import numpy as np

from ..batch import BatchOptions, BatchResult, available_workers, solve_chunks
from ..board import board_for
from ..collection import Chunk, read_chunks
from ..errors import Status
from ..files import STANDARD, FileError, open_output
from ..results import FORMATTERS
from . import EXIT_BAD_INPUT, EXIT_DONE
from .inputs import asked_board, complain, law_for

# Puzzles of a chunk. A session's are about 0.1 s of work: progress moves, workers end together;
# the engine's fill its lanes many times over.
CHUNK_PUZZLES = {"engine": 1 << 15, "session": 512}


def batch(arguments: argparse.Namespace) -> int:
    """Solve a collection; exit 2 if it held a puzzle that could not be read."""
    size = CHUNK_PUZZLES[arguments.backend]
    chunks = read_chunks(arguments.collection, asked_board(arguments), size=size)
    first = next(chunks, None)
    if first is None:
        raise FileError(f"{arguments.collection}: holds no puzzle")
    results = solve_chunks(
        chain([first], chunks),
        _options(arguments, first),
        workers=_workers(arguments, first),
    )
    tally = Tally()
    with open_output(arguments.output) as out:
        try:
            _write(arguments, results, out, tally)
        except KeyboardInterrupt:
            if arguments.output != STANDARD:
                complain(f"finished results are kept in {arguments.output}.part")
            raise
        finally:
            results.close()
            if not arguments.quiet:
                print(tally.summary(), file=sys.stderr)
    return EXIT_BAD_INPUT if tally.unreadable else EXIT_DONE


class Tally:
    """Counts of a run so far: puzzles, statuses, rows that could not be read, seconds."""

    def __init__(self) -> None:
        self.statuses: Counter[Status] = Counter()
        self.unreadable = 0
        self.start = time.perf_counter()

    @property
    def puzzles(self) -> int:
        return sum(self.statuses.values())

    def add(self, chunk: Chunk, result: BatchResult) -> None:
        """Count one more chunk."""
        codes, counts = np.unique(result.statuses, return_counts=True)
        for code, count in zip(codes.tolist(), counts.tolist(), strict=True):
            self.statuses[Status(code)] += count
        self.unreadable += len(chunk.errors)

    def summary(self) -> str:
        """Counts by status, then speed, on one line each."""
        seconds = time.perf_counter() - self.start
        counts = ", ".join(f"{n:,} {status}" for status, n in sorted(self.statuses.items()))
        rate = self.puzzles / seconds if seconds else 0.0
        return (
            f"{self.puzzles:,} puzzles: {counts or 'none finished'}\n"
            f"{seconds:.2f} s, {rate:,.0f} puzzles/s, every solution verified"
        )


def _options(arguments: argparse.Namespace, first: Chunk) -> BatchOptions:
    board = asked_board(arguments) or board_for(first.puzzles.shape[1])
    return BatchOptions(
        law_for(arguments, board),
        arguments.limit,
        arguments.solver,
        arguments.conflicts,
        arguments.backend,
    )


def _workers(arguments: argparse.Namespace, first: Chunk) -> int:
    """As many as asked for; where nothing was asked, one if there is only one chunk to solve."""
    if arguments.workers is not None:
        return int(arguments.workers)
    return available_workers() if len(first.lines) >= CHUNK_PUZZLES["session"] else 1


def _write(
    arguments: argparse.Namespace,
    results: Iterable[tuple[Chunk, BatchResult]],
    out: BinaryIO,
    tally: Tally,
) -> None:
    header, form = FORMATTERS[arguments.format]
    out.write(header)
    with _progress(arguments) as bar:
        for chunk, result in results:
            for error in chunk.errors.values():
                complain(error)
            out.write(form(chunk, result))
            tally.add(chunk, result)
            bar.update(len(chunk.lines))


def _progress(arguments: argparse.Namespace) -> Any:
    """A progress bar on stderr, silent unless that is a terminal."""
    from tqdm import tqdm

    silent = arguments.quiet or not sys.stderr.isatty()
    return tqdm(unit=" puzzles", unit_scale=True, disable=silent, file=sys.stderr, leave=False)
