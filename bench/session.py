"""Compare the session with a bare PySAT loop on one collection.

    python bench/session.py COLLECTION [--solver S] [--repeat 3] [--recycle 500 2000 8000 0]

The bare loop is what a Python user would write by hand: one solver, givens as assumptions, fetch
the model, decode and check nothing. All figures are microseconds per puzzle, medians of the
repeats. The repeats are interleaved, so that a change in the machine's speed affects all of them.
"""

from __future__ import annotations

import argparse
import platform
import statistics
import time
from collections.abc import Callable
from itertools import pairwise

from pysat.solvers import Solver

from satdoku.answers.session import DEFAULT_RECYCLE, Session
from satdoku.answers.solver import DEFAULT_SOLVER
from satdoku.cnf.encodings import encode
from satdoku.files.collection import read_chunks
from satdoku.model.constraints import constraints_for


def bare(puzzles: list[bytes], solver_name: str) -> list[float]:
    """Seconds after each tenth of the collection."""
    solver = Solver(solver_name, bootstrap_with=encode(constraints_for()).clauses)

    def one(cells: bytes) -> None:
        solver.solve([9 * cell + digit for cell, digit in enumerate(cells) if digit])
        solver.get_model()

    return _tenths(puzzles, one)


def session(puzzles: list[bytes], solver_name: str, limit: int, recycle: int) -> list[float]:
    """Seconds after each tenth; recycle 0 means never."""
    with Session(solver=solver_name, recycle=recycle or len(puzzles) + 1) as kept:
        return _tenths(puzzles, lambda cells: kept.decide_cells(cells, limit=limit))


def _tenths(puzzles: list[bytes], one: Callable[[bytes], object]) -> list[float]:
    step = max(1, len(puzzles) // 10)
    marks = [time.perf_counter()]
    for index, cells in enumerate(puzzles, 1):
        one(cells)
        if index % step == 0:
            marks.append(time.perf_counter())
    return [later - earlier for earlier, later in pairwise(marks)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("collection")
    parser.add_argument("--solver", default=DEFAULT_SOLVER)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--recycle", type=int, nargs="+", default=[DEFAULT_RECYCLE])
    arguments = parser.parse_args()
    chunks = read_chunks(arguments.collection)
    puzzles = [row.tobytes() for chunk in chunks for row in chunk.puzzles]
    name = arguments.solver
    runs: dict[str, Callable[[], list[float]]] = {"bare loop": lambda: bare(puzzles, name)}
    for recycle in arguments.recycle:
        for limit, what in ((1, "solve"), (2, "uniqueness")):
            label = f"session {what}, recycle {recycle or 'never'}"
            runs[label] = lambda limit=limit, recycle=recycle: session(  # type: ignore[misc]
                puzzles, name, limit, recycle
            )
    seen: dict[str, list[list[float]]] = {label: [] for label in runs}
    for _ in range(arguments.repeat):
        for label, run in runs.items():
            seen[label].append(run())
    print(f"{len(puzzles):,} puzzles, {name}, {platform.processor() or platform.machine()}")
    print(f"{'':36} {'us/puzzle':>9} {'x bare':>7} {'last/first tenth':>17}")
    base = statistics.median(sum(run) for run in seen["bare loop"])
    for label, repeats in seen.items():
        total = statistics.median(sum(run) for run in repeats)
        drift = statistics.median(run[9] / run[0] for run in repeats)
        print(f"{label:36} {total / len(puzzles) * 1e6:9.1f} {total / base:7.2f} {drift:17.2f}")


if __name__ == "__main__":
    main()
