"""Measure what a certificate costs, and where the time goes.

    python bench/certificates.py COLLECTION [--sample 500] [--solver S] [--repeat 3]

It certifies and checks a random sample (fixed seed) on one core. Figures are microseconds of
processor time per puzzle, medians of the repeats. The parts are the steps of `certify_batch`,
called one after the other. Proof trees are made of the whole collection, from file to file.
"""

from __future__ import annotations

import argparse
import platform
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from satdoku import certify_files, check_trees
from satdoku.batch.decide import decide
from satdoku.batch.options import BatchOptions
from satdoku.certificates.check import check_certificates
from satdoku.certificates.format import write_section
from satdoku.certificates.make import (
    EMPTY,
    PROVERS,
    certify_batch,
    preamble_of,
    refute,
    residual_of,
)
from satdoku.certificates.proof import parse_drat, parse_formula
from satdoku.certificates.proof.formula import blocking, givens
from satdoku.certificates.proof.rup import COMPILED, Checker
from satdoku.files.collection import read_chunks
from satdoku.files.outputs import open_output
from satdoku.model.constraints import constraints_for

CLASSIC = constraints_for()
Result = TypeVar("Result")


class Clock:
    """Seconds by name, summed over the puzzles of one repeat."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    def __call__(self, name: str, work: Callable[..., Result], *arguments: Any) -> Result:
        start = time.process_time()
        result = work(*arguments)
        self.seconds[name] = self.seconds.get(name, 0.0) + time.process_time() - start
        return result


def parts(puzzles: np.ndarray, solver: str) -> dict[str, float]:
    """The seconds that each step of certifying and checking takes."""
    clock = Clock()
    prove = partial(refute, solver=solver)
    residual, checker = (
        residual_of(CLASSIC),
        Checker(*parse_formula(preamble_of(CLASSIC).cnf)),
    )
    marks, _ = clock("engine: propagate", residual.propagate, puzzles)
    answers = clock("engine: solve", decide, marks, BatchOptions(CLASSIC))
    for cells, mark, solution in zip(puzzles, marks, answers.solutions, strict=True):
        known = [solution.tobytes()]
        clauses = clock("formula cut down", residual.clauses, mark, known)
        proof: str | None = EMPTY
        if [] not in clauses:
            proof = clock("solver: load, solve, proof", prove, clauses)
        steps = clock("proof read", parse_drat, proof)
        extra = givens(cells.tobytes(), CLASSIC.board) + blocking(known, CLASSIC.board)
        verdict = clock("proof checked", checker.check, extra, steps)
        assert verdict.good, verdict
    return clock.seconds


def whole(puzzles: np.ndarray, solver: str, path: str) -> tuple[dict[str, float], int]:
    """The seconds of `certify` and of `check` as the commands run them, and the file's bytes."""
    clock = Clock()
    made = clock("CERTIFY, checked", lambda: certify_batch(puzzles, CLASSIC, solver=solver))

    def write() -> None:
        with open_output(path) as stream:
            write_section(stream, preamble_of(CLASSIC), made)

    clock("write, gzip", write)
    bad = clock("VERIFY, from the file", lambda: [f for f in check_certificates(path) if f.reason])
    assert not bad, bad[0]
    return clock.seconds, Path(path).stat().st_size


def trees(collection: str, path: str) -> tuple[dict[str, float], int, int]:
    """The seconds of proof trees of a whole collection, the file's bytes and its rows."""
    clock = Clock()
    told = clock("TREES, from file to file", partial(certify_files, workers=1), collection, path)
    bad = clock("VERIFY of trees", lambda: [c for _, c in check_trees(path) if c.rejected])
    assert not bad, bad[0]
    return clock.seconds, Path(path).stat().st_size, told["puzzles"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("collection")
    parser.add_argument("--sample", type=int, default=500)
    parser.add_argument("--solver", choices=PROVERS, default=PROVERS[0])
    parser.add_argument("--repeat", type=int, default=3)
    arguments = parser.parse_args()
    everything = np.concatenate([chunk.puzzles for chunk in read_chunks(arguments.collection)])
    count = min(arguments.sample, len(everything))
    rows = random.Random(6).sample(range(len(everything)), count)
    puzzles = np.ascontiguousarray(everything[rows])
    seen: list[dict[str, float]] = []
    trees_seen: list[dict[str, float]] = []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(arguments.repeat):
            ends, size = whole(puzzles, arguments.solver, f"{folder}/certificates.gz")
            seen.append(parts(puzzles, arguments.solver) | ends)
            ends, bytes_of_trees, rows_of_trees = trees(arguments.collection, f"{folder}/c.trees")
            trees_seen.append(ends)
    checker = "checker in C" if COMPILED else "checker in Python"
    machine = platform.processor() or platform.machine()
    print(f"{count:,} puzzles, {arguments.solver}, {checker}, {machine}")
    tell(seen, count)
    print(f"{'file':28} {size / count:9.1f} bytes/puzzle")
    tell(trees_seen, rows_of_trees)
    print(f"{'file of trees':28} {bytes_of_trees / rows_of_trees:9.1f} bytes/puzzle")


def tell(seen: list[dict[str, float]], count: int) -> None:
    """Print the medians of runs over so many puzzles."""
    for name in seen[0]:
        each = statistics.median(run[name] for run in seen) / count
        print(f"{name:28} {each * 1e6:9.1f} us/puzzle {1 / each:10,.0f}/s")


if __name__ == "__main__":
    main()
