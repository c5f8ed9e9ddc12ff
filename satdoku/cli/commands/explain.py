"""The command `explain`: sentences, JSON or pictures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...files.streams import STANDARD
from ...model.puzzle import Puzzle
from ...runtime.errors import SatdokuError
from ..answers import for_each_puzzle
from ..options import Puzzles, Rules, flag, json_option, option, seconds, to_write
from ..output import note, show
from ..pictures import check_name, draw

if TYPE_CHECKING:
    from ...explain import Candidate, Step

    Highlights = Mapping[str, Iterable[int | Candidate]]


EXAMPLE = "satdoku explain --steps 1.....2....3.4.."


class Arguments(Puzzles, Rules):
    steps = flag(help="explain the whole solution")
    units = flag(
        help="use the smallest explanations instead of rated techniques. Classic 9x9 puzzles with "
        "one solution get the techniques of Sudoku Explainer by default; all others, and --cell, "
        "always get the smallest explanations"
    )
    cell = option(
        metavar="r1c1",
        help="explain what forces the digit of this cell, or the value of a layer (shade.r1c1); "
        "with --steps: the steps that lead to it",
    )
    output = option(
        "-o",
        "--output",
        type=to_write,
        metavar="OUT",
        help="draw the explanation: .svg, or .png (extra: pip install 'satdoku[png]'), with "
        "--steps one picture a step, OUT-001 and so on; - draws text below the words",
    )
    json = json_option()
    timeout = option(
        "--timeout",
        "--limit",
        type=seconds,
        metavar="S",
        help="after S seconds "
        "stop: print no further steps; a conflict may be larger than necessary, which its text "
        "says (default: 10 for conflicts and cells, none for steps)",
    )


def run(arguments: Arguments) -> int:
    """Why a puzzle has no solution, why a cell holds its digit, or the steps of a solution."""
    from ...explain import LIMIT, explain_cell, explain_conflict

    pictures = _Pictures(arguments)

    def answer(asked: Puzzle) -> bool:
        pictures.begin(asked)
        limit = arguments.timeout or LIMIT
        conflict = explain_conflict(asked.grid, asked.constraints, timeout=limit)
        if conflict is not None:
            _show(arguments, asked, conflict.as_data(), conflict.sentences)
            pictures.draw(conflict.highlights)
            return False
        if arguments.cell and not arguments.steps:
            found = explain_cell(asked.grid, arguments.cell, asked.constraints, timeout=limit)
            _show(arguments, asked, found.as_data(), [found.words])
            pictures.draw(found.highlights)
            return found.reasons is not None
        return _steps(arguments, asked, pictures)

    return for_each_puzzle(arguments, answer)


class _Pictures:
    """What -o asks for: the explanations of one puzzle drawn, numbered if there may be several."""

    def __init__(self, arguments: Arguments) -> None:
        self._output: str | None = arguments.output
        self._many: bool = arguments.steps
        self._drawn = 0
        self._asked: Puzzle | None = None
        if self._output is not None:
            check_name(self._output)
            if self._output == STANDARD and arguments.json:
                raise SatdokuError("-o - cannot be combined with --json: a picture is not JSON")

    def begin(self, asked: Puzzle) -> None:
        """From now on this puzzle is drawn."""
        if self._asked is not None and self._output not in (None, STANDARD):
            raise SatdokuError(f"-o {self._output}: expected one puzzle, found a second one")
        self._asked = asked

    def draw(self, highlights: Highlights, **picture: Any) -> None:
        """One more picture."""
        if self._output is None:
            return
        assert self._asked is not None
        self._drawn += 1
        puzzle = Puzzle(self._asked.grid, self._asked.constraints)
        draw(self._name(self._output), puzzle, {"highlights": highlights, **picture})

    def _name(self, output: str) -> str:
        if output == STANDARD or not self._many:
            return output
        path = Path(output)
        return str(path.with_name(f"{path.stem}-{self._drawn:03}{path.suffix}"))

    def draw_step(self, step: Step) -> None:
        """A step as it is taken: with the digits placed before it, and the candidates left."""
        self.draw(
            step.highlights,
            solution=step.solved,
            candidates=step.candidates,
            chains=step.links,
            caption=step.caption,
        )


def _steps(arguments: Arguments, asked: Puzzle, pictures: _Pictures) -> bool:
    """All steps, those that a cell needs, or, unless asked for more, the next one."""
    from ...explain import explain_steps

    named = not (arguments.units or arguments.cell)
    found = explain_steps(
        asked.grid, asked.constraints, timeout=arguments.timeout, named=named, cell=arguments.cell
    )
    data, n = [], 0
    for n, step in enumerate(found if arguments.steps else islice(found, 1), 1):
        if arguments.json:
            data.append(step.as_data())
        else:
            print(f"{n}. {step.words}" if arguments.steps else step.words, flush=True)
        pictures.draw_step(step)
    if arguments.json:
        _show(arguments, asked, {"steps": data}, [])
    if n == 0 and arguments.cell:
        note(arguments, f"no step leads to {arguments.cell}: it is given or not forced")
    elif n == 0 and not arguments.json:
        note(arguments, "no step: every cell is given")
    return n > 0


def _show(arguments: Arguments, asked: Puzzle, data: dict[str, Any], lines: list[str]) -> None:
    if arguments.json:
        show(arguments, "", asked.record, **data)
    else:
        print(*lines, sep="\n", flush=True)
