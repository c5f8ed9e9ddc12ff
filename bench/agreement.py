"""How well ER agrees with other measures of difficulty, over puzzles of many kinds.

    python bench/agreement.py FILE.json [--timeout 10] [--first N]

FILE.json is a list of objects with `name` and `input`, a text of any format that satdoku reads.
It prints Spearman's rank correlation between ER and the nodes of the engine's search, and of ER
with the marks (easy, hard ...) in names, over the puzzles with one solution. Nodes count up to the
same limit for all of them.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from collections.abc import Iterator, Sequence
from statistics import correlation, median

from satdoku import rate
from satdoku.explain.rated import Rating
from satdoku.explain.rating import MOST_UNDER_CLUES, nodes_of
from satdoku.files.one import without_marks
from satdoku.runtime.errors import SatdokuError

MARKS = ("easy", "medium", "hard", "very hard")
MARK = re.compile(r"\b(easy|medium|very hard|hard)\b", re.IGNORECASE)


def rated(path: str, timeout: float, first: int | None) -> Iterator[tuple[str, Rating, int]]:
    """The name, rating and nodes of each puzzle of other rules than classic 9x9."""
    with open(path, encoding="utf-8") as stream:
        entries = json.load(stream)[:first]
    for entry in entries:
        start = time.process_time()
        try:
            grid, constraints = without_marks(entry["input"])
            rating = rate(grid, constraints, timeout=timeout)
            if not isinstance(rating, Rating) or constraints.needs_session:
                continue
            seconds = time.process_time() - start
            nodes = min(nodes_of(grid, constraints), MOST_UNDER_CLUES)
        except SatdokuError:  # several solutions, not read, or out of time
            continue
        print(f"{rating.er:4.1f} {nodes:5} {seconds:6.2f} s {entry['name']}", flush=True)
        yield entry["name"], rating, nodes


def ranks(values: Sequence[float]) -> list[float]:
    """Ranks; equal values share the mean of theirs."""
    ordered = sorted(values)
    return [ordered.index(value) + (ordered.count(value) - 1) / 2 for value in values]


def spearman(one: Sequence[float], other: Sequence[float]) -> float:
    return correlation(ranks(one), ranks(other))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file")
    parser.add_argument("--timeout", type=float, default=10.0)
    parser.add_argument("--first", type=int, help="only so many")
    arguments = parser.parse_args()
    found = list(rated(arguments.file, arguments.timeout, arguments.first))
    er = [rating.er for _, rating, _ in found]
    complete = sum(rating.complete for _, rating, _ in found)
    print(f"{len(found)} puzzles, {complete} within the levels, median ER {median(er):.1f}")
    print(f"ER and nodes: {spearman(er, [nodes for *_, nodes in found]):.2f}")
    marked = [(MARKS.index(m[1].lower()), r.er) for name, r, _ in found if (m := MARK.search(name))]
    if len({mark for mark, _ in marked}) > 1:
        marks, numbers = zip(*marked, strict=True)
        print(f"ER and the mark of {len(marked)}: {spearman(marks, numbers):.2f}")


if __name__ == "__main__":
    main()
