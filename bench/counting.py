"""Measure how long exact counts take: `python bench/counting.py [--timeout S] [RULES ...]`.

It prints one line per rule set on 9x9 (and 6x6 classic): the number of grids, or a lower bound and
an estimate from a sample, and the seconds.
"""

from __future__ import annotations

import argparse
import time

from satdoku.counting import count_exact
from satdoku.runtime.workers import available_workers

DEFAULT = ("miracle", "knight,king", "king,nonconsecutive", "knight,nonconsecutive")


def measure(rules: str, size: int, timeout: float, workers: int) -> str:
    start = time.perf_counter()
    found = count_exact(None, rules, size=size, timeout=timeout, workers=workers)
    seconds = time.perf_counter() - start
    about = "" if found.exact or not found.estimate else f"  about {found.estimate:.3g}"
    return f"{size}x{size} {rules:<24} {found!s:>24} {seconds:9.2f} s{about}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rules", nargs="*", default=DEFAULT)
    parser.add_argument("--timeout", type=float, default=600.0)
    parser.add_argument("--workers", type=int, default=available_workers())
    arguments = parser.parse_args()
    print(measure("classic", 6, arguments.timeout, arguments.workers))
    for rules in arguments.rules:
        print(measure(rules, 9, arguments.timeout, arguments.workers), flush=True)


if __name__ == "__main__":
    main()
