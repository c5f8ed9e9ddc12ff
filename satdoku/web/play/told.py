"""What the page to play is told of a puzzle: its board, its picture, what clashes, and its plan.

Invariant: no digit that is not given is told, but by the steps of a path that was asked for. What
the engine cannot plan is refused.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from ...engine.wasm import plan_bytes
from ...explain import Step, UnexplainableError, explain_steps
from ...files.one import rules_in_words
from ...model.clue import Clue
from ...model.constraints import Constraints, constraints_for
from ...model.grid import empty_grid
from ...model.kinds import KINDS, ONE_OF, clue_of
from ...model.marks import pencil_marks
from ...model.puzzle import Puzzle, restricted
from ...render import render_svg
from ...render.svg import render_background
from ...runtime import limits
from ...runtime.errors import BudgetError, SatdokuError, shown
from ..asked import stated
from ..boards import about, peers, values
from ..questions import Object
from ..study import step_told

UNTITLED = "Sudoku"
SHOWN = [
    "brief",
    "notes",
    "placed",
    "eliminated",
    "house",
    "cover",
    "reasons",
    "links",
    "hints",
]  # of a step
NO_FURTHER = "it ends early: no technique finds a further step"


class Told(NamedTuple):
    """A puzzle as the page has it: for HTML its title, author, rules in words and picture; `data`
    for the script; the plan of its rules as bytes."""

    title: str
    author: str
    words: Sequence[str]
    svg: str
    data: Object
    plan: bytes

    @property
    def problem(self) -> str:
        """Why its path ends early, if it does."""
        return str(self.data.get("path", {}).get("problem", ""))


def told(puzzle: Puzzle, *, path: bool = False, timeout: float | None = None) -> Told:
    """What the page is told of a puzzle, made in `timeout` seconds; with `path` also the steps that
    are found by then.

    Raises `BoardError` where the engine has no plan: layers, ranks, connected cells, and boards
    beyond 25x25. Raises `OutOfTime` if there was no time for the plan.
    """
    with limits.within(timeout):
        return _told(puzzle, path)


def _told(puzzle: Puzzle, path: bool) -> Told:
    constraints = puzzle.constraints
    if constraints.board.is_large:
        raise SatdokuError(f"{constraints.board.in_words}: expected a board up to 25x25")
    ruled = _with_marks(puzzle)
    plan = plan_bytes(ruled)
    title = shown(puzzle.title or puzzle.id) or UNTITLED
    words = rules_in_words(puzzle).splitlines()
    if puzzle.warning:
        words.append(f"Not part of any answer here: {puzzle.warning}.")
    data = {
        "title": title,
        "key": _key(puzzle),
        "puzzle": stated(puzzle)["puzzle"],
        "board": about(constraints),
        "marks": [
            sorted(digits) for digits in restricted(puzzle) or [()] * constraints.board.cells
        ],
        "open": [sorted(digits) for digits in pencil_marks(empty_grid(ruled.board), ruled)],
        "houses": _houses(constraints),
        "peers": peers(constraints),
        "values": values(constraints),
        "clues": [_clue(clue, constraints) for clue in constraints.clues],
        "picture": _picture(puzzle),
    }
    author = shown(puzzle.author)
    svg = render_svg(puzzle, legend=False)
    if path:
        data["path"] = _path(puzzle)
    return Told(title, author, tuple(map(shown, words)), svg, data, plan)


def _with_marks(puzzle: Puzzle) -> Constraints:
    """The constraints, with what pencil marks exclude as clues."""
    constraints, board = puzzle.constraints, puzzle.grid.board
    if puzzle.marks is None:
        return constraints
    domains = board.domains(tuple(range(board.cells)))
    texts = [
        f"{ONE_OF}={','.join(str(every[mark - 1]) for mark in sorted(some))}:{board.name_of(cell)}"
        for cell, (some, every) in enumerate(zip(puzzle.marks, domains, strict=True))
        if some and len(some) < len(every)
    ]
    return constraints_for(";".join((constraints.name, *texts)), board) if texts else constraints


def _key(puzzle: Puzzle) -> str:
    """A name for all that a puzzle states, under which a browser keeps what was entered."""
    bare = stated(replace(puzzle, title="", author="", words="", looks=()))
    return hashlib.sha256(json.dumps(bare, sort_keys=True).encode()).hexdigest()[:24]


def _houses(constraints: Constraints) -> list[list[int]]:
    """The cells of each house that holds every digit, once each."""
    n = constraints.board.choices
    groups = constraints.groups[constraints.board.cells :]
    return [
        list(cells) for cells in dict.fromkeys(tuple(c // n for c in group) for group in groups)
    ]


def _clue(clue: Clue, constraints: Constraints) -> Object:
    """A clue as the board says it to screen readers."""
    text = clue.text(constraints.board)
    read = clue_of(text, constraints.board)
    return {"text": text, "says": KINDS[read.kind].says(read.value), "cells": sorted({*read.cells})}


def _picture(puzzle: Puzzle) -> Object:
    """Where the grid lies in the picture."""
    drawn = render_background(puzzle.constraints, looks=puzzle.looks)._asdict()
    del drawn["svg"]
    return drawn


def _path(puzzle: Puzzle) -> Object:
    """The steps of a solution as the page shows them, and what is wrong with them, if anything."""
    if puzzle.marks is not None:
        return {"steps": [], "problem": "a puzzle with pencil marks has none"}
    steps: list[Step] = []
    problem = ""
    try:
        steps.extend(explain_steps(puzzle.grid, puzzle.constraints, named=True))
    except (UnexplainableError, BudgetError) as error:
        problem = str(error)
    known = {cell for cell, digit in enumerate(puzzle.grid) if digit}
    known.update(step.placed[0] for step in steps if step.placed)
    if not problem and not known.issuperset(range(puzzle.grid.board.grid_cells)):
        problem = NO_FURTHER
    return {
        "steps": [{name: step[name] for name in SHOWN} for step in map(step_told, steps)],
        "problem": problem,
    }
