"""Time the published examples in puzzles/, each in a fresh process, as a Markdown table.

    python bench/literature.py [--repeat 5]

"process" is a run of `satdoku` from start to exit, including the start of Python. "session" is the
time inside: build the formula, load the solver, find all solutions (which includes the proof that
there are no more) and verify each. Figures are medians.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
from pathlib import Path

PUZZLES = Path(__file__).parent.parent / "puzzles"
INSIDE = """
import sys, time
start = time.perf_counter()
import satdoku
loaded = time.perf_counter()
count = sum(1 for _ in satdoku.solutions(sys.argv[1], sys.argv[2]))
print(count, time.perf_counter() - loaded)
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeat", type=int, default=5)
    repeat = parser.parse_args().repeat
    print("| example | rules | solutions | published | session | process |")
    print("|---|---|---|---|---|---|")
    for path in sorted(PUZZLES.glob("*.txt")):
        lines = path.read_text().splitlines()
        notes = dict(
            line[2:].split(": ", 1) for line in lines if line.startswith("# ") and ": " in line
        )
        if "solutions" not in notes:
            continue
        puzzle = next(line for line in lines if not line.startswith("#"))
        inside, process = [], []
        for _ in range(repeat):
            output = _run([sys.executable, "-c", INSIDE, puzzle, notes["rules"]])
            count, seconds = output.split()
            assert count == notes["solutions"], path
            inside.append(float(seconds))
            start = time.perf_counter()
            _run([sys.executable, "-m", "satdoku", "enumerate", puzzle, "-r", notes["rules"]])
            process.append(time.perf_counter() - start)
        times = f"{statistics.median(inside):.3f} s | {statistics.median(process):.3f} s"
        published = notes.get("published", "")
        print(f"| {notes['name']} | {notes['rules']} | {count} | {published} | {times} |")


def _run(command: list[str]) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    main()
