"""Compare the batch engine with other solvers on collections: microseconds per puzzle, one core.

    python bench/engine.py COLLECTION... [--limit 1 2] [--sample 5000] [--rival NAME=LIBRARY]
                           [-o results.json]

The columns are the engine as it chooses its implementation, each implementation that runs on this
machine, `solve_batch`, the session (CDCL, givens as assumptions), and "rebuild", a new PySAT solver
for every puzzle, as in a first script. A rival is called like ours: a shared library initialises
its solver once and calls it for each puzzle, in a function

    long solve_all(const char *lines, const char *digits, long count, int limit, char *solutions)

that looks for at most `limit` solutions of each and returns how many it found. It gets the puzzles
twice, as lines of 82 characters (`.` for an empty cell) and as 81 digits each (0 for empty), and so
pays for no conversion.

All are timed from memory to memory, in processor time, on whole collections; numpy, session and
rebuild run on a sample. A figure is the least and the median of the repeats, which are interleaved:
a shared machine only adds. The last columns are the ratios: the least time of the best rival
divided by that of the engine, and by that of the engine in AVX2.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import platform
import re
import sys
import sysconfig
import time
from collections.abc import Callable
from datetime import date
from importlib.metadata import version
from pathlib import Path
from statistics import median

import numpy as np
from numpy.typing import NDArray
from pysat.solvers import Solver

from satdoku import __version__, engine
from satdoku.batch.solve import solve_batch
from satdoku.cnf.encodings import encode
from satdoku.files.collection import read_chunks
from satdoku.model.constraints import constraints_for

Puzzles = NDArray[np.uint8]
CLASSIC = constraints_for("classic")
LEAST_PUZZLES = 100_000  # that the engine solves in a measurement; a short list repeatedly
BEYOND = bytes(64)  # that a vector may read behind the last puzzle


def rebuild(puzzles: Puzzles, limit: int) -> None:
    """Solve with a new solver for each puzzle, as a first script would."""
    clauses = encode(CLASSIC).clauses
    for cells in puzzles:
        givens = encode(CLASSIC).literals(cells.tobytes())
        with Solver("cadical153", bootstrap_with=clauses) as solver:
            for literal in givens:
                solver.add_clause([literal])
            for _, _ in zip(range(limit), solver.enum_models(), strict=False):
                pass


def contenders(limit: int, sample: int) -> dict[str, tuple[int | None, Callable[[Puzzles], None]]]:
    """For each name, the number of puzzles to take (None: all) and the function to call."""

    def by_engine(name: str) -> Callable[[Puzzles], None]:
        return lambda puzzles: _ignore(
            engine.solve(puzzles, CLASSIC, limit=limit, implementation=name)
        )

    found: dict[str, tuple[int | None, Callable[[Puzzles], None]]] = {
        "engine": (None, lambda puzzles: _ignore(engine.solve(puzzles, CLASSIC, limit=limit)))
    }
    found |= {
        name: (None if name != engine.NUMPY else 4 * sample, by_engine(name))
        for name in engine.implementations()
    }
    found["batch"] = None, lambda puzzles: _ignore(solve_batch(puzzles, CLASSIC, limit=limit))
    found["session"] = (
        sample,
        lambda puzzles: _ignore(solve_batch(puzzles, CLASSIC, limit=limit, backend="session")),
    )
    found["rebuild"] = sample // 10, lambda puzzles: rebuild(puzzles, limit)
    return found


def _ignore(_: object) -> None:
    pass


def measure(puzzles: Puzzles, limit: int, sample: int) -> dict[str, float]:
    """The microseconds per puzzle of every contender, once each."""
    seen = {}
    for name, (count, call) in contenders(limit, sample).items():
        taken = puzzles if count is None else puzzles[:: max(1, len(puzzles) // count)]
        taken = np.ascontiguousarray(taken)
        calls = 1 if count else 1 + LEAST_PUZZLES // len(taken)
        start = time.process_time()
        for _ in range(calls):
            call(taken)
        seen[name] = (time.process_time() - start) / calls / len(taken) * 1e6
    return seen


class Rival:
    """A solver in a shared library."""

    def __init__(self, library: str) -> None:
        self._solve_all = ctypes.CDLL(str(Path(library).resolve())).solve_all
        self._solve_all.restype = ctypes.c_long

    def measure(self, puzzles: Puzzles, limit: int) -> float:
        """Its microseconds per puzzle."""
        count = len(puzzles)
        characters = np.where(puzzles, puzzles + ord("0"), ord(".")).astype(np.uint8)
        lines = b"".join(row.tobytes() + b"\n" for row in characters) + BEYOND
        digits = puzzles.tobytes() + BEYOND
        solutions = ctypes.create_string_buffer(len(lines))
        start = time.process_time()
        self._solve_all(lines, digits, ctypes.c_long(count), limit, solutions)
        return (time.process_time() - start) / count * 1e6


def machine() -> dict[str, str]:
    """The machine and the versions that the figures depend on."""
    model = ""
    if Path("/proc/cpuinfo").exists():
        model = re.findall(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())[0]
    return {
        "date": date.today().isoformat(),
        "cpu": model or platform.processor(),
        "compiler": str(sysconfig.get_config_var("CC")) + " " + platform.python_compiler(),
        "python": sys.version.split()[0],
        "numpy": version("numpy"),
        "python-sat": version("python-sat"),
        "satdoku": f"{__version__}, {engine.describe()}",
        "cores": str(len(os.sched_getaffinity(0))),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("collections", nargs="+")
    parser.add_argument("--limit", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--sample", type=int, default=2000)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--rival", action="append", default=[], metavar="NAME=LIBRARY")
    parser.add_argument("-o", "--output")
    arguments = parser.parse_args()
    rows = []
    rivals = {name: Rival(path) for name, path in (text.split("=", 1) for text in arguments.rival)}
    for path in arguments.collections:
        puzzles = np.concatenate([chunk.puzzles for chunk in read_chunks(path)])
        for limit in arguments.limit:
            times: dict[str, list[float]] = {}
            for _ in range(arguments.repeat):
                once = measure(puzzles, limit, arguments.sample)
                once |= {name: each.measure(puzzles, limit) for name, each in rivals.items()}
                for name, figure in once.items():
                    times.setdefault(name, []).append(figure)
            rows.append({"collection": Path(path).name, "limit": limit, **times})
            print(_markdown(rows[-1], list(rivals), header=len(rows) == 1), flush=True)
    if arguments.output:
        Path(arguments.output).write_text(
            json.dumps({"machine": machine(), "rows": rows}, indent=1)
        )


def _markdown(row: dict[str, object], rivals: list[str], *, header: bool) -> str:
    times = {name: each for name, each in row.items() if isinstance(each, list)}
    cells = {name: str(each) for name, each in row.items() if name not in times}
    cells |= {name: f"{min(each):.3g}/{median(each):.3g}" for name, each in times.items()}
    for name in ("engine", "avx2") if rivals else ():
        if name in times:
            best = min(min(times[rival]) for rival in rivals)
            cells[f"ratio, {name}"] = f"{best / min(times[name]):.1f}"
    lines = [f"| {' | '.join(cells.values())} |"]
    if header:
        lines[:0] = [f"| {' | '.join(cells)} |", "|---" * len(cells) + "|"]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
