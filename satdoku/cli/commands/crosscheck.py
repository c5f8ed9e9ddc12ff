"""The command `crosscheck`: a line for each backend, and whether they agree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from ...model.puzzle import Puzzle
from ...runtime.errors import SatdokuError
from ...runtime.limits import grace
from ..answers import for_each_puzzle
from ..options import Puzzles, Rules, json_option, list_option, option, positive, seconds
from ..output import RED, note, painted, show
from ..programs import Memory, Programs

if TYPE_CHECKING:
    from ...crosscheck import Answer, Configuration


NODES = 100_000  # that plain search, and the engines in each call, may spend
EXAMPLE = "satdoku crosscheck 1.....2....3.4.."


class Arguments(Puzzles, Rules, Programs, Memory):
    witnesses = list_option(
        metavar="W,...",
        help="ask only these backends, named as in `fuzz --backends` (default: all installed)",
    )
    limit = option(type=positive, default=2, metavar="N", help="compare N solutions (default 2)")
    timeout = option(
        type=seconds,
        default=60.0,
        metavar="S",
        help="after S seconds a call of Z3, CP-SAT or a program ends without an answer "
        "(default 60)",
    )
    json = json_option()


def run(arguments: Arguments) -> int:
    """A line for each backend, and whether they agree; exit 1 if not, or if too few finish."""
    return for_each_puzzle(arguments, partial(_agree, arguments, _chosen(arguments)))


def _chosen(arguments: Arguments) -> dict[str, Configuration]:
    """The backends to ask, all of which are there."""
    from ...crosscheck import configuration_named, installed_names

    named = arguments.witnesses.split(",") if arguments.witnesses else installed_names()
    chosen = {name: configuration_named(name) for name in (*named, *arguments.programs)}
    for configuration in chosen.values():
        configuration.backend.require()
    return chosen


def _agree(arguments: Arguments, chosen: Mapping[str, Configuration], asked: Puzzle) -> bool:
    """Ask them all about a puzzle; whether at least two finish, and all of those agree."""
    from ...crosscheck import disagreements

    limit = arguments.limit
    said = dict(_said(arguments, chosen, asked))
    problems = disagreements(said, asked.grid, asked.constraints, limit)
    finished = sum(told.complete for told in said.values())
    agree = finished > 1 and not problems
    witnesses = {name: _as_data(told, limit) for name, told in said.items()}
    text = _conclusion(finished, problems)
    show(arguments, text, asked.record, agree=agree, problems=problems, witnesses=witnesses)
    return agree


def _said(
    arguments: Arguments, chosen: Mapping[str, Configuration], asked: Puzzle
) -> Iterator[tuple[str, Answer]]:
    """What each backend says, with a line for it. One that cannot hold the puzzle is left out,
    unless it was asked for by name."""
    from ...crosscheck import Budget, ask, is_beyond

    limit, shows, width = arguments.limit, not arguments.json, max(16, *map(len, chosen))
    budget = Budget(nodes=NODES, timeout=arguments.timeout, memory_mb=arguments.memory)
    if shows:
        print(f"{'witness':<{width}} {'status':<9} {'solutions':>9} {'build s':>8} {'solve s':>8}")
    for name, configuration in chosen.items():
        try:
            with grace(arguments.timeout):  # the limit is each backend's own
                told = ask(configuration, asked.grid, asked.constraints, limit=limit, budget=budget)
        except SatdokuError as error:
            if arguments.witnesses or not is_beyond(error, asked.constraints):
                raise
            note(arguments, f"{name} is not asked: {error}")
            continue
        if shows:
            print(f"{name:<{width}} {_row(told, limit)}", flush=True)
        yield name, told


def _row(told: Answer, limit: int) -> str:
    found = f">={told.found}" if told.is_bound(limit) else str(told.found)
    status = f"{told.verdict(limit)!s:<9}"
    return f"{status} {found:>9} {told.build_s:8.3f} {told.solve_s:8.3f}"


def _as_data(told: Answer, limit: int) -> dict[str, object]:
    """What a backend said, for JSON."""
    return {
        "status": str(told.verdict(limit)),
        "solutions": told.found,
        "bound": told.is_bound(limit),
        "build_seconds": round(told.build_s, 6),
        "solve_seconds": round(told.solve_s, 6),
    }


def _conclusion(finished: int, problems: Sequence[str]) -> str:
    lines = [f"{painted('DISAGREE', RED)}: {problem}" for problem in problems]
    if finished < 2:
        lines.append(f"{finished or 'no'} witness finished: nothing to compare")
    elif not problems:
        lines.append(f"all {finished} finished witnesses agree")
    return "\n".join(lines)
