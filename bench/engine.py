"""Compare the batch engine with other solvers on collections: microseconds per puzzle, one core.

    python bench/engine.py COLLECTION... [--limit 1 2] [--sample 5000] [--rival NAME=COMMAND]
                           [-o results.json]

The columns are the engine as it chooses its implementation, each implementation that runs on this
machine, `solve_batch`, the session (CDCL, givens as assumptions), and "rebuild", a new PySAT solver
for every puzzle, as in a first script. A rival is a command line that contains {file} and {limit};
the last number that it prints is its microseconds per puzzle. The last column is the time of the
best rival divided by that of the engine. All that is ours is timed from digits in memory to
solutions in memory, in processor time, on whole collections; numpy, session and rebuild run on a
sample. Figures are the least of the repeats, which are interleaved: a shared machine only adds.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable
from datetime import date
from importlib.metadata import version
from pathlib import Path

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
LEAST_PUZZLES = (
    100_000  # that the engine solves in a measurement; a short list is solved repeatedly
)


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


def rival(command: str, path: str, limit: int) -> float:
    """The last number that the command prints."""
    line = command.replace("{file}", path).replace("{limit}", str(limit))
    done = subprocess.run(line, shell=True, check=True, capture_output=True, text=True)
    return float(re.findall(r"\d+(?:\.\d+)?", done.stdout)[-1])


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
    parser.add_argument("--rival", action="append", default=[], metavar="NAME=COMMAND")
    parser.add_argument("-o", "--output")
    arguments = parser.parse_args()
    rows = []
    rivals = dict(text.split("=", 1) for text in arguments.rival)
    for path in arguments.collections:
        puzzles = np.concatenate([chunk.puzzles for chunk in read_chunks(path)])
        for limit in arguments.limit:
            figures: dict[str, float] = {}
            for _ in range(arguments.repeat):
                once = measure(puzzles, limit, arguments.sample)
                once |= {name: rival(line, path, limit) for name, line in rivals.items()}
                figures = {name: min(time, figures.get(name, time)) for name, time in once.items()}
            if rivals:
                figures["ratio"] = min(figures[name] for name in rivals) / figures["engine"]
            rows.append({"collection": Path(path).name, "limit": limit, **figures})
            print(_markdown(rows[-1], header=len(rows) == 1), flush=True)
    if arguments.output:
        Path(arguments.output).write_text(
            json.dumps({"machine": machine(), "rows": rows}, indent=1)
        )


def _markdown(row: dict[str, object], *, header: bool) -> str:
    cells = [f"{x:.3g}" if isinstance(x, float) else str(x) for x in row.values()]
    lines = [f"| {' | '.join(cells)} |"]
    if header:
        lines[:0] = [f"| {' | '.join(row)} |", "|---" * len(row) + "|"]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
