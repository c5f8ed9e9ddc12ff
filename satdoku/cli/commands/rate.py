"""The command `rate`: how hard each puzzle is, by named steps or by smallest explanations."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from ...files.outputs import WITH_COLUMNS, form_of
from ...files.streams import STANDARD
from ...model.puzzle import Puzzle, Unreadable
from ...ratings import scale
from ...runtime.errors import SatdokuError, Status
from .. import EXIT_BAD_INPUT, EXIT_DONE, EXIT_NO
from .. import options as opt
from ..answers import clash, exit_code, together
from ..collections import asked_run
from ..inputs import asked_constraints, asked_puzzles
from ..output import note, say, show, verdict
from ..progress import Bar, Tally

if TYPE_CHECKING:
    from ...explain.rated import Rating as LogicRating
    from ...explain.rating import Rating as OwnRating
    from ...model.board import Board
    from ...model.constraints import Constraints

EXAMPLE = "satdoku generate --seed 1 | satdoku rate -"


class Rated(NamedTuple):
    """A status, and the rating if that is unique."""

    status: Status
    rating: scale.Rating | LogicRating | OwnRating | None = None


class Arguments(opt.Puzzles, opt.Rules, opt.Workers):
    description = (
        "Rate how hard puzzles are for a person, by the steps of their solutions:\n"
        "ER, the hardest step; EP, the hardest up to and including the first that places a digit;\n"
        "ED, the first step; and the technique of the hardest step. Classic 9x9 is rated as\n"
        "Sudoku Explainer does, all other puzzles on an extension of its scale (docs/RATINGS.md)."
    )
    scale = opt.option(
        choices=("se", "logic", "mus"),
        help="logic (default): the scale of Sudoku Explainer (as in Sukaku Explainer 1.18.1) for "
        "classic 9x9, and its extension for other rules and clues; se: classic 9x9 only; mus: by "
        "the sizes of the smallest explanations",
    )
    output = opt.output_option(
        opt.Written(*WITH_COLUMNS),
        "file for the ratings, with status and reason; `batch --columns er,ep,ed,technique` has "
        "more columns, and --resume",
    )
    json = opt.json_option()
    timeout = opt.option(
        "--timeout",
        "--limit",
        type=opt.seconds,
        metavar="S",
        help="give up a puzzle after S seconds; mus rates by the steps found so far: a lower bound",
    )


def run(arguments: Arguments) -> int:
    """The difficulty of each puzzle: ratings, and the technique or the figures behind them."""
    if arguments.output != STANDARD:
        return _to_file(arguments)
    return exit_code(arguments, _answers(arguments))


def _answers(arguments: Arguments) -> Iterator[bool | Unreadable]:
    puzzles = _on_its_scale(arguments)
    for answered in together(puzzles, lambda group: _rate(group, arguments)):
        if isinstance(answered, Unreadable):
            yield answered
            continue
        asked, (status, rating) = answered
        if status is Status.INVALID:
            clash(arguments, asked)
        _show(arguments, asked, status, rating)
        yield rating is not None


def _on_its_scale(arguments: Arguments) -> Iterator[Puzzle | Unreadable]:
    """The puzzles; one that the scale asked for does not rate is an error."""
    for asked in asked_puzzles(arguments):
        foreign = isinstance(asked, Puzzle) and not scale.serves(asked.constraints)
        if foreign and arguments.scale == "se":
            where = f"{asked.place['file']}: line {asked.place['line']}: " if asked.place else ""
            yield Unreadable(
                SatdokuError(f"{where}{scale.CLASSIC_ONLY}: choose --scale logic"), asked.place
            )
        else:
            yield asked


def _show(
    arguments: Arguments,
    asked: Puzzle,
    status: Status,
    rating: scale.Rating | LogicRating | OwnRating | None,
) -> None:
    if rating is None:
        show(arguments, verdict(status), asked.record, status=str(status))
        return
    is_explained = isinstance(rating, scale.Rating)
    name = "se" if is_explained else "mus" if arguments.scale == "mus" else "logic"
    data = {"status": str(status), "scale": name, **rating.as_data()}
    show(arguments, rating.words, asked.record, **data)


def _rate(group: list[Puzzle], arguments: Arguments) -> Iterator[Rated]:
    """The ratings of puzzles under the same constraints, in order."""
    constraints = group[0].constraints
    if arguments.scale == "mus":
        return (_alone(asked, arguments, "mus") for asked in group)
    if scale.serves(constraints) and arguments.timeout is None:
        return _by_explainer(group, arguments)
    if not scale.serves(constraints) and scale.CLASSIC_ONLY not in arguments.warned:
        from ...explain.logic.scale import VERSION

        arguments.warned.add(scale.CLASSIC_ONLY)
        note(
            arguments,
            f"{scale.CLASSIC_ONLY}: other puzzles are rated on its extension, version {VERSION} "
            "(docs/RATINGS.md)",
        )
    return (_alone(asked, arguments) for asked in group)


def _by_explainer(group: list[Puzzle], arguments: Arguments) -> Iterator[Rated]:
    """On the scale of Sudoku Explainer; without numpy for a single puzzle."""
    if len(group) == 1:
        from ...answers.api import classify

        status = classify(group[0].grid)
        yield Rated(
            status, scale.rating_of(group[0].grid.cells) if status is Status.UNIQUE else None
        )
        return
    import numpy as np

    from ...batch.options import PIECE
    from ...batch.rate import rate_pieces

    workers = arguments.workers_for(is_small=len(group) < PIECE)
    digits = np.array([bytearray(asked.grid.cells) for asked in group], np.uint8)
    with closing(rate_pieces(digits, group[0].constraints, workers)) as pieces:
        for found in pieces:
            for status, *rating in zip(*(column.tolist() for column in found), strict=True):
                known = scale.Rating(*rating) if status == Status.UNIQUE else None
                yield Rated(Status(status), known)


def _alone(asked: Puzzle, arguments: Arguments, name: str | None = None) -> Rated:
    """On the scale of that name, in this process."""
    from ...answers.api import classify
    from ...explain.rating import rate
    from ...runtime.errors import BudgetError

    limit = arguments.timeout
    status = classify(asked.grid, asked.constraints, timeout=limit)
    if status is not Status.UNIQUE:
        return Rated(status)
    try:
        return Rated(status, rate(asked.grid, asked.constraints, scale=name, timeout=limit))
    except BudgetError as error:
        say(error)
        return Rated(Status.UNKNOWN)


def _to_file(arguments: Arguments) -> int:
    """Ratings of collections as a table."""
    from ...batch.files import Run, Writing

    if arguments.scale == "mus":
        raise SatdokuError(
            "-o takes the ratings of --scale logic; --scale mus prints lines, or --json"
        )
    tally = Tally()
    with Bar(arguments.puzzles, quiet=arguments.quiet) as bar:
        try:
            Run(
                arguments.puzzles,
                arguments.output,
                writing=Writing(form_of(arguments.output, WITH_COLUMNS)),
                rated=True,
                workers=arguments.workers,
                **asked_run(arguments, bar, tally, partial(_served, arguments)),
            ).go()
        finally:
            if not arguments.quiet and tally.puzzles:
                bar.bar.clear()
                print(tally.summary(), file=sys.stderr)
    if tally.unreadable:
        return EXIT_BAD_INPUT
    return EXIT_DONE if tally.statuses[Status.UNIQUE] == tally.puzzles else EXIT_NO


def _served(arguments: Arguments, board: Board) -> Constraints:
    """The constraints asked for, if they are rated on the scale asked for."""
    constraints = asked_constraints(arguments, board)
    if arguments.scale == "se" and not scale.serves(constraints):
        raise SatdokuError(f"{scale.CLASSIC_ONLY}: choose --scale logic")
    return constraints
