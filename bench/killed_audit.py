"""Audit many rows twice, once while workers are killed and the run is stopped, and compare.

    python bench/killed_audit.py 17_clue.txt --rows 10000000

The rows are puzzles of the collection, which all have one solution, with one to twelve more givens
of their solution and with digits renamed; one row in 20,000 is spoilt, in one of five ways. Every
few seconds (`--pause`, on average) one of two worker processes is killed (`kill -9`) or the whole
run is stopped and continued (SIGSTOP, SIGCONT). Both reports must be the same but for the seconds.
If workers are killed as fast as they start, four in a row over the same rows, the audit ends with
an error, as it should. Needs /proc.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import satdoku

BLOCK = 1 << 16
SPOILT = 1e-5  # the share of each of the five kinds


def blocks(puzzles: Any, solutions: Any, rows: int, rng: np.random.Generator) -> Iterator[bytes]:
    """Lines `PUZZLE,SOLUTION`, about 64 thousand at a time."""
    for start in range(0, rows, BLOCK):
        count = min(BLOCK, rows - start)
        some = rng.integers(0, len(puzzles), count)
        puzzle, solution = puzzles[some], solutions[some]
        order = np.where(puzzle > 0, 2, rng.random((count, 81))).argsort(axis=1).argsort(axis=1)
        puzzle = np.where(order < rng.integers(1, 13, count)[:, None], solution, puzzle)
        names = np.zeros((count, 10), np.uint8)
        names[:, 1:] = rng.random((count, 9)).argsort(axis=1) + 1
        puzzle, solution = (np.take_along_axis(names, a, 1) for a in (puzzle, solution))
        yield lines(*spoilt(puzzle, solution, rng))


def spoilt(puzzle: Any, solution: Any, rng: np.random.Generator) -> tuple[Any, Any]:
    """A few rows with givens lost, a wrong answer, clashing givens, a row repeated, a bad digit."""
    kind = (rng.random(len(puzzle)) / SPOILT).astype(int)
    puzzle[kind == 0] *= rng.random((np.count_nonzero(kind == 0), 81)) < 0.3
    solution[kind == 1, 5] = solution[kind == 1, 5] % 9 + 1
    puzzle[kind == 2, :2] = 7
    puzzle[kind == 3], solution[kind == 3] = puzzle[0], solution[0]
    puzzle[kind == 4, 40] = ord("x") - ord("0")
    return puzzle, solution


def lines(puzzle: Any, solution: Any) -> bytes:
    text = np.full((len(puzzle), 164), ord(","), np.uint8)
    text[:, :81], text[:, 82:163], text[:, 163] = puzzle + ord("0"), solution + ord("0"), ord("\n")
    return text.tobytes()


def write_rows(collection: str, rows: int, path: Path) -> None:
    text = Path(collection).read_text().replace(".", "0")
    digits = [[*map(int, line[:81])] for line in text.splitlines()]
    puzzles = np.array(digits, np.uint8)
    solutions = satdoku.solve_batch(puzzles).solutions
    with open(path, "wb") as file:
        file.write(b"puzzle,solution\n")
        file.writelines(blocks(puzzles, solutions, rows, np.random.default_rng(1)))


def audited(rows: Path, pause: float | None) -> dict[str, Any]:
    """The report of an audit by two processes; prints what was done to it, and what it took.

    pause: seconds between two disturbances, on average; None for none.
    """
    report = rows.with_name(f"{pause}.json")
    words = ["audit", str(rows), "-q", "--report", str(report), "--executor", "process", "-w", "2"]
    start, did = time.monotonic(), {"killed": 0, "stopped": 0}
    with subprocess.Popen([sys.executable, "-m", "satdoku", *words], process_group=0) as process:
        rng = random.Random(1)
        while pause is not None and process.poll() is None:
            time.sleep(rng.uniform(0.2, 1.8) * pause)
            did[disturbed(process.pid, rng)] += 1
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    print(f"{did}, {time.monotonic() - start:.0f} s, {peak >> 10} MiB at most", flush=True)
    if process.returncode not in (0, 1):
        sys.exit("the audit failed")
    data: dict[str, Any] = json.loads(report.read_text())
    del data["seconds"]
    return data


def disturbed(run: int, rng: random.Random) -> str:
    """Kill a worker of a run, or stop all of it for a moment; which it was."""
    workers = [
        pid for pid in map(int, filter(str.isdigit, os.listdir("/proc"))) if serves(pid, run)
    ]
    try:
        if workers and rng.random() < 0.8:
            os.kill(rng.choice(workers), signal.SIGKILL)
            return "killed"
        os.killpg(run, signal.SIGSTOP)
        time.sleep(rng.uniform(0.2, 3))
        os.killpg(run, signal.SIGCONT)
    except ProcessLookupError:  # it has just ended
        pass
    return "stopped"


def serves(pid: int, run: int) -> bool:
    """Whether a process is a worker of a run."""
    try:
        parent = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1]
        return int(parent) == run and b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("collection", help="puzzles with one solution, 81 characters a line")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--pause", type=float, default=5.0, metavar="S")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows = Path(folder) / "rows.csv"
        write_rows(arguments.collection, arguments.rows, rows)
        plain, killed = (audited(rows, pause) for pause in (None, arguments.pause))
    print("statuses:", plain["files"][0]["statuses"])
    print("findings:", {each["kind"]: each["count"] for each in plain["files"][0]["findings"]})
    print("the reports are the same" if plain == killed else "THE REPORTS DIFFER")
    return int(plain != killed)


if __name__ == "__main__":
    sys.exit(main())
