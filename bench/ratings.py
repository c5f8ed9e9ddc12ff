"""Compare ratings with those of a reference, and time them by rating.

    python bench/ratings.py FILE [--by-reference]

FILE has lines `puzzle er ep ed`. It prints each difference, then for each whole number of ER how
many puzzles agree and how many a second one core rates. `--by-reference`: by the Python
implementation.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from pathlib import Path

from satdoku import parse_grid
from satdoku.ratings import scale

Rated = tuple[str, tuple[float, ...]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--by-reference", action="store_true")
    arguments = parser.parse_args()
    if arguments.by_reference:
        scale.AVAILABLE = False
    bands: dict[int, list[Rated]] = defaultdict(list)
    for line in arguments.file.read_text().splitlines():
        puzzle, *known = line.split()
        rated = tuple(map(float, known))
        bands[int(rated[0])].append((puzzle, rated))
    print("| ER | puzzles | equal | a second |")
    print("|---|---|---|---|")
    for band, rows in sorted(bands.items()):
        print(f"| {band} | {len(rows)} | {compare(rows)} |", flush=True)


def compare(rows: list[Rated]) -> str:
    """How many ratings agree, and the puzzles that one core rates in a second."""
    cells = b"".join(bytes(parse_grid(puzzle).cells) for puzzle, _ in rows)
    start = time.process_time()
    numbers = scale.rate_cells(cells)
    seconds = time.process_time() - start
    equal = 0
    for index, (puzzle, known) in enumerate(rows):
        found = tuple(n / 10 for n in numbers[scale.FIELDS * index :][:3])
        equal += found == known
        if found != known:
            print(f"{puzzle}: {found}, expected {known}")
    return f"{equal} | {len(rows) / seconds:.0f}"


if __name__ == "__main__":
    main()
