"""Measure canonical forms per second, on one core and on two, for puzzles of every kind.

    python bench/symmetry.py [COLLECTION...] [--repeat 5] [--sample 2000] [-o results.json]

The kinds are: the given collections; `puzzles/generated-1000.txt`; their solutions (full grids);
the same puzzles under the groups of variants; and, in microseconds for one puzzle, patterns with
many symmetries. Times run from digits in memory to forms in memory; the numpy reference runs on a
sample. Figures are medians of the repeats, which are interleaved. One thread is timed with the
processor clock, so that other work on the machine counts less; two threads are timed with the wall
clock.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from engine import machine
from numpy.typing import NDArray

from satdoku.batch.solve import solve_batch
from satdoku.files.collection import read_chunks
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.symmetry import canonical, group, implementations

Puzzles = NDArray[np.uint8]
GENERATED = Path(__file__).parent.parent / "puzzles" / "generated-1000.txt"
VARIANTS = ("miracle", "knight", "diagonal", "windoku", "disjoint")


def kinds(paths: list[str]) -> dict[tuple[str, str], Puzzles]:
    """The puzzles by name and rules."""
    found = {}
    for path in [*paths, str(GENERATED)]:
        puzzles = np.concatenate([chunk.puzzles for chunk in read_chunks(path)])
        found[Path(path).stem, "classic"] = puzzles
        found[f"{Path(path).stem}, solved", "classic"] = solve_batch(puzzles)[1]
    found.update({(GENERATED.stem, rules): puzzles for rules in VARIANTS})
    return found


def contenders(rules: str, sample: int) -> dict[str, Callable[[Puzzles], int]]:
    """Functions by name; each returns the number of puzzles that it processed."""
    constraints = constraints_for(rules)
    group(constraints).whole_boxes or group(
        constraints
    ).cell_permutations  # computed once for a rule set

    def call(puzzles: Puzzles, name: str, threads: int) -> int:
        canonical(puzzles, constraints, implementation=name, workers=threads)
        return len(puzzles)

    found: dict[str, Callable[[Puzzles], int]] = {}
    if "c" in implementations():
        found["c"] = lambda puzzles: call(puzzles, "c", 1)
        found["c, 2 threads"] = lambda puzzles: call(puzzles, "c", 2)
    few = sample if rules == "classic" else sample // 40
    found["numpy"] = lambda puzzles: call(puzzles[:few], "numpy", 1)
    return found


def measure(puzzles: Puzzles, rules: str, sample: int, repeat: int) -> dict[str, float]:
    """The median number of puzzles per second of every contender."""
    seen: dict[str, list[float]] = {}
    for _ in range(repeat):
        for name, call in contenders(rules, sample).items():
            clock = time.perf_counter if "threads" in name else time.process_time
            start = clock()
            count = call(puzzles)
            seen.setdefault(name, []).append(count / (clock() - start))
    return {name: statistics.median(rates) for name, rates in seen.items()}


def nasty(size: int) -> dict[str, Puzzles]:
    """Patterns with many symmetries, (1, cells) each."""
    across = np.add.outer(np.arange(size), np.arange(size))
    first = np.arange(size)[:, None] == 0
    grids = {
        "empty": across * 0,
        "one given": across == 0,
        "one full row": first * np.arange(1, size + 1),
        "one digit all over": across * 0 + 1,
        "diagonal": np.diag(np.arange(1, size + 1)),
        "cyclic": across % size + 1,
    }
    return {name: grid.astype(np.uint8).reshape(1, -1) for name, grid in grids.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("collections", nargs="*")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--sample", type=int, default=2000)
    parser.add_argument("-o", "--output")
    arguments = parser.parse_args()
    rows: list[dict[str, object]] = []
    print("puzzles a second")
    for (name, rules), puzzles in kinds(arguments.collections).items():
        rates = measure(puzzles, rules, arguments.sample, arguments.repeat)
        rows.append({"puzzles": name, "rules": rules, **rates})
        shown = "  ".join(f"{key} {rate:,.0f}" for key, rate in rates.items())
        print(f"{name:28} {rules:10} {shown}", flush=True)
    print("microseconds for one puzzle with many symmetries")
    for size in (9, 16, 25):
        constraints = constraints_for("classic", Board.of_size(size))
        canonical(np.zeros((1, size * size), np.uint8), constraints)  # computes the group
        for name, puzzle in nasty(size).items():
            times = []
            for _ in range(arguments.repeat):
                start = time.process_time()
                canonical(puzzle, constraints)
                times.append(1e6 * (time.process_time() - start))
            rows.append({"puzzles": f"{size}x{size} {name}", "us": statistics.median(times)})
            print(f"{size:2}x{size:<2} {name:22} {statistics.median(times):,.0f}", flush=True)
    if arguments.output:
        found = {"machine": machine(), "rows": rows}
        Path(arguments.output).write_text(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
