"""The `fuzz` command: random puzzles for every backend, or one puzzle again."""

from __future__ import annotations

import argparse

from ..crosscheck.fuzz import (
    Case,
    Failure,
    backend_named,
    backend_names,
    examine,
)
from ..crosscheck.fuzz import fuzz as search
from ..crosscheck.fuzz.backends import Backend
from ..errors import SatdokuError
from ..model.board import Board
from ..model.constraints import constraints_for
from ..model.grid import parse_grid
from ..model.puzzle import Puzzle
from . import EXIT_DONE, EXIT_NO
from .inputs import complain, one_puzzle, rule_text

LIMIT = 10  # solutions that are compared


def fuzz(arguments: argparse.Namespace) -> int:
    """Look for a disagreement; exit 1 if there is one, which is printed with its command."""
    if arguments.puzzle:
        return _one_case(arguments)
    for name in ("limit", "box", "rules", "regions", "size"):
        if getattr(arguments, name) is not None:
            raise SatdokuError(f"--{name} goes with a PUZZLE: random ones have their own")

    def watch(number: int, case: Case) -> None:
        if arguments.verbose:
            complain(f"case {number}: {case.command(('plain',))}")

    backends = _backends(arguments.backends) if arguments.backends else None
    report = search(
        arguments.seconds, arguments.seed, backends=backends, cases=arguments.cases, watch=watch
    )
    number = f"{report.answers:,} answers to {report.cases:,} cases"
    print(f"seed {arguments.seed}: {number}, {report.unfinished:,} of them given up")
    return _tell(report.failure)


def _one_case(arguments: argparse.Namespace) -> int:
    puzzle, constraints = _question(arguments)
    backends = _backends(arguments.backends or ",".join(backend_names()))
    case = Case(constraints, puzzle, arguments.limit or LIMIT)
    said, problems = examine(case, backends)
    for name, answer in said.items():
        bound = "" if answer.complete and answer.found < answer.cap else ">="
        print(f"{name:<24} {bound}{answer.found}")
    return _tell(Failure(case, tuple(backends), problems) if problems else None)


def _question(arguments: argparse.Namespace) -> Puzzle:
    if arguments.box is None:
        return one_puzzle(arguments, arguments.puzzle)
    puzzle = parse_grid(arguments.puzzle, _board(arguments.box))
    return Puzzle(puzzle, constraints_for(rule_text(arguments), puzzle.board))


def _tell(failure: Failure | None) -> int:
    if failure is None:
        print("all agree")
        return EXIT_DONE
    for problem in failure.problems:
        print(f"DISAGREE: {problem}")
    print(f"again: {failure.command}")
    return EXIT_NO


def _backends(text: str) -> dict[str, Backend]:
    return {name: backend_named(name) for name in (word.strip() for word in text.split(","))}


def _board(text: str) -> Board:
    rows, _, columns = text.partition("x")
    if not (rows.isdecimal() and columns.isdecimal() and len(text) <= 5):
        raise SatdokuError(f"--box {text}: expected rows x columns, such as 2x3")
    return Board(int(rows) * int(columns), int(rows), int(columns))
