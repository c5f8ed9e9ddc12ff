"""The command `crosscheck`: a line for each backend, and whether they agree."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ..answers import for_each
from ..inputs import Asked
from ..options import add_puzzles, add_rules, add_time, positive

if TYPE_CHECKING:
    from ...sat.session import Session


NODES = 100_000  # that plain search, and the engines in each call, may spend
EXAMPLE = "satdoku crosscheck 1.....2....3.4.."


def add_options(parser: argparse.ArgumentParser) -> None:
    add_puzzles(parser)
    add_rules(parser, solver=False)
    parser.add_argument(
        "--witnesses",
        metavar="W,...",
        help="only these backends, as in `fuzz --backends` (default: all that are installed)",
    )
    parser.add_argument(
        "--limit", type=positive, default=2, metavar="N", help="solutions to compare (default 2)"
    )
    add_time(parser, 60.0, "unknown, for each call of Z3 or CP-SAT")


def run(arguments: argparse.Namespace) -> int:
    """A line for each backend, and whether they agree."""
    from ...crosscheck import Budget, ask, configuration_named, disagreements, installed_names

    names = arguments.witnesses.split(",") if arguments.witnesses else installed_names()
    chosen = {name: configuration_named(name) for name in names}
    for configuration in chosen.values():
        configuration.backend.require()
    limit, budget = arguments.limit, Budget(nodes=NODES, seconds=arguments.timeout)

    def answer(asked: Asked, session: Session) -> bool:
        puzzle, constraints = asked.grid, asked.constraints
        said = {}
        print(f"{'witness':<16} {'status':<9} {'solutions':>9} {'build s':>8} {'solve s':>8}")
        for name, configuration in chosen.items():
            said[name] = told = ask(configuration, puzzle, constraints, limit=limit, budget=budget)
            shown = f">={told.found}" if told.is_bound(limit) else str(told.found)
            times = f"{told.build_s:8.3f} {told.solve_s:8.3f}"
            print(f"{name:<16} {told.verdict(limit)!s:<9} {shown:>9} {times}", flush=True)
        problems = disagreements(said, puzzle, constraints, limit)
        for problem in problems:
            print(f"DISAGREE: {problem}")
        finished = sum(told.complete for told in said.values())
        if finished < 2:
            print(f"{finished or 'no'} witness finished: nothing to compare")
        elif not problems:
            print(f"all {finished} finished witnesses agree")
        return finished > 1 and not problems

    return for_each(arguments, answer)
