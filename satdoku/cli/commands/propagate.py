"""The command `propagate`: the grid as far as unit propagation alone fixes it."""

from __future__ import annotations

from ...model.puzzle import Puzzle
from ..answers import for_each_puzzle
from ..options import Encoding, Format, Puzzles, Rules, json_option
from ..output import grid_writer, show, verdict

EXAMPLE = "satdoku propagate 123............."
CONFLICT = "conflict"


class Arguments(Puzzles, Rules, Encoding, Format):
    json = json_option()


def run(arguments: Arguments) -> int:
    """The grid with every digit that unit propagation fixes; exit 1 at a conflict."""
    from ...answers.session import shared_session

    write = grid_writer(arguments)

    def answer(asked: Puzzle) -> bool:
        session = shared_session(asked.constraints, arguments.solver, arguments.encoding)
        fixed = session.propagate(asked.grid)
        if fixed is None:
            show(arguments, verdict(CONFLICT), asked.record, status=CONFLICT)
            return False
        text = "" if arguments.json else write(fixed, asked.grid)
        show(arguments, text, asked.record, status="propagated", grid=str(fixed))
        return True

    return for_each_puzzle(arguments, answer)
