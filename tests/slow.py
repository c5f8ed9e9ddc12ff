"""Run the slow tests file by file, after a plan that says how long each file took before; of files
that draw random cases all tests, each with all of its cases.

    python tests/slow.py                    # all of them
    python tests/slow.py web test_faults    # files whose path holds one of these words
    python tests/slow.py --plan             # print the plan only
    python tests/slow.py --store            # and keep the new times in tests/slow_times.txt

Exit status 1 if a test failed. SATDOKU_COLLECTIONS=FOLDER adds whole public lists.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

TESTS = Path(__file__).resolve().parent
TIMES = TESTS / "slow_times.txt"
HEADING = "# Seconds of the slow tests of a file, by tests/slow.py --store."
NO_TESTS = 5  # how pytest ends if it found none


def covering(cases: Sequence[Mapping[str, object]]) -> set[int]:
    """Numbers of few of these cases of one test in which each value of each parameter occurs."""
    kept = set()
    values = [{(name, id(value)) for name, value in case.items()} for case in cases]
    missing = set().union(*values)
    while missing:
        best = max(range(len(cases)), key=lambda number: len(values[number] & missing))
        kept.add(best)
        missing -= values[best]
    return kept


def slow_files() -> dict[str, str]:
    """Files of tests of which the quick suite leaves some cases out, and what pytest selects."""
    files = {file: file.read_text() for file in sorted(TESTS.rglob("test_*.py"))}
    found = {}
    for file, text in files.items():
        if "@given(" in text or "share(" in text:
            found[str(file.relative_to(TESTS))] = ""
        elif "slow" in text or "mark.covering" in text:
            found[str(file.relative_to(TESTS))] = "slow"
    return found


def stored_times() -> dict[str, int]:
    """Seconds of each file that was measured."""
    lines = (line.split() for line in TIMES.read_text().splitlines() if line[:1] != "#")
    return {name: int(seconds) for seconds, name in lines}


def in_minutes(seconds: int | None) -> str:
    return "   ?   " if seconds is None else f"{seconds // 60:3}:{seconds % 60:02} "


def plan_of(files: list[str], times: dict[str, int]) -> str:
    """One line for each file with its time, then the sum of those that are known."""
    lines = [f"{in_minutes(times.get(file))} {file}" for file in files]
    unknown = sum(file not in times for file in files)
    total = in_minutes(sum(times.get(file, 0) for file in files))
    return "\n".join([*lines, f"{total} {len(files)} files, {unknown} of them not measured yet"])


def run(file: str, selected: str) -> tuple[int, int]:
    """pytest's exit status, 0 also without tests, and the seconds that it took."""
    start = time.monotonic()
    options = ["-m", selected, "--hypothesis-profile=soak", "-n", "0"]
    command = [sys.executable, "-m", "pytest", *options, str(TESTS / file)]
    code = subprocess.run(command, cwd=TESTS.parent).returncode
    return 0 if code == NO_TESTS else code, round(time.monotonic() - start)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("words", nargs="*", help="parts of paths")
    parser.add_argument("--plan", action="store_true", help="print the plan and end")
    parser.add_argument("--store", action="store_true", help="keep the times")
    arguments = parser.parse_args()
    words, times = arguments.words or [""], stored_times()
    every = slow_files()
    files = [file for file in every if any(word in file for word in words)]
    print(plan_of(files, times), flush=True)
    failed = []
    for file in [] if arguments.plan else files:
        print(f"== {file}, {in_minutes(times.get(file)).strip()} expected", flush=True)
        code, times[file] = run(file, every[file])
        failed += [file] * (code != 0)
        print(f"== {file}, {in_minutes(times[file]).strip()}", flush=True)
        if arguments.store:
            rows = "".join(f"{times[name]} {name}\n" for name in sorted(times))
            TIMES.write_text(
                f"# Seconds of the slow tests of a file, by tests/slow.py --store.\n{rows}"
            )
    if failed:
        print("failed:", *failed)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
