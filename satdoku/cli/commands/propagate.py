"""The command `propagate`: the grid as far as unit propagation alone fixes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...model.puzzle import Puzzle
from ..answers import for_each
from ..options import Encoding, Format, Puzzles, Rules, json_option
from ..output import grid_writer, show, verdict

if TYPE_CHECKING:
    from ...answers.session import Session

EXAMPLE = "satdoku propagate 123............."
CONFLICT = "conflict"


class Arguments(Puzzles, Rules, Encoding, Format):
    json = json_option()


def run(arguments: Arguments) -> int:
    """The grid with every digit that unit propagation fixes; exit 1 at a conflict."""
    write = grid_writer(arguments)

    def answer(asked: Puzzle, session: Session) -> bool:
        fixed = session.propagate(asked.grid)
        if fixed is None:
            show(arguments, verdict(CONFLICT), asked.record, status=CONFLICT)
            return False
        text = "" if arguments.json else write(fixed, asked.grid)
        show(arguments, text, asked.record, status="propagated", grid=str(fixed))
        return True

    return for_each(arguments, answer)
