"""Rate samples of collections, and print the distribution of the ratings and their cost.

    python bench/rating.py FILE... [--sample 50] [--seed 5]

It prints one row of a Markdown table per file: quantiles of the number, of the size of the hardest
step, and of the processor seconds that a rating took.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from random import Random

from satdoku import Grid, rate, read_puzzles

QUANTILES = (0.0, 0.1, 0.5, 0.9, 1.0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--sample", type=int, default=50)
    parser.add_argument("--seed", type=int, default=5)
    arguments = parser.parse_args()
    print("| collection | puzzles | number | hardest | seconds |")
    print("|---|---|---|---|---|")
    for path in arguments.files:
        grids = [entry.grid for entry in read_puzzles(path) if isinstance(entry.grid, Grid)]
        sample = Random(arguments.seed).sample(grids, min(arguments.sample, len(grids)))
        print(f"| {path.split('/')[-1]} | {len(sample)} | {row(sample)} |", flush=True)


def row(sample: Sequence[Grid]) -> str:
    """The three cells of a sample; each cell shows quantiles."""
    numbers, sizes, seconds = [], [], []
    for grid in sample:
        start = time.process_time()
        rating = rate(grid, scale="mus")
        seconds.append(time.process_time() - start)
        numbers.append(rating.number)
        sizes.append(float(rating.hardest))
    shown = ((numbers, "{:.1f}"), (sizes, "{:.0f}"), (seconds, "{:.2f}"))
    return " | ".join(" ".join(map(form.format, quantiles(values))) for values, form in shown)


def quantiles(values: Sequence[float]) -> list[float]:
    ordered = sorted(values)
    return [ordered[round(q * (len(ordered) - 1))] for q in QUANTILES]


if __name__ == "__main__":
    main()
