"""The time from a key to fresh answers of the page, through real HTTP.

    python bench/page.py [--edits N]

Each edit is what a key does: a digit is typed into a random empty cell or taken out of one, or a
clue is drawn or taken away; then `live` is asked, as the page asks it. Each line tells the median
and the 90th percentile of milliseconds until the status, the true candidates and everything has
come, and the worker's own time until it is done.
"""

from __future__ import annotations

import argparse
import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from random import Random
from statistics import median, quantiles
from urllib.parse import urlsplit

from satdoku import generate, solve
from satdoku.generator.clues import puzzles_with_clues

VARIANT = ["thermo", "arrow", "whisper", "renban", "white", "black", "palindrome", "x"]
STAGES = "status", "candidates", "done"
State = dict[str, object]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--edits", type=int, default=60, metavar="N", help="of each puzzle")
    arguments = parser.parse_args()
    command = [sys.executable, "-m", "satdoku", "serve"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        address = urlsplit(server.stdout.readline().strip())
        connection = HTTPConnection(address.netloc, timeout=120)
        try:
            connection.connect()  # as browsers do: no packet waits for the one before it
            connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for name, states in puzzles(arguments.edits).items():
                report(name, connection, address.path, states)
        finally:
            server.terminate()


def puzzles(edits: int) -> dict[str, list[State]]:
    """The states of the page after each edit, by the sort of puzzle."""
    classic = str_of(generate(1, seed=1)[0])
    killer = with_clues(["cage"], 1)
    variant = with_clues(VARIANT, 2)
    return {
        "classic": list(edited(classic, [], edits)),
        "classic, from an empty grid": list(edited("." * 81, [], edits)),
        "killer": list(edited(killer[0], killer[1], edits)),
        f"variant, {len(variant[1])} clues": list(edited(variant[0], variant[1], edits)),
    }


def with_clues(kinds: list[str], seed: int) -> tuple[str, list[str]]:
    made = next(puzzles_with_clues(clues=kinds, seed=seed))
    return str(made.grid), list(made.constraints.clue_texts)


def str_of(cells: object) -> str:
    return "".join(str(digit) if digit else "." for digit in cells)  # type: ignore[attr-defined]


def edited(puzzle: str, clues: list[str], edits: int) -> Iterator[State]:
    """Digits of a solution go in and out, and every third edit is of a clue, if there are any; the
    puzzle always has a solution."""
    rng = Random(1)
    solution = str(solve(puzzle, ";".join(["classic", *clues])))
    cells, drawn = list(puzzle), list(clues)
    for number in range(edits):
        if clues and number % 3 == 2:
            if len(drawn) < len(clues):
                drawn = list(clues)
            else:
                drawn.remove(rng.choice(drawn))
        else:
            cell = rng.randrange(81)
            cells[cell] = solution[cell] if cells[cell] == "." else "."
        yield {
            "format": "satdoku-puzzle",
            "version": 1,
            "puzzle": "".join(cells),
            "clues": list(drawn),
        }


def report(name: str, connection: HTTPConnection, path: str, states: list[State]) -> None:
    """Ask for each state, and print a line."""
    asked(connection, path, states[0])  # the worker imports what it needs
    times = [asked(connection, path, state) for state in states]
    words = []
    for stage in (*STAGES, "own"):
        column = [1000 * row[stage] for row in times]
        words.append(f"{stage} {median(column):.0f} ({quantiles(column, n=10)[-1]:.0f})")
    print(f"{name}: {', '.join(words)} ms, {len(times)} edits", flush=True)


def asked(connection: HTTPConnection, path: str, state: State) -> dict[str, float]:
    """Seconds until each stage of an answer has come."""
    body = json.dumps({"tab": "bench", "puzzle": state})
    start = time.perf_counter()
    connection.request("POST", f"{path}api/live", body, {"content-type": "application/json"})
    answer = connection.getresponse()
    found: dict[str, float] = {}
    while line := answer.readline():
        said = json.loads(line)
        for stage in STAGES:
            if stage in said:
                found[stage] = time.perf_counter() - start
        if "ms" in said:
            found["own"] = said["ms"] / 1000
    return found


if __name__ == "__main__":
    main()
