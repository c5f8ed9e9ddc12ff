"""The command `fewest`: how few givens do."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from itertools import count as from_
from typing import TYPE_CHECKING

from ...errors import SatdokuError
from ...model.grid import GridError
from ...model.puzzle import Puzzle
from .. import EXIT_BAD_INPUT, EXIT_DONE, EXIT_NO
from ..inputs import asked_constraints, asked_puzzles
from ..options import add_pool, add_puzzles, add_rules, add_time, positive
from ..output import say

if TYPE_CHECKING:
    from ...fewest import Fewest, FewestError, Report


EXAMPLE = "satdoku fewest 1234341221434321"


def add_options(parser: argparse.ArgumentParser) -> None:
    add_puzzles(parser, none="of any grid under rules with few")
    add_rules(parser, solver=False)
    parser.add_argument(
        "--givens",
        type=positive,
        metavar="K",
        help="stop when it is known whether K are enough; with no PUZZLE: count those with K",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a puzzle")
    add_time(parser, 60.0, "bounds, for each puzzle")
    add_pool(parser)


def run(arguments: argparse.Namespace) -> int:
    """Bounds on the fewest givens of each grid; exit 1 where they do not meet."""
    from ...fewest import FewestError

    if not arguments.puzzles:
        return _of_any_grid(arguments)
    code = EXIT_DONE
    for found in _answers(arguments):
        if isinstance(found, FewestError):
            print(_status(found, arguments.json), flush=True)
            code = code or EXIT_NO
            continue
        if isinstance(found, SatdokuError):
            say(found)
            code = EXIT_BAD_INPUT
            continue
        print(json.dumps(_as_json(found)) if arguments.json else _in_words(found), flush=True)
        if not _answered(found, arguments.givens) and code == EXIT_DONE:
            code = EXIT_NO
    return code


def _status(found: FewestError, as_json: bool) -> str:
    """In place of an answer, as `check` would say it."""
    return json.dumps({"status": str(found.status)}) if as_json else str(found.status)


def _answered(found: Fewest, enough: int | None) -> bool:
    return found.proven or (enough is not None and (found.high <= enough or found.low > enough))


def _in_words(found: Fewest) -> str:
    bounds = str(found.low) if found.proven else f"{found.low}..{found.high}"
    return f"{bounds} {found.puzzle}"


def _as_json(found: Fewest) -> dict[str, object]:
    return {
        "low": found.low,
        "high": found.high,
        "proven": found.proven,
        "puzzle": str(found.puzzle),
        "unavoidable_sets": [sorted(cells) for cells in found.sets],
    }


def _answers(arguments: argparse.Namespace) -> Iterator[Fewest | SatdokuError]:
    """The answer for each grid, in order."""
    from ...batch.workers import Workers, available_workers, map_in_order

    asked = list(asked_puzzles(arguments))
    limits = arguments.givens, arguments.timeout
    if len(asked) == 1:
        yield _answer(asked[0], *limits, None if arguments.quiet else _say)
        return
    jobs = ((question, (question, *limits)) for question in asked)
    with Workers("process", arguments.workers or available_workers()) as pool:
        yield from (found for _, found in map_in_order(pool, _answer, jobs))


def _answer(
    question: Puzzle | GridError,
    enough: int | None,
    timeout: float | None,
    report: Report | None = None,
) -> Fewest | SatdokuError:
    """What a worker does: errors are answers too."""
    from ...fewest import fewest_givens

    if isinstance(question, GridError):
        return question
    try:
        return fewest_givens(*question, enough=enough, timeout=timeout, report=report)
    except SatdokuError as error:
        return error


def _say(low: int, high: int) -> None:
    say(f"{low}..{high} givens")


def _of_any_grid(arguments: argparse.Namespace) -> int:
    """Puzzles by givens and solutions, from one given on until some have one solution."""
    from ...counting.few_grids import all_grids, count_givens

    constraints = asked_constraints(arguments)
    grids = all_grids(constraints, timeout=arguments.timeout)
    table = {}
    for givens in [arguments.givens] if arguments.givens else from_(1):
        table[givens] = count_givens(grids, givens)
        if 1 in table[givens] or not len(grids) or givens == constraints.board.cells:
            break
    found = [givens for givens, puzzles in table.items() if 1 in puzzles]
    if arguments.json:
        print(json.dumps({"grids": len(grids), "puzzles": table}))
        return EXIT_DONE if found else EXIT_NO
    print(f"{len(grids)} grids")
    print("givens  solutions  puzzles")
    for givens, puzzles in table.items():
        for solutions, number in puzzles.items():
            print(f"{givens:6}  {solutions:9}  {number:7}")
    return EXIT_DONE if found else EXIT_NO
