"""Measure canonical forms a second on one core, this tree's C code against an earlier revision's.

    python bench/canonical.py FILE... [--before REVISION] [--repeat 9] [-o results.json]

Each file holds 9x9 puzzles; its solutions (full grids) are measured too. Both versions of
`satdoku/symmetry/c` are compiled here with the same compiler and options, and take turns; the time
is the processor's, from digits in memory to forms in memory, and the figures are medians. The last
column is what a user of Python gets: `satdoku.canonical` with one thread.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from engine import machine
from numpy.typing import NDArray

from satdoku.batch.solve import solve_batch
from satdoku.files.collection import read_chunks
from satdoku.symmetry import canonical

ROOT = Path(__file__).resolve().parent.parent
SOURCES = "satdoku/symmetry/c"
CLASSIC = (ctypes.c_int32 * 5)(9, 3, 3, 1, 1)  # satdoku_board: size, box, transposition, renaming

Puzzles = NDArray[np.uint8]


def library(folder: Path) -> Callable[[Puzzles], None]:
    """Compile the forms of a folder of C sources; a function that computes the forms of puzzles."""
    built = folder / "forms.so"
    flags = ["-O3", "-std=c11", "-shared", "-fPIC", f"-I{folder}"]
    subprocess.run(["gcc", *flags, folder / "lines.c", "-o", built], check=True)
    by_lines = ctypes.CDLL(str(built)).satdoku_by_lines
    by_lines.restype = ctypes.c_int64

    def call(puzzles: Puzzles) -> None:
        forms = np.empty_like(puzzles)
        arrays = [ctypes.c_void_p(array.ctypes.data) for array in (puzzles, forms)]
        done = by_lines(CLASSIC, ctypes.c_int64(len(puzzles)), *arrays, None)
        assert done == len(puzzles)

    return call


def versions(before: str, folder: Path) -> dict[str, Callable[[Puzzles], None]]:
    """The earlier revision's forms, this tree's, and this tree's as seen from Python."""
    archive = subprocess.run(
        ["git", "archive", before, SOURCES], cwd=ROOT, check=True, stdout=subprocess.PIPE
    ).stdout
    (folder / "before").mkdir()
    subprocess.run(["tar", "-x", "-C", folder / "before"], input=archive, check=True)
    subprocess.run(["cp", "-r", ROOT / SOURCES, folder / "now"], check=True)
    return {
        "before": library(folder / "before" / SOURCES),
        "now": library(folder / "now"),
        "in Python": lambda puzzles: (canonical(puzzles), None)[1],
    }


def measure(
    puzzles: Puzzles, calls: dict[str, Callable[[Puzzles], None]], repeat: int
) -> dict[str, float]:
    """The median number of forms a second of each version; they take turns."""
    seen: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(repeat):
        for name, call in calls.items():
            start = time.process_time()
            call(puzzles)
            seen[name].append(len(puzzles) / (time.process_time() - start))
    return {name: statistics.median(rates) for name, rates in seen.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+")
    parser.add_argument("--before", default="22e9116", help="revision to compare with")
    parser.add_argument("--repeat", type=int, default=9)
    parser.add_argument("-o", "--output")
    arguments = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        calls = versions(arguments.before, Path(folder))
        for path in arguments.files:
            puzzles = np.concatenate([chunk.puzzles for chunk in read_chunks(path)])
            name = Path(path).stem
            for label, grids in ((name, puzzles), (f"{name}, solved", solve_batch(puzzles)[1])):
                rates = measure(np.ascontiguousarray(grids), calls, arguments.repeat)
                ratio = rates["now"] / rates["before"]
                rows.append({"puzzles": label, "count": len(grids), "ratio": ratio, **rates})
                shown = "  ".join(f"{key} {rate:,.0f}" for key, rate in rates.items())
                print(f"{label:28} {len(grids):,}: {shown}  ({ratio:.2f} times)", flush=True)
    if arguments.output:
        found = {"machine": machine(), "before": arguments.before, "rows": rows}
        Path(arguments.output).write_text(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
