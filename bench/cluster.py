"""Measure the cost of sending chunks to workers: bytes and CPU seconds per million puzzles.

    python bench/cluster.py COLLECTION [...]

It measures on one core: the size of the pickled job and of its results, the time to pickle and
unpickle both, and the stages of a run (read, solve and verify, write). The figures show what limits
a cluster.
"""

from __future__ import annotations

import argparse
import io
import pickle
import statistics
import time
from collections.abc import Callable

from satdoku.batch.options import BatchOptions
from satdoku.batch.results.texts import format_lines
from satdoku.batch.solve import solve_job
from satdoku.files.collection import read_chunks
from satdoku.model.constraints import constraints_for

CHUNK = 1 << 15
REPEATS = 3


def seconds(work: Callable[[], object]) -> float:
    """The median processor time of several runs."""
    times = []
    for _ in range(REPEATS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return statistics.median(times)


def travel(value: object) -> tuple[int, float]:
    """The pickled size of a value in bytes, and the time to pickle and unpickle it."""
    data = pickle.dumps(value, protocol=5)
    return len(data), seconds(lambda: pickle.load(io.BytesIO(pickle.dumps(value, protocol=5))))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("collections", nargs="+")
    arguments = parser.parse_args()
    options = BatchOptions(constraints_for())
    print("| collection | bytes out | bytes back | pack s | read s | solve s | write s |")
    print("|---|---|---|---|---|---|---|")
    for path in arguments.collections:
        chunks = list(read_chunks(path, size=CHUNK))
        count = sum(len(chunk.lines) for chunk in chunks)
        million = 1e6 / count
        results = [solve_job(chunk.puzzles, options) for chunk in chunks]
        out = [travel((chunk.puzzles, options, None)) for chunk in chunks]
        back = [travel(result) for result in results]
        read = seconds(lambda path=path: list(read_chunks(path, size=CHUNK)))
        solve = seconds(lambda chunks=chunks: [solve_job(c.puzzles, options) for c in chunks])
        pairs = list(zip(chunks, results, strict=True))
        write = seconds(lambda pairs=pairs: [format_lines(c, r, options) for c, r in pairs])
        bytes_out, bytes_back = (sum(size for size, _ in way) * million for way in (out, back))
        pack = sum(spent for way in (out, back) for _, spent in way)
        times = " | ".join(f"{value * million:.2f}" for value in (pack, read, solve, write))
        print(f"| {path} | {bytes_out / 1e6:.0f} MB | {bytes_back / 1e6:.0f} MB | {times} |")


if __name__ == "__main__":
    main()
