"""Backends that misbehave, in a module so that child processes can import them."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass

from satdoku.answers.query import Query
from satdoku.bench.results import Row
from satdoku.bench.worker import WARM_UP
from satdoku.crosscheck.backends import UNLIMITED, Backend
from satdoku.crosscheck.backends.answering import SessionBackend

DOZE = 0.3  # seconds


class _Altered(Query):
    """An honest query, except for puzzles after the warm-up."""

    def __init__(self, honest, act):
        self.honest, self.act = honest, act

    def solve(self, under=None):
        return self.act(self.honest.solve(under))

    def solutions(self, under=None, *, limit=None):
        return iter([self.act(found) for found in self.honest.solutions(under, limit=limit)])

    def candidates(self):
        return self.honest.candidates()


@dataclass(frozen=True)
class Fake(Backend):
    """A backend named by what it does: hang, spin, doze, devour, lie, crash, fail, absent ..."""

    name: str
    incremental = True

    def load(self):
        if self.name == "absent":
            raise ImportError("no module named absent")
        return "fake 1"

    def kind(self, encoding):
        return "integer"

    def open(self, puzzle, encoding, budget=UNLIMITED):
        honest = SessionBackend("minisat22").open(puzzle, "extended", budget)
        warming_up = str(puzzle.grid) == WARM_UP
        harmless = warming_up and self.name != "lie-at-once"
        return honest if harmless else _Altered(honest, getattr(self, self.name.split("-")[0]))

    def hang(self, found):
        """Never return; write the process id to the file that FAKE_PIDS names, if any."""
        if path := os.environ.get("FAKE_PIDS"):
            with open(path, "a") as stream:
                stream.write(f"{os.getpid()}\n")
        time.sleep(600)

    def spin(self, found):
        while True:
            pass

    def doze(self, found):
        """Answer after a while that costs no processor time."""
        time.sleep(DOZE)
        return found

    def devour(self, found):
        return bytearray(1 << 34)

    def crash(self, found):
        os.abort()

    def fail(self, found):
        raise ValueError("it fails")

    def lie(self, found):
        """Swap two digits of the first row."""
        return found and found[1:2] + found[0:1] + found[2:]


def row(**changes) -> Row:
    """A row of results in which the given fields are replaced."""
    values = {
        "task": "t", "instance": "i", "backend": "b", "encoding": "e", "mode": "oneshot",
        "status": "solved", "build_s": 0.25, "solve_s": 0.5, "conflicts": 3, "decisions": None,
        "propagations": None, "variables": 729, "clauses": 10530, "timeout_s": 10.0, "seed": 1,
        "versions": "v", "cpu": "c, with a comma", "import_s": 0.1, "kind": "boolean", "repeat": 1,
        "source": "made", "note": "",
    }  # fmt: skip
    return Row(**(values | changes))


def ladder() -> list[Row]:
    """Twelve instances, each harder than the one before, by two contestants of two libraries each.

    Instance i takes `pace * 1.4**i` seconds of solving, or is not answered in 10.
    """
    rows = []
    for number in range(12):
        for backend, encoding, kind, pace in (
            ("cadical153", "extended", "boolean", 0.01),
            ("cadical153", "log", "integer", 0.2),
            ("z3-bool", "-", "boolean", 1.0),
            ("z3-enum", "-", "integer", 0.1),
        ):
            seconds = pace * 1.4**number
            late = seconds > 10
            rows.append(
                row(instance=f"i{number}", backend=backend, encoding=encoding, kind=kind,
                    build_s=0.001, solve_s=None if late else seconds,
                    status="timeout" if late else "solved")
            )  # fmt: skip
    return rows
