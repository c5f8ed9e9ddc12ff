"""What the page can ask: each question with the module that answers it, and its bounds.

Invariant: this table is all that the server process knows of a question; the modules are imported
by the workers alone.

An answer is a function of that name, `live(asked)` in `live.py`: it takes the JSON object of the
request and yields JSON objects, or `LOOKING` where it may be stopped. It raises `SatdokuError` for
wrong input, and runs until it is done, or killed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any, NamedTuple

Object = dict[str, Any]
Answering = Callable[[Object], Iterator[Object]]
LOOKING: Object = {}  # nobody hears of it; a question that is given up ends there


class Lane(NamedTuple):
    """Worker processes for questions of about the same length.

    most: processes at most; spare: those that wait, warm, if none works; each: how many questions
    of one tab run at once; niceness: how far the processes stand back behind others.
    """

    name: str
    most: int
    spare: int
    each: int
    niceness: int


QUICK = Lane("quick", 4, 1, 2, 0)
LIVE = Lane("live", 10, 2, 1, 0)
LONG = Lane("long", 6, 1, 2, 10)
LANES = QUICK, LIVE, LONG


class Question(NamedTuple):
    """Where a question is answered, in which lane, within how many seconds, and whether the answer
    is a stream of objects, one a line."""

    home: str
    lane: Lane
    seconds: float
    streams: bool = False


QUESTIONS = {
    "read": Question("take", QUICK, 10),
    "picture": Question("take", QUICK, 10),
    "board": Question("boards", QUICK, 10),
    "value": Question("boards", QUICK, 10),
    "live": Question("live", LIVE, 30, True),
    "symmetry": Question("study", QUICK, 10),
    "why": Question("study", LONG, 30),
    "steps": Question("study", LONG, 70, True),
    "possible": Question("study", LONG, 20),
    "fill": Question("make", LONG, 60),
    "generate": Question("make", LONG, 70),
    "minimize": Question("make", LONG, 60),
    "suggest": Question("suggest", LONG, 45, True),
    "export": Question("take", LONG, 60),
}


def answering(name: str) -> Answering:
    """The function that answers a question; imports its module."""
    function: Answering = getattr(import_module(f".{QUESTIONS[name].home}", __package__), name)
    return function
