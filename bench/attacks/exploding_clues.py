"""Clue files that explode: every command with --timeout on clues that become as large as they can.

Attacked: the promise that no file of clues makes a command outlast its limit, or fill the memory.
Clues of every kind are drawn with many cells and large values, alone, many together, and within
`or` and `and`. A fall: a run that takes more than `SLACK` seconds beyond --timeout, more than
`MEMORY` bytes, that prints a traceback, or that ends with another code than 0, 1 or 2.

    python bench/attacks/exploding_clues.py --seconds 600 --seed 1
"""

from __future__ import annotations

import argparse
import random
import resource
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from satdoku.model.board import Board
from satdoku.model.clue import ClueError
from satdoku.model.kinds import KINDS, clue_of

TIMEOUT = 2.0
SLACK = 20.0
MEMORY = 4 << 30
SIZES = (4, 6, 9, 16, 25)

# What stands for the puzzle: {puzzle}. Each command that has --timeout, in each of its ways.
COMMANDS = {
    "enumerate": "enumerate {puzzle} --limit 3",
    "enumerate-session": "enumerate {puzzle} --limit 3 --backend session",
    "count": "count {puzzle}",
    "count-exact": "count {puzzle} --exact",
    "count-limit": "count {puzzle} --limit 2",
    "count-all": "count --size {size}",
    "explain": "explain {puzzle}",
    "explain-steps": "explain {puzzle} --steps",
    "explain-cell": "explain {puzzle} --cell r1c1",
    "rate": "rate {puzzle} --scale mus",
    "fewest": "fewest {puzzle}",
    "fewest-any": "fewest --size {size}",
    "orbits": "orbits --size {size}",
    "generate": "generate -n 1 --size {size} -w 1",
    "crosscheck": "crosscheck {puzzle} --witnesses cadical153,plain,engine-numpy",
    "crosscheck-z3": "crosscheck {puzzle} --witnesses z3-int-distinct",
    "solve-cmd": "solve {puzzle} --solver-cmd 'sleep 100 #{cnf}'",
    "check-cmd": "check {puzzle} --solver-cmd 'sleep 100 #{opb}'",
}


def drawn(rng: random.Random, board: Board, depth: int = 0) -> str:
    """The text of a clue, as large as may be; it may be none that is allowed."""
    kind = KINDS[rng.choice(sorted(KINDS))]
    if kind.joins:
        if depth > 1:
            return drawn(rng, board, depth)
        parts = (drawn(rng, board, depth + 1) for _ in range(rng.randint(2, 8)))
        return f"{kind.name}:" + ",".join(f"({part})" for part in parts)
    names = [board.name_of(cell) for cell in range(board.cells)]
    least, most = kind.cells[0], min(kind.cells[1], board.cells)
    many = rng.choice((least, min(most, board.size), min(most, 3 * board.size), most))
    number = 0 if kind.groups == (0, 0) else rng.randint(kind.groups[0], min(kind.groups[1], 4))
    count = max(least, many // max(1, number)) if number > 1 else many
    groups = [rng.sample(names, count) for _ in range(number)]
    if groups and kind.check is not None and rng.random() < 0.5:
        groups = [[board.name_of(cell) for cell in rng.choice((*board.rows, *board.columns))]]
    cells = [name for group in groups for name in group]
    value = ""
    if kind.name == "weighted":
        weights = [rng.choice((-1, 1)) * rng.randint(50, 100) for _ in cells]
        total = sum(weight * rng.randint(1, board.size) for weight in weights)
        value = f"{','.join(map(str, weights))}={total}"
    elif kind.value is not None:
        digits = rng.choices(range(1, board.size + 1), k=max(2, len(cells)))
        value = rng.choice(kind.value.guesses(digits, board.size, rng))
    head = f"{kind.name}={value}" if value else kind.name
    return head + (":" + ">".join(map(",".join, groups)) if groups else "")


def clue_file(rng: random.Random, board: Board) -> list[str]:
    """Some clues, each of which can be read."""
    found: list[str] = []
    wanted = rng.choice((1, 4, 20, 100))
    for _ in range(20 * wanted):
        text = drawn(rng, board)
        try:
            clue_of(text, board)
        except ClueError:
            continue
        found.append(text)
        if len(found) == wanted:
            break
    return found


def fall(name: str, size: int, clues: Path) -> str:
    """What fell when the command ran; empty if nothing did."""
    words = COMMANDS[name].replace("{cnf}", "CNF").replace("{opb}", "OPB")
    words = words.format(puzzle="." * size**2, size=size)
    words = words.replace("CNF", "{cnf}").replace("OPB", "{opb}")
    command = [sys.executable, "-m", "satdoku", *shlex.split(words), "--clue", str(clues)]
    command += ["--timeout", str(TIMEOUT), "-q"]
    start = time.monotonic()

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=TIMEOUT + SLACK, preexec_fn=limited
        )
    except subprocess.TimeoutExpired:
        return f"not at its end after {TIMEOUT + SLACK:g} s"
    said = done.stderr.strip().splitlines()
    last = said[-1][:100] if said else ""
    told = f"{time.monotonic() - start:.1f} s, exit {done.returncode}: {last}"
    if "Traceback" in done.stderr or done.returncode not in (0, 1, 2):
        return told
    print(f"  {name}: {told}", flush=True)
    return ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--commands", default=",".join(COMMANDS))
    parser.add_argument("--file", help="these clues on 9x9, not drawn ones")
    asked = parser.parse_args()
    rng, end, runs, fell = random.Random(asked.seed), time.monotonic() + asked.seconds, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        while time.monotonic() < end:
            size = 9 if asked.file else rng.choice(SIZES)
            path = Path(asked.file or f"{folder}/clues.txt")
            if not asked.file:
                path.write_text("\n".join(clue_file(rng, Board.of_size(size))) + "\n")
            for name in asked.commands.split(","):
                if time.monotonic() > end:
                    break
                runs += 1
                if found := fall(name, size, path):
                    fell += 1
                    print(f"FELL: {name} on {size}x{size}: {found}\n{path.read_text()}", flush=True)
            if asked.file:
                break
    print(f"{runs} runs of commands, {fell} fell (seed {asked.seed})")
    return 1 if fell else 0


if __name__ == "__main__":
    sys.exit(main())
