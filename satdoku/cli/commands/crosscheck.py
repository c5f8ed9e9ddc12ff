"""The command `crosscheck`: one line a witness, and whether they agree."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ...model.grid import Grid
from ..answers import for_each
from ..options import add_puzzles, add_rules, add_time, positive

if TYPE_CHECKING:
    from ...sat.session import Session


EXAMPLE = "satdoku crosscheck 1.....2....3.4.."


def add_options(parser: argparse.ArgumentParser) -> None:
    add_puzzles(parser)
    add_rules(parser, solver=False)
    parser.add_argument(
        "--witnesses", metavar="W,...", help="only these (default: every solver, every Z3 model)"
    )
    parser.add_argument(
        "--limit", type=positive, default=2, metavar="N", help="solutions to compare (default 2)"
    )
    add_time(parser, 60.0, "unknown, for each Z3 call")


def run(arguments: argparse.Namespace) -> int:
    """A line for each witness, and whether they agree."""
    from ...crosscheck import WITNESSES, ask, disagreements

    names = arguments.witnesses.split(",") if arguments.witnesses else WITNESSES
    limit = arguments.limit

    def answer(puzzle: Grid, session: Session) -> bool:
        constraints = session.constraints
        findings = []
        print(f"{'witness':<16} {'status':<9} {'solutions':>9} {'build s':>8} {'solve s':>8}")
        for name in names:
            said = ask(name, puzzle, constraints, limit=limit, timeout=arguments.timeout)
            findings.append(said)
            number = len(said.solutions)
            shown = f">={number}" if number == limit or not said.complete else str(number)
            times = f"{said.build_seconds:8.3f} {said.solve_seconds:8.3f}"
            print(f"{name:<16} {said.status(limit)!s:<9} {shown:>9} {times}", flush=True)
        problems = disagreements(findings, puzzle, constraints, limit)
        for problem in problems:
            print(f"DISAGREE: {problem}")
        finished = sum(said.complete for said in findings)
        if finished < 2:
            print(f"{finished or 'no'} witness finished: nothing to compare")
        elif not problems:
            print(f"all {finished} finished witnesses agree")
        return finished > 1 and not problems

    return for_each(arguments, answer)
