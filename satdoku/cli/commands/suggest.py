"""The command `suggest`: what a setter may take away from a puzzle, or add to it."""

from __future__ import annotations

from itertools import islice

from ...model.puzzle import Puzzle
from ...runtime.errors import SatdokuError
from .. import options as opt
from ..answers import for_each_puzzle
from ..output import show, verdict

EXAMPLE = "satdoku suggest 12..34.....2.... --want unique --seed 1 -n 1"
WANTS = ("needs", "unique", "easier", "harder")


class Arguments(opt.Puzzles, opt.Rules):
    description = (
        "Print suggestions for puzzles that are being set, each with the puzzle that it leads to:\n"
        "  needs   each given and clue that is not needed, and the solutions without every other\n"
        "  unique  the fewest givens or clues that leave one solution\n"
        "  easier  a given more that makes it easier, with the rating (docs/RATINGS.md)\n"
        "  harder  what can go, also after a given more, so that it is harder"
    )
    want = opt.option(choices=WANTS, default=WANTS[0], help="what for (default needs)")
    kinds = opt.option(
        "--kinds",
        default="givens",
        metavar="KINDS",
        help="with --want unique: what may be added, such as givens,thermo,cage (default givens)",
    )
    number = opt.option(
        "-n", "--number", type=opt.positive, metavar="N", help="print at most N suggestions"
    )
    seed = opt.option(type=int, default=0, metavar="K", help="random seed (default 0)")
    json = opt.json_option()
    timeout = opt.option(
        type=opt.seconds, default=10.0, metavar="S",
        help="print what was found within S seconds for each puzzle (default 10)",
    )  # fmt: skip


def run(arguments: Arguments) -> int:
    """Suggestions for each puzzle; exit 1 if there are none for any."""
    if arguments.kinds != "givens" and arguments.want != "unique":
        raise SatdokuError("--kinds needs --want unique")
    return for_each_puzzle(arguments, lambda asked: _answer(arguments, asked))


def _answer(arguments: Arguments, asked: Puzzle) -> bool:
    from ...setting import SuggestionError, suggest

    kinds = [kind.strip() for kind in arguments.kinds.split(",")]
    found = suggest(asked, want=arguments.want, kinds=kinds, seed=arguments.seed)
    known = False
    try:
        for one in islice(found, arguments.number):
            known = True
            clues = "".join(f" {text}" for text in one.puzzle.constraints.clue_texts)
            text = f"{one.puzzle.grid}{clues}: {one.words}"
            show(arguments, text, asked.record, **one.as_data())
    except SuggestionError as error:
        show(arguments, verdict(error.status), asked.record, status=str(error.status))
    return known
