"""Attack `--solver-cmd`: programs that misbehave, asked by every command, with signals in between.

    python bench/attacks/programs.py --seconds 600 --seed 1

Each round takes a program of `tests/support/misbehaving.py`, or two of them one after the other in
one script, and a command: solve, check, enumerate, crosscheck, fuzz or bench. One round in three
interrupts, terminates or kills satdoku somewhere in between. A round falls if

- a process is left, or a file in the folder for temporary files;
- the command takes longer than its limit of time and `SLACK`, or more memory than `MOST`;
- it prints a traceback, or ends with a code that the manual does not have;
- it believes a program that lies: says `none`, or calls the puzzle anything but what it is.

Needs /proc.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import resource
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "support"))
from misbehaving import MISBEHAVING, PUZZLE, SOLUTION
from process_groups import carrying

SLACK = 60.0  # seconds beside the limits of time, on a busy machine
WARM_UP = 2 * 60.0  # seconds that `bench` gives two contestants for it
MOST = 2048  # megabytes; the modules of all backends take 500
CODES = {0, 1, 2, 70}
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGKILL)
COMMANDS = {
    "solve": (),
    "check": (),
    "enumerate": ("--limit", "3"),
    "crosscheck": ("--witnesses", "plain"),
    "fuzz": ("--backends", "plain", "--seconds", "1"),
    "bench": ("--backends", "plain", "--modes", "oneshot", "--sample", "1"),
}


def words(command: str, program: str, memory: tuple[str, ...], folder: Path) -> Iterator[str]:
    """The command line; fuzz has limits of its own, and bench reads a file."""
    yield from (command, *COMMANDS[command], "--solver-cmd", program)
    if command != "fuzz":
        yield from ("--timeout", "1", *memory)
    if command == "bench":
        (folder / "puzzle.txt").write_text(PUZZLE + "\n")
        yield from ("--tasks", str(folder / "puzzle.txt"), "-o", str(folder / "results"))
    else:
        yield PUZZLE


def fallen(rng: random.Random, folder: Path) -> tuple[str, str]:
    """One round: what was done, and what fell; nothing is an empty text."""
    names = rng.sample(sorted(MISBEHAVING), rng.choice((1, 1, 2)))
    command = rng.choices(list(COMMANDS), [6, 3, 3, 3, 2, 1])[0]
    number = rng.choice((*SIGNALS, *[None] * 6))
    if command == "bench" and number == signal.SIGKILL:  # its own children outlive it for a while
        number = signal.SIGTERM
    # Else the second would hide that the first was killed, and its answer would be a plain one.
    script = " || exit $?\n".join(
        f'sh -c {shlex.quote(MISBEHAVING[name].script)} "$0" "$1"' for name in names
    )
    if len(names) == 1:
        script = MISBEHAVING[names[0]].script
    program = f"sh -c {shlex.quote(script)} {{cnf}} {{out}}"
    memory = next((MISBEHAVING[name].options for name in names if MISBEHAVING[name].options), ())
    pause = rng.uniform(0, 2)
    what = f"{command}, {' then '.join(names)}"
    if number is not None:
        what += f", {signal.Signals(number).name} after {pause:.2f} s"
    return what, "; ".join(_falls(list(words(command, program, memory, folder)), number, pause))


def _falls(line: list[str], number: signal.Signals | None, pause: float) -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="attack-") as temporary:
        told = {**os.environ, "TMPDIR": temporary, "SATDOKU_ATTACK": temporary}
        began = time.monotonic()
        with tempfile.TemporaryFile() as said:
            process = subprocess.Popen(
                [sys.executable, "-m", "satdoku", *line],
                stdin=subprocess.DEVNULL, stdout=said, stderr=said, env=told,
                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
            )  # fmt: skip
            if number is not None:
                time.sleep(pause)
                process.send_signal(number)
            most = SLACK + WARM_UP * (line[0] == "bench")
            code = _ended(process, most)
            took = time.monotonic() - began
            said.seek(0)
            text = said.read().decode(errors="replace")
        yield from _wrong(line[0], code, text, number)
        if took > most:
            yield f"took {took:.1f} s"
        end = time.monotonic() + (10 if number == signal.SIGKILL or line[0] == "bench" else 0.5)
        while carrying(temporary) or os.listdir(temporary):
            if time.monotonic() > end:
                yield f"left processes {carrying(temporary)}, files {os.listdir(temporary)[:5]}"
                break
            time.sleep(0.05)
        for left in carrying(temporary):
            os.kill(int(left), signal.SIGKILL)


def _ended(process: subprocess.Popen[bytes], seconds: float) -> int:
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        return process.wait()


def _wrong(command: str, code: int, text: str, number: signal.Signals | None) -> Iterator[str]:
    """What is wrong with how a command ended and with what it said."""
    allowed = CODES
    if number is not None:
        allowed = CODES | {128 + number, -number}
    if code not in allowed:
        yield f"exit code {code}: {text[-300:]}"
    if "Traceback" in text:
        yield f"a traceback: {text[-600:]}"
    if re.search(r"^(none|invalid|multiple)$", text, re.MULTILINE):
        yield f"believed a lie: {text[-300:]}"
    grids = set(re.findall(r"^\d{16}$", text, re.MULTILINE))
    if command in ("solve", "enumerate") and not grids <= {SOLUTION}:
        yield f"found {grids}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    rng, end, seen, falls = (
        random.Random(arguments.seed),
        time.monotonic() + arguments.seconds,
        0,
        0,
    )
    programs: Counter[str] = Counter()
    while time.monotonic() < end:
        with tempfile.TemporaryDirectory(prefix="attacked-") as folder:
            what, fell = fallen(rng, Path(folder))
        seen += 1
        programs[what.partition(",")[0]] += 1
        if fell:
            falls += 1
            print(f"FELL: {what}: {fell}", flush=True)
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10
    if most > MOST:
        falls += 1
        print(f"FELL: a process took {most} MB")
    asked = ", ".join(f"{name} {times}" for name, times in sorted(programs.items()))
    print(f"seed {arguments.seed}: {seen} rounds ({asked}), {falls} fell, at most {most} MB")
    return 1 if falls else 0


if __name__ == "__main__":
    sys.exit(main())
