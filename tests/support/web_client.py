"""The page served by a process of its own, and asked as a tab of a browser asks."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from typing import NamedTuple
from urllib.parse import urlsplit

import pytest

CLASSIC = "....1..3...9..5..88.4..6.25......6....8..4...12..87...3..9..2...65..8...9........"
SOLVED = "752819436639245718814736925473592681598164372126387549387951264265478193941623857"
EXTRA = "no uvicorn or starlette: pip install 'satdoku[web]'"
JSON = {"content-type": "application/json"}
PATIENCE = 600.0  # seconds, that no machine is too busy for
# Nothing ends because the machine is slow; tests of an end shorten one of these limits again.
PATIENT = f"""
import sys
from satdoku.__main__ import run
from satdoku.web import app, connections, jobs, questions
for name, question in questions.QUESTIONS.items():
    questions.QUESTIONS[name] = question._replace(seconds={PATIENCE})
connections.HEAD = connections.IDLE = app.SLOWEST_BODY = {PATIENCE}
patient = "from satdoku.web import clash, live, study; clash.SECONDS = study.WHY_SECONDS = " + (
    "study.STATUS_SECONDS = live.STATUS_SECONDS = "
    "live.CANDIDATES_SECONDS = live.COUNT_SECONDS = live.TALLY_SECONDS = {PATIENCE}; import runpy"
)
jobs._START = jobs._START.replace("import runpy", patient)
"""
SERVE = "\nsys.exit(run())"


def state(puzzle: str, rules: str | None = None, clues=(), **more) -> dict:
    """The state of the page: a `satdoku-puzzle`."""
    stated = {"format": "satdoku-puzzle", "version": 1, "puzzle": puzzle, "clues": list(clues)}
    return stated | ({"rules": rules} if rules else {}) | more


# Puzzles with one solution on other boards: digits, rules, clues.
OTHERS = {
    "rectangle": (".3.6..1....2.521.3..4.2.", "shape=4x6", ()),
    "zero": ("....1.3......1.0", "digits=0-3", ()),
    "holes": ("..1...652.6......5...43.5......1", "shape=6x6;holes:r1c1,r1c6,r6c1,r6c6", ()),
    "negative": ("0 . . . . 1", "shape=2x3,digits=-1-1", ()),
    "more": ("2.45.36.61525.14", "shape=4x4,digits=1-6", ()),
    "grids": ("......423.......2.....4....1", "shape=4x4;grids:r1c1,r3c3", ()),
    "shaded": (
        "...2.....41.....",
        "shape=4x4;layer=shade:0-1",
        (
            "equal-sum:r1c1>shade.row1",
            "digits=1:shade.r1c1,shade.r1c3,shade.r1c4",
            "digits=0:shade.r1c2",
        ),
    ),
    "chaos": (
        "......3.4.......",
        "shape=4x4,latin;layer=area:1-4",
        ("chaos:area", "digits=3:area.r2c1,area.r4c1"),
    ),
}


def other(name: str, **more) -> dict:
    """The state of the page with such a puzzle."""
    puzzle, rules, clues = OTHERS[name]
    return state(puzzle, rules, clues, version=2, **more)


def yin_yang() -> dict:
    """The state of the page with a yin-yang: no digits, and values that four clues force."""
    both = [f"{kind}={value}:shade" for kind in ("connected", "no-square") for value in (0, 1)]
    values = ["digits=1:shade.r1c1,shade.r1c2,shade.r2c2", "digits=0:shade.r2c1"]
    return state("." * 16, "shape=4x4;layer=shade:0-1", [*both, *values], version=2)


def other_rules(name: str) -> str:
    """The rules and clues of such a puzzle."""
    _, rules, clues = OTHERS[name]
    return ";".join([rules, *clues])


class Answer(NamedTuple):
    """Of a request."""

    status: int
    headers: dict[str, str]
    text: str

    def json(self) -> dict:
        return json.loads(self.text)


class Page:
    """Asks questions."""

    def __init__(self, address: str, process: subprocess.Popen) -> None:
        self.process = process
        parts = urlsplit(address)
        self.host, self.path = parts.netloc, parts.path

    def request(self, method: str, path: str, body=None, **headers) -> Answer:
        """Any request below the token; `Host` and other headers as they are asked for."""
        return self.raw(method, self.path + path, body, headers)

    def raw(self, method: str, path: str, body=None, headers=None) -> Answer:
        connection = HTTPConnection(self.host, timeout=PATIENCE)
        try:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            names = {name.lower(): value for name, value in answer.getheaders()}
            return Answer(answer.status, names, answer.read().decode())
        finally:
            connection.close()

    def post(self, name: str, tab="a", **asked) -> Answer:
        return self.raw("POST", f"{self.path}api/{name}", json.dumps({"tab": tab, **asked}), JSON)

    def ask(self, name: str, **asked) -> dict:
        """The one object of an answer."""
        answer = self.post(name, **asked)
        assert answer.status == 200, answer.text
        return answer.json()

    def lines(self, name: str, **asked) -> list[dict]:
        """The objects of a stream."""
        answer = self.post(name, **asked)
        assert answer.status == 200, answer.text
        return [json.loads(line) for line in answer.text.splitlines()]

    def all(self, name: str, **asked) -> dict:
        """All objects of a stream in one."""
        together: dict = {}
        for line in self.lines(name, **asked):
            together |= line
        return together


@contextmanager
def page(*options: str, code: str = "") -> Iterator[Page]:
    """`satdoku serve` as a process, with limits that no machine is too busy for; `code` goes first
    and may change them."""
    for module in ("uvicorn", "starlette"):
        pytest.importorskip(module, reason=EXTRA)
    command = [sys.executable, "-P", "-c", PATIENT + code + SERVE, "serve", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield Page(process.stdout.readline().strip(), process)
        finally:
            process.terminate()
