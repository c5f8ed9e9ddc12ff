"""The commands `generate` and `minimize`: random puzzles, and minimal ones of others."""

from __future__ import annotations

import argparse
import secrets
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from itertools import groupby, islice
from typing import BinaryIO

import numpy as np

from ..batch.solve import solve_batch
from ..batch.workers import available_workers
from ..errors import Status
from ..files.streams import STANDARD, open_output
from ..generator import (
    BLOCK,
    GenerateOptions,
    GeneratorError,
    generate_blocks,
    minimized,
)
from ..generator.dice import Dice
from ..generator.oracle import Grids
from ..model.constraints import Constraints
from ..model.grid import LINE_BYTES, Grid
from ..model.puzzle import Puzzle
from . import EXIT_BAD_INPUT, EXIT_DONE, EXIT_NO
from .inputs import (
    asked_constraints,
    asked_puzzles,
    complain,
    text_or_file,
)
from .progress import Bar

RUN = 4096  # puzzles that are made minimal together


def generate(arguments: argparse.Namespace) -> int:
    """Write random puzzles, one a line."""
    options = _options(arguments)
    if arguments.seed is None and not arguments.quiet:
        complain(f"seed {options.seed}")
    start = time.perf_counter()
    with Bar([], quiet=arguments.quiet) as bar, open_output(arguments.output) as out:
        bar.bar.total = arguments.n
        with closing(generate_blocks(arguments.n, options, workers=_workers(arguments))) as blocks:
            for puzzles in blocks:
                _write(puzzles, out)
                bar.bar.update(len(puzzles))
    if arguments.output != STANDARD and not arguments.quiet:
        seconds = time.perf_counter() - start
        rate = f"{seconds:.2f} s, {arguments.n / seconds:,.0f} puzzles/s"
        print(f"{arguments.n:,} puzzles in {rate}, every one verified unique", file=sys.stderr)
    return EXIT_DONE


def _options(arguments: argparse.Namespace) -> GenerateOptions:
    pattern = arguments.pattern
    return GenerateOptions(
        asked_constraints(arguments),
        secrets.randbelow(2**32) if arguments.seed is None else arguments.seed,
        _givens(arguments.givens) if arguments.givens else None,
        arguments.minimal,
        arguments.symmetry,
        None if pattern is None else text_or_file(pattern),
        arguments.tries,
    )


def _givens(text: str) -> tuple[int, int]:
    """`24-28`, or `24` for just so many."""
    low, _, high = text.partition("-")
    if not (low.isdecimal() and (high or low).isdecimal()):
        raise GeneratorError(f"--givens {text}: expected LO-HI, such as 24-28, or one number")
    return int(low), int(high or low)


def _workers(arguments: argparse.Namespace) -> int:
    """As many as asked for; where nothing was asked, one for what takes a few seconds."""
    if arguments.workers is not None:
        return int(arguments.workers)
    return available_workers() if arguments.n > 4 * BLOCK else 1


def _write(puzzles: Grids, out: BinaryIO) -> None:
    lines = np.full((len(puzzles), puzzles.shape[1] + 1), ord("\n"), np.uint8)
    lines[:, :-1] = np.frombuffer(LINE_BYTES, np.uint8)[puzzles]
    out.write(lines.tobytes())


def minimize(arguments: argparse.Namespace) -> int:
    """A minimal puzzle inside each, or its status; exit 1 where one has not one solution."""
    if arguments.seed < 0:
        raise GeneratorError(f"seed {arguments.seed}: expected 0 or more")
    dice, code = Dice(arguments.seed), EXIT_DONE
    stream = asked_puzzles(arguments)
    while run := list(islice(stream, RUN)):
        for constraints, group in groupby(run, key=lambda item: getattr(item, "constraints", None)):
            if constraints is None:
                for error in group:
                    complain(error)
                code = EXIT_BAD_INPUT
                continue
            grids = [question.grid for question in group if isinstance(question, Puzzle)]
            if not _minimize_all(grids, constraints, dice) and code == EXIT_DONE:
                code = EXIT_NO
    return code


def _minimize_all(grids: Sequence[Grid], constraints: Constraints, dice: Dice) -> bool:
    """Print a line for each of the grids, all under one law; whether all had one solution."""
    cells = b"".join(grid.cells for grid in grids)
    puzzles = np.frombuffer(cells, np.uint8).reshape(len(grids), -1).copy()
    statuses = solve_batch(puzzles, constraints).statuses
    one = statuses == Status.UNIQUE
    puzzles[one] = minimized(puzzles[one], constraints, dice)
    for puzzle, status in zip(puzzles, statuses.tolist(), strict=True):
        unique = status == Status.UNIQUE
        print(Grid(puzzle.tobytes(), constraints.board) if unique else Status(status))
    return bool(one.all())
